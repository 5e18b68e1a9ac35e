import { BinaryReader } from '@bspkit/core/format';

// WAD files have textures that maps only name: Half-Life's (WAD3) with a palette each, Quake's (WAD2) without. Both are a header, the
// textures as they are in maps, and a list of them.

const ENTRY_BYTES = 32;
/** Types of entries that are textures, in Half-Life and in Quake; the others are fonts and pictures for the screen. */
const [WITH_PALETTE, WITHOUT_PALETTE] = [0x43, 0x44];
/** Where a texture's header says where its largest picture is. */
export const LARGEST = 24;

/** A texture in a map or a WAD file. */
export interface TextureSource {
  readonly width: number;
  readonly height: number;
  /** From its header on. */
  readonly lump: BinaryReader;
  readonly hasPalette: boolean;
}

/** Whether a texture's picture follows its header. */
export const hasPicture = ({ width, height, lump }: TextureSource): boolean =>
  width * height > 0 && lump.u32(LARGEST) > 0;

/**
 * The textures of WAD files that have a picture and one of some names, by these, in small letters; of several with one name, the
 * first. Those that nobody asks for may be anything, as some of Quake's are. Throws `BspError`, with the lump `wads[0]` for the first file and so on:
 * `magic` for any other file, `truncated` and `lump-range` for one that is cut off.
 */
export function findInWads(
  wads: readonly Uint8Array[],
  names: ReadonlySet<string>,
): Map<string, TextureSource> {
  const found = new Map<string, TextureSource>();
  for (const [k, bytes] of wads.entries()) {
    const lumpName = `wads[${k}]`;
    const wad = new BinaryReader(bytes, 'quake1', lumpName);
    if (bytes.length < 12 || !/^WAD[23]$/.test(wad.text(0, 4))) {
      throw wad.error('magic', 'is not a WAD file, which begins with WAD2 or WAD3');
    }
    const list = wad.lump({ name: lumpName, offset: wad.u32(8), length: ENTRY_BYTES * wad.u32(4) });
    for (let at = 0; at < list.bytes.length; at += ENTRY_BYTES) {
      const type = list.u8(at + 12);
      const isPacked = list.u8(at + 13) !== 0;
      if (isPacked || (type !== WITH_PALETTE && type !== WITHOUT_PALETTE)) continue;
      const name = list.text(at + 16, 16).toLowerCase();
      if (!names.has(name) || found.has(name)) continue;
      const lump = wad.lump({ name: lumpName, offset: list.u32(at), length: list.u32(at + 4) });
      const [width, height] = [lump.u32(16), lump.u32(20)];
      const source: TextureSource = { width, height, lump, hasPalette: type === WITH_PALETTE };
      if (hasPicture(source)) found.set(name, source);
    }
  }
  return found;
}
