import { houseUfoai } from '@bspkit/fixtures';
import { describe, expect, it } from 'vitest';
import {
  CONTENTS_ACTORCLIP,
  CONTENTS_LEVEL_ALL,
  CONTENTS_LIGHTCLIP,
  CONTENTS_SOLID,
  CONTENTS_WATER,
  CONTENTS_WEAPONCLIP,
  createTrace,
  createUfoaiWorld,
  readUfoai,
  type Surface,
  surfaceAt,
  type Vec3,
} from '../src/index.ts';
import { MapBuilder, writeMap } from './writer.ts';

const file = readUfoai(houseUfoai());
const house = createUfoaiWorld(file);
const [outside, inside] = [
  [256, 50, 30],
  [256, 200, 30],
] as const;

/** Whether a point is on a polygon's plane and within its edges, with a little room. */
function holds({ polygon }: Surface, point: Vec3): boolean {
  const { vertices, normal, dist } = polygon!;
  const height = [0, 1, 2].reduce((sum, k) => sum + normal[k]! * point[k]!, -dist);
  if (Math.abs(height) > 0.25) return false;
  const count = vertices.length / 3;
  return Array.from({ length: count }).every((_, i) => {
    const [a, b] = [vertices.subarray(3 * i, 3 * i + 3), vertices.subarray(3 * ((i + 1) % count))];
    const edge = [0, 1, 2].map((k) => b[k]! - a[k]!);
    const to = [0, 1, 2].map((k) => point[k]! - a[k]!);
    const turn = [0, 1, 2].map(
      (k) => edge[(k + 1) % 3]! * to[(k + 2) % 3]! - edge[(k + 2) % 3]! * to[(k + 1) % 3]!,
    );
    return turn.reduce((sum, x, k) => sum + x * normal[k]!, 0) > -0.25 * Math.hypot(...edge);
  });
}

