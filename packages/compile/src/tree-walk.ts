import { cutWinding, isTiny, type Winding } from '@bspkit/geometry';
import type { PlaneSet } from './planes.ts';
import { isLeaf, type Tree, type TreeLeaf, type TreeNode } from './tree.ts';

/** The leaf that contains a point; a point on a split is in front of it. */
export function leafAt(planes: PlaneSet, tree: Tree, x: number, y: number, z: number): TreeLeaf {
  let part = tree;
  while (!isLeaf(part)) part = planes.distance(part.plane, x, y, z) >= 0 ? part.front : part.back;
  return part;
}

/** Visits the leafs that a face looks into, each with the piece of the face that it sees. */
export function visitLeafs(
  planes: PlaneSet,
  tree: Tree,
  plane: number,
  winding: Winding,
  visit: (leaf: TreeLeaf, winding: Winding) => void,
): void {
  if (isLeaf(tree)) {
    visit(tree, winding);
    return;
  }
  if (tree.plane >> 1 === plane >> 1) {
    visitLeafs(planes, plane === tree.plane ? tree.front : tree.back, plane, winding, visit);
    return;
  }
  const { front, back } = cutAtNode(planes, tree, winding);
  if (front) visitLeafs(planes, tree.front, plane, front, visit);
  if (back) visitLeafs(planes, tree.back, plane, back, visit);
}

/** Visits the nodes that split space along a face, each with the piece of the face that is on it. */
export function visitNodes(
  planes: PlaneSet,
  tree: Tree,
  plane: number,
  winding: Winding,
  visit: (node: TreeNode, winding: Winding) => void,
): void {
  if (isLeaf(tree)) return;
  if (tree.plane >> 1 === plane >> 1) {
    visit(tree, winding);
    return;
  }
  const { front, back } = cutAtNode(planes, tree, winding);
  // A face that ends in a leaf is almost on the plane of the last split, so it is kept there.
  for (const [child, piece] of [
    [tree.front, front],
    [tree.back, back],
  ] as const) {
    if (!piece) continue;
    if (isLeaf(child)) visit(tree, piece);
    else visitNodes(planes, child, plane, piece, visit);
  }
}

function cutAtNode(
  planes: PlaneSet,
  { plane }: TreeNode,
  winding: Winding,
): { front: Winding | undefined; back: Winding | undefined } {
  const { nx, ny, nz, dist } = planes;
  const { front, back } = cutWinding(winding, nx[plane]!, ny[plane]!, nz[plane]!, dist[plane]!);
  if (!front && !back) return { front: winding, back: winding };
  return {
    front: front && (front === winding || !isTiny(front)) ? front : undefined,
    back: back && (back === winding || !isTiny(back)) ? back : undefined,
  };
}
