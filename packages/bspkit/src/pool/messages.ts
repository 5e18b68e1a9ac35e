import type { KernelChoice, TraceArrays } from '@bspkit/core';
import { failArgument, type TracerValues, widthOf } from '@bspkit/core/format';

// What a pool and its workers send each other: plain data, and memory that is shared or transferred.

/** The function that makes workers serve a trace pool. */
export const SERVES = 'serveTracePool';

/** A tracer as plain data, with the names in `tracers` of the format's descriptor, like its presets. */
export interface TracerDescription {
  /** What is moved: `ray`, `box`, `hull`. */
  readonly kind: string;
  /** A number, six numbers for two corners, and so on, as the kind says; none for kinds without a size. */
  readonly size?: ArrayLike<number> | undefined;
  /** Values of the options that the kind takes. */
  readonly options?: TracerValues | undefined;
}

/** Arrays that answers are written to: those of a batch, or one byte per test. */
export type Answers = Partial<TraceArrays> & { readonly tests?: Uint8Array };

/** Opens a world, which is identified by a number from then on, or forgets it. */
export interface OpenRequest {
  readonly ask: 'open';
  readonly world: number;
  readonly format: string;
  readonly data: ArrayBufferLike;
  readonly kernel: KernelChoice;
}
interface ForgetRequest {
  readonly ask: 'forget';
  readonly world: number;
}

interface TraceRequest {
  readonly world: number;
  readonly tracer: TracerDescription;
  readonly segments: Float32Array;
}

/**
 * Has a worker take `size` segments at a time, counted by {@link NEXT} in `state`, and write the answers in place: everything is
 * in shared memory.
 */
export interface ShareRequest extends TraceRequest {
  readonly ask: 'share';
  readonly answers: Answers;
  readonly state: Int32Array;
  readonly size: number;
}

/** Traces all segments and sends the answers back: these fields, or tests. */
export interface CopyRequest extends TraceRequest {
  readonly ask: 'copy';
  readonly fields: readonly string[];
}

export type Request = OpenRequest | ForgetRequest | ShareRequest | CopyRequest;

/** Places in the shared state: the first segment that nobody has taken, and how many workers are busy. */
export const NEXT = 0;
export const ACTIVE = 1;

/** Part of the arrays of some answers: from `first` to `last - 1`. */
export function cutAnswers(answers: Answers, first: number, last: number): Answers {
  const cut: Record<string, unknown> = {};
  for (const [field, array] of Object.entries(answers)) {
    const width = widthOf(field);
    cut[field] = array.subarray(width * first, width * last);
  }
  return cut;
}

/** Writes some answers into others, from `first` on. */
export function storeAnswers(from: Answers, to: Answers, first: number): void {
  for (const [field, array] of Object.entries(from)) {
    const own = to[field as 'contents']!;
    const at = widthOf(field) * first;
    // The pool does not know a format's own arrays until they arrive.
    if (own[Symbol.toStringTag] !== (array[Symbol.toStringTag] as string) || own.length < at + array.length) {
      failArgument(
        `out.${field}`,
        `of type ${array[Symbol.toStringTag]}, with room for all answers`,
        own,
        false,
      );
    }
    own.set(array as Int32Array, at);
  }
}
