import { LEVEL_COUNT, LEVEL_HEIGHT, WORLD_CELLS } from '../constants.ts';
import { FEET_HALF_WIDTH, HALF_WIDTHS, middleOf, type Probe } from './probe.ts';
import { ACTOR_BYTES, CEILINGS, FLOORS, LEVEL_QUANTS, QUANT } from './table.ts';

// The first pass: where one can stand, column by column, from the top down. By the game's rules, as read in its compiler's source
// and confirmed by its tables.

const f = Math.fround;

/** Where a column ends, in Quake units. */
const BOTTOM = -128;
const TOP = LEVEL_COUNT * LEVEL_HEIGHT;
/** How far above the bottom of a cell the search for its floor begins, in Quake units. */
const FROM = 60;
/** Heights of the legs and the torso of the smallest actor that fits, above the floor. */
const LEGS: readonly [number, number] = [0, 15.9375];
const TORSO: readonly [number, number] = [16, 23.9375];
/** How much farther down to search if the body meets something. */
const NEXT = 24;
const SIXTEENTH = 1 / 16;

/** Computes floors and ceilings of the columns of an actor's table. */
export class Columns {
  private readonly _probe: Probe;
  private readonly _bytes: Uint8Array;
  private readonly _at: number;
  private readonly _size: number;

  /** @param size - of the actor, 1 or 2. */
  constructor(probe: Probe, bytes: Uint8Array, size: number) {
    this._probe = probe;
    this._bytes = bytes;
    this._size = size;
    this._at = (size - 1) * ACTOR_BYTES;
  }

  /**
   * Computes a column, from a level down to another. Returns the lowest level that it has a floor on; below 0, levels have no place
   * in the table.
   */
  column(x: number, y: number, top: number = LEVEL_COUNT - 1, bottom = 0): number {
    let z = top;
    while (z >= bottom) z = this._cell(x, y, z) - 1;
    return z + 1;
  }

  /**
   * The highest level that the table has of a column, -1 for none: joined tables have those up to their tile's highest. To be
   * asked before anything is computed again, as a floor below all levels leaves the highest ones as they are, and overwrites them.
   */
  top(x: number, y: number): number {
    let top = LEVEL_COUNT - 1;
    while (top >= 0 && !this._says(x, y, top)) top--;
    return top;
  }

  /** Computes a column again from a level down. All of it is cleared first, since not every level is written. */
  again(x: number, y: number, top: number): number {
    for (let z = 0; z <= top; z++) {
      const cell = this._at + (z * WORLD_CELLS + y) * WORLD_CELLS + x;
      this._bytes[cell + FLOORS] = 0;
      this._bytes[cell + CEILINGS] = 0;
    }
    return this.column(x, y, top);
  }

  private _says(x: number, y: number, z: number): boolean {
    const cell = this._at + (z * WORLD_CELLS + y) * WORLD_CELLS + x;
    return this._bytes[cell + FLOORS] !== 0 || this._bytes[cell + CEILINGS] !== 0;
  }

  /** Finds the floor below a cell. Writes all cells that share it, and returns the lowest. */
  private _cell(x: number, y: number, z: number): number {
    const { _probe: probe, _size: size } = this;
    const half = HALF_WIDTHS[size - 1]!;
    const mx = middleOf(x, size);
    const my = middleOf(y, size);
    let from = z * LEVEL_HEIGHT + FROM;
    let px = 0;
    let py = 0;
    let pz = 0;
    for (;;) {
      probe.move(FEET_HALF_WIDTH, 0, 0, mx, my, from, mx, my, BOTTOM);
      if (probe.fraction >= 1) return this._fill(x, y, 0, z);
      px = probe.end[0]!;
      py = probe.end[1]!;
      pz = probe.end[2]!;
      const meets =
        probe.meets(FEET_HALF_WIDTH, LEGS[0], LEGS[1], px, py, pz) ||
        probe.meets(half, TORSO[0], TORSO[1], px, py, pz);
      if (!meets) break;
      from = f(pz - NEXT);
      if (from <= NEXT) return this._fill(x, y, 0, z);
    }
    probe.move(half, 0, 0, px, py, f(pz + TORSO[1]), px, py, TOP);
    const floor = Math.ceil(f(pz - SIXTEENTH) / QUANT);
    const ceiling = Math.floor(f(probe.end[2]! + SIXTEENTH) / QUANT);
    const low = Math.trunc(floor / LEVEL_QUANTS);
    const high = Math.min(z, Math.trunc((ceiling - 1) / LEVEL_QUANTS));
    // The game's compiler assumes eight levels: a floor below all of them is written outside, and leaves the top level as it is.
    for (let level = low; level <= Math.min(high, low + LEVEL_COUNT - 1); level++) {
      const cell = this._at + (level * WORLD_CELLS + y) * WORLD_CELLS + x;
      this._bytes[cell + FLOORS] = floor - LEVEL_QUANTS * level;
      this._bytes[cell + CEILINGS] = ceiling - LEVEL_QUANTS * level;
    }
    this._fill(x, y, high + 1, z);
    return low;
  }

  /** Notes cells that one cannot stand in. Returns the lowest of them. */
  private _fill(x: number, y: number, low: number, high: number): number {
    for (let level = low; level <= high; level++) {
      const cell = this._at + (level * WORLD_CELLS + y) * WORLD_CELLS + x;
      this._bytes[cell + FLOORS] = LEVEL_QUANTS;
      this._bytes[cell + CEILINGS] = 0;
    }
    return low;
  }
}
