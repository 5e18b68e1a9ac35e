import {
  BEHIND,
  cutMeasured,
  IN_FRONT,
  isTiny,
  measureCorners,
  ON_EPSILON,
  type Winding,
} from '@bspkit/geometry';
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
  if (front) visitBelow(planes, tree, tree.front, plane, front, visit);
  if (back) visitBelow(planes, tree, tree.back, plane, back, visit);
}

/** {@link visitNodes} in a part below a node. */
function visitBelow(
  planes: PlaneSet,
  node: TreeNode,
  below: Tree,
  plane: number,
  winding: Winding,
  visit: (node: TreeNode, winding: Winding) => void,
): void {
  // A face that ends in a leaf is almost on the plane of the last split, so it is kept there.
  if (isLeaf(below)) visit(node, winding);
  else visitNodes(planes, below, plane, winding, visit);
}

/** The parts of a winding in front of a node's plane and behind it; one that is on the plane goes to both sides. */
function cutAtNode(
  { nx, ny, nz, dist }: PlaneSet,
  { plane }: TreeNode,
  winding: Winding,
): { front: Winding | undefined; back: Winding | undefined } {
  const where = measureCorners(winding, nx[plane]!, ny[plane]!, nz[plane]!, dist[plane]!, ON_EPSILON);
  if (where !== (IN_FRONT | BEHIND)) {
    return {
      front: where === BEHIND ? undefined : winding,
      back: where === IN_FRONT ? undefined : winding,
    };
  }
  const { front, back } = cutMeasured(winding, ON_EPSILON);
  return { front: isTiny(front) ? undefined : front, back: isTiny(back) ? undefined : back };
}
