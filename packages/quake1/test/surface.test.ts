import { copyTrace, createTrace } from '@bspkit/core';
import { arenaQuake1 } from '@bspkit/fixtures';
import { readRealMap, skippedWithoutMaps } from '@bspkit/fixtures/real';
import { createRandom } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import {
  boxEntity,
  createQuake1World,
  type Quake1World,
  readQuake1,
  type Surface,
  surfaceAt,
  type Trace,
} from '../src/index.ts';

const arena = createQuake1World(readQuake1(arenaQuake1()));

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
    const random = createRandom(hull + 1);
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
