import type { Vec3 } from '@bspkit/core';
import {
  type ClearingGrid,
  type Clearings,
  clearingGrid,
  createClearings,
  held,
  type Work,
} from '@bspkit/core/format';
import { CONTENTS_EMPTY } from './constants.ts';
import type { WorldMemory } from './kernel/memory.ts';
import type { TreeView } from './kernel/tree.ts';
import { packedContents } from './sections.ts';

/** How far a piece of a move may be on the wrong side of a plane: the walk's 1/32, and room for rounding. */
const SLACK = 0.125;

/** The square of the longest normal that is used to measure distances: with longer ones, rounding may exceed the slack. */
const LONGEST = 1.02;

/** Numbers per entry of the stack: a child, then its region's mins and maxs. */
const PLACE = 7;

/** Steps that a node or a leaf takes. */
const STEPS = 32;

/** The grid for the clearings of a world's hulls, the same for all of them; `undefined` if there can be none. */
export function gridOf(memory: WorldMemory): ClearingGrid | undefined {
  const { data, floats, places, hulls } = memory;
  const at = places.models.first;
  const bounds = { mins: floats.subarray(at, at + 3), maxs: floats.subarray(at + 3, at + 6) };
  // Half of the world's own size, shared by all hulls.
  memory.grid ??= clearingGrid(bounds, data.byteLength / 2, hulls.length);
  return memory.grid;
}

/** Clearings of a hull of the world, in the frame of its tree; `null` if there can be none. */
export function clearingsOf(memory: WorldMemory, hull: number): Clearings | null {
  const known = memory.clearings[hull];
  if (known !== undefined) return known;
  const grid = gridOf(memory);
  const clearings = grid
    ? createClearings(grid, (mins, maxs, work) => listObstacles(memory, hull, mins, maxs, work))
    : null;
  memory.clearings[hull] = clearings;
  return clearings;
}

/**
 * Bounds of the regions between two corners that a hull's tree divides space into and that are anything but empty, six numbers
 * each: mins, then maxs; `null` if that takes more steps than are left, or than such a tree can take. A move that stays clear of
 * them only comes to empty leafs. Its pieces may be up to {@link SLACK} beyond planes that have cut it, but none comes to the side
 * of an axial plane on which no point of the move is.
 */
export function listObstacles(
  memory: WorldMemory,
  hull: number,
  mins: Vec3,
  maxs: Vec3,
  work: Work,
): Float32Array | null {
  const { trees, heads } = held(memory);
  const tree = trees[hull]!;
  const { ints } = tree;
  const all: number[] = [];
  const stack: number[] = [heads[hull]!, mins[0]!, mins[1]!, mins[2]!, maxs[0]!, maxs[1]!, maxs[2]!];
  const region = new Float64Array(6);
  // A node and a leaf take less work than a node has words. In crafted trees, the same nodes may be reached in many ways.
  let places = tree.end - tree.first + 4;
  while (stack.length > 0) {
    if (work.left < 0 || places-- === 0) return null;
    work.left -= STEPS;
    const at = stack.length - PLACE;
    const child = stack[at]!;
    for (let k = 0; k < 6; k++) region[k] = stack[at + 1 + k]!;
    stack.length = at;
    if (child < 0) {
      if (packedContents(child) !== CONTENTS_EMPTY) for (let k = 0; k < 6; k++) all.push(region[k]!);
      continue;
    }
    for (let side = 0; side < 2; side++) {
      const place = stack.length;
      stack.push(
        ints[child + 2 + side]!,
        region[0]!,
        region[1]!,
        region[2]!,
        region[3]!,
        region[4]!,
        region[5]!,
      );
      if (!cut(tree, child, side === 0 ? 1 : -1, stack, place + 1)) stack.length = place;
    }
  }
  return Float32Array.from(all);
}

/** Cuts a region, which is on the stack at `at`, to one side of a node's plane. Returns false if nothing is left of it. */
function cut({ ints, floats }: TreeView, node: number, sign: number, stack: number[], at: number): boolean {
  const kind = ints[node]! & 7;
  const dist = sign * floats[node + 1]!;
  if (kind < 3) {
    if (sign > 0) stack[at + kind] = Math.max(stack[at + kind]!, dist);
    else stack[at + 3 + kind] = Math.min(stack[at + 3 + kind]!, -dist);
    return stack[at + kind]! - SLACK <= stack[at + 3 + kind]! + SLACK;
  }
  // One that only claims to be axial is not the same plane for hulls as for precise tracers.
  if (kind > 3) return true;
  const [x, y, z] = [floats[node + 4]!, floats[node + 5]!, floats[node + 6]!];
  if (!(x * x + y * y + z * z < LONGEST)) return true;
  // In front of the plane, each axis contributes at least what is missing when all others contribute as much as they can.
  let room = SLACK - dist;
  for (let k = 0; k < 3; k++) room += reach(sign * floats[node + 4 + k]!, stack, at + k);
  if (room < 0) return false;
  for (let k = 0; k < 3; k++) {
    const n = sign * floats[node + 4 + k]!;
    if (Math.abs(n) < 1e-3) continue;
    const x = (reach(n, stack, at + k) - room) / n;
    if (n > 0) stack[at + k] = Math.max(stack[at + k]!, x);
    else stack[at + 3 + k] = Math.min(stack[at + 3 + k]!, x);
  }
  return true;
}

/** The most that one component of a normal contributes for pieces in a region. */
const reach = (n: number, stack: number[], at: number): number =>
  n * (n > 0 ? stack[at + 3]! + SLACK : stack[at]! - SLACK);
