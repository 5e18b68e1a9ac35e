import { checkSegments, checkTests, type TraceBatch } from '@bspkit/core';
import { findMissed } from '@bspkit/core/format';
import { enter, type Hot, type WasmTracer } from './kernel.ts';
import { BATCH, SEGMENTS } from './layout.ts';

// Batches in WebAssembly, some hundreds of moves per call.

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

/** Traces the segments from the given one on, or tests them. Returns how many. */
function runLot(tracer: WasmTracer, segments: Float32Array, first: number, any: 0 | 1): number {
  const { hot, shape } = tracer;
  const { clearings } = tracer.kernel.target.memory;
  const size = first > 0 ? copyLot(hot, segments, first) : Math.min(BATCH, segments.length / 6);
  hot.exports.batch(shape, any, size);
  if (clearings) findMissed(clearings, segments, first, size);
  if (any) hot.blockers.find();
  return size;
}

/** Traces segments into the arrays that a batch has. Throws as {@link checkSegments} if one is not finite. */
export function traceSegments(tracer: WasmTracer, segments: Float32Array, out: TraceBatch<never>): void {
  const { hot } = tracer;
  if (hot.current !== tracer) enter(tracer);
  // Another thread may be writing to them.
  while (!areFinite(hot, segments)) checkSegments(segments, out);
  for (let first = 0; 6 * first < segments.length; first += BATCH) {
    hot.copyAnswers(out, first, runLot(tracer, segments, first, 0));
  }
}

/** Tests segments. Throws as {@link traceSegments}. */
export function testSegments(tracer: WasmTracer, segments: Float32Array, out: Uint8Array): void {
  const { hot } = tracer;
  if (hot.current !== tracer) enter(tracer);
  while (!areFinite(hot, segments)) checkTests(segments, out);
  for (let first = 0; 6 * first < segments.length; first += BATCH) {
    const size = runLot(tracer, segments, first, 1);
    out.set(hot.tests.subarray(0, size), first);
  }
}
