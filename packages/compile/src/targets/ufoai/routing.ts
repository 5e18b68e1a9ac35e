import type { Box } from '../../box.ts';
import { LumpWriter } from '../../writer.ts';

/** Bytes of the game's table of where soldiers can go: 36 for each of 256 x 256 x 8 cells. */
const TABLE_BYTES = 36 * 256 * 256 * 8;

/**
 * The routing lump: the cells a map covers, and the table of where soldiers can go, left empty, as that is for the
 * game's own tools to find out.
 */
export function routingLump({ mins, maxs }: Box): LumpWriter {
  const lump = new LumpWriter();
  const cells = [
    ...[cell(Math.floor, mins[0], 32, 128, 255), cell(Math.floor, mins[1], 32, 128, 255)],
    cell(Math.floor, mins[2], 64, 0, 7),
    // One cell beyond where a map ends on a cell's border, as the game's own compiler has it.
    ...[cell(Math.ceil, maxs[0], 32, 128, 255), cell(Math.ceil, maxs[1], 32, 128, 255)],
    cell(Math.ceil, maxs[2], 64, 0, 7),
  ];
  for (const corner of [cells.slice(0, 3), cells.slice(3, 6)]) {
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

function cell(
  round: (x: number) => number,
  value: number,
  size: number,
  middle: number,
  last: number,
): number {
  return Math.min(Math.max(round(value / size) + middle, 0), last);
}
