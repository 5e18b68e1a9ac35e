import { checkBatch, createTraceBatch, storeTrace, type TraceBatch } from './batch.ts';
import {
  checkCallback,
  checkChoice,
  checkMove,
  checkObject,
  checkTrace,
  checkTracer,
  failArgument,
} from './check.ts';
import type { Shape } from './shape.ts';
import { createTrace, resetTrace, type Trace } from './trace.ts';
import type { Pose, Vec3 } from './vec.ts';

/**
 * The common trace interface: a prepared query, that is a shape and a filter against one world, model or scene.
 * Whoever takes a `Tracer` need not know which game the map came from.
 */
export interface Tracer<T extends Trace = Trace> {
  /** What is being moved. */
  readonly shape: Shape;
  /** A fresh answer of the right kind, to be handed to {@link Tracer.trace} as `out` again and again. */
  createTrace(): T;
  /**
   * The closest hit on the way from `start` to `end`. With `out` nothing is allocated; without it a new trace is made.
   * Throws `RangeError` when a coordinate is not finite as a float32, `TypeError` for ends that are not three numbers and
   * for an `out` that is no trace, and nothing else.
   */
  trace(start: Vec3, end: Vec3, out?: T): T;
  /** Whether anything is in the way: the same as a trace that has `startSolid` set or a fraction below 1. */
  blocked(start: Vec3, end: Vec3): boolean;
  /**
   * Traces n segments, given as n times six numbers (start, then end), into a structure of arrays.
   * Throws `RangeError` when the length is not a multiple of six or `out` has too little room, `TypeError` for anything
   * but such arrays.
   */
  traceBatch(segments: Float32Array, out?: TraceBatch): TraceBatch;
}

/** What can be moved and turned: tracers of models and entities, which move what is traced against, or a model itself. */
export interface Placeable {
  /**
   * Moves and turns it. Copies what it is given and allocates nothing. Nothing changes when it throws.
   * @throws RangeError when a number is not finite.
   */
  place(pose: Pose): this;
}

/** What may be changed on most tracers between traces. What is left out stays as it is. */
export interface TracerChanges {
  /** Contents that stop the trace. */
  readonly mask?: number | undefined;
  /** For spheres: in Quake units, 0 or more. */
  readonly radius?: number | undefined;
  /** For boxes and capsules: corners in Quake units, relative to the traced point. */
  readonly mins?: Vec3 | undefined;
  readonly maxs?: Vec3 | undefined;
}

/** A tracer whose filter and size can be changed in place. */
export interface Changeable {
  /**
   * Changes filter or size, all or nothing, without allocation.
   * @throws RangeError naming the argument that is out of range; TypeError for one that this tracer does not have.
   */
  set(changes: TracerChanges): this;
}

/** The parts of a tracer that have no sound default. */
export interface TracerParts<T extends Trace> {
  readonly shape: Shape;
  /** Fills `out`, which has been reset to "nothing hit"; both ends have been checked to be finite. */
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
  checkTrace(trace, 'trace');
  return trace.startSolid || trace.fraction < 1;
}

/**
 * Makes a tracer from a `trace` function alone, with defaults for the rest: ends are checked and copied, the answer is
 * reset first, `blocked` traces and looks, `traceBatch` traces one by one. This is how a collider of your own joins
 * comparisons, scenes and movement.
 */
export function defineTracer<T extends Trace = Trace>(parts: TracerParts<T>): Tracer<T> {
  checkParts(parts);
  const create = parts.createTrace ?? (createTrace as () => T);
  const scratch = create();
  checkTrace(scratch, 'what parts.createTrace returns');
  // Copies, because the ends may lie in the answer that is about to be reset.
  const from = new Float32Array(3);
  const to = new Float32Array(3);
  const take = (start: Vec3, end: Vec3): void => {
    checkMove(start, end);
    for (let k = 0; k < 3; k++) {
      from[k] = start[k]!;
      to[k] = end[k]!;
    }
  };
  const tracer: Tracer<T> = {
    shape: parts.shape,
    createTrace: create,
    trace(start, end, out = create()) {
      checkTrace(out, 'out');
      take(start, end);
      return parts.trace(from, to, resetTrace(out));
    },
    blocked(start, end) {
      take(start, end);
      return parts.blocked?.(from, to) ?? isBlocked(parts.trace(from, to, resetTrace(scratch)));
    },
    traceBatch: (segments, out) =>
      parts.traceBatch ? parts.traceBatch(segments, out) : traceEach(tracer, segments, out, scratch),
  };
  return tracer;
}

/** What can be moved. */
const SHAPES: readonly string[] = ['ray', 'sphere', 'box', 'capsule', 'ellipsoid'] satisfies Shape['kind'][];

function checkParts<T extends Trace>(parts: TracerParts<T>): void {
  checkObject(parts, 'parts');
  checkObject(parts.shape, 'parts.shape');
  checkChoice(parts.shape.kind, SHAPES, 'parts.shape.kind');
  checkCallback(parts.trace, 'parts.trace');
  for (const name of ['createTrace', 'blocked', 'traceBatch'] as const) {
    if (parts[name] !== undefined) checkCallback(parts[name], `parts.${name}`);
  }
}

/**
 * The default batch: traces the segments one by one through `tracer.trace`.
 * `scratch` is the answer object to reuse; one is made when it is left out. `store` writes an answer into the batch,
 * {@link storeTrace} by default.
 */
export function traceEach<T extends Trace>(
  tracer: Pick<Tracer<T>, 'trace' | 'createTrace'>,
  segments: Float32Array,
  out?: TraceBatch,
  scratch: T = createFor(tracer),
  store: (batch: TraceBatch, index: number, trace: T) => void = storeTrace,
): TraceBatch {
  const count = checkSegments(segments, out);
  const batch = out ?? createTraceBatch(count);
  const start = new Float32Array(3);
  const end = new Float32Array(3);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      start[k] = segments[6 * i + k]!;
      end[k] = segments[6 * i + 3 + k]!;
    }
    store(batch, i, tracer.trace(start, end, scratch));
  }
  return batch;
}

function createFor<T extends Trace>(tracer: Pick<Tracer<T>, 'trace' | 'createTrace'>): T {
  checkTracer(tracer, 'tracer');
  return tracer.createTrace();
}

/** The number of segments in a batch's input. Throws as {@link Tracer.traceBatch} says. */
export function checkSegments(segments: Float32Array, out?: TraceBatch): number {
  if (!(segments instanceof Float32Array)) failArgument('segments', 'a Float32Array', segments);
  const count = segments.length / 6;
  if (!Number.isInteger(count)) {
    throw new RangeError(`segments must hold six numbers per segment, got ${segments.length} numbers`);
  }
  if (out !== undefined) checkBatch(out, count, 'out');
  return count;
}
