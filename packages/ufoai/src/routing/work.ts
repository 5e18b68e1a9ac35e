import { LEAF_WORDS } from '@bspkit/brushes';
import { BspError } from '@bspkit/core';
import { CELL_SIZE, LEVEL_COUNT, LEVEL_HEIGHT, WORLD_CELLS } from '../constants.ts';
import { leafWalk } from '../leafs.ts';
import type { UfoaiWorld } from '../world.ts';
import type { ColumnBox } from './router.ts';

// How much work a table is. Every column takes up to some thousands of moves, and each of these may meet every brush that is listed
// there: a crafted file could make that hours.

/** Leafs and the brushes that they list, added up over all columns: the game's largest maps come to a tenth of this. */
const MOST_LISTED = 0x1000000;
/** Columns are counted in blocks of this many along each axis: one by one, that would take up to a fifth as long as the table itself. */
const BLOCK = 8;
/** How far below the levels floors are searched for, in levels. */
const BELOW = 2;

/** Throws `BspError` (`limit`) for a world whose table would take far more work than that of any real map. */
export function checkWork(world: UfoaiWorld, { minX, minY, maxX, maxY }: ColumnBox): void {
  const { ints, places } = world._memory;
  const walk = leafWalk(world);
  // As many as trees can have.
  const leafs = new Int32Array(places.nodes.count + places.boxHeads.count);
  let listed = 0;
  for (let y = minY; y <= maxY; y += BLOCK) {
    const endY = Math.min(y + BLOCK, maxY + 1);
    for (let x = minX; x <= maxX; x += BLOCK) {
      const endX = Math.min(x + BLOCK, maxX + 1);
      const found = walk(
        [edgeOf(x), edgeOf(y), -BELOW * LEVEL_HEIGHT],
        [edgeOf(endX), edgeOf(endY), LEVEL_COUNT * LEVEL_HEIGHT],
        leafs,
      );
      let here = found;
      for (let k = 0; k < Math.min(found, leafs.length); k++)
        here += ints[places.leafs.first + LEAF_WORDS * leafs[k]! + 2]!;
      listed += here * (endX - x) * (endY - y);
      if (listed > MOST_LISTED) fail();
    }
  }
}

function fail(): never {
  const problem = `the table of where soldiers can go is too much work: the leafs of all columns of cells list more than ${MOST_LISTED} brushes`;
  throw new BspError('limit', { format: 'ufoai' }, problem);
}

/** The lower edge of a cell along x or y, in Quake units. */
const edgeOf = (cell: number): number => (cell - WORLD_CELLS / 2) * CELL_SIZE;
