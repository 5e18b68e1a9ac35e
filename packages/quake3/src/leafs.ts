import type { Polygon, Vec3 } from '@bspkit/core';
import { boxLeafs, boxSides, held, type LeafTree, linkSides } from '@bspkit/core/format';
import { leafNumber } from './classify.ts';
import { MASK_PLAYERSOLID } from './constants.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { NODE_BACK, NODE_DIST, NODE_FRONT, NODE_NORMAL, ROOT_WORD } from './layout.ts';
import type { Quake3World } from './world.ts';

/** The world's tree, for linking boxes to leafs. */
export function linkTree({ ints, floats, places }: WorldMemory): LeafTree {
  return {
    sides: (node, box) => linkSides(ints[node]!, floats, node + NODE_NORMAL, node + NODE_DIST, box),
    child: (node, side) => ints[node + (side === 0 ? NODE_FRONT : NODE_BACK)]!,
    leaf: (child) => leafNumber(places, child),
  };
}

/** The walk through a world's tree with which {@link PolygonSource} finds leafs. */
export function leafWalk({ _target }: Quake3World): (mins: Vec3, maxs: Vec3, out: Int32Array) => number {
  const { memory } = _target;
  const { ints, floats, places } = memory;
  const tree: LeafTree = {
    sides(node, box) {
      const normal = node + NODE_NORMAL;
      const dist = floats[node + NODE_DIST]!;
      return boxSides(floats[normal]!, floats[normal + 1]!, floats[normal + 2]!, dist, box);
    },
    child: (node, side) => ints[node + (side === 0 ? NODE_FRONT : NODE_BACK)]!,
    leaf: (child) => leafNumber(places, child),
  };
  const roots = [ints[ROOT_WORD]!];
  return (mins, maxs, out) => {
    held(memory);
    return boxLeafs(tree, roots, mins, maxs, out);
  };
}

/** Whether a polygon stops players. */
export const isSolid = ({ contents }: Polygon): boolean => (contents & MASK_PLAYERSOLID) !== 0;
