import { createTrace, type Trace } from '@bspkit/core';

/** The answer of any tracer of this package. */
export interface Quake1Trace extends Trace {
  /**
   * Where the move was stopped, in the frame of what was traced: the model's as in the file, and for a hull that of its own
   * origin. `surfaceAt` uses it.
   */
  localEnd: Float32Array;
  /** Hull that was moved: 0 for a ray. */
  hull: number;
}

/** The answer of a hull tracer. */
export interface HullTrace extends Quake1Trace {
  /** The move touched empty space. */
  inOpen: boolean;
  /** The move touched water, slime, lava, sky or a current. */
  inWater: boolean;
}

/** A fresh hull trace. */
export function createHullTrace(): HullTrace {
  const localEnd = new Float32Array(3);
  // Not spread: that gives V8 several layouts of one object, and then boxed numbers.
  return Object.assign(createTrace(), { localEnd, inOpen: false, inWater: false, hull: 0 });
}

/**
 * The local end of an answer, a new one where there is none: code that knows no formats may have made the answer by `createTrace`,
 * and what was there may have been transferred to another thread.
 */
export function localEndOf(out: Quake1Trace): Float32Array {
  if (out.localEnd?.[2] === undefined) out.localEnd = new Float32Array(3);
  return out.localEnd;
}
