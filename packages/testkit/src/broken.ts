/** Where the files of a format have their directory, and its lumps in order. */
interface Directory<Lump extends string> {
  readonly directory: number;
  readonly lumps: Readonly<Record<Lump, number>>;
}

/** What makes copies of a format's maps with something wrong in a lump. */
export function breaking<Lump extends string>({ directory, lumps }: Directory<Lump>) {
  const names = Object.keys(lumps);
  /** Where a lump's offset is in the directory; its length comes next. */
  const entryOf = (lump: Lump): number => directory + 8 * names.indexOf(lump);

  /** Where a lump is in a file. */
  function lumpAt(map: Uint8Array, lump: Lump): { offset: number; length: number } {
    const view = new DataView(map.buffer, map.byteOffset);
    const at = entryOf(lump);
    return { offset: view.getInt32(at, true), length: view.getInt32(at + 4, true) };
  }

  /** A number changed, `at` bytes from the lump's start. */
  function withNumber(
    map: Uint8Array,
    lump: Lump,
    at: number,
    value: number,
    size: 1 | 2 | 4 = 4,
  ): Uint8Array {
    const copy = Uint8Array.from(map);
    const view = new DataView(copy.buffer);
    const place = lumpAt(map, lump).offset + at;
    if (size === 1) view.setUint8(place, value);
    else if (size === 2) view.setUint16(place, value, true);
    else view.setInt32(place, value, true);
    return copy;
  }

  /** A float changed. */
  const withFloat = (map: Uint8Array, lump: Lump, at: number, value: number): Uint8Array =>
    withNumber(map, lump, at, new Int32Array(Float32Array.of(value).buffer)[0]!);

  /** The lump's offset or length changed in the directory. */
  function withEntry(
    map: Uint8Array,
    lump: Lump,
    { offset, length }: { offset?: number; length?: number },
  ): Uint8Array {
    const copy = Uint8Array.from(map);
    const view = new DataView(copy.buffer);
    if (offset !== undefined) view.setInt32(entryOf(lump), offset, true);
    if (length !== undefined) view.setInt32(entryOf(lump) + 4, length, true);
    return copy;
  }

  /** Other bytes in place of the lump: they go to the file's end. */
  function withLump(map: Uint8Array, lump: Lump, bytes: Uint8Array): Uint8Array {
    const copy = new Uint8Array(map.length + bytes.length);
    copy.set(map);
    copy.set(bytes, map.length);
    return withEntry(copy, lump, { offset: map.length, length: bytes.length });
  }

  return { lumpAt, withNumber, withFloat, withEntry, withLump };
}
