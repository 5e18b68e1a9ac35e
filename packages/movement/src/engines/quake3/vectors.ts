import { OVERCLIP } from './constants.ts';
import { LENGTH } from './memory.ts';

const f = Math.fround;

// Numbers stay in local variables here: these functions are called many times per command, and reading a number back that has
// just been written to an array takes a while.

/** Leaves the length of a vector in `LENGTH`. */
export function measure(v: Float32Array, at: number): void {
  const x = v[at]!;
  const y = v[at + 1]!;
  const z = v[at + 2]!;
  v[LENGTH] = Math.sqrt(f(f(f(x * x) + f(y * y)) + f(z * z)));
}

/** Makes a vector one unit long; a zero vector stays. Leaves the length, as the engine computes it, in `LENGTH`. */
export function normalise(v: Float32Array, at: number): void {
  const x = v[at]!;
  const y = v[at + 1]!;
  const z = v[at + 2]!;
  const square = f(f(f(x * x) + f(y * y)) + f(z * z));
  if (square === 0) {
    v[LENGTH] = 0;
    return;
  }
  const inverse = f(1 / f(Math.sqrt(square)));
  v[LENGTH] = square * inverse;
  v[at] = x * inverse;
  v[at + 1] = y * inverse;
  v[at + 2] = z * inverse;
}

/**
 * Writes the vector at `from`, clipped by the plane whose normal is at `normal`, to `to`, which may be `from`: a part that goes
 * into the plane is removed a little more than once, a part that comes out of it a little less.
 */
export function clip(v: Float32Array, from: number, normal: number, to: number): void {
  const x = v[from]!;
  const y = v[from + 1]!;
  const z = v[from + 2]!;
  const nx = v[normal]!;
  const ny = v[normal + 1]!;
  const nz = v[normal + 2]!;
  const along = f(f(f(x * nx) + f(y * ny)) + f(z * nz));
  const back = along < 0 ? f(along * OVERCLIP) : f(along / OVERCLIP);
  v[to] = x - f(nx * back);
  v[to + 1] = y - f(ny * back);
  v[to + 2] = z - f(nz * back);
}
