import { LEAF_WORDS, leafTree } from '@bspkit/brushes';
import { BspError, type Vec3 } from '@bspkit/core';
import { boxLeafs } from '@bspkit/core/format';
import { CELL_SIZE, LEVEL_COUNT, LEVEL_HEIGHT, WORLD_CELLS } from '../constants.ts';
import type { Body } from '../kernel/body.ts';
import type { WorldMemory } from '../kernel/memory.ts';
import { MODEL_ROOT } from '../layout.ts';
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

/** Columns in blocks, as they are counted. */
export function* blocksOf({ minX, minY, maxX, maxY }: ColumnBox): Generator<ColumnBox> {
  for (let y = minY; y <= maxY; y += BLOCK) {
    for (let x = minX; x <= maxX; x += BLOCK) {
      yield { minX: x, minY: y, maxX: Math.min(x + BLOCK - 1, maxX), maxY: Math.min(y + BLOCK - 1, maxY) };
    }
  }
}

/** Counts the work of columns. */
export class WorkCount {
  private readonly _memory: WorldMemory;
  private readonly _walk: ReturnType<typeof leafWalk>;
  private readonly _bodies: readonly Body[];
  /** What each body comes to where it is. */
  private readonly _inBodies: readonly number[];
  /** As many as trees can have. */
  private readonly _leafs: Int32Array;
  private _listed = 0;

  /** @param bodies - models that stand in the way, where they are. */
  constructor(world: UfoaiWorld, bodies: readonly Body[] = []) {
    const { _memory: memory } = world;
    const { ints, places } = memory;
    this._memory = memory;
    this._walk = leafWalk(world);
    this._bodies = bodies;
    this._leafs = new Int32Array(places.nodes.count + places.boxHeads.count);
    // Many models may have one tree.
    const known = new Map<number, number>();
    this._inBodies = bodies.map(({ place }) => {
      const root = ints[place + MODEL_ROOT]!;
      const listed = known.get(root) ?? this._listedBelow(root);
      known.set(root, listed);
      return 1 + listed;
    });
  }

  /**
   * Adds some columns. Throws `BspError` (`limit`) once all of them together would take far more work than the table of any real
   * map.
   */
  add(columns: ColumnBox): void {
    const { _bodies: bodies, _leafs: leafs } = this;
    for (const { minX, minY, maxX, maxY } of blocksOf(columns)) {
      const [west, south, east, north] = [edgeOf(minX), edgeOf(minY), edgeOf(maxX + 1), edgeOf(maxY + 1)];
      const low = -BELOW * LEVEL_HEIGHT;
      let here = this._listedIn(
        this._walk([west, south, low], [east, north, LEVEL_COUNT * LEVEL_HEIGHT], leafs),
      );
      for (let k = 0; k < bodies.length; k++) {
        const { reach } = bodies[k]!;
        const isApart = reach[0]! > east || reach[3]! < west || reach[1]! > north || reach[4]! < south;
        // Every move asks whether it comes near a body.
        here += isApart ? 1 : this._inBodies[k]!;
      }
      this._listed += here * (maxX + 1 - minX) * (maxY + 1 - minY);
      if (this._listed > MOST_LISTED) fail();
    }
  }

  /** The leafs of a whole tree, and the brushes that they list. */
  private _listedBelow(root: number): number {
    if (root < 0) return 0;
    const [mins, maxs] = EVERYWHERE;
    return this._listedIn(boxLeafs(leafTree(this._memory), [root], mins, maxs, this._leafs));
  }

  private _listedIn(found: number): number {
    const { ints, places } = this._memory;
    let listed = found;
    for (let k = 0; k < Math.min(found, this._leafs.length); k++)
      listed += ints[places.leafs.first + LEAF_WORDS * this._leafs[k]! + 2]!;
    return listed;
  }
}

/** Corners of a box around everything. */
const EVERYWHERE: readonly [Vec3, Vec3] = [
  [-1e30, -1e30, -1e30],
  [1e30, 1e30, 1e30],
];

function fail(): never {
  const problem = `the table of where soldiers can go is too much work: the leafs of all columns of cells list more than ${MOST_LISTED} brushes`;
  throw new BspError('limit', { format: 'ufoai' }, problem);
}

/** The lower edge of a cell along x or y, in Quake units. */
const edgeOf = (cell: number): number => (cell - WORLD_CELLS / 2) * CELL_SIZE;
