import { copyTrace, createTrace } from '@bspkit/core';
import { arenaQuake3 } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { between, clipBehind, createRandom, type Winding } from '@bspkit/geometry';
import { expectBelow, expectFields, expectSame } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  type Bounds,
  boxEntity,
  createQuake3World,
  type Polygon,
  patches,
  polygons,
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
  const random = createRandom(seedOf(5));
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
    expect(drawn / found).toBeGreaterThan(0.4);
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

  it('has what a box touches beside its middle, and nothing beyond its reach', () => {
    const box = arena.box([-15, -15, -24], [15, 15, 32]);
    const trace = box.trace([0, -200, 100], [0, -200, -100]);
    expect(surfaceAt(arena, trace)!.polygon!.normal[2]).toBe(1);
    // The same hit by its other fields, but with the middle beside the floor.
    trace.endPos[0] = 1e5;
    expect(surfaceAt(arena, trace)).toMatchObject({ polygon: undefined });
  });

  it.each([
    // How high the middle is above the floor, and how far beside its edge it may be.
    [0.5, 0],
    [10, 72],
    [60, 272],
    [2000, 4096],
  ])('reaches the farther beside a middle the higher that is: %f high, %f beside', (height, reach) => {
    const trace = arena.box([-15, -15, -24], [15, 15, 32]).trace([600, 0, 100], [600, 0, -100]);
    const east = 656;
    for (const [by, isFound] of [
      [reach - 1, true],
      [reach + 1, false],
    ] as const) {
      trace.endPos.set([east + by, 0, height]);
      expect(surfaceAt(arena, trace)!.polygon !== undefined, `${by} beside`).toBe(isFound);
    }
  });

  it('finds a triangle wherever a box touches one', () => {
    const [mins, maxs] = [
      [-15, -15, -24],
      [15, 15, 32],
    ];
    const box = arena.box(mins!, maxs!);
    const random = createRandom(seedOf(6));
    const point = () =>
      Array.from(arena.bounds.mins, (low, k) => between(random, low, arena.bounds.maxs[k]!));
    const all = polygons(arena);
    /** Whether a box at the end of a move touches a triangle, as far as that is drawn exactly. */
    const touches = ({ vertices, dist, normal, texture }: Polygon, trace: Trace): boolean => {
      const along =
        normal[0]! * trace.normal[0]! + normal[1]! * trace.normal[1]! + normal[2]! * trace.normal[2]!;
      if (texture !== trace.texture || along < 0.999 || Math.abs(dist - trace.dist) > 0.5) return false;
      let part: Winding | undefined = Array.from(vertices);
      for (const [k, end] of trace.endPos.entries()) {
        const axis = [0, 1, 2].map((other) => (other === k ? 1 : 0)) as [number, number, number];
        part = part && clipBehind(part, ...axis, end + maxs![k]! + 0.25);
        const back = axis.map((x) => -x) as [number, number, number];
        part = part && clipBehind(part, ...back, -(end + mins![k]! - 0.25));
      }
      return part !== undefined;
    };
    let [beside, found] = [0, 0];
    for (let k = 0; k < 1500; k++) {
      const trace = box.trace(point(), point());
      if (trace.startSolid || trace.fraction === 1 || trace.model !== 0 || trace.patch >= 0) continue;
      const touched = all.filter((polygon) => touches(polygon, trace));
      const { polygon } = surfaceAt(arena, trace)!;
      if (touched.length === 0) continue;
      found++;
      expect(polygon).toMatchObject({ texture: trace.texture });
      // The middle of a larger box is farther away, and many leafs are searched for what is nearest.
      const higher = copyTrace(trace, createTrace());
      for (let k = 0; k < 3; k++) higher.endPos[k]! += 300 * trace.normal[k]!;
      expectSame(surfaceAt(arena, higher)!.polygon!.vertices, polygon!.vertices);
      if (!touched.some(({ vertices }) => polygon!.vertices.every((x, at) => x === vertices[at]))) beside++;
    }
    expect(found).toBeGreaterThan(200);
    // Nearest to the middle is not always what the box reaches.
    expect(beside / found).toBeLessThan(0.05);
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
