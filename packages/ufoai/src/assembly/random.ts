/** How many numbers are generated after the initial ones before any is returned. */
const WARM_UP = 310;
const LONG = 31;
const SHORT = 3;

/** The C library's random numbers, as the game's release for Linux draws them: additive feedback over 31 numbers. */
export class Random {
  private readonly _state: Int32Array = new Int32Array(LONG);
  private _at = SHORT;

  /** @param seed - what `srand` is called with. */
  constructor(seed: number) {
    // Schrage's method, which the library uses for the first numbers.
    let word = seed === 0 ? 1 : seed | 0;
    for (let k = 0; k < LONG; k++) {
      this._state[k] = word;
      const high = Math.trunc(word / 127773);
      word = 16807 * (word - 127773 * high) - 2836 * high;
      if (word < 0) word += 0x7fffffff;
    }
    for (let k = 0; k < WARM_UP; k++) this._next();
  }

  /** A number from 0 to `count` - 1. */
  below(count: number): number {
    return this._next() % count;
  }

  private _next(): number {
    const at = this._at;
    this._at = (at + 1) % LONG;
    this._state[at]! += this._state[(at + LONG - SHORT) % LONG]!;
    return this._state[at]! >>> 1;
  }
}
