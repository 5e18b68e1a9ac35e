import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Row } from '@bspkit/core/format';
import { arenaQuake3 } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { batchFiles, full, questions } from './batch-files.ts';
import { bspkit, type Run, WINDOWS } from './bspkit.ts';
import { rooms } from './rooms.ts';

const { folder, fresh, write, answer } = batchFiles();

describe('maps in a folder', () => {
  const bytes = arenaQuake3();
  const queries = write(full, questions);

  it.each(['quake3/arena.bsp', 'quake3/arena.bsp.gz', 'arena.bsp', 'arena.bsp.gz'])(
    'are found as %s',
    async (name) => {
      const maps = fresh('maps');
      mkdirSync(join(maps, 'quake3'), { recursive: true });
      writeFileSync(join(maps, name), name.endsWith('.gz') ? gzipSync(bytes) : bytes);
      expect((await answer(queries, '--maps', maps)).lines).toHaveLength(3);
    },
  );

  it('are found by the checksum of the original in INDEX.json', async () => {
    const maps = join(folder, 'indexed');
    mkdirSync(maps);
    writeFileSync(join(maps, 'other.bsp'), bytes);
    const index = { 'quake3/another.bsp': { file: 'other.bsp', sha256: 'a', originalSha256: 'b' } };
    writeFileSync(join(maps, 'INDEX.json'), JSON.stringify(index));
    expect((await answer(write({ ...full, sha256: 'b' }, questions), '--maps', maps)).lines).toHaveLength(3);
  });

  it('are noted where INDEX.json has one only by its name', async () => {
    const maps = join(folder, 'named');
    mkdirSync(maps);
    writeFileSync(join(maps, 'other.bsp'), bytes);
    const ask = async (sha256: string, entry: object): Promise<string> => {
      const index = { 'quake3/arena.bsp': { file: 'other.bsp', ...entry } };
      writeFileSync(join(maps, 'INDEX.json'), JSON.stringify(index));
      const named = write({ ...full, sha256 }, questions);
      return (await bspkit('batch', '--maps', maps, '--queries', named, '--out', '-')).stderr;
    };
    const own = createHash('sha256').update(bytes).digest('hex');
    const note = `bspkit: note: ${join(maps, 'other.bsp')} is not the file that the questions name (sha256 differs)\n`;
    expect(await ask('c', { sha256: 'a', originalSha256: 'b' })).toBe(note);
    // The index is out of date.
    expect(await ask('a', { sha256: 'a' })).toBe(note);
    expect(await ask('b', { sha256: 'a', originalSha256: 'b' })).toBe('');
    expect(await ask(own, {})).toBe('');
  });

  it.each([
    ['b', /^bspkit: note: \S+other\.bsp is not the file that the questions name \(sha256 differs\)\n$/],
    [createHash('sha256').update(bytes).digest('hex'), /^$/],
  ])(
    'are noted where they are not the one that is named, also if there is only one: %s',
    async (sha256, note) => {
      const map = join(folder, 'other.bsp');
      writeFileSync(map, bytes);
      const { status, stderr } = await bspkit(
        'batch',
        map,
        '--queries',
        write({ ...full, sha256 }, questions),
        '--out',
        '-',
      );
      expect(status).toBe(0);
      expect(stderr).toMatch(note);
    },
  );

  it('make an assembly of tiles', async () => {
    const maps = join(folder, 'tiles');
    mkdirSync(join(maps, 'maps/test'), { recursive: true });
    writeFileSync(join(maps, 'maps/test/rooms.bsp'), rooms('ufoai'));
    const tile = { map: 'maps/test/rooms.bsp', x: 0, y: 0, z: 0 };
    const header = {
      game: 'ufoai',
      map: 'assembly',
      kind: 'line',
      tiles: [tile, { ...tile, x: 20 }],
      columns: ['levelmask', 'sx', 'sy', 'sz', 'ex', 'ey', 'ez', 'blocked'],
    };
    // Through the doorways of both tiles, and into the middle wall of the second.
    const rows = [
      [255, 32, 128, 64, 800, 128, 64],
      [255, 700, 192, 64, 860, 192, 64],
    ];
    const { lines: answers } = await answer(write(header, rows), '--maps', maps);
    expect(answers.map((row) => (row as Row).at(-1))).toEqual([1, 1]);
    const refused = await bspkit('batch', 'demo:house', '--queries', write(header, rows), '--out', '-');
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        'an assembly of 2 maps: give their folder with --maps in place of demo:house\n',
      ),
    });
    const named = await bspkit('batch', 'town.ump:two', '--queries', write(header, rows), '--out', '-');
    expect(named).toMatchObject({
      status: 2,
      stderr:
        'bspkit: town.ump:two: is an assembly: list its maps as tiles in line 1, and give their folder with --maps\n',
    });
  });

  it('are not looked for if a map is given: only one of both can be', async () => {
    const out = ['--queries', queries, '--out', '-'];
    const { status, stdout, stderr } = await bspkit('batch', 'demo:arena', '--maps', folder, ...out);
    expect(stderr).toMatch(
      /: --maps is for the maps that the questions name: leave out demo:arena, or --maps\n$/,
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it('that are not there are reported', async () => {
    const { status, stderr } = await bspkit('batch', '--maps', folder, '--queries', queries, '--out', '-');
    expect(status).toBe(3);
    expect(stderr).toMatch(/has no map arena; looked for .*quake3[\\/]arena\.bsp/);
  });
});

describe('maps that a folder has or lacks', () => {
  const maps = join(folder, 'fenced');
  mkdirSync(join(maps, 'quake3'), { recursive: true });
  mkdirSync(join(maps, 'inside'));
  writeFileSync(join(folder, 'outside.bsp'), arenaQuake3());
  writeFileSync(join(maps, 'inside/real.bsp'), arenaQuake3());
  if (!WINDOWS) {
    symlinkSync('../inside/real.bsp', join(maps, 'quake3/linked.bsp'));
    symlinkSync('../../outside.bsp', join(maps, 'quake3/escaped.bsp'));
  }
  const ask = (map: string, from = maps): Promise<Run> =>
    bspkit('batch', '--maps', from, '--queries', write({ ...full, map }, questions), '--out', '-');

  it.skipIf(WINDOWS)('are read through links within it', async () => {
    expect((await ask('linked')).status).toBe(0);
  });

  it.each([
    '../outside',
    '..\\outside',
    'inside/../../outside',
    join(folder, 'outside'),
    'C:/outside',
    ...(WINDOWS ? [] : ['escaped']),
    'a\0b',
  ])('are not read from outside of it: %j', async (map) => {
    const { status, stdout, stderr } = await ask(map);
    expect(stderr).toMatch(/^bspkit: \S+: line 1: map '.*' lies outside \S+fenced\n$/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it.each<[string, string]>([
    ['null', 'is not an object with an entry for each map'],
    ['[]', 'is not an object with an entry for each map'],
    ['{"quake3/arena.bsp":null}', "the entry of 'quake3/arena.bsp' is not an object"],
    ['{"quake3/arena.bsp":{}}', "file of 'quake3/arena.bsp' is missing; it must be text"],
    ['{"quake3/arena.bsp":{"file":5}}', "file of 'quake3/arena.bsp' is 5; it must be text"],
    ['{"a":{"file":"a","sha256":[]}}', "sha256 of 'a' is an array; it must be text"],
    ['{"quake3/arena.bsp":{"file":"../outside.bsp"}}', "file '../outside.bsp' lies outside"],
    ['{', 'INDEX.json: is not JSON: '],
  ])('an INDEX.json that is none is told: %s', async (index, problem) => {
    const other = fresh('index');
    mkdirSync(other);
    writeFileSync(join(other, 'INDEX.json'), index);
    const { status, stdout, stderr } = await ask('arena', other);
    expect(stderr).toMatch(/^bspkit: \S+INDEX\.json: [^\n]+\n$/);
    expect(stderr).toContain(problem);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  });

  it('an INDEX.json that is nested deeper than the stack is told', async () => {
    const other = fresh('index');
    mkdirSync(other);
    writeFileSync(join(other, 'INDEX.json'), `{"a":{"file":${'['.repeat(2e5)}${']'.repeat(2e5)}}}`);
    const { status, stderr } = await ask('arena', other);
    expect(stderr).toMatch(/^bspkit: \S+INDEX\.json: file of 'a' is an array; it must be text\n$/);
    expect(status).toBe(3);
  });
});
