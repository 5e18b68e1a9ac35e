import { isArrayOf } from './arrays.ts';
import {
  checkChoice,
  checkFlag,
  checkList,
  checkOptions,
  checkTrace,
  checkWhole,
  failArgument,
} from './check.ts';
import { createBuffer } from './format/bytes.ts';
import { type Trace, writeTrace } from './trace.ts';

/** Arrays of a batch: element i belongs to segment i. */
export interface TraceArrays {
  /** {@link Trace.fraction} of each answer. */
  readonly fraction: Float32Array;
  /** {@link Trace.endPos}: three numbers per answer. */
  readonly endPos: Float32Array;
  /** {@link Trace.normal}: three numbers per answer. */
  readonly normal: Float32Array;
  /** {@link Trace.dist} of each answer. */
  readonly dist: Float32Array;
  /** {@link Trace.startSolid}: 1 or 0. */
  readonly startSolid: Uint8Array;
  /** {@link Trace.allSolid}: 1 or 0. */
  readonly allSolid: Uint8Array;
  /** {@link Trace.contents} of each answer. */
  readonly contents: Int32Array;
  /** {@link Trace.surfaceFlags} of each answer. */
  readonly surfaceFlags: Int32Array;
  /** {@link Trace.model} of each answer. */
  readonly model: Int32Array;
  /** {@link Trace.brush} of each answer. */
  readonly brush: Int32Array;
  /** {@link Trace.side} of each answer. */
  readonly side: Int32Array;
  /** {@link Trace.texture} of each answer. */
  readonly texture: Int32Array;
  /** {@link Trace.patch} of each answer. */
  readonly patch: Int32Array;
  /** {@link Trace.plane} of each answer. */
  readonly plane: Int32Array;
}

/** Name of an array of a batch. */
export type TraceField = keyof TraceArrays;

/**
 * Answers of many traces as a structure of arrays, with the chosen fields of a trace: all of them by default.
 * `TraceBatch<never>` is any batch, whatever its fields. Arrays of your own must not share memory with each other: nobody checks
 * that.
 */
export type TraceBatch<Field extends TraceField = TraceField> = Pick<TraceArrays, Field> & {
  /** How many answers it has room for. */
  readonly count: number;
};

/** Options of {@link createTraceBatch}. */
export interface TraceBatchOptions<Field extends TraceField = TraceField> {
  /** Which arrays to make; all by default. Fields that a batch does not have are not written, and cost nothing. */
  readonly fields?: readonly Field[] | undefined;
  /** Put the arrays into a `SharedArrayBuffer`, which other threads can read and write. False by default. */
  readonly shared?: boolean | undefined;
}

/** The type of each array of a batch, by field. */
export type ArrayTypes = Readonly<
  Record<string, Float32ArrayConstructor | Int32ArrayConstructor | Uint8ArrayConstructor>
>;

/** What kind of array a batch has for each field of a trace. */
// Not in the order of a trace's fields: V8 would take this and traces for objects of one layout, and box their numbers.
export const TRACE_ARRAYS: Record<TraceField, ArrayTypes[string]> = {
  plane: Int32Array,
  fraction: Float32Array,
  endPos: Float32Array,
  normal: Float32Array,
  dist: Float32Array,
  startSolid: Uint8Array,
  allSolid: Uint8Array,
  contents: Int32Array,
  surfaceFlags: Int32Array,
  model: Int32Array,
  brush: Int32Array,
  side: Int32Array,
  texture: Int32Array,
  patch: Int32Array,
};

/** Numbers per answer in an array of this name. */
export const widthOf = (field: string): number => (field === 'endPos' || field === 'normal' ? 3 : 1);

/**
 * Where batches made here have their buffer. They are frozen, so that nobody can have put other arrays into them, and copies do not
 * have it. A `WeakMap` would take as long as the rest of making a batch.
 */
const BUFFER = /* @__PURE__ */ Symbol();

/** As many as arrays of three numbers per answer can hold. */
const MOST_TRACES = 0x2aaaaaaa;

