import type { Bodies } from './bodies.ts';

/** Up to here no body's linked box counts as wide: those of usual bodies, and of Quake's items, are not. */
const USUAL = 16;

// Places in the numbers.
const MOST = 0;
const FOUND = 1;

/**
 * By how much linked boxes are beyond the bounds that bodies have in the trees, on any side, at most: what looks for linked boxes
 * asks the trees as much farther around. Wide are those of some turned models, and of bodies that were moved without being linked.
 */
export class Widest {
  private readonly _bodies: Bodies;
  /** At most how wide any is, and how wide the one is that was measured last. */
  private readonly _numbers: Float64Array = Float64Array.of(USUAL, 0);
  /** The body that is that wide, 0 for none. */
  private _body = 0;
  /** Whether it has become less wide, so that the others must be measured. */
  private _isStale = false;

  constructor(bodies: Bodies) {
    this._bodies = bodies;
  }

  /** Notes a body that was added, moved, or linked again. */
  note(body: number): void {
    if (!this._bodies.rules.boxes) return;
    const { _numbers: numbers } = this;
    this._measure(body);
    if (numbers[FOUND]! > numbers[MOST]!) {
      numbers[MOST] = numbers[FOUND]!;
      this._body = body;
      this._isStale = false;
    } else if (body === this._body && numbers[FOUND]! < numbers[MOST]!) this._isStale = true;
  }

  /** Notes that a body is removed. */
  forget(body: number): void {
    if (body === this._body) this._isStale = true;
  }

  /** An array whose first number is how wide any is at most, in Quake units. */
  find(): Float64Array {
    const { _bodies: bodies, _numbers: numbers } = this;
    if (this._isStale) {
      this._isStale = false;
      this._body = 0;
      numbers[MOST] = USUAL;
      for (let body = 1; body < bodies.capacity; body++) if (bodies.has(body)) this.note(body);
    }
    return numbers;
  }

  private _measure(body: number): void {
    const { _bodies: bodies, _numbers: numbers } = this;
    const boxes = bodies.rules.boxes!;
    const { bounds } = bodies.treeOf(body);
    numbers[FOUND] = 0;
    for (let k = 6 * body; k < 6 * body + 3; k++) {
      const low = bounds[k]! - boxes[k]!;
      const high = boxes[k + 3]! - bounds[k + 3]!;
      // Not `Math.max`: beyond the range of float32, a difference may not be a number.
      if (low > numbers[FOUND]!) numbers[FOUND] = low;
      if (high > numbers[FOUND]!) numbers[FOUND] = high;
    }
  }
}
