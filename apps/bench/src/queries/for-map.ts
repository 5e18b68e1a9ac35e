import { createTrace, entityVector, parseEntities } from '@bspkit/core';
import type { Quake3File, Quake3World } from '@bspkit/quake3';
import { generateQueries } from './generate.ts';
import { goldenMoves } from './golden.ts';
import { findOpenSpace } from './open-space.ts';
import { createRandom } from './random.ts';
import { type MotionName, PLAYER_MAXS, PLAYER_MINS } from './shapes.ts';

/** Named places to start looking for open space, before the middle of the map is tried. */
function origins(file: Quake3File, world: Quake3World): (readonly number[])[] {
  const places = parseEntities(file.entities, 'quake3').map((entity) => entityVector(entity, 'origin'));
  const { mins, maxs } = world.bounds;
  return [...places.filter((place) => place !== undefined), [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2)];
}

/** The queries of one map and motion, the same for every peer and shape, whatever peers take part. */
export function queriesFor(
  file: Quake3File,
  world: Quake3World,
  motion: MotionName,
  count: number,
  seed: number,
): Float32Array {
  const player = world.box(PLAYER_MINS, PLAYER_MAXS);
  const points = findOpenSpace(player, world.ray(), origins(file, world), count, createRandom(seed));
  return generateQueries(points, motion, count, createRandom(seed + (motion === 'long' ? 1 : 2)));
}

/** The golden moves whose start has room for a player. */
export function goldenQueriesFor(world: Quake3World, golden: string, count: number): Float32Array {
  const player = world.box(PLAYER_MINS, PLAYER_MAXS);
  const trace = createTrace();
  const moves = goldenMoves(golden, count);
  const kept: number[] = [];
  for (let at = 0; at < moves.length; at += 6) {
    const start = moves.subarray(at, at + 3);
    if (!player.trace(start, start, trace).startSolid) kept.push(...moves.subarray(at, at + 6));
  }
  return Float32Array.from(kept);
}
