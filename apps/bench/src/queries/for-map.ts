import { openQueries, stepQueries } from '@bspkit/compare';
import { type BspWorld, entityVector, type Tracer } from '@bspkit/core';
import type { RowFile } from '@bspkit/fixtures/recorded';
import { goldenQueries } from './golden.ts';
import type { MotionName } from './motions.ts';

/** Which queries are made. */
export interface QueryChoice {
  readonly motion: MotionName | 'golden';
  readonly count: number;
  readonly seed: number;
}

/**
 * The queries of one map and motion, the same for every library and shape, whatever libraries take part. All begin
 * where `player` has room. `long`: half shots in any direction, half looks from one place to another; `step`: what a
 * player's frame asks; `golden`: the moves of recorded rows.
 *
 * @throws RangeError where the map has no room to begin.
 */
export function queriesFor(
  world: BspWorld,
  player: Tracer,
  { motion, count, seed }: QueryChoice,
  golden?: RowFile,
): Float32Array {
  if (motion === 'golden') return golden ? goldenQueries(golden, player, count) : new Float32Array(0);
  const { bounds } = world;
  const options = { bounds, open: player, origins: entityPlaces(world), seed };
  return motion === 'long' ? openQueries(count, { ...options, shots: 0.5 }) : stepQueries(count, options);
}

/** Places to start looking for room: the entities', and the middle of the map. */
export function entityPlaces(world: BspWorld): (readonly number[])[] {
  const places = world.entities().map((entity) => entityVector(entity, 'origin'));
  const { mins, maxs } = world.bounds;
  const middle = [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2);
  return [...places.filter((place) => place !== undefined), middle];
}
