import { checkCallback, checkFileOf, checkList, checkOptions } from '@bspkit/core/format';
import { LEVEL_COUNT, WORLD_CELLS } from '../constants.ts';
import type { UfoaiFile } from '../file.ts';
import { checkWorld } from '../given.ts';
import type { UfoaiWorld } from '../world.ts';
import { findBounds } from './bounds.ts';
import { readRouting } from './lump.ts';
import { isFileOfTile, originOfWorld } from './origin.ts';
import { PARTS } from './parts.ts';
import { Probe } from './probe.ts';
import { type ColumnBox, columnsOf, Router, SIZES } from './router.ts';
import { ACTOR_BYTES, cellIndex, DIRECTIONS, DX, DY, TABLE_BYTES, UfoaiRouting } from './table.ts';
import { blocksOf, WorkCount } from './work.ts';

/** How the tables of an assembly are joined. */
export interface JoinOptions {
  /** Called after each row of columns with the part that is done, 0 to 1. Stops the work by throwing. */
  readonly onProgress?: ((part: number) => void) | undefined;
}

/** Marks a column that more than one tile has. */
const SHARED = 255;
/** Columns of a table. */
const COLUMNS = WORLD_CELLS * WORLD_CELLS;

/**
 * The routing table (where soldiers can go) of an assembly, as the game computes it when it loads one: the tables of the tiles,
 * side by side, with their borders computed again from all tiles. There, the game takes levels from heights: a brush without the
 * level at which a soldier would meet it is not there, as on raised tiles, whose brushes keep their levels. Of a tile's table it
 * takes the cells up to the tile's highest level (`maxs`). Above, it has nothing, nor has it for a map alone, whose file
 * ({@link readRouting}) goes on to the eighth level. Nobody can stand there.
 *
 * @param world - made of the tiles.
 * @param files - the tiles' files, in the same order.
 * @throws BspError for a file whose table is empty or broken, and (`limit`) as {@link computeRouting} does; TypeError unless there is a file for each tile, with the tile's
 *   brushes; whatever `onProgress` throws.
 */
export function joinRouting(
  world: UfoaiWorld,
  files: readonly UfoaiFile[],
  options: JoinOptions = {},
): UfoaiRouting {
  checkWorld(world);
  checkList(files, 'files');
  const { length } = world.tiles;
  if (files.length !== length) {
    throw new TypeError(`files must be one for each of ${length} tiles, got ${files.length}`);
  }
  checkOptions(options, ['onProgress']);
  const { onProgress } = options;
  if (onProgress !== undefined) checkCallback(onProgress, 'onProgress');
  for (const [tile, file] of files.entries()) checkTileFile(world, tile, file);
  const joined = new Joined();
  for (const [tile, file] of files.entries())
    joined.add(readRouting(file), world.tiles[tile]!.cell, tile + 1);
  const probe = new Probe(world, {}, true);
  const { mins, maxs } = findBounds(probe);
  const router = new Router(probe, joined.bytes);
  const columns = columnsOf(mins, maxs);
  const work = new WorkCount(world);
  for (const block of blocksOf(columns)) if (joined.hasBorders(block)) work.add(block);
  const { minX, minY, maxX, maxY } = columns;
  const rows = 4 * (maxY - minY + 1);
  let done = 0;
  const eachRow = (compute: (size: 1 | 2, y: number) => void): void => {
    for (const size of SIZES) {
      for (let y = minY; y <= maxY; y++) {
        compute(size, y);
        onProgress?.(++done / rows);
      }
    }
  };
  eachRow((size, y) => {
    for (let x = minX; x <= maxX; x++) {
      if (joined.ownerOf(size, x, y) === SHARED) router.floors(size, x, y, maxs[2]!, mins[2]!);
    }
  });
  // They lead from floor to floor, so all floors come first.
  eachRow((size, y) => {
    for (let x = minX; x <= maxX; x++) {
      for (let direction = 0; direction < DIRECTIONS; direction++) {
        if (joined.isBorder(size, x, y, direction)) router.steps(size, x, y, direction);
      }
    }
  });
  onProgress?.(1);
  return new UfoaiRouting(mins, maxs, joined.bytes, originOfWorld(world));
}

/** Throws `TypeError` for a file that is not the tile's: one of another map, or in another order. */
function checkTileFile(world: UfoaiWorld, tile: number, file: UfoaiFile): void {
  checkFileOf(file, 'ufoai', 'readUfoai');
  if (isFileOfTile(file, world, tile)) return;
  throw new TypeError(`files[${tile}] must be the file of tile ${tile}, got that of another map`);
}

/** Tables side by side. */
class Joined {
  readonly bytes: Uint8Array = new Uint8Array(TABLE_BYTES);
  /** For each size and column, which tile it came from, from 1; 0 for none. */
  private readonly _owners: Uint8Array = new Uint8Array(2 * COLUMNS);

  /** Copies a tile's cells to where the tile is. */
  add({ mins, maxs, bytes }: UfoaiRouting, shift: readonly number[], tile: number): void {
    const range = (axis: number, count: number, less: number): [number, number] => [
      Math.max(0, shift[axis]!, mins[axis]! + shift[axis]! - less),
      Math.min(count - 1, count - 1 + shift[axis]!, maxs[axis]! + shift[axis]!),
    ];
    const [minZ, maxZ] = range(2, LEVEL_COUNT, 0);
    for (const size of SIZES) {
      const table = (size - 1) * ACTOR_BYTES;
      const [minX, maxX] = range(0, WORLD_CELLS, size - 1);
      const [minY, maxY] = range(1, WORLD_CELLS, size - 1);
      const count = maxX - minX + 1;
      // Damaged bounds may be anywhere.
      if (count <= 0) continue;
      for (let y = minY; y <= maxY; y++) {
        for (let z = minZ; z <= maxZ; z++) {
          const to = cellIndex(minX, y, z);
          const from = cellIndex(minX - shift[0]!, y - shift[1]!, z - shift[2]!);
          for (const [part, width] of PARTS) {
            const source = table + part + width * from;
            this.bytes.set(bytes.subarray(source, source + width * count), table + part + width * to);
          }
        }
        const first = (size - 1) * COLUMNS + y * WORLD_CELLS + minX;
        for (let k = first; k < first + count; k++) this._owners[k] = this._owners[k] === 0 ? tile : SHARED;
      }
    }
  }

  ownerOf(size: number, x: number, y: number): number {
    return this._owners[(size - 1) * COLUMNS + y * WORLD_CELLS + x]!;
  }

  /** Whether any of some columns is computed again. */
  hasBorders({ minX, minY, maxX, maxY }: ColumnBox): boolean {
    for (const size of SIZES) {
      for (let y = minY; y <= maxY; y++) {
        for (let x = minX; x <= maxX; x++) {
          for (let direction = 0; direction < DIRECTIONS; direction++) {
            if (this.isBorder(size, x, y, direction)) return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether a step leads from tile to tile, or touches a column that several tiles have. */
  isBorder(size: number, x: number, y: number, direction: number): boolean {
    const u = x + DX[direction]!;
    const v = y + DY[direction]!;
    if (u < 0 || v < 0 || u >= WORLD_CELLS || v >= WORLD_CELLS) return false;
    const own = this.ownerOf(size, x, y);
    const other = this.ownerOf(size, u, v);
    return own !== 0 && other !== 0 && (own !== other || own === SHARED);
  }
}
