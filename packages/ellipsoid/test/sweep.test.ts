import { between, createRandom, direction, type Vec } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { createEllipsoidWorld } from '../src/index.ts';
import { bruteSweep, trianglesOf } from './brute.ts';
import { pointIn, randomRoom, sourceOf } from './rooms.ts';

const RUNS = Number(process.env.BSPKIT_RUNS_ELLIPSOID ?? 1_200);
const MOVES_PER_ROOM = 200;

/** A quarter each: short as a player's, of a room's length, and very fast. */
const LENGTHS = [12, 60, 400, 10_000];

describe('the exact sweep', () => {
  it(`meets what brute force over all triangles meets, when it does (${RUNS} moves)`, () => {
    const random = createRandom(7);
    let [hits, close, missed, worst, overlaps] = [0, 0, 0, 0, 0];
    for (let room = 0; room * MOVES_PER_ROOM < RUNS; room++) {
      const polygons = randomRoom(room);
      const triangles = trianglesOf(polygons);
      const world = createEllipsoidWorld(sourceOf(polygons));
      expect(world.numDropped).toBe(0);
      const tracer = world.ellipsoid([1, 1, 1]);
      const trace = tracer.createTrace();
      for (let k = 0; k < Math.min(RUNS, MOVES_PER_ROOM); k++) {
        const radii = [0, 1, 2].map(() => Math.fround(between(random, 2, 40))) as Vec;
        const start = pointIn(random, 460).map(Math.fround) as Vec;
        const length = LENGTHS[k % LENGTHS.length]! * random();
        const way = direction(random);
        const end = start.map((x, i) => Math.fround(x + length * way[i]!)) as Vec;
        tracer.set({ radii }).trace(start, end, trace);
        expect(tracer.blocked(start, end)).toBe(trace.startSolid || trace.fraction < 1);
        const brute = bruteSweep(triangles, start, end, radii);
        if (brute.time < 1) hits++;
        if (brute.overlaps) overlaps++;
        if (trace.startSolid) expect(brute.overlaps).toBe(true);
        // The answer's fraction is a float32.
        const difference = Math.min(
          Math.abs(trace.fraction - Math.fround(brute.time)),
          Math.abs(trace.fraction - Math.fround(brute.inPieces)),
        );
        if (brute.close && difference > 1e-6) {
          close++;
          continue;
        }
        if (brute.time < 1 && trace.fraction === 1) missed++;
        worst = Math.max(worst, difference);
        expect(difference, `room ${room}, move ${k}: ${trace.fraction}, not ${brute.time}`).toBeLessThan(
          1e-6,
        );
      }
    }
    if (RUNS > 1_200)
      console.log(
        `${hits} hits, ${missed} missed, ${overlaps} begin in an overlap, ${close} too close to tell, worst ${worst}`,
      );
    expect(missed).toBe(0);
    expect(hits).toBeGreaterThan(RUNS / 4);
    expect(overlaps).toBeGreaterThan(RUNS / 100);
    expect(close).toBeLessThan(1 + RUNS / 200);
  });
});
