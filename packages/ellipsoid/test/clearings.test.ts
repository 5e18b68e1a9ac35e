import { arenaQuake3 } from '@bspkit/fixtures';
import { between, createRandom, direction, pick } from '@bspkit/geometry';
import { clearingsLookedFor, LOOKED_FOR } from '@bspkit/testkit/clearings';
import { expectFields, expectSame, moving } from '@bspkit/testkit/same';
import { seedOf } from '@bspkit/testkit/seed';
import { formatOf } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { createEllipsoidWorld, EllipsoidSlider } from '../src/index.ts';
import { meetsNothing } from '../src/kernel/clearings.ts';
import { boxFaces, pointIn, randomRoom, sourceOf } from './rooms.ts';

const ROOMS = 12;
/** More often than a clearing has to be asked for before it is looked for. */
const ASKS = 30;

/** Short moves in a room: anywhere, close to what is met from there, along it and away from it. */
function shortMoves(seed: number, radii: readonly number[]): [Float32Array, Float32Array][] {
  const random = createRandom(seedOf(seed));
  const tracer = createEllipsoidWorld(sourceOf(randomRoom(seed))).ellipsoid(radii);
  return Array.from({ length: 60 }, (_, k) => {
    const start = Float32Array.from(pointIn(random, 500));
    if (k % 2) {
      const way = direction(random);
      const { endPos, normal } = tracer.trace(
        start,
        start.map((x, i) => x + 600 * way[i]!),
      );
      const off = pick(random, [0, 0.001, 0.02, 0.03, 0.3, 0.7, 2]);
      for (let i = 0; i < 3; i++) start[i] = endPos[i]! + off * normal[i]!;
    }
    const way = direction(random);
    const length = between(random, 0, pick(random, [0.01, 1, 20, 60]));
    return [start, start.map((x, i) => x + length * way[i]!)];
  });
}

describe('once a clearing is known where a move starts', () => {
  it('sweeps and slides answer as before', () => {
    const radii = [15, 17, 28];
    let clear = 0;
    for (let seed = 1; seed <= ROOMS; seed++) {
      const source = sourceOf(randomRoom(seed));
      for (const [start, end] of shortMoves(seed, radii)) {
        // Neither has asked before, and the world has no clearing yet.
        const world = createEllipsoidWorld(source);
        const [tracer, slider] = [world.ellipsoid(radii), new EllipsoidSlider(world, radii)];
        const [trace, slide] = [tracer.trace(start, end), slider.slide(start, end)];
        for (let k = 0; k < ASKS; k++) {
          expectSame(tracer.blocked(start, end), trace.startSolid || trace.fraction < 1, moving(start, end));
        }
        const mins = radii.map((x) => -x);
        if (meetsNothing(world._memory, start, end, mins, radii)) clear++;
        expectFields(tracer.trace(start, end), trace, moving(start, end));
        expectFields(slider.slide(start, end), slide, moving(start, end));
      }
    }
    expect(clear).toBeGreaterThan(ROOMS * 20);
  });
});

describe('in a room with a wall', () => {
  const world = createEllipsoidWorld(
    sourceOf([
      ...boxFaces([-512, -512, -512], [512, 512, 512], true),
      ...boxFaces([40, -512, -512], [41, 512, 512]),
    ]),
  );
  const mins = [-1, -1, -1];
  // Once its clearing is known.
  for (let k = 0; k < ASKS; k++) meetsNothing(world._memory, [5, 0, 0], [6, 0, 0], mins, [1, 1, 1]);

  it('nothing of an earlier answer is left in the next', () => {
    const tracer = world.sphere(1);
    expect(tracer.trace([40, 0, 0], [60, 0, 0]).startSolid).toBe(true);
    expect(tracer.trace([5, 0, 0], [6, 0, 0])).toMatchObject({ startSolid: false, fraction: 1 });
    expect(tracer.blocked([40, 0, 0], [60, 0, 0])).toBe(true);
    expect(tracer.blocked([5, 0, 0], [6, 0, 0])).toBe(false);
    const slider = new EllipsoidSlider(world, [1, 1, 1]);
    expect(slider.slide([39.5, 0, 0], [39, 0, 0]).pushed).toBeGreaterThan(0.5);
    expect(slider.slide([5, 0, 0], [6, 0, 0]).pushed).toBe(0);
  });

  it('tracers use the size they were last given', () => {
    const tracer = world.sphere(1);
    expect(tracer.blocked([39, 0, 0], [5, 0, 0])).toBe(false);
    expect(tracer.set({ radius: 20 }).blocked([5, 0, 0], [6, 0, 0])).toBe(false);
    expect(tracer.set({ radius: 36 }).blocked([5, 0, 0], [6, 0, 0])).toBe(true);
    // Behind the wall, where the least corner of its bounds matters.
    const ellipsoid = world.ellipsoid([1, 1, 1]);
    for (let k = 0; k < ASKS; k++) expect(ellipsoid.blocked([70, 0, 0], [71, 0, 0])).toBe(false);
    expect(ellipsoid.set({ radii: [30, 1, 1] }).blocked([70, 0, 0], [71, 0, 0])).toBe(true);
    expect(ellipsoid.set({ radii: [20, 1, 1] }).blocked([70, 0, 0], [71, 0, 0])).toBe(false);
  });

  it('slides end before the wall, though they begin in a clearing', () => {
    const slider = new EllipsoidSlider(world, [1, 1, 1]);
    const slide = slider.slide([5, 0, 0], [60, 0, 0]);
    expect(slide.contacts).toBe(1);
    expect(slide.endPos[0]).toBeLessThan(39);
  });
});

it('clearings are looked for where short moves often start', async () => {
  const format = await formatOf('quake3');
  const source = format.polygons(format.createWorld([format.read(arenaQuake3())]));
  const looked = clearingsLookedFor(() => {
    const world = createEllipsoidWorld(source);
    return { tracer: world.sphere(8), areas: () => world._memory.clearings?.areas.size ?? 0 };
  });
  expect(looked).toEqual(LOOKED_FOR);
});
