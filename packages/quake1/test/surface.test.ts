import { copyTrace, createTrace, type Tracer } from '@bspkit/core';
import { setRotation } from '@bspkit/core/format';
import { arenaQuake1 } from '@bspkit/fixtures';
import { readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { between, createRandom, windingCenter } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  createQuake1World,
  type Polygon,
  polygons,
  type Quake1Trace,
  type Quake1World,
  readQuake1,
  type Surface,
  surfaceAt,
  type Trace,
} from '../src/index.ts';

const arenaFile = readQuake1(arenaQuake1());
const arena = createQuake1World(arenaFile);

/** A point turned by pitch and yaw, in degrees, as a model's points are. */
function turned(point: readonly number[], angles: readonly [number, number, number]): number[] {
  const rows = new Float64Array(9);
  setRotation(rows, 0, angles);
  return [0, 1, 2].map((k) => rows[k]! * point[0]! + rows[3 + k]! * point[1]! + rows[6 + k]! * point[2]!);
}

/** What was hit, which must be something. */
function hit(world: Quake1World, trace: Trace): Surface {
  const surface = surfaceAt(world, trace);
  expect(surface?.polygon).toBeDefined();
  return surface!;
}

describe('surfaceAt', () => {
  it('finds the face below, by ray, hull, box and precise ray', () => {
    const [start, end] = [
      [0, -256, 100],
      [0, -256, -100],
    ];
    const tracers = [
      arena.ray(),
      arena.hull(1),
      arena.hull(2),
      arena.box([-8, -8, -8], [8, 8, 8]),
      arena.preciseRay(),
    ];
    const surfaces = tracers.map((tracer) => hit(arena, tracer.trace(start!, end!)));
    for (const { texture, name, flags, polygon } of surfaces) {
      expect(name).toBe(arena.textureNames()[texture]);
      expect(name).not.toBe('');
      expect(flags).toBe(0);
      expect([...polygon!.normal]).toEqual([0, 0, 1]);
      expect(polygon!.dist).toBe(0);
    }
    // A box touches several faces, but most of the largest one.
    expect(surfaces[4]!.polygon).toBe(surfaces[0]!.polygon);
  });

  it('finds the face that a box touches most, also where that one ends just before the box does', () => {
    // The trim around the slime is 16 units wide, and so is what the box covers of it. Of the slime it covers half a unit less.
    const trace = arena.hull(1).trace([1039.5, 157, 52], [1039.5, 157, 0]);
    expect(hit(arena, trace).name).toBe('trim');
  });

  it('finds the face in front of a precise move that kept far away from it', () => {
    const box = arena.hulls[1]!;
    const model = arena.model(1);
    const onLid = [0, 1].map((k) => (model.bounds.mins[k]! + model.bounds.maxs[k]!) / 2);
    for (const epsilon of [0.5, 0.6, 1, 4, 16]) {
      const ray = arena.preciseRay({ epsilon }).trace([0, -256, 100], [0, -256, -100]);
      expect(ray.endPos[2]).toBeCloseTo(epsilon, 4);
      const hull = arena.preciseHull(1, { epsilon }).trace([0, -256, 100], [0, -256, -100]);
      expect(hull.endPos[2]! + box.mins[2]!).toBeCloseTo(epsilon, 4);
      for (const trace of [ray, hull]) {
        const { polygon, name } = hit(arena, trace);
        expect(name).toBe('floor');
        expect([...polygon!.normal, polygon!.dist]).toEqual([0, 0, 1, 0]);
        // What JSON leaves of it, a batch or another program may have.
        const copy = copyTrace(trace, createTrace());
        expect(hit(arena, copy).polygon!.dist).toBe(0);
      }
      const lid = model.preciseRay({ epsilon, origin: [0, 0, 50] });
      const above = model.bounds.maxs[2]! + 100;
      const onModel = hit(arena, lid.trace([...onLid, above], [...onLid, above - 200]));
      expect([...onModel.polygon!.normal]).toEqual([0, 0, 1]);
    }
  });

  it('finds every face of the world and of models that stops a ray', () => {
    let stopped = 0;
    for (const target of [arena, arena.model(1), arena.model(2)]) {
      for (const polygon of polygons(target)) {
        const center = windingCenter([...polygon.vertices]);
        const [start, end] = [1, -1].map((off) => center.map((x, k) => x + off * polygon.normal[k]!));
        const trace = target.ray().trace(start!, end!);
        // Rays pass through liquids, and into the sky.
        if (trace.plane < 0) continue;
        stopped++;
        expect(surfaceAt(arena, trace)!.polygon).toBe(polygon);
      }
    }
    expect(stopped).toBeGreaterThan(460);
  });

  it('finds the face also where a move stops a little beyond its edge', () => {
    const trace = arena.ray().trace([-584.744, -919.393, -233.535], [413.11, 1148.448, 733.12]);
    expect(hit(arena, trace).polygon!.normal).toEqual(trace.normal);
  });

  it.each([
    [1, 0.15],
    [2, 0.25],
  ])('finds the face, on the plane that was hit, of random moves through hull %i', (hull, missed) => {
    const { mins, maxs } = arena.hulls[hull]!;
    const random = createRandom(seedOf(hull + 1));
    const point = () => [0, 1, 2].map((k) => between(random, arena.bounds.mins[k]!, arena.bounds.maxs[k]!));
    const tracer = arena.hull(hull);
    let hits = 0;
    let without = 0;
    while (hits < 500) {
      const trace = tracer.trace(point(), point());
      if (trace.plane < 0) continue;
      hits++;
      const { polygon, name, flags } = surfaceAt(arena, trace)!;
      /** How far the box is in front of a face; not a number where it is not beside it, or faces another way. */
      const gapTo = ({ normal, dist, vertices }: Polygon): number => {
        const along = [0, 1, 2].map((k) => normal[k]! * trace.normal[k]!).reduce((sum, x) => sum + x);
        const isBeside = [0, 1, 2].every((k) => {
          const at = vertices.filter((_, n) => n % 3 === k);
          const [low, high] = [trace.endPos[k]! + mins[k]!, trace.endPos[k]! + maxs[k]!];
          return Math.min(...at) <= high + 0.5 && Math.max(...at) >= low - 0.5;
        });
        if (along < 0.999 || !isBeside) return Number.NaN;
        return [0, 1, 2].reduce(
          (sum, k) => sum + normal[k]! * (trace.endPos[k]! + (normal[k]! > 0 ? mins[k]! : maxs[k]!)),
          -dist,
        );
      };
      if (polygon) {
        expect(Math.abs(gapTo(polygon))).toBeLessThan(0.5);
        expect([name, flags]).toEqual([
          arena.textureNames()[polygon.texture],
          arenaFile.texInfos.flags[arenaFile.faces.texInfos[polygon.surface]!],
        ]);
      } else {
        without++;
        expect(name).toBe('');
      }
    }
    expect(without / hits).toBeLessThanOrEqual(missed);
  });

  it('finds the face of a model that was moved', () => {
    const model = arena.model(1);
    const { mins, maxs } = model.bounds;
    const center = [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2);
    const origin = [1000, 2000, 3000];
    const above = center.map((c, k) => c + origin[k]! + (k === 2 ? 500 : 0));
    const below = center.map((c, k) => c + origin[k]!);
    for (const tracer of [model.ray({ origin }), model.hull(1, { origin }), model.preciseRay({ origin })]) {
      const trace = tracer.trace(above, below);
      expect(trace.model).toBe(1);
      expect(hit(arena, trace).polygon!.normal[2]).toBe(1);
    }
  });

  it('takes a whole copy of a trace', () => {
    const model = arena.model(1);
    const origin = [1000, 2000, 3000];
    const [above, below] = [500, 0].map((up) =>
      [0, 1, 2].map(
        (k) => (model.bounds.mins[k]! + model.bounds.maxs[k]!) / 2 + origin[k]! + (k === 2 ? up : 0),
      ),
    ) as [number[], number[]];
    const tracers: Tracer<Quake1Trace>[] = [model.hull(1, { origin }), model.preciseRay({ origin })];
    for (const tracer of tracers) {
      const trace = tracer.trace(above, below);
      const copy = structuredClone(trace);
      tracer.trace(below, above, trace);
      expect(copy.model).toBe(1);
      expect(hit(arena, copy).polygon!.normal[2]).toBe(1);
    }
  });

  it('takes an answer of a batch, with the pose of the model that was hit', () => {
    const bytes = arenaQuake1().slice();
    new DataView(bytes.buffer).setInt32(0, 30, true);
    const [flat, turning] = [arena, createQuake1World(readQuake1(bytes))];
    const random = createRandom(seedOf(2));
    for (const [world, angles] of [[flat, [0, 0, 0]] as const, [turning, [10, 60, 0]] as const]) {
      const model = world.model(1);
      const pose = { origin: [1000, 2000, 3000], angles };
      const ray = model.ray(pose);
      const { mins, maxs } = model.bounds;
      let hits = 0;
      for (let k = 0; k < 200; k++) {
        const end = [0, 1, 2].map((axis) => between(random, mins[axis]!, maxs[axis]!));
        // Roughly where the model is now.
        const at = world === flat ? end : turned(end, pose.angles);
        const target = at.map((x, axis) => x + pose.origin[axis]!);
        const start = target.map((x) => x + between(random, -300, 300));
        const trace = ray.trace(start, target);
        const {
          fraction,
          endPos,
          normal,
          dist,
          model: number,
          plane,
        } = ray.traceBatch(Float32Array.of(...start, ...target));
        const answer = Object.assign(createTrace(), {
          ...{ fraction: fraction[0]!, endPos: endPos.slice(), normal: normal.slice(), dist: dist[0]! },
          ...{ model: number[0]!, plane: plane[0]! },
        });
        const expected = surfaceAt(world, trace);
        expect(surfaceAt(world, answer, pose)).toEqual(expected);
        if (!expected?.polygon) continue;
        hits++;
        expect(surfaceAt(world, answer)!.polygon).toBeUndefined();
      }
      expect(hits).toBeGreaterThan(20);
    }
    expect(() => surfaceAt(arena, createTrace(), { origin: [0, 0] } as never)).toThrow(RangeError);
  });

  it('takes a trace that has lost its place in the hull', () => {
    for (const hull of [0, 1, 2]) {
      const trace = arena.hull(hull).trace([0, -256, 100], [0, -256, -100]);
      const plain = copyTrace(trace, createTrace());
      expect(hit(arena, plain).polygon).toBe(hit(arena, trace).polygon);
    }
  });

  it('has nothing for a trace that hit nothing, or is not of the map', () => {
    expect(surfaceAt(arena, arena.ray().trace([0, -256, 100], [0, -256, 90]))).toBeUndefined();
    const box = boxEntity([-8, -8, -8], [8, 8, 8]).ray().trace([50, 0, 0], [0, 0, 0]);
    expect(box.fraction).toBeLessThan(1);
    expect(surfaceAt(arena, box)).toBeUndefined();
  });
});

