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
/** Runs of this many items are not divided; longer ones always are. */
const SMALL = 2;
const LARGE = 4;
/** The cost of visiting a node, in items tested. */
const NODE_COST = 0.6;
/** From this depth on, runs are halved by number, so that no tree is deeper than walks have room for. */
const HALVING_DEPTH: number = MOST_DEPTH - 26;

/** Builds the tree of some boxes (mins, maxs: six numbers each). */
export function buildTree(boxes: Float64Array): BoundsTree {
  return new TreeBuilder(boxes).build();
}

/** Numbers of a box. */
const BOX = 6;

class TreeBuilder {
  private readonly _boxes: Float64Array;
  /** Twice the middles of the boxes. */
  private readonly _middles: Float32Array;
  private readonly _order: Int32Array;
  private readonly _bounds: number[] = [];
  private readonly _links: number[] = [];
  private readonly _counts: number[] = [];
  private readonly _box: Float64Array = new Float64Array(BOX);
  private readonly _bins: Float64Array = new Float64Array(BOX * BINS);
  private readonly _binCounts: Int32Array = new Int32Array(BINS);
  private readonly _costs: Float64Array = new Float64Array(BINS);
  /** Where to divide a run: what is below this on the axis goes first. */
  private _axis = 0;
  private _cut = 0;

  constructor(boxes: Float64Array) {
    this._boxes = boxes;
    const count = boxes.length / BOX;
    this._order = Int32Array.from({ length: count }, (_, k) => k);
    this._middles = new Float32Array(3 * count);
    for (let item = 0; item < count; item++) {
      for (let axis = 0; axis < 3; axis++) {
        this._middles[3 * item + axis] = boxes[BOX * item + axis]! + boxes[BOX * item + 3 + axis]!;
      }
    }
  }

  build(): BoundsTree {
    this._build(0, this._order.length, 0);
    return {
      bounds: Float32Array.from(this._bounds),
      links: Int32Array.from(this._links),
      counts: Int32Array.from(this._counts),
      order: this._order,
    };
  }

  private _build(first: number, end: number, depth: number): void {
    const { _box: box, _order: order, _middles: middles } = this;
    const node = this._links.length;
    clear(box, 0);
    for (let k = first; k < end; k++) widen(box, 0, this._boxes, BOX * order[k]!);
    for (let k = 0; k < BOX; k++) this._bounds.push(box[k]!);
    this._links.push(first);
    this._counts.push(end - first);
    if (end - first <= SMALL) return;
    const isSplit = depth < HALVING_DEPTH && this._findSplit(first, end, areaOf(box, 0));
    if (!isSplit && end - first <= LARGE) return;
    let middle = first;
    if (isSplit) {
      for (let k = first; k < end; k++) {
        const item = order[k]!;
        if (middles[3 * item + this._axis]! < this._cut) {
          order[k] = order[middle]!;
          order[middle++] = item;
        }
      }
    }
    if (middle === first || middle === end) middle = (first + end) >> 1;
    this._counts[node] = 0;
    this._build(first, middle, depth + 1);
    this._links[node] = this._links.length;
    this._build(middle, end, depth + 1);
  }

  /** Finds where to divide a run; false if dividing costs more than it saves, or is impossible. */
  private _findSplit(first: number, end: number, area: number): boolean {
    const { _order: order, _middles: middles, _bins: bins, _binCounts: counts, _costs: costs } = this;
    let least = end - first <= LARGE ? end - first - NODE_COST : Infinity;
    let found = false;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let k = first; k < end; k++) {
        const middle = middles[3 * order[k]! + axis]!;
        if (middle < low) low = middle;
        if (middle > high) high = middle;
      }
      if (!(high > low)) continue;
      const width = (high - low) / BINS;
      counts.fill(0);
      costs.fill(0);
      for (let bin = 0; bin < BINS; bin++) clear(bins, BOX * bin);
      for (let k = first; k < end; k++) {
        const item = order[k]!;
        const bin = Math.min(BINS - 1, Math.floor((middles[3 * item + axis]! - low) / width));
        counts[bin]!++;
        widen(bins, BOX * bin, this._boxes, BOX * item);
      }
      // costs[cut]: what is below the cut, then what is above.
      this._addCosts(1);
      this._addCosts(-1);
      for (let cut = 1; cut < BINS; cut++) {
        const cost = costs[cut]! / area;
        if (cost < least) {
          least = cost;
          found = true;
          this._axis = axis;
          this._cut = low + cut * width;
        }
      }
    }
    return found;
  }

  private _addCosts(step: 1 | -1): void {
    const { _box: box, _bins: bins, _binCounts: counts, _costs: costs } = this;
    clear(box, 0);
    let sum = 0;
    let cost = Infinity;
    for (let k = 0; k < BINS - 1; k++) {
      const bin = step === 1 ? k : BINS - 1 - k;
      if (counts[bin]! > 0) {
        sum += counts[bin]!;
        widen(box, 0, bins, BOX * bin);
        cost = sum * areaOf(box, 0);
      }
      costs[step === 1 ? bin + 1 : bin]! += cost;
    }
  }
}

function clear(box: Float64Array, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    box[at + axis] = Infinity;
    box[at + 3 + axis] = -Infinity;
  }
}

function widen(box: Float64Array, at: number, other: Float64Array, from: number): void {
  for (let axis = 0; axis < 3; axis++) {
    if (other[from + axis]! < box[at + axis]!) box[at + axis] = other[from + axis]!;
    if (other[from + 3 + axis]! > box[at + 3 + axis]!) box[at + 3 + axis] = other[from + 3 + axis]!;
  }
}

function areaOf(box: Float64Array, at: number): number {
  const x = box[at + 3]! - box[at]!;
  const y = box[at + 4]! - box[at + 1]!;
  const z = box[at + 5]! - box[at + 2]!;
  return x * y + y * z + z * x;
}
