import { FARTHEST, RECORD_BYTES, WITHIN } from './blocker-layout.ts';
import { type Blocker, type BlockerRoom, blockerSets, type Noted, ROOM, STEPS_PER_NODE } from './blockers.ts';
import { excess, findPlace, high, low, MOST_LIMITS, mayReach, setLimit, type Work } from './places.ts';

// A brush is a blocker if every leaf that its inside reaches into lists it, with the room that walks need. Those leafs are found
// with all planes at once, the brush's and the nodes', or there would be far too many: when a box is split along oblique planes,
// the bounds of the pieces reach around corners where the pieces themselves do not.

/** A brush that is examined. */
export interface BlockerBrush extends Blocker {
  /** All of its sides: normal xyz, dist. */
  readonly planes: Float32Array;
}

/** The tree that moves are traced through, and how its leafs list brushes. */
export interface BrushTree {
  readonly root: number;
  /** The brush that the kernel noted; `undefined` if it cannot be a blocker. */
  brush(noted: Noted): BlockerBrush | undefined;
  /** A node's plane, as normal xyz and dist, and its children; `undefined` for a leaf. */
  split(
    child: number,
  ): { readonly plane: ArrayLike<number>; readonly front: number; readonly back: number } | undefined;
  /** How many brushes a leaf lists. */
  count(leaf: number): number;
  /** The contents bits for which a move finds the brush in a leaf; 0 where the leaf does not list it. */
  found(leaf: number, brush: BlockerBrush): number;
}

/**
 * How far on the wrong side of a node's plane a point may be while walks still come to a leaf with it, on up to so many nodes.
 */
const NODE_ROOM = 0.6;
const MOST_DEPTH = 48;

/** The most brushes of a world that become blockers, and how many brushes there are to a set. */
const MOST_RECORDS = 16384;
const BRUSHES_PER_SET = 4;

/** Room for a world with this many brushes. */
export const brushRoom = (brushes: number): BlockerRoom => ({
  words: brushes,
  bytes: RECORD_BYTES * Math.min(brushes, MOST_RECORDS),
  sets: blockerSets(brushes / BRUSHES_PER_SET),
});

/** Examines brushes of a tree. */
export function lookAtBrushes(tree: BrushTree): (noted: Noted, work: Work) => Blocker | undefined {
  return (noted, work) => {
    const brush = tree.brush(noted);
    return brush && { ...brush, contents: sureContents(tree, brush, work) };
  };
}

/** The contents bits for which every move through a brush's inside is certain to find it. */
function sureContents(tree: BrushTree, brush: BlockerBrush, work: Work): number {
  const { planes, mins, maxs } = brush;
  const sides = planes.length / 4;
  if (sides > MOST_LIMITS - MOST_DEPTH) return 0;
  for (let k = 0; k < 3; k++) {
    low[k] = Math.max(mins[k]!, -FARTHEST) + WITHIN - ROOM;
    high[k] = Math.min(maxs[k]!, FARTHEST) - WITHIN + ROOM;
    if (!(high[k]! - low[k]! > 2 * ROOM)) return 0;
  }
  for (let k = 0; k < sides; k++) {
    if (!setLimit(k, planes.subarray(4 * k, 4 * k + 4), 1, ROOM - WITHIN)) return 0;
  }
  const place = findPlace(sides, work);
  return place ? contentsBelow(tree, tree.root, brush, sides, place, 0, work) : 0;
}

/** The same below a node or in a leaf, for a brush that has a place there within the limits set so far. */
function contentsBelow(
  tree: BrushTree,
  child: number,
  brush: BlockerBrush,
  count: number,
  place: Float64Array,
  depth: number,
  work: Work,
): number {
  const node = tree.split(child);
  if (!node) {
    work.left -= tree.count(child);
    return work.left < 0 ? 0 : tree.found(child, brush);
  }
  work.left -= STEPS_PER_NODE;
  if (depth === MOST_DEPTH) return 0;
  const { plane, front, back } = node;
  let contents = -1;
  for (const side of [-1, 1] as const) {
    if (!setLimit(count, plane, side, NODE_ROOM)) return 0;
    const there =
      excess(count, place) <= 0 ? place : mayReach(count) ? findPlace(count + 1, work) : undefined;
    if (!there) continue;
    const next = side === 1 ? back : front;
    contents &= contentsBelow(tree, next, brush, count + 1, there, depth + 1, work);
    if (contents === 0) return 0;
  }
  // Once the work has run out, a side may have been skipped although the brush has a place there.
  return work.left < 0 ? 0 : contents;
}
