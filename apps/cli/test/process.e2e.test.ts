import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { arenaQuake3 } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { MAIN, shell, temporaryFolder } from './bspkit.ts';

// The built command, in processes of its own.

const folder = temporaryFolder();
const ESCAPE = '\x1b';

const arena = join(folder, 'arena.bsp');
writeFileSync(arena, arenaQuake3());

/** Many questions about the arena: more than a pipe holds. */
const many = join(folder, 'many.ndjson');
const columns = ['x', 'y', 'z', 'leaf', 'cluster', 'area', 'contents'];
const header = JSON.stringify({ game: 'quake3', map: 'arena', kind: 'points', n: 3, columns });
const rows = Array.from({ length: 10_000 }, (_, k) => `[${k % 500},${k % 300},32,null,null,null,null]`);
writeFileSync(many, `${header}\n${rows.join('\n')}\n`);

const some = join(folder, 'few.ndjson');
writeFileSync(some, `${header}\n${rows.slice(0, 9).join('\n')}\n`);

/** Runs all commands in one process, which loads what they share once. */
const DRIVER = `
  const runs = [];
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.setMaxListeners(0);
  process.stderr.setMaxListeners(0);
  let printed = '';
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (text) => { printed += text; return true; };
  }
  for (const [k, args] of JSON.parse(process.env.RUNS).entries()) {
    printed = '';
    process.argv.splice(1, Infinity, process.env.MAIN, ...args);
    await import(process.env.MAIN + '?' + k);
    runs.push({ status: process.exitCode, printed });
  }
  process.exitCode = 0;
  write(JSON.stringify(runs));
`;

describe('every command works as built, one after the other in one process', async () => {
  const ray = ['--from', '0,-256,32', '--to', '0,512,32'];
  const few = ['--count', '50', '--rounds', '1'];

  const commands: [string[], number, RegExp][] = [
    [['info', arena], 0, /^\S+arena\.bsp {2}Quake 3 \(IBSP 46\)/],
    [['check', arena], 0, /problems +0/],
    [['trace', arena, ...ray], 0, /texture +textures\/arena\/brick/],
    [['point', arena, '--at', '256,256,-64'], 0, /contents names +water/],
    [['sphere', arena, '--at', '0,-256,64', '--radius', '48'], 0, /open +yes/],
    [['sphere', arena, '--at', '0,-256,64', '--radius', '4800'], 1, /open +no/],
    [['sight', arena, '--from', '0,-256,32', '--to', '0,-200,32'], 0, /visible +yes/],
    [['explain', arena, ...ray, '--svg', join(folder, 'ray.svg')], 0, /\nnode|node \d+/],
    [['compare', arena, '--least', '0', ...few], 0, /tutorial +\d+/],
    [['bench', arena, '--tracers', 'capsule', ...few], 0, /capsule +\d/],
    [['batch', arena, '--queries', some, '--out', '-'], 0, /^\{"game":"quake3"/],
    [
      ['compile', 'demo:arena', '-f', 'quake3', '-o', join(folder, 'out.bsp')],
      0,
      /Quake 3 \(IBSP 46\), .* from \d+ brush/,
    ],
    [
      [
        'bake',
        arena,
        '--kind',
        'exposure',
        '--step',
        '512',
        '--jobs',
        '1',
        '--out',
        join(folder, 'out.bake'),
      ],
      0,
      /^$/,
    ],
    [['entities', arena], 0, /"classname" "info_player_start"/],
    [['routing', arena], 2, /have no table of where walkers can go/],
    [['worker', '--queue', 'redis://localhost:1', '--patience', '1'], 2, /^bspkit: cannot reach the queue/],
    [['completion', 'bash'], 0, /^# /],
    [['demo'], 0, /^\nbspkit {2}the arena: [\s\S]*Quake 3 exact .*▪/],
    [['--help'], 0, /To begin with:\n {2}demo /],
    [['fly'], 2, /^bspkit: unknown command 'fly'/],
  ];
  const env = { ...process.env, MAIN, RUNS: JSON.stringify(commands.map(([args]) => args)) };
  const driver = ['--input-type=module', '--eval', DRIVER];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, driver, { env, maxBuffer: 1 << 26 });
  expect(stderr).toBe('');
  const runs = JSON.parse(stdout) as { status: number; printed: string }[];

  it('is here', () => {
    const help = runs[commands.findIndex(([[first]]) => first === '--help')]!.printed;
    const names = [...help.matchAll(/^ {2}([a-z]+) .* {2}/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(10);
    const run = new Set(commands.map(([[first]]) => first));
    expect(names.filter((name) => name !== 'help' && !run.has(name))).toEqual([]);
  });

  it.each(commands.map(([args, ...expected], k) => [args[0], runs[k]!, ...expected] as const))(
    '%s',
    (_, { status, printed }, code, prints) => {
      expect(printed).toMatch(prints);
      expect(printed).not.toContain(ESCAPE);
      expect(status).toBe(code);
    },
  );
});

describe.concurrent('a pipe', () => {
  it('may be closed by its reader', async () => {
    const { status, stdout, stderr } = await shell(
      `set -o pipefail; bspkit batch '${arena}' --queries '${many}' --out - | head -n 1`,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(`${header}\n`);
  });

  it('that is closed does not change the exit code of a negative answer', async () => {
    const { status, stderr } = await shell(
      `set -o pipefail; bspkit sight '${arena}' --from 0,-256,32 --to 1100,64,32 | true`,
    );
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('that is full is reported', async () => {
    expect(await shell(`bspkit info '${arena}' > /dev/full`)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^bspkit: stdout: cannot be written: [^\n]+\n$/),
    });
  });

  it('receives all of a long answer', async () => {
    const { stdout } = await shell(`bspkit batch '${arena}' --queries '${many}' --out - | cat`);
    expect(stdout.split('\n')).toHaveLength(rows.length + 2);
  });

  it('answers the questions of the guide as its commands say', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/batch.md'), 'utf8');
    const [, questions] = /^```json\n(.*?)^```/ms.exec(guide)!;
    const [plain, piped, ...others] = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map(([, line]) => line!);
    expect(others).toEqual([]);
    const cwd = join(folder, 'guide');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'questions.ndjson'), questions!);
    const { status, stdout } = await shell(`cd '${cwd}'; ${plain}`);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\[256,256,-64,\d+,\d+,-?\d+,32\]$/m);
    const all = `cd '${cwd}'; set -e -o pipefail; gzip questions.ndjson; ${piped} zcat answers.ndjson.gz`;
    expect(await shell(all)).toMatchObject({ status: 0, stdout });
  });
});

