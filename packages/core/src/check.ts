import type { CapsuleSize } from './shape.ts';
import type { Bounds, Pose, Vec3 } from './vec.ts';

/**
 * Throws `RangeError` naming the argument unless `point` holds three numbers that are finite as float32.
 * `name` is the argument's name.
 */
export function checkPoint(point: Vec3, name: string): void {
  const x = Math.fround(point[0]!);
  const y = Math.fround(point[1]!);
  const z = Math.fround(point[2]!);
  // x - x is 0 for finite x and NaN for the rest, which is cheaper than three calls of Number.isFinite.
  if (x - x + (y - y) + (z - z) !== 0) failPoint(point, name);
}

function failPoint(point: Vec3, name: string): never {
  const axis = [0, 1, 2].find((k) => !Number.isFinite(Math.fround(point[k]!)))!;
  throw new RangeError(`${name}[${axis}] must be a finite float32, got ${point[axis]}`);
}

/** {@link checkPoint} for the two ends of a move, named `start` and `end`. */
export function checkMove(start: Vec3, end: Vec3): void {
  checkPoint(start, 'start');
  checkPoint(end, 'end');
}

/** Throws `RangeError` unless `radius` is finite as a float32 and not negative. */
export function checkRadius(radius: number, name = 'radius'): void {
  if (!(radius >= 0 && Number.isFinite(Math.fround(radius)))) {
    throw new RangeError(`${name} must be a finite float32, 0 or more, got ${radius}`);
  }
}

/** Throws `RangeError` unless both corners are finite and no component of `mins` is above that of `maxs`. */
export function checkBounds(mins: Vec3, maxs: Vec3): void {
  checkPoint(mins, 'mins');
  checkPoint(maxs, 'maxs');
  for (let k = 0; k < 3; k++) {
    if (mins[k]! > maxs[k]!) {
      throw new RangeError(`mins[${k}] must not be above maxs[${k}], got ${mins[k]} and ${maxs[k]}`);
    }
  }
}

/** Throws `RangeError` unless `value` is a whole number in `0 .. count - 1`. */
export function checkNumber(value: number, count: number, name: string): void {
  if (!Number.isInteger(value) || value < 0 || value >= count) {
    const range = count > 0 ? `a whole number in 0..${count - 1}` : 'absent: there are none';
    throw new RangeError(`${name} must be ${range}, got ${value}`);
  }
}

/** Throws `RangeError` unless `value` is a whole number of 32 bits, signed or not: contents, masks, flags. */
export function checkMask(value: number, name: string): void {
  if (!Number.isInteger(value) || value < -0x80000000 || value > 0xffffffff) {
    throw new RangeError(`${name} must be 32 bits, got ${value}`);
  }
}

/** Copies a box after {@link checkBounds}. `to` holds typed arrays of its own. */
export function copyBounds(mins: Vec3, maxs: Vec3, to: Bounds): void {
  checkBounds(mins, maxs);
  for (let k = 0; k < 3; k++) {
    (to.mins as Float32Array)[k] = mins[k]!;
    (to.maxs as Float32Array)[k] = maxs[k]!;
  }
}

/** {@link checkPoint} for what a pose has. */
export function checkPose({ origin, angles }: Pose): void {
  if (origin) checkPoint(origin, 'origin');
  if (angles) checkPoint(angles, 'angles');
}

/**
 * The box around a capsule of some size, centred on the traced point.
 * Throws `RangeError` unless the radius is 0 or more and the height twice that or more.
 */
export function capsuleBounds({ radius, height }: CapsuleSize): { mins: number[]; maxs: number[] } {
  checkRadius(radius);
  if (!(height >= 2 * radius && Number.isFinite(Math.fround(height)))) {
    throw new RangeError(`height must be twice the radius or more, got ${height}`);
  }
  const maxs = [radius, radius, height / 2];
  return { mins: maxs.map((x) => -x), maxs };
}
