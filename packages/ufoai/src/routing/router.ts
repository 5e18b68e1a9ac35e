import { WORLD_CELLS } from '../constants.ts';
import { Columns } from './columns.ts';
import { Passages } from './passage.ts';
import type { Probe } from './probe.ts';
import { DIRECTIONS, DX, DY } from './table.ts';

/** Some columns of cells: corners in cells, both within. */
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
  private readonly _columns: readonly [Columns, Columns];
  private readonly _passages: readonly [Passages, Passages];

  constructor(probe: Probe, bytes: Uint8Array) {
    this._columns = [new Columns(probe, bytes, 1), new Columns(probe, bytes, 2)];
    this._passages = [new Passages(probe, bytes, 1), new Passages(probe, bytes, 2)];
  }

  /** Floors and ceilings of a column, from a level down. */
  floors(size: 1 | 2, x: number, y: number, top?: number): void {
    this._columns[size - 1]!.column(x, y, top);
  }

  /** Steps from a column in a direction; floors of both columns must be there. */
  steps(size: 1 | 2, x: number, y: number, direction: number): void {
    this._passages[size - 1]!.column(x, y, direction);
  }

  /**
   * Works out all that may depend on what is in some columns: their floors for whoever reaches into them, and the steps
   * whose way leads through them. Nothing beyond `within` is written.
   */
  around(box: ColumnBox, within: ColumnBox): void {
    for (const size of SIZES) {
      const minX = Math.max(within.minX, box.minX - size);
      const minY = Math.max(within.minY, box.minY - size);
      const maxX = Math.min(within.maxX - (size - 1), box.maxX + 1);
      const maxY = Math.min(within.maxY - (size - 1), box.maxY + 1);
      for (let y = minY; y <= maxY; y++) {
        for (let x = minX; x <= maxX; x++) {
          if (touches(box, x, y, x, y, size)) this.floors(size, x, y, this._columns[size - 1]!.top(x, y));
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
    }
  }
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

/** All columns that a table's bounds name, held to the grid. */
export const columnsOf = (mins: ArrayLike<number>, maxs: ArrayLike<number>): ColumnBox => ({
  minX: Math.max(0, mins[0]!),
  minY: Math.max(0, mins[1]!),
  maxX: Math.min(WORLD_CELLS - 1, maxs[0]!),
  maxY: Math.min(WORLD_CELLS - 1, maxs[1]!),
});
