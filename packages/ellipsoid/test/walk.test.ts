import type { Vec3 } from '@bspkit/core';
import { skippedWithoutMaps } from '@bspkit/fixtures/real';
import { describe, expect, it } from 'vitest';
import { createSlide, createTutorialMove, createTutorialReference, EllipsoidSlider } from '../src/index.ts';
import { POLYGON_WORDS } from '../src/layout.ts';
import { trianglesOf } from './brute.ts';
import { ownMap, REAL_MAPS, realMap, type TestMap } from './maps.ts';
import { boxesOf, crosses, fastMoves, type MoveFrame, walk } from './walk.ts';

/** Minutes to walk on each real map, at 60 frames a second. */
const MINUTES = Number(process.env.BSPKIT_MINUTES_ELLIPSOID ?? 0);
const OWN_SECONDS = 10;

const RADII: Vec3 = [15, 15, 28];

/** Slides, and reports what it met. */
function slider({ ellipsoids }: TestMap): MoveFrame {
  const mover = new EllipsoidSlider(ellipsoids, RADII);
  const slide = createSlide();
  return (position, to) => {
    mover.slide(position, to, slide);
    position.set(slide.endPos);
    return slide;
  };
}

/** Moves by the document's method: whatever pushed it counts as met. */
function pushed({ ellipsoids }: TestMap): MoveFrame {
  const tracer = ellipsoids.tutorial(RADII);
  const move = createTutorialMove();
  const normals = new Float32Array(15);
  return (position, to) => {
    tracer.move(position, to, [], move);
    position.set(move.endPos);
    const { floats, places } = ellipsoids._memory;
    for (let k = 0; k < move.iterations; k++) {
      const at = places.polygons.first + POLYGON_WORDS * move.collided[k]!;
      normals.set(floats.subarray(at, at + 3), 3 * k);
    }
    return { contacts: move.iterations, normals };
  };
}

/** Places in a map where the ellipsoid is free: its spawn points, raised a little. */
function freeStarts({ ellipsoids, spawns }: TestMap): Vec3[] {
  const tracer = ellipsoids.ellipsoid(RADII);
  return spawns
    .flatMap(([x, y, z]) => [8, 16, 24, 32].map((up) => [x, y, z + up].map(Math.fround)))
    .filter((at) => !tracer.blocked(at, at));
}

function checkWalk(map: TestMap, frames: number, seed: number): void {
  const starts = freeStarts(map);
  expect(starts.length).toBeGreaterThan(0);
  const report = walk(map.source, starts[seed % starts.length]!, RADII, frames, seed, slider(map));
  if (MINUTES > 0) console.log(map.name, JSON.stringify(report));
  expect(report.crossed).toBe(0);
  expect(report.deepest).toBeLessThan(1e-3);
  expect(report.lowest).toBeGreaterThan(map.ellipsoids.bounds.mins[2]!);
  // It went somewhere, on the ground.
  expect(report.path).toBeGreaterThan(frames);
  expect(report.grounded).toBeGreaterThan(frames / 4);
}

function checkFastMoves(map: TestMap, count: number): void {
  const triangles = trianglesOf(map.source.polygons().filter((polygon) => map.source.isSolid(polygon)));
  const boxes = boxesOf(triangles);
  const tracer = map.ellipsoids.ellipsoid(RADII);
  const mover = new EllipsoidSlider(map.ellipsoids, RADII);
  const trace = tracer.createTrace();
  let stopped = 0;
  for (const [start, end] of fastMoves(freeStarts(map), 10_000, count, 5)) {
    tracer.trace(start, end, trace);
    if (trace.fraction < 1) stopped++;
    expect(crosses(triangles, boxes, start, trace.endPos)).toBe(false);
    // A slide is a chain of sweeps: where it ends is as free as where it began.
    const { endPos } = mover.slide(start, end);
    expect(tracer.trace(endPos, endPos, trace).startSolid).toBe(false);
  }
  expect(stopped).toBeGreaterThan(0.9 * count);
}

describe('walking with gravity', () => {
  it.each([
    ['quake3', 'arena'],
    ['ufoai', 'house'],
  ] as const)('%s/%s: never through a polygon', async (game, fixture) => {
    checkWalk(await ownMap(game, fixture), OWN_SECONDS * 60, 1);
  });

  it.each(MINUTES > 0 ? REAL_MAPS : [])(`%s: ${MINUTES} minutes, never through a polygon`, async (name) => {
    checkWalk(await realMap(name), MINUTES * 3600, 2);
  });

  if (MINUTES === 0) {
    it.skip(`real maps: a proof run of minutes, with BSPKIT_MINUTES_ELLIPSOID=10${skippedWithoutMaps}`);
  }
});

describe('walking by the method of the document', () => {
  const check = (map: TestMap, frames: number): void => {
    const start = freeStarts(map)[1]!;
    const report = walk(map.source, start, RADII, frames, 3, pushed(map));
    if (MINUTES > 0) console.log('document:', map.name, JSON.stringify(report));
    expect(report.crossed).toBe(0);
    expect(report.lowest).toBeGreaterThan(map.ellipsoids.bounds.mins[2]!);
    expect(report.path).toBeGreaterThan(frames);
    expect(report.grounded).toBeGreaterThan(frames / 4);
  };

  it('stays above the floor and behind the walls, corrected', async () => {
    check(await ownMap('quake3', 'arena'), OWN_SECONDS * 60);
  });

  it.each(MINUTES > 0 ? REAL_MAPS : [])('%s: the same', async (name) => {
    check(await realMap(name), MINUTES * 3600);
  });

  it.each([['quake3/arena'], ...(MINUTES > 0 ? REAL_MAPS.map((name) => [name]) : [])])(
    '%s: falls through the floor as printed',
    async (name) => {
      const map = await (name === 'quake3/arena' ? ownMap('quake3', 'arena') : realMap(name!));
      const { move } = createTutorialReference(map.ellipsoids, RADII, { preCheck: true });
      const start = freeStarts(map)[1]!;
      const { crossed } = walk(map.source, start, RADII, 180, 3, (position, to) => {
        position.set(move(position, to).EndPosition);
        return { contacts: 0, normals: [] };
      });
      expect(crossed).toBeGreaterThan(0);
    },
  );
});

describe('moves of 10,000 units', () => {
  it('end at the first wall', async () => {
    checkFastMoves(await ownMap('quake3', 'arena'), 200);
  });

  it.each(MINUTES > 0 ? REAL_MAPS : [])('%s: end at the first wall', async (name) => {
    checkFastMoves(await realMap(name), 200);
  });
});
