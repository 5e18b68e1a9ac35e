import { arenaQuake1 } from '@bspkit/fixtures';
import { readRealMap, realMapNames } from '@bspkit/fixtures/real';
import { between, type Random } from '@bspkit/geometry';
import type { Quake1World } from '../src/index.ts';

/** How long moves are, relative to the size of the map. */
const SCALES = [1, 1, 0.01, 1.5, 1000, 1e26, 1e33];

/** Draws a move: anywhere, from a previous end, on whole numbers, along an axis, or of no length. */
export function drawMove(
  random: Random,
  { mins, maxs }: Quake1World['bounds'],
  k: number,
  start: Float32Array,
  end: Float32Array,
): void {
  const scale = SCALES[k % SCALES.length]!;
  for (let axis = 0; axis < 3; axis++) {
    const inside = (): number => between(random, mins[axis]! - 60, maxs[axis]! + 60);
    start[axis] = k % 13 === 0 ? inside() * scale : inside();
    end[axis] = scale < 1 ? start[axis]! + (inside() - mins[axis]!) * scale : inside() * scale;
    if (k % 4 === 0) end[axis] = Math.round(end[axis]!);
    if (k % 8 === 0) start[axis] = Math.round(start[axis]!) + 0.03125;
  }
  if (k % 9 === 0) end[k % 3] = start[k % 3]!;
  if (k % 10 === 0) start[k % 3] = -0;
  if (k % 31 === 0) end.set(start);
}

/** Maps to move in: our own, and real ones if they are there. */
export const maps: [string, Uint8Array][] = [
  ['our arena', arenaQuake1()],
  ...['quake1/e1m1.bsp', 'quake1/dm4.bsp']
    .filter((name) => realMapNames('quake1').includes(name))
    .map((name): [string, Uint8Array] => [name, readRealMap(name)]),
];