describe('a folder that is gone', () => {
  // Systems other than Linux keep a folder that a process is in, or let it keep its name.
  it.skipIf(process.platform !== 'linux')('is named, and does not matter to what needs none', async () => {
    const gone = join(folder, 'gone');
    mkdirSync(gone);
    const { stdout, stderr } = await shell(
      `cd '${gone}' && rmdir '${gone}' && { bspkit info '${arena}' | head -n 1; bspkit info arena.bsp; echo $?; }`,
    );
    expect(stderr).toBe('bspkit: the current folder has been removed; change to another one\n');
    expect(stdout).toMatch(/^\S+arena\.bsp {2}Quake 3 .*\n2\n$/);
  });
});

describe('the permission model of Node', () => {
  const model = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';

  const out = join(folder, 'permitted');
  mkdirSync(out);
  const command = `'${process.execPath}' ${model} --allow-fs-read='*' --allow-fs-write='${out}/*'`;
  const bake = `bake '${arena}' --kind exposure --step 512 --jobs 1 --out`;

  it('does not keep files from being written where that is allowed', async () => {
    const compile = `${command} '${MAIN}' compile demo:arena -f quake3 -o '${out}/arena.bsp'`;
    const { stdout, stderr } = await shell(
      `${compile} && ${compile}; ${command} --allow-worker '${MAIN}' ${bake} '${out}/arena.bake'; ls '${out}'`,
    );
    // What the map itself has to be warned of is not meant.
    expect(stderr).not.toMatch(/^bspkit: (?!demo:arena: warning: )/m);
    expect(stdout).toMatch(/\narena\.bake\narena\.bsp\n$/);
    expect(readFileSync(join(out, 'arena.bsp')).equals(readFileSync(arena))).toBe(true);
  });

  it('is named where it allows no threads', async () => {
    const { stdout, stderr } = await shell(`${command} '${MAIN}' ${bake} '${out}/other.bake'; echo $?`);
    expect(stderr).toMatch(/^bspkit: .*; node --allow-worker lets it start threads; /m);
    expect(stdout).toBe('2\n');
  });
});

