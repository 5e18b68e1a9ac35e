import { NODE_COUNT, NODE_LINK, NODE_WORDS, PIECE_WORDS } from '../layout.ts';
import type { Memory } from './memory.ts';
import { nearestOnPiece } from './nearest.ts';
import { Q_DISTANCE, Q_NEAREST, Q_RADII, Q_SCALE, Q_START } from './query.ts';

/**
 * The place of the piece that the ellipsoid at the start overlaps deepest; -1 when it overlaps none. Writes the way out into `push`:
 * the direction, then how far, in Quake units, which is long enough for that piece to be left.
 */
export function deepestOverlap(memory: Memory, query: Float64Array, push: Float64Array): number {
  const { ints, floats, doubles, places, stack } = memory;
  let overlapped = -1;
  let deepest = 0.5 - 0.5;
  let top = 0;
  stack[top++] = places.nodes.first;
  while (top > 0) {
    const node = stack[--top]!;
    if (!isNear(floats, node, query)) continue;
    const count = ints[node + NODE_COUNT]!;
    if (count === 0) {
      stack[top++] = ints[node + NODE_LINK]!;
      stack[top++] = node + NODE_WORDS;
      continue;
    }
    const first = ints[node + NODE_LINK]!;
    for (let piece = first; piece < first + count * PIECE_WORDS; piece += PIECE_WORDS) {
      nearestOnPiece(memory, piece, query);
      const distance = query[Q_DISTANCE]!;
      if (!(distance < 1)) continue;
      let x = (-query[Q_NEAREST]! / distance) * query[Q_SCALE]!;
      let y = (-query[Q_NEAREST + 1]! / distance) * query[Q_SCALE + 1]!;
      let z = (-query[Q_NEAREST + 2]! / distance) * query[Q_SCALE + 2]!;
      // The scaled distance rises by this much per unit at first, and never by less later: it is convex.
      let rise = Math.sqrt(x * x + y * y + z * z);
      if (!(distance > 1e-9)) {
        // The centre is on the piece, and both ways out are as long: to its front.
        const plane = piece >> 1;
        x = doubles[plane]!;
        y = doubles[plane + 1]!;
        z = doubles[plane + 2]!;
        const ex = x * query[Q_RADII]!;
        const ey = y * query[Q_RADII + 1]!;
        const ez = z * query[Q_RADII + 2]!;
        rise = 1 / Math.sqrt(ex * ex + ey * ey + ez * ez);
        x *= rise;
        y *= rise;
        z *= rise;
      }
      const depth = (1 - distance) / rise;
      if (depth > deepest) {
        deepest = depth;
        overlapped = piece;
        push[0] = x / rise;
        push[1] = y / rise;
        push[2] = z / rise;
      }
    }
  }
  push[3] = deepest;
  return overlapped;
}

function isNear(floats: Float32Array, node: number, query: Float64Array): boolean {
  for (let k = 0; k < 3; k++) {
    const center = query[Q_START + k]!;
    const radius = query[Q_RADII + k]!;
    if (floats[node + k]! > center + radius || floats[node + 3 + k]! < center - radius) return false;
  }
  return true;
}
