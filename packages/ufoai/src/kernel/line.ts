import {
  LINE_BLOCKED,
  LINE_BOX,
  LINE_BOX_WORDS,
  LINE_CULL_LIMIT,
  LINE_OBLIQUE,
  LINE_OPEN,
  SECTIONS,
  TILE_LINE_MAXS,
  TILE_LINE_MINS,
} from '../layout.ts';
import type { HeadSelection } from './line-heads.ts';
import { L_START, LINE_FRAME_FLOATS, LINE_FRAME_INTS, type WorldMemory } from './memory.ts';

const f = Math.fround;

/**
 * The engine compares a float32 distance with 0.1 and -0.1 in double. This is the middle between the float32 below 0.1
 * and the one above, which rounds to the one below; so `x <= SIDE` is `fround(x) < 0.1`, and `x >= -SIDE` is
 * `fround(x) >= -0.1`, without the rounding.
 */
export const SIDE = 0.09999999776482582;

/** Whether both ends of the line are close enough for the bounds in the trees to hold. */
export function canCull({ line }: WorldMemory): boolean {
  for (let k = 0; k < 6; k++) if (!(Math.abs(line[L_START + k]!) < LINE_CULL_LIMIT)) return false;
  return true;
}

/**
 * Whether the selected trees block the line (the wiki's line trace). All that matters is whether any blocking leaf is
 * reached, so trees and branches may be taken in any order, and what cannot be reached is skipped.
 */
export function isLineBlocked(memory: WorldMemory, selection: HeadSelection): boolean {
  const { floats, places, line } = memory;
  const { roots, tileFirst, phantomRoots, phantomRepeats } = selection;
  const cull = canCull(memory);
  const lowX = Math.min(line[0]!, line[3]!);
  const lowY = Math.min(line[1]!, line[4]!);
  const lowZ = Math.min(line[2]!, line[5]!);
  const highX = Math.max(line[0]!, line[3]!);
  const highY = Math.max(line[1]!, line[4]!);
  const highZ = Math.max(line[2]!, line[5]!);
  for (let tile = 0; tile < places.tiles.count; tile++) {
    const mins = places.tiles.first + SECTIONS.tiles * tile + TILE_LINE_MINS;
    const maxs = mins + TILE_LINE_MAXS - TILE_LINE_MINS;
    if (
      cull &&
      (floats[mins]! > highX ||
        floats[maxs]! < lowX ||
        floats[mins + 1]! > highY ||
        floats[maxs + 1]! < lowY ||
        floats[mins + 2]! > highZ ||
        floats[maxs + 2]! < lowZ)
    ) {
      continue;
    }
    const end = tileFirst[tile + 1]!;
    for (let k = tileFirst[tile]!; k < end; k++) {
      const root = roots[k]!;
      if (
        cull &&
        (floats[root + 1]! > highX ||
          floats[root + 4]! < lowX ||
          floats[root + 2]! > highY ||
          floats[root + 5]! < lowY ||
          floats[root + 3]! > highZ ||
          floats[root + 6]! < lowZ)
      ) {
        continue;
      }
      if (walkBlocked(memory, root + LINE_BOX_WORDS, cull)) return true;
    }
    const phantom = phantomRoots[tile]!;
    // Where the line does not straddle x = 0, a phantom walks its tree exactly as the tree's own head does.
    if (phantom !== 0 && (phantomRepeats[tile] === 0 || (lowX < -SIDE && highX > SIDE))) {
      if (walkBlocked(memory, phantom, cull)) return true;
    }
  }
  return false;
}

