import type { Bounds, StepVec, Vec3 } from '@bspkit/core';
import type { TreeView } from '../kernel/tree.ts';
import { PLANE_WORDS } from '../layout.ts';
import { nodeWords, packedContents, packedLeaf } from '../sections.ts';

// Trees as in the documents: nodes with a plane and two children, ends with contents.

/** A plane as the file has it. */
export interface ReferencePlane {
  readonly normal: StepVec;
  readonly dist: number;
  readonly type: number;
  /** Plane, by its number in the file. */
  readonly number: number;
}

/** A tree to be walked step by step. Numbers below 0 are the ends of ways. */
export interface ReferenceTree {
  /** Where walking begins. */
  readonly head: number;
  /** Number of nodes in the tree's lump. */
  readonly count: number;
  /** A node's number in its lump. */
  number(node: number): number;
  plane(node: number): ReferencePlane;
  child(node: number, side: number): number;
  contents(end: number): number;
  /** Leaf at an end; -1 in trees that have no leafs. */
  leaf(end: number): number;
}

export const vec = (point: Vec3): StepVec => [point[0]!, point[1]!, point[2]!];

/** A tree of a world's buffer. Those of clip hulls have no leafs. */
export function worldTree(view: TreeView, head: number, hasLeafs: boolean): ReferenceTree {
  const { ints, floats, planes, first, end } = view;
  // By place, in steps of four words: all nodes begin at a multiple of four words.
  const numbers = new Int32Array((end - first) >> 2);
  let count = 0;
  for (let at = first; at < end; at += nodeWords(ints[at]! & 7)) numbers[(at - first) >> 2] = count++;
  return {
    head,
    count,
    number: (node) => numbers[(node - first) >> 2]!,
    plane: (node) => {
      const number = ints[node]! >> 3;
      const at = planes + PLANE_WORDS * number;
      return { normal: vec(floats.subarray(at)), dist: floats[at + 3]!, type: ints[at + 4]!, number };
    },
    child: (node, side) => ints[node + 2 + side]!,
    contents: packedContents,
    leaf: hasLeafs ? packedLeaf : () => -1,
  };
}

/**
 * The tree that the engine makes of an entity without a model: six planes that face along their axis, the greatest and the least
 * of x, y and z, of the entity's box grown by the mover's.
 */
export function boxTree(entity: Bounds, mover: Bounds): ReferenceTree {
  const f = Math.fround;
  const plane = (node: number): ReferencePlane => {
    const type = node >> 1;
    const dist =
      node % 2 === 0 ? entity.maxs[type]! - mover.mins[type]! : entity.mins[type]! - mover.maxs[type]!;
    const normal = [0, 1, 2].map((axis) => (axis === type ? 1 : 0)) as unknown as StepVec;
    return { normal, dist: f(dist), type, number: -1 };
  };
  return {
    head: 0,
    count: 6,
    number: (node) => node,
    plane,
    // Outside is in front of the greatest planes and behind the least ones.
    child: (node, side) => (side === node % 2 ? -1 : node === 5 ? -2 : node + 1),
    contents: (end) => end,
    leaf: () => -1,
  };
}
