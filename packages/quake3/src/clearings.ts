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
  BRUSH_AXIAL,
  BRUSH_WORDS,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  LIST_NUM_PATCHES,
  LIST_PATCHES,
  PATCH_CONTENTS,
  PATCH_NUMBER,
  REF_BRUSH,
  REF_CONTENTS,
  REF_WORDS,
} from './layout.ts';
import { leafAt } from './sections.ts';

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
    memory.clearings = grid ? createClearings(grid, () => listObstacles(memory)) : null;
  }
  return memory.clearings;
}

/**
 * Bounds of the brushes and patches of a world that may be in the way. Moves that are clear of these are clear of them: of
 * brushes by their axial sides, of others and patches by what is looked at before.
 */
export function listObstacles({ ints, floats, places }: WorldMemory): Float32Array {
  // Each once, though many leafs have it: brushes, then patches.
  const { brushes, patches, leafs } = places;
  const found = new Uint8Array(brushes.count + patches.count);
  const all = new Float32Array(6 * found.length);
  let length = 0;
  const add = (bounds: number, contents: number, number: number, room: number): void => {
    if ((contents & OBSTACLES) === 0 || found[number] === 1) return;
    found[number] = 1;
    for (let k = 0; k < 3; k++) {
      all[length + k] = -floats[bounds + 2 * k]! - room;
      all[length + 3 + k] = floats[bounds + 2 * k + 1]! + room;
    }
    length += 6;
  };
  for (let leaf = 0; leaf < leafs.count; leaf++) {
    const list = leafAt(places, leaf);
    const first = ints[list + LIST_BRUSHES]!;
    const end = first + REF_WORDS * ints[list + LIST_NUM_BRUSHES]!;
    for (let ref = first; ref < end; ref += REF_WORDS) {
      const brush = ints[ref + REF_BRUSH]!;
      const isAxial = ints[brushes.first + BRUSH_WORDS * brush + BRUSH_AXIAL] === 1;
      add(ref, ints[ref + REF_CONTENTS]!, brush, isAxial ? 0 : ROOM);
    }
    for (let k = 0; k < ints[list + LIST_NUM_PATCHES]!; k++) {
      const patch = ints[ints[list + LIST_PATCHES]! + k]!;
      add(patch, ints[patch + PATCH_CONTENTS]!, brushes.count + ints[patch + PATCH_NUMBER]!, ROOM);
    }
  }
  return all.slice(0, length);
}
