// A point swept against a box with rounded edges: every pair of boxes, spheres and upright capsules is reduced to that by adding
// the mover's shape to that of the body.
//
// Sums start with a number from the query, multiplied by 0 where they start at zero: if they started with the whole number 0, V8
// might keep them as tagged values and allocate at every change.

import { PASSING } from '@bspkit/geometry';

const f = Math.fround;

/** Places in a {@link Sweep}: both ends, the box, its radius of rounding, the distance to keep. */
export const W_START = 0;
export const W_END = 3;
export const W_MINS = 6;
export const W_MAXS = 9;
export const W_RADIUS = 12;
export const W_EPSILON = 13;
/** Answer: fraction and normal. */
export const W_FRACTION = 14;
export const W_NORMAL = 15;
/** For the caller: both ends as they were given. */
export const W_FROM = 18;
export const W_TO = 21;
/** For round boxes: the distance that the look under way keeps from the box, and the fraction up to which it looks. */
const W_KEEP = 24;
const W_LAST = 25;
const SWEEP_NUMBERS = 26;

/** One query and its answer, in the body's frame. */
export type Sweep = Float64Array;

export const createSweep = (): Sweep => new Float64Array(SWEEP_NUMBERS);

/** Results of a sweep. */
export const MISSES = 0;
export const HITS = 1;
/** It starts in the body, and leaves it. */
const STARTS_IN = 2;
/** It starts and ends in the body, and so stays in it: the body is convex. */
export const STAYS_IN = 3;

/** Sweeps the point. As in the engines, touching counts as inside, and a move that starts inside is not stopped. */
export function sweepPoint(sweep: Sweep): number {
  sweep[W_FRACTION] = 1;
  for (let k = 0; k < 3; k++) sweep[W_NORMAL + k] = 0;
  if (isInside(sweep, W_START)) return isInside(sweep, W_END) ? STAYS_IN : STARTS_IN;
  return sweep[W_RADIUS] === 0 ? sweepSharp(sweep) : sweepRound(sweep);
}

function isInside(sweep: Sweep, point: number): boolean {
  const radius = sweep[W_RADIUS]!;
  let left = radius * radius;
  for (let k = 0; k < 3; k++) {
    const at = sweep[point + k]!;
    const away = Math.max(sweep[W_MINS + k]! - at, at - sweep[W_MAXS + k]!, 0);
    left -= away * away;
  }
  return left >= 0;
}

/** The box by its six planes, in float32 and in the order in which an engine clips the brush of an entity's box. */
function sweepSharp(sweep: Sweep): number {
  const epsilon = sweep[W_EPSILON]!;
  let enter = sweep[W_EPSILON]! * 0 - 1;
  let leave = enter + 2;
  let hit = -1;
  for (let side = 0; side < 6; side++) {
    const axis = side >> 1;
    const start = sweep[W_START + axis]!;
    const end = sweep[W_END + axis]!;
    const isLower = (side & 1) !== 0;
    const bound = sweep[(isLower ? W_MINS : W_MAXS) + axis]!;
    const d1 = isLower ? f(bound - start) : f(start - bound);
    const d2 = isLower ? f(bound - end) : f(end - bound);
    if (d1 > 0 && (d2 >= epsilon || d2 >= d1)) return MISSES;
    if (d1 <= 0 && d2 <= 0) continue;
    if (d1 > d2) {
      const fraction = Math.max(f((d1 - epsilon) / f(d1 - d2)), 0);
      if (fraction <= enter) continue;
      enter = fraction;
      hit = side;
    } else {
      leave = Math.min(leave, f((d1 + epsilon) / f(d1 - d2)));
    }
  }
  // A start outside has one of the sides in front of it.
  if (enter >= leave) return MISSES;
  sweep[W_FRACTION] = enter;
  sweep[W_NORMAL + (hit >> 1)] = (hit & 1) !== 0 ? -1 : 1;
  return HITS;
}

