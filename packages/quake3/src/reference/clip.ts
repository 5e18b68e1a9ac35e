import type { Recorder } from '@bspkit/core';
import { REF_BRUSH, REF_CONTENTS } from '../layout.ts';
import type { Prepared, Question } from './prepare.ts';
import { add, dot, each, negate, type Point } from './vec.ts';

// What the reference tests brushes and facets with.

const f = Math.fround;

/** What a reference trace finds. */
export interface ReferenceAnswer {
  fraction: number;
  endPos: Point;
  normal: Point;
  dist: number;
  startSolid: boolean;
  allSolid: boolean;
  contents: number;
  surfaceFlags: number;
  brush: number;
  /** By its number in the file, as in a trace. */
  side: number;
  /** By its surface's number in the file. */
  patch: number;
}

/** A reference trace under way. `start` and `end` are the prepared ones. */
export interface ReferenceTrace extends Omit<Question, keyof Prepared | 'exact'>, Prepared {
  /** The shape is an exact sphere, and no point. */
  readonly round: boolean;
  readonly record: Recorder;
  readonly answer: ReferenceAnswer;
  /** Brushes and patches that have been met. */
  readonly seen: Set<string>;
}

/** A plane as the shape meets it: widened, and with the offset of the part of the shape that reaches it first. */
export interface MetPlane {
  readonly side: number;
  readonly normal: Point;
  readonly dist: number;
  readonly shift: Point;
}

/** Why a brush or patch need not be tested; `undefined` when it must be. */
export function skips(
  { seen, mask }: ReferenceTrace,
  name: string,
  contents: number,
): 'again' | 'masked' | undefined {
  if (seen.has(name)) return 'again';
  seen.add(name);
  return (contents & mask) === 0 ? 'masked' : undefined;
}

/** Whether the box around the move is clear of bounds (by their place), with some slack. */
export function isApart({ memory, low, high }: ReferenceTrace, bounds: number, slack: number): boolean {
  return [0, 1, 2].some((k) => {
    const min = -memory.floats[bounds + 2 * k]!;
    const max = memory.floats[bounds + 2 * k + 1]!;
    return high[k]! < min - slack || low[k]! > max + slack;
  });
}

/** The brush that a reference names, and its contents. */
export function brushOf({ memory }: ReferenceTrace, ref: number): { brush: number; contents: number } {
  return { brush: memory.ints[ref + REF_BRUSH]!, contents: memory.ints[ref + REF_CONTENTS]! };
}

/** How far the box's rearmost corner along a normal is from its middle; `stored` picks the corner. */
export function cornerReach({ mins, maxs }: ReferenceTrace, normal: Point, stored: Point): number {
  const corner = each((k) => (stored[k] < 0 ? maxs[k] : mins[k]));
  return dot(corner, normal);
}

/** A plane widened by the shape. */
export function meet(trace: ReferenceTrace, side: number, normal: Point, dist: number): MetPlane {
  const { capsule } = trace;
  if (!capsule) {
    return { side, normal, dist: f(dist - cornerReach(trace, normal, normal)), shift: [0, 0, 0] };
  }
  const { radius, offset } = capsule;
  return { side, normal, dist: f(dist + radius), shift: dot(normal, offset) > 0 ? negate(offset) : offset };
}

/** Distance of an end of the move from a plane as the shape meets it. */
export function distanceTo({ normal, dist, shift }: MetPlane, point: Point): number {
  return f(dot(add(point, shift), normal) - dist);
}

/** The interval of a move that lies behind all of some planes. */
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
  for (const [k, plane] of planes.entries()) {
    const { side, normal, dist } = plane;
    const startDist = distanceTo(plane, start);
    const endDist = distanceTo(plane, end);
    if (startDist > 0) startsOut = true;
    if (endDist > 0) endsOut = true;
    const missed = startDist > 0 && (endDist >= epsilon || endDist >= startDist);
    const clipped = !missed && !(startDist <= 0 && endDist <= 0);
    if (clipped && startDist > endDist) {
      let fraction = f((startDist - epsilon) / f(startDist - endDist));
      // Not -0, which stays as it is.
      if (fraction < 0) fraction = 0;
      if (fraction > enter) [enter, hit] = [fraction, k];
    } else if (clipped) {
      const fraction = Math.min(1, f((startDist + epsilon) / f(startDist - endDist)));
      if (fraction < leave) leave = fraction;
    }
    record({ kind: 'side', side, normal, dist, startDist, endDist, enter, leave });
    if (missed) return { missed, startsOut, endsOut, enter, leave, hit };
  }
  return { missed: false, startsOut, endsOut, enter, leave, hit };
}

/** What a move meets: a brush or a patch, and its contents. */
export interface Met {
  readonly contents: number;
  readonly brush?: number;
  readonly side?: number;
  readonly patch?: number;
}

/** Writes what was hit into the answer. */
export function recordHit(
  answer: ReferenceAnswer,
  { contents, brush = -1, side = -1, patch = -1 }: Met,
): void {
  Object.assign(answer, { contents, brush, side, patch });
}

/** Writes that the whole move is inside something. */
export function recordInside(answer: ReferenceAnswer, met: Met): void {
  answer.startSolid = true;
  answer.allSolid = true;
  answer.fraction = 0;
  recordHit(answer, met);
}
