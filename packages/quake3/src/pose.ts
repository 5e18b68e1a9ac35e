import type { Vec3 } from '@bspkit/core';

const f = Math.fround;

/** Degrees to radians, in double as the engine has it. */
const RADIANS = (Math.PI * 2) / 360;

/** Places in a pose: origin, then the rows of the rotation. */
export const P_ORIGIN = 0;
export const P_ROWS = 3;
const POSE_FLOATS = 12;

/** Where a model stands. Rotation rows are forward, left and up, in world coordinates. */
export interface Pose {
  readonly floats: Float32Array;
  /** Any angle is not zero. */
  rotated: boolean;
}

export function createPose(): Pose {
  return { floats: new Float32Array(POSE_FLOATS), rotated: false };
}

/** @param origin - Quake units. */
export function setOrigin(pose: Pose, origin: Vec3): void {
  for (let k = 0; k < 3; k++) pose.floats[P_ORIGIN + k] = origin[k]!;
}

/** @param angles - pitch, yaw, roll in degrees. */
export function setAngles(pose: Pose, angles: Vec3): void {
  const pitch = f(f(angles[0]!) * RADIANS);
  const yaw = f(f(angles[1]!) * RADIANS);
  const roll = f(f(angles[2]!) * RADIANS);
  pose.rotated = f(angles[0]!) !== 0 || f(angles[1]!) !== 0 || f(angles[2]!) !== 0;
  const sy = f(Math.sin(yaw));
  const cy = f(Math.cos(yaw));
  const sp = f(Math.sin(pitch));
  const cp = f(Math.cos(pitch));
  const sr = f(Math.sin(roll));
  const cr = f(Math.cos(roll));
  const rows = pose.floats;
  rows[P_ROWS] = f(cp * cy);
  rows[P_ROWS + 1] = f(cp * sy);
  rows[P_ROWS + 2] = -sp;
  // The engine computes the right vector and negates it, which decides the sign of zeros.
  rows[P_ROWS + 3] = -f(f(f(-sr * sp) * cy) + f(-cr * -sy));
  rows[P_ROWS + 4] = -f(f(f(-sr * sp) * sy) + f(-cr * cy));
  rows[P_ROWS + 5] = -f(-sr * cp);
  rows[P_ROWS + 6] = f(f(f(cr * sp) * cy) + f(-sr * -sy));
  rows[P_ROWS + 7] = f(f(f(cr * sp) * sy) + f(-sr * cy));
  rows[P_ROWS + 8] = f(cr * cp);
}

/** Brings a point given at `at` in `points` into the model's frame, in place. */
export function intoFrame({ floats, rotated }: Pose, points: Float32Array | Float64Array, at: number): void {
  const x = f(points[at]! - floats[P_ORIGIN]!);
  const y = f(points[at + 1]! - floats[P_ORIGIN + 1]!);
  const z = f(points[at + 2]! - floats[P_ORIGIN + 2]!);
  if (!rotated) {
    points[at] = x;
    points[at + 1] = y;
    points[at + 2] = z;
    return;
  }
  for (let k = 0; k < 3; k++) {
    const row = P_ROWS + 3 * k;
    points[at + k] = f(f(f(floats[row]! * x) + f(floats[row + 1]! * y)) + f(floats[row + 2]! * z));
  }
}

/** Turns a direction given at `at` in `points` out of the model's frame, in place. */
export function rotateOut({ floats }: Pose, points: Float32Array | Float64Array, at: number): void {
  const x = points[at]!;
  const y = points[at + 1]!;
  const z = points[at + 2]!;
  for (let k = 0; k < 3; k++) {
    const column = P_ROWS + k;
    points[at + k] = f(f(f(floats[column]! * x) + f(floats[column + 3]! * y)) + f(floats[column + 6]! * z));
  }
}
