import {
  BLOCKED,
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
import type { Moves } from '@bspkit/core/format';
import type { BoxTarget } from '../kernel/box-trace.ts';
import type { WorldMemory } from '../kernel/memory.ts';
import {
  LINE_HEAD_MODEL,
  LINE_HEAD_TILE,
  LINE_HEAD_WORDS,
  LINE_OBLIQUE,
  TILE_BRUSHES,
  TILE_LEAFS,
  TILE_SIDES,
  TILE_TEXTURES,
  TILE_WORDS,
} from '../layout.ts';
import type { UfoaiTraceBatch } from '../trace.ts';
import type { Hot, HotLines } from './kernel.ts';
import { MOVE_CROSSING, MOVE_HEAD, MOVE_LEAF, MOVE_TILE } from './layout.ts';

// Batches of boxes and lines in WebAssembly. What the kernel does not know of, because it is in the world's buffer alone, is
// added here.

/** Whether boxes against a target can go in batches: not where there are models, or a single head. */
export function hasBatches({ bodies, body, head }: BoxTarget): boolean {
  return !bodies && !body && head < 0;
}

/** Traces boxes through tiles. Their settings stand in the block. */
export function traceBoxes(
  memory: WorldMemory,
  hot: Hot,
  { tile, everywhere, engine }: BoxTarget,
  out: TraceBatch<never>,
  moves: Moves,
): void {
  const batch = out as Partial<UfoaiTraceBatch>;
  walkMoves(
    hot,
    moves,
    (count) => hot.traceMoves(count, tile, everywhere ? 1 : 0, engine ? 1 : 0),
    (first, count) => {
      hot.copyAnswers(out, first, count);
      describeHits(memory, hot, engine, batch, first, count);
    },
  );
}

/** Writes the numbers of what boxes hit, as `answer` and `describeHit` do. */
function describeHits(
  { ints, places }: WorldMemory,
  { ints: answers }: Hot,
  engine: boolean,
  batch: Partial<UfoaiTraceBatch>,
  first: number,
  count: number,
): void {
  const { model, brush, side, plane, texture, patch, surfaceFlags, tile, leaf, level } = batch;
  const numbers = [model, brush, side, plane, texture, patch, leaf, level];
  for (const array of numbers) array?.fill(-1, first, first + count);
  surfaceFlags?.fill(0, first, first + count);
  for (let at = first, from = SEGMENTS / 4; at < first + count; at++, from += SEGMENT_BYTES / 4) {
    const brushPlace = answers[from + MOVE_BRUSH / 4]!;
    const leafNumber = answers[from + MOVE_LEAF / 4]!;
    const tileNumber = answers[from + MOVE_TILE / 4]!;
    if (tile) tile[at] = engine || brushPlace !== 0 || leafNumber >= 0 ? tileNumber : -1;
    const tilePlace = places.tiles.first + TILE_WORDS * Math.max(0, tileNumber);
    if (leaf && leafNumber >= 0) leaf[at] = leafNumber - ints[tilePlace + TILE_LEAFS]!;
    if (brushPlace === 0) continue;
    if (model) model[at] = 0;
    if (brush) brush[at] = ints[brushPlace + BRUSH_NUMBER]! - ints[tilePlace + TILE_BRUSHES]!;
    const sidePlace = answers[from + MOVE_SIDE / 4]!;
    if (sidePlace === 0) continue;
    if (side) side[at] = (sidePlace - places.sides.first) / SIDE_WORDS - ints[tilePlace + TILE_SIDES]!;
    if (plane) plane[at] = ints[sidePlace + SIDE_PLANE]!;
    const number = Math.max(-1, ints[sidePlace + SIDE_TEXTURE]!);
    if (texture) texture[at] = number;
    if (surfaceFlags && number >= 0) surfaceFlags[at] = ints[ints[tilePlace + TILE_TEXTURES]! + number]!;
  }
}

/** Tests boxes against tiles. */
export function testBoxes(
  hot: Hot,
  { tile, everywhere, engine }: BoxTarget,
  out: Uint8Array,
  moves: Moves,
): void {
  walkMoves(
    hot,
    moves,
    (count) => hot.touchMoves(count, tile, everywhere ? 1 : 0, engine ? 1 : 0),
    (first, count) => takeTests(hot, out, first, count),
  );
}

/** Finds where the selected trees stop lines. */
export function placeLines(
  memory: WorldMemory,
  hot: Hot,
  selection: number,
  out: TraceBatch<never>,
  moves: Moves,
): void {
  const batch = out as Partial<UfoaiTraceBatch>;
  walkMoves(
    hot,
    moves,
    (count) => hot.placeMoves(count, selection),
    (first, count) => {
      hot.copyAnswers(out, first, count);
      const { model, allSolid, contents, surfaceFlags, brush, side, texture, patch, plane, leaf } = batch;
      for (const array of [allSolid, contents, surfaceFlags]) array?.fill(0, first, first + count);
      const numbers = [brush, side, texture, patch, plane, leaf];
      for (const array of numbers) array?.fill(-1, first, first + count);
      if (model) for (let k = 0; k < count; k++) model[first + k] = hot.bytes[BLOCKED + k]! - 1;
      describeCrossings(memory, hot, batch, first, count);
    },
  );
}

/** Writes whose trees stopped lines, and the planes that they crossed. */
function describeCrossings(
  { ints, floats, places }: WorldMemory,
  { ints: answers }: Hot,
  { normal, dist, tile, level }: Partial<UfoaiTraceBatch>,
  first: number,
  count: number,
): void {
  normal?.fill(0, 3 * first, 3 * (first + count));
  dist?.fill(0, first, first + count);
  if (!(normal || dist || tile || level)) return;
  for (let at = first, from = SEGMENTS / 4; at < first + count; at++, from += SEGMENT_BYTES / 4) {
    const head = answers[from + MOVE_HEAD / 4]!;
    const record = places.lineHeads.first + LINE_HEAD_WORDS * head;
    if (tile) tile[at] = head < 0 ? -1 : ints[record + LINE_HEAD_TILE]!;
    if (level) level[at] = head < 0 ? -1 : ints[record + LINE_HEAD_MODEL]!;
    const crossing = answers[from + MOVE_CROSSING / 4]!;
    if (crossing < 0) continue;
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
export function testLines(hot: HotLines, selection: number, out: Uint8Array, moves: Moves): void {
  walkMoves(
    hot,
    moves,
    (count) => hot.testMoves(count, selection),
    (first, count) => {
      takeTests(hot, out, first, count);
      hot.blockers.find();
    },
  );
}
