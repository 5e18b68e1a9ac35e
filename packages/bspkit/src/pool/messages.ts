import type { TraceArrays } from '@bspkit/core';
import { failArgument, type TracerValues, widthOf } from '@bspkit/core/format';

// What a pool and its workers tell each other: plain data, and memory that is shared or handed over.

/** The function by which workers serve a trace pool. */
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

/** Opens a world, which is called by a number from then on, or forgets it. */
export interface OpenRequest {
  readonly ask: 'open';
  readonly world: number;
  readonly format: string;
  readonly data: ArrayBufferLike;
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
 * Takes `size` segments at a time for itself, as {@link NEXT} in `state` counts them, and writes the answers in place:
 * everything is on shared memory.
 */
export interface ShareRequest extends TraceRequest {
  readonly ask: 'share';
  readonly answers: Answers;
  readonly state: Int32Array;
  readonly size: number;
}

/** Traces all segments and sends the answers back: of these fields, or of tests. */
export interface CopyRequest extends TraceRequest {
  readonly ask: 'copy';
  readonly fields: readonly string[];
}

export type Request = OpenRequest | ForgetRequest | ShareRequest | CopyRequest;

/** Places in the state of what is shared: the first segment that nobody has taken, and how many workers are at it. */
export const NEXT = 0;
export const ACTIVE = 1;

/** Part of the arrays of some answers, from the first answer to before the last. */
export function cutAnswers(answers: Answers, first: number, last: number): Answers {
  const cut: Record<string, unknown> = {};
  for (const [field, array] of Object.entries(answers)) {
    const width = widthOf(field);
    cut[field] = array.subarray(width * first, width * last);
  }
  return cut;
}

/** Writes some answers among others, from the first one's place on. */
export function storeAnswers(from: Answers, to: Answers, first: number): void {
  for (const [field, array] of Object.entries(from)) {
    const own = to[field as 'contents']!;
    const at = widthOf(field) * first;
    // Of a format's own arrays the pool knows no more until they come.
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
