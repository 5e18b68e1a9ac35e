// Whether there is a place within limits, as planes set them, and which. One question at a time: all of its numbers lie in
// arrays that are used again and again.

/** Steps that may still be taken, each of about ten nanoseconds. Once none are left, no place is found. */
export interface Work {
  left: number;
}

/** Limits at most. */
export const MOST_LIMITS = 112;

/** How far squared lengths of normals may be from 1: what lies a unit behind a plane is as far away from it then. */
const ROUGHEST = 0.001;

/** Limits: three coefficients of the coordinates, and what their sum is at most. */
const limits = new Float64Array(4 * MOST_LIMITS);
/** The box that places lie in besides. */
export const low: Float64Array = new Float64Array(3);
export const high: Float64Array = new Float64Array(3);

/**
 * Sets a limit by its number: behind a plane (normal xyz, dist), or for -1 in front of it, with some room. Returns false for
 * planes without a unit normal, or whose numbers are not finite.
 */
export function setLimit(number: number, plane: ArrayLike<number>, side: 1 | -1, room: number): boolean {
  const at = 4 * number;
  for (let k = 0; k < 3; k++) limits[at + k] = side * plane[k]!;
  limits[at + 3] = side * plane[3]! + room;
  const length = plane[0]! * plane[0]! + plane[1]! * plane[1]! + plane[2]! * plane[2]!;
  return Math.abs(length - 1) < ROUGHEST && Number.isFinite(plane[3]!);
}

/** How far a place lies beyond a limit. */
export function excess(number: number, place: Float64Array): number {
  const at = 4 * number;
  return (
    limits[at]! * place[0]! + limits[at + 1]! * place[1]! + limits[at + 2]! * place[2]! - limits[at + 3]!
  );
}

/** Whether any of the box is within a limit. */
export function mayReach(number: number): boolean {
  let sum = -limits[4 * number + 3]!;
  for (let k = 0; k < 3; k++) {
    const x = limits[4 * number + k]!;
    sum += x * (x > 0 ? low[k]! : high[k]!);
  }
  return sum <= 0;
}

/** So much beyond a limit counts as within it: more than rounding makes of places. Coefficients below the other one count as 0. */
const SLACK = 1e-6;
const LEAST = 1e-7;

/** A linear program in so many coordinates: limits, a box, the direction in which the farthest place is looked for, that. */
interface Program {
  readonly limits: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly aim: Float64Array;
  readonly place: Float64Array;
}

/** By the number of coordinates. Where one is worked out from the others, its box becomes two more limits. */
const PROGRAMS: readonly Program[] = /* @__PURE__ */ [0, 1, 2, 3].map((n) => ({
  limits: n === 3 ? limits : new Float64Array((n + 1) * (limits.length / 4 + 2 * (3 - n))),
  low: n === 3 ? low : new Float64Array(n),
  high: n === 3 ? high : new Float64Array(n),
  aim: new Float64Array(n),
  place: new Float64Array(n),
}));

/** Any direction will do where all that counts is whether there is a place; along this one seldom two lie farthest. */
const ANY = [1, 0.7, 0.4];

/**
 * The place within the first so many limits and the box that lies farthest in a direction, but for rounding; `undefined` where
 * there is none. Of places that have less than 0.01 of room on all sides some are not found.
 */
export function findPlace(count: number, work: Work, aim: ArrayLike<number> = ANY): Float64Array | undefined {
  PROGRAMS[3]!.aim.set(aim);
  return solve(3, count, work) ? PROGRAMS[3]!.place.slice() : undefined;
}

/**
 * R. Seidel's linear programming (1991), limit by limit: where the farthest place up to now is beyond the next one, the new one
 * is at that limit, with a coordinate less to look for. Returns whether there is a place.
 */
function solve(n: number, count: number, work: Work): boolean {
  const { limits, low, high, aim, place } = PROGRAMS[n]!;
  for (let k = 0; k < n; k++) place[k] = aim[k]! > 0 ? high[k]! : low[k]!;
  for (let at = 0; at < count * (n + 1); at += n + 1) {
    if (--work.left < 0) return false;
    let beyond = -limits[at + n]!;
    for (let k = 0; k < n; k++) beyond += limits[at + k]! * place[k]!;
    if (beyond <= SLACK) continue;
    // The coordinate that is worked out from the others.
    let axis = 0;
    for (let k = 1; k < n; k++) if (Math.abs(limits[at + k]!) > Math.abs(limits[at + axis]!)) axis = k;
    const divisor = limits[at + axis]!;
    if (n === 0 || Math.abs(divisor) < LEAST) return false;
    const less = PROGRAMS[n - 1]!;
    // What is left of its box, then of each limit, at this one.
    const before = at / (n + 1);
    for (let k = 0, m = 0; k <= n; k++) {
      if (k === axis) continue;
      const share = limits[at + k]! / divisor;
      less.limits[m] = k < n ? -share : high[axis]! - share;
      less.limits[n + m] = k < n ? share : share - low[axis]!;
      m++;
    }
    for (let from = 0, to = 2 * n; from < at; from += n + 1) {
      const factor = limits[from + axis]! / divisor;
      for (let k = 0; k <= n; k++) {
        if (k !== axis) less.limits[to++] = limits[from + k]! - factor * limits[at + k]!;
      }
    }
    for (let k = 0, m = 0; k < n; k++) {
      if (k === axis) continue;
      less.low[m] = low[k]!;
      less.high[m] = high[k]!;
      less.aim[m++] = aim[k]! - (aim[axis]! * limits[at + k]!) / divisor;
    }
    work.left -= before;
    if (!solve(n - 1, before + 2, work)) return false;
    let sum = limits[at + n]!;
    for (let k = 0, m = 0; k < n; k++) {
      if (k === axis) continue;
      place[k] = less.place[m++]!;
      sum -= limits[at + k]! * place[k]!;
    }
    place[axis] = sum / divisor;
  }
  return true;
}
