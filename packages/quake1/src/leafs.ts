import type { Polygon, Vec3 } from '@bspkit/core';
import { boxLeafs, boxSides, held, type LeafTree, linkSides } from '@bspkit/core/format';
import { CONTENTS_CLIP, CONTENTS_SKY, CONTENTS_SOLID } from './constants.ts';
import type { WorldMemory } from './kernel/memory.ts';
import type { TreeView } from './kernel/tree.ts';
import { PLANE_WORDS } from './layout.ts';
import { packedContents, packedLeaf } from './sections.ts';
import type { Quake1World } from './world.ts';

/** The world's tree as the engine links a box to leafs. */
export const linkTree = ({ trees: [tree] }: WorldMemory): LeafTree =>
  treeOf(
    tree,
    (node, box) => {
      const { ints, floats, planes } = tree;
      const at = planes + PLANE_WORDS * (ints[node]! >> 3);
      return linkSides(ints[at + 4]!, floats, at, at + 3, box);
    },
    // The engine goes by contents: a map may have more solid leafs than leaf 0.
    (child) => (packedContents(child) === CONTENTS_SOLID ? -1 : packedLeaf(child)),
  );

/** The walk through a world's tree by which {@link PolygonSource} finds leafs. */
export function leafWalk({ _memory }: Quake1World): (mins: Vec3, maxs: Vec3, out: Int32Array) => number {
  const [view] = _memory.trees;
  const { ints, floats, planes, first } = view;
  const tree = treeOf(
    view,
    (node, box) => {
      const at = planes + PLANE_WORDS * (ints[node]! >> 3);
      return boxSides(floats[at]!, floats[at + 1]!, floats[at + 2]!, floats[at + 3]!, box);
    },
    // Leaf 0 is everything solid, in many places of the tree, and has no polygons.
    (child) => packedLeaf(child) || -1,
  );
  const roots = [first];
  return (mins, maxs, out) => {
    held(view);
    return boxLeafs(tree, roots, mins, maxs, out);
  };
}

const treeOf = ({ ints }: TreeView, sides: LeafTree['sides'], leaf: LeafTree['leaf']): LeafTree => ({
  sides,
  child: (node, side) => ints[node + 2 + side]!,
  leaf,
});

/** Whether a polygon stops players. */
export const isSolid = ({ contents }: Polygon): boolean =>
  contents === CONTENTS_SOLID || contents === CONTENTS_SKY || contents === CONTENTS_CLIP;
