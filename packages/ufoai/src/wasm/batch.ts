import type { TraceBatch } from '@bspkit/core';
import type { BoxTarget } from '../kernel/box-trace.ts';
import type { WorldMemory } from '../kernel/memory.ts';
import {
  BRUSH_NUMBER,
  LINE_OBLIQUE,
  SECTIONS,
  SIDE_WORDS,
  TILE_BRUSHES,
  TILE_SIDES,
  TILE_TEXTURES,
} from '../layout.ts';
import type { Hot } from './kernel.ts';
import {
  ALL_SOLID,
  BATCH_MOVES,
  BLOCKED,
  BRUSH_PLACES,
  CONTENTS,
  CROSSINGS,
  DISTS,
  END_POSITIONS,
  FRACTIONS,
  NORMALS,
  SEGMENTS,
  SIDE_PLACES,
  STARTS_SOLID,
  TILE_NUMBERS,
  UNSURE_MOVES,
} from './layout.ts';

// Batches in WebAssembly, some hundreds of moves per call. What the kernel is unsure about is asked one by one. What it does
// not know of, because it is in the world's buffer alone, is added here.

type AskOne = (index: number) => void;

/**
 * Hands the moves to the kernel: `walk` has it answer so many, and says how many it is unsure about; `take` copies the
 * answers to places from `first` on.
 */
function walkMoves(
  { ints, floats }: Hot,
  segments: Float32Array,
  walk: (count: number) => number,
  take: (first: number, count: number) => void,
  askOne: AskOne,
): void {
  const all = segments.length / 6;
  for (let first = 0; first < all; first += BATCH_MOVES) {
    const count = Math.min(BATCH_MOVES, all - first);
    floats.set(segments.subarray(6 * first, 6 * (first + count)), SEGMENTS / 4);
    const unsure = walk(count);
    take(first, count);
    for (let k = 0; k < unsure; k++) askOne(first + ints[UNSURE_MOVES / 4 + k]!);
  }
}

/** Copies what boxes and lines have in common. */
function takeAnswers({ floats, bytes }: Hot, batch: Partial<TraceBatch>, first: number, count: number): void {
  batch.fraction?.set(floats.subarray(FRACTIONS / 4, FRACTIONS / 4 + count), first);
  batch.endPos?.set(floats.subarray(END_POSITIONS / 4, END_POSITIONS / 4 + 3 * count), 3 * first);
  batch.startSolid?.set(bytes.subarray(STARTS_SOLID, STARTS_SOLID + count), first);
}

function takeTests({ bytes }: Hot, out: Uint8Array, first: number, count: number): void {
  out.set(bytes.subarray(BLOCKED, BLOCKED + count), first);
}

/** Whether boxes against a target can go in batches: not where there are models, or a single head. */
export function hasBatches({ bodies, body, head }: BoxTarget): boolean {
  return !bodies && !body && head < 0;
}

/** Traces boxes through tiles. Their settings stand in the block. */
export function traceBoxes(
  memory: WorldMemory,
  hot: Hot,
  { tile, engine }: BoxTarget,
  segments: Float32Array,
  out: TraceBatch<never>,
  traceOne: AskOne,
): void {
  const batch = out as Partial<TraceBatch>;
  const { floats, ints, bytes } = hot;
  batch.patch?.fill(-1, 0, segments.length / 6);
  walkMoves(
    hot,
    segments,
    (count) => hot.traceMoves(count, tile, tile >= 0 ? 1 : 0, engine ? 1 : 0),
    (first, count) => {
      takeAnswers(hot, batch, first, count);
      batch.normal?.set(floats.subarray(NORMALS / 4, NORMALS / 4 + 3 * count), 3 * first);
      batch.dist?.set(floats.subarray(DISTS / 4, DISTS / 4 + count), first);
      batch.allSolid?.set(bytes.subarray(ALL_SOLID, ALL_SOLID + count), first);
      batch.contents?.set(ints.subarray(CONTENTS / 4, CONTENTS / 4 + count), first);
      describeHits(memory, hot, batch, first, count);
    },
    traceOne,
  );
}

