import { DOT, dot } from '../../vectors.ts';

const f = Math.fround;

/** Leaves the length of a vector at `length`, and makes it one unit long; a zero vector stays. */
export function normalise(v: Float32Array, at: number, length: number): void {
  dot(v, at, at);
  const size = f(Math.sqrt(v[DOT]!));
  v[length] = size;
  if (size === 0) return;
  const inverse = f(1 / size);
  v[at] = v[at]! * inverse;
  v[at + 1] = v[at + 1]! * inverse;
  v[at + 2] = v[at + 2]! * inverse;
}
