// Rows of visibility, run-length coded: a byte that is not 0 stands for itself, a 0 is followed by a count of zero bytes.
// A run may be longer than what is left of the row; nothing is ever written past it, so it cannot hurt.

/** The most runs of length 0 in a row. Compilers write none, and reading a row goes through all of them. */
const MOST_EMPTY = 16;

/**
 * How many row bytes the coded bytes from each offset on give, up to `most`: to the end of the lump, or to too many runs of
 * length 0 in a row. A row that begins there is whole if its length is no more than that. One pass over the lump, however many
 * rows share its bytes.
 */
export function rowLengths(rows: Uint8Array, most: number): Int32Array {
  const lengths = new Int32Array(rows.length + 2);
  // How many runs of length 0 follow each other from the next byte on, and from the one after that.
  let [next, second] = [0, 0];
  for (let at = rows.length - 1; at >= 0; at--) {
    const byte = rows[at]!;
    const isRun = byte === 0 && at + 1 < rows.length;
    const empty = isRun && rows[at + 1] === 0 ? second + 1 : 0;
    // A zero that is the last byte has no count.
    const length = byte !== 0 ? 1 + lengths[at + 1]! : isRun ? rows[at + 1]! + lengths[at + 2]! : 0;
    lengths[at] = empty > MOST_EMPTY ? 0 : Math.min(length, most);
    second = next;
    next = empty;
  }
  return lengths;
}

/**
 * Whether the row at `offset` has a bit set. The row must be whole: see {@link rowLengths}.
 * @throws RangeError for a place before the row or the bytes, or at which the bytes have ended.
 */
export function rowHasBit(rows: Uint8Array, offset: number, bit: number): boolean {
  const wanted = bit >> 3;
  let at = offset >= 0 && bit >= 0 ? offset : rows.length;
  for (let done = 0; at < rows.length; ) {
    const byte = rows[at]!;
    if (byte !== 0) {
      if (done === wanted) return (byte & (1 << (bit & 7))) !== 0;
      at++;
      done++;
    } else {
      done += rows[at + 1]!;
      at += 2;
      if (done > wanted) return false;
    }
  }
  throw new RangeError(`offset and bit must be in a whole row, got ${offset} and ${bit}`);
}

/** Decodes the row at `offset`, which must be whole, into `row`. */
export function decodeRow<R extends Uint8Array>(rows: Uint8Array, offset: number, row: R): R {
  row.fill(0);
  for (let at = offset, done = 0; done < row.length; ) {
    const byte = rows[at]!;
    if (byte !== 0) row[done++] = byte;
    else done += rows[++at]!;
    at++;
  }
  return row;
}