describe.skipIf(skippedWithoutMaps !== '')(`surfaces of real maps${skippedWithoutMaps}`, () => {
  it.each([
    [0, 0.99],
    [1, 0.95],
    [2, 0.9],
  ])('are found for nearly all hits of hull %i', (hull, share) => {
    const world = createQuake1World(readQuake1(readRealMap('quake1/e1m1.bsp')));
    const random = createRandom(seedOf(hull + 1));
    const tracer = world.hull(hull);
    const { mins, maxs } = world.bounds;
    let hits = 0;
    let found = 0;
    while (hits < 400) {
      const [start, end] = [0, 1].map(() =>
        [0, 1, 2].map((k) => mins[k]! + random() * (maxs[k]! - mins[k]!)),
      );
      if (world.hullContents(hull, start!) === -2) continue;
      const trace = tracer.trace(start!, end!);
      if (trace.plane < 0) continue;
      hits++;
      const { name, polygon } = surfaceAt(world, trace)!;
      if (!polygon) continue;
      found++;
      expect(name).not.toBe('');
      const along = [0, 1, 2].reduce((sum, k) => sum + polygon.normal[k]! * trace.normal[k]!, 0);
      expect(along).toBeCloseTo(1, 3);
    }
    // Bevels of hulls are not faces.
    expect(found / hits).toBeGreaterThan(share);
  });
});
