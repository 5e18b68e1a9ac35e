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

/** How a kernel takes in the segments of a batch. */
export interface Intake {
  /** Room for some in its memory, six numbers each. */
  readonly segments: Float32Array;
  /** Whether the first `count` there are finite: 1 or 0. */
  finite(count: number): number;
}

/** The segments of a batch on their way to a kernel. */
export interface Moves {
  readonly segments: Float32Array;
  /**
   * Passes them to the kernel, as many at a time as it has room for: `answer` has it answer `count` of them, which begin with
   * number `first`. Throws if any is not finite, before the first call.
   */
  passTo(intake: Intake, answer: (first: number, count: number) => void): void;
  /** Leaves the segment of this number to the tracer. */
  askOne(index: number): void;
}

/**
 * `tracer.traceBatch` on top of a kernel: `answer` fills the batch.
 *
 * @param scratch - the answer object for what the kernel leaves to the tracer; `store` writes it into the batch.
 */
export function traceTogether<T extends Trace>(
  tracer: Tracer<T>,
  segments: Float32Array,
  out: TraceBatch<never> | undefined,
  scratch: T | undefined,
  answer: (batch: TraceBatch<never>, moves: Moves) => void,
  store: (batch: TraceBatch<never>, index: number, trace: T) => void = writeTrace,
): TraceBatch<never> {
  const count = checkSegments(segments, out, false);
  const batch = out ?? createTraceBatch(count);
  const askOne = (index: number): void => {
    const [start, end] = endsOf(segments, index);
    store(batch, index, tracer.trace(start, end, scratch));
  };
  answer(
    batch,
    movesOf(segments, () => checkSegments(segments, out), askOne),
  );
  return batch;
}

/** As {@link traceTogether}, for `tracer.blockedBatch`. */
export function testTogether(
  tracer: Tracer,
  segments: Float32Array,
  out: Uint8Array | undefined,
  answer: (tests: Uint8Array, moves: Moves) => void,
): Uint8Array {
  const count = checkTests(segments, out, false);
  const tests = out ?? new Uint8Array(count);
  const askOne = (index: number): void => {
    const [start, end] = endsOf(segments, index);
    tests[index] = tracer.blocked(start, end) ? 1 : 0;
  };
  answer(
    tests,
    movesOf(segments, () => checkTests(segments, out), askOne),
  );
  return tests;
}

function movesOf(segments: Float32Array, check: () => void, askOne: (index: number) => void): Moves {
  return {
    segments,
    askOne,
    passTo({ segments: room, finite }, answer) {
      const most = room.length / 6;
      const all = segments.length / 6;
      const pass = (use: (first: number, count: number) => void): void => {
        for (let first = 0; first < all; first += most) {
          if (all > most) room.set(segments.subarray(6 * first, 6 * (first + most)));
          use(first, Math.min(most, all - first));
        }
      };
      for (let areFinite = 0; !areFinite; ) {
        if (all <= most) room.set(segments);
        areFinite = 1;
        pass((_first, count) => {
          areFinite &= finite(count);
        });
        // Kernels find out in less time than `check`, which throws unless another thread has written to them since.
        if (!areFinite) check();
      }
      pass(answer);
    },
  };
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
