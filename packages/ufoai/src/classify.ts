import { findLeaf, LEAF_WORDS } from '@bspkit/brushes';
import type { Vec3 } from '@bspkit/core';
import type { WorldMemory } from './kernel/memory.ts';
import { BOX_HEAD_BOUNDS, BOX_HEAD_KEY, BOX_HEAD_WORDS } from './layout.ts';
import { selectBoxHeads } from './selection.ts';

/**
 * Contents of the leafs that hold a point, of all heads of some levels, combined with OR. Inline models do not count.
 *
 * A head's tree fills all of space, and its planes go on beyond its brushes: there its leafs say nothing.
 */
export function worldContents(memory: WorldMemory, point: Vec3, levels: number): number {
  const { ints, floats, places } = memory;
  const selection = selectBoxHeads(levels);
  let contents = 0;
  for (let head = 0; head < places.boxHeads.count; head++) {
    const at = places.boxHeads.first + BOX_HEAD_WORDS * head;
    if ((ints[at + BOX_HEAD_KEY]! & selection) === 0 || !isWithin(floats, at + BOX_HEAD_BOUNDS, point))
      continue;
    contents |= ints[places.leafs.first + LEAF_WORDS * findLeaf(memory, ints[at]!, point)]!;
  }
  return contents;
}

function isWithin(floats: Float32Array, bounds: number, point: Vec3): boolean {
  for (let k = 0; k < 3; k++) {
    const x = point[k]!;
    if (x < floats[bounds + k]! || x > floats[bounds + 3 + k]!) return false;
  }
  return true;
}
