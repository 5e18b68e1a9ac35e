import { arenaQuake3 } from '@bspkit/fixtures';
import { between, createRandom, direction, pick } from '@bspkit/geometry';
import { clearingsLookedFor, LOOKED_FOR } from '@bspkit/testkit/clearings';
import { expectFields, expectSame } from '@bspkit/testkit/same';
import { formatOf } from 'bspkit';
import { describe, expect, it } from 'vitest';
import { createEllipsoidWorld, EllipsoidSlider } from '../src/index.ts';
import { meetsNothing } from '../src/kernel/clearings.ts';
import { pointIn, randomRoom, sourceOf } from './rooms.ts';

const ROOMS = 12;
/** More often than a clearing has to be asked for before it is looked for. */
const ASKS = 30;

/** Short moves in a room: anywhere, close to what is met from there, along it and away from it. */
function shortMoves(seed: number, radii: readonly number[]): [Float32Array, Float32Array][] {
  const random = createRandom(seed);
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
          expectSame(tracer.blocked(start, end), trace.startSolid || trace.fraction < 1);
        }
        const mins = radii.map((x) => -x);
        if (meetsNothing(world._memory, start, end, mins, radii)) clear++;
        expectFields(tracer.trace(start, end), trace);
        expectFields(slider.slide(start, end), slide);
      }
    }
    expect(clear).toBeGreaterThan(ROOMS * 20);
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
