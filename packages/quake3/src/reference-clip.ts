import type { ClipOutcome, Recorder, StepVec } from '@bspkit/core';
import {
  CAPSULE,
  type Kernel,
  POINT,
  Q_MAXS,
  Q_MINS,
  Q_RADIUS,
  Q_REACH,
  Q_SPHERE,
  S_MASK,
  S_MODE,
} from './kernel.ts';

// What the reference tests brushes and facets with.

const f = Math.fround;

export type Point = readonly [number, number, number];

/** What a reference trace finds. */
export interface ReferenceAnswer {
  fraction: number;
  normal: Point;
  dist: number;
  startSolid: boolean;
  allSolid: boolean;
  contents: number;
  surfaceFlags: number;
}

/** A plane as the shape meets it: widened, and with the way to the part of the shape that comes to it first. */
export interface MetPlane {
  readonly side: number;
  readonly normal: Point;
  readonly dist: number;
  readonly shift: Point;
}

/** A reference trace under way. */
export interface ReferenceTrace {
  readonly kernel: Kernel;
  readonly start: Point;
  readonly end: Point;
  readonly epsilon: number;
  readonly record: Recorder;
  readonly answer: ReferenceAnswer;
  readonly seen: Set<string>;
}

export function dot(a: Point, b: Point): number {
  return f(f(f(a[0] * b[0]) + f(a[1] * b[1])) + f(a[2] * b[2]));
}

/** A vector out of an array. */
export function three(floats: Float32Array | Float64Array, at: number): Point {
  return [floats[at]!, floats[at + 1]!, floats[at + 2]!];
}

/** Why a brush or patch need not be tested; undefined when it must be. */
export function passes(
  { kernel, seen }: ReferenceTrace,
  name: string,
  contents: number,
  bounds: number,
): ClipOutcome | undefined {
  const { floats, query, state } = kernel;
  if (seen.has(name)) return 'again';
  seen.add(name);
  if ((contents & state[S_MASK]!) === 0) return 'masked';
  const apart = [0, 1, 2, 3, 4, 5].some((k) => query[Q_REACH + k]! > floats[bounds + k]!);
  return apart ? 'apart' : undefined;
}

/** A plane widened by the shape. `stored` is the normal that picks the box's corner: not turned, for facets. */
export function meet(kernel: Kernel, side: number, normal: Point, dist: number, stored: Point): MetPlane {
  const { query, state } = kernel;
  if (state[S_MODE] === POINT) return { side, normal, dist, shift: [0, 0, 0] };
  if (state[S_MODE] === CAPSULE) {
    const sphere = three(query, Q_SPHERE);
    const shift: Point = dot(normal, sphere) > 0 ? [-sphere[0], -sphere[1], -sphere[2]] : sphere;
    return { side, normal, dist: f(dist + query[Q_RADIUS]!), shift };
  }
  const corner = stored.map((n, k) => query[(n < 0 ? Q_MAXS : Q_MINS) + k]!) as unknown as Point;
  return { side, normal, dist: f(dist - dot(corner, normal)), shift: [0, 0, 0] };
}

/** The stretch of a move that lies behind all of some planes. */
export interface Clip {
  readonly missed: boolean;
  readonly startsOut: boolean;
  readonly endsOut: boolean;
  readonly enter: number;
  readonly leave: number;
  /** Which of the planes was entered last; -1 for none. */
  readonly hit: number;
}

/** Clips the move against the planes of a brush or facet, one after the other (`CheckBrush`). */
export function clip({ start, end, epsilon, record }: ReferenceTrace, planes: readonly MetPlane[]): Clip {
  let [enter, leave, hit] = [-1, 1, -1];
  let [startsOut, endsOut] = [false, false];
  for (const [k, { side, normal, dist, shift }] of planes.entries()) {
    const shifted = (point: Point): Point =>
      [0, 1, 2].map((i) => f(point[i]! + shift[i]!)) as unknown as Point;
    const startDist = f(dot(shifted(start), normal) - dist);
    const endDist = f(dot(shifted(end), normal) - dist);
    if (startDist > 0) startsOut = true;
    if (endDist > 0) endsOut = true;
    const missed = startDist > 0 && (endDist >= epsilon || endDist >= startDist);
    const clipped = !missed && !(startDist <= 0 && endDist <= 0);
    if (clipped && startDist > endDist) {
      const fraction = Math.max(0, f((startDist - epsilon) / f(startDist - endDist)));
      if (fraction > enter) [enter, hit] = [fraction, k];
    } else if (clipped) {
      const fraction = f((startDist + epsilon) / f(startDist - endDist));
      if (fraction < leave) leave = fraction;
    }
    record({ kind: 'side', side, normal: normal as StepVec, dist, startDist, endDist, enter, leave });
    if (missed) return { missed, startsOut, endsOut, enter, leave, hit };
  }
  return { missed: false, startsOut, endsOut, enter, leave, hit };
}
