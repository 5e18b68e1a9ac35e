// Visibility rows are run-length coded: a byte that is not 0 stands for itself, a 0 is followed by how many zero bytes
// there are. A run may be longer than what is left of the row; nothing is ever written out here, so it cannot hurt.

/** The byte after a row of `rowBytes` bytes that begins at `offset`; -1 when the row runs past the end of `rows`. */
export function rowEnd(rows: Uint8Array, offset: number, rowBytes: number): number {
  let at = offset;
  for (let done = 0; done < rowBytes; ) {
    if (at >= rows.length) return -1;
    if (rows[at] !== 0) {
      at++;
      done++;
    } else {
      if (at + 1 >= rows.length) return -1;
      done += rows[at + 1]!;
      at += 2;
    }
  }
  return at;
}

/** Whether the row at `offset` has the bit of `leaf` (1 or more) set. The row must have passed {@link rowEnd}. */
export function rowHasLeaf(rows: Uint8Array, offset: number, leaf: number): boolean {
  const wanted = (leaf - 1) >> 3;
  let at = offset;
  for (let done = 0; ; ) {
    const byte = rows[at]!;
    if (byte !== 0) {
      if (done === wanted) return (byte & (1 << ((leaf - 1) & 7))) !== 0;
      at++;
      done++;
    } else {
      done += rows[at + 1]!;
      at += 2;
      if (done > wanted) return false;
    }
  }
}
