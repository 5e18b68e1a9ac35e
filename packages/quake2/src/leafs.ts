import { KIND_MASK, leafTree, NODE_WORDS, PLANE_WORDS } from '@bspkit/brushes';
import type { Polygon, Vec3 } from '@bspkit/core';
import { boxLeafs, checkBounds, held, type LeafTree, linkSides } from '@bspkit/core/format';
import { MASK_PLAYERSOLID } from './constants.ts';
import type { WorldMemory } from './kernel/memory.ts';
import type { Quake2World } from './world.ts';

/** The world's tree, for linking boxes to leafs. */
export function linkTree({ ints, floats, places }: WorldMemory): LeafTree {
  const place = (node: number): number => places.nodes.first + NODE_WORDS * node;
  return {
    sides(node, box) {
      const at = place(node);
      const plane = places.planes.first + PLANE_WORDS * (ints[at]! >>> 4);
      return linkSides(ints[at]! & KIND_MASK, floats, plane, at + 1, box);
    },
    child: (node, side) => ints[place(node) + 2 + side]!,
    leaf: (child) => -1 - child,
  };
}

/** The first node below a head that has a box on both sides; -1 for none. */
export function nodeOfBox(tree: LeafTree, head: number, mins: Vec3, maxs: Vec3): number {
  checkBounds(mins, maxs);
  const box = Float64Array.of(mins[0]!, mins[1]!, mins[2]!, maxs[0]!, maxs[1]!, maxs[2]!);
  let node = head;
  while (node >= 0) {
    const sides = tree.sides(node, box);
    if (sides === 3) return node;
    node = tree.child(node, sides - 1);
  }
  return -1;
}

/** The walk through a world's tree with which {@link PolygonSource} finds leafs. */
export function leafWalk({ _target }: Quake2World): (mins: Vec3, maxs: Vec3, out: Int32Array) => number {
  const { memory } = _target;
  const tree = leafTree(memory);
  const roots = [0];
  return (mins, maxs, out) => {
    held(memory);
    return boxLeafs(tree, roots, mins, maxs, out);
  };
}

/** Whether a polygon stops players. */
export const isSolid = ({ contents }: Polygon): boolean => (contents & MASK_PLAYERSOLID) !== 0;
