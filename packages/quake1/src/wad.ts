import { BspError } from '@bspkit/core';
import { BinaryReader } from '@bspkit/core/format';

// WAD files have textures that maps only name: Half-Life's (WAD3) with a palette each, Quake's (WAD2) without. Both are a header, the
// textures as they are in maps, and a list of them.

const ENTRY_BYTES = 32;
/** Types of entries that are textures, in Half-Life and in Quake; the others are fonts and pictures for the screen. */
const [WITH_PALETTE, WITHOUT_PALETTE] = [0x43, 0x44];

/** A texture in a WAD file. */
export interface WadTexture {
  readonly width: number;
  readonly height: number;
  /** From its header on, as in a map, to its end. */
  readonly bytes: Uint8Array;
  readonly hasPalette: boolean;
}

/**
 * The textures of WAD files by their names in small letters; of several with one name, the first. Throws `BspError`: `magic` for any
 * other file, `truncated` and `lump-range` for one that is cut off.
 */
export function readWads(wads: readonly Uint8Array[]): Map<string, WadTexture> {
  const found = new Map<string, WadTexture>();
  for (const bytes of wads) {
    const wad = new BinaryReader(bytes, 'quake1', 'wad');
    if (bytes.length < 12 || !/^WAD[23]$/.test(wad.text(0, 4))) {
      throw new BspError(
        'magic',
        { format: 'quake1', lump: 'wad' },
        'is not a WAD file, which begins with WAD2 or WAD3',
      );
    }
    const list = wad.lump({ name: 'wad', offset: wad.u32(8), length: ENTRY_BYTES * wad.u32(4) });
    for (let at = 0; at < list.bytes.length; at += ENTRY_BYTES) {
      const type = list.u8(at + 12);
      const isPacked = list.u8(at + 13) !== 0;
      if (isPacked || (type !== WITH_PALETTE && type !== WITHOUT_PALETTE)) continue;
      const name = list.text(at + 16, 16).toLowerCase();
      if (found.has(name)) continue;
      const texture = wad.lump({ name: 'wad', offset: list.u32(at), length: list.u32(at + 4) });
      const [width, height] = [texture.u32(16), texture.u32(20)];
      found.set(name, { width, height, bytes: texture.bytes, hasPalette: type === WITH_PALETTE });
    }
  }
  return found;
}