const entries = (path: string): string[] => readdirSync(path).sort();

describe('a batch whose questions never end', () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const;

  it.concurrent.each(signals)('is ended by %s, and the old file stays whole', async (signal) => {
    const place = join(folder, signal);
    mkdirSync(place);
    const out = join(place, 'out.ndjson');
    writeFileSync(out, 'old');
    const queries = join(folder, `${signal}.fifo`);
    expect(spawnSync('mkfifo', [queries]).status).toBe(0);
    const child = spawn(process.execPath, [MAIN, 'batch', arena, '--queries', queries, '--out', out]);
    const ended = new Promise<{ signal: string | null; stderr: string }>((resolve) => {
      let stderr = '';
      child.stderr.on('data', (text) => {
        stderr += text;
      });
      child.on('close', (_, by) => resolve({ signal: by, stderr }));
    });
    const questions = createWriteStream(queries);
    questions.on('error', () => {});
    questions.write(`${header}\n${rows.slice(0, 5000).join('\n')}\n`);
    while (entries(place).length < 2 && child.exitCode === null) await sleep(10);
    child.kill(signal);
    // As npm does, which passes on a signal that the terminal has already sent.
    child.kill(signal);
    expect(await ended).toEqual({ signal, stderr: '' });
    expect(readFileSync(out, 'utf8')).toBe('old');
    const left = entries(place).filter((name) => name !== 'out.ndjson');
    expect(left).toHaveLength(signal === 'SIGKILL' ? 1 : 0);
    questions.destroy();
  });
});

describe('a pipe that stays open', () => {
  it('does not keep a batch from ending at an error', async () => {
    const queries = join(folder, 'open.fifo');
    expect(spawnSync('mkfifo', [queries]).status).toBe(0);
    const child = spawn(process.execPath, [MAIN, 'batch', arena, '--queries', queries, '--out', '-']);
    const ended = new Promise((resolve) => child.on('close', resolve));
    const questions = createWriteStream(queries);
    questions.on('error', () => {});
    questions.write(`${header}\n[1,2,"up",null,null,null,null]\n`);
    expect(await ended).toBe(2);
    questions.destroy();
  });
});

