import { LumpWriter } from '../../writer.ts';
import type { CellBounds } from './cells.ts';

/** Bytes of the game's table of where soldiers can go: 36 for each of 256 x 256 x 8 cells. */
const TABLE_BYTES = 36 * 256 * 256 * 8;

/** The routing lump: the cells that a map covers, and an empty table of where soldiers can go. */
export function routingLump({ mins, maxs }: CellBounds): LumpWriter {
  const lump = new LumpWriter();
  for (const corner of [mins, maxs]) {
    // Twelve bytes as they are, and the end of the block.
    lump
      .u8(12)
      .i32(...corner)
      .u8(0);
  }
  for (let left = TABLE_BYTES; left > 0; ) {
    const run = Math.min(left, 129);
    // A run is two bytes or longer; the table's length leaves none shorter.
    lump.u8(0x80 | (run - 2), 0);
    left -= run;
  }
  return lump.u8(0);
}
