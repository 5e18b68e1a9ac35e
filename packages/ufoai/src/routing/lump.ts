import { BspError, type Bytes, type UnsharedBytes } from '@bspkit/core';
import { BinaryReader, checkFileOf, checkFlag, checkOptions, toBytes } from '@bspkit/core/format';
import { LEVEL_COUNT, WORLD_CELLS } from '../constants.ts';
import type { UfoaiFile } from '../file.ts';
import type { UfoaiWorld } from '../world.ts';
import { bytesOfOrigin, ORIGIN_BYTES, originOf, originOfFile, readOrigin } from './origin.ts';
import { checkRouting, TABLE_BYTES, UfoaiRouting } from './table.ts';

// The routing lump: three blocks of run-length code, for 12, 12 and 18,874,368 bytes. A byte b with its top bit set repeats the
// next one (b & 127) + 2 times, a b without it is followed by b literal bytes, and 0 ends the block. A table that
// is kept outside its map may have a fourth block, of ours: which map it is of.

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
 * Unpacks a table that {@link encodeRouting} has packed, or the lump of a file: to load one that was saved with a game, or
 * sent to a worker. It takes 19 MB then. A rerouter does not take a table that does not say which map it is of.
 *
 * @param bytes - the packed table, in any kind of buffer.
 * @param map - whose table it must be: a world, or a map's file.
 * @throws TypeError for anything but bytes, and for anything but a map; BspError (`value`) if the table is of
 *   another map, or `map` is given and the table does not say of which it is; BspError saying what else is wrong with it.
 */
export function decodeRouting(bytes: Bytes, map?: UfoaiWorld | UfoaiFile): UfoaiRouting {
  const packed = toBytes(bytes);
  const wanted = map === undefined ? undefined : originOf(map);
  const lump = lumpOf(packed);
  const { mins, maxs, table, end } = unpackTable(lump);
  const fail = (problem: string): never => {
    throw lump.error('value', problem);
  };
  // In x and y, the upper corner may be one beyond the last cell.
  const isWithin = [WORLD_CELLS, WORLD_CELLS, LEVEL_COUNT].every((count, axis) => {
    const [low, high] = [mins[axis]!, maxs[axis]!];
    return 0 <= low && low < count && low <= high && high <= (axis < 2 ? count : count - 1);
  });
  if (!isWithin) fail(`cells ${mins.join(' ')} to ${maxs.join(' ')} lie outside the grid`);
  let origin: string | undefined;
  if (end < packed.length) {
    const block = new Uint8Array(ORIGIN_BYTES);
    const rest = packed.length - unpackBlock(lump, end, block);
    if (rest > 0) fail(`has ${rest} bytes after its end`);
    origin = readOrigin(block);
  }
  if (wanted !== undefined && origin === undefined) fail('does not say which map it is of');
  if (wanted !== undefined && origin !== wanted) fail('is the table of another map');
  return new UfoaiRouting(mins, maxs, table, origin);
}

const lumpOf = (bytes: Uint8Array): BinaryReader =>
  new BinaryReader(bytes, 'ufoai').lump({ name: 'routing', offset: 0, length: bytes.length });

function unpackTable(
  lump: BinaryReader,
): RoutingBounds & { readonly table: Uint8Array; readonly end: number } {
  const { mins, maxs, end } = readRoutingBounds(lump);
  const table = new Uint8Array(TABLE_BYTES);
  return { mins, maxs, table, end: unpackBlock(lump, end, table) };
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
  const { mins, maxs, table } = unpackTable(lumpOf(routing));
  return new UfoaiRouting(mins, maxs, table, originOfFile(file));
}

/** How a table is packed. */
export interface EncodeOptions {
  /**
   * Adds which map the table is of, so that {@link decodeRouting} can tell: for one that is kept outside its map. Files have
   * no such thing; false by default.
   */
  readonly map?: boolean | undefined;
}

/**
 * Packs a routing table as the game's own compiler does, byte for byte: the lump of a map's file. With the option `map` it
 * also says which map it is of.
 * @throws TypeError for anything but a routing, and with `map` for one that does not know its map.
 */
export function encodeRouting(routing: UfoaiRouting, options: EncodeOptions = {}): UnsharedBytes {
  checkRouting(routing);
  checkOptions(options, ['map']);
  const { map = false } = options;
  checkFlag(map, 'map');
  const { mins, maxs, bytes, _origin: origin } = routing;
  if (map && origin === undefined) throw new TypeError('routing must know its map, got one that does not');
  const out = new Packer();
  out.block(cellBytes(mins));
  out.block(cellBytes(maxs));
  out.block(bytes);
  if (map) out.block(bytesOfOrigin(origin!));
  return out.bytes;
}

function cellBytes(cells: Int32Array): Uint8Array {
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
