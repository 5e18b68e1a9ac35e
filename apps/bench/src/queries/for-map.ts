import { entityOrigins, openQueries, stepQueries } from '@bspkit/compare';
import type { BspWorld, Tracer, Vec3 } from '@bspkit/core';
import type { BspFormat } from '@bspkit/core/format';
import type { RowFile } from '@bspkit/fixtures/recorded';
import { type MeasuredShape, playerTracer, roomTracer } from '../shapes.ts';
import { goldenQueries } from './golden.ts';
import { BUNDLE, type MotionName, suits } from './motions.ts';

/** What libraries are asked: queries for a shape. */
export interface Asked<Motion extends MotionName | 'golden' = MotionName | 'golden'> {
  readonly shape: MeasuredShape;
  readonly motion: Motion;
  readonly queries: Float32Array;
}

/**
 * All that is asked about a map, motion by motion: the same queries for all shapes, but others for those that may lack room where
 * a player has it; none for a shape that lacks it everywhere.
 *
 * @throws RangeError if the map has no room for a player.
 */
export function* askedOf<Motion extends MotionName | 'golden'>(
  format: BspFormat,
  world: BspWorld,
  shapes: readonly MeasuredShape[],
  motions: readonly Motion[],
  choice: Omit<QueryChoice, 'motion'>,
  golden?: RowFile,
): Generator<Asked<Motion>, void> {
  const player = playerTracer(format, world);
  for (const motion of motions) {
    const made = new Map<Tracer, Float32Array>();
    for (const shape of shapes) {
      if (!suits(motion, shape)) continue;
      const open = roomTracer(format, world, shape, player);
      let queries = made.get(open);
      try {
        queries ??= queriesFor(world, open, { ...choice, motion }, golden);
      } catch (error) {
        if (open === player || !(error instanceof RangeError)) throw error;
        continue;
      }
      made.set(open, queries);
      if (queries.length > 0) yield { shape, motion, queries };
    }
  }
}

/** Which queries are made. */
export interface QueryChoice {
  readonly motion: MotionName | 'golden';
  readonly count: number;
  readonly seed: number;
}

/**
 * The queries of one map and motion, the same for every library, whatever libraries take part. All start where `open` has room.
 * `long`: half shots in any direction, half looks from one place to another; `step`: the queries of a player's frame;
 * `bundle`: shots in any direction, always {@link BUNDLE} from one place; `sight`: looks from one place to others, also {@link
 * BUNDLE} each; `around`: as `bundle`, but only as far as occlusion is baked; `golden`: the moves of recorded rows.
 *
 * @throws RangeError if the map has no room to start.
 */
export function queriesFor(
  world: BspWorld,
  open: Tracer,
  { motion, count, seed }: QueryChoice,
  golden?: RowFile,
): Float32Array {
  if (motion === 'golden') return golden ? goldenQueries(golden, open, count) : new Float32Array(0);
  const { bounds } = world;
  const options = { bounds, open, origins: entityPlaces(world), seed };
  if (motion === 'step') return stepQueries(count, options);
  if (motion === 'long') return openQueries(count, { ...options, shots: 0.5 });
  if (motion === 'bundle') return bundled(openQueries(count, { ...options, shots: 1 }));
  if (motion === 'around') return cut(bundled(openQueries(count, { ...options, shots: 1 })));
  return looks(openQueries(count, { ...options, shots: 0 }));
}

/** Makes {@link BUNDLE} moves at a time start where the first of them does, and end where others start. */
function looks(queries: Float32Array): Float32Array {
  const moves = queries.length / 6;
  let stride = STRIDE;
  while (commonFactor(stride, moves) > 1) stride++;
  return Float32Array.from(queries, (_, at) => {
    const move = Math.floor(at / 6);
    const first = move - (move % BUNDLE);
    // The other place is anywhere in the map: all have their turn, as the two numbers have no factor in common.
    const other = (stride * (move + 1)) % moves;
    const place = at % 6 < 3 ? first : other === first ? move : other;
    return queries[6 * place + (at % 3)]!;
  });
}

const STRIDE = 7919;

/** The greatest common factor of two whole numbers above 0. */
const commonFactor = (a: number, b: number): number => (b === 0 ? a : commonFactor(b, a % b));

/** How far bakes of occlusion look for what dims the light, in Quake units. */
const AROUND = 128;

/** Ends moves after {@link AROUND} units. */
function cut(queries: Float32Array): Float32Array {
  for (let at = 0; at < queries.length; at += 6) {
    const way = [0, 1, 2].map((k) => queries[at + 3 + k]! - queries[at + k]!);
    const length = Math.sqrt(way.reduce((sum, x) => sum + x * x, 0));
    for (let k = 0; k < 3; k++) queries[at + 3 + k] = queries[at + k]! + (AROUND * way[k]!) / length;
  }
  return queries;
}

/** Makes {@link BUNDLE} moves at a time start where the first of them does. */
function bundled(queries: Float32Array): Float32Array {
  for (let at = 0; at < queries.length; at++) {
    const move = Math.floor(at / 6);
    const first = 6 * (move - (move % BUNDLE));
    if (at % 6 >= 3) queries[at]! += queries[first + (at % 3)]! - queries[6 * move + (at % 3)]!;
  }
  for (let at = 0; at < queries.length; at++) {
    const move = Math.floor(at / 6);
    if (at % 6 < 3) queries[at] = queries[6 * (move - (move % BUNDLE)) + (at % 3)]!;
  }
  return queries;
}

/** Places from which to look for room: the entities', and the middle of the map. */
export function entityPlaces(world: BspWorld): Vec3[] {
  const { mins, maxs } = world.bounds;
  const middle = [0, 1, 2].map((k) => (mins[k]! + maxs[k]!) / 2);
  return [...entityOrigins(world), middle];
}
