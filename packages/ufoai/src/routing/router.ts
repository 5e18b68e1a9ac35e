import { WORLD_CELLS } from '../constants.ts';
import { Columns } from './columns.ts';
import { Passages } from './passage.ts';
import type { Probe } from './probe.ts';
import { ACTOR_BYTES, CONNECTIONS, cellIndex, DIRECTIONS, DX, DY, FLOORS, LOWEST } from './table.ts';

/** Some columns of cells: corners in cells, both inclusive. */
export interface ColumnBox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Sizes of actors that the table is for. */
export const SIZES: readonly (1 | 2)[] = [1, 2];

/** Both passes, for actors of both sizes. */
export class Router {
  private readonly _bytes: Uint8Array;
  private readonly _columns: readonly [Columns, Columns];
  private readonly _passages: readonly [Passages, Passages];
  /** The highest level of each column that is computed again, for both sizes: see {@link Router.keep}. */
  private _tops: Int8Array = new Int8Array(0);

  constructor(probe: Probe, bytes: Uint8Array) {
    this._bytes = bytes;
    this._columns = [new Columns(probe, bytes, 1), new Columns(probe, bytes, 2)];
    this._passages = [new Passages(probe, bytes, 1), new Passages(probe, bytes, 2)];
  }

  /** Computes floors and ceilings of a column, from a level down to another. */
  floors(size: 1 | 2, x: number, y: number, top?: number, bottom?: number): void {
    this._columns[size - 1]!.column(x, y, top, bottom);
  }

  /** Computes the steps from a column in a direction; the floors of both columns must have been computed. */
  steps(size: 1 | 2, x: number, y: number, direction: number): void {
    this._passages[size - 1]!.column(x, y, direction);
  }

  /** Notes how far up the table has its columns, before {@link Router.around} changes any. */
  keep({ minX, minY, maxX, maxY }: ColumnBox): void {
    this._tops = new Int8Array(SIZES.length * COLUMNS).fill(-1);
    for (const size of SIZES) {
      for (let y = minY; y <= maxY - (size - 1); y++) {
        for (let x = minX; x <= maxX - (size - 1); x++) {
          this._tops[topPlace(size, x, y)] = this._columns[size - 1]!.top(x, y);
        }
      }
    }
  }

  /**
   * Computes everything that may depend on what is in some columns: floors for actors that reach into them, and steps whose way
   * leads through them. Writes only to columns in `within`, and to what their floors below all levels overwrite.
   */
  around(box: ColumnBox, within: ColumnBox): void {
    for (const size of SIZES) {
      const minX = Math.max(within.minX, box.minX - size);
      const minY = Math.max(within.minY, box.minY - size);
      const maxX = Math.min(within.maxX - (size - 1), box.maxX + 1);
      const maxY = Math.min(within.maxY - (size - 1), box.maxY + 1);
      let lowest = 0;
      for (let y = minY; y <= maxY; y++) {
        for (let x = minX; x <= maxX; x++) {
          if (touches(box, x, y, x, y, size)) lowest = Math.min(lowest, this._again(size, x, y, within));
        }
      }
      for (let y = minY; y <= maxY; y++) {
        for (let x = minX; x <= maxX; x++) {
          for (let direction = 0; direction < DIRECTIONS; direction++) {
            const u = x + DX[direction]!;
            const v = y + DY[direction]!;
            if (touches(box, x, y, u, v, size)) this.steps(size, x, y, direction);
          }
        }
      }
      for (let y = minY; y <= maxY && lowest < 0; y++) {
        for (let x = minX; x <= maxX; x++) this._restore(size, x, y, within);
      }
    }
  }

  /** Computes floors and ceilings of a column again. Returns the lowest level of a floor. */
  private _again(size: 1 | 2, x: number, y: number, within: ColumnBox): number {
    // Bytes that nothing else writes to must be as in a new table.
    for (let z = LOWEST; z < 0; z++) {
      const place = strayPlace(size, x, y, z);
      if (!isConnection(place, within)) this._bytes[place] = 0;
    }
    return this._columns[size - 1]!.again(x, y, this._tops[topPlace(size, x, y)]!);
  }

  /** Computes the steps again that floors of a column below all levels may have overwritten. */
  private _restore(size: 1 | 2, x: number, y: number, within: ColumnBox): void {
    for (let z = LOWEST; z < 0; z++) {
      const place = strayPlace(size, x, y, z);
      if (!isConnection(place, within)) continue;
      const cell = cellOf(place);
      this.steps(size, cell & 255, (cell >> 8) & 255, place % DIRECTIONS);
    }
  }
}

/** Columns of a table. */
const COLUMNS = WORLD_CELLS * WORLD_CELLS;

/** Where the highest level of a column is kept. */
const topPlace = (size: number, x: number, y: number): number => (size - 1) * COLUMNS + y * WORLD_CELLS + x;

/** Where the floor of a column on a level below all others is written: among the connections. */
const strayPlace = (size: number, x: number, y: number, z: number): number =>
  (size - 1) * ACTOR_BYTES + FLOORS + cellIndex(x, y, z);

/** The cell of a byte among the connections. */
const cellOf = (place: number): number => Math.floor(((place % ACTOR_BYTES) - CONNECTIONS) / DIRECTIONS);

/** Whether a byte among the connections is written by the steps of a column of the map. */
export function isConnection(place: number, { minX, minY, maxX, maxY }: ColumnBox): boolean {
  const size = place < ACTOR_BYTES ? 1 : 2;
  const cell = cellOf(place);
  const x = cell & 255;
  const y = (cell >> 8) & 255;
  if (x < minX || y < minY || x > maxX - (size - 1) || y > maxY - (size - 1)) return false;
  const u = x + DX[place % DIRECTIONS]!;
  const v = y + DY[place % DIRECTIONS]!;
  return u >= 0 && v >= 0 && u <= WORLD_CELLS - size && v <= WORLD_CELLS - size;
}

/** Whether an actor on its way from cell to cell reaches into a box. */
function touches(box: ColumnBox, x: number, y: number, u: number, v: number, size: number): boolean {
  return (
    Math.max(x, u) + size - 1 >= box.minX &&
    Math.min(x, u) <= box.maxX &&
    Math.max(y, v) + size - 1 >= box.minY &&
    Math.min(y, v) <= box.maxY
  );
}

/** All columns within a table's bounds, clamped to the grid. */
export const columnsOf = (mins: ArrayLike<number>, maxs: ArrayLike<number>): ColumnBox => ({
  minX: Math.max(0, mins[0]!),
  minY: Math.max(0, mins[1]!),
  maxX: Math.min(WORLD_CELLS - 1, maxs[0]!),
  maxY: Math.min(WORLD_CELLS - 1, maxs[1]!),
});