describe('the surface that was hit', () => {
  it.each([
    ['ray', house.ray()],
    ['box', house.box([-9, -9, -24], [9, 9, 20])],
    ['line', house.line()],
  ])('by a %s: texture, flags, and the face that holds the place', (kind, tracer) => {
    const trace = tracer.trace(outside, inside);
    const surface = surfaceAt(house, trace)!;
    expect(surface).toMatchObject({ name: 'house/wall', flags: 0 });
    expect(surface.name).toBe(file.textures[surface.texture]!.name);
    expect(Array.from(surface.polygon!.normal)).toEqual([0, -1, 0]);
    const [x, , z] = trace.endPos;
    expect(holds(surface, kind === 'box' ? [x!, 96, z!] : trace.endPos)).toBe(true);
    if (kind !== 'line') expect(surface.texture).toBe(trace.texture);
  });

  it('of a model, in its own frame', () => {
    const door = house.model(1);
    const [start, end] = [
      [384, 50, 30],
      [384, 200, 30],
    ] as const;
    for (const trace of [door.ray().trace(start, end), house.line({ models: [door] }).trace(start, end)]) {
      expect(surfaceAt(house, trace)).toMatchObject({ name: 'house/door', polygon: { dist: 2 } });
    }
  });

  it('is in the tile that was hit', () => {
    const world = createUfoaiWorld([{ file }, { file, x: 40, z: 1 }]);
    const moved = (point: readonly number[]): number[] => [point[0]! + 1280, point[1]!, point[2]! + 64];
    for (const tracer of [world.ray(), world.line()]) {
      const trace = tracer.trace(moved(outside), moved(inside));
      expect(trace.tile).toBe(1);
      const surface = surfaceAt(world, trace)!;
      expect(surface.name).toBe('house/wall');
      expect(holds(surface, trace.endPos)).toBe(true);
    }
    const { fraction, model, brush, side } = world.ray().trace(moved(outside), moved(inside));
    expect(surfaceAt(world, Object.assign(createTrace(), { fraction, model, brush, side }))).toBeUndefined();
    // Numbers that a tile does not have are not those of the next one.
    const { brushes, sides } = file;
    const beyond = { tile: 0, brush: brushes.count + brush, side: sides.count + side };
    expect(surfaceAt(world, Object.assign(createTrace(), { fraction, model, ...beyond }))).toBeUndefined();
  });

  it('is of what stops lines, not of water with a side in the same place', () => {
    const builder = new MapBuilder();
    const water = builder.box([0, 0, 0, 32, 32, 16], CONTENTS_WATER | CONTENTS_LEVEL_ALL);
    const solid = builder.box([0, 0, 0, 32, 32, 32], CONTENTS_SOLID | CONTENTS_LEVEL_ALL);
    const models = { 1: MapBuilder.union([water, solid], [0, 0, 0, 32, 32, 32]) };
    const world = createUfoaiWorld(readUfoai(writeMap({ ...builder, models })));
    const { polygon } = surfaceAt(world, world.line().trace([-50, 16, 8], [50, 16, 8]))!;
    expect(Math.max(...polygon!.vertices)).toBe(32);
    expect([...polygon!.vertices].filter((x) => x === 16)).toEqual([]);
  });

  it.each([
    ['lightClip', 256, CONTENTS_LIGHTCLIP],
    ['weaponClip', 257, CONTENTS_WEAPONCLIP],
    ['actorClip', 258, CONTENTS_ACTORCLIP],
  ])('is of %s for lines that it stops', (clip, model, contents) => {
    const builder = new MapBuilder();
    const models = { [model]: builder.box([0, 0, 0, 32, 32, 32], contents | CONTENTS_LEVEL_ALL) };
    const world = createUfoaiWorld(readUfoai(writeMap({ ...builder, models })));
    const trace = world.line({ [clip]: true }).trace([-50, 16, 8], [50, 16, 8]);
    expect(surfaceAt(world, trace)?.polygon).toMatchObject({ contents: contents | CONTENTS_LEVEL_ALL });
  });

  it('is in the first tree of a tile, where a phantom has stopped the line', () => {
    const builder = new MapBuilder();
    // Tree 8 is not asked about, but inline model 1 leaves head 259, whose low byte has bits 1 and 2.
    const models = {
      8: builder.box([0, 0, 0, 32, 32, 32], CONTENTS_SOLID),
      16: builder.box([0, 0, 0, 32, 32, 32], CONTENTS_SOLID),
      259: builder.box([0, 256, 0, 32, 288, 32], CONTENTS_SOLID),
    };
    const [end, file] = [[50, 16, 8], readUfoai(writeMap({ ...builder, models }))];
    const world = createUfoaiWorld(file);
    const line = world.line({ levels: 1, compat: { phantomHeads: true } });
    const trace = line.trace([-50, 16, 8], end);
    expect(trace.level).toBe(259);
    const surface = surfaceAt(world, trace)!;
    expect(holds(surface, trace.endPos)).toBe(true);
    expect(surface.polygon!.normal[0]).toBe(-1);
    // A head that the tile does not have is not looked for in the next one, and without a tree there is no surface.
    const without = readUfoai(writeMap({ ...builder, models: { 259: models[259] } }));
    const [other, none] = [createUfoaiWorld([{ file: without }, { file }]), createUfoaiWorld(without)];
    for (const level of [8, 259, 260]) expect(surfaceAt(other, { ...trace, level } as never)).toBeUndefined();
    for (const level of [8, 259, 260]) expect(surfaceAt(none, { ...trace, level } as never)).toBeUndefined();
    expect(surfaceAt(other, { ...trace, level: 8, tile: 1 } as never)).toBeDefined();
  });

  it('of every wall that lines and rays hit', () => {
    for (const [k, tracer] of [house.line(), house.line({ compat: 'engine' }), house.ray()].entries()) {
      let hits = 0;
      let found = 0;
      for (let i = 0; i < 300; i++) {
        const at = (turn: number): number[] =>
          [0, 1, 2].map(
            (axis) => (Math.sin(turn * 12.9898 + axis * 78.233 + i) + 1) * [400, 272, 150][axis]!,
          );
        const trace = tracer.trace(at(1), at(2));
        if (trace.startSolid || trace.fraction === 1) continue;
        hits++;
        const surface = surfaceAt(house, trace);
        if (surface?.polygon && holds(surface, trace.endPos)) found++;
      }
      expect(hits).toBeGreaterThan(50);
      // A ray knows its side; a line's plane may be that of a side that has no face where it was crossed.
      expect(found / hits).toBeGreaterThanOrEqual(k === 2 ? 1 : 0.98);
    }
  });

  it('of nothing, of a position test, of a line that starts in solid', () => {
    expect(surfaceAt(house, house.ray().trace(outside, [250, 50, 30]))).toBeUndefined();
    expect(surfaceAt(house, house.line().trace(outside, [250, 50, 30]))).toBeUndefined();
    const wall = [256, 100, 30];
    expect(surfaceAt(house, house.ray().trace(wall, wall))).toBeUndefined();
    expect(surfaceAt(house, house.line().trace(wall, inside))).toBeUndefined();
  });

  it('of a side without a texture has no name', () => {
    const builder = new MapBuilder();
    const models = { 1: builder.box([0, 0, 0, 32, 32, 32], 0x101) };
    const world = createUfoaiWorld(readUfoai(writeMap({ ...builder, models })));
    const surface = surfaceAt(world, world.ray().trace([16, -50, 16], [16, 50, 16]));
    expect(surface).toMatchObject({ texture: -1, name: '', flags: 0 });
    expect(surfaceAt(world, world.ray().trace([-50, 16, 16], [50, 16, 16]))).toMatchObject({
      texture: 0,
      name: 'test/texture0',
      flags: 0x80,
    });
  });
});
