import { obstacleLister } from '@bspkit/brushes';
import {
  type ClearingGrid,
  type Clearings,
  clearingGrid,
  createClearings,
  type ObstacleLister,
} from '@bspkit/core/format';
import {
  CONTENTS_DEADMONSTER,
  CONTENTS_MONSTER,
  CONTENTS_MONSTERCLIP,
  CONTENTS_PLAYERCLIP,
  CONTENTS_SOLID,
  CONTENTS_WINDOW,
} from './constants.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { MODEL_MAXS } from './layout.ts';

/** What is never in a clearing: moves whose mask has nothing else meet nothing there. */
export const OBSTACLES: number =
  CONTENTS_SOLID |
  CONTENTS_WINDOW |
  CONTENTS_PLAYERCLIP |
  CONTENTS_MONSTERCLIP |
  CONTENTS_MONSTER |
  CONTENTS_DEADMONSTER;

/** The grid for a world's clearings; `undefined` if it can have none. */
export function gridOf({ ints, floats, places }: WorldMemory): ClearingGrid | undefined {
  const at = places.models.first;
  // Half of the world's own size.
  const bytes = ints.byteLength / 2;
  return clearingGrid(
    { mins: floats.subarray(at, at + 3), maxs: floats.subarray(at + MODEL_MAXS, at + MODEL_MAXS + 3) },
    bytes,
  );
}

export const worldObstacles = (memory: WorldMemory): ObstacleLister => obstacleLister(memory, 0, OBSTACLES);

/** Clearings of a world, once it is known which kernel traces: the one in WebAssembly makes them in its memory. */
export function clearingsOf(memory: WorldMemory): Clearings | null {
  if (memory.clearings === undefined) {
    const grid = gridOf(memory);
    memory.clearings = grid ? createClearings(grid, worldObstacles(memory)) : null;
  }
  return memory.clearings;
}
