import type { BinaryReader } from '@bspkit/core/format';

/** The part of a map that the compiler found worth walking, in cells: inclusive corners. */
export interface UfoaiRouting {
  readonly mins: Int32Array;
  /** The compiler stores one cell beyond the last, so a tile looks a cell wider than it is. */
  readonly maxs: Int32Array;
}

/** Bounds of a routing block, in bytes. */
const BLOCK_BYTES = 12;
/** More cells than any map has in any direction; anything beyond is damage. */
const MAX_CELL = 1024;

/** Decodes the first two run-length blocks of the routing lump. The third, the routing itself, is left alone. */
export function readRouting(lump: BinaryReader): UfoaiRouting {
  const first = decodeBlock(lump, 0);
  const second = decodeBlock(lump, first.next);
  return { mins: first.cells, maxs: second.cells };
}

/**
 * A block: byte b with its top bit set repeats the next byte (b & 127) + 2 times, b without it is followed by b bytes
 * as they are, and 0 ends the block.
 */
function decodeBlock(lump: BinaryReader, from: number): { cells: Int32Array; next: number } {
  const block = new Uint8Array(BLOCK_BYTES);
  let at = from;
  let length = 0;
  const put = (value: number): void => {
    if (length === BLOCK_BYTES) {
      throw lump.error('value', `a block of bounds at ${from} holds more than ${BLOCK_BYTES} bytes`, from);
    }
    block[length++] = value;
  };
  for (let code = lump.u8(at++); code !== 0; code = lump.u8(at++)) {
    if (code & 128) {
      const value = lump.u8(at++);
      for (let k = (code & 127) + 2; k > 0; k--) put(value);
    } else {
      for (let k = code; k > 0; k--) put(lump.u8(at++));
    }
  }
  if (length < BLOCK_BYTES) {
    throw lump.error('value', `a block of bounds at ${from} holds ${length} of ${BLOCK_BYTES} bytes`, from);
  }
  const cells = new Int32Array(block.buffer);
  for (const cell of cells) {
    if (Math.abs(cell) > MAX_CELL) throw lump.error('value', `bounds reach to cell ${cell}`, from);
  }
  return { cells, next: at };
}
