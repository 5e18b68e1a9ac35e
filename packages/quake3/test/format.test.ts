import type { TracerValues } from '@bspkit/core/format';
import { arenaQuake3 } from '@bspkit/fixtures';
import { between, createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { quake3Format } from '../src/format.ts';
import {
  CONTENTS_BODY,
  CONTENTS_LAVA,
  CONTENTS_PLAYERCLIP,
  CONTENTS_SOLID,
  CONTENTS_WATER,
  createQuake3World,
  leafPolygons,
  patches,
  polygons,
  readQuake3,
  surfaceAt,
} from '../src/index.ts';

const bytes = arenaQuake3();
const quake3 = await quake3Format.load();
const file = readQuake3(bytes);
const world = createQuake3World(file);

describe('the light half', () => {
  it('recognises its files by their first bytes', () => {
    const version = (number: number): Uint8Array => Uint8Array.of(73, 66, 83, 80, number, 0, 0, 0);
    expect(quake3Format.detect(bytes.subarray(0, 64))).toBe('IBSP 46');
    expect([46, 47].map((number) => quake3Format.detect(version(number)))).toEqual(quake3Format.versions);
    for (const number of [0, 38, 45, 48, 78, 79])
      expect(quake3Format.detect(version(number))).toBeUndefined();
    expect(quake3Format.detect(version(46).subarray(0, 7))).toBeUndefined();
    expect(quake3Format.detect(new Uint8Array(64))).toBeUndefined();
  });
});

describe('the descriptor', () => {
  it('makes a world of one map', () => {
    expect(() => quake3.createWorld([file, file])).toThrow('one map, got 2 files');
  });

  it('tells what is in a map', () => {
    const info = quake3.info(file, world);
    expect(info).toMatchObject({
      version: 'IBSP 46',
      facts: { 'curved patches': patches(world).length, clusters: world.numClusters },
    });
    const records = Object.fromEntries(info.lumps.map((lump) => [lump.name, lump.records]));
    expect(records).toMatchObject({ planes: file.planes.count, models: 4, indexes: file.indexes.length });
    expect([records.entities, records.lightmaps, records.visibility]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(info.models.map(({ name }) => name)).toEqual(['world', '*1', '*2', '*3']);
    expect([...info.contents.counts.values()].reduce((a, b) => a + b)).toBe(file.brushes.count);
    const used = info.lumps
      .filter(({ name }) => !/fogs|light/.test(name))
      .reduce((sum, lump) => sum + lump.bytes, 0);
    expect(info.memory).toEqual({ world: world.data.byteLength, lumps: used });
  });

  it('gives the brushes with their models and planes', () => {
    const all = [...quake3.brushes!(file)];
    expect(all).toHaveLength(file.brushes.count);
    const [, first] = file.models;
    for (const { brush, model, planes } of all) {
      expect(planes).toHaveLength(file.brushes.numSides[brush]!);
      if (brush < file.models[0]!.numBrushes) expect(model).toBe(0);
      if (brush === first!.firstBrush) expect(model).toBe(1);
    }
    // Each plane is made once, however many brushes have a side on it.
    const made = new Set(all.flatMap(({ planes }) => planes));
    expect(made.size).toBe(new Set(file.sides.planes).size);
  });

  it('answers questions about points, spheres and sight', () => {
    expect(quake3.point(world, [0, 0, -8])).toMatchObject({ contents: 1, contentsNames: ['solid'] });
    expect(quake3.sphere!(world, [0, 0, 64], 8)).toMatchObject({
      yes: true,
      fields: { radius: 8, open: true },
    });
    expect(quake3.sphere!(world, [0, 0, 4], 8).yes).toBe(false);
    expect(quake3.sight!(world, [0, -200, 64], [0, -300, 90])).toMatchObject({
      yes: true,
      fields: { potentiallyVisible: true, rayStopsAt: null },
    });
    const hidden = quake3.sight!(world, [0, -200, 64], [0, -200, -100]);
    expect(hidden.yes).toBe(false);
    expect(hidden.fields.rayStopsAt).toBe('textures/arena/floor');
    expect(hidden.fields.rayFraction).toBeCloseTo(63.875 / 164, 6);
  });

  it('passes on what the functions over worlds answer', () => {
    const source = quake3.polygons(world);
    expect(source.polygons()).toEqual(polygons(world));
    expect(source.leafPolygons(world.leaf([0, 0, 64]))).toEqual(leafPolygons(world, world.leaf([0, 0, 64])));
    const trace = world.ray().trace([0, -200, 64], [0, -200, -64]);
    expect(quake3.surfaceAt(world, trace)).toEqual(surfaceAt(world, trace));
    expect(quake3.traceFields(trace)).toEqual({});
    const box = quake3.boxEntity!([-8, -8, -8], [8, 8, 8]);
    expect(box.box!([-1, -1, -1], [1, 1, 1], { mask: -1 }).blocked([-40, 0, 0], [40, 0, 0])).toBe(true);
  });

  it("has presets of the engine's standing player", () => {
    const { presets, player } = quake3.tracers;
    const sized = presets.filter(({ role }) => role === 'body');
    expect(sized.map(({ name }) => name)).toEqual(['box', 'capsule']);
    for (const { size } of sized) expect(size).toEqual([-15, -15, -24, 15, 15, 32]);
    expect(player).toBe('box');
  });

  it('knows which polygons stop players', () => {
    const { isSolid } = quake3.polygons(world);
    const stops = (contents: number): boolean => isSolid({ ...polygons(world)[0]!, contents });
    expect([CONTENTS_SOLID, CONTENTS_PLAYERCLIP, CONTENTS_BODY].map(stops)).toEqual([true, true, true]);
    expect([0, CONTENTS_WATER, CONTENTS_LAVA].map(stops)).toEqual([false, false, false]);
  });

  const kindOf = (name: string) => quake3.tracers.kinds.find((kind) => kind.name === name)!;
  const create = (kind: string, size: number[], options: TracerValues = {}) =>
    kindOf(kind).create(world, size, options);

  it('makes tracers by name', () => {
    const [start, end] = [
      [0, -200, 100],
      [0, -200, -100],
    ];
    const height = (kind: string, size: number[], options?: TracerValues): number =>
      create(kind, size, options).trace(start, end).endPos[2]!;
    expect(height('ray', [])).toBe(0.125);
    expect(height('ray', [], { epsilon: 1 / 32 })).toBe(1 / 32);
    expect(height('ray', [], { mask: 'water' })).toBe(-100);
    expect(height('box', [-1, -1, -9, 1, 1, 9])).toBeCloseTo(9.125, 4);
    expect(height('sphere', [7])).toBeCloseTo(7.125, 4);
    expect(height('sphere', [7], { exact: true })).toBeCloseTo(7.125, 4);
    expect(height('capsule', [5, 30])).toBeCloseTo(15.125, 4);
    expect(height('capsule', [-5, -5, -11, 5, 5, 20])).toBeCloseTo(11.125, 4);
    expect(height('ray', [], { model: 1 })).toBe(-100);
    expect(() => create('ray', [], { mask: 'waxer' })).toThrow('waxer');
    for (const exact of [false, true]) {
      expect(quake3.explain(create('sphere', [7], { exact }), start, end).steps.length).toBeGreaterThan(0);
    }
  });

  it('leaves curves out where it is told', () => {
    const { bounds } = patches(world)[0]!;
    const random = createRandom(seedOf(3));
    const point = () => [0, 1, 2].map((k) => between(random, bounds[k]! - 40, bounds[3 + k]! + 40));
    const moves = Array.from({ length: 300 }, () => [point(), point()] as const);
    const curved = (options: TracerValues): number => {
      const ray = create('ray', [], { mask: 'all', ...options });
      return moves.filter(([start, end]) => ray.trace(start, end).patch >= 0).length;
    };
    expect(curved({})).toBeGreaterThan(5);
    expect(curved({ curves: false })).toBe(0);
  });
});

describe('rows', () => {
  const open = (header: { kind: string; columns?: string[] }) =>
    quake3.rows[header.kind]!.open(
      { game: 'quake3', map: 'arena', ...header },
      { format: quake3, load: () => bytes },
    );
  const MOVE = [
    'sx',
    'sy',
    'sz',
    'ex',
    'ey',
    'ez',
    'minx',
    'miny',
    'minz',
    'maxx',
    'maxy',
    'maxz',
    'capsule',
    'mask',
  ];
  const POSE = ['model', 'ox', 'oy', 'oz', 'pitch', 'yaw', 'roll'];

  it('are moves in the world, or against a model', () => {
    const answering = open({
      kind: 'trace',
      columns: [...POSE, ...MOVE, 'fraction', 'endz', 'startsolid', 'contents'],
    });
    const ask = (pose: number[], move: number[]) => {
      const row = [...pose, ...move, null, null, null, null];
      answering.answer(row);
      return row.slice(21);
    };
    const down = [0, -200, 100, 0, -200, -100, -15, -15, -24, 15, 15, 32, 0, 1];
    expect(ask([1, 0, 0, 9000, 0, 0, 0], down)).toEqual([1, -100, 0, 0]);
    for (const capsule of [0, 1]) {
      const move = [...down.slice(0, 12), capsule, 1];
      expect(ask([0, 0, 0, 0, 0, 0, 0], move)).toEqual([0.379375011, 24.125, 0, 1]);
      expect(ask([1, 64, -520, 50, 0, 0, 0], move)).toEqual([0.0493750013, 90.125, 0, 1]);
    }
    expect(quake3.rows.trace!.results).toContain('surfaceFlags');
    expect(() => ask([9, 0, 0, 0, 0, 0, 0], down)).toThrow(RangeError);
    expect(() => ask([0.5, 0, 0, 0, 0, 0, 0], down)).toThrow(RangeError);
  });

  it('are moves against a box', () => {
    const box = ['tminx', 'tminy', 'tminz', 'tmaxx', 'tmaxy', 'tmaxz', 'ox', 'oy', 'oz'];
    const answering = open({ kind: 'tempbox', columns: [...box, ...MOVE, 'fraction'] });
    const placed = [-8, -8, -8, 8, 8, 8, 0, 0, 100];
    const move = [-40, 0, 100, 40, 0, 100, 0, 0, 0, 0, 0, 0];
    for (const capsule of [0, 1]) {
      const row = [...placed, ...move, capsule, -1, null];
      answering.answer(row);
      expect(row.at(-1)).toBeCloseTo(31.875 / 80, 6);
    }
  });

  it('are points', () => {
    const answering = open({
      kind: 'points',
      columns: ['x', 'y', 'z', 'leaf', 'cluster', 'area', 'contents'],
    });
    const row = [0, 0, -8, null, null, null, null];
    answering.answer(row);
    const leaf = world.leaf([0, 0, -8]);
    expect(row.slice(3)).toEqual([leaf, world.cluster(leaf), world.area(leaf), 1]);
  });

  it('are patches, as objects', () => {
    const [patch] = patches(world);
    const answering = open({ kind: 'patches' });
    const row: Record<string, unknown> = { surface: patch!.surface };
    answering.answerObject!(row);
    expect(row).toMatchObject({ width: patch!.width, height: patch!.height, contents: 1 });
    expect((row.facets as unknown[]).length).toBe(patch!.facets.length);
    expect(() => answering.answerObject!({ surface: 0 })).toThrow('surface 0 is not a patch');
    expect(() => answering.answerObject!({})).toThrow(/^surface is missing; it must be a whole number/);
    expect(() => answering.answerObject!({ surface: { of: 1 } })).toThrow(
      /^surface must be a whole number .*, got \{"of":1\}$/,
    );
    expect(() => answering.answer([0])).toThrow(RangeError);
  });
});
