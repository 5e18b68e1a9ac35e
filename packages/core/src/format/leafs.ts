import { checkArrayOf } from '../arrays.ts';
import { checkBounds } from '../check.ts';
import type { Vec3 } from '../vec.ts';

/** A BSP tree to be walked by {@link boxLeafs}, in a world's own numbers: a node is 0 or more, a leaf below 0. */
export interface LeafTree {
  /**
   * On which sides of a node's plane a box is: 1 in front, 2 behind, 3 both. The box (mins, maxs) is that of
   * {@link boxLeafs}.
   */
  sides(node: number, box: Float64Array): number;
  /** A node's child: in front for 0, behind for 1. */
  child(node: number, side: number): number;
  /** A leaf's number, by its code in the tree; below 0 for a leaf that is to be left out. */
  leaf(child: number): number;
}

// Shared by all walks of a thread: they never call each other, as a box is read before one begins.
const BOX: Float64Array = new Float64Array(6);
let stack: Int32Array = new Int32Array(128);

/**
 * Finds the leafs that a box touches below the first `numRoots` of some roots: writes as many as fit into `out`, and returns how
 * many there are. Allocates nothing, except for a tree deeper than any before.
 * @throws RangeError when a corner is not finite, or `mins` is above `maxs`; TypeError for an `out` that cannot hold them, or was
 *   transferred or cut off.
 */
export function boxLeafs(
  tree: LeafTree,
  roots: ArrayLike<number>,
  mins: Vec3,
  maxs: Vec3,
  out: Int32Array,
  numRoots: number = roots.length,
): number {
  takeBox(mins, maxs, out);
  return walk(tree, roots, numRoots, out);
}

/** Checks what a walk is given, and keeps the box. */
function takeBox(mins: Vec3, maxs: Vec3, out: Int32Array): void {
  checkBounds(mins, maxs);
  checkArrayOf(out, Int32Array, 'out', 'an');
  // All six are read before the first is written: reading them may run a getter that asks for the leafs of another box.
  const x0 = mins[0]!;
  const y0 = mins[1]!;
  const z0 = mins[2]!;
  const x1 = maxs[0]!;
  const y1 = maxs[1]!;
  const z1 = maxs[2]!;
  BOX[0] = x0;
  BOX[1] = y0;
  BOX[2] = z0;
  BOX[3] = x1;
  BOX[4] = y1;
  BOX[5] = z1;
}

/** Finds the leafs that the box touches which was taken last. */
function walk(tree: LeafTree, roots: ArrayLike<number>, numRoots: number, out: Int32Array): number {
  let found = 0;
  for (let root = 0; root < numRoots; root++) {
    let top = 0;
    let node = roots[root]!;
    for (;;) {
      while (node >= 0) {
        const sides = tree.sides(node, BOX);
        if (sides === 3) {
          if (top === stack.length) stack = grown(stack);
          stack[top++] = tree.child(node, 1);
        }
        node = tree.child(node, sides === 2 ? 1 : 0);
      }
      const leaf = tree.leaf(node);
      if (leaf >= 0) {
        if (found < out.length) out[found] = leaf;
        found++;
      }
      if (top === 0) break;
      node = stack[--top]!;
    }
  }
  return found;
}

/**
 * What a world's `boxLeafs` returns: with `out` the same as {@link boxLeafs}, without it a list. The walk is that of the engines
 * if the tree's sides are {@link linkSides}.
 */
export function leafsInBox(
  tree: LeafTree,
  root: number,
  mins: Vec3,
  maxs: Vec3,
  out: Int32Array | undefined,
): number[] | number {
  takeBox(mins, maxs, out === undefined ? NONE : out);
  ROOT[0] = root;
  if (out !== undefined) return walk(tree, ROOT, 1, out);
  const leafs = new Int32Array(walk(tree, ROOT, 1, NONE));
  walk(tree, ROOT, 1, leafs);
  return Array.from(leafs);
}

const ROOT: Int32Array = new Int32Array(1);
const NONE: Int32Array = new Int32Array(0);

function grown(full: Int32Array): Int32Array {
  const larger = new Int32Array(2 * full.length);
  larger.set(full);
  return larger;
}

/** {@link LeafTree.sides} for a plane. */
export function boxSides(nx: number, ny: number, nz: number, dist: number, box: Float64Array): number {
  const farthest = nx * box[nx < 0 ? 0 : 3]! + ny * box[ny < 0 ? 1 : 4]! + nz * box[nz < 0 ? 2 : 5]!;
  const nearest = nx * box[nx < 0 ? 3 : 0]! + ny * box[ny < 0 ? 4 : 1]! + nz * box[nz < 0 ? 5 : 2]!;
  return (farthest >= dist ? 1 : 0) | (nearest <= dist ? 2 : 0) || 3;
}

const f = Math.fround;

/**
 * {@link LeafTree.sides} as the engines decide them when they link an entity to leafs: in float32. A box that only touches an
 * axial plane is on one side of it alone; with any other plane, this is so only for a box in front.
 *
 * @param type - 0, 1, 2 for a plane across x, y, z; more for any other.
 * @param floats - has the normal at `normal`, then the distance at `dist`: numbers that are passed as arguments may be boxed.
 */
export function linkSides(
  type: number,
  floats: Float32Array,
  normal: number,
  dist: number,
  box: Float64Array,
): number {
  const far = floats[dist]!;
  if (type < 3) {
    if (far <= f(box[type]!)) return 1;
    return far >= f(box[3 + type]!) ? 2 : 3;
  }
  let farthest = 0;
  let nearest = 0;
  for (let k = 0; k < 3; k++) {
    const n = floats[normal + k]!;
    farthest = f(farthest + f(n * f(box[n < 0 ? k : 3 + k]!)));
    nearest = f(nearest + f(n * f(box[n < 0 ? 3 + k : k]!)));
  }
  const sides = (farthest >= far ? 1 : 0) | (nearest < far ? 2 : 0);
  return sides === 0 ? 3 : sides;
}
