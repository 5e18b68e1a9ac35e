import { checkCallback, checkFileOf, checkOptions } from '@bspkit/core/format';
import {
  ACTORCLIP_MODEL,
  CELL_SIZE,
  LEVEL_COUNT,
  LEVEL_HEIGHT,
  LIGHTCLIP_MODEL,
  REGULAR_MODELS,
  WORLD_CELLS,
} from '../constants.ts';
import type { UfoaiFile } from '../file.ts';
import { createUfoaiWorld } from '../world.ts';
import { Columns } from './columns.ts';
import { Passages } from './passage.ts';
import { Probe } from './probe.ts';
import { DIRECTIONS, TABLE_BYTES, UfoaiRouting } from './table.ts';

/** How a table is worked out. */
export interface RoutingOptions {
  /** Called after each row of cells with the part that is done, 0 to 1. Stops the work by throwing. */
  readonly onProgress?: ((part: number) => void) | undefined;
}

/**
 * The file as the game's compiler looks at it: without inline models, weapon clip, and trees of which nothing is drawn.
 */
function routedFile(file: UfoaiFile): UfoaiFile {
  const models = file.models.map((model, number) => {
    const isThere =
      number < REGULAR_MODELS &&
      (model.numFaces !== 0 || number === LIGHTCLIP_MODEL || number === ACTORCLIP_MODEL);
    return isThere ? model : { ...model, headNode: -1 };
  });
  return { ...file, models: models.slice(0, REGULAR_MODELS) };
}

/** The part of the grid that holds anything, in cells: the last one beyond it in x and y. */
function findBounds(probe: Probe): { mins: Int32Array; maxs: Int32Array } {
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

/** A cell with another number on an axis. */
const at = (cell: readonly number[], axis: number, value: number): number[] =>
  cell.map((own, k) => (k === axis ? value : own));

/** A corner of a cell, in Quake units. */
const corner = ([x, y, z]: readonly number[], beyond: 0 | 1): [number, number, number] => [
  (x! + beyond - WORLD_CELLS / 2) * CELL_SIZE,
  (y! + beyond - WORLD_CELLS / 2) * CELL_SIZE,
  (z! + beyond) * LEVEL_HEIGHT,
];

/** Cells of a corner, as the game's compiler turns it back. */
const cellsAt = ([x, y, z]: readonly [number, number, number]): Int32Array =>
  Int32Array.of(
    Math.trunc((Math.trunc(x) + (WORLD_CELLS * CELL_SIZE) / 2) / CELL_SIZE),
    Math.trunc((Math.trunc(y) + (WORLD_CELLS * CELL_SIZE) / 2) / CELL_SIZE),
    Math.min(LEVEL_COUNT - 1, Math.trunc(Math.trunc(z) / LEVEL_HEIGHT)),
  );

/**
 * Works out where soldiers can go, from a map's trees alone: the table that the game's compiler stores, byte for byte.
 * Inline models (doors) are not in it. It takes 19 MB, and from some hundredths of a second to seconds.
 *
 * @throws TypeError for anything but a file of `readUfoai`, and wrong options; what `onProgress` throws.
 */
export function computeRouting(file: UfoaiFile, options: RoutingOptions = {}): UfoaiRouting {
  checkFileOf(file, 'ufoai', 'readUfoai');
  checkOptions(options, ['onProgress']);
  const { onProgress } = options;
  if (onProgress !== undefined) checkCallback(onProgress, 'onProgress');
  const world = createUfoaiWorld([{ file: routedFile(file) }]);
  const probe = new Probe(world, { tile: 0 });
  const { mins, maxs } = findBounds(probe);
  const bytes = new Uint8Array(TABLE_BYTES);
  const rows = 4 * (maxs[1]! - mins[1]! + 1);
  let done = 0;
  for (const size of [1, 2]) {
    const columns = new Columns(probe, bytes, size);
    for (let y = mins[1]!; y <= maxs[1]! - (size - 1); y++) {
      for (let x = mins[0]!; x <= maxs[0]! - (size - 1); x++) columns.column(x, y);
      onProgress?.(++done / rows);
    }
  }
  for (const size of [1, 2]) {
    const passages = new Passages(probe, bytes, size);
    for (let y = mins[1]!; y <= maxs[1]! - (size - 1); y++) {
      for (let x = mins[0]!; x <= maxs[0]! - (size - 1); x++) {
        for (let direction = 0; direction < DIRECTIONS; direction++) passages.column(x, y, direction);
      }
      onProgress?.(++done / rows);
    }
  }
  onProgress?.(1);
  return new UfoaiRouting(mins, maxs, bytes);
}
