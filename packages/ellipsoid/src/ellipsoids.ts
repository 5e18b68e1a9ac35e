import type { Vec3 } from '@bspkit/core';
import { checkMove, checkObject, checkPoint } from '@bspkit/core/format';
import { checkRadii, isRadius } from './radii.ts';

/** An ellipsoid at a place, with its axes along those of the world. */
export interface Ellipsoid {
  /** In Quake units. */
  readonly center: Vec3;
  /** Along x, y and z, in Quake units: 0.001 to 1,000,000 each. */
  readonly radii: Vec3;
}

type Point = [number, number, number];

/** Newton's method stops when a step changes the result by no more than this, relative to it. */
const PRECISION = 1e-14;
/** The most steps; about ten are usual. */
const MOST_STEPS = 200;

/** Throws unless an ellipsoid is valid, as `checkPoint` and `checkRadii` do. */
export function checkEllipsoid(ellipsoid: Ellipsoid, name: string): void {
  checkObject(ellipsoid, name, 'an ellipsoid: { center, radii }');
  checkPoint(ellipsoid.center, `${name}.center`);
  checkRadii(ellipsoid.radii, `${name}.radii`);
}

/** Whether {@link checkEllipsoid} would accept it, without a name and so without allocation. */
export function isEllipsoid(ellipsoid: Ellipsoid): boolean {
  const { center, radii } = ellipsoid ?? {};
  if (!center || !radii) return false;
  for (let k = 0; k < 3; k++) {
    const x: unknown = center[k];
    if (typeof x !== 'number' || !Number.isFinite(Math.fround(x)) || !isRadius(radii[k])) return false;
  }
  return true;
}

/**
 * How far an ellipsoid reaches in a direction, that is, how far from its centre the plane is that touches it there, in Quake
 * units. Source: Physics in BSP-Trees, CALCULATE-COLLISIONRADIUS, with three radii.
 *
 * @param radii - along x, y and z, in Quake units: 0.001 to 1,000,000 each.
 * @param direction - of unit length; otherwise the answer is scaled by its length.
 * @throws RangeError for a radius out of range, or a direction that is not finite.
 */
export function radiusInDirection(radii: Vec3, direction: Vec3): number {
  checkRadii(radii);
  checkPoint(direction, 'direction');
  return reachIn(radii, direction);
}

