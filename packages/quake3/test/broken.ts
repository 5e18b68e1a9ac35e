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
export const LUMP = {
  entities: 0,
  shaders: 1,
  planes: 2,
  nodes: 3,
  leafs: 4,
  leafSurfaces: 5,
  leafBrushes: 6,
  models: 7,
  brushes: 8,
  sides: 9,
  vertexes: 10,
  indexes: 11,
  surfaces: 13,
  visibility: 16,
} as const;

/** A copy of a map with one 32-bit number of a lump changed: `word` counts from the lump's start. */
export function withWord(map: Uint8Array, lump: keyof typeof LUMP, word: number, value: number): Uint8Array {
  const copy = new Uint8Array(map);
  const view = new DataView(copy.buffer);
  view.setInt32(view.getInt32(8 + 8 * LUMP[lump], true) + 4 * word, value, true);
  return copy;
}

/** A copy of a map with a lump's offset or length changed in the directory. */
export function withEntry(
  map: Uint8Array,
  lump: keyof typeof LUMP,
  change: { offset?: number; length?: number },
): Uint8Array {
  const copy = new Uint8Array(map);
  const view = new DataView(copy.buffer);
  if (change.offset !== undefined) view.setInt32(8 + 8 * LUMP[lump], change.offset, true);
  if (change.length !== undefined) view.setInt32(12 + 8 * LUMP[lump], change.length, true);
  return copy;
}

/** A copy of a map with other bytes in place of a lump: they go to its end. */
export function withLump(map: Uint8Array, lump: keyof typeof LUMP, bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(map.length + bytes.length);
  copy.set(map);
  copy.set(bytes, map.length);
  return withEntry(copy, lump, { offset: map.length, length: bytes.length });
}

/** A visibility lump of some clusters, in rows of some bytes: `sees` tells which cluster sees which. */
export function visibilityLump(
  numClusters: number,
  rowBytes: number,
  sees: (from: number, to: number) => boolean,
): Uint8Array {
  const bytes = new Uint8Array(8 + numClusters * rowBytes);
  new Int32Array(bytes.buffer, 0, 2).set([numClusters, rowBytes]);
  for (let from = 0; from < numClusters; from++) {
    for (let to = 0; to < numClusters; to++) {
      if (sees(from, to)) bytes[8 + from * rowBytes + (to >> 3)]! |= 1 << (to & 7);
    }
  }
  return bytes;
}
