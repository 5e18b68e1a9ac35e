import type { TraceField } from '@bspkit/core';
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

/** The memory of a kernel. */
export interface HotMemory {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly bytes: Uint8Array;
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
  { ints, floats }: HotMemory,
  segments: Float32Array,
  walk: (count: number) => number,
  take: (first: number, count: number) => void,
  askOne: (index: number) => void,
): void {
  const all = segments.length / 6;
  for (let first = 0; first < all; first += BATCH_MOVES) {
    const count = Math.min(BATCH_MOVES, all - first);
    floats.set(count === all ? segments : segments.subarray(6 * first, 6 * (first + count)), SEGMENTS / 4);
    const unsure = walk(count);
    take(first, count);
    for (let k = 0; k < unsure; k++) askOne(first + ints[UNSURE_MOVES / 4 + k]!);
  }
}

/** Copies the answers of tests. */
export function takeTests({ bytes }: HotMemory, out: Uint8Array, first: number, count: number): void {
  out.set(bytes.subarray(BLOCKED, BLOCKED + count), first);
}