/** Writes the numbers of what boxes hit, as `describeHit` does. */
function describeHits(
  { ints, places }: WorldMemory,
  { ints: answers }: Hot,
  batch: Partial<TraceBatch>,
  first: number,
  count: number,
): void {
  const { model, brush, side, plane, texture, surfaceFlags } = batch;
  for (const array of [model, brush, side, plane, texture]) array?.fill(-1, first, first + count);
  surfaceFlags?.fill(0, first, first + count);
  for (let k = 0; k < count; k++) {
    const brushPlace = answers[BRUSH_PLACES / 4 + k]!;
    if (brushPlace === 0) continue;
    const at = first + k;
    const tile = places.tiles.first + SECTIONS.tiles * Math.max(0, answers[TILE_NUMBERS / 4 + k]!);
    if (model) model[at] = 0;
    if (brush) brush[at] = ints[brushPlace + BRUSH_NUMBER]! - ints[tile + TILE_BRUSHES]!;
    const sidePlace = answers[SIDE_PLACES / 4 + k]!;
    if (sidePlace === 0) continue;
    if (side) side[at] = (sidePlace - places.sides.first) / SIDE_WORDS - ints[tile + TILE_SIDES]!;
    if (plane) plane[at] = ints[sidePlace + 4]!;
    const number = Math.max(-1, ints[sidePlace + 5]!);
    if (texture) texture[at] = number;
    if (surfaceFlags && number >= 0) surfaceFlags[at] = ints[ints[tile + TILE_TEXTURES]! + number]!;
  }
}

/** Tests boxes against tiles. */
export function testBoxes(
  hot: Hot,
  { tile, engine }: BoxTarget,
  segments: Float32Array,
  out: Uint8Array,
  testOne: AskOne,
): void {
  walkMoves(
    hot,
    segments,
    (count) => hot.touchMoves(count, tile, tile >= 0 ? 1 : 0, engine ? 1 : 0),
    (first, count) => takeTests(hot, out, first, count),
    testOne,
  );
}

/** Finds where the selected trees stop lines. */
export function placeLines(
  memory: WorldMemory,
  hot: Hot,
  selection: number,
  segments: Float32Array,
  out: TraceBatch<never>,
  traceOne: AskOne,
): void {
  const batch = out as Partial<TraceBatch>;
  const all = segments.length / 6;
  for (const field of ['allSolid', 'contents', 'surfaceFlags'] as const) batch[field]?.fill(0, 0, all);
  for (const field of ['brush', 'side', 'texture', 'patch', 'plane'] as const) batch[field]?.fill(-1, 0, all);
  walkMoves(
    hot,
    segments,
    (count) => hot.placeMoves(count, selection),
    (first, count) => {
      takeAnswers(hot, batch, first, count);
      const { model } = batch;
      if (model) for (let k = 0; k < count; k++) model[first + k] = hot.bytes[BLOCKED + k]! - 1;
      describeCrossings(memory, hot, batch, first, count);
    },
    traceOne,
  );
}

/** Writes the planes that lines crossed. */
function describeCrossings(
  { ints, floats }: WorldMemory,
  { ints: answers }: Hot,
  { normal, dist }: Partial<TraceBatch>,
  first: number,
  count: number,
): void {
  normal?.fill(0, 3 * first, 3 * (first + count));
  dist?.fill(0, first, first + count);
  if (!(normal || dist)) return;
  for (let k = 0; k < count; k++) {
    const crossing = answers[CROSSINGS / 4 + k]!;
    if (crossing < 0) continue;
    const at = first + k;
    const node = crossing >> 1;
    const sign = crossing & 1 ? -1 : 1;
    if (dist) dist[at] = sign * floats[node + 1]!;
    if (!normal) continue;
    const kind = ints[node]!;
    if (kind < LINE_OBLIQUE) normal[3 * at + kind] = sign;
    else for (let axis = 0; axis < 3; axis++) normal[3 * at + axis] = sign * floats[node + 4 + axis]!;
  }
}

/** Tests whether the selected trees block lines. */
export function testLines(
  hot: Hot,
  selection: number,
  segments: Float32Array,
  out: Uint8Array,
  testOne: AskOne,
): void {
  walkMoves(
    hot,
    segments,
    (count) => hot.testMoves(count, selection),
    (first, count) => takeTests(hot, out, first, count),
    testOne,
  );
}
