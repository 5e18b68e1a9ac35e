import type { BinaryReader } from './reader.ts';

// Lumps are lists of equal records; formats read them field by field, into typed arrays.

/** How the numbers of a field are stored: signed or unsigned integers, or floats. Floats keep their bits. */
export type NumberKind = 'i16' | 'u16' | 'i32' | 'f32';

/**
 * Reads `count` numbers at byte `at` of every record of a lump, as integers. Records have `size` bytes. Throws `BspError`
 * (`lump-size`) when the last record is incomplete.
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

/** {@link readInts} as floats; fields of integers are converted. */
export function readFloats(
  lump: BinaryReader,
  size: number,
  at: number,
  count = 1,
  kind: NumberKind = 'f32',
): Float32Array {
  return fill(lump, size, at, count, kind, new Float32Array(lump.records(size) * count));
}

const ARRAYS = { i16: Int16Array, u16: Uint16Array, i32: Int32Array, f32: Float32Array } as const;

function fill<A extends Int32Array | Float32Array>(
  lump: BinaryReader,
  size: number,
  at: number,
  count: number,
  kind: NumberKind,
  out: A,
): A {
  const width = ARRAYS[kind].BYTES_PER_ELEMENT;
  const { buffer, byteOffset, length } = aligned(lump.bytes, width);
  // Fields lie at multiples of their width. Reading through a typed array is faster than through a DataView: five times for whole
  // lumps.
  const from = new ARRAYS[kind](buffer as ArrayBuffer, byteOffset, length / width);
  const step = size / width;
  if (count === step) out.set(from);
  else {
    for (let i = 0, place = at / width; i < out.length; place += step) {
      for (let k = 0; k < count; k++) out[i++] = from[place + k]!;
    }
  }
  return out;
}

/** The same bytes, or a copy of them, at an offset that is a multiple of the width. */
function aligned(bytes: Uint8Array, width: number): Uint8Array {
  return bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
}
