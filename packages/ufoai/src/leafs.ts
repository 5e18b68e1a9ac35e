import type { Polygon, Vec3 } from '@bspkit/core';
import { boxLeafs, boxSides, type LeafTree } from '@bspkit/core/format';
import { MASK_SOLID } from './constants.ts';
import { LINE_HEAD_ROOT, SECTIONS } from './layout.ts';
import type { UfoaiWorld } from './world.ts';

/** The walk through a world's trees, of all tiles and levels, by which {@link PolygonSource} finds leafs. */
export function leafWalk({ _memory }: UfoaiWorld): (mins: Vec3, maxs: Vec3, out: Int32Array) => number {
  const { ints, floats, places } = _memory;
  const place = (node: number): number => places.nodes.first + SECTIONS.nodes * node;
  const tree: LeafTree = {
    sides(node, box) {
      const at = place(node);
      const kind = ints[at]! & 15;
      const dist = floats[at + 1]!;
      // Nodes that join trees are no planes: what is in them may reach past the distance.
      if (kind > 3) return 3;
      if (kind < 3) return boxSides(kind === 0 ? 1 : 0, kind === 1 ? 1 : 0, kind === 2 ? 1 : 0, dist, box);
      const plane = places.planes.first + SECTIONS.planes * (ints[at]! >>> 4);
      return boxSides(floats[plane]!, floats[plane + 1]!, floats[plane + 2]!, dist, box);
    },
    child: (node, side) => ints[place(node) + 2 + side]!,
    leaf: (child) => -1 - child,
  };
  const roots: number[] = [];
  for (let head = 0; head < places.lineHeads.count; head++) {
    const root = ints[places.lineHeads.first + SECTIONS.lineHeads * head + LINE_HEAD_ROOT]!;
    // Heads that lines alone use have no nodes.
    if (root >= 0) roots.push(root);
  }
  return (mins, maxs, out) => boxLeafs(tree, roots, mins, maxs, out);
}

/** Whether a polygon stops people. */
export const isSolid = ({ contents }: Polygon): boolean => (contents & MASK_SOLID) !== 0;
