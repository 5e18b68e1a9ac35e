import { BspError } from '@bspkit/core';
import { checkArrayOf, checkList } from '@bspkit/core/format';
import { LEVEL_COUNT, WORLD_CELLS } from '../constants.ts';
import { bytesOfOrigin, ORIGIN_BYTES, readOrigin } from './origin.ts';
import { columnsOf, isConnection, SIZES } from './router.ts';
import {
  ACTOR_BYTES,
  CEILINGS,
  CONNECTIONS,
  cellIndex,
  DIRECTIONS,
  FLOORS,
  LOWEST,
  TABLE_BYTES,
  UfoaiRouting,
} from './table.ts';

// Rows of a table as plain bytes, to be put together elsewhere: eight numbers of 32 bits (corners of the map, the first row
// and how many), which map they are of, then per size and level the rows' steps, connections, floors and ceilings, then what the game's compiler
// writes in the wrong place.

/** Some rows of a map's columns. */
export interface Rows {
  readonly mins: Int32Array;
  readonly maxs: Int32Array;
  readonly first: number;
  readonly count: number;
}

/** Rows as they are packed. */
interface PackedRows extends Rows {
  /** Which map they are of. */
  readonly origin: string;
}

const NUMBERS = 8;
const HEAD: number = 4 * NUMBERS + ORIGIN_BYTES;
/** Parts of a size's table: where they begin, and how many bytes they have per cell. */
export const PARTS: readonly (readonly [begin: number, width: number])[] = [
  [0, DIRECTIONS],
  [CONNECTIONS, DIRECTIONS],
  [FLOORS, 1],
  [CEILINGS, 1],
];
const CELL_BYTES = 2 * DIRECTIONS + 2;

/** Rows are as wide as the map. */
function widthOf({ mins, maxs }: Pick<Rows, 'mins' | 'maxs'>): number {
  const { minX, maxX } = columnsOf(mins, maxs);
  return maxX - minX + 1;
}

/** How many rows of columns a map has. */
export function countRows({ mins, maxs }: Pick<Rows, 'mins' | 'maxs'>): number {
  const { minY, maxY } = columnsOf(mins, maxs);
  return maxY - minY + 1;
}

const lengthOf = (rows: Rows): number =>
  HEAD + SIZES.length * rows.count * widthOf(rows) * (LEVEL_COUNT * CELL_BYTES - LOWEST);

/** Visits the pieces of rows one after the other, with their places in the table. */
function eachPiece(rows: Rows, visit: (place: number, length: number) => void): void {
  const width = widthOf(rows);
  const low = rows.mins[1]! + rows.first;
  for (const size of SIZES) {
    const table = (size - 1) * ACTOR_BYTES;
    for (let z = 0; z < LEVEL_COUNT; z++) {
      for (let y = low; y < low + rows.count; y++) {
        const cell = cellIndex(rows.mins[0]!, y, z);
        for (const [part, bytes] of PARTS) visit(table + part + bytes * cell, bytes * width);
      }
    }
  }
}

/** Visits the pieces that are written outside the table of floors. */
function eachStray(rows: Rows, visit: (place: number, length: number) => void): void {
  const width = widthOf(rows);
  const low = rows.mins[1]! + rows.first;
  for (const size of SIZES) {
    for (let z = LOWEST; z < 0; z++) {
      for (let y = low; y < low + rows.count; y++) {
        visit((size - 1) * ACTOR_BYTES + FLOORS + cellIndex(rows.mins[0]!, y, z), width);
      }
    }
  }
}

/** Clears some rows, and what they wrote to the wrong place. */
export function clearRows(bytes: Uint8Array, rows: Rows): void {
  const clear = (place: number, length: number): void => {
    bytes.fill(0, place, place + length);
  };
  eachStray(rows, clear);
  eachPiece(rows, clear);
}

