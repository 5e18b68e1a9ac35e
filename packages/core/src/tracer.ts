import { checkArrayOf } from './arrays.ts';
import { checkApart, checkBatch, createTraceBatch, TRACE_ARRAYS, type TraceBatch } from './batch.ts';
import { checkCallback, checkChoice, checkObject, checkPoint, checkTrace, failArgument } from './check.ts';
import type { Shape } from './shape.ts';
import { copyPoint, createTrace, resetTrace, type Trace, writeTrace } from './trace.ts';
import type { Pose, Vec3 } from './vec.ts';

/**
 * The common trace interface: a prepared query, that is, a shape and a filter against one world, model or scene. Code
 * that takes a `Tracer` need not know which game the map came from.
 */
export interface Tracer<T extends Trace = Trace> {
  /** The shape that moves. */
  readonly shape: Shape;
  /** A fresh answer of the right kind, to pass to {@link Tracer.trace} as `out` again and again. */
  createTrace(): T;
  /**
   * The closest hit between `start` and `end`. With `out`, that is filled and returned, and nothing is allocated; without it, a
   * new trace is made. Callers who pass `out` read the answer there: a tracer of your own must fill it. Throws `RangeError` when
   * a coordinate is not finite as a float32, `TypeError` for ends that are not three numbers and if `out` is not a trace, and for
   * no other reason. Moves so long that float32 overflows on the way, from about 1e38 units, get what the engine's arithmetic
   * makes of them, which may be NaN.
   */
  trace(start: Vec3, end: Vec3, out?: T): T;
  /** Whether anything is in the way: the same as a trace that has `startSolid` set or a fraction below 1. */
  blocked(start: Vec3, end: Vec3): boolean;
  /**
   * Traces n segments, given as n times six numbers (start, then end), into a structure of arrays: `out`, which is filled in the
   * fields that it has, or a new one with all fields. The same bits as a loop of `trace`. Both may be views of shared memory, but
   * not of the same part of it, and no other thread may change the segments meanwhile. Throws `RangeError` when the length is not
   * a multiple of six, a coordinate is not finite, or `out` has too little room or overlaps the segments, `TypeError` for
   * anything but such arrays, in each case before anything is written.
   */
  traceBatch(segments: Float32Array): TraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  /**
   * Tests n segments as `blocked` does: 1 where something is in the way, 0 where nothing is, into `out` or a new array of
   * n bytes. Throws as `traceBatch` does.
   */
  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array;
}

/** Something that can be moved and rotated: a model, or a tracer of a model or box entity, which moves its target. */
export interface Placeable {
  /**
   * Moves and rotates it. Copies its arguments and allocates nothing. If it throws, nothing has changed.
   * @throws RangeError when a number is not finite.
   */
  place(pose: Pose): this;
}

/** A tracer that can be moved: of a model or a box entity. */
export type Placed<T extends Tracer = Tracer> = T & Placeable;

/** What can be changed on most tracers between traces. Whatever is left out stays as it is. */
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

