const FEWEST_SLOTS = 1024;

/**
 * Maps three whole 32-bit numbers to numbers from 1: a hash table in flat arrays. PERF: a `Map` with the three as text took most
 * of the time of writing large maps.
 */
export class TripleTable {
  private _keys: Int32Array = new Int32Array(3 * FEWEST_SLOTS);
  /** 0 in free slots. */
  private _values: Int32Array = new Int32Array(FEWEST_SLOTS);
  private _used = 0;

  /** The number of a key; 0 if it has none. */
  get(a: number, b: number, c: number): number {
    return this._values[this._slot(a, b, c)]!;
  }

  /** Gives a key a number, which must not be 0. */
  set(a: number, b: number, c: number, value: number): void {
    const slot = this._slot(a, b, c);
    if (this._values[slot] === 0) {
      this._keys[3 * slot] = a;
      this._keys[3 * slot + 1] = b;
      this._keys[3 * slot + 2] = c;
      this._used++;
    }
    this._values[slot] = value;
    if (2 * this._used > this._values.length) this._grow();
  }

  /** The slot where a key is, or would be. */
  private _slot(a: number, b: number, c: number): number {
    const { _keys: keys, _values: values } = this;
    const mask = values.length - 1;
    let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x2c1b3c6d);
    hash ^= hash >>> 13;
    let slot = hash & mask;
    while (
      values[slot] !== 0 &&
      (keys[3 * slot] !== a || keys[3 * slot + 1] !== b || keys[3 * slot + 2] !== c)
    )
      slot = (slot + 1) & mask;
    return slot;
  }

  private _grow(): void {
    const { _keys: keys, _values: values } = this;
    this._keys = new Int32Array(2 * keys.length);
    this._values = new Int32Array(2 * values.length);
    for (let slot = 0; slot < values.length; slot++) {
      if (values[slot] === 0) continue;
      const [a, b, c] = [keys[3 * slot]!, keys[3 * slot + 1]!, keys[3 * slot + 2]!];
      const to = this._slot(a, b, c);
      this._keys[3 * to] = a;
      this._keys[3 * to + 1] = b;
      this._keys[3 * to + 2] = c;
      this._values[to] = values[slot]!;
    }
  }
}
