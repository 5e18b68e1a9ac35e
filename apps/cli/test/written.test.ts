import { spawn, spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import type { Signal } from '../src/io.ts';
import { bspkit, bspkitIn, type Run, temporaryFolder, WINDOWS } from './bspkit.ts';
import { rooms } from './rooms.ts';

// What happens to files that are written, to those that were there before, and to those that are read.

const root = temporaryFolder();
let folders = 0;

/** A folder of its own. */
function newFolder(): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  return folder;
}

const map = join(root, 'rooms.bsp');
writeFileSync(map, rooms('quake3'));

const BOX = `{
"classname" "worldspawn"
{
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) test/box 0 0 0 1 1
( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) test/box 0 0 0 1 1
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) test/box 0 0 0 1 1
( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 ) test/box 0 0 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) test/box 0 0 0 1 1
( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) test/box 0 0 0 1 1
}
}
`;
const source = join(root, 'box.map');
writeFileSync(source, BOX);

const compile = (out: string, from = source): Promise<Run> =>
  bspkit('compile', from, '--format', 'quake3', '--out', out);

const STDOUT = WINDOWS ? '-' : '/dev/stdout';

const MOVE = ['--from', '32,128,64', '--to', '224,192,64'];

/** Writes a file of questions about points. */
function questions(path: string, rows: readonly string[]): string {
  const header = {
    game: 'quake3',
    map: 'rooms',
    kind: 'points',
    columns: ['x', 'y', 'z', 'contents', 'note'],
  };
  writeFileSync(path, `${JSON.stringify(header)}\n${rows.join('\n')}\n`);
  return path;
}

/** The name of the test with a symbolic link, where everybody can make one. */
const LINK = WINDOWS ? [] : ['link'];
const link = (target: string, path: string): void => {
  if (!WINDOWS) symlinkSync(target, path);
};

const isMap = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 4)).toString() === 'IBSP';

describe('a file that is written', () => {
  it('takes the place of the old one, and keeps its mode', async () => {
    const folder = newFolder();
    const out = join(folder, 'out.bsp');
    writeFileSync(out, 'old');
    chmodSync(out, 0o640);
    const { mode } = statSync(out);
    expect((await compile(out)).status).toBe(0);
    expect(isMap(readFileSync(out))).toBe(true);
    expect(statSync(out).mode).toBe(mode);
    expect(readdirSync(folder)).toEqual(['out.bsp']);
  });

  it('has the mode of new files', async () => {
    const folder = newFolder();
    await compile(join(folder, 'out.bsp'));
    writeFileSync(join(folder, 'other'), '');
    const [mode, usual] = ['out.bsp', 'other'].map((name) => statSync(join(folder, name)).mode);
    expect(mode).toBe(usual);
  });

  it.skipIf(WINDOWS)('is written where symbolic links lead', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'there/below'), { recursive: true });
    writeFileSync(join(folder, 'there/old.bsp'), 'old');
    symlinkSync('there/below', join(folder, 'below'));
    symlinkSync('below/../old.bsp', join(folder, 'link'));
    writeFileSync(join(folder, 'old.bsp'), 'another file');
    symlinkSync('../new.bsp', join(folder, 'there/below/dangling'));
    symlinkSync('below/dangling', join(folder, 'chain'));
    for (const name of ['link', 'chain']) {
      expect((await compile(join(folder, name))).status).toBe(0);
      expect(lstatSync(join(folder, name)).isSymbolicLink()).toBe(true);
      expect(isMap(readFileSync(join(folder, name)))).toBe(true);
    }
    expect(readdirSync(join(folder, 'there')).sort()).toEqual(['below', 'new.bsp', 'old.bsp']);
    expect(readFileSync(join(folder, 'old.bsp'), 'utf8')).toBe('another file');
  });

  it('is gzipped where its name ends in .gz', async () => {
    const out = join(newFolder(), 'out.bsp.gz');
    await compile(out);
    expect(isMap(gunzipSync(readFileSync(out)))).toBe(true);
    expect((await bspkit('info', out)).status).toBe(0);
  });

  it('is complete, even if others write it at the same time', async () => {
    const folder = newFolder();
    const out = join(folder, 'out.ndjson');
    const answers = await Promise.all(
      ['a', 'b'].map(async (note) => {
        const rows = Array.from({ length: 3000 }, (_, k) => `[${k % 256},128,64,null,"${note.repeat(90)}"]`);
        const queries = questions(join(folder, note), rows);
        const { status } = await bspkit('batch', map, '--queries', queries, '--out', out);
        return { status, note };
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([0, 0]);
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n').slice(1);
    expect(lines).toHaveLength(3000);
    expect(new Set(lines.map((line) => line.slice(-4)))).toHaveProperty('size', 1);
    expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'out.ndjson']);
  });
});

