import type { Trace } from '@bspkit/core';
import { checkFilled } from '@bspkit/core/format';
import { AIM, type Kit } from './body.ts';

/** Of AIM, what is upward. */
export const RISE: number = AIM + 2;

/** Sets where the next trace ends, by AIM from a place. */
export function aim({ end, n }: Kit, from: Float32Array): void {
  end[0] = from[0]! + n[AIM]!;
  end[1] = from[1]! + n[AIM + 1]!;
  end[2] = from[2]! + n[AIM + 2]!;
}

/** Sets AIM straight up or down; how far, whoever calls writes to RISE: passed on, the number may be boxed. */
export function aimUp(n: Float64Array): void {
  n[AIM] = 0;
  n[AIM + 1] = 0;
}

/** Has the tracer fill `out`. */
export function look({ tracer }: Kit, from: Float32Array, to: Float32Array, out: Trace): void {
  checkFilled(tracer.trace(from, to, out), out);
}

/** Sets a place to another. */
export function place(to: Float32Array, from: ArrayLike<number>): void {
  to[0] = from[0]!;
  to[1] = from[1]!;
  to[2] = from[2]!;
}