/** Whether the line reaches a blocking leaf below a line node. */
function walkBlocked(memory: WorldMemory, root: number, cull: boolean): boolean {
  const { ints, floats, line, lineFrames, lineFrameInts } = memory;
  let ax = line[0]!;
  let ay = line[1]!;
  let az = line[2]!;
  let bx = line[3]!;
  let by = line[4]!;
  let bz = line[5]!;
  let node = root;
  let depth = 0;
  for (;;) {
    while (node > LINE_OPEN) {
      const kind = ints[node]!;
      if (kind === LINE_BOX) {
        const minX = floats[node + 1]!;
        const maxX = floats[node + 4]!;
        const minY = floats[node + 2]!;
        const maxY = floats[node + 5]!;
        const minZ = floats[node + 3]!;
        const maxZ = floats[node + 6]!;
        if (
          cull &&
          ((ax < minX && bx < minX) ||
            (ax > maxX && bx > maxX) ||
            (ay < minY && by < minY) ||
            (ay > maxY && by > maxY) ||
            (az < minZ && bz < minZ) ||
            (az > maxZ && bz > maxZ))
        ) {
          node = LINE_OPEN;
          break;
        }
        node += LINE_BOX_WORDS;
        continue;
      }
      const dist = floats[node + 1]!;
      let a: number;
      let b: number;
      if (kind === 0) {
        a = ax - dist;
        b = bx - dist;
      } else if (kind === 1) {
        a = ay - dist;
        b = by - dist;
      } else if (kind === 2) {
        a = az - dist;
        b = bz - dist;
      } else if (kind === LINE_OBLIQUE) {
        const x = floats[node + 4]!;
        const y = floats[node + 5]!;
        const z = floats[node + 6]!;
        a = f(f(f(ax * x) + f(ay * y)) + f(az * z)) - dist;
        b = f(f(f(bx * x) + f(by * y)) + f(bz * z)) - dist;
      } else {
        const frame = LINE_FRAME_FLOATS * depth;
        lineFrames[frame] = ax;
        lineFrames[frame + 1] = ay;
        lineFrames[frame + 2] = az;
        lineFrames[frame + 3] = bx;
        lineFrames[frame + 4] = by;
        lineFrames[frame + 5] = bz;
        lineFrameInts[LINE_FRAME_INTS * depth++] = ints[node + 3]!;
        node = ints[node + 2]!;
        continue;
      }
      if (a >= -SIDE && b >= -SIDE) {
        node = ints[node + 2]!;
        continue;
      }
      if (a <= SIDE && b <= SIDE) {
        node = ints[node + 3]!;
        continue;
      }
      const near = a < 0 ? 1 : 0;
      const nearChild = ints[node + 2 + near]!;
      const farChild = ints[node + 3 - near]!;
      // Both children of a split are reached, so either one that blocks settles it.
      if (nearChild === LINE_BLOCKED || farChild === LINE_BLOCKED) return true;
      const t = f(f(a) / f(f(a) - f(b)));
      const x = f(ax + f(t * f(bx - ax)));
      const y = f(ay + f(t * f(by - ay)));
      const z = f(az + f(t * f(bz - az)));
      if (nearChild === LINE_OPEN) {
        ax = x;
        ay = y;
        az = z;
        node = farChild;
        continue;
      }
      if (farChild !== LINE_OPEN) {
        const frame = LINE_FRAME_FLOATS * depth;
        lineFrames[frame] = x;
        lineFrames[frame + 1] = y;
        lineFrames[frame + 2] = z;
        lineFrames[frame + 3] = bx;
        lineFrames[frame + 4] = by;
        lineFrames[frame + 5] = bz;
        lineFrameInts[LINE_FRAME_INTS * depth++] = farChild;
      }
      bx = x;
      by = y;
      bz = z;
      node = nearChild;
    }
    if (node === LINE_BLOCKED) return true;
    if (depth === 0) return false;
    const frame = LINE_FRAME_FLOATS * --depth;
    ax = lineFrames[frame]!;
    ay = lineFrames[frame + 1]!;
    az = lineFrames[frame + 2]!;
    bx = lineFrames[frame + 3]!;
    by = lineFrames[frame + 4]!;
    bz = lineFrames[frame + 5]!;
    node = lineFrameInts[LINE_FRAME_INTS * depth]!;
  }
}
