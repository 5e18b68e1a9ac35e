import type { Vec3 } from '@bspkit/core';
import { type Clearings, clearingGrid, createClearings, isClear, type Work } from '@bspkit/core/format';
import {
  NODE_COUNT,
  NODE_LINK,
  NODE_WORDS,
  PIECE_CORNERS,
  PIECE_NUM_CORNERS,
  PIECE_WORDS,
} from '../layout.ts';
import type { Memory } from './memory.ts';

/** What clearings may take, as a share of the world. */
const SHARE = 1 / 2;

/** Steps that a node, or a corner of a piece, takes. */
const STEPS = 8;

/** Whether a short move is known to meet nothing, with what reaches from `mins` to `maxs` around it. */
export function meetsNothing(memory: Memory, start: Vec3, end: Vec3, mins: Vec3, maxs: Vec3): boolean {
  // Made elsewhere: a function with a closure allocates whenever it is called.
  if (memory.clearings === undefined) memory.clearings = makeClearings(memory);
  return memory.clearings !== null && isClear(memory.clearings, start, end, mins, maxs);
}

/** The clearings of a world; `null` if it can have none. */
function makeClearings(memory: Memory): Clearings | null {
  const { ints, floats, places } = memory;
  const root = places.nodes.first;
  const bounds = { mins: floats.subarray(root, root + 3), maxs: floats.subarray(root + 3, root + 6) };
  const grid = clearingGrid(bounds, SHARE * ints.byteLength);
  return grid ? createClearings(grid, (mins, maxs, work) => listPieces(memory, mins, maxs, work)) : null;
}

/**
 * Bounds of the pieces whose node reaches between two corners, six numbers each; `null` if that takes more steps than are left.
 */
function listPieces(
  { ints, floats, places }: Memory,
  mins: Vec3,
  maxs: Vec3,
  work: Work,
): Float32Array | null {
  const all: number[] = [];
  const stack: number[] = [places.nodes.first];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    work.left -= STEPS;
    if (work.left < 0) return null;
    if (!reaches(floats, node, mins, maxs)) continue;
    const count = ints[node + NODE_COUNT]!;
    const link = ints[node + NODE_LINK]!;
    if (count === 0) stack.push(node + NODE_WORDS, link);
    for (let piece = link; piece < link + count * PIECE_WORDS; piece += PIECE_WORDS) {
      const first = ints[piece + PIECE_CORNERS]!;
      work.left -= STEPS * ints[piece + PIECE_NUM_CORNERS]!;
      const low = [Infinity, Infinity, Infinity];
      const high = [-Infinity, -Infinity, -Infinity];
      for (let k = 0; k < 3 * ints[piece + PIECE_NUM_CORNERS]!; k++) {
        low[k % 3] = Math.min(low[k % 3]!, floats[first + k]!);
        high[k % 3] = Math.max(high[k % 3]!, floats[first + k]!);
      }
      all.push(...low, ...high);
    }
  }
  return Float32Array.from(all);
}

function reaches(floats: Float32Array, node: number, mins: Vec3, maxs: Vec3): boolean {
  for (let k = 0; k < 3; k++) {
    if (floats[node + k]! > maxs[k]! || floats[node + 3 + k]! < mins[k]!) return false;
  }
  return true;
}
