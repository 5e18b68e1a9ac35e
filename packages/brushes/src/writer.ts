/** A growing piece of memory, by addresses in bytes from its beginning. */
export class Writer {
  /** Bytes used. */
  length: number;
  ints: Int32Array = new Int32Array(1 << 14);
  floats: Float32Array = new Float32Array(this.ints.buffer);
  shorts: Int16Array = new Int16Array(this.ints.buffer);

  constructor(length: number) {
    this.length = length;
  }

  /** Room for this many bytes more, all 0; their address, a multiple of 32. */
  take(bytes: number): number {
    const address = (this.length + 31) & ~31;
    this.length = address + bytes;
    if (this.length > 4 * this.ints.length) {
      const grown = new Int32Array(2 * Math.max(this.length >> 2, this.ints.length));
      grown.set(this.ints);
      this.ints = grown;
      this.floats = new Float32Array(grown.buffer);
      this.shorts = new Int16Array(grown.buffer);
    }
    return address;
  }

  /** Writes two vectors of bounds, of six numbers at a place in `from`. */
  bounds(address: number, from: Float32Array, at: number): void {
    const word = address >> 2;
    for (let k = 0; k < 3; k++) {
      this.floats[word + k] = from[at + k]!;
      this.floats[word + 4 + k] = from[at + 3 + k]!;
    }
  }
}
