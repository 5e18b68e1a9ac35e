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
  const copy = map.slice();
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
  const copy = map.slice();
  const view = new DataView(copy.buffer);
  if (change.offset !== undefined) view.setInt32(8 + 8 * LUMP[lump], change.offset, true);
  if (change.length !== undefined) view.setInt32(12 + 8 * LUMP[lump], change.length, true);
  return copy;
}