/** Packs rows of a table. */
export function packRows(bytes: Uint8Array, rows: PackedRows): Uint8Array {
  const packed = new Uint8Array(lengthOf(rows));
  const view = new DataView(packed.buffer);
  for (const [k, number] of [...rows.mins, ...rows.maxs, rows.first, rows.count].entries()) {
    view.setInt32(4 * k, number, true);
  }
  packed.set(bytesOfOrigin(rows.origin), 4 * NUMBERS);
  let at = HEAD;
  const copy = (place: number, length: number): void => {
    packed.set(bytes.subarray(place, place + length), at);
    at += length;
  };
  eachPiece(rows, copy);
  eachStray(rows, copy);
  return packed;
}

/** Puts rows of one map together, each once. Throws `RangeError` for no rows, and `BspError` as {@link joinRoutingParts} does. */
export function joinRows(parts: readonly Uint8Array[]): UfoaiRouting {
  checkList(parts, 'parts');
  if (parts.length === 0) throw new RangeError('parts must be one or more');
  const list = parts.map((part, k) => {
    checkArrayOf(part, Uint8Array, `parts[${k}]`);
    return { part, rows: readRows(part, k) };
  });
  list.sort((a, b) => a.rows.first - b.rows.first);
  const { mins, maxs, origin } = list[0]!.rows;
  let next = 0;
  for (const { rows } of list) {
    const isOurs = rows.origin === origin && `${rows.mins} ${rows.maxs}` === `${mins} ${maxs}`;
    if (!isOurs) fail('value', 'has rows of different maps');
    if (rows.first !== next)
      fail(rows.first > next ? 'truncated' : 'value', `row ${next} does not come exactly once`);
    next = rows.first + rows.count;
  }
  if (next !== countRows({ mins, maxs })) fail('truncated', `row ${next} is missing`);
  const bytes = new Uint8Array(TABLE_BYTES);
  for (const { part, rows } of list) {
    let at = HEAD;
    eachPiece(rows, (place, length) => {
      bytes.set(part.subarray(at, at + length), place);
      at += length;
    });
  }
  // What was written to the wrong place stays only where no column has its connections.
  const within = columnsOf(mins, maxs);
  for (const { part, rows } of list) {
    let at = part.length + SIZES.length * rows.count * widthOf(rows) * LOWEST;
    eachStray(rows, (place, length) => {
      for (let k = place; k < place + length; k++) {
        if (!isConnection(k, within)) bytes[k] = part[at]!;
        at++;
      }
    });
  }
  return new UfoaiRouting(mins, maxs, bytes, origin);
}

function readRows(part: Uint8Array, number: number): PackedRows {
  if (part.length < HEAD) fail('truncated', `part ${number} has no header`);
  const view = new DataView(part.buffer, part.byteOffset, HEAD);
  const head = Int32Array.from({ length: NUMBERS }, (_, k) => view.getInt32(4 * k, true));
  const rows = {
    mins: head.slice(0, 3),
    maxs: head.slice(3, 6),
    first: head[6]!,
    count: head[7]!,
    origin: readOrigin(part.subarray(4 * NUMBERS, HEAD)),
  };
  const isRange = (axis: number, count: number): boolean =>
    rows.mins[axis]! >= 0 && rows.mins[axis]! <= rows.maxs[axis]! && rows.maxs[axis]! <= count;
  // In x and y, up to one beyond the last cell, but not in z.
  if (!(isRange(0, WORLD_CELLS) && isRange(1, WORLD_CELLS) && isRange(2, LEVEL_COUNT - 1))) {
    fail('value', `part ${number} lies outside the grid`);
  }
  const isThere = rows.first >= 0 && rows.count >= 1 && rows.first + rows.count <= countRows(rows);
  if (!isThere || part.length !== lengthOf(rows)) {
    fail('value', `part ${number} does not consist of rows of a table`);
  }
  return rows;
}

function fail(code: 'value' | 'truncated', problem: string): never {
  throw new BspError(code, { format: 'ufoai', lump: 'routing' }, problem);
}
