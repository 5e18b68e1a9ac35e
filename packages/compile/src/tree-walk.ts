import {
  BEHIND,
  cutMeasured,
  IN_FRONT,
  isTiny,
  measureCorners,
  ON_EPSILON,
  type Winding,
  windingCenter,
} from '@bspkit/geometry';
import type { PlaneSet } from './planes.ts';
import { isLeaf, type Tree, type TreeLeaf, type TreeNode } from './tree.ts';

/** A face that has no node of its own is closer than this to the plane of another, in units: no cell was left between them. */
const NEAR = 1;

/** The leaf that contains a point; a point on a split is in front of it. */
export function leafAt(planes: PlaneSet, tree: Tree, x: number, y: number, z: number): TreeLeaf {
  let part = tree;
  while (!isLeaf(part)) part = planes.distance(part.plane, x, y, z) >= 0 ? part.front : part.back;
  return part;
}

/** Visits the leafs that a face looks into, each with the piece of the face that it sees. No two pieces overlap. */
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
  const { front, back } = cutAtNode(planes, tree, winding);
  if (tree.plane >> 1 === plane >> 1 || (front && front === back)) {
    visitLeafs(planes, seenSide(planes, tree, plane), plane, winding, visit);
    return;
  }
  if (front) visitLeafs(planes, tree.front, plane, front, visit);
  if (back) visitLeafs(planes, tree.back, plane, back, visit);
}

/**
 * Visits the nodes that a face is on, each with the piece of the face that is there. Each piece is on one node: the one that splits
 * space along the face's plane, or, where none does, the one that it is nearest to of those above the leaf where it ends. A part of the
 * tree that `isEnd` accepts counts as a leaf.
 */
export function visitNodes(
  planes: PlaneSet,
  tree: Tree,
  plane: number,
  winding: Winding,
  visit: (node: TreeNode, winding: Winding) => void,
  isEnd: (part: TreeNode) => boolean = () => false,
  passed: TreeNode[] = [],
): void {
  if (isLeaf(tree) || isEnd(tree)) {
    // Too close to the plane of a node for a split of its own.
    if (passed.length > 0) visit(nearestNode(planes, passed, winding), winding);
    return;
  }
  if (tree.plane >> 1 === plane >> 1) {
    visit(tree, winding);
    return;
  }
  let { front, back } = cutAtNode(planes, tree, winding);
  if (front && front === back) {
    // Like the faces that the tree was built from, it goes where its middle is.
    const [x, y, z] = windingCenter(winding);
    if (planes.distance(tree.plane, x, y, z) >= 0) back = undefined;
    else front = undefined;
  }
  passed.push(tree);
  if (front) visitNodes(planes, tree.front, plane, front, visit, isEnd, passed);
  if (back) visitNodes(planes, tree.back, plane, back, visit, isEnd, passed);
  passed.pop();
}

/**
 * The node whose plane a winding is nearest to, by its farthest corner. Of a winding that is on none, as where a tree divides only a
 * part of the map, it is the last.
 */
function nearestNode(planes: PlaneSet, nodes: readonly TreeNode[], winding: Winding): TreeNode {
  let best = nodes[nodes.length - 1]!;
  let least = NEAR;
  for (const node of nodes) {
    let most = 0;
    for (let i = 0; i < winding.length; i += 3) {
      const distance = planes.distance(node.plane, winding[i]!, winding[i + 1]!, winding[i + 2]!);
      most = Math.max(most, Math.abs(distance));
    }
    if (most < least) {
      best = node;
      least = most;
    }
  }
  return best;
}

/**
 * The side of a node that a face on it looks to. Not by its corners: a face that is nearly on the node's plane may be behind it, and
 * looks away from there.
 */
export function seenSide(
  { nx, ny, nz }: PlaneSet,
  { plane: own, front, back }: TreeNode,
  plane: number,
): Tree {
  const cosine = nx[own]! * nx[plane]! + ny[own]! * ny[plane]! + nz[own]! * nz[plane]!;
  return cosine > 0 ? front : back;
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
