import type { TraceField } from '@bspkit/core';
import { type CopyAnswers, copierOf, type Intake, type Moves } from '@bspkit/core/format';
import {
  ALL_SOLID,
  BATCH_MOVES,
  BLOCKED,
  CONTENTS,
  DISTS,
  END_POSITIONS,
  FRACTIONS,
  NORMALS,
  SEGMENTS,
  STARTS_SOLID,
  UNSURE_MOVES,
} from './hot-layout.ts';

// Batches in WebAssembly, some thousands of moves per call. Moves that the kernel is unsure about are traced one by one. Formats
// add what it does not know, because only the world's buffer has it.

/** The memory of a kernel, which takes in segments of batches. */
export interface HotMemory extends Intake {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly bytes: Uint8Array;
  /** Copies the answers of batches, except for what only the world's buffer has. */
  readonly copyAnswers: CopyAnswers;
}

/** A kernel with its memory, from which answers to these fields are copied. */
export function openMemory<Exports extends Pick<Intake, 'finite'>>(
  exports: Exports,
  buffer: ArrayBuffer,
  answers: Partial<Record<TraceField, number>>,
): Exports & HotMemory {
  return {
    ...exports,
    ints: new Int32Array(buffer),
    floats: new Float32Array(buffer),
    bytes: new Uint8Array(buffer),
    segments: new Float32Array(buffer, SEGMENTS, 6 * BATCH_MOVES),
    copyAnswers: copierOf(buffer, answers),
  };
}

/** Where a kernel has what answers of all kinds have. */
export const STOPS: Partial<Record<TraceField, number>> = {
  fraction: FRACTIONS,
  endPos: END_POSITIONS,
  startSolid: STARTS_SOLID,
};

/** Where it has the answers of boxes, except for the numbers of what they hit. */
export const ANSWERS: Partial<Record<TraceField, number>> = {
  fraction: FRACTIONS,
  endPos: END_POSITIONS,
  startSolid: STARTS_SOLID,
  normal: NORMALS,
  dist: DISTS,
  allSolid: ALL_SOLID,
  contents: CONTENTS,
};

/**
 * Passes the moves to the kernel: `walk` has it answer `count` of them, and returns how many it is unsure about; `take` copies
 * the answers to places from `first` on.
 */
export function walkMoves(
  hot: HotMemory,
  moves: Moves,
  walk: (count: number) => number,
  take: (first: number, count: number) => void,
): void {
  moves.passTo(hot, (first, count) => {
    const unsure = walk(count);
    take(first, count);
    for (let k = 0; k < unsure; k++) moves.askOne(first + hot.ints[UNSURE_MOVES / 4 + k]!);
  });
}

/** Copies the answers of tests. */
export function takeTests({ bytes }: HotMemory, out: Uint8Array, first: number, count: number): void {
  out.set(bytes.subarray(BLOCKED, BLOCKED + count), first);
}
