import { BspError } from '@bspkit/core';

/** The error that some work throws; fails the test if it throws anything but a BspError, or nothing at all. */
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
export const LUMP = {
  entities: 0,
  planes: 1,
  routing: 3,
  nodes: 4,
  texinfo: 5,
  leafs: 9,
  leafBrushes: 10,
  models: 13,
  brushes: 14,
  sides: 15,
} as const;

export type LumpName = keyof typeof LUMP;

/** Where a lump is in a file. */
export function lumpAt(map: Uint8Array, lump: LumpName): { offset: number; length: number } {
  const view = new DataView(map.buffer, map.byteOffset);
  return {
    offset: view.getInt32(8 + 8 * LUMP[lump], true),
    length: view.getInt32(12 + 8 * LUMP[lump], true),
  };
}

/** A copy of a map with `size` bytes of a lump changed, at a byte counted from the lump's start. */
export function withNumber(
  map: Uint8Array,
  lump: LumpName,
  at: number,
  value: number,
  size: 1 | 2 | 4 = 4,
): Uint8Array {
  const copy = Uint8Array.from(map);
  const view = new DataView(copy.buffer);
  const place = lumpAt(copy, lump).offset + at;
  if (size === 4) view.setInt32(place, value, true);
  else if (size === 2) view.setInt16(place, value, true);
  else view.setUint8(place, value);
  return copy;
}

/** A copy of a map with a float of a lump changed. */
export function withFloat(map: Uint8Array, lump: LumpName, at: number, value: number): Uint8Array {
  const copy = Uint8Array.from(map);
  new DataView(copy.buffer).setFloat32(lumpAt(copy, lump).offset + at, value, true);
  return copy;
}

/** A copy of a map with a lump's offset or length changed in the directory. */
export function withEntry(
  map: Uint8Array,
  lump: LumpName,
  change: { offset?: number; length?: number },
): Uint8Array {
  const copy = Uint8Array.from(map);
  const view = new DataView(copy.buffer);
  if (change.offset !== undefined) view.setInt32(8 + 8 * LUMP[lump], change.offset, true);
  if (change.length !== undefined) view.setInt32(12 + 8 * LUMP[lump], change.length, true);
  return copy;
}