describe.concurrent('a disk that is full', () => {
  it('leaves the old file whole', async () => {
    const place = join(folder, 'full');
    mkdirSync(place);
    const out = join(place, 'out.ndjson');
    writeFileSync(out, 'old');
    // A limit of 64 kB per file, which behaves like a full disk: writing fails halfway.
    const { status, stderr } = await shell(
      `ulimit -f 64; bspkit batch '${arena}' --queries '${many}' --out '${out}'`,
    );
    expect(stderr).toBe(
      `bspkit: ${out}: cannot be written: the file would become larger than is allowed here\n`,
    );
    expect(status).toBe(2);
    expect(readFileSync(out, 'utf8')).toBe('old');
    expect(entries(place)).toEqual(['out.ndjson']);
  });

  it.each([
    ['bake', `bake '${arena}' --kind sight --points cells --chunk-size 20`, '.bake', 'bake.bake'],
    ['batch', `batch '${arena}' --queries '${many}' --resume`, '.out', 'batch.out.part'],
  ])('leaves what %s goes on with', async (name, command, ending, grown) => {
    const place = join(folder, `full-${name}`);
    mkdirSync(place);
    const [out, whole] = [join(place, `${name}${ending}`), join(place, `whole${ending}`)];
    expect(await shell(`bspkit ${command} --jobs 1 --out '${whole}'`)).toMatchObject({ status: 0 });
    const { status, stderr } = await shell(`ulimit -f 64; bspkit ${command} --jobs 1 --out '${out}'`);
    expect(stderr).toBe(
      `bspkit: ${join(place, grown)}: cannot be written: the file would become larger than is allowed here\n`,
    );
    expect(status).toBe(2);
    expect(entries(place)).toEqual([grown, `whole${ending}`]);
    const args = `--jobs 1 ${name === 'bake' ? '--resume' : ''} --out '${out}'`;
    expect(await shell(`bspkit ${command} ${args}`)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(out).equals(readFileSync(whole))).toBe(true);
    expect(entries(place)).toEqual([`${name}${ending}`, `whole${ending}`]);
  });

  it('leaves nothing of killed runs, once they have been continued', async () => {
    const place = join(folder, 'killed');
    mkdirSync(place);
    const args = ['batch', arena, '--queries', '-', '--resume', '--jobs', '1', '--out', join(place, 'out')];
    const partials = (): string[] => entries(place).filter((name) => name.endsWith('.partial'));
    for (let k = 0; k < 2; k++) {
      const before = partials();
      // Its questions never end.
      const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.write(readFileSync(some));
      while (!partials().some((name) => !before.includes(name))) await sleep(10);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    const command = `batch '${arena}' --queries '${some}' --resume --jobs 1 --out '${join(place, 'out')}'`;
    expect(await shell(`bspkit ${command}`)).toMatchObject({ status: 0, stderr: '' });
    expect(entries(place)).toEqual(['out']);
  });

  it('leaves what a run that still goes on has written', async () => {
    const place = join(folder, 'at-once');
    mkdirSync(place);
    const out = join(place, 'out');
    const partials = (): string[] => entries(place).filter((name) => name.endsWith('.partial'));
    const args = ['batch', arena, '--queries', '-', '--out', out];
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.write(readFileSync(some));
    while (partials().length === 0) await sleep(10);
    const ended = once(child, 'exit');
    const command = `batch '${arena}' --queries '${some}' --resume --jobs 1 --out '${out}'`;
    expect(await shell(`bspkit ${command}`)).toMatchObject({ status: 0, stderr: '' });
    expect(partials()).toHaveLength(1);
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(entries(place)).toEqual(['out']);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'does not change the exit code if only the message is lost',
    async () => {
      expect((await shell(`bspkit info nowhere.bsp 2> /dev/full`)).status).toBe(3);
    },
  );
});

describe('a stream of questions', () => {
  it('may be far larger than the memory that it needs', async () => {
    // To Linux, the `maxRSS` of a process is at least what the one that started it had.
    const said = `
      import { existsSync, readFileSync } from 'node:fs';
      const status = '/proc/self/status';
      const most = () =>
        existsSync(status)
          ? /VmHWM:\\s*(\\d+)/.exec(readFileSync(status, 'utf8'))[1]
          : process.resourceUsage().maxRSS;
      process.on('exit', () => console.error(most()));`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(said)}`, MAIN];
    const child = spawn(process.execPath, [...args, 'batch', arena, '--queries', '-', '--out', '-']);
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    let answered = 0;
    child.stdout.on('data', (piece: Buffer) => {
      answered += piece.length;
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const noted = JSON.stringify({ ...JSON.parse(header), columns: [...columns, 'note'] });
    const line = `[0,0,32,null,null,null,null,"${'x'.repeat(2 ** 20)}"]\n`;
    const count = 80;
    child.stdin.write(`${noted}\n`);
    for (let k = 0; k < count; k++) if (!child.stdin.write(line)) await once(child.stdin, 'drain');
    child.stdin.end();
    await ended;
    expect(answered).toBeGreaterThan(count * 2 ** 20);
    const megabytes = Number(stderr) / 1024;
    expect(megabytes).toBeGreaterThan(20);
    expect(megabytes).toBeLessThan(200);
  });
});

const hasScript = spawnSync('script', ['--version']).status === 0;

/** Runs the command as in a terminal: stdin, stdout and stderr are all one. */
async function inTerminal(line: string): Promise<string> {
  const command = `'${process.execPath}' '${MAIN}' ${line}`;
  // Node assumes no colours in the terminal of a CI machine.
  const { stdout } = await shell(`env -u CI script -qec "${command}" /dev/null`, { TERM: 'xterm-256color' });
  return stdout;
}

describe.skipIf(!hasScript)(`a terminal${hasScript ? '' : ' (skipped: there is no script(1))'}`, () => {
  it('gets colours', async () => expect(await inTerminal(`info '${arena}'`)).toContain(`${ESCAPE}[1m`));
});
