import { checkCallback, checkFileOf, checkOptions, checkWhole } from '@bspkit/core/format';
import { ACTORCLIP_MODEL, LIGHTCLIP_MODEL, REGULAR_MODELS } from '../constants.ts';
import type { UfoaiFile } from '../file.ts';
import { createUfoaiWorld } from '../world.ts';
import { findBounds } from './bounds.ts';
import { originOfFile } from './origin.ts';
import { clearRows, countRows, joinRows, packRows } from './parts.ts';
import { Probe } from './probe.ts';
import { columnsOf, Router, SIZES } from './router.ts';
import { DIRECTIONS, TABLE_BYTES, UfoaiRouting } from './table.ts';
import { WorkCount } from './work.ts';

/** How a table is computed. */
export interface RoutingOptions {
  /** Called after each row of cells with the part that is done, 0 to 1. Stops the work by throwing. */
  readonly onProgress?: ((part: number) => void) | undefined;
}

/** The file as the game's compiler looks at it: without inline models, weapon clip, and trees of which nothing is drawn. */
function routedFile(file: UfoaiFile): UfoaiFile {
  const models = file.models.map((model, number) => {
    const isThere =
      number < REGULAR_MODELS &&
      (model.numFaces !== 0 || number === LIGHTCLIP_MODEL || number === ACTORCLIP_MODEL);
    return isThere ? model : { ...model, headNode: -1 };
  });
  return { ...file, models: models.slice(0, REGULAR_MODELS) };
}

/** A map's file whose table is computed, as a whole or row by row. Made by {@link createRoutingWork}. */
export class RoutingWork {
  /** Cells that the map covers, as the game's compiler stores them. */
  readonly mins: Int32Array;
  /** One beyond the last cell in x and y, the last one in z. */
  readonly maxs: Int32Array;
  /** How many rows of columns there are. */
  readonly rows: number;
  private readonly _probe: Probe;
  private readonly _origin: string;
  private _bytes: Uint8Array | undefined;

  /** @internal */
  constructor(file: UfoaiFile) {
    const world = createUfoaiWorld([{ file: routedFile(file) }]);
    this._probe = new Probe(world, { tile: 0 });
    this._origin = originOfFile(file);
    const { mins, maxs } = findBounds(this._probe);
    new WorkCount(world).add(columnsOf(mins, maxs));
    this.mins = mins;
    this.maxs = maxs;
    this.rows = countRows(this);
  }

  /** @internal The whole table. */
  _whole(onProgress: ((part: number) => void) | undefined): UfoaiRouting {
    const bytes = new Uint8Array(TABLE_BYTES);
    this._fill(bytes, this.mins[1]!, this.mins[1]! + this.rows - 1, onProgress);
    onProgress?.(1);
    return new UfoaiRouting(this.mins, this.maxs, bytes, this._origin);
  }

  /**
   * Computes some rows, independently of the others: in any order, in any thread.
   * @returns the rows, packed, for {@link joinRoutingParts}.
   * @throws RangeError unless there are such rows.
   */
  part(first: number, count: number): Uint8Array {
    checkWhole(first, 'first', 0, this.rows - 1);
    checkWhole(count, 'count', 1, this.rows - first);
    this._bytes ??= new Uint8Array(TABLE_BYTES);
    const { mins, maxs } = this;
    const from = Math.max(0, first - 1);
    clearRows(this._bytes, { mins, maxs, first: from, count: Math.min(this.rows, first + count + 1) - from });
    const low = mins[1]! + first;
    this._fill(this._bytes, low, low + count - 1, undefined);
    return packRows(this._bytes, { mins, maxs, first, count, origin: this._origin });
  }

  /** Both passes over some rows; they also need the floors of the adjacent rows. */
  private _fill(
    bytes: Uint8Array,
    low: number,
    high: number,
    onProgress: ((part: number) => void) | undefined,
  ): void {
    const { minX, minY, maxX, maxY } = columnsOf(this.mins, this.maxs);
    const router = new Router(this._probe, bytes);
    const rows = 4 * (high - low + 1);
    let done = 0;
    for (const size of SIZES) {
      const [lastX, lastY] = [maxX - (size - 1), maxY - (size - 1)];
      for (let y = Math.max(minY, low - 1); y <= Math.min(lastY, high + 1); y++) {
        for (let x = minX; x <= lastX; x++) router.floors(size, x, y);
        if (y >= low && y <= high) onProgress?.(++done / rows);
      }
    }
    for (const size of SIZES) {
      const [lastX, lastY] = [maxX - (size - 1), maxY - (size - 1)];
      for (let y = low; y <= Math.min(lastY, high); y++) {
        for (let x = minX; x <= lastX; x++) {
          for (let direction = 0; direction < DIRECTIONS; direction++) router.steps(size, x, y, direction);
        }
        onProgress?.(++done / rows);
      }
    }
  }
}

/**
 * Prepares to compute a file's table row by row: in parts, at different times, or in several threads.
 * @throws TypeError for anything but a file; BspError (`limit`) when there are far more brushes above the cells than in any real map.
 */
export function createRoutingWork(file: UfoaiFile): RoutingWork {
  checkFileOf(file, 'ufoai', 'readUfoai');
  return new RoutingWork(file);
}

/**
 * Puts the rows of a table together.
 * @param parts - what `part` returned for works of one file, here or in other threads: each row once, in any order.
 * @throws RangeError for no parts; BspError (`value`) for anything else, or a part of another map; (`truncated`) when rows are
 *   missing.
 */
export function joinRoutingParts(parts: readonly Uint8Array[]): UfoaiRouting {
  return joinRows(parts);
}

/**
 * Computes the routing table (where soldiers can go) only from a map's trees: the one that the game's compiler stores, byte for
 * byte. Inline models (doors) are not in it. It takes 19 MB and, for the game's maps, from some hundredths of a second to some
 * seconds. The time depends on how many cells there are anything in, and how many floors above each other, rather than on the
 * size of the file: one that fills the whole world with plates takes up to minutes, in which `onProgress` can stop it.
 *
 * @throws TypeError for anything but a file of `readUfoai`, and for wrong options; BspError (`limit`) when there are far more
 *   brushes above the cells than in any real map, which would take hours; whatever `onProgress` throws.
 */
export function computeRouting(file: UfoaiFile, options: RoutingOptions = {}): UfoaiRouting {
  checkFileOf(file, 'ufoai', 'readUfoai');
  checkOptions(options, ['onProgress']);
  const { onProgress } = options;
  if (onProgress !== undefined) checkCallback(onProgress, 'onProgress');
  return createRoutingWork(file)._whole(onProgress);
}
