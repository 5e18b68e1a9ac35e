import {
  BRUSH_NUMBER,
  MOVE_BRUSH,
  MOVE_SIDE,
  SEGMENT_BYTES,
  SEGMENTS,
  SIDE_PLANE,
  SIDE_TEXTURE,
  SIDE_WORDS,
  takeTests,
  walkMoves,
} from '@bspkit/brushes';
import type { TraceBatch } from '@bspkit/core';
import { findMissed, type Moves } from '@bspkit/core/format';
import type { WorldMemory } from '../kernel/memory.ts';
import type { Hot } from './kernel.ts';

/** Traces many moves through the world. The settings are in the block. */
export function traceSegments(memory: WorldMemory, hot: Hot, out: TraceBatch<never>, moves: Moves): void {
  const batch = out as Partial<TraceBatch>;
  const root = hot.roots[0]!;
  walkMoves(
    hot,
    moves,
    (count) => hot.traceMoves(count, root),
    (first, count) => {
      hot.copyAnswers(out, first, count);
      describeHits(memory, hot, batch, first, count);
      if (memory.clearings) findMissed(memory.clearings, moves.segments, first, count);
    },
  );
}

/** Tests whether anything is in the way of many moves through the world. */
export function testSegments({ clearings }: WorldMemory, hot: Hot, tests: Uint8Array, moves: Moves): void {
  walkMoves(
    hot,
    moves,
    (count) => hot.testMoves(count, hot.roots[0]!),
    (first, count) => {
      takeTests(hot, tests, first, count);
      hot.blockers.find();
      if (clearings) findMissed(clearings, moves.segments, first, count);
    },
  );
}

/** Writes the numbers of what was hit, as `writeAnswer` does. Most of a player's steps hit nothing. */
function describeHits(
  { ints, places }: WorldMemory,
  { ints: answers }: Hot,
  batch: Partial<TraceBatch>,
  first: number,
  count: number,
): void {
  const { model, brush, side, plane, texture, patch, surfaceFlags } = batch;
  for (const array of [model, brush, side, plane, texture, patch]) array?.fill(-1, first, first + count);
  surfaceFlags?.fill(0, first, first + count);
  for (let at = first, from = SEGMENTS / 4; at < first + count; at++, from += SEGMENT_BYTES / 4) {
    const brushPlace = answers[from + MOVE_BRUSH / 4]!;
    if (brushPlace === 0) continue;
    if (model) model[at] = 0;
    if (brush) brush[at] = ints[brushPlace + BRUSH_NUMBER]!;
    const sidePlace = answers[from + MOVE_SIDE / 4]!;
    if (sidePlace === 0) continue;
    if (side) side[at] = (sidePlace - places.sides.first) / SIDE_WORDS;
    if (plane) plane[at] = ints[sidePlace + SIDE_PLANE]!;
    const number = Math.max(-1, ints[sidePlace + SIDE_TEXTURE]!);
    if (texture) texture[at] = number;
    if (surfaceFlags && number >= 0) surfaceFlags[at] = ints[places.textures.first + number]!;
  }
}
