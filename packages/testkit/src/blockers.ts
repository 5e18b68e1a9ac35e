import type { Bounds, Tracer } from '@bspkit/core';
import { between, createRandom, direction } from '@bspkit/geometry';

/** More often than a brush has to block moves until it is looked at, and asked once it has been. */
export const BLOCKS = 70;

/** Rays of a bundle, and places that bundles come from. */
const WAYS = 12;
const PLACES = 5;

/**
 * Moves as somebody asks who wants to know what is in sight: from some places in a map in some directions, each so often that
 * what blocks it becomes a blocker, and each time a little elsewhere, so that moves pass by its edges too.
 */
function bundles({ mins, maxs }: Bounds, seed: number): Float32Array {
  const random = createRandom(seed);
  const moves = new Float32Array(6 * PLACES * BLOCKS * WAYS);
  let at = 0;
  for (let place = 0; place < PLACES; place++) {
    const start = [0, 1, 2].map((k) => between(random, mins[k]!, maxs[k]!));
    const ways = Array.from({ length: WAYS }, () => direction(random));
    const length = between(random, 100, 4000);
    for (let k = 0; k < BLOCKS * WAYS; k++) {
      const way = ways[k % WAYS]!;
      const spread = k % 3 === 0 ? 0.3 : 0.02;
      moves.set(start, at);
      for (let a = 0; a < 3; a++)
        moves[at + 3 + a] = start[a]! + length * (way[a]! + between(random, -spread, spread));
      at += 6;
    }
  }
  return moves;
}

/** Moves of such bundles for which a tracer with blockers and one without say different things, one by one or as a batch. */
export function bundlesThatDiffer(
  { tracer, plain, bounds }: { tracer: Tracer; plain: Tracer; bounds: Bounds },
  seed: number,
): { differing: number[][]; blocked: number } {
  const moves = bundles(bounds, seed);
  const right = plain.blockedBatch(moves);
  const batch = tracer.blockedBatch(moves);
  const differing: number[][] = [];
  for (let k = 0; k < right.length; k++) {
    const move = moves.subarray(6 * k, 6 * k + 6);
    const blocked = tracer.blocked(move.subarray(0, 3), move.subarray(3)) ? 1 : 0;
    if (right[k] !== batch[k] || right[k] !== blocked) differing.push([...move]);
  }
  return { differing, blocked: right.filter((x) => x === 1).length };
}

/**
 * The same for each of several shapes: `shapesOf` makes them in a world, with these corners if they have a size. In all shapes
 * together, how many were blocked.
 */
export function shapesThatDiffer<World extends { readonly bounds: Bounds }>(
  { world, plain }: { world: World; plain: World },
  shapesOf: (world: World, mins: number[], maxs: number[]) => Tracer[],
  seed: number,
): { differing: number[][]; blocked: number } {
  const size = between(createRandom(seed), 1, 90);
  const [mins, maxs] = [
    [-size, -9, -24],
    [size, 20, 32],
  ] as [number[], number[]];
  const right = shapesOf(plain, mins, maxs);
  const found = shapesOf(world, mins, maxs).map((tracer, k) =>
    bundlesThatDiffer({ tracer, plain: right[k]!, bounds: world.bounds }, seed),
  );
  return {
    differing: found.flatMap(({ differing }) => differing),
    blocked: found.reduce((sum, { blocked }) => sum + blocked, 0),
  };
}
