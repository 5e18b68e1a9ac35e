import type { BinaryReader } from '@bspkit/core';

/** Lumps in the order of the file's directory. */
export const LUMPS = [
  'entities',
  'planes',
  'textures',
  'vertexes',
  'visibility',
  'nodes',
  'texInfos',
  'faces',
  'lighting',
  'clipNodes',
  'leafs',
  'markSurfaces',
  'edges',
  'surfEdges',
  'models',
] as const;

export type Quake1Lump = (typeof LUMPS)[number];

/** How wide a version writes its numbers, in bytes: that of indexes and counts, and that of node and leaf bounds. */
export interface Widths {
  readonly index: 2 | 4;
  readonly bound: 2 | 4;
}

/** Signed or unsigned integer, or float, with its bytes. */
export type NumberKind = 'i16' | 'u16' | 'i32' | 'f32';

/** Where a field lies in a record, what it is, and how many numbers it has. */
export interface Field {
  readonly at: number;
  readonly kind: NumberKind;
  readonly count?: number;
}

/** Reads one field of every record of a lump. Throws `BspError` (`lump-size`) when a record is cut. */
export function readInts(lump: BinaryReader, stride: number, field: Field): Int32Array {
  const { at, kind, count = 1 } = field;
  const out = new Int32Array(lump.records(stride) * count);
  const view = new DataView(lump.bytes.buffer, lump.bytes.byteOffset, lump.bytes.byteLength);
  const size = kind === 'i32' ? 4 : 2;
  for (let i = 0, record = at; i < out.length; record += stride) {
    for (let k = 0; k < count; k++, i++) {
      const offset = record + k * size;
      if (kind === 'i32') out[i] = view.getInt32(offset, true);
      else out[i] = kind === 'i16' ? view.getInt16(offset, true) : view.getUint16(offset, true);
    }
  }
  return out;
}

/** {@link readInts} for floats; bounds that a file holds as integers come as floats too. */
export function readFloats(lump: BinaryReader, stride: number, field: Field): Float32Array {
  if (field.kind !== 'f32') return Float32Array.from(readInts(lump, stride, field));
  const { at, count = 1 } = field;
  const out = new Float32Array(lump.records(stride) * count);
  const view = new DataView(lump.bytes.buffer, lump.bytes.byteOffset, lump.bytes.byteLength);
  for (let i = 0, record = at; i < out.length; record += stride) {
    for (let k = 0; k < count; k++, i++) out[i] = view.getFloat32(record + 4 * k, true);
  }
  return out;
}
