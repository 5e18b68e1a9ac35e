import { createTraceBatch, type TraceBatch } from '../batch.ts';
import { type Trace, writeTrace } from '../trace.ts';
import { checkSegments, checkTests, type Tracer } from '../tracer.ts';

// Batches for kernels that answer many moves at once, except for a few that they leave to the tracer.

/**
 * `tracer.traceBatch` on top of a kernel. `answer` fills the batch, and calls `traceOne` with the number of each segment that the
 * kernel has no answer for.
 *
 * @param scratch - the answer object to trace these with; `store` writes it into the batch.
 */
export function traceTogether<T extends Trace>(
  tracer: Tracer<T>,
  segments: Float32Array,
  out: TraceBatch<never> | undefined,
  scratch: T,
  answer: (batch: TraceBatch<never>, traceOne: (index: number) => void) => void,
  store: (batch: TraceBatch<never>, index: number, trace: T) => void = writeTrace,
): TraceBatch<never> {
  const count = checkSegments(segments, out);
  const batch = out ?? createTraceBatch(count);
  answer(batch, (index) => {
    const [start, end] = endsOf(segments, index);
    store(batch, index, tracer.trace(start, end, scratch));
  });
  return batch;
}

/** As {@link traceTogether}, for `tracer.blockedBatch`. */
export function testTogether(
  tracer: Tracer,
  segments: Float32Array,
  out: Uint8Array | undefined,
  answer: (tests: Uint8Array, testOne: (index: number) => void) => void,
): Uint8Array {
  const count = checkTests(segments, out);
  const tests = out ?? new Uint8Array(count);
  answer(tests, (index) => {
    const [start, end] = endsOf(segments, index);
    tests[index] = tracer.blocked(start, end) ? 1 : 0;
  });
  return tests;
}

function endsOf(segments: Float32Array, index: number): [start: Float32Array, end: Float32Array] {
  const at = 6 * index;
  return [segments.subarray(at, at + 3), segments.subarray(at + 3, at + 6)];
}
