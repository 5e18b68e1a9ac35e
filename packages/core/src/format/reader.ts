import { BspError, type BspErrorCode } from '../error.ts';
import { decodeLatin1 } from './texts.ts';

/** Where a lump lies in the file, as its directory says. */
export interface LumpEntry {
  readonly name: string;
  /** Byte offset in the file. */
  readonly offset: number;
  /** Length in bytes. */
  readonly length: number;
}

/**
 * Part of a file, read little-endian with every access checked. Errors name the format, the lump and the place.
 * Make one over the whole file and take lumps from it with {@link BinaryReader.lump}.
 */
export class BinaryReader {
  readonly format: string;
  /** Name of the lump, or `header` for the whole file. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Where `bytes` begins in the file. */
  readonly base: number;
  private readonly _view: DataView;

  constructor(bytes: Uint8Array, format: string, name = 'header', base = 0) {
    this.format = format;
    this.name = name;
    this.bytes = bytes;
    this.base = base;
    this._view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The error of this lump at byte `offset` of it (and record `index`), to be thrown. */
  error(code: BspErrorCode, problem: string, offset = 0, index?: number): BspError {
    return new BspError(
      code,
      { format: this.format, lump: this.name, index, offset: this.base + offset },
      problem,
    );
  }

  /**
   * A lump as a reader of its own. Throws `BspError` (`lump-range`) when it does not lie within the file.
   *
   * @param total - bytes of the file, where only its beginning is at hand: the reader may then lack bytes of the lump.
   */
  lump({ name, offset, length }: LumpEntry, total: number = this.bytes.length): BinaryReader {
    if (offset < 0 || length < 0 || offset + length > total) {
      throw new BspError(
        'lump-range',
        { format: this.format, lump: name, offset },
        `lies at bytes ${offset} to ${offset + length}, but the file has ${total} bytes`,
      );
    }
    const bytes = this.bytes.subarray(offset, offset + length);
    return new BinaryReader(bytes, this.format, name, this.base + offset);
  }

  /** How many records of `size` bytes the lump holds. Throws `BspError` (`lump-size`) when the last one is incomplete. */
  records(size: number): number {
    if (this.bytes.length % size !== 0) {
      throw this.error('lump-size', `length ${this.bytes.length} is not a multiple of ${size}`);
    }
    return this.bytes.length / size;
  }

  u8(offset: number): number {
    this._check(offset, 1);
    return this._view.getUint8(offset);
  }

  i16(offset: number): number {
    this._check(offset, 2);
    return this._view.getInt16(offset, true);
  }

  u16(offset: number): number {
    this._check(offset, 2);
    return this._view.getUint16(offset, true);
  }

  i32(offset: number): number {
    this._check(offset, 4);
    return this._view.getInt32(offset, true);
  }

  u32(offset: number): number {
    this._check(offset, 4);
    return this._view.getUint32(offset, true);
  }

  f32(offset: number): number {
    this._check(offset, 4);
    return this._view.getFloat32(offset, true);
  }

  /** The whole lump as 32-bit words in memory of their own, viewed as integers and as floats. */
  words(): { ints: Int32Array; floats: Float32Array } {
    // Not `bytes.slice`, which copies nothing for a Node Buffer: the file need not be aligned to words.
    const copy = new Uint8Array(this.bytes.length & ~3);
    copy.set(this.bytes.subarray(0, copy.length));
    return { ints: new Int32Array(copy.buffer), floats: new Float32Array(copy.buffer) };
  }

  /** Latin-1 text of `length` bytes, ended early by a NUL. */
  text(offset: number, length: number): string {
    this._check(offset, length);
    const bytes = this.bytes.subarray(offset, offset + length);
    const nul = bytes.indexOf(0);
    return decodeLatin1(nul < 0 ? bytes : bytes.subarray(0, nul));
  }

  private _check(offset: number, length: number): void {
    if (!(offset >= 0 && offset + length <= this.bytes.length)) {
      throw this.error(
        'truncated',
        `needs ${length} bytes at ${offset}, but has ${this.bytes.length}`,
        offset,
      );
    }
  }
}