/** {@link radiusInDirection} for checked arguments. */
function reachIn(radii: Vec3, direction: Vec3): number {
  const x = radii[0]! * direction[0]!;
  const y = radii[1]! * direction[1]!;
  const z = radii[2]! * direction[2]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/** A query is a run of doubles, so that no number is boxed: a point seen from an ellipsoid's centre, and its move. */
export const POINT = 0;
const MOVE = 3;
/** The ellipsoid's radii. */
export const SIZE = 6;
/** The answer: the way from the nearest point, and its length. */
export const AWAY = 9;
export const DISTANCE = 12;
/** The result of {@link findMultiplier}. */
export const MULTIPLIER = 13;
export const SCALED_NUMBERS = 14;

/**
 * Finds the multiplier that gives the nearest point of an ellipsoid around the origin: q = r² p / (r² + λ). The sum that must be
 * 1 decreases and is convex, so Newton's method comes from below and never goes too far. 0 for a point inside.
 */
function findMultiplier(scaled: Float64Array): void {
  const ax = scaled[SIZE]! * scaled[SIZE]!;
  const ay = scaled[SIZE + 1]! * scaled[SIZE + 1]!;
  const az = scaled[SIZE + 2]! * scaled[SIZE + 2]!;
  const bx = ax * scaled[POINT]! * scaled[POINT]!;
  const by = ay * scaled[POINT + 1]! * scaled[POINT + 1]!;
  const bz = az * scaled[POINT + 2]! * scaled[POINT + 2]!;
  // For a point outside, the answer is at least this: from far away there would be many steps.
  const least = Math.sqrt(bx + by + bz) - Math.max(ax, ay, az);
  let lambda = 0.5 - 0.5;
  for (let step = 0; step < MOST_STEPS; step++) {
    const dx = 1 / (ax + lambda);
    const dy = 1 / (ay + lambda);
    const dz = 1 / (az + lambda);
    const tx = bx * dx * dx;
    const ty = by * dy * dy;
    const tz = bz * dz * dz;
    const excess = tx + ty + tz - 1;
    if (!(excess > 0)) break;
    let next = lambda + excess / (2 * (tx * dx + ty * dy + tz * dz));
    if (step === 0 && next < least) next = least;
    if (!(next > lambda * (1 + PRECISION))) break;
    lambda = next;
  }
  scaled[MULTIPLIER] = lambda;
}

/**
 * The point of an ellipsoid that is nearest to a point; the point itself when it is inside.
 *
 * @param radii - along x, y and z, in Quake units: 0.001 to 1,000,000 each.
 * @throws RangeError when a coordinate is not finite, or a radius is out of range.
 */
export function nearestOnEllipsoid(center: Vec3, radii: Vec3, point: Vec3): Point {
  checkPoint(center, 'center');
  checkRadii(radii);
  checkPoint(point, 'point');
  const scaled = new Float64Array(SCALED_NUMBERS);
  for (let k = 0; k < 3; k++) {
    scaled[POINT + k] = point[k]! - center[k]!;
    scaled[SIZE + k] = radii[k]!;
  }
  findMultiplier(scaled);
  if (scaled[MULTIPLIER] === 0) return [point[0]!, point[1]!, point[2]!];
  return [0, 1, 2].map((k) => {
    const square = radii[k]! * radii[k]!;
    return center[k]! + (square * scaled[POINT + k]!) / (square + scaled[MULTIPLIER]!);
  }) as Point;
}

/**
 * Whether two ellipsoids overlap by the document's test: whether their centres are closer than the sum of their radii along the
 * line between them. It misses no overlap, but says no if the two only touch, and says yes too early if the line is oblique to
 * the axes: the radius in a direction is that of the touching plane, not of the surface on the line. Source: Physics in
 * BSP-Trees, OBJECTS-COLLIDE.
 */
export function ellipsoidsTouchBySum(a: Ellipsoid, b: Ellipsoid): boolean {
  checkEllipsoid(a, 'a');
  checkEllipsoid(b, 'b');
  const [x, y, z] = [0, 1, 2].map((k) => b.center[k]! - a.center[k]!) as Point;
  const distance = Math.sqrt(x * x + y * y + z * z);
  if (distance === 0) return true;
  const direction = [x / distance, y / distance, z / distance];
  return distance < reachIn(a.radii, direction) + reachIn(b.radii, direction);
}

/**
 * Whether two ellipsoids touch or overlap: exactly, except for the last bits. Tests one's centre against the Minkowski sum of
 * both.
 */
export function ellipsoidsTouch(a: Ellipsoid, b: Ellipsoid): boolean {
  checkEllipsoid(a, 'a');
  checkEllipsoid(b, 'b');
  const scaled = new Float64Array(SCALED_NUMBERS);
  scaleTo(a.radii, b.radii, scaled);
  for (let k = 0; k < 3; k++) scaled[POINT + k] = (a.center[k]! - b.center[k]!) / a.radii[k]!;
  findDistance(scaled);
  return scaled[DISTANCE]! <= 1;
}

// The sweep of an ellipsoid against another: space is divided by the mover's radii, which makes the mover a ball of radius 1 and
// the other still an ellipsoid; then the time is searched for at which the centre's distance from that is 1.

/**
 * The sweep's answer in {@link EllipsoidPair.answer}: time, normal (unit, in space), how far both reach into each other at the
 * start, in Quake units.
 */
export const PAIR_TIME = 0;
export const PAIR_NORMAL = 1;
export const PAIR_OVERLAP = 4;

/** A pair that is swept again and again without allocation. */
export interface EllipsoidPair {
  readonly scaled: Float64Array;
  readonly answer: Float64Array;
}

export function createPair(): EllipsoidPair {
  return { scaled: new Float64Array(SCALED_NUMBERS), answer: new Float64Array(5) };
}

function scaleTo(mover: Vec3, other: Vec3, scaled: Float64Array): void {
  for (let k = 0; k < 3; k++) scaled[SIZE + k] = other[k]! / mover[k]!;
}

/** Finds how far the point is from the scaled ellipsoid, 0 inside, and the way from its nearest point. */
export function findDistance(scaled: Float64Array): void {
  findMultiplier(scaled);
  const lambda = scaled[MULTIPLIER]!;
  let square = 0.5 - 0.5;
  for (let k = 0; k < 3; k++) {
    const size = scaled[SIZE + k]! * scaled[SIZE + k]!;
    const away = (scaled[POINT + k]! * lambda) / (size + lambda);
    scaled[AWAY + k] = away;
    square += away * away;
  }
  scaled[DISTANCE] = Math.sqrt(square);
}

/** Within this, the scaled distance counts as 1. */
const TOUCHING = 1e-12;
/** An approach slower than this share of the speed counts as none; both in space, as in the sweep against polygons. */
const GRAZING = 1e-9;

/**
 * When a moving ellipsoid first touches one that does not move, and the normal there; returns false if it does not. If they
 * overlap at the start, it is met at time 0 if the move goes deeper. `move` begins at `start` relative to the other's centre. The
 * distance is convex in time, so Newton's method comes from the near side and never goes too far.
 */
export function sweepPair(pair: EllipsoidPair, mover: Vec3, other: Vec3, start: Vec3, end: Vec3): boolean {
  const { scaled, answer } = pair;
  scaleTo(mover, other, scaled);
  let speed = 0.5 - 0.5;
  for (let k = 0; k < 3; k++) {
    const move = end[k]! - start[k]!;
    scaled[MOVE + k] = move / mover[k]!;
    speed += move * move;
  }
  speed = Math.sqrt(speed);
  answer[PAIR_OVERLAP] = -1;
  let time = 0.5 - 0.5;
  for (let step = 0; step < MOST_STEPS; step++) {
    for (let k = 0; k < 3; k++) scaled[POINT + k] = start[k]! / mover[k]! + time * scaled[MOVE + k]!;
    findDistance(scaled);
    const distance = scaled[DISTANCE]!;
    if (distance === 0) centreInside(scaled);
    const size = distance || 1;
    let approach = 0.5 - 0.5;
    // The scaled distance falls by this much per unit.
    let fall = 0.5 - 0.5;
    for (let k = 0; k < 3; k++) {
      const away = scaled[AWAY + k]! / size;
      approach -= away * scaled[MOVE + k]!;
      fall += (away / mover[k]!) * (away / mover[k]!);
    }
    if (step === 0 && distance < 1) measureOverlap(pair, mover);
    if (!(approach > GRAZING * speed * Math.sqrt(fall))) return false;
    if (distance <= 1 + TOUCHING) break;
    time += (distance - 1) / approach;
    if (time >= 1) return false;
  }
  answer[PAIR_TIME] = time;
  let length = 0.5 - 0.5;
  for (let k = 0; k < 3; k++) {
    const normal = scaled[AWAY + k]! / mover[k]!;
    answer[PAIR_NORMAL + k] = normal;
    length += normal * normal;
  }
  length = Math.sqrt(length);
  for (let k = 0; k < 3; k++) answer[PAIR_NORMAL + k]! /= length;
  return true;
}

/**
 * Writes how far the mover reaches into the other one, at most: what it has to move by on the way out, which has been found. Of
 * two ellipsoids, another way may be shorter.
 */
function measureOverlap({ scaled, answer }: EllipsoidPair, mover: Vec3): void {
  const distance = scaled[DISTANCE]!;
  const size = distance || 1;
  // The scaled distance rises by this much per unit.
  let rise = 0.5 - 0.5;
  // Where the way leaves the other one: the root of |(p + t h) / s|² = 1, for a centre inside.
  let square = 0.5 - 0.5;
  let half = 0.5 - 0.5;
  let rest = 1.5 - 0.5;
  for (let k = 0; k < 3; k++) {
    const way = scaled[AWAY + k]! / size;
    const at = scaled[POINT + k]! / scaled[SIZE + k]!;
    rise += (way / mover[k]!) * (way / mover[k]!);
    square += (way / scaled[SIZE + k]!) * (way / scaled[SIZE + k]!);
    half += (way / scaled[SIZE + k]!) * at;
    rest -= at * at;
  }
  const inside =
    distance === 0 ? Math.max(rest, 0) / (half + Math.sqrt(half * half + square * Math.max(rest, 0))) : 0;
  answer[PAIR_OVERLAP] = (1 - distance + inside) / Math.sqrt(rise);
}

/** Inside the other one, the way out is that of the ellipsoid through the point, or upwards from the very centre. */
function centreInside(scaled: Float64Array): void {
  let length = 0.5 - 0.5;
  for (let k = 0; k < 3; k++) {
    const away = scaled[POINT + k]! / (scaled[SIZE + k]! * scaled[SIZE + k]!);
    scaled[AWAY + k] = away;
    length += away * away;
  }
  length = Math.sqrt(length);
  if (length < 1e-12) {
    scaled[AWAY] = 0;
    scaled[AWAY + 1] = 0;
    scaled[AWAY + 2] = 1;
    return;
  }
  for (let k = 0; k < 3; k++) scaled[AWAY + k]! /= length;
}

/**
 * When an ellipsoid on its way from its centre to `end` first touches another, from 0 to 1: exact to 1e-9.
 *
 * @returns undefined when it does not; time 0 when they overlap at the start and the move goes deeper.
 * @throws RangeError when a coordinate is not finite, or a radius is not in 0.001 to 1,000,000.
 */
export function sweepEllipsoids(
  moving: Ellipsoid,
  end: Vec3,
  other: Ellipsoid,
): { readonly time: number; readonly normal: readonly [number, number, number] } | undefined {
  checkEllipsoid(moving, 'moving');
  checkMove(moving.center, end);
  checkEllipsoid(other, 'other');
  const pair = createPair();
  const from = [0, 1, 2].map((k) => moving.center[k]! - other.center[k]!);
  const to = [0, 1, 2].map((k) => end[k]! - other.center[k]!);
  if (!sweepPair(pair, moving.radii, other.radii, from, to)) return undefined;
  const { answer } = pair;
  return { time: answer[PAIR_TIME]!, normal: [answer[1]!, answer[2]!, answer[3]!] };
}
