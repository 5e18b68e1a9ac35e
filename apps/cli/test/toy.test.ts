import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BspError } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import { toyFormat, toyMap, writeToy } from '@bspkit/testkit/toy';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { bspkitIn, type Run, temporaryFolder } from './bspkit.ts';

// A format unknown to the command line works as soon as it is on the list.

const folder = temporaryFolder();
const map = join(folder, 'toy.bsp');
writeFileSync(map, toyMap());

const formats = [...FORMATS, toyFormat];
const toy = (...args: string[]): Promise<Run> => bspkitIn({ formats, cwd: folder }, ...args);

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await toy(...args, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

const DOWN = ['--from', '160,160,128', '--to', '160,160,-128'];

describe('a format by somebody else', () => {
  it('has its maps described by info', async () => {
    expect(await json('info', map)).toMatchObject({
      format: 'toy',
      version: 'TOYB 1',
      bounds: { mins: [-272, -272, -16], maxs: [272, 272, 272] },
      facts: { textures: 3 },
      models: [
        { name: 'world', boxes: 9 },
        { name: '*1', boxes: 1 },
      ],
      entities: { worldspawn: 1, func_plat: 1, info_player_start: 1 },
      contents: {
        of: 'boxes',
        counts: [
          { names: ['solid'], number: 9 },
          { names: ['water'], number: 1 },
        ],
      },
    });
    const { stdout } = await toy('info', 'toy.bsp');
    expect(stdout).toMatch(/^toy\.bsp {2}Toy \(TOYB 1\), \d+ B\n {2}bounds +-272 -272 -16 to 272 272 272/);
  });

  it('is traced, with its own options, names and fields', async () => {
    expect(await json('trace', map, ...DOWN)).toMatchObject({
      format: 'toy',
      shape: { kind: 'ray' },
      endPos: [160, 160, 0.03125],
      contentsNames: ['solid'],
      textureName: 'plain',
      face: 4,
    });
    expect(
      await json('trace', map, ...DOWN, '--mask', 'solid,water', '--box', '-8,-8,-8,8,8,8'),
    ).toMatchObject({
      endPos: [160, 160, 32.03125],
      contentsNames: ['water'],
    });
    const onLift = ['--from', '-160,-160,64', '--to', '-160,-160,-64', '--model', '1'];
    expect(await json('trace', map, ...onLift, '--origin', '0,0,32')).toMatchObject({
      model: 1,
      endPos: [-160, -160, 40.03125],
    });
    const slab = await toy('trace', map, '--from', '-160,160,64', '--to', '-160,160,0');
    expect(slab.stdout).toMatch(/flags +slick\n {2}texture +marble\n/);
  });

  it('has its options in the help, and refuses those of others', async () => {
    const { stdout } = await toy('trace', '--help');
    expect(stdout).toMatch(/contents\s+that\s+stop\s+it\s+\(Toy\)/);
    const loaded = await Promise.all(FORMATS.map((format) => format.load()));
    const kinds = loaded.flatMap(({ tracers }) => tracers.kinds.map(({ name, size }) => ({ name, size })));
    const foreign = kinds.find(({ size }) => size === 'number')!.name;
    const { status, stderr } = await toy('trace', map, ...DOWN, `--${foreign}`, '1');
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /toy\.bsp is a Toy map, to which --\w+ does not apply; its shapes are --ray, --box and --ellipsoid\n$/,
    );
  });

  it('says what is at a point, and has no answer where it does not know', async () => {
    const answer = { map, format: 'toy', leaf: 7, contents: 2 };
    expect(await json('point', map, '--at', '160,160,12')).toEqual(answer);
    expect(await toy('sphere', map, '--at', '0,0,0', '--radius', '1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is a Toy map, which is not supported by `bspkit sphere`'),
    });
  });

  it('is explained', async () => {
    const { status, stdout } = await toy('explain', map, ...DOWN);
    expect(status).toBe(0);
    expect(stdout).toMatch(/brush 0 {2}solid {2}hit at 0\.499878\n/);
    expect(stdout).toMatch(/work +9 brushes, 1 skipped/);
  });

  it('is compared and measured by its presets', async () => {
    const few = ['--count', '200', '--rounds', '1'];
    const compared = await json('compare', map, '--least', '0', ...few);
    const tracers = compared.tracers as { name: string; hits: number; work: object }[];
    expect(tracers.map(({ name }) => name)).toEqual(['ray', 'water']);
    for (const { hits, work } of tracers) {
      expect(hits).toBeGreaterThan(5);
      expect(work).toMatchObject({ queries: 200 });
    }
    const player = await json('bench', map, '--queries', 'player', '--tracers', 'player', ...few);
    expect(player.tracers).toMatchObject([{ name: 'player', shape: { kind: 'box' } }]);
    expect((await toy('compare', '--help')).stdout).toMatch(/toy:\s+ray,\s+player,\s+water/);
  });

  it('answers files of questions, of all its kinds', async () => {
    const columns = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez', 'minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'];
    const ask = async (header: object, lines: readonly unknown[]): Promise<unknown[]> => {
      const text = [{ game: 'toy', map: 'toy', ...header }, ...lines].map((line) => JSON.stringify(line));
      writeFileSync(join(folder, 'questions.ndjson'), `${text.join('\n')}\n`);
      const { status, stdout, stderr } = await toy(
        ...['batch', '--maps', '.', '--queries', 'questions.ndjson', '--out', '-'],
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => JSON.parse(line));
    };
    const traced = await ask({ kind: 'trace', columns }, [[160, 160, 128, 160, 160, -128, 0, 0, 0, 0, 0, 0]]);
    expect((traced[0] as number[]).slice(13, 16)).toEqual([160, 160, 0.03125]);
    const about = { model: 1 };
    expect(await ask({ kind: 'boxes', columns: ['number'] }, [[1], about, [0]])).toEqual([
      [1, [544, 544, 16]],
      about,
      [0, [80, 80, 8]],
    ]);
    expect(await ask({ kind: 'contents' }, [{ at: [160, 160, 12] }])).toEqual([
      { at: [160, 160, 12], names: ['water'] },
    ]);
  });

  it('is refused with its name when it is damaged, and by name if it is not on the list', async () => {
    const cut = join(folder, 'cut.bsp');
    writeFileSync(cut, toyMap().slice(0, 100));
    expect(await toy('info', cut)).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/cut\.bsp: toy: /),
    });
    writeFileSync(cut, writeToy([{ mins: [1, 0, 0], maxs: [0, 0, 0] }]));
    expect((await toy('info', cut)).stderr).toContain('toy: boxes 0: is inside out');
    const { status, stderr } = await bspkitIn({}, 'info', map);
    expect(status).toBe(3);
    expect(stderr).toContain(
      `toy.bsp: the file is of no known kind: it begins with bytes 54 4f 59 42; bspkit reads`,
    );
    expect(readFileSync(map)).toHaveLength(toyMap().length);
  });

  it('may have tracers without steps', async () => {
    const explain = (): never => {
      throw new TypeError('tracer is a ray');
    };
    const load = async (): Promise<BspFormat> => ({ ...(await toyFormat.load()), explain });
    const other = [{ ...toyFormat, load }];
    expect(await bspkitIn({ formats: other }, 'explain', map, ...DOWN)).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `bspkit: --ray has no steps to show for ${map}: tracer is a ray\n`,
    });
  });

  it('has its name in errors that only come when something is asked', async () => {
    const fail = (): never => {
      throw new BspError('value', { format: 'toy', lump: 'boxes' }, 'are round');
    };
    const own = await toyFormat.load();
    const kinds = own.tracers.kinds.map((kind) => ({ ...kind, create: fail }));
    const failing = { ...own, point: fail, sight: fail, brushes: fail, tracers: { ...own.tracers, kinds } };
    const formats = [{ ...toyFormat, load: async () => failing }];
    for (const args of [
      ['point', map, '--at', '0,0,0'],
      ['sight', map, ...DOWN],
      ['trace', map, ...DOWN],
      ['bench', map, '--queries', 'uniform'],
    ]) {
      expect(await bspkitIn({ formats }, ...args), args[0]).toEqual({
        ...{ status: 3, stdout: '' },
        stderr: `bspkit: ${map}: toy: boxes: are round\n`,
      });
    }
    const brushes = [{ ...toyFormat, load: async () => ({ ...own, brushes: fail }) }];
    expect(await bspkitIn({ formats: brushes }, 'check', map)).toMatchObject({
      status: 3,
      stderr: `bspkit: ${map}: toy: boxes: are round\n`,
    });
  });

  it('may have more steps than can be shown, which is no fault of the map', async () => {
    const explain = (): never => {
      throw new BspError('limit', { format: 'toy' }, 'there are too many steps');
    };
    const load = async (): Promise<BspFormat> => ({ ...(await toyFormat.load()), explain });
    expect(await bspkitIn({ formats: [{ ...toyFormat, load }] }, 'explain', map, ...DOWN)).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `bspkit: ${map}: toy: there are too many steps\n`,
    });
  });

  it('may throw errors of another copy of core, which are recognized by name', async () => {
    class OtherBspError extends Error {
      override readonly name = 'BspError';
    }
    const read = (): never => {
      throw new OtherBspError('toy: boxes: are of another copy');
    };
    const load = async (): Promise<BspFormat> => ({ ...(await toyFormat.load()), read });
    const other = { ...toyFormat, load };
    const { status, stderr } = await bspkitIn({ formats: [other] }, 'info', map);
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: `bspkit: ${map}: toy: boxes: are of another copy\n`,
    });
  });
});

describe('a list without the formats of the demo map', () => {
  it('has no demo', async () => {
    const alone = await bspkitIn({ formats: [toyFormat] }, 'demo');
    expect(alone).toMatchObject({ status: 2, stdout: '' });
    expect((await bspkitIn({ formats: [toyFormat] }, 'trace', map, ...DOWN)).status).toBe(0);
    expect((await bspkitIn({ formats: [toyFormat] }, 'trace', '--help')).stdout).not.toContain('(Toy)');
  });
});
