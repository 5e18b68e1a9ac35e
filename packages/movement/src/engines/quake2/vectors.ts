import { LENGTH } from './memory.ts';

const f = Math.fround;

/** Leaves the length of a vector in `LENGTH`. */
export function measure(v: Float32Array, at: number): void {
  const x = v[at]!;
  const y = v[at + 1]!;
  const z = v[at + 2]!;
  v[LENGTH] = Math.sqrt(f(f(f(x * x) + f(y * y)) + f(z * z)));
}

/** Makes a vector one unit long; a zero vector stays. Leaves its previous length in `LENGTH`. */
export function normalise(v: Float32Array, at: number): void {
  measure(v, at);
  const length = v[LENGTH]!;
  if (length === 0) return;
  const inverse = f(1 / length);
  v[at] = v[at]! * inverse;
  v[at + 1] = v[at + 1]! * inverse;
  v[at + 2] = v[at + 2]! * inverse;
}
