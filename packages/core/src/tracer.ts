import { createTraceBatch, storeTrace, type TraceBatch } from './batch.ts';
import type { Shape } from './shape.ts';
import { createTrace, type Trace } from './trace.ts';
import type { Vec3 } from './vec.ts';

/**
 * The common trace interface: a prepared query, that is a shape and a filter against one world, model or scene.
 * Whoever takes a `Tracer` need not know which game the map came from.
 */
export interface Tracer<T extends Trace = Trace> {
  /** What is being moved. */
  readonly shape: Shape;
  /**
   * The closest hit on the way from `start` to `end`. With `out` nothing is allocated; without it a new trace is made.
   * Throws `RangeError` when a coordinate is not finite as a float32, and for nothing else.
   */
  trace(start: Vec3, end: Vec3, out?: T): T;
  /** Whether anything is in the way: the same as a trace that has `startSolid` set or a fraction below 1. */
  blocked(start: Vec3, end: Vec3): boolean;
  /**
   * Traces n segments, given as n times six numbers (start, then end), into a structure of arrays.
   * Throws `RangeError` when the length is not a multiple of six or `out` has too little room.
   */
  traceBatch(segments: Float32Array, out?: TraceBatch): TraceBatch;
}

/** The parts of a tracer that have no sound default. */
export interface TracerParts<T extends Trace> {
  readonly shape: Shape;
  trace(start: Vec3, end: Vec3, out: T): T;
  /** Makes the answer when the caller brings none. Needed where `T` has more fields than `Trace`. */
  createTrace?: () => T;
  /** A faster any-hit test, where there is one. */
  blocked?(start: Vec3, end: Vec3): boolean;
  /** A faster batch, where there is one. */
  traceBatch?(segments: Float32Array, out?: TraceBatch): TraceBatch;
}

/** Whether a finished trace found the way blocked: the meaning of {@link Tracer.blocked}. */
export function isBlocked(trace: Trace): boolean {
  return trace.startSolid || trace.fraction < 1;
}

/**
 * Makes a tracer from a `trace` function alone, with defaults for the rest: `blocked` traces and looks,
 * `traceBatch` traces one by one. This is how a user's own collider joins comparisons, scenes and movement.
 */
export function defineTracer<T extends Trace = Trace>(parts: TracerParts<T>): Tracer<T> {
  const create = parts.createTrace ?? (createTrace as () => T);
  const scratch = create();
  const tracer: Tracer<T> = {
    shape: parts.shape,
    trace: (start, end, out = create()) => parts.trace(start, end, out),
    blocked: (start, end) =>
      parts.blocked ? parts.blocked(start, end) : isBlocked(parts.trace(start, end, scratch)),
    traceBatch: (segments, out) =>
      parts.traceBatch ? parts.traceBatch(segments, out) : traceEach(tracer, segments, out, scratch),
  };
  return tracer;
}

/**
 * The default batch: traces the segments one by one through `tracer.trace`.
 * `scratch` is the answer object to reuse; one is made when it is left out. `store` writes an answer into the batch:
 * {@link storeTrace} unless told.
 */
export function traceEach<T extends Trace>(
  tracer: Pick<Tracer<T>, 'trace'>,
  segments: Float32Array,
  out?: TraceBatch,
  scratch?: T,
  store: (batch: TraceBatch, index: number, trace: T) => void = storeTrace,
): TraceBatch {
  const count = checkSegments(segments, out);
  const batch = out ?? createTraceBatch(count);
  const start = new Float32Array(3);
  const end = new Float32Array(3);
  let answer = scratch;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      start[k] = segments[6 * i + k]!;
      end[k] = segments[6 * i + 3 + k]!;
    }
    answer = tracer.trace(start, end, answer);
    store(batch, i, answer);
  }
  return batch;
}

/** The number of segments in a batch's input. Throws `RangeError` as {@link Tracer.traceBatch} says. */
export function checkSegments(segments: Float32Array, out?: TraceBatch): number {
  const count = segments.length / 6;
  if (!Number.isInteger(count)) {
    throw new RangeError(`segments must hold six numbers a segment, got ${segments.length} numbers`);
  }
  if (out && out.count < count) {
    throw new RangeError(`out has room for ${out.count} traces, but there are ${count} segments`);
  }
  return count;
}
