// Whether there is a place within limits that planes set, and which. One question at a time: all numbers are in arrays that are
// used again and again.

/** Steps that may still be taken, each about ten nanoseconds. Once there are none left, no place is found. */
export interface Work {
  left: number;
}

/** The most limits. */
export const MOST_LIMITS = 112;

/** How far the squared length of a normal may be from 1, so that what is a unit behind a plane is about a unit away from it. */
const ROUGHEST = 0.001;

/** Limits: three coefficients of the coordinates, and the most that the sum of their products may be. */
const limits = new Float64Array(4 * MOST_LIMITS);
/** The box that places must be in as well. */
export const low: Float64Array = new Float64Array(3);
export const high: Float64Array = new Float64Array(3);

/**
 * Sets limit `number`: behind a plane (normal xyz, dist), or in front of it for -1, with some room. Returns false for planes
 * without a unit normal, or with numbers that are not finite.
 */
export function setLimit(number: number, plane: ArrayLike<number>, side: 1 | -1, room: number): boolean {
  const at = 4 * number;
  for (let k = 0; k < 3; k++) limits[at + k] = side * plane[k]!;
  limits[at + 3] = side * plane[3]! + room;
  const length = plane[0]! * plane[0]! + plane[1]! * plane[1]! + plane[2]! * plane[2]!;
  return Math.abs(length - 1) < ROUGHEST && Number.isFinite(plane[3]!);
}

/** How far a place is beyond a limit. */
export function excess(number: number, place: Float64Array): number {
  const at = 4 * number;
  return (
    limits[at]! * place[0]! + limits[at + 1]! * place[1]! + limits[at + 2]! * place[2]! - limits[at + 3]!
  );
}

/** Whether any part of the box is within a limit. */
export function mayReach(number: number): boolean {
  let sum = -limits[4 * number + 3]!;
  for (let k = 0; k < 3; k++) {
    const x = limits[4 * number + k]!;
    sum += x * (x > 0 ? low[k]! : high[k]!);
  }
  return sum <= 0;
}

/**
 * A place up to this far beyond a limit counts as within it: more than rounding moves places. Coefficients below `LEAST` count as
 * 0.
 */
const SLACK = 1e-6;
const LEAST = 1e-7;

/** A linear program: limits, a box, the direction in which the farthest place is wanted, and that place. */
interface Program {
  readonly limits: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly aim: Float64Array;
  readonly place: Float64Array;
}

/** By the number of coordinates. Where one coordinate follows from the others, its box becomes two more limits. */
const PROGRAMS: readonly Program[] = /* @__PURE__ */ [0, 1, 2, 3].map((n) => ({
  limits: n === 3 ? limits : new Float64Array((n + 1) * (limits.length / 4 + 2 * (3 - n))),
  low: n === 3 ? low : new Float64Array(n),
  high: n === 3 ? high : new Float64Array(n),
  aim: new Float64Array(n),
  place: new Float64Array(n),
}));

/** Any direction will do if the question is only whether there is a place; along this one, there is seldom a tie. */
const ANY = [1, 0.7, 0.4];

/**
 * The place within the first `count` limits and the box that is farthest in a direction, apart from rounding; `undefined` if
 * there is none. May miss places with less than 0.01 of room on all sides.
 */
export function findPlace(count: number, work: Work, aim: ArrayLike<number> = ANY): Float64Array | undefined {
  PROGRAMS[3]!.aim.set(aim);
  return solve(3, count, work) ? PROGRAMS[3]!.place.slice() : undefined;
}

/**
 * R. Seidel's linear programming (1991), limit by limit: where the farthest place so far is beyond the next limit, the new one is
 * on that limit, with one coordinate less to find. Returns whether there is a place.
 */
function solve(n: number, count: number, work: Work): boolean {
  const { limits, low, high, aim, place } = PROGRAMS[n]!;
  for (let k = 0; k < n; k++) place[k] = aim[k]! > 0 ? high[k]! : low[k]!;
  for (let at = 0; at < count * (n + 1); at += n + 1) {
    if (--work.left < 0) return false;
    let beyond = -limits[at + n]!;
    for (let k = 0; k < n; k++) beyond += limits[at + k]! * place[k]!;
    if (beyond <= SLACK) continue;
    // The coordinate that follows from the others on the limit.
    let axis = 0;
    for (let k = 1; k < n; k++) if (Math.abs(limits[at + k]!) > Math.abs(limits[at + axis]!)) axis = k;
    if (n === 0 || Math.abs(limits[at + axis]!) < LEAST) return false;
    const less = PROGRAMS[n - 1]!;
    const before = at / (n + 1);
    restrict(PROGRAMS[n]!, n, at, axis, less);
    work.left -= before;
    if (!solve(n - 1, before + 2, work)) return false;
    let sum = limits[at + n]!;
    for (let k = 0, m = 0; k < n; k++) {
      if (k === axis) continue;
      place[k] = less.place[m++]!;
      sum -= limits[at + k]! * place[k]!;
    }
    place[axis] = sum / limits[at + axis]!;
  }
  return true;
}

/** Writes what is left of a program, and of the limits before the one at `at`, for places on that one: without its `axis`. */
function restrict(
  { limits, low, high, aim }: Program,
  n: number,
  at: number,
  axis: number,
  less: Program,
): void {
  const divisor = limits[at + axis]!;
  // What the box says of the coordinate that is left out becomes two limits for the others.
  for (let k = 0, m = 0; k < n; k++) {
    if (k === axis) continue;
    const share = limits[at + k]! / divisor;
    less.limits[m] = -share;
    less.limits[n + m] = share;
    less.low[m] = low[k]!;
    less.high[m] = high[k]!;
    less.aim[m++] = aim[k]! - (aim[axis]! * limits[at + k]!) / divisor;
  }
  const rest = limits[at + n]! / divisor;
  less.limits[n - 1] = high[axis]! - rest;
  less.limits[2 * n - 1] = rest - low[axis]!;
  for (let from = 0, to = 2 * n; from < at; from += n + 1) {
    const factor = limits[from + axis]! / divisor;
    for (let k = 0; k <= n; k++) {
      if (k !== axis) less.limits[to++] = limits[from + k]! - factor * limits[at + k]!;
    }
  }
}
