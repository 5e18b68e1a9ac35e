import { BspError } from '@bspkit/core';

/** The error that some work throws; anything but a BspError, or none at all, fails the test. */
export function bspError(work: () => unknown): BspError {
  try {
    work();
  } catch (error) {
    if (error instanceof BspError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Numbers of the lumps in the file's directory. */
const LUMP = {
  entities: 0,
  planes: 1,
  vertexes: 2,
  visibility: 3,
  nodes: 4,
  texinfo: 5,
  faces: 6,
  lighting: 7,
  leafs: 8,
  leafBrushes: 10,
  edges: 11,
  surfEdges: 12,
  models: 13,
  brushes: 14,
  sides: 15,
  areas: 17,
  areaPortals: 18,
} as const;

export type LumpName = keyof typeof LUMP;

/** Where a lump lies, as the directory says. */
export function lumpAt(map: Uint8Array, lump: LumpName): { offset: number; length: number } {
  const view = new DataView(map.buffer, map.byteOffset);
  const at = 8 + 8 * LUMP[lump];
  return { offset: view.getInt32(at, true), length: view.getInt32(at + 4, true) };
}

/** A copy of a map with one number of a lump changed, `at` bytes from the lump's start. */
export function withNumber(
  map: Uint8Array,
  lump: LumpName,
  at: number,
  value: number,
  size: 1 | 2 | 4 = 4,
): Uint8Array {
  const copy = new Uint8Array(map);
  const view = new DataView(copy.buffer);
  const place = lumpAt(map, lump).offset + at;
  if (size === 1) view.setUint8(place, value);
  else if (size === 2) view.setUint16(place, value, true);
  else view.setInt32(place, value, true);
  return copy;
}

/** A copy with a float changed. */
export function withFloat(map: Uint8Array, lump: LumpName, at: number, value: number): Uint8Array {
  return withNumber(map, lump, at, new Int32Array(Float32Array.of(value).buffer)[0]!);
}

/** A copy of a map with other bytes in place of a lump: they go to its end. */
export function withLump(map: Uint8Array, lump: LumpName, bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(map.length + bytes.length);
  copy.set(map);
  copy.set(bytes, map.length);
  const view = new DataView(copy.buffer);
  view.setInt32(8 + 8 * LUMP[lump], map.length, true);
  view.setInt32(12 + 8 * LUMP[lump], bytes.length, true);
  return copy;
}
