import type { Trace } from '@bspkit/core';
import { checkFilled } from '@bspkit/core/format';
import { AIM, type Kit } from './body.ts';

/** The upward part of AIM. */
export const RISE: number = AIM + 2;

/** Sets the end of the next trace to a place plus AIM. */
export function aim({ end, n }: Kit, from: Float32Array): void {
  end[0] = from[0]! + n[AIM]!;
  end[1] = from[1]! + n[AIM + 1]!;
  end[2] = from[2]! + n[AIM + 2]!;
}

/** Sets AIM straight up or down. The caller writes the distance to RISE: as an argument, the number might be boxed. */
export function aimUp(n: Float64Array): void {
  n[AIM] = 0;
  n[AIM + 1] = 0;
}

/** Traces; the answer is in `out`. */
export function look({ tracer }: Kit, from: Float32Array, to: Float32Array, out: Trace): void {
  checkFilled(tracer.trace(from, to, out), out);
}

/** Copies a place. */
export function place(to: Float32Array, from: ArrayLike<number>): void {
  to[0] = from[0]!;
  to[1] = from[1]!;
  to[2] = from[2]!;
}
