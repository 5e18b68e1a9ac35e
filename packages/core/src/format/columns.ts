import type { BinaryReader } from './reader.ts';

// Lumps are lists of equal records; formats read them field by field into typed arrays.

/** What a field's numbers are: signed or unsigned integers, or floats, with their bits. */
export type NumberKind = 'i16' | 'u16' | 'i32' | 'f32';

/**
 * Reads `count` numbers at byte `at` of every record of a lump, as integers. Records have `size` bytes.
 * Throws `BspError` (`lump-size`) when one is cut.
 */
export function readInts(
  lump: BinaryReader,
  size: number,
  at: number,
  count = 1,
  kind: NumberKind = 'i32',
): Int32Array {
  return fill(lump, size, at, count, kind, new Int32Array(lump.records(size) * count));
}

/** {@link readInts} as floats; integers that a file holds come as floats too. */
export function readFloats(
  lump: BinaryReader,
  size: number,
  at: number,
  count = 1,
  kind: NumberKind = 'f32',
): Float32Array {
  return fill(lump, size, at, count, kind, new Float32Array(lump.records(size) * count));
}

function fill<A extends Int32Array | Float32Array>(
  { bytes }: BinaryReader,
  size: number,
  at: number,
  count: number,
  kind: NumberKind,
  out: A,
): A {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = kind === 'i32' || kind === 'f32' ? 4 : 2;
  for (let i = 0, record = at; i < out.length; record += size) {
    for (let k = 0; k < count; k++, i++) {
      const offset = record + k * width;
      if (kind === 'f32') out[i] = view.getFloat32(offset, true);
      else if (kind === 'i32') out[i] = view.getInt32(offset, true);
      else out[i] = kind === 'i16' ? view.getInt16(offset, true) : view.getUint16(offset, true);
    }
  }
  return out;
}
