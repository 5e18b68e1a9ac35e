import { BspError, type UnsharedBytes } from '@bspkit/core';
import { BinaryReader, checkArrayOf, checkFileOf } from '@bspkit/core/format';
import type { UfoaiFile } from '../file.ts';
import { type Brushes, brushesOfFile } from './origin.ts';
import { checkRouting, TABLE_BYTES, UfoaiRouting } from './table.ts';

// The routing lump: three blocks of run-length code, for 12, 12 and 18,874,368 bytes. A byte b with its top bit set repeats the
// next one (b & 127) + 2 times, a b without it is followed by b literal bytes, and 0 ends the block.

const BOUNDS_BYTES = 12;
/** The longest run, and the most literal bytes in a row. */
const MOST_RUN = 129;
const MOST_LITERALS = 127;

/** Unpacks a block into `block`, which it must fill exactly and which is all 0. Returns where the next one begins. */
function unpackBlock(lump: BinaryReader, from: number, block: Uint8Array): number {
  const { bytes } = lump;
  let at = from;
  let length = 0;
  const fail = (problem: string, code: 'value' | 'truncated' = 'value'): never => {
    throw lump.error(code, `the block at ${from} ${problem}`, from);
  };
  for (;;) {
    if (at >= bytes.length) fail('has no end', 'truncated');
    const code = bytes[at++]!;
    if (code === 0) break;
    const count = code & 128 ? (code & 127) + 2 : code;
    const taken = code & 128 ? 1 : code;
    if (length + count > block.length) fail(`holds more than ${block.length} bytes`);
    if (at + taken > bytes.length) fail('is cut short', 'truncated');
    if (code & 128) {
      // Most of a table is 0, and memory that nobody has written to need not exist yet.
      if (bytes[at] !== 0) block.fill(bytes[at]!, length, length + count);
    } else block.set(bytes.subarray(at, at + taken), length);
    length += count;
    at += taken;
  }
  if (length < block.length) fail(`holds ${length} of ${block.length} bytes`);
  return at;
}

/** The part of a map that the compiler found can be walked in, in cells: inclusive corners. */
export interface RoutingBounds {
  readonly mins: Int32Array;
  /** The compiler stores one cell beyond the last, so a tile seems a cell wider than it is. */
  readonly maxs: Int32Array;
}

/** More cells than any map has in any direction; anything beyond is damage. */
const MAX_CELL = 1024;

/** Unpacks the first two blocks of the lump. The third, the table itself, begins at `end` and is not read. */
export function readRoutingBounds(lump: BinaryReader): RoutingBounds & { readonly end: number } {
  const [mins, maxs] = [new Uint8Array(BOUNDS_BYTES), new Uint8Array(BOUNDS_BYTES)];
  const end = unpackBlock(lump, unpackBlock(lump, 0, mins), maxs);
  const bounds = { mins: toInts(mins), maxs: toInts(maxs), end };
  for (const cell of [...bounds.mins, ...bounds.maxs]) {
    if (Math.abs(cell) > MAX_CELL) throw lump.error('value', `bounds reach to cell ${cell}`);
  }
  return bounds;
}

/**
 * Unpacks a table that {@link encodeRouting} has packed, or that came from a file: to load one that was saved with a game, or
 * sent to a worker. It takes 19 MB then.
 * @throws TypeError for anything but a `Uint8Array`; BspError saying what is wrong with it.
 */
export function decodeRouting(bytes: Uint8Array): UfoaiRouting {
  checkArrayOf(bytes, Uint8Array, 'bytes');
  return unpackTable(bytes);
}

function unpackTable(bytes: Uint8Array, brushes?: Brushes): UfoaiRouting {
  const reader = new BinaryReader(bytes, 'ufoai').lump({ name: 'routing', offset: 0, length: bytes.length });
  const { mins, maxs, end } = readRoutingBounds(reader);
  const table = new Uint8Array(TABLE_BYTES);
  unpackBlock(reader, end, table);
  return new UfoaiRouting(mins, maxs, table, brushes);
}

function toInts({ buffer }: Uint8Array): Int32Array {
  const view = new DataView(buffer);
  return Int32Array.of(view.getInt32(0, true), view.getInt32(4, true), view.getInt32(8, true));
}

/**
 * Unpacks the routing table of a map's file, which then takes 19 MB.
 * @throws TypeError for anything but a file of `readUfoai`; BspError (`value`) when the lump is broken; (`empty`) when the file
 *   has none.
 */
export function readRouting(file: UfoaiFile): UfoaiRouting {
  checkFileOf(file, 'ufoai', 'readUfoai');
  const { routing } = file.lumps;
  if (routing.length === 0) throw new BspError('empty', { format: 'ufoai', lump: 'routing' }, 'is empty');
  return unpackTable(routing, brushesOfFile(file));
}

/**
 * Packs a routing table as the game's own compiler does, byte for byte: the lump of a map's file.
 * @throws TypeError for anything but a routing.
 */
export function encodeRouting(routing: UfoaiRouting): UnsharedBytes {
  checkRouting(routing);
  const { mins, maxs, bytes } = routing;
  const out = new Packer();
  out.block(toBytes(mins));
  out.block(toBytes(maxs));
  out.block(bytes);
  return out.bytes;
}

function toBytes(cells: Int32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(BOUNDS_BYTES));
  for (let k = 0; k < 3; k++) view.setInt32(4 * k, cells[k]!, true);
  return new Uint8Array(view.buffer);
}

class Packer {
  private _bytes = new Uint8Array(1 << 19);
  private _length = 0;

  get bytes(): UnsharedBytes {
    return this._bytes.slice(0, this._length);
  }

  /** Packs greedily. The last byte of the block is never the third or a later byte of a run. */
  block(block: Uint8Array): void {
    const last = block.length - 1;
    const offset = block.byteOffset & 3;
    const words = new Int32Array(block.buffer, block.byteOffset - offset, (offset + block.length) >> 2);
    let at = 0;
    while (at <= last) {
      const value = block[at]!;
      const from = at;
      if (at < last && value === block[at + 1]) {
        at += 2;
        const end = Math.min(last, from + MOST_RUN);
        // PERF: most of a table is runs of the longest kind: four bytes at a time.
        const four = Math.imul(value, 0x01010101);
        while (at < end && block[at] === value) {
          if (((at + offset) & 3) === 0) while (at + 4 <= end && words[(at + offset) >> 2] === four) at += 4;
          if (at < end && block[at] === value) at++;
        }
        this._put(128 | (at - from - 2));
        this._put(value);
      } else {
        while (at <= last && at - from < MOST_LITERALS && (at === last || block[at] !== block[at + 1])) at++;
        this._put(at - from);
        for (let k = from; k < at; k++) this._put(block[k]!);
      }
    }
    this._put(0);
  }

  private _put(value: number): void {
    if (this._length === this._bytes.length) {
      const larger = new Uint8Array(2 * this._bytes.length);
      larger.set(this._bytes);
      this._bytes = larger;
    }
    this._bytes[this._length++] = value;
  }
}
