import type { Bounds } from '@bspkit/core';

/** Boxes in no more than this number are not divided any further. */
const FEW = 8;

interface Node {
  /** The box around all of its boxes. */
  readonly bounds: Bounds;
  readonly numbers: readonly number[];
  /** None where there are few boxes. */
  readonly halves: readonly Node[];
}

/** Finds which of many boxes meet another one, without a look at all of them. */
export class BoxTree {
  private readonly _boxes: readonly (Bounds | undefined)[];
  private readonly _root: Node | undefined;

  constructor(boxes: readonly (Bounds | undefined)[]) {
    this._boxes = boxes;
    const numbers = boxes.flatMap((box, number) => (box ? [number] : []));
    this._root = numbers.length > 0 ? this._divide(numbers) : undefined;
  }

  /** The numbers of the boxes that meet one, in ascending order. */
  meeting(box: Bounds): number[] {
    return this._find(box, Infinity).sort((a, b) => a - b);
  }

  /** How many boxes meet one: `most` if there are more, for which it does not look at all of them. */
  countMeeting(box: Bounds, most: number): number {
    return Math.min(this._find(box, most).length, most);
  }

  /** The numbers of boxes that meet one: all, or at least `most`. */
  private _find(box: Bounds, most: number): number[] {
    const found: number[] = [];
    const left = this._root ? [this._root] : [];
    for (let node = left.pop(); node && found.length < most; node = left.pop()) {
      if (!meet(node.bounds, box)) continue;
      left.push(...node.halves);
      if (node.halves.length > 0) continue;
      for (const number of node.numbers) if (meet(this._boxes[number]!, box)) found.push(number);
    }
    return found;
  }

  /** Divides boxes in the middle of where they are, and those whose middles are all on one side of that by their number. */
  private _divide(numbers: readonly number[]): Node {
    const bounds = this._around(numbers);
    if (numbers.length <= FEW) return { bounds, numbers, halves: [] };
    const sizes = [0, 1, 2].map((k) => bounds.maxs[k]! - bounds.mins[k]!);
    const axis = sizes.indexOf(Math.max(...sizes));
    const middle = bounds.mins[axis]! + bounds.maxs[axis]!;
    const isLow = (number: number): boolean => {
      const { mins, maxs } = this._boxes[number]!;
      return mins[axis]! + maxs[axis]! < middle;
    };
    let halves = [numbers.filter(isLow), numbers.filter((number) => !isLow(number))];
    if (halves.some((half) => half.length === 0)) {
      const half = numbers.length >> 1;
      halves = [numbers.slice(0, half), numbers.slice(half)];
    }
    return { bounds, numbers: [], halves: halves.map((half) => this._divide(half)) };
  }

  private _around(numbers: readonly number[]): Bounds {
    const [low, high] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ];
    for (const number of numbers) {
      const { mins, maxs } = this._boxes[number]!;
      for (let k = 0; k < 3; k++) {
        low[k] = Math.min(low[k]!, mins[k]!);
        high[k] = Math.max(high[k]!, maxs[k]!);
      }
    }
    return { mins: low, maxs: high };
  }
}

function meet(one: Bounds, other: Bounds): boolean {
  for (let k = 0; k < 3; k++) {
    if (!(one.mins[k]! <= other.maxs[k]! && one.maxs[k]! >= other.mins[k]!)) return false;
  }
  return true;
}
