import { intCell, type Row, type RowKind } from '@bspkit/core/format';

/** Where rows say to which sequence they belong, and which step of it they are. */
interface Places {
  readonly seq: number;
  readonly step: number;
}

/**
 * Answers rows in sequences: one with step 0 gives the state that a sequence begins with, and all others follow from it.
 *
 * @param begin - takes the state from the first row of a sequence.
 * @param follow - answers any other.
 */
export function sequenceRows(
  at: Places,
  begin: (row: Row) => void,
  follow: (row: Row) => void,
): ReturnType<RowKind['open']> {
  let sequence: number | undefined;
  return {
    isGiven: (row) => row[at.step] === 0,
    sequences: {
      begins: (row) => row[at.step] === 0,
      restart() {
        sequence = undefined;
      },
    },
    answer(row) {
      if (intCell(row, at.step) === 0) {
        begin(row);
        sequence = intCell(row, at.seq);
        return;
      }
      if (intCell(row, at.seq) !== sequence) {
        throw new RangeError(`belongs to sequence ${row[at.seq]}, which has not begun`);
      }
      follow(row);
    },
  };
}
