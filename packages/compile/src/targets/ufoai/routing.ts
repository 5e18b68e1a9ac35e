import { LumpWriter } from '../../writer.ts';
import type { CellBounds } from './cells.ts';

/** Bytes of the game's table of where soldiers can go: 36 for each of 256 x 256 x 8 cells. */
const TABLE_BYTES = 36 * 256 * 256 * 8;

/** The routing lump: the cells that a map covers, and an empty table of where soldiers can go. */
export function routingLump({ mins, maxs }: CellBounds): LumpWriter {
  const lump = new LumpWriter();
  for (const corner of [mins, maxs]) {
    // Twelve literal bytes, and the end of the block.
    lump
      .u8(12)
      .i32(...corner)
      .u8(0);
  }
  return lump.append(emptyTable());
}

/** The longest run of the game's run-length code. */
const RUN = 129;

/** A table of zeros only: runs, and the end of the block. */
function emptyTable(): Uint8Array {
  const runs = Math.ceil(TABLE_BYTES / RUN);
  const packed = new Uint8Array(2 * runs + 1);
  // A run is two bytes or longer; the table's length leaves no shorter rest.
  for (let k = 0; k < runs; k++) packed[2 * k] = 0x80 | (Math.min(RUN, TABLE_BYTES - RUN * k) - 2);
  return packed;
}
