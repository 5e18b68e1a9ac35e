import type { Pixels } from './raster.ts';

/** Packs pixels as a PNG file. */
export async function encodePng({ width, height, data }: Pixels): Promise<Uint8Array> {
  // An ES module alone: CommonJS can have it in no other way.
  const { encode } = await import('fast-png');
  return encode({ width, height, data, channels: 3, depth: 8 }, { zlib: { level: 9 } });
}
