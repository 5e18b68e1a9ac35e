import { arenaQuake3 } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { between, createRandom } from '@bspkit/geometry';
import { expectBelow, expectFields, expectSame } from '@bspkit/testkit/same';
import { describe, expect, it } from 'vitest';
import {
  type Bounds,
  boxEntity,
  createQuake3World,
  patches,
  type Quake3Patch,
  type Quake3World,
  readQuake3,
  surfaceAt,
  surfaceNames,
  type Trace,
} from '../src/index.ts';

const file = readQuake3(arenaQuake3());
const arena = createQuake3World(file);

/** Rays through a world, or through a part of it, that hit something. */
function* hits(world: Quake3World, count: number, { mins, maxs }: Bounds = world.bounds): Generator<Trace> {
  const random = createRandom(5);
  const ray = world.ray({ mask: -1 });
  const point = (): number[] => Array.from(mins, (low, axis) => between(random, low, maxs[axis]!));
  for (let k = 0; k < count; k++) {
    const trace = ray.trace(point(), point());
    if (trace.texture >= 0 && !trace.startSolid) yield trace;
  }
}

describe('surfaceAt', () => {
  it('finds the shader of a hit, and the triangle that holds it', () => {
    let [found, drawn] = [0, 0];
    for (const trace of hits(arena, 2000)) {
      const surface = surfaceAt(arena, trace)!;
      const { name, surfaceFlags } = file.shaders[trace.texture]!;
      expectFields(surface, { texture: trace.texture, name, flags: surfaceFlags });
      found++;
      if (!surface.polygon || trace.patch >= 0) continue;
      drawn++;
      const { vertices, normal, dist, texture } = surface.polygon;
      expectSame(texture, trace.texture);
      const [x, y, z] = trace.endPos as unknown as [number, number, number];
      expectBelow(Math.abs(normal[0]! * x + normal[1]! * y + normal[2]! * z - dist), 0.5);
      for (let axis = 0; axis < 3; axis++) {
        const corners = [0, 3, 6].map((k) => vertices[k + axis]!);
        expectBelow(Math.min(...corners) - 1, trace.endPos[axis]!);
        expectBelow(trace.endPos[axis]!, Math.max(...corners) + 1);
      }
    }
    expect(found).toBeGreaterThan(500);
    // Water's surface and clip brushes are not drawn as what a ray hits; nearly all else is.
    expect(drawn / found).toBeGreaterThan(0.5);
  });

  it('finds the triangle of a patch', () => {
    const [{ surface: patch, bounds }] = patches(arena) as [Quake3Patch];
    const around = {
      mins: bounds.subarray(0, 3).map((x) => x - 64),
      maxs: bounds.subarray(3).map((x) => x + 64),
    };
    const traces = [...hits(arena, 2000, around)].filter((trace) => trace.patch === patch);
    expect(traces.length).toBeGreaterThan(20);
    for (const trace of traces) {
      const { polygon } = surfaceAt(arena, trace)!;
      expect(polygon).toMatchObject({ surface: patch, texture: trace.texture });
      expect(
        Math.abs(polygon!.normal.reduce((sum, n, k) => sum + n * trace.endPos[k]!, -polygon!.dist)),
      ).toBeLessThan(8);
    }
  });

  it('finds it on a model that stands elsewhere, when told where', () => {
    const door = arena.model(1);
    const { mins, maxs } = door.bounds;
    const middle = Array.from(mins, (low, k) => (low + maxs[k]!) / 2);
    const down = (x: number, y: number, z: number) =>
      [
        [x, y, z + 300],
        [x, y, z],
      ] as const;
    // Not on the line between two triangles.
    middle[0]! += 7;
    const [start, end] = down(middle[0]!, middle[1]!, middle[2]!);
    const home = surfaceAt(arena, door.ray().trace(start, end))!;
    expect(home.polygon).toBeDefined();
    const pose = { origin: [100, -40, 16], angles: [0, 90, 0] };
    const [x, y, z] = middle as [number, number, number];
    const [from, to] = down(100 - y, -40 + x, 16 + z);
    const moved = door.ray(pose).trace(from, to);
    expect(moved.fraction).toBeLessThan(1);
    expect(surfaceAt(arena, moved, pose)).toEqual(home);
    expect(surfaceAt(arena, moved)).toMatchObject({ name: home.name, polygon: undefined });
  });

  it('is undefined for nothing, for a box entity, and inside a brush', () => {
    const miss = arena.ray().trace([0, 0, 64], [0, 0, 65]);
    expect(surfaceAt(arena, miss)).toBeUndefined();
    const body = boxEntity([-8, -8, -8], [8, 8, 8]).ray({ mask: -1 }).trace([-40, 0, 0], [40, 0, 0]);
    expect(body.fraction).toBeLessThan(1);
    expect(surfaceAt(arena, body)).toBeUndefined();
    const inside = arena.ray().trace([0, 0, -8], [1, 0, -8]);
    expect(inside.allSolid).toBe(true);
    expect(surfaceAt(arena, inside)).toBeUndefined();
  });

  it('has no polygon where a box stands over an edge', () => {
    const box = arena.box([-15, -15, -24], [15, 15, 32]);
    const trace = box.trace([0, -200, 100], [0, -200, -100]);
    expect(surfaceAt(arena, trace)!.polygon!.normal[2]).toBe(1);
    // The same hit by its other fields, but with the middle beside the floor.
    trace.endPos[0] = 1e5;
    expect(surfaceAt(arena, trace)).toMatchObject({ polygon: undefined });
  });

  const real = realMapNames('quake3').filter((name) => /oa_minia|am_underworks2/.test(name));
  it.each(real)('finds nearly all that is hit from inside %s', (name) => {
    const world = createQuake3World(readQuake3(readRealMap(name)));
    const inside = [...hits(world, 3000)].filter(
      ({ contents, surfaceFlags, endPos }) =>
        contents & 1 &&
        !(surfaceFlags & surfaceNames.bits('noDraw')) &&
        world.cluster(world.leaf(endPos)) >= 0,
    );
    const drawn = inside.filter((trace) => surfaceAt(world, trace)!.polygon);
    expect(inside.length).toBeGreaterThan(100);
    expect(drawn.length / inside.length).toBeGreaterThan(0.95);
  });
});
