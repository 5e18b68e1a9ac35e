import { checkFinite } from '@bspkit/core/format';

// Three-component vectors at places in one float32 array, rounded after each operation. Written out for each axis: they are
// called all the time. Single numbers are passed through places in the array too, as arguments may be boxed.

const f = Math.fround;

/** The place where {@link dot} leaves its result, in all such arrays. */
export const DOT = 0;
/** The place of the factor that {@link scale} and {@link addScaled} use. The places after it are free. */
export const BY = 1;

/** Leaves the dot product of the vectors at two places in `DOT`. */
export function dot(v: Float32Array, a: number, b: number): void {
  v[DOT] = f(f(v[a]! * v[b]!) + f(v[a + 1]! * v[b + 1]!)) + f(v[a + 2]! * v[b + 2]!);
}

/** Writes the cross product of the vectors at two places to a third. */
export function cross(v: Float32Array, a: number, b: number, to: number): void {
  const ax = v[a]!;
  const ay = v[a + 1]!;
  const az = v[a + 2]!;
  const bx = v[b]!;
  const by = v[b + 1]!;
  const bz = v[b + 2]!;
  v[to] = f(ay * bz) - f(az * by);
  v[to + 1] = f(az * bx) - f(ax * bz);
  v[to + 2] = f(ax * by) - f(ay * bx);
}

export function copy(v: Float32Array, from: number, to: number): void {
  v[to] = v[from]!;
  v[to + 1] = v[from + 1]!;
  v[to + 2] = v[from + 2]!;
}

export function clear(v: Float32Array, at: number): void {
  v[at] = 0;
  v[at + 1] = 0;
  v[at + 2] = 0;
}

/** Multiplies a vector by `BY`. */
export function scale(v: Float32Array, at: number): void {
  const by = v[BY]!;
  v[at] = v[at]! * by;
  v[at + 1] = v[at + 1]! * by;
  v[at + 2] = v[at + 2]! * by;
}

/** Writes the vector at `from`, plus `BY` times that at `along`, to `to`. */
export function addScaled(v: Float32Array, from: number, along: number, to: number): void {
  const by = v[BY]!;
  v[to] = v[from]! + f(v[along]! * by);
  v[to + 1] = v[from + 1]! + f(v[along + 1]! * by);
  v[to + 2] = v[from + 2]! + f(v[along + 2]! * by);
}

/** Copies a vector from elsewhere to a place. */
export function put(v: Float32Array, to: number, from: ArrayLike<number>): void {
  v[to] = from[0]!;
  v[to + 1] = from[1]!;
  v[to + 2] = from[2]!;
}

/** Copies the vector at a place to elsewhere. */
export function take(v: Float32Array, from: number, to: Float32Array): void {
  to[0] = v[from]!;
  to[1] = v[from + 1]!;
  to[2] = v[from + 2]!;
}

/**
 * Throws `RangeError` where a move has led beyond float32, before any result is written back. Most of what is traced throws on
 * the way, but not everything is traced: some players move through walls.
 */
export function checkEnd(
  v: Float32Array,
  origin: number,
  velocity: number,
  originName = 'origin',
  velocityName = 'velocity',
): void {
  for (let k = 0; k < 3; k++) {
    const at = v[origin + k]!;
    const speed = v[velocity + k]!;
    // x - x is 0 only for finite numbers.
    if (at - at + (speed - speed) === 0) continue;
    checkFinite(at, `${originName}[${k}] at the end of the move`);
    checkFinite(speed, `${velocityName}[${k}] at the end of the move`);
  }
}
