// Float32 vectors of the reference: every operation is rounded, sums run left to right.

const f = Math.fround;

export type Point = readonly [number, number, number];

/** A vector made axis by axis. */
export const each = (make: (axis: 0 | 1 | 2) => number): Point => [make(0), make(1), make(2)];

/** A vector from an array, rounded to float32. */
export const three = (from: ArrayLike<number>, at = 0): Point => each((k) => f(from[at + k]!));

export const add = (a: Point, b: Point): Point => each((k) => f(a[k] + b[k]));

export const subtract = (a: Point, b: Point): Point => each((k) => f(a[k] - b[k]));

export const negate = (a: Point): Point => each((k) => -a[k]);

export const dot = (a: Point, b: Point): number => f(f(f(a[0] * b[0]) + f(a[1] * b[1])) + f(a[2] * b[2]));

/** The point at fraction `t` of the way from `a` to `b`. */
export const lerp = (a: Point, b: Point, t: number): Point => each((k) => f(a[k] + f(t * f(b[k] - a[k]))));

/** Numerically: 0 and -0 are the same place. */
export const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1] && a[2] === b[2];