/** The rounded box stops the point where that comes nearer than epsilon, unless it would pass the box if it went on. */
function sweepRound(sweep: Sweep): number {
  const radius = sweep[W_RADIUS]!;
  const epsilon = sweep[W_EPSILON]!;
  sweep[W_KEEP] = radius + epsilon;
  sweep[W_LAST] = 1;
  const zones = meetRound(sweep);
  if (zones < 0) return MISSES;
  const time = sweep[W_FRACTION]!;
  sweep[W_KEEP] = radius + PASSING * epsilon;
  sweep[W_LAST] = Number.POSITIVE_INFINITY;
  const passes = meetRound(sweep) < 0;
  sweep[W_FRACTION] = passes ? 1 : time;
  return passes ? MISSES : stopRound(sweep, zones);
}

/**
 * Between the times at which the point passes one of the box's six planes, the squared distance from the box is a quadratic
 * function of time: seven intervals at most, each solved for the time at which the distance is the one to keep.
 * Writes that time as the fraction. Returns where the point is then, or -1 if that is never.
 */
function meetRound(sweep: Sweep): number {
  const reach = sweep[W_KEEP]!;
  const last = sweep[W_LAST]!;
  let time = reach * 0;
  let next = time;
  // On each axis: 0 below the box, 1 beside it, 2 above it. Stored, not computed from the point, so that no interval comes twice.
  let zones = 0;
  for (let k = 0; k < 3; k++) zones |= zoneOf(sweep, k) << (2 * k);
  for (;;) {
    let a = reach * 0;
    let b = a;
    let c = -reach * reach;
    let passed = -1;
    next = last;
    for (let k = 0; k < 3; k++) {
      const zone = (zones >> (2 * k)) & 3;
      const start = sweep[W_START + k]!;
      const way = sweep[W_END + k]! - start;
      if (zone !== 1) {
        const away = start - sweep[(zone === 0 ? W_MINS : W_MAXS) + k]!;
        a += way * way;
        b += way * away;
        c += away * away;
      }
      if (way === 0 || zone === (way < 0 ? 0 : 2)) continue;
      const plane = sweep[((way < 0 ? zone === 2 : zone === 1) ? W_MAXS : W_MINS) + k]!;
      const crossing = (plane - start) / way;
      if (crossing >= next) continue;
      next = crossing;
      passed = k;
    }
    // It moves away from a convex body, or along it, and so cannot meet it any more.
    if (b + a * time >= 0) return -1;
    const inner = b * b - a * c;
    if (inner >= 0) {
      const root = Math.max(c / (Math.sqrt(inner) - b), time);
      if (root <= next) {
        sweep[W_FRACTION] = root;
        return zones;
      }
    }
    if (passed < 0) return -1;
    zones += (sweep[W_END + passed]! < sweep[W_START + passed]! ? -1 : 1) << (2 * passed);
    time = Math.max(next, time);
  }
}

function zoneOf(sweep: Sweep, axis: number): number {
  const at = sweep[W_START + axis]!;
  if (at < sweep[W_MINS + axis]!) return 0;
  return at > sweep[W_MAXS + axis]! ? 2 : 1;
}

/** The time is passed as the query's fraction: V8 boxes an argument wherever it does not inline this call. */
function stopRound(sweep: Sweep, zones: number): number {
  const time = sweep[W_FRACTION]!;
  sweep[W_FRACTION] = f(time);
  if (sweep[W_FRACTION] === 1) return MISSES;
  let length = time * 0;
  for (let k = 0; k < 3; k++) {
    const start = sweep[W_START + k]!;
    const at = start + time * (sweep[W_END + k]! - start);
    const zone = (zones >> (2 * k)) & 3;
    const nearest = zone === 1 ? at : sweep[(zone === 0 ? W_MINS : W_MAXS) + k]!;
    // With a tiny radius, rounding may leave no distance, or one that is on the other side of the plane.
    const away = (zone - 1) * Math.max((zone - 1) * (at - nearest), 1e-150);
    sweep[W_NORMAL + k] = away;
    length += away * away;
  }
  length = Math.sqrt(length);
  for (let k = 0; k < 3; k++) sweep[W_NORMAL + k]! /= length;
  return HITS;
}
