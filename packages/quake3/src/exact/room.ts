import type { Rounded } from './shapes.ts';

/** The most numbers of shapes that are kept, 15 MB: those of 45,000 faces of boxes. */
const MAX_NUMBERS = 1_900_000;
/** Numbers in the first piece, enough for a box entity, and in the largest. */
const FIRST_PIECE = 512;
const MAX_PIECE = 2 ** 17;

/**
 * Where the numbers of a world's shapes are kept: in a few long arrays, as there may be tens of thousands of brushes where a
 * sphere passes.
 */
export class Room {
  /** Where the latest shape was given room. */
  numbers: Float64Array = new Float64Array(FIRST_PIECE);
  at = 0;
  private readonly _shapes: Map<number, Rounded>;
  private readonly _pieces: Float64Array[] = [this.numbers];
  private _piece = 0;
  private _used = 0;
  private _total = FIRST_PIECE;

  /** For shapes that are kept by the place of their brush or facet. */
  constructor(shapes: Map<number, Rounded>) {
    this._shapes = shapes;
  }

  /** Finds room for a shape. If there is too little, all others are dropped, and made again when they are needed. */
  take(count: number): void {
    if (this._shapes.size === 0) this._begin();
    if (this._find(count)) return;
    const length = Math.max(count, Math.min(this._total, MAX_PIECE));
    if (this._total + length > MAX_NUMBERS) {
      this._shapes.clear();
      this._begin();
      if (this._find(count)) return;
    }
    // If need be, longer than everything that is kept: one shape always has room.
    this._pieces.push(new Float64Array(length));
    this._total += length;
    this._find(count);
  }

  private _begin(): void {
    this._piece = 0;
    this._used = 0;
  }

  private _find(count: number): boolean {
    for (; this._piece < this._pieces.length; this._piece++, this._used = 0) {
      const numbers = this._pieces[this._piece]!;
      if (this._used + count > numbers.length) continue;
      this.numbers = numbers;
      this.at = this._used;
      this._used += count;
      return true;
    }
    return false;
  }
}
