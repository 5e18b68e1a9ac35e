import type { RowHeader, TracerValues } from '@bspkit/core/format';
import { arenaQuake1 } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import { quake1Format } from '../src/format.ts';
import {
  CONTENTS_CLIP,
  CONTENTS_EMPTY,
  CONTENTS_LAVA,
  CONTENTS_SKY,
  CONTENTS_SOLID,
  CONTENTS_WATER,
  createQuake1World,
  readQuake1,
} from '../src/index.ts';
import { across, makeFile, roomFile, solidBox } from './make.ts';
import { writeQuake1 } from './writer.ts';

const quake1 = await quake1Format.load();
const bytes = arenaQuake1();
const arena = readQuake1(bytes);
const world = createQuake1World(arena);

describe('the light half', () => {
  it('recognises its files by their first 64 bytes', () => {
    const versions = ([29, 30, 'BSP2', '2PSB'] as const).map((version) =>
      quake1Format.detect(writeQuake1(roomFile(version), version).subarray(0, 64)),
    );
    expect(versions).toEqual(['BSP 29', 'Half-Life BSP 30', 'BSP2', '2PSB']);
    expect(quake1Format.versions).toEqual(versions);
    expect(quake1Format.detect(new TextEncoder().encode('IBSP....'))).toBeUndefined();
    expect(quake1Format.detect(Uint8Array.of(28, 0, 0, 0))).toBeUndefined();
    expect(quake1Format.detect(Uint8Array.of(29))).toBeUndefined();
    expect(quake1Format.detect(Uint8Array.of(29, 0, 0, 0))).toBe('BSP 29');
  });
});

describe('the descriptor', () => {
  it('makes a world of one map', () => {
    expect(() => quake1.createWorld([])).toThrow(/one map, got no files/);
    expect(() => quake1.createWorld([arena, arena])).toThrow(RangeError);
    expect(() => quake1.createWorld([arena], { offsets: [[0, 0, 0]] })).toThrow(/offsets/);
  });

  it('describes what is in a map', () => {
    const info = quake1.info(arena, world);
    expect(info).toMatchObject({
      version: 'BSP 29',
      facts: { hulls: 3, 'leafs with visibility': world.numVisLeafs },
      contents: { what: 'leafs' },
    });
    expect(info.models.map(({ name }) => name)).toEqual(['world', '*1', '*2', '*3']);
    expect(info.lumps.find(({ name }) => name === 'leafs')?.records).toBe(world.numLeafs);
    expect(info.lumps.find(({ name }) => name === 'lighting')?.records).toBeUndefined();
    expect([...info.contents.counts.values()].reduce((a, b) => a + b)).toBe(world.numLeafs);
    // Of textures, a world keeps only names.
    const used = info.lumps.filter(({ name }) => name !== 'textures' && name !== 'lighting');
    const lumps = used.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(info.memory).toEqual({ world: world.data.byteLength, lumps });
    const extended = readQuake1(writeQuake1(roomFile(), 29, { LMSHIFT: Uint8Array.of(1) }));
    expect(quake1.info(extended, createQuake1World(extended)).facts).toMatchObject({ extensions: 'LMSHIFT' });
  });

  it('answers for points, spheres and lines of sight', () => {
    expect(quake1.point(world, [0, -256, 100])).toMatchObject({
      contents: -1,
      contentsNames: ['empty'],
      hullContents: ['empty', 'empty', 'empty'],
      inside: true,
      distanceToSolid: 100,
    });
    expect(quake1.sphere!(world, [0, -256, 100], 99)).toMatchObject({
      yes: true,
      fields: { insideByQuickTest: true },
    });
    expect(quake1.sphere!(world, [0, -256, 100], 101).yes).toBe(false);
    expect(quake1.sight!(world, [0, -256, 100], [200, -200, 100])).toMatchObject({
      yes: true,
      fields: { rayFraction: 1, potentiallyVisible: true },
    });
    expect(quake1.sight!(world, [0, -256, 100], [1104, 0, 60]).yes).toBe(false);
    expect(quake1.sight!(world, [0, -256, -400], [0, -256, 100])).toMatchObject({
      yes: false,
      fields: { fromContents: ['solid'], toContents: ['empty'], potentiallyVisible: null },
    });
    // On the floor, a point is in solid by the rule of leafs, but the ray comes there.
    expect(quake1.sight!(world, [0, -256, 100], [0, -256, 0])).toMatchObject({
      yes: true,
      fields: { toLeaf: 0, potentiallyVisible: null, rayFraction: 1 },
    });
    // JSON cannot hold infinity.
    const open = createQuake1World(makeFile([{ nodes: { plane: across(0, 0), front: -1, back: -3 } }]));
    expect(quake1.point(open, [1, 2, 3]).distanceToSolid).toBeNull();
  });

  it('has polygons, surfaces, box entities and fields of its own', () => {
    const source = quake1.polygons(world);
    expect(source.polygons().length).toBeGreaterThan(10);
    expect(source.leafPolygons(world.leaf([0, -256, 1]))[0]).toBeDefined();
    const trace = world.ray().trace([0, -256, 100], [0, -256, -100]);
    expect(quake1.surfaceAt(world, trace)?.polygon?.normal[2]).toBe(1);
    expect(quake1.traceFields(trace)).toEqual({ inOpen: true, inWater: false });
    expect(quake1.traceFields(world.preciseRay().trace([0, 0, 0], [1, 1, 1]))).toEqual({});
    expect(quake1.boxEntity!([-1, -1, -1], [1, 1, 1]).bounds.mins[0]).toBe(-1);
    const { steps } = quake1.explain(world.hull(1), [0, -256, 100], [0, -256, -100]);
    expect(steps.length).toBeGreaterThan(3);
  });

  it('knows which polygons stop players', () => {
    const { polygons, isSolid } = quake1.polygons(world);
    const stops = (contents: number): boolean => isSolid({ ...polygons()[0]!, contents });
    expect([CONTENTS_SOLID, CONTENTS_SKY, CONTENTS_CLIP].map(stops)).toEqual([true, true, true]);
    expect([CONTENTS_EMPTY, CONTENTS_WATER, CONTENTS_LAVA].map(stops)).toEqual([false, false, false]);
  });
});

