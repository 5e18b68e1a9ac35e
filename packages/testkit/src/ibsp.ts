// Map files of the family that begins with IBSP, written from numbers.

export type PlaneSpec = readonly [x: number, y: number, z: number, dist: number];

/** Sides are plane numbers of the file. */
export interface BrushSpec {
  readonly contents: number;
  readonly sides: readonly number[];
}

/** Bytes per field, by letter. */
const SIZES: Readonly<Record<string, number>> = { f: 4, i: 4, h: 2, B: 1 };

/** A lump of records: `kinds` has a letter for each field, as in Python's `struct`. */
export function records(rows: readonly (readonly number[])[], kinds: string): Uint8Array {
  const size = [...kinds].reduce((sum, kind) => sum + SIZES[kind]!, 0);
  const bytes = new Uint8Array(size * rows.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const row of rows) {
    for (const [k, kind] of [...kinds].entries()) {
      if (kind === 'f') view.setFloat32(at, row[k]!, true);
      else if (kind === 'i') view.setInt32(at, row[k]!, true);
      else if (kind === 'h') view.setInt16(at, row[k]!, true);
      else view.setUint8(at, row[k]!);
      at += SIZES[kind]!;
    }
  }
  return bytes;
}

/** A lump of planes: each becomes a pair of opposite ones, number k the planes 2k and, turned around, 2k + 1 of the file. */
export const planePairs = (planes: readonly PlaneSpec[]): Uint8Array =>
  records(
    planes.flatMap(([x, y, z, dist]) => {
      const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
      const axis = [x, y, z].findIndex((component) => Math.abs(component) === most);
      const type = most === 1 ? axis : 3 + axis;
      return [
        [x, y, z, dist, type],
        [-x, -y, -z, -dist, type],
      ];
    }),
    'ffffi',
  );

/** Lumps of brushes, and of their sides, some of which have no texture. */
export function brushLumps(brushes: readonly BrushSpec[]): [brushes: Uint8Array, sides: Uint8Array] {
  let first = 0;
  const rows = brushes.map(({ contents, sides: { length } }) => {
    first += length;
    return [first - length, length, contents];
  });
  const sides = brushes.flatMap((brush) => brush.sides).map((plane, k) => [plane, k % 3 === 2 ? -1 : k % 3]);
  return [records(rows, 'iii'), records(sides, 'hh')];
}

/** A text as bytes with a zero at the end. */
export const textLump = (text: string): Uint8Array =>
  Uint8Array.from(`${text}\0`, (letter) => letter.charCodeAt(0));

/** A file of some lumps, each where four bytes begin; those that are left out are empty. */
export function ibspFile(
  version: number,
  lumps: readonly (Uint8Array | undefined)[],
  magic = 'IBSP',
): Uint8Array {
  const padded = lumps.map((lump) => ((lump?.length ?? 0) + 3) & ~3);
  let at = 8 + 8 * lumps.length;
  const bytes = new Uint8Array(padded.reduce((sum, length) => sum + length, at));
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(magic));
  view.setInt32(4, version, true);
  for (const [k, lump = new Uint8Array(0)] of [...lumps].entries()) {
    view.setInt32(8 + 8 * k, at, true);
    view.setInt32(12 + 8 * k, lump.length, true);
    bytes.set(lump, at);
    at += padded[k]!;
  }
  return bytes;
}
