import { BspError } from '@bspkit/core';
import { BinaryReader } from '@bspkit/core/format';
import type { Quake1File } from './file.ts';

// Coloured light of Quake's maps, whose own is grey: one byte per sample. Compilers add three for each, red, green and blue, in the
// same order, either as an extension of the file or in a file beside it. So a face's colours begin at three times the place of its
// grey light.

/** Bytes of a coloured sample. */
const SAMPLE_BYTES = 3;
/** The extension: the samples, and nothing else. */
const EXTENSION = 'RGBLIGHTING';
/** A file beside the map, named like it but ending in `.lit`: these letters, a version, then the samples. */
const LETTERS = 'QLIT';
const VERSION = 1;
const HEADER_BYTES = 8;

/** The colours in a map; `undefined` if it has none, or not one for each sample: engines leave such ones out, too. */
export function ownColors({ extensions, lighting }: Quake1File): Uint8Array | undefined {
  const colors = extensions.find(({ name }) => name === EXTENSION)?.bytes;
  if (!colors) return undefined;
  // A compiler may leave the grey light out.
  const samples = lighting.length || Math.floor(colors.length / SAMPLE_BYTES);
  return colors.length === SAMPLE_BYTES * samples ? colors : undefined;
}

/**
 * The colours in a `.lit` file. Throws `BspError`: `magic` and `version` for any other file, `truncated` for less than its header,
 * `lump-size` unless there is one for each sample of the map.
 */
export function colorsOf(file: Quake1File, lit: Uint8Array): Uint8Array {
  const { format } = file;
  const place = { format, lump: 'lit' };
  const reader = new BinaryReader(lit, format, 'lit');
  if (lit.length < HEADER_BYTES) {
    throw new BspError('truncated', place, `needs ${HEADER_BYTES} bytes, but has ${lit.length}`);
  }
  if (reader.text(0, LETTERS.length) !== LETTERS) {
    throw new BspError('magic', place, `is not a .lit file, which begins with ${LETTERS}`);
  }
  const version = reader.i32(4);
  if (version !== VERSION) {
    throw new BspError('version', place, `has version ${version}; only version ${VERSION} is read`);
  }
  const colors = lit.subarray(HEADER_BYTES);
  const samples = file.lighting.length || (ownColors(file)?.length ?? 0) / SAMPLE_BYTES;
  if (colors.length === SAMPLE_BYTES * samples) return colors;
  const found = `has ${colors.length} bytes of colours, but`;
  const problem =
    samples === 0
      ? `${found} the map has no light: the map may be a version from before it was lit`
      : `${found} the map's ${samples} light samples need ${SAMPLE_BYTES * samples}: it may belong to another version of the map`;
  throw new BspError('lump-size', place, problem);
}
