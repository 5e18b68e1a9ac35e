import { DOT, dot } from '../../vectors.ts';
import { OVERCLIP } from './constants.ts';
import { LENGTH } from './memory.ts';

const f = Math.fround;

/** Leaves the length of a vector in `LENGTH`. */
export function measure(v: Float32Array, at: number): void {
  dot(v, at, at);
  v[LENGTH] = Math.sqrt(v[DOT]!);
}

/** Makes a vector one unit long; one of no length stays. Leaves the length, as the engine works it out, in `LENGTH`. */
export function normalise(v: Float32Array, at: number): void {
  dot(v, at, at);
  const square = v[DOT]!;
  if (square === 0) {
    v[LENGTH] = 0;
    return;
  }
  const inverse = f(1 / f(Math.sqrt(square)));
  v[LENGTH] = square * inverse;
  v[at] = v[at]! * inverse;
  v[at + 1] = v[at + 1]! * inverse;
  v[at + 2] = v[at + 2]! * inverse;
}

/**
 * Writes the vector at `from` less its part across the plane whose normal is at `normal` to `to`, which may be `from`:
 * what goes into the plane is taken away a little more than once, what comes out of it a little less.
 */
export function clip(v: Float32Array, from: number, normal: number, to: number): void {
  dot(v, from, normal);
  const along = v[DOT]!;
  const back = along < 0 ? f(along * OVERCLIP) : f(along / OVERCLIP);
  v[to] = v[from]! - f(v[normal]! * back);
  v[to + 1] = v[from + 1]! - f(v[normal + 1]! * back);
  v[to + 2] = v[from + 2]! - f(v[normal + 2]! * back);
}
