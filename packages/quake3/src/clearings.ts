import {
  type ClearingGrid,
  type Clearings,
  clearingGrid,
  createClearings,
  held,
  type Work,
} from '@bspkit/core/format';
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
  FACET_BOUNDS,
  FACET_WORDS,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  LIST_NUM_PATCHES,
  LIST_PATCHES,
  NODE_BACK,
  NODE_FRONT,
  PATCH_CONTENTS,
  PATCH_FACETS,
  PATCH_NUM_FACETS,
  REF_BRUSH,
  REF_CONTENTS,
  REF_WORDS,
  ROOT_WORD,
} from './layout.ts';

/** What is never in a clearing. */
const OBSTACLES =
  CONTENTS_SOLID | CONTENTS_PLAYERCLIP | CONTENTS_MONSTERCLIP | CONTENTS_BODY | CONTENTS_CORPSE;

/** Greater epsilons reach farther than the distance that moves keep from what they come nearer to. */
const MOST_EPSILON = 0.5;

/** Room around anything that is out of the way only by its bounds, for epsilons and rounding. */
export const ROOM = 1;

/** Steps that a node, or anything in a leaf, takes. */
const STEPS = 8;

/** Whether a tracer's moves meet nothing in a clearing: those through the world, if nothing else is in their mask. */
export function asksClearings({ target, state, query }: Kernel): boolean {
  return !target.moves && (state[S_MASK]! & ~OBSTACLES) === 0 && query[Q_EPSILON]! <= MOST_EPSILON;
}

/** The grid for a world's clearings; `undefined` if it can have none. */
export function gridOf({ ints, floats, places }: WorldMemory): ClearingGrid | undefined {
  // Only the memory of a box entity has no tree.
  if (places.nodes.count === 0) return undefined;
  const { first } = places.models;
  // Half of the world's own size.
  const bytes = ints.byteLength / 2;
  return clearingGrid(
    { mins: floats.subarray(first, first + 3), maxs: floats.subarray(first + 3, first + 6) },
    bytes,
  );
}

/** Clearings of a world, once it is known which kernel traces: the one in WebAssembly makes them in its memory. */
export function clearingsOf(memory: OpenedMemory): Clearings | null {
  if (memory.clearings === undefined) memory.clearings = makeClearings(memory);
  return memory.clearings;
}

/** Not part of the above, which is called whenever a tracer is set: what has a closure may allocate each time, needed or not. */
function makeClearings(memory: OpenedMemory): Clearings | null {
  const grid = gridOf(memory);
  return grid ? createClearings(grid, (mins, maxs, work) => listObstacles(memory, mins, maxs, work)) : null;
}

/**
 * Bounds of the brushes and of the patches' facets of a world that may be in the way between two corners: those in leafs that have
 * any there. A move that is clear of these bounds is clear of the solids: of brushes by their axial sides, of other brushes by what
 * engines check first, and of facets by both: many lack some of the axial sides. `null` if that takes more steps than are left.
 */
export function listObstacles(
  memory: WorldMemory,
  mins: readonly number[],
  maxs: readonly number[],
  work: Work,
): Float32Array | null {
  const { ints, floats, places } = held(memory);
  const [x, y, z] = mins.map((least) => least - ROOM);
  const [toX, toY, toZ] = maxs.map((most) => most + ROOM);
  // NaN overlaps everything. No loop: this is called thousands of times before any JavaScript engine has compiled it.
  const isFar = (at: number): boolean =>
    -floats[at]! >= toX! ||
    floats[at + 1]! <= x! ||
    -floats[at + 2]! >= toY! ||
    floats[at + 3]! <= y! ||
    -floats[at + 4]! >= toZ! ||
    floats[at + 5]! <= z!;
  // Each once, even if many leafs have it.
  const found = new Set<number>();
  const bounds: number[] = [];
  /** Adds the bounds of a brush, or of a facet within those of its patch, with some room. It is identified by its place. */
  const add = (place: number, at: number, contents: number, room: number, within: number): void => {
    if ((contents & OBSTACLES) === 0 || found.has(place) || isFar(at)) return;
    found.add(place);
    for (let k = 0; k < 6; k += 2) bounds.push(-Math.min(floats[at + k]!, floats[within + k]!) - room);
    for (let k = 1; k < 6; k += 2) bounds.push(Math.min(floats[at + k]!, floats[within + k]!) + room);
  };
  const stack = [ints[ROOT_WORD]!];
  for (let child = stack.pop(); child !== undefined; child = stack.pop()) {
    const at = Math.abs(child);
    work.left -= STEPS;
    if (work.left < 0) return null;
    if ((ints[at + CONTENTS_WORD]! & OBSTACLES) === 0 || isFar(at + BOUNDS_WORD)) continue;
    if (child > 0) {
      stack.push(ints[at + NODE_BACK]!, ints[at + NODE_FRONT]!);
      continue;
    }
    work.left -= STEPS * (ints[at + LIST_NUM_BRUSHES]! + ints[at + LIST_NUM_PATCHES]!);
    for (let k = 0, ref = ints[at + LIST_BRUSHES]!; k < ints[at + LIST_NUM_BRUSHES]!; k++, ref += REF_WORDS) {
      const brush = places.brushes.first + BRUSH_WORDS * ints[ref + REF_BRUSH]!;
      add(brush, ref, ints[ref + REF_CONTENTS]!, ints[brush + BRUSH_AXIAL] === 1 ? 0 : ROOM, ref);
    }
    for (let k = 0; k < ints[at + LIST_NUM_PATCHES]!; k++) {
      const patch = ints[ints[at + LIST_PATCHES]! + k]!;
      if (found.has(patch) || isFar(patch)) continue;
      found.add(patch);
      work.left -= STEPS * ints[patch + PATCH_NUM_FACETS]!;
      let facet = ints[patch + PATCH_FACETS]!;
      const end = facet + FACET_WORDS * ints[patch + PATCH_NUM_FACETS]!;
      for (; facet < end; facet += FACET_WORDS) {
        add(facet, facet + FACET_BOUNDS, ints[patch + PATCH_CONTENTS]!, ROOM, patch);
      }
    }
  }
  return Float32Array.from(bounds);
}
