import type { UnsharedBytes } from '@bspkit/core';
import type { Pixels } from './raster.ts';

/** Packs pixels as a PNG file. */
export async function encodePng({ width, height, data }: Pixels): Promise<UnsharedBytes> {
  // It is only an ES module: CommonJS has no other way to load it.
  const { encode } = await import('fast-png');
  const file = encode({ width, height, data, channels: 3, depth: 8 }, { zlib: { level: 9 } });
  return file as UnsharedBytes; // in a buffer of its own, which its type does not say
}