describe('the catalog of tracers', () => {
  const { kinds, presets } = quake1.tracers;
  const kindOf = (name: string): (typeof kinds)[number] => kinds.find((kind) => kind.name === name)!;
  const move = [
    [0, -256, 100],
    [300, 300, -50],
  ] as const;

  it('makes the tracers that the world makes', () => {
    const made = (name: string, size: number[] = [], values: TracerValues = {}): unknown =>
      kindOf(name)
        .create(world, size, values)
        .trace(...move);
    expect(kinds[0]!.name).toBe('ray');
    expect(made('ray')).toEqual(world.ray().trace(...move));
    expect(made('ray', [], { precise: true })).toEqual(world.preciseRay().trace(...move));
    expect(made('hull', [1], { precise: true })).toEqual(world.preciseHull(1).trace(...move));
    expect(made('hull', [1])).toEqual(world.hull(1).trace(...move));
    expect(made('box', [-8, -8, -8, 8, 8, 8], { rules: 'quakeworld' })).toEqual(
      world.box([-8, -8, -8], [8, 8, 8], { rules: 'quakeworld' }).trace(...move),
    );
    const origin = [0, -256, 50];
    expect(made('hull', [2], { model: 1, origin })).toEqual(
      world
        .model(1)
        .hull(2, { origin })
        .trace(...move),
    );
    expect(made('ray', [], { model: 1, origin, precise: true })).toEqual(
      world
        .model(1)
        .preciseRay({ origin })
        .trace(...move),
    );
  });

  it('refuses invalid values', () => {
    const make = (values: TracerValues) => () => kinds[0]!.create(world, [], values);
    expect(make({ origin: [1, 2, 3] })).toThrow(/are for models/);
    expect(make({ model: 9 })).toThrow(/no model \*9/);
    expect(make({ model: 1, angles: [0, 90, 0] })).toThrow(/Half-Life/);
    expect(make({ model: 1, angles: [0, 90, 0], precise: true })).toThrow(/Half-Life/);
    expect(make({ model: 1, angles: [0, 90, 0], rules: 'doom' })).toThrow(/rules/);
    expect(make({ rules: 'doom' })).toThrow(RangeError);
    expect(() => kindOf('hull').create(world, [3], {})).toThrow(RangeError);
    expect(make({ precise: true, rules: 'quake1' })).toThrow(/precise/);
  });

  it('turns models by the rules of Half-Life, and refuses angles by those of Quake, in maps of either', () => {
    const halfLife = createQuake1World(roomFile(30));
    const bounds = halfLife.model(1).bounds;
    const middle = [0, 1, 2].map((k) => (bounds.mins[k]! + bounds.maxs[k]!) / 2);
    for (const map of [world, halfLife]) {
      const model = map.model(1);
      const angles = [0, 30, 0];
      for (const rules of ['halflife', 'halflife-player'] as const) {
        const tracer = kindOf('hull').create(map, [1], { model: 1, angles, rules });
        for (const y of [-300, -100, 100, 300]) {
          const move = [
            [-600, y, middle[2]!],
            [600, -y / 2, middle[2]!],
          ] as const;
          expect(tracer.trace(...move)).toEqual(model.hull(1, { angles, rules }).trace(...move));
        }
      }
      for (const rules of ['quake1', 'quakeworld']) {
        expect(() => kinds[0]!.create(map, [], { model: 1, angles, rules })).toThrow(/rules of Half-Life/);
      }
    }
    expect(kinds[0]!.create(halfLife, [], { model: 1, angles: [0, 90, 0] }).shape.kind).toBe('ray');
  });

  it('names suitable presets', () => {
    const suiting = (of: typeof world): string[] =>
      presets.filter(({ suits }) => suits?.(of) ?? true).map(({ name }) => name);
    expect(suiting(world)).toEqual(['hull0', 'precise', 'hull1', 'precise1', 'hull2']);
    expect(suiting(createQuake1World(roomFile(30)))).toEqual([
      ...['hull0', 'precise', 'hull1', 'precise1', 'hull2', 'hull3'],
    ]);
    expect(suiting(createQuake1World(makeFile([{ nodes: solidBox([0, 0, 0], [1, 1, 1]) }])))).toEqual([
      'hull0',
      'precise',
    ]);
  });
});

