import { checkSegments, checkTests, type TraceBatch, type TraceField } from '@bspkit/core';
import { findMissed } from '@bspkit/core/format';
import { enter, type Hot, type WasmTracer } from './kernel.ts';
import {
  ALL_ALL_SOLID,
  ALL_BRUSH,
  ALL_CONTENTS,
  ALL_DIST,
  ALL_END_POS,
  ALL_FRACTION,
  ALL_MODEL,
  ALL_NORMAL,
  ALL_PATCH,
  ALL_PLANE,
  ALL_SIDE,
  ALL_START_SOLID,
  ALL_SURFACE_FLAGS,
  ALL_TEXTURE,
  BATCH,
  SEGMENTS,
} from './layout.ts';

// Batches in WebAssembly, some hundreds of moves per call.

/** Where each of a batch's arrays is in the kernel's memory, and how many numbers it has per answer. */
const FLOATS: readonly [field: TraceField, place: number, width: number][] = [
  ['fraction', ALL_FRACTION, 1],
  ['endPos', ALL_END_POS, 3],
  ['normal', ALL_NORMAL, 3],
  ['dist', ALL_DIST, 1],
];
const INTS: readonly [field: TraceField, place: number][] = [
  ['contents', ALL_CONTENTS],
  ['surfaceFlags', ALL_SURFACE_FLAGS],
  ['model', ALL_MODEL],
  ['brush', ALL_BRUSH],
  ['side', ALL_SIDE],
  ['texture', ALL_TEXTURE],
  ['patch', ALL_PATCH],
  ['plane', ALL_PLANE],
];
const BYTES: readonly [field: TraceField, place: number][] = [
  ['startSolid', ALL_START_SOLID],
  ['allSolid', ALL_ALL_SOLID],
];

/** An array of the kernel's memory that answers of a batch are copied from. */
interface BatchArray {
  readonly field: TraceField;
  readonly width: number;
  readonly from: Float32Array | Int32Array | Uint8Array;
}

/**
 * Views of this many answers in the kernel's memory. They are kept, because small batches would spend most of their time on
 * making them.
 */
export interface BatchViews {
  readonly size: number;
  readonly arrays: readonly BatchArray[];
  readonly tests: Uint8Array;
}

function batchViews(hot: Hot, size: number): BatchViews {
  if (hot.batch?.size === size) return hot.batch;
  const { buffer } = hot.ints;
  const arrays = [
    ...FLOATS.map(([field, place, width]) => {
      return { field, width, from: new Float32Array(buffer, place, width * size) };
    }),
    ...INTS.map(([field, place]) => ({ field, width: 1, from: new Int32Array(buffer, place, size) })),
    ...BYTES.map(([field, place]) => ({ field, width: 1, from: new Uint8Array(buffer, place, size) })),
  ];
  hot.batch = { size, arrays, tests: new Uint8Array(buffer, ALL_START_SOLID, size) };
  return hot.batch;
}

/** Copies as many segments, from the given one on, as fit into the kernel's memory. Returns how many. */
function copyLot({ floats }: Hot, segments: Float32Array, first: number): number {
  const isAll = segments.length <= 6 * BATCH;
  const lot = isAll ? segments : segments.subarray(6 * first, 6 * (first + BATCH));
  floats.set(lot, SEGMENTS / 4);
  return lot.length / 6;
}

/** Whether all numbers of segments are finite. If they are, the first segments are left in the kernel's memory. */
function areFinite(hot: Hot, segments: Float32Array): boolean {
  const count = segments.length / 6;
  for (let first = count - 1 - ((count - 1) % BATCH); first >= 0; first -= BATCH) {
    if (hot.exports.finite(copyLot(hot, segments, first)) === 0) return false;
  }
  return true;
}

/** Traces the segments from the given one on, or tests them. Returns where the answers are. */
function runLot(tracer: WasmTracer, segments: Float32Array, first: number, any: 0 | 1): BatchViews {
  const { hot, shape } = tracer;
  const { clearings } = tracer.kernel.target.memory;
  const size = first > 0 ? copyLot(hot, segments, first) : Math.min(BATCH, segments.length / 6);
  hot.exports.batch(shape, any, size);
  if (clearings) findMissed(clearings, segments, first, size);
  if (any) hot.blockers.find();
  return batchViews(hot, size);
}

/** Traces segments into the arrays that a batch has. Throws as {@link checkSegments} if one is not finite. */
export function traceSegments(tracer: WasmTracer, segments: Float32Array, out: TraceBatch<never>): void {
  const { hot } = tracer;
  if (hot.current !== tracer) enter(tracer);
  // Another thread may be writing to them.
  while (!areFinite(hot, segments)) checkSegments(segments, out);
  const wanted: Partial<TraceBatch> = out;
  for (let first = 0; 6 * first < segments.length; first += BATCH) {
    const { arrays } = runLot(tracer, segments, first, 0);
    for (const { field, width, from } of arrays) wanted[field]?.set(from, width * first);
  }
}

/** Tests segments. Throws as {@link traceSegments}. */
export function testSegments(tracer: WasmTracer, segments: Float32Array, out: Uint8Array): void {
  const { hot } = tracer;
  if (hot.current !== tracer) enter(tracer);
  while (!areFinite(hot, segments)) checkTests(segments, out);
  for (let first = 0; 6 * first < segments.length; first += BATCH) {
    out.set(runLot(tracer, segments, first, 1).tests, first);
  }
}