/** The parts of a tracer for {@link defineTracer}. */
export interface TracerParts<T extends Trace> {
  readonly shape: Shape;
  /** Fills `out`. All but fields of its own have been reset to "nothing hit"; both ends are known to be finite. */
  trace(start: Vec3, end: Vec3, out: T): T;
  /** Makes the answer if the caller does not pass one. Needed if `T` has more fields than `Trace`. */
  createTrace?: (() => T) | undefined;
  /**
   * A faster any-hit test, if there is one. What it returns is taken as a condition: a hit object, as some colliders return, is
   * true, and nothing at all, as from a forgotten `return`, is false.
   */
  blocked?(start: Vec3, end: Vec3): boolean;
  /** Faster batches, if there are any: as {@link Tracer.traceBatch} and {@link Tracer.blockedBatch}. */
  traceBatch?(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never>;
  blockedBatch?(segments: Float32Array, out?: Uint8Array): Uint8Array;
}

/**
 * Whether a finished trace found the way blocked: the meaning of {@link Tracer.blocked}.
 * @throws TypeError for anything but a trace.
 */
export function isBlocked(trace: Trace): boolean {
  checkTrace(trace, 'trace');
  return trace.startSolid || trace.fraction < 1;
}

function fitSegments(segments: Float32Array, room: number | undefined, finite: boolean): number {
  const length = segments.length;
  const count = length / 6;
  if (length % 6 !== 0) failArgument('segments', 'six numbers each', length);
  if (room! < count) failArgument('room in out', `${count} or more`, room);
  // No sum of float32s overflows in double precision, and x - x is 0 for finite x alone.
  let sum = 0;
  for (let i = 0; finite && i < length; ) {
    sum +=
      segments[i++]! + segments[i++]! + segments[i++]! + segments[i++]! + segments[i++]! + segments[i++]!;
  }
  if (sum - sum !== 0) {
    const at = segments.findIndex((x) => x - x !== 0);
    failArgument(`segments[${at}]`, 'a finite float32', segments[at]);
  }
  return count;
}

/**
 * The number of segments in a batch's input; `out` must have room for their answers. Throws as {@link Tracer.traceBatch} says;
 * with `finite` false, coordinates are not checked.
 */
export function checkSegments(segments: Float32Array, out?: TraceBatch<never>, finite = true): number {
  checkArrayOf(segments, Float32Array, 'segments');
  if (out !== undefined) checkBatch(out, TRACE_ARRAYS, segments);
  return fitSegments(segments, out?.count, finite);
}

/**
 * The number of segments in the input of a batch of tests; `out` must have room for their answers. Throws as {@link
 * Tracer.blockedBatch} says; with `finite` false, coordinates are not checked.
 */
export function checkTests(segments: Float32Array, out?: Uint8Array, finite = true): number {
  checkArrayOf(segments, Float32Array, 'segments');
  if (out !== undefined) {
    checkArrayOf(out, Uint8Array, 'out');
    checkApart(out, segments);
  }
  return fitSegments(segments, out?.length, finite);
}

/** The kinds of shapes. */
const SHAPES: readonly string[] = ['ray', 'sphere', 'box', 'capsule', 'ellipsoid'] satisfies Shape['kind'][];

function checkParts<T extends Trace>(parts: TracerParts<T>): void {
  checkObject(parts, 'parts');
  checkObject(parts.shape, 'parts.shape');
  checkChoice(parts.shape.kind, 'parts.shape.kind', SHAPES);
  checkCallback(parts.trace, 'parts.trace');
  for (const name of ['createTrace', 'traceBatch', 'blocked', 'blockedBatch'] as const) {
    if (parts[name] !== undefined) checkCallback(parts[name], `parts.${name}`);
  }
}

/**
 * The default batch: traces the segments one by one through `tracer.trace`.
 * `scratch` is the answer object to reuse; one is made when it is left out. `store` writes an answer into the batch,
 * the fields of every trace by default.
 *
 * @throws RangeError and TypeError as {@link Tracer.traceBatch}; TypeError for anything but a tracer.
 */
export function traceEach<T extends Trace, B extends TraceBatch<never> = TraceBatch>(
  tracer: Pick<Tracer<T>, 'trace' | 'createTrace'>,
  segments: Float32Array,
  out?: B,
  scratch?: T,
  store: (batch: TraceBatch<never>, index: number, trace: T) => void = writeTrace,
): B {
  checkCallback(tracer?.createTrace, 'tracer.createTrace');
  const count = checkSegments(segments, out);
  const batch = (out ?? createTraceBatch(count)) as B;
  const trace = checkTrace(scratch ?? tracer.createTrace(), 'trace');
  const start = new Float32Array(3);
  const end = new Float32Array(3);
  for (let i = 0; i < count; i++) {
    copyPoint(segments, start, 6 * i);
    copyPoint(segments, end, 6 * i + 3);
    const answer = tracer.trace(start, end, trace);
    store(batch, i, answer === trace ? answer : checkTrace(answer, 'trace'));
  }
  return batch;
}

/**
 * The default batch of tests: asks `tracer.blocked` segment by segment.
 * @throws RangeError and TypeError as {@link Tracer.blockedBatch}; TypeError for anything but a tracer.
 */
export function blockedEach(
  tracer: Pick<Tracer, 'blocked'>,
  segments: Float32Array,
  out?: Uint8Array,
): Uint8Array {
  checkCallback(tracer?.blocked, 'tracer.blocked');
  const count = checkTests(segments, out);
  const tests = out ?? new Uint8Array(count);
  const start = new Float32Array(3);
  const end = new Float32Array(3);
  for (let i = 0; i < count; i++) {
    copyPoint(segments, start, 6 * i);
    copyPoint(segments, end, 6 * i + 3);
    tests[i] = tracer.blocked(start, end) ? 1 : 0;
  }
  return tests;
}

/** What a trace works in: both ends, and an answer for callers who only ask whether the way is blocked. */
type Room<T> = readonly [from: Float32Array, to: Float32Array, scratch: T];

/**
 * Makes a tracer from just a `trace` function, with defaults for the rest: ends are checked and copied, the answer is
 * reset first, `blocked` runs a trace, batches go one by one. This is how you use a collider of your own in
 * comparisons, scenes and movement. Its functions may use the tracer themselves.
 *
 * @throws TypeError for a part that is missing or of the wrong kind, and where `createTrace` does not make a trace;
 *   RangeError for an unknown kind of shape.
 */
export function defineTracer<T extends Trace = Trace>(parts: TracerParts<T>): Tracer<T> {
  checkParts(parts);
  const create = parts.createTrace ?? (createTrace as () => T);
  const makeRoom = (): Room<T> => [new Float32Array(3), new Float32Array(3), create()];
  // `undefined` while a trace is using it: a trace within that one, as of a collider that asks itself about other ends, gets a
  // room of its own.
  let free: Room<T> | undefined = makeRoom();
  checkTrace(free[2], 'parts.createTrace()');
  const run = <R>(start: Vec3, end: Vec3, part: (start: Vec3, end: Vec3, out: T) => R, out?: T): R => {
    checkPoint(start, 'start');
    checkPoint(end, 'end');
    const room = free ?? makeRoom();
    free = undefined;
    // Copies, because the ends may lie in the answer that is about to be reset.
    copyPoint(start, room[0]);
    copyPoint(end, room[1]);
    const answer = part.call(parts, room[0], room[1], resetTrace(out === undefined ? room[2] : out));
    free = room;
    return answer;
  };
  const tracer: Tracer<T> = {
    shape: parts.shape,
    createTrace: create,
    trace(start, end, out = create()) {
      return run(start, end, parts.trace, out);
    },
    blocked(start, end) {
      return parts.blocked ? !!run(start, end, parts.blocked) : isBlocked(run(start, end, parts.trace));
    },
    traceBatch<B extends TraceBatch<never> = TraceBatch>(segments: Float32Array, out?: B): B {
      return (parts.traceBatch?.(segments, out) ?? traceEach(tracer, segments, out)) as B;
    },
    blockedBatch(segments, out) {
      return parts.blockedBatch?.(segments, out) ?? blockedEach(tracer, segments, out);
    },
  };
  return tracer;
}
