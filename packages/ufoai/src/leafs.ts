import { leafTree } from '@bspkit/brushes';
import type { Polygon, Vec3 } from '@bspkit/core';
import { boxLeafs, held } from '@bspkit/core/format';
import { MASK_IMPASSABLE } from './constants.ts';
import { BOX_HEAD_BOUNDS, BOX_HEAD_WORDS } from './layout.ts';
import type { UfoaiWorld } from './world.ts';

/** The walk through a world's trees, of all tiles and levels, by which {@link PolygonSource} finds leafs. */
export function leafWalk({ _memory }: UfoaiWorld): (mins: Vec3, maxs: Vec3, out: Int32Array) => number {
  const { ints, floats, places } = _memory;
  const tree = leafTree(_memory);
  // Trees that consist only of plane nodes, each with the bounds of its brushes.
  const { first, count } = places.boxHeads;
  const near = new Int32Array(count);
  return (mins, maxs, out) => {
    held(_memory);
    let found = 0;
    for (let head = 0; head < count; head++) {
      const at = first + BOX_HEAD_WORDS * head;
      const low = at + BOX_HEAD_BOUNDS;
      let apart = false;
      for (let k = 0; k < 3; k++) {
        if (floats[low + k]! > maxs[k]! || floats[low + 3 + k]! < mins[k]!) apart = true;
      }
      if (!apart) near[found++] = ints[at]!;
    }
    return boxLeafs(tree, near, mins, maxs, out, found);
  };
}

/** Whether a polygon stops players: clip for walkers does, as it stops their boxes. */
export const isSolid = ({ contents }: Polygon): boolean => (contents & MASK_IMPASSABLE) !== 0;
