import type { Vec3 } from '@bspkit/core';
import { type ClearingGrid, type Clearings, clearingGrid, createClearings } from '@bspkit/core/format';
import {
  CONTENTS_BODY,
  CONTENTS_CORPSE,
  CONTENTS_MONSTERCLIP,
  CONTENTS_PLAYERCLIP,
  CONTENTS_SOLID,
} from './constants.ts';
import { type Kernel, type OpenedMemory, Q_EPSILON, S_MASK, type WorldMemory } from './kernel/memory.ts';
import {
  BOUNDS_WORD,
  BRUSH_AXIAL,
  BRUSH_WORDS,
  CONTENTS_WORD,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  LIST_NUM_PATCHES,
  LIST_PATCHES,
  NODE_BACK,
  NODE_FRONT,
  PATCH_CONTENTS,
  REF_BRUSH,
  REF_CONTENTS,
  REF_WORDS,
  ROOT_WORD,
} from './layout.ts';

/** What no clearing has in it. */
const OBSTACLES =
  CONTENTS_SOLID | CONTENTS_PLAYERCLIP | CONTENTS_MONSTERCLIP | CONTENTS_BODY | CONTENTS_CORPSE;

/** Greater epsilons reach farther than moves stay away from what they come nearer to. */
const MOST_EPSILON = 0.5;

/** Room about what is only told by its bounds to be out of the way, for epsilons and rounding. */
export const ROOM = 1;

/** Whether a tracer's moves meet nothing in a clearing: those through the world, if nothing else is in their mask. */
export function asksClearings({ target, state, query }: Kernel): boolean {
  return !target.moves && (state[S_MASK]! & ~OBSTACLES) === 0 && query[Q_EPSILON]! <= MOST_EPSILON;
}

/** The grid for a world's clearings; `undefined` where it can have none. */
export function gridOf({ ints, floats, places }: WorldMemory): ClearingGrid | undefined {
  // Only the memory of a box entity has no tree.
  if (places.nodes.count === 0) return undefined;
  const { first } = places.models;
  // Half of what the world takes.
  const bytes = ints.byteLength / 2;
  return clearingGrid(
    { mins: floats.subarray(first, first + 3), maxs: floats.subarray(first + 3, first + 6) },
    bytes,
  );
}

/** Clearings of a world, once it is known which kernel traces: the one in WebAssembly makes them in its memory. */
export function clearingsOf(memory: OpenedMemory): Clearings | null {
  if (memory.clearings === undefined) {
    const grid = gridOf(memory);
    memory.clearings = grid ? createClearings(grid, (mins, maxs) => listObstacles(memory, mins, maxs)) : null;
  }
  return memory.clearings;
}

/**
 * Bounds of the brushes and patches of a world that may be in the way between two corners: those in leafs that have any there.
 * Moves that are clear of these are clear of them: of brushes by their axial sides, of others and patches by what is looked at
 * before.
 */
export function listObstacles(memory: WorldMemory, mins: Vec3, maxs: Vec3): Float32Array {
  const { ints, places } = memory;
  // Each once, though many leafs have it.
  const found = new Set<number>();
  const bounds: number[] = [];
  const limits = limitsOf(mins, maxs);
  const stack = [ints[ROOT_WORD]!];
  for (let child = stack.pop(); child !== undefined; child = stack.pop()) {
    const at = Math.abs(child);
    if ((ints[at + CONTENTS_WORD]! & OBSTACLES) === 0 || isFar(memory, at + BOUNDS_WORD, limits)) continue;
    if (child > 0) {
      stack.push(ints[at + NODE_BACK]!, ints[at + NODE_FRONT]!);
      continue;
    }
    const numBrushes = ints[at + LIST_NUM_BRUSHES]!;
    const numPatches = ints[at + LIST_NUM_PATCHES]!;
    for (let k = 0, ref = ints[at + LIST_BRUSHES]!; k < numBrushes; k++, ref += REF_WORDS) {
      const brush = places.brushes.first + BRUSH_WORDS * ints[ref + REF_BRUSH]!;
      if ((ints[ref + REF_CONTENTS]! & OBSTACLES) === 0 || found.has(brush)) continue;
      if (isFar(memory, ref, limits)) continue;
      found.add(brush);
      putBounds(bounds, memory, ref, ints[brush + BRUSH_AXIAL] === 1 ? 0 : ROOM);
    }
    for (let k = 0; k < numPatches; k++) {
      const patch = ints[ints[at + LIST_PATCHES]! + k]!;
      if ((ints[patch + PATCH_CONTENTS]! & OBSTACLES) === 0 || found.has(patch)) continue;
      if (isFar(memory, patch, limits)) continue;
      found.add(patch);
      putBounds(bounds, memory, patch, ROOM);
    }
  }
  return Float32Array.from(bounds);
}

/** How far bounds have to reach, in their order, to come between two corners. */
const limitsOf = (mins: Vec3, maxs: Vec3): Float64Array =>
  Float64Array.from({ length: 6 }, (_, k) => (k % 2 === 0 ? -maxs[k >> 1]! : mins[k >> 1]!) - ROOM);

/**
 * Whether bounds do not come that far. NaN lies everywhere. No loop, and nothing is computed: this is asked thousands of times
 * before any JavaScript engine has compiled it.
 */
function isFar({ floats }: WorldMemory, bounds: number, limits: Float64Array): boolean {
  return (
    floats[bounds]! <= limits[0]! ||
    floats[bounds + 1]! <= limits[1]! ||
    floats[bounds + 2]! <= limits[2]! ||
    floats[bounds + 3]! <= limits[3]! ||
    floats[bounds + 4]! <= limits[4]! ||
    floats[bounds + 5]! <= limits[5]!
  );
}

/** Adds the bounds of a brush or patch, with some room: mins, then maxs. */
function putBounds(all: number[], { floats }: WorldMemory, at: number, room: number): void {
  all.push(-floats[at]! - room, -floats[at + 2]! - room, -floats[at + 4]! - room);
  all.push(floats[at + 1]! + room, floats[at + 3]! + room, floats[at + 5]! + room);
}
