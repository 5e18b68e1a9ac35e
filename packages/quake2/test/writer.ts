// Files of numbers, written as they are asked for.

/** A lump of records: `kinds` has a letter for each field, as in Python's `struct`. */
export function records(rows: readonly (readonly number[])[], kinds: string): Uint8Array {
  const sizes: Readonly<Record<string, number>> = { f: 4, i: 4, h: 2, B: 1 };
  const size = [...kinds].reduce((sum, kind) => sum + sizes[kind]!, 0);
  const bytes = new Uint8Array(size * rows.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const row of rows) {
    for (const [k, kind] of [...kinds].entries()) {
      if (kind === 'f') view.setFloat32(at, row[k]!, true);
      else if (kind === 'i') view.setInt32(at, row[k]!, true);
      else if (kind === 'h') view.setInt16(at, row[k]!, true);
      else view.setUint8(at, row[k]!);
      at += sizes[kind]!;
    }
  }
  return bytes;
}

/** A Quake 2 file of 19 lumps; those that are left out are empty. */
export function writeQuake2(lumps: readonly (Uint8Array | undefined)[]): Uint8Array {
  const header = 8 + 8 * 19;
  const size = lumps.reduce((sum, lump) => sum + (((lump?.length ?? 0) + 3) & ~3), header);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 0x50534249, true);
  view.setInt32(4, 38, true);
  let at = header;
  for (let k = 0; k < 19; k++) {
    const lump = lumps[k] ?? new Uint8Array(0);
    view.setInt32(8 + 8 * k, at, true);
    view.setInt32(12 + 8 * k, lump.length, true);
    bytes.set(lump, at);
    at += (lump.length + 3) & ~3;
  }
  return bytes;
}

/** Rows of bits, run-length coded, behind a table of where each begins: what clusters see, and what they hear. */
export function visibilityLump(numClusters: number, sees: (from: number, to: number) => boolean): Uint8Array {
  const rowBytes = (numClusters + 7) >> 3;
  const clusters = Array.from({ length: numClusters }, (_, k) => k);
  const hears = (from: number, to: number): boolean =>
    clusters.some((middle) => sees(from, middle) && sees(middle, to));
  const coded: number[] = [];
  const offsets: number[] = [];
  for (const from of clusters) {
    for (const has of [sees, hears]) {
      offsets.push(4 + 8 * numClusters + coded.length);
      const row = new Uint8Array(rowBytes);
      for (const to of clusters) if (has(from, to)) row[to >> 3]! |= 1 << (to & 7);
      for (let k = 0; k < rowBytes; k++) {
        coded.push(row[k]!);
        if (row[k] !== 0) continue;
        let zeros = 1;
        while (zeros < 255 && k + 1 < rowBytes && row[k + 1] === 0) [zeros, k] = [zeros + 1, k + 1];
        coded.push(zeros);
      }
    }
  }
  const bytes = new Uint8Array(4 + 8 * numClusters + coded.length);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, numClusters, true);
  for (const [k, offset] of offsets.entries()) view.setInt32(4 + 4 * k, offset, true);
  bytes.set(coded, 4 + 8 * numClusters);
  return bytes;
}
