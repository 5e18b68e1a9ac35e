import { FARTHEST, RECORD_BYTES, WITHIN } from './blocker-layout.ts';
import { type Blocker, type BlockerRoom, blockerSets, type Noted, ROOM, STEPS_PER_NODE } from './blockers.ts';
import { excess, findPlace, high, low, MOST_LIMITS, mayReach, setLimit, type Work } from './places.ts';

// A brush is a blocker if all leafs list it that its inside reaches into, with the room that walks need. They are looked for with
// all planes at once, the brush's and the nodes', or there would be many more: boxes that are split obliquely reach around
// corners where there is nothing of them.

/** A brush as it is looked at. */
export interface BlockerBrush extends Blocker {
  /** All of its sides: normal xyz, dist. */
  readonly planes: Float32Array;
}

/** The tree that moves are traced through, and how its leafs list brushes. */
export interface BrushTree {
  readonly root: number;
  /** What the kernel took note of; `undefined` for a brush that cannot be a blocker. */
  brush(noted: Noted): BlockerBrush | undefined;
  /** A node's plane, as normal xyz and dist, and its children; `undefined` for a leaf. */
  split(
    child: number,
  ): { readonly plane: ArrayLike<number>; readonly front: number; readonly back: number } | undefined;
  /** How many brushes a leaf lists. */
  count(leaf: number): number;
  /** Those of its contents by which moves find a brush in a leaf; 0 where it does not list it. */
  found(leaf: number, brush: BlockerBrush): number;
}

/** How far on the wrong side of a node's plane a place may be for walks to come to a leaf, and for so many nodes at most. */
const NODE_ROOM = 0.6;
const MOST_DEPTH = 48;

/** Most brushes of a world that become blockers, and how many it has for each set. */
const MOST_RECORDS = 16384;
const BRUSHES_PER_SET = 4;

/** Room for a world with so many brushes. */
export const brushRoom = (brushes: number): BlockerRoom => ({
  words: brushes,
  bytes: RECORD_BYTES * Math.min(brushes, MOST_RECORDS),
  sets: blockerSets(brushes / BRUSHES_PER_SET),
});

/** Looks at brushes of a tree. */
export function lookAtBrushes(tree: BrushTree): (noted: Noted, work: Work) => Blocker | undefined {
  return (noted, work) => {
    const brush = tree.brush(noted);
    return brush && { ...brush, contents: sureContents(tree, brush, work) };
  };
}

/** The contents by which moves that go through a brush's inside are sure to find it. */
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

/** Of a brush that has a place below a node or in a leaf, within the limits up to now. */
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
  // Then there may have been a place on a side that was left out.
  return work.left < 0 ? 0 : contents;
}
