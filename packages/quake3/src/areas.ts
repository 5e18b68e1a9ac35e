import type { UnsharedBytes } from '@bspkit/core';
import { checkKind, failArgument } from '@bspkit/core/format';
import type { WorldMemory } from './kernel/memory.ts';
import { LEAF_AREA } from './layout.ts';
import { leafAt } from './sections.ts';

/**
 * Which areas are connected. A Quake 3 file only says to which area each leaf belongs; the game says between which of them there
 * is a door, whenever one opens or closes. Leafs in solid have area -1, which is connected with nothing.
 */
export class Areas {
  /** As in the engine, one more than the greatest number. */
  readonly count: number;
  /** How many portals are open between two areas; the key is the lower one times `count` plus the higher one. */
  private readonly _open = new Map<number, number>();
  /** By area: areas with the same number are connected. Read it by {@link Areas._current}. */
  private readonly _numbers: Int32Array;
  /** Whether portals have opened or closed since the areas were numbered: a game may change many before it asks. */
  private _isStale = true;

  constructor({ ints, places }: WorldMemory) {
    let count = 0;
    for (let leaf = 0; leaf < places.leafs.count; leaf++) {
      count = Math.max(count, ints[leafAt(places, leaf) + LEAF_AREA]! + 1);
    }
    this.count = count;
    this._numbers = new Int32Array(count);
  }

  adjust(a: number, b: number, open: boolean): void {
    this._check(a, 'a');
    this._check(b, 'b');
    checkKind(typeof open === 'boolean', open, 'open', 'true or false');
    if (a < 0 || b < 0) return;
    const pair = Math.min(a, b) * this.count + Math.max(a, b);
    const numOpen = (this._open.get(pair) ?? 0) + (open ? 1 : -1);
    if (numOpen < 0) throw new RangeError(`no area portal is open between areas ${a} and ${b}`);
    if (numOpen > 0) this._open.set(pair, numOpen);
    else this._open.delete(pair);
    this._isStale = true;
  }

  connected(a: number, b: number): boolean {
    this._check(a, 'a');
    this._check(b, 'b');
    const numbers = this._current();
    return a >= 0 && b >= 0 && numbers[a] === numbers[b];
  }

  bits(area: number): UnsharedBytes {
    this._check(area, 'area');
    const bits = new Uint8Array((this.count + 7) >> 3);
    if (area < 0) return bits.fill(255);
    const numbers = this._current();
    for (let k = 0; k < numbers.length; k++) if (numbers[k] === numbers[area]) bits[k >> 3]! |= 1 << (k & 7);
    return bits;
  }

  private _check(area: number, name: string): void {
    if (!Number.isInteger(area) || area < -1 || area >= this.count)
      failArgument(name, `a whole number in -1..${this.count - 1}`, area);
  }

  /** The lowest number, for each area, among those that it is connected with. */
  private _current(): Int32Array {
    const { count, _numbers: numbers } = this;
    if (!this._isStale) return numbers;
    for (let area = 0; area < count; area++) numbers[area] = area;
    for (const pair of this._open.keys()) {
      const a = lowest(numbers, Math.floor(pair / count));
      const b = lowest(numbers, pair % count);
      numbers[Math.max(a, b)] = Math.min(a, b);
    }
    // Each points to a lower one, which has been done by then.
    for (let area = 0; area < count; area++) numbers[area] = numbers[numbers[area]!]!;
    this._isStale = false;
    return numbers;
  }
}

/** The lowest number that leads to itself, starting from an area's. The way there is made shorter for the next one who goes it. */
function lowest(numbers: Int32Array, area: number): number {
  let at = area;
  while (numbers[at] !== at) {
    numbers[at] = numbers[numbers[at]!]!;
    at = numbers[at]!;
  }
  return at;
}
