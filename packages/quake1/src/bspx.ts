import { BspError } from '@bspkit/core';
import { BinaryReader, checkFileOf } from '@bspkit/core/format';
import type { Quake1File } from './file.ts';

/** A lump that a compiler added after the standard ones. */
export interface Quake1Extension {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A brush that the map was built from, from before its hulls were made. */
export interface Quake1Brush {
  readonly contents: number;
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  /** Sides that are not axial, four numbers each (normal, dist); the six of the bounds are implicit. */
  readonly planes: Float32Array;
}

/** The brushes of one model, from the `BRUSHLIST` extension. */
export interface Quake1BrushModel {
  readonly model: number;
  readonly brushes: readonly Quake1Brush[];
}

const ENTRY_BYTES = 32;
const BRUSH_LIST_VERSION = 1;
/** Sides of a brush that are given by its bounds. */
const BOX_SIDES = 6;
/** The most sides of all brushes together: the largest map that we have, of another game, has 183,000. */
const MAX_SIDES = 2 ** 19;

/**
 * Reads the BSPX directory that may follow the last lump, which ends at byte `end`; empty where there is none.
 * Layout: 'BSPX', a count, then 24 bytes of name, offset and length for each.
 */
export function readExtensions(file: BinaryReader, end: number): Quake1Extension[] {
  const at = (end + 3) & ~3;
  if (at + 8 > file.bytes.length || file.text(at, 4) !== 'BSPX') return [];
  const count = file.u32(at + 4);
  if (at + 8 + count * ENTRY_BYTES > file.bytes.length) {
    throw new BspError(
      'truncated',
      { format: file.format, lump: 'BSPX', offset: at },
      `a directory of ${count} lumps does not fit the file's ${file.bytes.length} bytes`,
    );
  }
  return Array.from({ length: count }, (_, k) => {
    const entry = at + 8 + k * ENTRY_BYTES;
    const name = file.text(entry, 24);
    const { bytes } = file.lump({ name, offset: file.u32(entry + 24), length: file.u32(entry + 28) });
    return { name, bytes };
  });
}

/**
 * The brushes that a map was built from, if its compiler put them into the BSPX directory (`BRUSHLIST`); `undefined` if the file
 * has none, or an unknown version of the list.
 *
 * @throws BspError when the list is cut short, or has more than half a million sides.
 */
export function brushList(file: Quake1File): readonly Quake1BrushModel[] | undefined {
  checkFileOf(file, 'quake1', 'readQuake1');
  const { extensions, format } = file;
  const extension = extensions.find(({ name }) => name === 'BRUSHLIST');
  if (!extension) return undefined;
  const lump = new BinaryReader(extension.bytes, format, 'BRUSHLIST');
  checkSides(lump);
  const models: Quake1BrushModel[] = [];
  for (let at = 0; at < lump.bytes.length; ) {
    if (lump.i32(at) !== BRUSH_LIST_VERSION) return undefined;
    const model = lump.i32(at + 4);
    const count = lump.u32(at + 8);
    at += 16;
    const brushes: Quake1Brush[] = [];
    for (let k = 0; k < count; k++) {
      const numPlanes = lump.u16(at + 26);
      brushes.push({
        mins: floatsAt(lump, at, 3),
        maxs: floatsAt(lump, at + 12, 3),
        contents: lump.i16(at + 24),
        planes: floatsAt(lump, at + 28, 4 * numPlanes),
      });
      at += 28 + 16 * numPlanes;
    }
    models.push({ model, brushes });
  }
  return models;
}

function floatsAt(lump: BinaryReader, at: number, count: number): Float32Array {
  const floats = new Float32Array(count);
  for (let k = 0; k < count; k++) floats[k] = lump.f32(at + 4 * k);
  return floats;
}

/** Refuses a list with more sides than a map can have, before it is read. Brushes are counted through all models. */
function checkSides(lump: BinaryReader): void {
  let sides = 0;
  let brush = 0;
  for (let at = 0; at < lump.bytes.length && lump.i32(at) === BRUSH_LIST_VERSION; ) {
    const end = brush + lump.u32(at + 8);
    at += 16;
    for (; brush < end; brush++) {
      const planes = lump.u16(at + 26);
      sides += BOX_SIDES + planes;
      if (sides > MAX_SIDES) throw lump.error('limit', `has more than ${MAX_SIDES} sides`, at, brush);
      at += 28 + 16 * planes;
    }
  }
}
