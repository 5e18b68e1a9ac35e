import { MOST_DEPTH } from './kernel/memory.ts';

// The tree of the pieces' bounds, by the surface area heuristic over bins.

/** A tree in the order of its walk. */
export interface BoundsTree {
  /** Per node: mins, maxs. */
  readonly bounds: Float32Array;
  /** Per node: where its run of items begins in `order`, or the number of its second child. */
  readonly links: Int32Array;
  /** Per node: how many items; 0 for a node with children, the first of which follows it. */
  readonly counts: Int32Array;
  /** The items' numbers, run by run. */
  readonly order: Int32Array;
}

const BINS = 12;
/** Runs of this many items are not divided. */
const SMALL = 2;
/** What visiting a node costs, in items tested. */
const NODE_COST = 0.6;
/** From this depth on, runs are halved by number, so that no tree is deeper than walks have room for. */
const HALVING_DEPTH: number = MOST_DEPTH - 26;

/** Builds the tree of some boxes (mins, maxs: six numbers each). */
export function buildTree(boxes: Float32Array): BoundsTree {
  const count = boxes.length / 6;
  const order = Int32Array.from({ length: count }, (_, k) => k);
  const bounds: number[] = [];
  const links: number[] = [];
  const counts: number[] = [];
  const middle = (item: number, axis: number): number =>
    boxes[6 * item + axis]! + boxes[6 * item + 3 + axis]!;

  const build = (first: number, end: number, depth: number): void => {
    const node = links.length;
    const box = boxOf(boxes, order, first, end);
    bounds.push(...box);
    links.push(first);
    counts.push(end - first);
    if (end - first <= SMALL) return;
    const split =
      depth < HALVING_DEPTH
        ? findSplit(boxes, order, first, end, areaOf(box), middle)
        : { axis: 0, at: Number.NaN };
    if (!split) return;
    let cut = first;
    for (let k = first; k < end; k++) {
      if (middle(order[k]!, split.axis) < split.at) {
        const item = order[k]!;
        order[k] = order[cut]!;
        order[cut++] = item;
      }
    }
    if (cut === first || cut === end) cut = (first + end) >> 1;
    counts[node] = 0;
    build(first, cut, depth + 1);
    links[node] = links.length;
    build(cut, end, depth + 1);
  };
  build(0, count, 0);
  return {
    bounds: Float32Array.from(bounds),
    links: Int32Array.from(links),
    counts: Int32Array.from(counts),
    order,
  };
}

function boxOf(boxes: Float32Array, order: Int32Array, first: number, end: number): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let k = first; k < end; k++) widen(box, boxes, order[k]!);
  return box;
}

function widen(box: number[], boxes: Float32Array, item: number): void {
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = Math.min(box[axis]!, boxes[6 * item + axis]!);
    box[3 + axis] = Math.max(box[3 + axis]!, boxes[6 * item + 3 + axis]!);
  }
}

function areaOf(box: readonly number[]): number {
  const [x, y, z] = [box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!];
  return x * y + y * z + z * x;
}

/** Where to divide a run: what lies below `at` on an axis goes first. Undefined where dividing costs more than it saves. */
function findSplit(
  boxes: Float32Array,
  order: Int32Array,
  first: number,
  end: number,
  area: number,
  middle: (item: number, axis: number) => number,
): { axis: number; at: number } | undefined {
  let best: { axis: number; at: number } | undefined;
  let least = end - first <= 4 ? end - first - NODE_COST : Infinity;
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let k = first; k < end; k++) {
      low = Math.min(low, middle(order[k]!, axis));
      high = Math.max(high, middle(order[k]!, axis));
    }
    if (!(high > low)) continue;
    const width = (high - low) / BINS;
    const counts = new Array<number>(BINS).fill(0);
    const bins = counts.map(() => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    for (let k = first; k < end; k++) {
      const bin = Math.min(BINS - 1, Math.floor((middle(order[k]!, axis) - low) / width));
      counts[bin]!++;
      widen(bins[bin]!, boxes, order[k]!);
    }
    const costs = new Array<number>(BINS).fill(0);
    for (const backwards of [false, true]) {
      const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
      let sum = 0;
      for (let k = 0; k < BINS - 1; k++) {
        const bin = backwards ? BINS - 1 - k : k;
        sum += counts[bin]!;
        for (let i = 0; i < 3; i++) {
          box[i] = Math.min(box[i]!, bins[bin]![i]!);
          box[3 + i] = Math.max(box[3 + i]!, bins[bin]![3 + i]!);
        }
        costs[backwards ? bin : bin + 1]! += sum === 0 ? Infinity : sum * areaOf(box);
      }
    }
    for (let cut = 1; cut < BINS; cut++) {
      const cost = costs[cut]! / area;
      if (cost < least) {
        least = cost;
        best = { axis, at: low + cut * width };
      }
    }
  }
  return best ?? (end - first > 4 ? { axis: 0, at: Number.NaN } : undefined);
}
