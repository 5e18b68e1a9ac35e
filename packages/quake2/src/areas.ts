import type { UnsharedBytes } from '@bspkit/core';
import { checkKind, checkNumber, held } from '@bspkit/core/format';
import type { WorldMemory } from './kernel/memory.ts';
import { AREA_WORDS, PORTAL_WORDS } from './layout.ts';

/**
 * Which areas are connected: a map's areas meet at portals, where doors are. All portals are closed at first. Area 0 is that of
 * solid leafs, and is connected with nothing.
 */
export class Areas {
  private readonly _memory: WorldMemory;
  private readonly _open: Uint8Array;
  /** By area: areas with the same number are connected. Read it by {@link Areas._current}. */
  private readonly _numbers: Int32Array;
  /** Areas from which others are still to be found. */
  private readonly _stack: Int32Array;
  /** Whether portals have opened or closed since the areas were numbered: a game may change many before it asks. */
  private _isStale = true;

  constructor(memory: WorldMemory) {
    this._memory = memory;
    this._open = new Uint8Array(memory.places.areaPortals.count + 1);
    this._numbers = new Int32Array(memory.places.areas.count);
    this._stack = new Int32Array(memory.places.areas.count);
  }

  set(portal: number, open: boolean): void {
    checkNumber(portal, 'portal', this._open.length);
    checkKind(typeof open === 'boolean', open, 'open', 'true or false');
    held(this._memory);
    this._open[portal] = open ? 1 : 0;
    this._isStale = true;
  }

  connected(a: number, b: number): boolean {
    this._check(a, 'a');
    this._check(b, 'b');
    const numbers = this._current();
    return numbers[a] === numbers[b];
  }

  bits(area: number): UnsharedBytes {
    this._check(area, 'area');
    const numbers = this._current();
    const bits = new Uint8Array((numbers.length + 7) >> 3);
    for (let k = 0; k < numbers.length; k++) {
      if (area === 0 || numbers[k] === numbers[area]) bits[k >> 3]! |= 1 << (k & 7);
    }
    return bits;
  }

  /** In a map without areas, all leafs are in area 0 all the same. */
  private _check(area: number, name: string): void {
    checkNumber(area, name, Math.max(1, this._numbers.length));
  }

  /** The number of each area, found by going from one to the next through open portals. */
  private _current(): Int32Array {
    const { _open: opened, _stack: stack, _numbers: numbers } = this;
    if (!this._isStale) return numbers;
    const { ints, places } = held(this._memory);
    numbers.fill(0);
    let number = 0;
    for (let first = 1; first < numbers.length; first++) {
      if (numbers[first] !== 0) continue;
      numbers[first] = ++number;
      stack[0] = first;
      for (let depth = 1; depth > 0; ) {
        const at = places.areas.first + AREA_WORDS * stack[--depth]!;
        for (let k = 0; k < ints[at + 1]!; k++) {
          const portal = places.areaPortals.first + PORTAL_WORDS * (ints[at]! + k);
          const other = ints[portal + 1]!;
          if (opened[ints[portal]!] === 0 || numbers[other] !== 0) continue;
          numbers[other] = number;
          stack[depth++] = other;
        }
      }
    }
    this._isStale = false;
    return numbers;
  }
}
