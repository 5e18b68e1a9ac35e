import type { Vec3 } from '@bspkit/core';
import { sinCos } from '@bspkit/core/format';

const f = Math.fround;

/** Degrees to radians, in double as in the engine. */
const RADIANS = Math.PI / 180;

/** Sines and cosines of pitch, yaw and roll. */
const turns: Float64Array = /* @__PURE__ */ new Float64Array(6);

/** Places in a pose: origin, then three rows forward, right and up, and the same rows for the negated angles. */
export const P_ORIGIN = 0;
export const P_ROWS = 3;
export const P_BACK_ROWS = 12;
const POSE_FLOATS = 21;

/** The pose of a model, ready for tracing. */
export interface Placement {
  readonly floats: Float32Array;
  /** Whether any angle is not zero. */
  rotated: boolean;
}

export function createPlacement(): Placement {
  return { floats: new Float32Array(POSE_FLOATS), rotated: false };
}

/** The least float32 above 0: only 0 is less. */
export const LEAST: number = 2 ** -149;

/** Whether three numbers count as zero: closer to it than `least`. */
export function isZero(vector: Vec3, at: number, least: number): boolean {
  for (let k = 0; k < 3; k++) if (!(Math.abs(f(vector[at + k]!)) < least)) return false;
  return true;
}

/** @param origin - in Quake units. */
export function setOrigin(pose: Placement, origin: Vec3): void {
  for (let k = 0; k < 3; k++) pose.floats[P_ORIGIN + k] = origin[k]!;
}

/**
 * @param angles - pitch, yaw and roll in degrees.
 * @param least - angles closer to 0 than this count as 0.
 */
export function setAngles(pose: Placement, angles: Vec3, least: number): void {
  pose.rotated = !isZero(angles, 0, least);
  writeRows(pose.floats, P_ROWS, angles, 1);
  writeRows(pose.floats, P_BACK_ROWS, angles, -1);
}

function writeRows(rows: Float32Array, at: number, angles: Vec3, sign: number): void {
  for (let k = 0; k < 3; k++) turns[2 * k] = f(f(sign * angles[k]!) * RADIANS);
  sinCos(turns);
  const sp = f(turns[0]!);
  const cp = f(turns[1]!);
  const sy = f(turns[2]!);
  const cy = f(turns[3]!);
  const sr = f(turns[4]!);
  const cr = f(turns[5]!);
  rows[at] = cp * cy;
  rows[at + 1] = cp * sy;
  rows[at + 2] = -sp;
  rows[at + 3] = f(f(-sr * sp) * cy) + f(cr * sy);
  rows[at + 4] = f(f(-sr * sp) * sy) - f(cr * cy);
  rows[at + 5] = -sr * cp;
  rows[at + 6] = f(f(cr * sp) * cy) + f(sr * sy);
  rows[at + 7] = f(f(cr * sp) * sy) - f(sr * cy);
  rows[at + 8] = cr * cp;
}

/** Turns the vector at `at` by rows, in place: its parts along forward, left (not right) and up. */
export function turn(rows: Float32Array, row: number, vectors: Float32Array, at: number): void {
  const x = vectors[at]!;
  const y = vectors[at + 1]!;
  const z = vectors[at + 2]!;
  vectors[at] = f(f(rows[row]! * x) + f(rows[row + 1]! * y)) + f(rows[row + 2]! * z);
  vectors[at + 1] = -f(f(f(rows[row + 3]! * x) + f(rows[row + 4]! * y)) + f(rows[row + 5]! * z));
  vectors[at + 2] = f(f(rows[row + 6]! * x) + f(rows[row + 7]! * y)) + f(rows[row + 8]! * z);
}

/** Undoes {@link turn} exactly, for any angles: the rows are perpendicular to each other. */
export function turnBack(rows: Float32Array, row: number, vectors: Float32Array, at: number): void {
  const x = vectors[at]!;
  const y = -vectors[at + 1]!;
  const z = vectors[at + 2]!;
  for (let k = 0; k < 3; k++) {
    vectors[at + k] = f(f(rows[row + k]! * x) + f(rows[row + 3 + k]! * y)) + f(rows[row + 6 + k]! * z);
  }
}
