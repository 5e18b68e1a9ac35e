import type { Tracer, Vec3 } from '@bspkit/core';
import { between, createRandom, direction } from '@bspkit/geometry';
import { exactSphere, type Quake3World } from '@bspkit/quake3';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { createEllipsoidWorld } from '../src/index.ts';
import { ownMap } from './maps.ts';

const RUNS = Number(process.env.BSPKIT_RUNS_ELLIPSOID ?? 400);
/** Corners of files lie on a grid of 1/256 in each direction. */
const TOLERANCE = Math.sqrt(3) / 512;

/** Whether something is in the way in all six directions. */
function isIndoors(ray: Tracer, at: Vec3): boolean {
  return [0, 1, 2].every((axis) =>
    [-4096, 4096].every((by) =>
      ray.blocked(
        at,
        [0, 1, 2].map((k) => at[k]! + (k === axis ? by : 0)),
      ),
    ),
  );
}

describe('a sphere', () => {
  // Maps without curved patches, which the engine collides with in pieces of its own.
  it.each(['house', 'torture'] as const)(
    '%s: stops among polygons where an exact sphere stops among brushes',
    async (name) => {
      const map = await ownMap('quake3', name);
      const world = map.world as Quake3World;
      const random = createRandom(seedOf(11));
      const brushes = exactSphere(world, 8, { epsilon: 0 });
      const { mins, maxs } = world.bounds;
      const ray = world.ray();
      const tracer = createEllipsoidWorld(map.format.polygons(world)).sphere(8);
      const [trace, other] = [tracer.createTrace(), world.ray().createTrace()];
      let [hits, worst, asked] = [0, 0, 0];
      while (asked < RUNS) {
        const radius = Math.fround(between(random, 4, 24));
        const start = [0, 1, 2].map((k) => Math.fround(between(random, mins[k]!, maxs[k]!)));
        const way = direction(random);
        const length = between(random, 1, 300);
        const end = start.map((x, k) => Math.fround(x + length * way[k]!));
        brushes.set({ radius });
        // Polygons do not know what is solid behind them, and faces towards the outside of the map are not drawn.
        if (brushes.blocked(start, start) || !isIndoors(ray, start)) continue;
        asked++;
        brushes.trace(start, end, other);
        tracer.set({ radius }).trace(start, end, trace);
        if (other.fraction < 1) hits++;
        // Measured at a right angle to the surface that was hit, as a file's corners lie a little beside its planes.
        const slope = trace.fraction < 1 ? way.reduce((sum, x, k) => sum + x * trace.normal[k]!, 0) : 1;
        const apart = Math.abs((trace.fraction - other.fraction) * length * slope);
        worst = Math.max(worst, apart);
        expect(
          apart,
          `${start} to ${end}, radius ${radius}: ${trace.fraction}, not ${other.fraction}`,
        ).toBeLessThan(TOLERANCE);
      }
      expect(hits).toBeGreaterThan(RUNS / 4);
      if (RUNS > 400) console.log(`${hits} hits of ${asked}, ${worst} units apart at most`);
    },
  );
});