/** What cannot be written, and why, in the words of each system. */
const NOT_WRITTEN_ON_WINDOWS: readonly [string, string, string][] = [
  ['a path through a file', 'file/out.bsp', 'there is no such folder'],
];
const NOT_WRITTEN_ELSEWHERE: readonly [string, string, string][] = [
  ['a path through a file', 'file/out.bsp', 'no such file: a part of the path is not a folder'],
  ['a name that is too long', `${'n'.repeat(300)}.bsp`, 'the name is too long'],
  ['links in a circle', 'circle', 'symbolic links that lead in a circle'],
];

describe('a file stays as it was', () => {
  it('if an error stops the writing', async () => {
    const folder = newFolder();
    const out = join(folder, 'out.ndjson');
    writeFileSync(out, 'old');
    const rows = Array.from({ length: 9000 }, () => '[1,2,3,null,"a note"]');
    const queries = questions(join(root, 'bad.ndjson'), [...rows, '[1,2,"up",null,""]']);
    expect(await bspkit('batch', map, '--queries', queries, '--out', out)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('bad.ndjson: line 9002: '),
    });
    expect(readFileSync(out, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['out.ndjson']);
  });

  it.each<[Signal, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('where %s ends it, with exit code %i', async (signal, code) => {
    const folder = newFolder();
    const out = join(folder, 'out');
    writeFileSync(out, 'old');
    const queries = questions(join(root, 'good.ndjson'), ['[1,2,3,null,""]']);
    for (const args of [
      ['compile', source, '--format', 'quake3', '--out', out],
      ['batch', map, '--queries', queries, '--out', out],
      ['explain', map, ...MOVE, '--svg', out],
    ]) {
      expect(await bspkitIn({ signal }, ...args)).toEqual({ status: code, stdout: '', stderr: '' });
      expect(readFileSync(out, 'utf8')).toBe('old');
      expect(readdirSync(folder)).toEqual(['out']);
    }
  });

  it('if it is also the input, by whatever name', async () => {
    const folder = newFolder();
    const own = join(folder, 'own.map');
    writeFileSync(own, BOX);
    link('own.map', join(folder, 'link.bsp'));
    linkSync(own, join(folder, 'hard.bsp'));
    const names = ['own.map', ...LINK.map((name) => `${name}.bsp`), 'hard.bsp'];
    for (const out of [...names, `../${folder.slice(root.length + 1)}/own.map`]) {
      const { status, stderr } = await compile(`${folder}/./${out}`, own);
      expect(stderr).toMatch(/^bspkit: \S+: is not written: it (is \S+own\.map, which )?is read here\n$/);
      expect(status).toBe(2);
    }
    expect(readFileSync(own, 'utf8')).toBe(BOX);

    const bytes = readFileSync(map);
    expect((await bspkit('explain', map, ...MOVE, '--svg', map)).status).toBe(2);
    expect((await bspkit('bench', map, '--count', '10', '--rounds', '1', '--markdown', map)).status).toBe(2);
    const queries = questions(join(folder, 'queries'), ['[1,2,3,null,""]']);
    for (const out of [map, queries]) {
      expect((await bspkit('batch', map, '--queries', queries, '--out', out)).status).toBe(2);
    }
    expect(readFileSync(map).equals(bytes)).toBe(true);
    expect(readFileSync(queries, 'utf8')).toContain('[1,2,3,null');
  });

  it('if a bake reads its points or targets from it', async () => {
    const folder = newFolder();
    const points = join(folder, 'points.txt');
    const text = '0 0 64\n64 0 64\n';
    writeFileSync(points, text);
    link('points.txt', join(folder, 'link'));
    linkSync(points, join(folder, 'hard'));
    const bake = (...args: string[]): Promise<Run> =>
      bspkit('bake', 'demo:arena', '--kind', 'sight', '--jobs', '1', ...args);
    const other = join(folder, 'v.bake');
    for (const name of ['points.txt', ...LINK, 'hard']) {
      const out = join(folder, name);
      for (const args of [
        ['--points', points, '--out', out],
        ['--points', points, '--out', out, '--resume'],
        ['--points', 'entities', '--targets', points, '--out', out],
        ['--points', points, '--out', other, '--csv', out],
      ]) {
        const { status, stderr } = await bake(...args);
        expect(stderr).toMatch(/: is not written: it (is \S+points\.txt, which )?is read here\n$/);
        expect(status).toBe(2);
      }
    }
    expect(readFileSync(points, 'utf8')).toBe(text);
    expect(readdirSync(folder).sort()).toEqual(['hard', ...LINK, 'points.txt']);
  });

  it('if two options would write it', async () => {
    const folder = newFolder();
    const old = join(folder, 'old');
    writeFileSync(old, 'old');
    link('old', join(folder, 'link'));
    linkSync(old, join(folder, 'hard'));
    link('new', join(folder, 'dangling'));
    const [hard, fresh] = ['hard', 'new'].map((name) => join(folder, name));
    const [linked, dangling] = WINDOWS ? [old, fresh] : [join(folder, 'link'), join(folder, 'dangling')];
    const bake = ['bake', 'demo:arena', '--kind', 'sight', '--jobs', '1'];
    const routing = ['routing', 'demo:arena@ufoai'];
    for (const [command, a, first, b, second] of [
      [bake, '--out', old, '--csv', old],
      [bake, '--out', old, '--png', linked],
      [[...bake, '--resume'], '--out', old, '--csv', hard],
      [[...bake, '--out', join(folder, 'v.bake')], '--png', fresh, '--csv', dangling],
      [[...bake, '--out', join(folder, 'v.bake')], '--csv', '-', '--json', STDOUT],
      [bake, '--out', '-', '--csv', '-'],
      [routing, '--out', fresh, '--png', `${folder}/./new`],
      [routing, '--out', '-', '--svg', '-'],
      [routing, '--out', fresh, '--png', WINDOWS ? join(folder, 'NEW') : fresh],
      [routing, '--png', linked, '--svg', old],
    ] as const) {
      expect(await bspkit(...command, a, first!, b, second!)).toEqual({
        status: 2,
        stdout: '',
        stderr: `bspkit: ${a} ${first} and ${b} ${second} are one file: each needs its own\n`,
      });
    }
    expect(readFileSync(old, 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(
      WINDOWS ? ['hard', 'old'] : ['dangling', 'hard', 'link', 'old'],
    );
    const both = await bspkit(...routing, '--png', devNull, '--svg', devNull);
    expect(both).toMatchObject({ status: 0, stderr: '' });
  });

  it.each<[string, string, string]>([
    ['a folder that is not there', 'none/out.bsp', 'there is no such folder'],
    ['a folder', '', 'is a folder'],
    ['what ends as a folder does', 'none/', 'it names a folder, not a file'],
    ...(WINDOWS ? NOT_WRITTEN_ON_WINDOWS : NOT_WRITTEN_ELSEWHERE),
  ])('where it cannot be written: %s', async (_, name, reason) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    link('circle', join(folder, 'circle'));
    const out = join(folder, name);
    const { status, stderr } = await compile(out);
    expect(stderr).toContain(`: cannot be written: ${reason}`);
    expect(status).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(WINDOWS ? ['file'] : ['circle', 'file']);
  });

  it('where it is a folder, before work is done for it', async () => {
    const folder = newFolder();
    const answer = {
      status: 2,
      stdout: '',
      stderr: `bspkit: ${folder}: cannot be written: is a folder\n`,
    };
    // What is wrong with the points would be found next.
    const bake = ['bake', map, '--kind', 'sight', '--points', join(folder, 'none'), '--out', folder];
    expect(await bspkit(...bake)).toEqual(answer);
    // What the tracers are, too.
    expect(await bspkit('bench', map, '--tracers', 'none', '--markdown', folder)).toEqual(answer);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(WINDOWS)('if another program has it open', async () => {
    const folder = newFolder();
    const out = join(folder, 'out.bsp');
    writeFileSync(out, 'old');
    const reader = openSync(out, 'r');
    const { status, stderr } = await compile(out);
    closeSync(reader);
    expect(stderr).toContain(': cannot be written: permission denied, or another program has it open\n');
    expect(status).toBe(2);
    expect(readFileSync(out, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['out.bsp']);
  });
});

/** What a test does as on Windows, where devices have no access that could be asked for. */
async function onWindows<T>(run: () => Promise<T>): Promise<T> {
  const { accessSync } = fs;
  const asks = vi.spyOn(fs, 'accessSync').mockImplementation((path, mode) => {
    if (statSync(path).isCharacterDevice()) throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' });
    accessSync(path, mode);
  });
  const really = Object.getOwnPropertyDescriptor(process, 'platform')!;
  Object.defineProperty(process, 'platform', { ...really, value: 'win32' });
  syncBuiltinESMExports();
  try {
    return await run();
  } finally {
    Object.defineProperty(process, 'platform', really);
    asks.mockRestore();
    syncBuiltinESMExports();
  }
}

describe('on Windows', () => {
  it.each([
    ['a?.bsp', 'names on Windows must not have ?'],
    ['12:30.bsp', 'names on Windows must not have :'],
    ['a.bsp.', 'names on Windows must not end in a dot or a space'],
    ['a.bsp ', 'names on Windows must not end in a dot or a space'],
    ['nul', 'Windows keeps this name for a device'],
    ['Con.bsp', 'Windows keeps this name for a device'],
    ['COM1 .bsp', 'Windows keeps this name for a device'],
  ])('nothing is called %j, as is said before work is done for it', async (name, reason) => {
    const folder = newFolder();
    const out = join(folder, name);
    const bake = ['bake', map, '--kind', 'sight', '--points', join(folder, 'none'), '--out', out];
    const { status, stderr } = await onWindows(() => bspkit(...bake));
    expect(stderr).toBe(`bspkit: ${out}: cannot be written: ${reason}\n`);
    expect(status).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['console.bsp', 'com.bsp', 'com10', '.con'])('%s is a file', async (name) => {
    const folder = newFolder();
    const { status, stderr } = await onWindows(() => compile(join(folder, name)));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(folder)).toEqual([name]);
  });

  it('devices are written to, whether or not the system says that they can be', async () => {
    for (const out of [devNull, 'NUL']) {
      const { status, stderr } = await onWindows(() => compile(out));
      expect({ out, status, stderr }).toEqual({ out, status: 0, stderr: '' });
    }
  });
});

describe('what cannot be replaced is written to', () => {
  it('stdout, which then holds nothing else', async () => {
    for (const out of ['-', STDOUT]) {
      const { status, stdout } = await compile(out);
      expect(status).toBe(0);
      expect(stdout.slice(0, 4)).toBe('IBSP');
      expect(stdout).not.toContain('Quake 3');
      const drawn = await bspkit('explain', map, ...MOVE, '--svg', out);
      expect(drawn.stdout).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    }
    const few = ['--count', '10', '--rounds', '1'];
    const { stdout } = await bspkit('compare', map, ...few, '--least', '0', '--markdown', '-');
    expect(stdout).toMatch(/^# Comparison\n/);
    expect(stdout.match(/^# /gm)).toHaveLength(1);
    expect(stdout).not.toContain('queries: ');
  });

  it('devices', async () => {
    expect((await compile(devNull)).status).toBe(0);
    expect(statSync(devNull).isCharacterDevice()).toBe(true);
    const folder = newFolder();
    if (WINDOWS)
      expect((await bspkitIn({ cwd: folder }, 'compile', source, '-f', 'quake3', '-o', 'NUL')).status).toBe(
        0,
      );
    expect(readdirSync(folder)).toEqual([]);
    if (!existsSync('/dev/full')) return;
    const { status, stderr } = await compile('/dev/full');
    expect(stderr).toBe('bspkit: /dev/full: cannot be written: no space left on the device\n');
    expect(status).toBe(2);
  });

  it.skipIf(WINDOWS)('a pipe', async () => {
    const pipe = join(newFolder(), 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const reader = spawn('cat', [pipe]);
    const pieces: Buffer[] = [];
    reader.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    const ended = new Promise((resolve) => reader.on('close', resolve));
    expect((await compile(pipe)).status).toBe(0);
    await ended;
    expect(isMap(Buffer.concat(pieces))).toBe(true);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });
});

describe('a disk that refuses a file when it is closed', () => {
  it.each([
    ['a file', join(root, 'refused.bsp')],
    ['a device', devNull],
  ])('is an error that names %s', async (_, out) => {
    const { open } = promises;
    const opens = vi.spyOn(promises, 'open').mockImplementation(async (...given) => {
      const file = await open(...given);
      const close = file.close.bind(file);
      file.close = async () => {
        await close();
        throw Object.assign(new Error('EDQUOT'), { code: 'EDQUOT', syscall: 'close' });
      };
      return file;
    });
    syncBuiltinESMExports();
    try {
      const { status, stderr } = await compile(out);
      expect(stderr).toBe(`bspkit: ${out}: cannot be written: no space left that this user may fill\n`);
      expect(status).toBe(2);
    } finally {
      opens.mockRestore();
      syncBuiltinESMExports();
    }
    expect(existsSync(join(root, 'refused.bsp'))).toBe(false);
    expect(readdirSync(root).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});
