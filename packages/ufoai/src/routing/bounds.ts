import { CELL_SIZE, LEVEL_COUNT, LEVEL_HEIGHT, WORLD_CELLS } from '../constants.ts';
import type { Probe } from './probe.ts';

/** The part of the grid that contains anything, in cells: in x and y, up to one beyond the last cell. */
export function findBounds(probe: Probe): { mins: Int32Array; maxs: Int32Array } {
  const low = [0, 0, 0];
  const high = [WORLD_CELLS - 1, WORLD_CELLS - 1, LEVEL_COUNT - 1];
  const holds = (from: readonly number[], to: readonly number[]): boolean =>
    probe.holdsAnything(corner(from, 0), corner(to, 1));
  for (let axis = 0; axis < 3; axis++) {
    while (high[axis]! > low[axis]! && !holds(at(low, axis, high[axis]!), high)) high[axis]!--;
    while (high[axis]! > low[axis]! && !holds(low, at(high, axis, low[axis]!))) low[axis]!++;
  }
  return { mins: cellsAt(corner(low, 0)), maxs: cellsAt(corner(high, 1)) };
}

/** A cell, with its number on one axis replaced. */
const at = (cell: readonly number[], axis: number, value: number): number[] =>
  cell.map((own, k) => (k === axis ? value : own));

/** A corner of a cell, in Quake units. */
const corner = ([x, y, z]: readonly number[], beyond: 0 | 1): [number, number, number] => [
  (x! + beyond - WORLD_CELLS / 2) * CELL_SIZE,
  (y! + beyond - WORLD_CELLS / 2) * CELL_SIZE,
  (z! + beyond) * LEVEL_HEIGHT,
];

/** The cells of a corner, as the game's compiler converts it back. */
const cellsAt = ([x, y, z]: readonly [number, number, number]): Int32Array =>
  Int32Array.of(
    Math.trunc((Math.trunc(x) + (WORLD_CELLS * CELL_SIZE) / 2) / CELL_SIZE),
    Math.trunc((Math.trunc(y) + (WORLD_CELLS * CELL_SIZE) / 2) / CELL_SIZE),
    Math.min(LEVEL_COUNT - 1, Math.trunc(Math.trunc(z) / LEVEL_HEIGHT)),
  );
