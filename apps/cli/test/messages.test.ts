import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxBrush, compileMap, type MapSource } from '@bspkit/compile';
import { toy, toyFormat } from '@bspkit/testkit/toy';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { bspkit, bspkitIn } from './bspkit.ts';
import { roomFiles } from './room-files.ts';

const { folder, quake3 } = roomFiles();

describe('messages', () => {
  const still = ['--from', '0,0,0', '--to', '0,0,1'];
  const spaced = join(folder, 'a map with spaces in its long name.bsp');
  writeFileSync(spaced, readFileSync(quake3));
  const hull = ['trace', 'demo:arena', ...still, '--hull', '1'];

  it.each([40, 60, 80])(
    'are fitted to %i columns, with lines that begin below the first',
    async (columns) => {
      const { stderr } = await bspkitIn({ terminal: true, columns }, ...hull);
      expect(stderr).toMatch(/^bspkit: demo:arena is a Quake 3 map,.*\n {2}\S/);
      for (const line of stderr.split('\n')) expect(line.length, line).toBeLessThanOrEqual(columns);
      expect(stderr.replace(/\n {2}/g, ' ')).toBe((await bspkit(...hull)).stderr);
    },
  );

  it('are not broken within a path, an option or a command line', async () => {
    const narrow = { terminal: true, columns: 30 };
    const { stderr } = await bspkitIn(narrow, 'trace', spaced, ...still, '--hull', '1');
    expect(stderr.split('\n').slice(0, 2)).toEqual([`bspkit: ${spaced}`, '  is a Quake 3 map, to which']);
    expect((await bspkitIn(narrow, 'trace', quake3)).stderr).toBe(
      "bspkit: missing:\n  '--from <x,y,z>' and\n  '--to <x,y,z>'; for\n  examples: bspkit help trace\n",
    );
    expect((await bspkitIn(narrow, 'demo:arena')).stderr).toBe(
      'bspkit: demo:arena is a map,\n  not a command; try:\n  bspkit info demo:arena\n',
    );
  });

  it('have names as they were typed, whatever those have in them', async () => {
    const name = "a $& b $$ c $' d.bsp";
    expect((await bspkitIn({ terminal: true, columns: 40 }, 'info', name)).stderr).toBe(
      `bspkit: ${name}: no such\n  file; demo:arena is a map that is\n  always there\n`,
    );
  });

  it('are on one line where stderr is no terminal', async () => {
    const { stderr } = await bspkitIn({ columns: 40 }, ...hull);
    expect(stderr).toMatch(/^bspkit: [^\n]{60,}\n$/);
  });
});

describe('names in a map', () => {
  // The compiler refuses the characters that these letters stand for.
  const OBEYED: Readonly<Record<string, number>> = { '@': 0x1b, '%': 7, '&': 0x9b };
  const bad = join(folder, 'names.bsp');
  const entity = (classname: string): MapSource['entities'][number] => ({
    properties: { classname, origin: '0 0 100' },
  });
  const source: MapSource = {
    entities: [
      {
        properties: { classname: 'worldspawn' },
        brushes: [boxBrush([0, 0, 0], [64, 64, 64], { material: 'te@[2Jst' })],
      },
      entity('a@]0;title%'),
      entity('b&31m'),
      entity('c'.repeat(1000)),
    ],
  };
  const compiled = compileMap(source, { format: 'quake3' }).bytes;
  writeFileSync(
    bad,
    compiled.map((byte) => OBEYED[String.fromCharCode(byte)] ?? byte),
  );
  const down = ['--from', '32,32,100', '--to', '32,32,0'];

  it('are printed without control characters', async () => {
    for (const args of [
      ['info', bad],
      ['info', bad, '--json'],
      ['trace', bad, ...down],
      ['trace', bad, ...down, '--json'],
      ['explain', bad, ...down],
    ]) {
      const { status, stdout } = await bspkit(...args);
      expect(status).toBe(0);
      expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
    }
    expect((await bspkit('trace', bad, ...down)).stdout).toMatch(/texture +\S*te\\u001b\[2Jst\n/);
    const { entities } = JSON.parse((await bspkit('info', bad, '--json')).stdout);
    expect(Object.keys(entities)).toContain('b\u009b31m');
  });

  it('are cut off where they are very long', async () => {
    const { stdout } = await bspkit('info', bad);
    expect(stdout).toContain(`${'c'.repeat(300)}…`);
    expect(stdout.length).toBeLessThan(10_000);
  });

  it('and what errors quote are cut off too', async () => {
    const long = join(folder, 'long.map');
    writeFileSync(long, `"${'A\x7f'.repeat(100_000)}`);
    const { stderr } = await bspkit('compile', long, '--format', 'quake3', '--out', join(folder, 'x.bsp'));
    expect(stderr).toMatch(/long\.map: line 1.*A\\u007fA.*…/);
    expect(stderr.length).toBeLessThan(20_000);
  });
});

describe('a mistake of ours', () => {
  it('is reported as one, with BSPKIT_DEBUG also where it came from', async () => {
    const broken = {
      ...toyFormat,
      load: () => Promise.reject(new Error('the moon is full')),
    };
    const internal = { formats: [broken], env: {} };
    expect(await bspkitIn(internal, 'info', quake3)).toEqual({
      status: 70,
      stdout: '',
      stderr: 'bspkit: internal error, please report it: the moon is full\n',
    });
    const { stderr } = await bspkitIn({ ...internal, env: { BSPKIT_DEBUG: '1' } }, 'info', quake3);
    expect(stderr).toMatch(/the moon is full\n +at .*messages\.test\.ts/);
  });

  it('is none where it was caused by what Node was told not to allow', async () => {
    const cause = Object.assign(new Error('restricted'), { code: 'ERR_ACCESS_DENIED' });
    const withError = (error: Error) =>
      bspkitIn({ formats: [{ ...toyFormat, load: () => Promise.reject(error) }], env: {} }, 'info', quake3);
    expect((await withError(new Error('no threads', { cause }))).status).toBe(2);
    // Each of these is what caused the other.
    const first: Error = new Error('the egg');
    first.cause = new Error('the hen', { cause: first });
    expect(await withError(first)).toEqual({
      status: 70,
      stdout: '',
      stderr: 'bspkit: internal error, please report it: the egg\n',
    });
  });
});

describe('formats that cannot be used together', () => {
  it('disagree about the type of an option', async () => {
    const other = { ...toy, id: 'other', name: 'Other' };
    const tracers = {
      ...toy.tracers,
      options: toy.tracers.options.map((option) => ({ ...option, type: 'number' as const })),
    };
    const formats = [toyFormat, { ...toyFormat, id: 'other', load: async () => ({ ...other, tracers }) }];
    expect(await bspkitIn({ formats }, 'info', quake3)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'bspkit: Other has --mask as number, others as text\n',
    });
  });

  it.each(['json', 'from', 'precise', 'mask'])(
    'have a kind that is called as another option: --%s',
    async (name) => {
      const [ray] = toy.tracers.kinds;
      const kinds = [...toy.tracers.kinds, { ...ray!, name }];
      const load = async () => ({ ...toy, tracers: { ...toy.tracers, kinds } });
      expect(await bspkitIn({ formats: [...FORMATS, { ...toyFormat, load }] }, 'info', quake3)).toEqual({
        status: 2,
        stdout: '',
        stderr: `bspkit: Toy cannot have --${name}: bspkit trace has another option with that name\n`,
      });
    },
  );
});
