import { KIND_MASK, NODE_WORDS, OBLIQUE, PLANE_WORDS } from '@bspkit/brushes';
import type { Polygon, Vec3 } from '@bspkit/core';
import { boxLeafs, boxSides, type LeafTree } from '@bspkit/core/format';
import { MASK_PLAYERSOLID } from './constants.ts';
import type { Quake2World } from './world.ts';

/** The walk through a world's tree by which {@link PolygonSource} finds leafs. */
export function leafWalk({ _target }: Quake2World): (mins: Vec3, maxs: Vec3, out: Int32Array) => number {
  const { ints, floats, places } = _target.memory;
  const place = (node: number): number => places.nodes.first + NODE_WORDS * node;
  const tree: LeafTree = {
    sides(node, box) {
      const at = place(node);
      const kind = ints[at]! & KIND_MASK;
      const dist = floats[at + 1]!;
      if (kind < OBLIQUE) {
        return boxSides(kind === 0 ? 1 : 0, kind === 1 ? 1 : 0, kind === 2 ? 1 : 0, dist, box);
      }
      const plane = places.planes.first + PLANE_WORDS * (ints[at]! >>> 4);
      return boxSides(floats[plane]!, floats[plane + 1]!, floats[plane + 2]!, dist, box);
    },
    child: (node, side) => ints[place(node) + 2 + side]!,
    leaf: (child) => -1 - child,
  };
  return (mins, maxs, out) => boxLeafs(tree, [0], mins, maxs, out);
}

/** Whether a polygon stops players. */
export const isSolid = ({ contents }: Polygon): boolean => (contents & MASK_PLAYERSOLID) !== 0;
