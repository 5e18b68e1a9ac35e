import {
  BspError,
  type Bytes,
  type EmbeddedTexture,
  type EmbeddedTextureOptions,
  type UnsharedBytes,
} from '@bspkit/core';
import { BinaryReader, checkFileOf, checkList, checkOptions, toBytes } from '@bspkit/core/format';
import { checks } from './check.ts';
import type { Quake1File } from './file.ts';
import { findInWads, hasPicture, LARGEST, type TextureSource } from './wad.ts';

/** Colours in a palette. */
const COLORS = 256;
/** The see-through colour of textures named `{…`. */
const CLEAR = 255;

/** How pictures of textures are taken out of a map. */
export interface Quake1TextureOptions extends EmbeddedTextureOptions {
  /**
   * WAD files, with pictures for the textures that have none in the map. Of several pictures with one name, the first counts. Maps of
   * Half-Life name their WAD files in the key `wad` of worldspawn.
   */
  readonly wads?: readonly Bytes[] | undefined;
}

/** A texture of a map, and where its pictures are. */
interface Picture extends TextureSource {
  readonly texture: number;
  readonly name: string;
}

/**
 * The textures whose pictures are in the file, in their largest size. Those of Quake consist of indices into a palette that
 * belongs to the game: pass it as `palette`, or get one of ours that resembles it, {@link createPalette}. Half-Life's have
 * palettes of their own; maps of Half-Life often leave the pictures in WAD files, and such textures are left out, unless those
 * files are given as `wads`. In a texture whose name begins with `{`, alpha is 0 where the colour is 255.
 *
 * @throws BspError for a picture that is not in the file, and for anything but WAD files; RangeError for a palette of any length
 *   other than 768 bytes, TypeError for anything but a buffer or a `Uint8Array`.
 */
export function embeddedTextures(file: Quake1File, options: Quake1TextureOptions = {}): EmbeddedTexture[] {
  checkFileOf(file, 'quake1', 'readQuake1');
  checkOptions(options, ['palette', 'wads']);
  const { palette: colors = createPalette(), wads: files = [] } = options;
  const palette = toBytes(colors, 'palette');
  if (palette.length !== 3 * COLORS) {
    throw new RangeError(`palette must have ${3 * COLORS} bytes, got ${palette.length}`);
  }
  checkList(files, 'wads');
  const wads = Array.from(files, (bytes, k) => toBytes(bytes, `wads[${k}]`));
  const pictures = findPictures(file, wads).map(({ width, height, lump, ...picture }) => {
    const texels = partOf(lump, picture.name, 'picture', lump.u32(LARGEST), width * height);
    return { ...picture, width, height, lump, texels };
  });
  const sizes = pictures.map(({ texels }) => texels.length);
  const bytes = wads.reduce((sum, { length }) => sum + length, file.lumps.textures.length);
  checks.owned('textures', 'texels', sizes, bytes);
  return pictures.map(({ texture, name, width, height, lump, hasPalette, texels }) => {
    const own = hasPalette ? ownPalette(lump, name) : palette;
    return { texture, name, width, height, pixels: paint(texels, own, name.startsWith('{')) };
  });
}

/** The textures of a map that have pictures: in the map, or else in WAD files. */
function findPictures({ textures, version }: Quake1File, wads: readonly Uint8Array[]): Picture[] {
  const names = textures.flatMap((header) => (header ? [header.name.toLowerCase()] : []));
  const others = findInWads(wads, new Set(names));
  return textures.flatMap((header, texture) => {
    if (!header) return [];
    const { name, width, height, bytes } = header;
    const lump = new BinaryReader(bytes, 'quake1', 'textures');
    const own: TextureSource = { width, height, lump, hasPalette: version === 30 };
    const source = hasPicture(own) ? own : others.get(name.toLowerCase());
    return source ? [{ ...source, texture, name }] : [];
  });
}

/** The palette of a Half-Life texture: after its smallest picture, which is a sixty-fourth of the largest, and a count. */
function ownPalette(lump: BinaryReader, name: string): Uint8Array {
  const offset = lump.u32(36) + Math.floor(lump.u32(16) / 8) * Math.floor(lump.u32(20) / 8);
  const colors = new Uint8Array(3 * COLORS);
  const [low, high] = partOf(lump, name, 'palette', offset, 2);
  const count = Math.min(COLORS, low! + 256 * high!);
  colors.set(partOf(lump, name, 'palette', offset + 2, 3 * count));
  return colors;
}

/** Part of a texture, of which readers begin at its header: what they throw would take that for where the file begins. */
function partOf(
  { bytes, format, name: lump }: BinaryReader,
  texture: string,
  what: string,
  offset: number,
  length: number,
): Uint8Array {
  if (offset + length <= bytes.length) return bytes.subarray(offset, offset + length);
  const place = `at bytes ${offset} to ${offset + length} from its header on`;
  const problem = `the ${what} of '${texture}' lies ${place}, but there are only ${bytes.length}`;
  throw new BspError('lump-range', { format, lump }, problem);
}

function paint(texels: Uint8Array, palette: Uint8Array, hasClear: boolean): UnsharedBytes {
  const pixels = new Uint8Array(4 * texels.length);
  for (let k = 0; k < texels.length; k++) {
    const color = texels[k]!;
    pixels[4 * k] = palette[3 * color]!;
    pixels[4 * k + 1] = palette[3 * color + 1]!;
    pixels[4 * k + 2] = palette[3 * color + 2]!;
    pixels[4 * k + 3] = hasClear && color === CLEAR ? 0 : 255;
  }
  return pixels;
}

/** The brightest colour of each row of sixteen, as red, green and blue from 0 to 1. */
const ROWS: readonly (readonly [number, number, number])[] = [
  [0.92, 0.92, 0.92],
  [0.6, 0.45, 0.3],
  [0.58, 0.58, 0.78],
  [0.46, 0.46, 0.14],
  [0.5, 0.02, 0.02],
  [0.66, 0.52, 0.12],
  [0.76, 0.5, 0.2],
  [0.9, 0.68, 0.3],
  [0.62, 0.44, 0.5],
  [0.72, 0.44, 0.52],
  [0.82, 0.72, 0.6],
  [0.46, 0.56, 0.46],
  [0.96, 0.86, 0.16],
  [0.3, 0.3, 0.96],
  [0.98, 0.52, 0.12],
  [1, 0.94, 0.72],
];
/** Rows that begin with their brightest colour. */
const FIRST_BACKWARD = 8;
const LAST_BACKWARD = 13;

/**
 * Our own palette of 256 colours (768 bytes) for Quake's textures. The game's palette belongs to the game; only its structure is
 * public: sixteen rows of sixteen colours, each a ramp from dark to bright of one hue, but from bright to dark in rows 8 to 13,
 * and the last two rows for what glows. Ours has ramps of hues that suit stone, metal, wood and blood, so that maps look
 * plausible, not right.
 */
export function createPalette(): Uint8Array {
  const palette = new Uint8Array(3 * COLORS);
  for (const [row, color] of ROWS.entries()) {
    const isBackward = row >= FIRST_BACKWARD && row <= LAST_BACKWARD;
    for (let k = 0; k < 16; k++) {
      const step = isBackward ? 15 - k : k;
      const bright = (step + 1) / 16;
      for (let i = 0; i < 3; i++) palette[3 * (16 * row + k) + i] = Math.round(255 * bright * color[i]!);
    }
  }
  return palette;
}
