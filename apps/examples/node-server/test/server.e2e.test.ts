import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openBsp } from 'bspkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const server = fileURLToPath(new URL('../server.js', import.meta.url));
const cli = fileURLToPath(new URL('dist/main.js', import.meta.resolve('@bspkit/cli/package.json')));

describe('the server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bspkit-server-'));
  const map = join(folder, 'arena.bsp');
  let child: ChildProcess;
  let origin: string;

  beforeAll(async () => {
    execFileSync(process.execPath, [cli, 'compile', 'demo:arena', '--format', 'quake3', '--out', map]);
    child = spawn(process.execPath, [server, map, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    origin = await new Promise((resolve, reject) => {
      child.stdout!.on('data', (text) => resolve(new URL(/http:\S+/.exec(String(text))![0]).origin));
      child.on('exit', (code) => reject(new Error(`the server left with code ${code}`)));
    });
  });
  afterAll(() => {
    child.kill();
    rmSync(folder, { recursive: true });
  });

  const get = async (query: string) => (await fetch(`${origin}/trace?${query}`)).json();
  const post = async (body: string) => (await fetch(`${origin}/blocked`, { method: 'POST', body })).json();

  it('answers a ray as the library does', async () => {
    const world = await openBsp(readFileSync(map));
    const { fraction, endPos, normal } = world.ray().trace([-256, 0, 56], [1000, 0, 56]);
    const expected = { fraction, endPos: [...endPos], normal: [...normal], contents: ['solid'], model: 0 };
    expect(await get('from=-256,0,56&to=1000,0,56')).toEqual({ ...expected, startSolid: false });
    expect(await get('from=-256,0,56&to=-200,0,56')).toMatchObject({ fraction: 1, contents: [], model: -1 });
  });

  it('tests many lines at once', async () => {
    expect(await post('[[-256,0,56,1000,0,56],[-256,0,56,-200,0,56]]')).toEqual([true, false]);
  });

  it('says what is wrong with a request', async () => {
    expect(await get('from=1,2&to=1,2,3')).toEqual({ error: 'from must be three numbers: from=1,2,3' });
    expect((await get('from=1,2,x&to=1,2,3')).error).toMatch(/start/);
    expect((await get('from=1,2,3x&to=1,2,3')).error).toMatch(/start\[2\]/);
    expect((await get('from=1,,3&to=1,2,3')).error).toMatch(/start\[1\]/);
    expect((await post('[[1,2,3]]')).error).toMatch(/six numbers/);
    expect((await post('[[1,2,3,4,5,"6"]]')).error).toMatch(/six numbers/);
    expect((await post('[[1,2,3,4,5,null]]')).error).toMatch(/six numbers/);
    expect((await post('[[1,2,3,4,5,1e39]]')).error).toMatch(/segments/);
    expect((await post('nonsense')).error).toMatch(/JSON/);
    expect((await post(`"${'x'.repeat(2e6)}"`)).error).toMatch(/too long/);
    expect((await fetch(origin)).status).toBe(404);
  });

  it('answers what comes after a body that is too long, on the same connection', async () => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const long = 'x'.repeat(5e6);
    socket.write(`POST /blocked HTTP/1.1\r\nHost: x\r\nContent-Length: ${long.length}\r\n\r\n${long}`);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const answers = await text(socket);
    expect(answers.match(/^HTTP.*/gm)).toEqual(['HTTP/1.1 400 Bad Request', 'HTTP/1.1 404 Not Found']);
    expect(answers).toContain('"the body is too long"');
  });

  it('says in a line that its port is taken', () => {
    const { port } = new URL(origin);
    const { status, stderr } = spawnSync(process.execPath, [server, map, port], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, `listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`]);
  });
});
