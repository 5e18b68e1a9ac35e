import type { Pose, Vec3 } from '@bspkit/core';
import { PLACE_POINT, POSE_ANGLES, POSE_ORIGIN, sinCos, takePlace } from '@bspkit/core/format';

// How Half-Life turns brush models: points are turned into the model's frame by the rows forward, -right, up, in float32.

/** Degrees to radians, as a double. */
const RADIANS = (Math.PI * 2) / 360;

/** Sines and cosines of pitch, yaw and roll. */
const turns: Float64Array = /* @__PURE__ */ new Float64Array(6);

/** Writes the rows of a model turned by pitch, yaw and roll in degrees: forward, -right, up, three numbers each. */
export function setRows(angles: Vec3, rows: Float32Array): void {
  const f = Math.fround;
  for (let k = 0; k < 3; k++) turns[2 * k] = f(angles[k]! * RADIANS);
  sinCos(turns);
  const sp = f(turns[0]!);
  const cp = f(turns[1]!);
  const sy = f(turns[2]!);
  const cy = f(turns[3]!);
  const sr = f(turns[4]!);
  const cr = f(turns[5]!);
  const srsp = f(sr * sp);
  const crsp = f(cr * sp);
  rows[0] = cp * cy;
  rows[1] = cp * sy;
  rows[2] = -sp;
  rows[3] = f(srsp * cy) - f(cr * sy);
  rows[4] = f(srsp * sy) + f(cr * cy);
  rows[5] = sr * cp;
  rows[6] = f(crsp * cy) + f(sr * sy);
  rows[7] = f(crsp * sy) - f(sr * cy);
  rows[8] = cr * cp;
}

/** Turns the three numbers at `at` into the frame of the rows, in float32. */
export function turnIn(numbers: Float32Array | Float64Array, at: number, rows: Float32Array): void {
  const f = Math.fround;
  const x = numbers[at]!;
  const y = numbers[at + 1]!;
  const z = numbers[at + 2]!;
  for (let k = 0; k < 3; k++) {
    const xy = f(f(x * rows[3 * k]!) + f(y * rows[3 * k + 1]!));
    numbers[at + k] = f(xy + f(z * rows[3 * k + 2]!));
  }
}

/** Turns a direction in the frame of the rows back, in float32. */
export function turnOut(direction: Float32Array, rows: Float32Array): void {
  const f = Math.fround;
  const x = direction[0]!;
  const y = direction[1]!;
  const z = direction[2]!;
  for (let k = 0; k < 3; k++) {
    const xy = f(f(x * rows[k]!) + f(y * rows[3 + k]!));
    direction[k] = f(xy + f(z * rows[6 + k]!));
  }
}

const frame: Float32Array = /* @__PURE__ */ new Float32Array(9);

/** Writes a point in the frame of a model at a pose, which turns only if `turns`, to the beginning of `to`, in float32. */
export function enterPose(
  to: Float32Array | Float64Array,
  point: Vec3,
  { origin, angles }: Pose,
  turns: boolean,
): void {
  takePlace(point, origin, angles);
  for (let k = 0; k < 3; k++) to[k] = Math.fround(PLACE_POINT[k]! - POSE_ORIGIN[k]!);
  if (!turns || !angles) return;
  setRows(POSE_ANGLES, frame);
  turnIn(to, 0, frame);
}
