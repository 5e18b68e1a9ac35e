import type { BinaryReader } from './reader.ts';

// Lumps are lists of equal records; formats read them field by field, into typed arrays.

/** How the numbers of a field are stored: signed or unsigned integers, or floats. Floats keep their bits. */
export type NumberKind = 'i16' | 'u16' | 'i32' | 'f32';

/**
 * Reads `count` numbers at byte `at` of every record of a lump, as integers; of floats, their bits. Records have `size` bytes.
 * Throws `BspError` (`lump-size`) when the last record is incomplete.
 */
export function readInts(
  lump: BinaryReader,
  size: number,
  at: number,
  count = 1,
  kind: NumberKind = 'i32',
): Int32Array {
  const out = new Int32Array(lump.records(size) * count);
  // Fields lie at multiples of their width; through a DataView, whole lumps would take five times as long. Floats are read as
  // integers of the same bits, and two bytes without a sign at first: this runs before any JavaScript engine has compiled it, when
  // loops are fast only as long as they meet the same kinds of arrays. So a new process reads maps in 0.83 to 0.92 of the time.
  const width = kind === 'i32' || kind === 'f32' ? 4 : 2;
  const { buffer, byteOffset, length } = aligned(lump.bytes, width);
  const step = size / width;
  const place = at / width;
  if (width === 4)
    gather(new Int32Array(buffer as ArrayBuffer, byteOffset, length / 4), step, place, count, out);
  else {
    const from = new Uint16Array(buffer as ArrayBuffer, byteOffset, length / 2);
    gatherShort(from, step, place, count, out, kind === 'i16' ? 16 : 0);
  }
  return out;
}

/** {@link readInts} as floats; fields of integers are converted. */
export function readFloats(
  lump: BinaryReader,
  size: number,
  at: number,
  count = 1,
  kind: NumberKind = 'f32',
): Float32Array {
  const ints = readInts(lump, size, at, count, kind);
  return kind === 'f32' ? new Float32Array(ints.buffer) : new Float32Array(ints);
}

function gather(from: Int32Array, step: number, place: number, count: number, out: Int32Array): void {
  if (count === step) out.set(from);
  else {
    for (let i = 0; i < out.length; place += step) {
      for (let k = 0; k < count; k++) out[i++] = from[place + k]!;
    }
  }
}

/** As {@link gather}; numbers with a sign have `unused` bits above them, which it fills. */
function gatherShort(
  from: Uint16Array,
  step: number,
  place: number,
  count: number,
  out: Int32Array,
  unused: number,
): void {
  for (let i = 0; i < out.length; place += step) {
    for (let k = 0; k < count; k++) out[i++] = (from[place + k]! << unused) >> unused;
  }
}

/** The same bytes, or a copy of them, at an offset that is a multiple of the width. */
function aligned(bytes: Uint8Array, width: number): Uint8Array {
  return bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
}
