import { extended } from './tree.ts';

/** Numbers in rings, which can be gone around, and left from anywhere: each is in one, at first alone. */
export class Rings {
  /** By number: the next one in its ring. */
  next: Int32Array = new Int32Array(0);
  private _last: Int32Array = new Int32Array(0);

  /** Makes room for numbers below `count`, which only grows. */
  grow(count: number): void {
    const before = this.next.length;
    this.next = extended(this.next, new Int32Array(count));
    this._last = extended(this._last, new Int32Array(count));
    for (let k = before; k < count; k++) {
      this.next[k] = k;
      this._last[k] = k;
    }
  }

  /** Moves a number from its ring to behind another one in that one's, or behind itself, where it is alone. */
  put(number: number, behind: number): void {
    const { next, _last: last } = this;
    next[last[number]!] = next[number]!;
    last[next[number]!] = last[number]!;
    next[number] = number;
    const after = next[behind]!;
    next[behind] = number;
    last[number] = behind;
    next[number] = after;
    last[after] = number;
  }
}