/**
 * Room for `count` answers. All arrays are views on one buffer: to send them to another thread, transfer that buffer once. The
 * batch is frozen, so that traces into it need not check its arrays each time.
 * @throws RangeError unless `count` is a whole number, 0 or more, and for an unknown field; TypeError for `shared` where there
 *   is no `SharedArrayBuffer`, as in pages that are not cross-origin isolated.
 */
export function createTraceBatch<Field extends TraceField = TraceField>(
  count: number,
  options: TraceBatchOptions<Field> = {},
): TraceBatch<Field> {
  return createArrays(count, options, TRACE_ARRAYS) as TraceBatch<Field>;
}

/** Room for `count` answers in arrays of the given types, by field name. */
export function createArrays(
  count: number,
  options: { readonly fields?: readonly string[] | undefined; readonly shared?: boolean | undefined },
  types: ArrayTypes,
): { readonly count: number } {
  checkWhole(count, 'count', 0, MOST_TRACES);
  checkOptions(options, ['fields', 'shared']);
  const known = Object.keys(types);
  const { fields = known, shared } = options;
  checkFlag(shared, 'shared');
  checkList(fields, 'fields');
  // One buffer for all: allocating a buffer takes longer than tracing a few moves. Byte arrays get room for words too.
  let room = 0;
  for (const field of fields) {
    checkChoice(field, 'fields', known);
    room += 4 * widthOf(field) * count;
  }
  const buffer = createBuffer(room, shared);
  const batch: Record<string, unknown> & { count: number } = { count };
  Object.defineProperty(batch, BUFFER, { value: buffer });
  for (const field of fields) {
    const size = widthOf(field) * count;
    room -= 4 * size;
    batch[field] = new (types[field] as Float32ArrayConstructor)(buffer, room, size);
  }
  return Object.freeze(batch);
}

/**
 * Throws `TypeError` unless `batch` is a batch, and `RangeError` where it shares memory with the segments whose answers are
 * written to it.
 */
export function checkBatch(batch: TraceBatch<never>, types: ArrayTypes, segments: Float32Array): void {
  // Looking at every array would take longer than the traces of a small batch. Without room, the buffer was transferred.
  const made = (batch as { readonly [BUFFER]?: ArrayBufferLike } | undefined)?.[BUFFER];
  if (made?.byteLength && made !== segments.buffer) return;
  const room = batch?.count;
  let fits = Number.isInteger(room) && room >= 0;
  // Not with `in`: old libraries add methods to all objects.
  for (const field of Object.keys(types)) {
    const array = batch?.[field as never] as Float32Array | undefined;
    if (array === undefined) continue;
    fits &&= isArrayOf(array, types[field] as Float32ArrayConstructor, widthOf(field) * room);
    if (fits) checkApart(array, segments);
  }
  if (!fits) failArgument('out', 'made by createTraceBatch', batch, false);
}

/** Throws `RangeError` where answers and segments share memory. */
export function checkApart(out: ArrayBufferView, segments: Float32Array): void {
  if (
    out.buffer === segments.buffer &&
    out.byteOffset < segments.byteOffset + segments.byteLength &&
    segments.byteOffset < out.byteOffset + out.byteLength
  ) {
    throw new RangeError('out must not overlap segments');
  }
}

/**
 * Writes one answer into place `index` of a batch, in the fields that the batch has.
 *
 * @param index - from 0 to the batch's `count` - 1.
 * @throws RangeError for any other index, TypeError for anything but a batch and a trace; nothing is written then.
 */
export function storeTrace(out: TraceBatch<never> & Partial<TraceArrays>, index: number, trace: Trace): void {
  checkTrace(trace, 'trace');
  // An index that the batch does not have must throw before anything is written.
  if (!(out?.count >= 0)) failArgument('out', 'made by createTraceBatch', out, false);
  checkWhole(index, 'index', 0, out.count - 1);
  writeTrace(out, index, trace);
}
