import { type Random, randomDirection } from './random.ts';
import type { MotionName } from './shapes.ts';

/** How far a shot flies, in Quake units: further than any map is wide. */
const SHOT = 8192;

/** The fastest a player falls and the fastest he runs, and the longest and shortest usual frames, in seconds. */
const FALL_SPEED = 800;
const RUN_SPEED = 320;
const LONGEST_FRAME = 1 / 20;
const SHORTEST_FRAME = 1 / 125;

/**
 * Distinct queries that begin in open space, six numbers each (start, then end): the same for every peer.
 *
 * - `long`: half are shots in any direction, half are looks from one point to another.
 * - `step`: what a player's frame asks: a run that rises or falls a little, a fall, or the look for ground below.
 */
export function generateQueries(
  points: Float32Array,
  motion: MotionName,
  count: number,
  random: Random,
): Float32Array {
  const numPoints = points.length / 3;
  if (numPoints === 0) return new Float32Array(0);
  const pick = (): number => 3 * Math.floor(random() * numPoints);
  const queries = new Float32Array(6 * count);
  for (let at = 0; at < queries.length; at += 6) {
    // Every point is the start of one query before any is the start of two, so that no query comes twice.
    const from = (at / 2) % points.length;
    const start = points.subarray(from, from + 3);
    queries.set(start, at);
    const end = motion === 'long' ? longEnd(start, points, pick, random) : stepEnd(start, random);
    queries.set(end, at + 3);
  }
  return queries;
}

function longEnd(
  start: Float32Array,
  points: Float32Array,
  pick: () => number,
  random: Random,
): ArrayLike<number> {
  if (random() < 0.5) {
    const to = pick();
    return points.subarray(to, to + 3);
  }
  const direction = randomDirection(random);
  return direction.map((d, k) => start[k]! + SHOT * d);
}

function stepEnd(start: Float32Array, random: Random): ArrayLike<number> {
  const [x, y, z] = [start[0]!, start[1]!, start[2]!];
  const time = SHORTEST_FRAME + random() * (LONGEST_FRAME - SHORTEST_FRAME);
  const kind = random();
  // The look for ground is a quarter unit down, as games have it.
  if (kind < 0.25) return [x, y, z - 0.25];
  if (kind < 0.5) return [x, y, z - time * FALL_SPEED * random()];
  const angle = 2 * Math.PI * random();
  const run = time * RUN_SPEED;
  return [x + run * Math.cos(angle), y + run * Math.sin(angle), z + run * (random() - 0.5)];
}
