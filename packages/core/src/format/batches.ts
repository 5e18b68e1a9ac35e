import {
  createTraceBatch,
  TRACE_ARRAYS,
  type TraceArrays,
  type TraceBatch,
  type TraceField,
  widthOf,
} from '../batch.ts';
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

/** Copies `count` answers of a kernel to places from `first` on, in the fields that both have. */
export type CopyAnswers = (batch: TraceBatch<never>, first: number, count: number) => void;

/**
 * What copies a kernel's answers to batches. Views of as many as last time are kept: batches are often of one size, and making
 * views would take longer than the traces of a small one.
 *
 * @param places - where in the kernel's memory its answers begin, by field; arrays as in a batch.
 */
export function copierOf(
  buffer: ArrayBuffer,
  places: Readonly<Partial<Record<TraceField, number>>>,
): CopyAnswers {
  const fields = Object.keys(places) as TraceField[];
  let size = -1;
  let views: { readonly field: TraceField; readonly width: number; readonly answers: Float32Array }[] = [];
  return (batch, first, count) => {
    if (count !== size) {
      size = count;
      views = fields.map((field) => {
        const width = widthOf(field);
        const Numbers = TRACE_ARRAYS[field] as Float32ArrayConstructor;
        return { field, width, answers: new Numbers(buffer, places[field], width * count) };
      });
    }
    const arrays = batch as Partial<TraceArrays>;
    for (const { field, width, answers } of views) arrays[field]?.set(answers, width * first);
  };
}

function endsOf(segments: Float32Array, index: number): [start: Float32Array, end: Float32Array] {
  const at = 6 * index;
  return [segments.subarray(at, at + 3), segments.subarray(at + 3, at + 6)];
}
