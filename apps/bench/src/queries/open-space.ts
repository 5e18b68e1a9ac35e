import { createTrace, type Tracer, type Vec3 } from '@bspkit/core';
import { type Random, randomDirection } from './random.ts';

/** Moves tried for every point wanted, before a map is given up as having no room. */
const TRIES = 50;

/**
 * Finds points of a map where `player` fits, by tracing: from known open points it looks in random directions and
 * takes a place on the way. So the points lie where a player can see, not in the void around the map.
 *
 * @param origins - where to begin: places of the map's entities.
 * @returns `count` points, three numbers each; fewer where the map has no room.
 */
export function findOpenSpace(
  player: Tracer,
  ray: Tracer,
  origins: readonly Vec3[],
  count: number,
  random: Random,
): Float32Array {
  const points = new Float32Array(3 * count);
  const trace = createTrace();
  let found = 0;
  const add = (x: number, y: number, z: number): void => {
    const point = Float32Array.of(x, y, z);
    if (found < count && !player.trace(point, point, trace).startSolid) points.set(point, 3 * found++);
  };
  for (const origin of origins) add(origin[0]!, origin[1]!, origin[2]!);
  if (found === 0) return points.subarray(0, 0);
  for (let tries = 0; found < count && tries < TRIES * count; tries++) {
    const from = points.subarray(3 * Math.floor(random() * found)).subarray(0, 3);
    const [x, y, z] = randomDirection(random);
    const reach = 4096 * random();
    ray.trace(from, [from[0]! + reach * x, from[1]! + reach * y, from[2]! + reach * z], trace);
    const part = random();
    const along = (k: number): number => from[k]! + part * (trace.endPos[k]! - from[k]!);
    add(along(0), along(1), along(2));
  }
  return points.subarray(0, 3 * found);
}
