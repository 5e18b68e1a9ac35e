import type { Vec3 } from '../vec.ts';
import { sinCos } from './sincos.ts';

const RADIANS = Math.PI / 180;

/** Sines and cosines of pitch, yaw and roll. */
const turns: Float64Array = /* @__PURE__ */ new Float64Array(6);

/**
 * Writes the rows of a rotation (forward, left, up) into nine places from `at` on. Its angles are pitch, yaw and roll from
 * `first` on, in degrees, as float32. Returns whether there is any rotation. No engine computes it like this: each rounds on the
 * way in a manner of its own.
 */
export function setRotation(to: Float32Array | Float64Array, at: number, angles: Vec3, first = 0): boolean {
  const f = Math.fround;
  const pitch = f(angles[first]!);
  const yaw = f(angles[first + 1]!);
  const roll = f(angles[first + 2]!);
  turns[0] = pitch * RADIANS;
  turns[2] = yaw * RADIANS;
  turns[4] = roll * RADIANS;
  sinCos(turns);
  const sp = turns[0]!;
  const cp = turns[1]!;
  const sy = turns[2]!;
  const cy = turns[3]!;
  const sr = turns[4]!;
  const cr = turns[5]!;
  to[at] = cp * cy;
  to[at + 1] = cp * sy;
  to[at + 2] = -sp;
  to[at + 3] = sr * sp * cy - cr * sy;
  to[at + 4] = sr * sp * sy + cr * cy;
  to[at + 5] = sr * cp;
  to[at + 6] = cr * sp * cy + sr * sy;
  to[at + 7] = cr * sp * sy - sr * cy;
  to[at + 8] = cr * cp;
  return pitch !== 0 || yaw !== 0 || roll !== 0;
}
