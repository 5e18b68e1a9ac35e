import type { Vec3 } from '@bspkit/core';
import { sinCos } from '@bspkit/core/format';

const f = Math.fround;

/** Degrees to radians, in double as the engine has it. */
const RADIANS = (Math.PI * 2) / 360;

/** Sines and cosines of pitch, yaw and roll. */
const turns: Float64Array = /* @__PURE__ */ new Float64Array(6);

/** Places in `Frame.floats`: origin, the rows of the rotation, then the angles that it was made of. */
export const F_ORIGIN = 0;
export const F_ROWS = 3;
export const F_ANGLES = 12;
const FRAME_FLOATS = 15;

/** Where a model stands. Rotation rows are forward, left and up, in world coordinates. */
export interface Frame {
  readonly floats: Float32Array;
  /** Any angle is not zero. */
  rotated: boolean;
}

export function createFrame(): Frame {
  return { floats: new Float32Array(FRAME_FLOATS), rotated: false };
}

/** @param origin - Quake units. */
export function setOrigin({ floats }: Frame, origin: Vec3): void {
  for (let k = 0; k < 3; k++) floats[F_ORIGIN + k] = origin[k]!;
}

/** @param angles - pitch, yaw, roll in degrees. */
export function setAngles(frame: Frame, angles: Vec3): void {
  const rows = frame.floats;
  for (let k = 0; k < 3; k++) {
    rows[F_ANGLES + k] = angles[k]!;
    turns[2 * k] = f(rows[F_ANGLES + k]! * RADIANS);
  }
  sinCos(turns);
  // By the angles themselves: one that is not zero may become so in radians.
  frame.rotated = rows[F_ANGLES] !== 0 || rows[F_ANGLES + 1] !== 0 || rows[F_ANGLES + 2] !== 0;
  const sp = f(turns[0]!);
  const cp = f(turns[1]!);
  const sy = f(turns[2]!);
  const cy = f(turns[3]!);
  const sr = f(turns[4]!);
  const cr = f(turns[5]!);
  rows[F_ROWS] = f(cp * cy);
  rows[F_ROWS + 1] = f(cp * sy);
  rows[F_ROWS + 2] = -sp;
  // The engine computes the right vector and negates it, which decides the sign of zeros.
  rows[F_ROWS + 3] = -f(f(f(-sr * sp) * cy) + f(-cr * -sy));
  rows[F_ROWS + 4] = -f(f(f(-sr * sp) * sy) + f(-cr * cy));
  rows[F_ROWS + 5] = -f(-sr * cp);
  rows[F_ROWS + 6] = f(f(f(cr * sp) * cy) + f(-sr * -sy));
  rows[F_ROWS + 7] = f(f(f(cr * sp) * sy) + f(-sr * cy));
  rows[F_ROWS + 8] = f(cr * cp);
}

/** Brings a point given at `at` in `points` into the model's frame, in place. */
export function intoFrame({ floats, rotated }: Frame, points: Float32Array | Float64Array, at: number): void {
  const x = f(points[at]! - floats[F_ORIGIN]!);
  const y = f(points[at + 1]! - floats[F_ORIGIN + 1]!);
  const z = f(points[at + 2]! - floats[F_ORIGIN + 2]!);
  if (!rotated) {
    points[at] = x;
    points[at + 1] = y;
    points[at + 2] = z;
    return;
  }
  for (let k = 0; k < 3; k++) {
    const row = F_ROWS + 3 * k;
    points[at + k] = f(f(f(floats[row]! * x) + f(floats[row + 1]! * y)) + f(floats[row + 2]! * z));
  }
}

/** Turns a direction given at `at` in `points` out of the model's frame, in place. */
export function rotateOut({ floats }: Frame, points: Float32Array | Float64Array, at: number): void {
  const x = points[at]!;
  const y = points[at + 1]!;
  const z = points[at + 2]!;
  for (let k = 0; k < 3; k++) {
    const column = F_ROWS + k;
    points[at + k] = f(f(f(floats[column]! * x) + f(floats[column + 3]! * y)) + f(floats[column + 6]! * z));
  }
}
