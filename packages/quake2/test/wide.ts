import { ibspFile } from '@bspkit/testkit/ibsp';

// The same map with 32-bit records: what compilers write as QBSP where IBSP has no room.

/** Lumps whose records differ: their place, and the fields of a record in both files, as in Python's `struct`. */
const WIDENED: Readonly<Record<number, readonly [narrow: string, wide: string]>> = {
  // Nodes
  4: ['iiihhhhhhHH', 'iiiffffffii'],
  // Faces
  6: ['HhihhBBBBi', 'iiiiiBBBBi'],
  // Leafs
  8: ['ihhhhhhhhHHHH', 'iiiffffffiiii'],
  // Faces and brushes of leafs, edges, sides
  9: ['H', 'i'],
  10: ['H', 'i'],
  11: ['HH', 'ii'],
  15: ['Hh', 'ii'],
};

const SIZES: Readonly<Record<string, number>> = { f: 4, i: 4, h: 2, H: 2, B: 1 };

const sizeOf = (kinds: string): number => [...kinds].reduce((sum, kind) => sum + SIZES[kind]!, 0);

function read(view: DataView, at: number, kind: string): number {
  if (kind === 'i') return view.getInt32(at, true);
  if (kind === 'h') return view.getInt16(at, true);
  return kind === 'H' ? view.getUint16(at, true) : view.getUint8(at);
}

function write(view: DataView, at: number, kind: string, value: number): void {
  if (kind === 'f') view.setFloat32(at, value, true);
  else if (kind === 'i') view.setInt32(at, value, true);
  else view.setUint8(at, value);
}

function widenLump(bytes: Uint8Array, narrow: string, wide: string): Uint8Array {
  const count = bytes.length / sizeOf(narrow);
  const out = new Uint8Array(count * sizeOf(wide));
  const from = new DataView(bytes.buffer, bytes.byteOffset);
  const to = new DataView(out.buffer);
  let place = 0;
  let at = 0;
  for (let record = 0; record < count; record++) {
    for (const [k, kind] of [...narrow].entries()) {
      write(to, at, wide[k]!, read(from, place, kind));
      place += SIZES[kind]!;
      at += SIZES[wide[k]!]!;
    }
  }
  return out;
}

/** An IBSP file of version 38 as QBSP. */
export function widened(map: Uint8Array): Uint8Array {
  const view = new DataView(map.buffer, map.byteOffset);
  const lumps = Array.from({ length: 19 }, (_, k) => {
    const offset = view.getInt32(8 + 8 * k, true);
    const bytes = map.subarray(offset, offset + view.getInt32(12 + 8 * k, true));
    const kinds = WIDENED[k];
    return kinds ? widenLump(bytes, ...kinds) : bytes;
  });
  return ibspFile(38, lumps, 'QBSP');
}
