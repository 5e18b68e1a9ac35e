import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CompileFormat,
  compileMap,
  prismBrush,
  roomBrushes,
  type SourceBrush,
  type SourceEntity,
} from '@bspkit/compile';
import { bodyPreset, type FileBrush } from '@bspkit/core/format';
import { findRealData, readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { createQuake3Command, createQuake3Mover, createQuake3State, quake3Angle } from '@bspkit/movement';
import { openBsp } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { type BrushProblem, findBrushProblems } from '../src/brush-problems.ts';
import { bspkit, temporaryFolder } from './bspkit.ts';
import { type Crafted, crystal, cutSides, open, opened, repeatSide, room, start, world } from './crystals.ts';

const WITH_BRUSHES: readonly CompileFormat[] = ['quake2', 'quake3', 'ufoai'];

const folder = temporaryFolder();

/** The brushes of a map with most sides: the crystals. */
const mostSides = (brushes: readonly FileBrush[]): FileBrush[] => {
  const most = Math.max(...brushes.map(({ planes }) => planes.length));
  return brushes.filter(({ planes }) => planes.length === most);
};

interface Report {
  readonly status: number | null;
  readonly brushes: number | null;
  readonly brushProblems: readonly BrushProblem[];
}

async function checked(path: string, ...options: string[]): Promise<Report> {
  const { status, stdout, stderr } = await bspkit('check', path, '--json', ...options);
  expect(stderr).toBe('');
  return { status, ...JSON.parse(stdout) };
}

describe('check', () => {
  it.each(WITH_BRUSHES)('finds brushes without the bevels that boxes need: %s', async (format) => {
    const door: SourceEntity = {
      properties: { classname: 'func_door', origin: '0 0 8' },
      brushes: [crystal(260, 'test/door')],
    };
    const { bytes } = compileMap({ entities: [world, start, door] }, { format });
    const path = join(folder, `bevels-${format}.bsp`);
    writeFileSync(path, bytes);
    const { status, brushes, brushProblems } = await checked(path);
    expect([status, brushes, brushProblems]).toEqual([0, room.length + 3, []]);

    const map = await opened(bytes);
    const crystals = mostSides(map.brushes);
    expect(crystals).toHaveLength(2);
    for (const brush of crystals) cutSides(bytes, map, brush, 6 + 8);
    writeFileSync(path, bytes);
    const bare = await checked(path);
    expect(bare.status).toBe(1);
    expect(bare.brushProblems.map(({ brush }) => brush).sort()).toEqual(
      crystals.map(({ brush }) => brush).sort(),
    );
    for (const found of bare.brushProblems) {
      expect(found).toMatchObject({
        part: null,
        kind: 'in-air',
        contentsNames: expect.arrayContaining(['solid']),
      });
      const isDoor = found.model === 1;
      expect(found.texture).toContain(isDoor ? 'test/door' : 'test/crystal');
      const x = isDoor ? 260 : 160;
      // Brushes of models are around their origin.
      const z = isDoor ? 72 : 80;
      for (const [k, [least, most]] of [
        [x - 40, x + 40],
        [120, 200],
        [z - 40, z + 40],
      ].entries()) {
        expect(found.mins![k]).toBeCloseTo(least!, 1);
        expect(found.maxs![k]).toBeCloseTo(most!, 1);
      }

      // The move that it names, traced: it ends there, at that brush, and the box is that far from it along the normal.
      const preset = bodyPreset(map.format, map.format.createWorld([map.file]))!;
      const place = isDoor ? ['--model', '1', '--origin', '0,0,0'] : [];
      const mask = found.mask === null ? [] : ['--mask', found.mask];
      const box = found.box!;
      expect([box, found.mask]).toEqual([preset.size, format === 'ufoai' ? null : 'playerSolid']);
      const { stdout } = await bspkit(
        ...['trace', path, `--from=${found.from}`, `--to=${found.to}`, `--box=${found.box}`],
        ...[...place, ...mask, '--json'],
      );
      const trace = JSON.parse(stdout);
      expect(trace).toMatchObject({ brush: found.brush, startSolid: false, endPos: found.end });
      const [nx, ny, nz] = found.normal as [number, number, number];
      const low = (n: number, k: number): number => n * box[n < 0 ? k + 3 : k]!;
      const nearest = low(nx, 0) + low(ny, 1) + low(nz, 2);
      const along = (point: readonly number[]): number => nx * point[0]! + ny * point[1]! + nz * point[2]!;
      const corners = [
        ...[-40, 40].map((d) => [x + d, 160, z]),
        ...[-40, 40].map((d) => [x, 160 + d, z]),
        ...[-40, 40].map((d) => [x, 160, z + d]),
      ];
      const gap = along(found.end!) + nearest - Math.max(...corners.map(along));
      expect(gap).toBeGreaterThan(2);
      // It begins two units in front of where the brush stops it, and would end as far behind.
      const [before, whole] = [found.end!, found.to!].map((point) =>
        Math.hypot(...point.map((x, k) => x - found.from![k]!)),
      );
      expect(whole).toBeCloseTo(4, 3);
      expect(Math.abs(before! - 2)).toBeLessThan(0.25);
      expect(found.gap).toBeCloseTo(gap, 1);
      expect(String(found.gap).length).toBeLessThan(12);
    }
    const none = await checked(path, '--no-brushes');
    expect([none.status, none.brushes, none.brushProblems]).toEqual([0, null, []]);
    const far = await checked(path, '--gap', '50');
    expect([far.status, far.brushProblems]).toEqual([0, []]);

    const text = await bspkit('check', path);
    expect(text.status).toBe(1);
    expect(text.stdout).toMatch(/\n {2}problems +2\n\nbrush {2}in +problem\n/);
    expect(text.stdout).toMatch(/\n +\d+ {2}(world|\*1) +stops players [\d.]+ units away, at [-\d. ]+\n/);
    expect(text.stdout).toMatch(
      /\n {7}solid.*\n? *(textures\/)?test\/crystal {2}120 120 40 to 200 200 120\n/,
    );
    for (const line of text.stdout.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(80);
  });

  const bareCrystal = (x: number, ...more: SourceBrush[]): Promise<[Uint8Array, Crafted]> =>
    bareCrystals([{ ...world, brushes: [...room, ...more, crystal(x, 'test/crystal')] }, start]);

  const bareCrystals = async (entities: readonly SourceEntity[]): Promise<[Uint8Array, Crafted]> => {
    const { bytes } = compileMap({ entities }, { format: 'quake3' });
    const map = await opened(bytes);
    for (const brush of map.brushes) if (brush.planes.length > 6 + 8) cutSides(bytes, map, brush, 6 + 8);
    return [bytes, map];
  };

  it('does not mind gaps that other brushes fill, or nearly so', async () => {
    const path = join(folder, 'filled.bsp');
    const problemsWith = async (...more: SourceBrush[]): Promise<readonly BrushProblem[]> => {
      const [bytes] = await bareCrystal(160, ...more);
      writeFileSync(path, bytes);
      return (await checked(path)).brushProblems;
    };
    const [{ gap }] = (await problemsWith()) as [BrushProblem & { readonly gap: number }];
    expect(await problemsWith(...roomBrushes([130, 130, 40], [190, 190, 120], 16))).toEqual([]);
    // A pillar around it, whose sides are that far behind the places where it stops players.
    const pillar = (behind: number, material = 'wall'): SourceBrush => {
      const reach = 40 + Math.SQRT2 * (gap - behind);
      const outline = [
        [160 - reach, 160],
        [160, 160 - reach],
        [160 + reach, 160],
        [160, 160 + reach],
      ] as const;
      return prismBrush(outline, 0, 192, { material });
    };
    expect(await problemsWith(pillar(0.3))).toEqual([]);
    // Players who slide along such a pillar are led around what sticks out of it.
    expect(await problemsWith(pillar(0.15))).toEqual([]);
    // By whatever stops players, even if it does not stop shots.
    expect(await problemsWith(pillar(0.3, 'common/clip'))).toEqual([]);
    expect(await problemsWith(pillar(0.3, 'common/weapclip'))).toEqual([]);
    expect(await problemsWith(pillar(0.3, 'common/water'))).toMatchObject([{ kind: 'in-air' }]);
    expect(await problemsWith(pillar(2))).toMatchObject([{ kind: 'in-air' }]);
  });

  it('minds gaps that only a model fills, which may move away, or another brush without bevels', async () => {
    const problemsOf = async (...entities: SourceEntity[]): Promise<readonly BrushProblem[]> => {
      const [bytes] = await bareCrystals([...entities, start]);
      const path = join(folder, 'unfilled.bsp');
      writeFileSync(path, bytes);
      return (await checked(path)).brushProblems;
    };
    const door: SourceEntity = {
      properties: { classname: 'func_door' },
      brushes: roomBrushes([130, 130, 40], [190, 190, 120], 16),
    };
    const [one, another] = [crystal(160.123, 'test/crystal'), crystal(160.123, 'test/crystal')];
    expect(await problemsOf({ ...world, brushes: [...room, one] }, door)).toMatchObject([{ model: 0 }]);
    const { stdout } = await bspkit('check', join(folder, 'unfilled.bsp'));
    expect(stdout).toContain('test/crystal  120.12 120 40 to 200.12 200 120\n');
    const twins = await problemsOf({ ...world, brushes: [...room, one, another] });
    expect(twins.length).toBeGreaterThan(0);
  });

  describe('of players who slide along a wall', () => {
    // A crystal whose north-western edge lacks its bevel, and a wall in front of that edge.
    const crystalAndPassage = (wider: number): Uint8Array => {
      // Where the wall cuts the axes: players reach 15 units in both of their directions.
      const far = 280 - 2 * 30 - Math.SQRT2 * wider;
      const outline = [
        [0, 0],
        [far, 0],
        [0, far],
      ] as const;
      const brushes = [
        ...room,
        prismBrush(outline, 0, 192, { material: 'wall' }),
        crystal(160, 'test/crystal'),
      ];
      const elsewhere: SourceEntity = { properties: { ...start.properties, origin: '280 280 40' } };
      return compileMap({ entities: [{ ...world, brushes }, elsewhere] }, { format: 'quake3' }).bytes;
    };
    const withoutBevel = async (whole: Uint8Array): Promise<Uint8Array> => {
      const bytes = whole.slice();
      const map = await opened(bytes);
      const [brush] = mostSides(map.brushes);
      const side = brush!.planes.findIndex(({ normal: [x, y, z] }) => x! < -0.7 && y! < -0.7 && z === 0);
      expect(side).toBeGreaterThanOrEqual(6 + 8);
      repeatSide(bytes, map, brush!, side);
      return bytes;
    };
    const checkedBytes = (bytes: Uint8Array, ...options: string[]): Promise<Report> => {
      const path = join(folder, 'passage.bsp');
      writeFileSync(path, bytes);
      return checked(path, ...options);
    };

    /** How far a player of the game gets who runs that way for half a second, from a place in the air. */
    async function distanceRun(
      bytes: Uint8Array,
      from: readonly number[],
      way: readonly number[],
    ): Promise<number> {
      const mover = createQuake3Mover(await openBsp(bytes, { format: 'quake3' }));
      const state = createQuake3State();
      state.gravity = 0;
      state.origin.set(from);
      state.velocity.set(way.map((x) => 320 * x));
      const command = createQuake3Command();
      command.forward = 127;
      command.angles[1] = quake3Angle((Math.atan2(way[1]!, way[0]!) * 180) / Math.PI);
      for (let time = 8; time <= 500; time += 8) {
        command.serverTime = time;
        mover.move(state, command);
      }
      return way.reduce((sum, x, k) => sum + x * (state.origin[k]! - from[k]!), 0);
    }

    it.each([1, 1.5, 2])(
      'finds what closes a passage that is %s units wider than they are',
      async (wider) => {
        const whole = crystalAndPassage(wider);
        expect(await checkedBytes(whole)).toMatchObject({ status: 0, brushProblems: [] });
        const bare = await withoutBevel(whole);
        const { brushProblems } = await checkedBytes(bare);
        expect(brushProblems).toMatchObject([{ kind: 'in-air', texture: 'textures/test/crystal' }]);
        const [{ gap, from, to, end }] = brushProblems as [BrushProblem];
        // The whole way across, but for what they keep from the wall, along which the move leads.
        expect(gap).toBeCloseTo(wider - 1 / 8, 1);
        const way = to!.map((x, k) => (x - from![k]!) / 4);
        expect(way[0]! + way[1]!).toBeCloseTo(0, 4);
        expect(way[2]).toBeCloseTo(0, 4);
        const before = way.reduce((sum, x, k) => sum + x * (end![k]! - from![k]!), 0);
        expect(await distanceRun(bare, from!, way)).toBeCloseTo(before, 0);
        expect(await distanceRun(whole, from!, way)).toBeGreaterThan(100);
      },
    );

    it('leaves alone what closes one that is hardly wider than they are, by the gap that is asked for', async () => {
      const bare = await withoutBevel(crystalAndPassage(0.5));
      expect(await checkedBytes(bare)).toMatchObject({ status: 0, brushProblems: [] });
      expect(await checkedBytes(bare, '--gap', '0.3')).toMatchObject({ brushProblems: [{ kind: 'in-air' }] });
    });
  });

  it('shows what hostile files call things, and what they leave out', async () => {
    const brushes = [...room, crystal(160, 'test/odd')];
    const { bytes } = compileMap({ entities: [{ ...world, brushes }, start] }, { format: 'quake3' });
    const map = await opened(bytes);
    // A side that faces away from its first one, in the same plane: nothing is left, then.
    const [odd] = mostSides(map.brushes);
    const { lumps } = map.file as unknown as { lumps: Record<'brushes' | 'sides', Uint8Array> };
    const [brushLump, sides] = [lumps.brushes, lumps.sides].map(
      ({ byteOffset }) => new DataView(bytes.buffer, byteOffset),
    ) as [DataView, DataView];
    const first = brushLump.getInt32(12 * odd!.brush, true);
    sides.setInt32(8 * (first + 6), sides.getInt32(8 * first, true) ^ 1, true);
    const at = Buffer.from(bytes).indexOf('textures/test/odd');
    // Contents follow the name and the flags.
    new DataView(bytes.buffer, bytes.byteOffset).setInt32(at + 68, 0, true);
    const path = join(folder, 'odd.bsp');
    const shown = async (name: string): Promise<string> => {
      bytes.fill(0, at, at + 64).set(Buffer.from(name), at);
      writeFileSync(path, bytes);
      expect((await checked(path)).brushProblems).toMatchObject([
        { kind: 'no-volume', contents: 0, texture: name || null },
      ]);
      return (await bspkit('check', path)).stdout.split('\n').at(-2)!;
    };
    expect(await shown('textures/\x1b[31modd')).toBe('       no contents  textures/\\u001b[31modd');
    expect(await shown('')).toBe('       no contents');
  });

  it('does not mind brushes outside the map', async () => {
    const path = join(folder, 'outside.bsp');
    const door: SourceEntity = {
      properties: { classname: 'func_door', origin: '400 0 0' },
      brushes: [crystal(160, 'test/door')],
    };
    const brushes = [...room, crystal(500, 'test/crystal')];
    const [bytes, { format, file }] = await bareCrystals([{ ...world, brushes }, start, door]);
    writeFileSync(path, bytes);
    expect((await checked(path)).brushProblems).toHaveLength(2);
    // Our compiler takes the space around a map for a part of it, others do not: they put its leafs into no cluster.
    const { leaf: inside } = format.point(format.createWorld([file]), [40, 40, 40]);
    const { lumps } = file as unknown as { lumps: { leafs: Uint8Array } };
    const leafs = new DataView(bytes.buffer, lumps.leafs.byteOffset, lumps.leafs.length);
    for (let leaf = 0; leaf < leafs.byteLength / 48; leaf++) {
      if (leaf !== inside) leafs.setInt32(48 * leaf, -1, true);
    }
    writeFileSync(path, bytes);
    // A model is where its entity puts it, not where its brushes are in the file.
    expect((await checked(path)).brushProblems).toMatchObject([{ model: 1 }]);
  });

  it('tells how many brushes there are, and null for formats without', async () => {
    expect(await checked('demo:arena@quake1')).toMatchObject({ status: 0, brushes: null, brushProblems: [] });
    expect((await bspkit('check', 'demo:arena@quake1')).stdout).not.toContain('brushes');
    expect(await checked('demo:arena')).toMatchObject({ status: 0, brushes: 69, brushProblems: [] });
  });

  it('names the map of an assembly that a brush is in, and checks each map once', async () => {
    const { bytes } = compileMap({ entities: [world] }, { format: 'ufoai' });
    const map = await opened(bytes);
    cutSides(bytes, map, mostSides(map.brushes)[0]!, 6 + 8);
    writeFileSync(join(folder, 'gem.bsp'), bytes);
    const tile = '{ 4 4  0 a a 0  a +a +a a  a +a +a a  0 a a 0 }';
    const text = `base ge tile +m ${tile} assembly pair { size "4 2" +m "2 2" }`;
    writeFileSync(join(folder, 'gems.ump'), text);
    const path = `${join(folder, 'gems.ump')}:pair`;
    const { status, brushes, brushProblems } = await checked(path);
    expect([status, brushes]).toEqual([1, room.length + 2]);
    expect(brushProblems).toMatchObject([{ part: 'gem', kind: 'in-air' }]);
    expect((await bspkit('check', path)).stdout).toMatch(/\n +\d+ {2}gem world {2}stops players /);
  });

  it.each(['0', '-1', 'far'])('rejects a gap of %s', async (gap) => {
    const { status, stderr } = await bspkit('check', 'demo:arena', '--gap', gap);
    expect(status).toBe(2);
    expect(stderr).toContain('--gap');
  });
});

describe.skipIf(!findRealData())(`real maps${skippedWithoutMaps}`, () => {
  it.each([
    ['quake2/dm1', {}],
    ['quake2/lab', { 'in-air': 3 }],
    ['quake3/oa_dm1', {}],
    ['quake3/oa_minia', { 'in-air': 2 }],
    // Clip brushes made of a model's triangles, four of which only reach a little way into the open.
    ['quake3/am_underworks2', { 'in-air': 18, parallel: 87, 'no-volume': 1 }],
    // Where curved walls are what stops players.
    ['quake3/runningman_1on1remix', {}],
    ['ufoai/farm_f_farmhouse_a', {}],
    ['ufoai/farm_f_barn_a', { 'in-air': 2 }],
  ])('have as many faulty brushes as their compilers made: %s', async (name, expected) => {
    const path = join(folder, 'real.bsp');
    writeFileSync(path, readRealMap(`${name}.bsp`));
    const counts: Record<string, number> = {};
    for (const { kind } of (await checked(path)).brushProblems) counts[kind] = (counts[kind] ?? 0) + 1;
    expect(counts).toEqual(expected);
  });

  it('have gaps that players only reach at an angle, and some that they pass without touching', async () => {
    const { format, file, brushes } = await opened(readRealMap('quake3/am_underworks2.bsp'));
    const world = format.createWorld([file]);
    const isReported = (brush: number): boolean => {
      // With those around it, which are in the way of moves straight towards it. The first six planes are a brush's box.
      const { planes } = brushes[brush]!;
      const near = brushes.filter((other) =>
        planes.slice(0, 6).every(({ dist }, side) => other.planes[side ^ 1]!.dist > -dist - 64),
      );
      const map = { ...open, format: { ...format, brushes: () => near }, file, world };
      return findBrushProblems(map, 0.3).problems.some((problem) => problem.brush === brush);
    };
    for (const brush of [88, 1809]) expect(isReported(brush)).toBe(true);
    // This one sticks out of its neighbours, but by less than players keep from those.
    expect(isReported(2076)).toBe(false);
  });

  it('are shown as in the guide', async () => {
    const path = join(folder, 'real.bsp');
    writeFileSync(path, readRealMap('quake2/lab.bsp'));
    const guide = new URL('../../docs/guides/recipes/level-check.md', import.meta.url);
    const [, shown] = /```\n(brush .*?)```/s.exec(readFileSync(guide, 'utf8'))!;
    expect((await bspkit('check', path)).stdout).toContain(shown);
  });
});
