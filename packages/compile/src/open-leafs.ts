import { areaSize, type Winding } from '@bspkit/geometry';
import { type Box, boxAround, boxesTouch } from './box.ts';
import type { PlaneSet } from './planes.ts';
import { isLeaf, type Tree, type TreeLeaf } from './tree.ts';
import { visitLeafs } from './tree-walk.ts';

/** Area of a piece of a face that may be in no open leaf unnoticed, in square units. */
const NOTICEABLE = 0.5;
/** How far around a buried piece of a face to search for open leafs. */
const FAR = 100;

/**
 * The open leafs that a face looks into, which has something open in front of it. If sides are nearly in one plane, rounding can put
 * pieces of it into solid; for these, they are the open leafs closest around them.
 *
 * @param from - the part of the tree that the face looks into.
 */
export function openLeafs(
  planes: PlaneSet,
  tree: Tree,
  from: Tree,
  { plane, winding }: { readonly plane: number; readonly winding: Winding },
  isOpen: (leaf: TreeLeaf) => boolean,
): ReadonlySet<TreeLeaf> {
  const found = new Set<TreeLeaf>();
  const buried: Winding[] = [];
  visitLeafs(planes, from, plane, winding, (leaf, piece) => {
    if (isOpen(leaf)) found.add(leaf);
    else if (areaSize(piece) > NOTICEABLE) buried.push(piece);
  });
  // If a face is too small to reach any leaf, it is searched for as a whole.
  for (const piece of found.size > 0 ? buried : [winding]) {
    const box = boxAround([piece]);
    for (let margin = 1, count = 0; margin < FAR && count === 0; margin *= 4) {
      visitAround(tree, box, margin, (leaf) => {
        if (!isOpen(leaf)) return;
        found.add(leaf);
        count++;
      });
    }
  }
  return found;
}

/** Visits the leafs that come within `margin` of a box. */
export function visitAround(tree: Tree, box: Box, margin: number, visit: (leaf: TreeLeaf) => void): void {
  if (!boxesTouch(tree.box, box, margin)) return;
  if (isLeaf(tree)) visit(tree);
  else {
    visitAround(tree.front, box, margin, visit);
    visitAround(tree.back, box, margin, visit);
  }
}