describe('rows', () => {
  /** Answers rows of a kind on the arena. */
  function answer(kind: string, columns: string[], questions: number[][]): unknown[][] {
    const { results, open } = quake1.rows[kind]!;
    const header: RowHeader = { game: 'quake1', map: 'arena', kind, columns: [...columns, ...results] };
    const answering = open(header, { format: quake1 as never, load: () => bytes });
    return questions.map((question) => {
      const row = [...question, ...results.map(() => null)];
      answering.answer(row);
      return row.slice(question.length);
    });
  }

  it('are answered as the world answers', () => {
    const at = ['x', 'y', 'z'];
    const [points] = answer('points', at, [[0, -256, 100]]);
    expect(points).toEqual([world.leaf([0, -256, 100]), -1, -1, -1, -1]);
    expect(answer('vis', ['a', 'b'], [[1, 2]])).toEqual([[world.visible(1, 2) ? 1 : 0]]);
    expect(answer('sphere', [...at, 'r'], [[0, -256, 100, 50]])).toEqual([[points![0], 1, 1, 100]]);
    const ends = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez'];
    const rays = answer('ray', ends, [
      [0, -256, 100, 0, -256, -100],
      [0, -256, -8, 0, -256, 100],
    ]);
    expect(rays[0]!.slice(0, 2)).toEqual([1, 0.5]);
    expect(rays.map((row) => row[3])).toEqual([0, 1]);
    const traced = answer(
      'trace',
      ['model', 'hull', 'ox', 'oy', 'oz', ...ends],
      [
        [0, 1, 0, 0, 0, 0, -256, 100, 0, -256, -100],
        [1, 0, 5, 0, 0, 0, -256, 100, 0, -256, -100],
        [0, 1, 0, 0, 0, 0, -256, -8, 0, -256, -9],
      ],
    );
    expect(traced[0]!.slice(4, 8)).toEqual([0, 0, 1, 24]);
    expect(traced[1]).toHaveLength(12);
    // In the open, and in water.
    expect(traced.map((row) => row.slice(-2))).toEqual([
      [1, 0],
      [1, 0],
      [0, 0],
    ]);
    const box = [...['bminx', 'bminy', 'bminz', 'bmaxx', 'bmaxy', 'bmaxz'], 'ox', 'oy', 'oz'];
    const mover = ['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'];
    const [hit] = answer(
      'box',
      [...box, ...mover, ...ends],
      [[-8, -8, -8, 8, 8, 8, 100, 0, 0, -1, -1, -1, 1, 1, 1, 0, 0, 0, 200, 0, 0]],
    );
    expect(hit!.slice(1, 5)).toEqual([91 - 1 / 32, 0, 0, -1]);
  });

  it('are refused if they are invalid', () => {
    const columns = ['model', 'hull', 'ox', 'oy', 'oz', 'sx', 'sy', 'sz', 'ex', 'ey', 'ez'];
    const ask = (row: number[]) => () => answer('trace', columns, [row]);
    expect(ask([0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])).toThrow(/the world does not move/);
    expect(ask([0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0])).toThrow(RangeError);
    expect(ask([0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])).toThrow(/number of a model/);
  });
});
