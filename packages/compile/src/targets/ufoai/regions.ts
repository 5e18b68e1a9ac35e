import type { Box } from '../../box.ts';
import { type Brush, brushesBox } from '../../brushes.ts';
import { nearestSide } from '../../plane-table.ts';
import type { PlaneSet } from '../../planes.ts';
import { cutSolid, type Solid, solidBox } from '../../solid.ts';
import type { TreeNode } from '../../tree.ts';
import { countTrees } from '../../tree-counts.ts';

/** A brush, or the part of one that lies in a region. */
interface RegionBrush extends Brush {
  /** Number of the whole brush in its model. */
  readonly number: number;
}

/** A part of a model that gets a tree of its own. */
interface Region {
  readonly brushes: readonly RegionBrush[];
  readonly box: Box;
}

/** Regions in pairs: `low` is below `high` along x or y. Becomes a union node. */
export interface RegionPair {
  readonly low: Regions;
  readonly high: Regions;
  readonly box: Box;
}

export type Regions = Region | RegionPair;

/** A region with its tree. */
export interface RegionTree extends Region {
  readonly tree: TreeNode;
}

/** Trees in pairs, as {@link Regions} are. */
export type RegionTrees =
  | RegionTree
  | { readonly low: RegionTrees; readonly high: RegionTrees; readonly box: Box };

/** Regions longer than this are divided if they have enough brushes for two. */
const LARGEST = 640;
const FEWEST = 16;
/** Boxes are traced through every region, so a model is divided twice at most. */
const MOST_UNIONS = 2;

/** Nodes on the longest way down from the head of a model, including unions. */
export const longestWay = (trees: RegionTrees): number =>
  'tree' in trees
    ? countTrees([trees.tree]).depth
    : 1 + Math.max(longestWay(trees.low), longestWay(trees.high));

/** Whether a part is a pair of regions. */
export const isPair = (regions: Regions): regions is RegionPair => 'low' in regions;

/**
 * Divides a model along x and y, where few brushes are cut. Brushes that reach across are cut, so that each region is closed and
 * contains nothing of its neighbours. Inline models stay whole: moves walk their trees from the head, which must have a plane.
 */
export function partModel(planes: PlaneSet, brushes: readonly Brush[], isInline: boolean): Regions {
  return part(
    planes,
    brushes.map((brush, number) => ({ ...brush, number })),
    isInline ? 0 : MOST_UNIONS,
  );
}

/** @param unions - how many union nodes there may be above each other. */
function part(planes: PlaneSet, brushes: readonly RegionBrush[], unions: number): Regions {
  const box = brushesBox(brushes);
  const [axis, at] = unions > 0 ? choosePart(brushes, box) : [-1, 0];
  if (axis < 0) return { brushes, box };
  const plane = planes.find(axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, 0, at);
  const low: RegionBrush[] = [];
  const high: RegionBrush[] = [];
  for (const brush of brushes) {
    const cut = cutSolid(planes, brush.solid, plane);
    if (cut.back) low.push(cutBrush(planes, brush, cut.back));
    if (cut.front) high.push(cutBrush(planes, brush, cut.front));
  }
  return { low: part(planes, low, unions - 1), high: part(planes, high, unions - 1), box };
}

function cutBrush(planes: PlaneSet, brush: RegionBrush, solid: Solid): RegionBrush {
  if (solid === brush.solid) return brush;
  const sides = solid.planes.map((plane) => nearestSide(planes, brush, plane));
  return { ...brush, solid, sides, box: solidBox(solid) };
}

/** Axis and position of the best cut, or -1: in the middle half, cutting the fewest brushes, closest to the middle. */
function choosePart(brushes: readonly RegionBrush[], { mins, maxs }: Box): [number, number] {
  let best: [number, number] = [-1, 0];
  let bestCost = Number.POSITIVE_INFINITY;
  if (brushes.length < 2 * FEWEST) return best;
  for (const axis of [0, 1]) {
    const length = maxs[axis]! - mins[axis]!;
    if (length <= LARGEST) continue;
    const middle = (mins[axis]! + maxs[axis]!) / 2;
    const begins = Float64Array.from(brushes, ({ box }) => box.mins[axis]!).sort();
    const ends = Float64Array.from(brushes, ({ box }) => box.maxs[axis]!).sort();
    const places = new Set([...begins, ...ends]);
    // How many begin below a place, and end at it or below.
    let low = 0;
    let ended = 0;
    for (const at of [...places].sort((a, b) => a - b)) {
      while (begins[low]! < at) low++;
      while (ends[ended]! <= at) ended++;
      // Bounds in the file are whole, so only whole positions keep regions apart.
      if (!Number.isInteger(at) || Math.abs(at - middle) > length / 4) continue;
      const high = brushes.length - ended;
      if (low < FEWEST || high < FEWEST) continue;
      const cuts = low + high - brushes.length;
      const cost = cuts + (brushes.length * Math.abs(at - middle)) / length;
      if (cost < bestCost) {
        best = [axis, at];
        bestCost = cost;
      }
    }
  }
  return best;
}
