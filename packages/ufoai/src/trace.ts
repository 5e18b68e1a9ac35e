import {
  checkSegments,
  createTrace,
  type Trace,
  type TraceBatch,
  type TraceField,
  type Tracer,
  traceEach,
} from '@bspkit/core';
import {
  type ArrayTypes,
  checkBatch,
  createArrays,
  type Moves,
  TRACE_ARRAYS,
  traceTogether,
  writeTrace,
} from '@bspkit/core/format';

// Answers are made with Object.assign, not by spreading: V8 gives spread copies several layouts, and tracers that see too many of
// those box the numbers that they store.

/** The answer of a box or ray. Numbers of brush, side, plane, texture and leaf are those in the tile's file. */
export interface UfoaiTrace extends Trace {
  /** Tile that was hit, by its place in the assembly; -1 for none. */
  tile: number;
  /** Leaf in which the hit, or the start in solid, was found; -1 for none. */
  leaf: number;
}

/** A fresh answer for boxes and rays: fraction 1, nothing hit. */
export function createBoxTrace(): UfoaiTrace {
  return Object.assign(createTrace(), { tile: -1, leaf: -1 });
}

/**
 * The answer of a line. The trees of lines contain planes, not brushes, so only inline models give the rest. A line of a world
 * that starts in solid stops there, wherever it leads, and does not set `allSolid`.
 */
export interface UfoaiLineTrace extends Trace {
  /** Whether the engine calls the line blocked: a hit within 0.001 of the end on every axis does not count. */
  blocked: boolean;
  /** Tile that was hit, by its place in the assembly; -1 for none. */
  tile: number;
  /** Model in the tile whose tree was hit: a set of levels (0 to 255) or a clip (256 to 258); -1 for none. */
  level: number;
}

/** A fresh answer for lines: fraction 1, nothing hit. */
export function createLineTrace(): UfoaiLineTrace {
  return Object.assign(createTrace(), { blocked: false, tile: -1, level: -1 });
}

/** Name of an array of a batch of this package. */
export type UfoaiTraceField = TraceField | OwnField;

type OwnField = 'tile' | 'leaf' | 'level';

/** What each array of a batch holds, by field. */
const UFOAI_ARRAYS: ArrayTypes = { ...TRACE_ARRAYS, tile: Int32Array, leaf: Int32Array, level: Int32Array };

/**
 * Answers of many traces of this package, with the chosen fields: all of them by default. What a trace does not have, the level
 * of a box or the leaf of a line, is -1. A line is `blocked` if its fraction is below 1.
 */
export type UfoaiTraceBatch<Field extends UfoaiTraceField = UfoaiTraceField> = TraceBatch<
  Extract<Field, TraceField>
> & { readonly [name in Extract<Field, OwnField>]: Int32Array };

/** Options of {@link createUfoaiTraceBatch}: as for `createTraceBatch`, with tile, leaf and level among the fields. */
export interface UfoaiTraceBatchOptions<Field extends UfoaiTraceField = UfoaiTraceField> {
  /** Which arrays to make; all by default. Fields that a batch does not have are not written, and cost nothing. */
  readonly fields?: readonly Field[] | undefined;
  /** Put the arrays into a `SharedArrayBuffer`, which other threads can read and write. False by default. */
  readonly shared?: boolean | undefined;
}

/** Room for `count` answers. Throws as `createTraceBatch` does. */
export function createUfoaiTraceBatch<Field extends UfoaiTraceField = UfoaiTraceField>(
  count: number,
  options: UfoaiTraceBatchOptions<Field> = {},
): UfoaiTraceBatch<Field> {
  return createArrays(count, options, UFOAI_ARRAYS) as UfoaiTraceBatch<Field>;
}

/**
 * `tracer.traceBatch`: by `answer`, as for `traceTogether`, or one by one without it.
 *
 * @param scratch - the answer object to trace with.
 */
export function answerBatch<T extends UfoaiTrace | UfoaiLineTrace>(
  tracer: Tracer<T>,
  segments: Float32Array,
  out: TraceBatch<never> | undefined,
  scratch: T,
  answer: ((batch: TraceBatch<never>, moves: Moves) => void) | undefined,
): TraceBatch<never> {
  const count = checkSegments(segments, undefined, false);
  if (out !== undefined) checkBatch(out, UFOAI_ARRAYS, segments);
  const batch = out ?? createUfoaiTraceBatch(count);
  return answer
    ? traceTogether(tracer, segments, batch, scratch, answer, storeUfoaiTrace)
    : traceEach(tracer, segments, batch, scratch, storeUfoaiTrace);
}

function storeUfoaiTrace(batch: TraceBatch<never>, index: number, trace: Trace): void {
  writeTrace(batch, index, trace);
  const { tile, leaf, level } = batch as Partial<UfoaiTraceBatch>;
  const own = trace as Partial<UfoaiTrace & UfoaiLineTrace>;
  if (tile) tile[index] = own.tile!;
  if (leaf) leaf[index] = own.leaf ?? -1;
  if (level) level[index] = own.level ?? -1;
}
