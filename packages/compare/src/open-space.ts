import type { Bounds, Tracer, Vec3 } from '@bspkit/core';
import { checkList, checkPoint, failArgument } from '@bspkit/core/format';
import { between, direction, lengthOf, pick, type Random } from '@bspkit/geometry';
import { isTracer } from './checks.ts';

/** What counts as open space: a predicate for a point, or a tracer that must fit there. */
export type OpenTest = Tracer | ((point: Vec3) => boolean);

/** Where to look for points in the open. */
export interface OpenSpace {
  /** Where points are drawn, in Quake units. */
  readonly bounds: Bounds;
  /** What is open: a predicate for a point, or a tracer that must fit there. */
  readonly open: OpenTest;
  /**
   * Points known to be in the open, such as those of the map's entities. With them and a tracer, further points are found by
   * tracing from known ones, so that all are where something can get to, and none in the void around the map. Without them,
   * points are drawn in the bounds until one is open.
   */
  readonly origins?: readonly Vec3[] | undefined;
}

/** How often a point is drawn before the space is considered closed. */
const TRIES = 10_000;
/** How many of the points found are used as starts for finding more. */
const REMEMBERED = 4096;

export const isWithin = (point: Vec3, { mins, maxs }: Bounds): boolean =>
  [0, 1, 2].every((k) => point[k]! >= mins[k]! && point[k]! <= maxs[k]!);

/**
 * Draws points in the open, one per call. Points are float32, as in queries.
 * @throws TypeError for an `open` of neither kind; RangeError when none of the origins, or none of 10,000 points, is open.
 */
export function openPoints({ bounds, open, origins }: OpenSpace, random: Random): () => Float32Array {
  if (typeof open !== 'function' && !isTracer(open)) {
    failArgument('open', 'a function or a tracer', open, false);
  }
  if (origins !== undefined) checkList(origins, 'origins');
  for (const [k, origin] of origins?.entries() ?? []) checkPoint(origin, `origins[${k}]`);
  const isOpen = typeof open === 'function' ? open : (point: Vec3) => !open.blocked(point, point);
  if (origins === undefined || typeof open === 'function') {
    return () => {
      for (let tries = 0; tries < TRIES; tries++) {
        const point = Float32Array.from([0, 1, 2], (k) => between(random, bounds.mins[k]!, bounds.maxs[k]!));
        // A copy, which the test may write to.
        if (isOpen(point.slice())) return point;
      }
      throw new RangeError(`open must be true somewhere in bounds, but it is at none of ${TRIES} points`);
    };
  }
  const known = origins.map((origin) => Float32Array.from([0, 1, 2], (k) => origin[k]!)).filter(isOpen);
  if (known.length === 0) throw new RangeError('origins must include a point in the open, but none is');
  return reach(bounds, open, known, random);
}

/** Finds points on the way from known ones to whatever stops the tracer in some direction. */
function reach(bounds: Bounds, tracer: Tracer, known: Float32Array[], random: Random): () => Float32Array {
  const { mins, maxs } = bounds;
  const size = lengthOf(maxs[0]! - mins[0]!, maxs[1]! - mins[1]!, maxs[2]! - mins[2]!);
  const out = tracer.createTrace();
  return () => {
    for (let tries = 0; tries < TRIES; tries++) {
      const from = pick(random, known);
      const toward = direction(random);
      const far = random() * size;
      // What it returns is the answer, as in comparisons.
      const trace = tracer.trace(
        from,
        toward.map((d, k) => from[k]! + far * d),
        out,
      );
      // From a point on the ground, half of the traces stop at once, and the point would be found over and over.
      if (trace.fraction === 0) continue;
      const part = random();
      const point = from.map((x, k) => x + part * (trace.endPos[k]! - x));
      if (!isWithin(point, bounds) || tracer.blocked(point, point)) continue;
      if (known.length < REMEMBERED) known.push(point);
      else known[Math.floor(random() * REMEMBERED)] = point;
      return point;
    }
    throw new RangeError(`origins must have room around them, but ${TRIES} traces found none`);
  };
}
