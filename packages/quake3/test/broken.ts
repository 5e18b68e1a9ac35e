import { breaking } from '@bspkit/testkit/broken';
import { QUAKE3_CRAFTED } from '@bspkit/testkit/crafted/quake3';

export type LumpName = keyof typeof QUAKE3_CRAFTED.lumps;

const { lumpAt, withEntry, withLump, withNumber } = breaking(QUAKE3_CRAFTED);

export { lumpAt, withEntry, withLump };

/** A copy of a map with one 32-bit number of a lump changed: `word` counts from the lump's start. */
export const withWord = (map: Uint8Array, lump: LumpName, word: number, value: number): Uint8Array =>
  withNumber(map, lump, 4 * word, value);

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
