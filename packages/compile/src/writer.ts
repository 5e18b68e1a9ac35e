/** Little-endian bytes that grow: one lump of a file. */
export class LumpWriter {
  private readonly _recordBytes: number;
  private _bytes = new Uint8Array(1024);
  private _view = new DataView(this._bytes.buffer);
  private _length = 0;

  /** @param recordBytes - size of its records, for lumps whose records are counted. */
  constructor(recordBytes = 1) {
    this._recordBytes = recordBytes;
  }

  /** Bytes written so far. */
  get length(): number {
    return this._length;
  }

  /** Records written so far. */
  get count(): number {
    return this._length / this._recordBytes;
  }

  /** The bytes written so far. */
  get bytes(): Uint8Array {
    return this._bytes.subarray(0, this._length);
  }

  u8(...values: number[]): this {
    const start = this._grow(values.length);
    for (let i = 0; i < values.length; i++) this._view.setUint8(start + i, values[i]!);
    return this;
  }

  i16(...values: number[]): this {
    const start = this._grow(2 * values.length);
    for (let i = 0; i < values.length; i++) this._view.setInt16(start + 2 * i, values[i]!, true);
    return this;
  }

  i32(...values: number[]): this {
    const start = this._grow(4 * values.length);
    for (let i = 0; i < values.length; i++) this._view.setInt32(start + 4 * i, values[i]!, true);
    return this;
  }

  f32(...values: number[]): this {
    const start = this._grow(4 * values.length);
    for (let i = 0; i < values.length; i++) this._view.setFloat32(start + 4 * i, values[i]!, true);
    return this;
  }

  /** Latin-1 text; with `size`, cut or filled with NULs to this many bytes. */
  text(text: string, size: number = text.length): this {
    const start = this._grow(size);
    for (let i = 0; i < Math.min(size, text.length); i++) this._bytes[start + i] = text.charCodeAt(i);
    return this;
  }

  append(bytes: Uint8Array): this {
    const start = this._grow(bytes.length);
    this._bytes.set(bytes, start);
    return this;
  }

  private _grow(count: number): number {
    const start = this._length;
    this._length += count;
    if (this._length > this._bytes.length) {
      const larger = new Uint8Array(Math.max(this._length, 2 * this._bytes.length));
      larger.set(this._bytes.subarray(0, start));
      this._bytes = larger;
      this._view = new DataView(larger.buffer);
    }
    return start;
  }
}

/** Puts a file together: the words of its head, a directory of `{ offset, length }` pairs, then the lumps. */
export function writeFile(head: LumpWriter, lumps: readonly LumpWriter[]): Uint8Array {
  const directory = new LumpWriter().append(head.bytes);
  let offset = head.length + 8 * lumps.length;
  for (const lump of lumps) {
    directory.i32(offset, lump.length);
    offset += (lump.length + 3) & ~3;
  }
  const bytes = new Uint8Array(offset);
  bytes.set(directory.bytes);
  let place = directory.length;
  for (const lump of lumps) {
    bytes.set(lump.bytes, place);
    place += (lump.length + 3) & ~3;
  }
  return bytes;
}
