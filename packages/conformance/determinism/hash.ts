/** What fields of answers are made of. */
type Value = number | boolean | string | null | undefined | object;

/**
 * A running 64-bit hash over the bits of numbers: two 32-bit FNV-1a hashes with different primes. All NaNs count as the same, as
 * the language does not tell them apart.
 */
export class Hash {
  private _low = 0x811c9dc5;
  private _high = 0x050c5d1f;
  private readonly _number = new Float64Array(1);
  private readonly _halves: Uint32Array = new Uint32Array(this._number.buffer);

  number(value: number): void {
    this._number[0] = value;
    const isNumber = !Number.isNaN(value);
    this._word(isNumber ? this._halves[0]! : 0);
    this._word(isNumber ? this._halves[1]! : 0x7ff80000);
  }

  text(value: string): void {
    for (let k = 0; k < value.length; k++) this._word(value.charCodeAt(k));
    this._word(value.length);
  }

  bytes(values: Uint8Array): void {
    for (let k = 0; k < values.length; k++) this._word(values[k]!);
    this._word(values.length);
  }

  /** Any value: numbers, booleans, text, lists, and objects field by field in the order of their names. */
  value(value: Value): void {
    if (typeof value === 'number') this.number(value);
    else if (typeof value === 'boolean') this._word(value ? 1 : 2);
    else if (typeof value === 'string') this.text(value);
    else if (value === null || value === undefined) this._word(value === null ? 3 : 4);
    else if (Array.isArray(value) || ArrayBuffer.isView(value)) {
      const list = value as ArrayLike<Value>;
      for (let k = 0; k < list.length; k++) this.value(list[k]);
      this._word(list.length);
    } else {
      for (const key of Object.keys(value).sort()) {
        this.text(key);
        this.value((value as Record<string, Value>)[key]);
      }
    }
  }

  toString(): string {
    return [this._high, this._low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }

  private _word(word: number): void {
    this._low = Math.imul(this._low ^ word, 0x01000193);
    this._low ^= this._low >>> 15;
    this._high = Math.imul(this._high ^ word, 0x01000493);
    this._high ^= this._high >>> 13;
  }
}
