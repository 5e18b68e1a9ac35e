import {
  checkFlag,
  checkKind,
  checkOptions,
  checkWhole,
  failArgument,
  printAsString,
} from '@bspkit/core/format';
import { type Cell, checkCell } from '../cells.ts';
import { LEVEL_COUNT, WORLD_CELLS } from '../constants.ts';
import {
  type ActorRouting,
  CELLS,
  cellIndex,
  checkRouting,
  checkThere,
  DIRECTIONS,
  DX,
  DY,
  isStandingCell,
  LEVEL_QUANTS,
  STEP_DOWN,
  STEP_UP,
  type UfoaiRouting,
} from './table.ts';

// From facts read in the game's source and checked against its released program (2.5), whose answers were recorded.

/** The game does not search beyond this many time units. */
export const MAX_PATH_TIME = 50;

/** Cost of a cell that was not reached. */
export const NOT_REACHED = 255;

/** The direction that stands for a fall to the cell below. */
export const FALL = 13;

/** Room that a standing and a crouching actor need for a step, whatever their size, in quants. */
const ROOM: readonly [number, number] = [11, 7];
/** Time units of a straight and a diagonal step, standing and crouching. */
const STRAIGHT: readonly [number, number] = [2, 3];
const DIAGONAL: readonly [number, number] = [3, 4];
/** The greatest rise of a step, and the greatest drop, in quants. */
const MOST_RISE = 4;
const MOST_DROP = 16;
/** Bits of a step's height, without its flags. */
const HEIGHT = 63;
/** How much a cell's number changes per level. */
const LEVEL_CELLS = WORLD_CELLS * WORLD_CELLS;

const NOWHERE = -1;

/** A step of a path: where it leads, and in which direction; {@link FALL} is a fall to the cell below. */
export interface WayStep {
  readonly cell: Cell;
  /** 0 to 7: +x, -x, +y, -y, then +x +y, -x -y, -x +y, +x -y; or 13. */
  readonly direction: number;
}

/**
 * Where an actor can go: per stance, standing (0) and crouching (1), what it costs to get to each cell, in time units, and by
 * which step. A cell's index is `(z * 256 + y) * 256 + x`.
 */
export class UfoaiReach {
  /** Time units per cell; 255 if it was not reached. */
  readonly costs: readonly [Uint8Array, Uint8Array] = [
    new Uint8Array(CELLS).fill(NOT_REACHED),
    new Uint8Array(CELLS).fill(NOT_REACHED),
  ];
  /** 256 times the direction of the last step, plus the level it was made from; -1 at the start and where no step leads. */
  readonly from: readonly [Int16Array, Int16Array] = [
    new Int16Array(CELLS).fill(-1),
    new Int16Array(CELLS).fill(-1),
  ];

  /** @internal */
  constructor() {
    printAsString(this);
  }

  /**
   * What it costs to get to a cell, in time units; `undefined` if there is no path.
   * @throws RangeError for a cell outside the world.
   */
  cost(cell: Cell, crouched = false): number | undefined {
    this._checkThere();
    const cost = this.costs[stanceOf(crouched)][numberOf(cell, 'cell')]!;
    return cost === NOT_REACHED ? undefined : cost;
  }

  /**
   * The path from the start to a cell: without steps for the start itself, `undefined` if there is none. If the start is in the
   * air, falling to the ground costs nothing, and paths begin where it lands. Where costs have wrapped around, paths may begin
   * elsewhere: at a cell of no cost, as in the game, or where they would lead in a circle.
   * @throws RangeError for a cell outside the world.
   */
  way(cell: Cell, crouched = false): WayStep[] | undefined {
    this._checkThere();
    const stance = stanceOf(crouched);
    const first = numberOf(cell, 'cell');
    if (this.costs[stance][first] === NOT_REACHED) return undefined;
    const way: WayStep[] = [];
    const passed = new Set<number>();
    for (let at = first; ; ) {
      passed.add(at);
      const before = this._before(at, stance);
      if (before < 0 || passed.has(before)) return way.reverse();
      way.push({ cell: cellAt(at), direction: this.from[stance][at]! >> 8 });
      at = before;
    }
  }

  /** @internal Throws `TypeError` if any of the tables was transferred. */
  _checkThere(): void {
    for (let stance = 0; stance < 2; stance++) {
      checkThere(this.costs[stance]!, 'tables of the reach');
      checkThere(this.from[stance]!, 'tables of the reach');
    }
  }

  /** @internal Number of the previous cell on the way to one that was reached; -1 at the start. */
  _before(at: number, stance: 0 | 1): number {
    if (this.costs[stance][at] === 0) return NOWHERE;
    const from = this.from[stance][at]!;
    const direction = from >> 8;
    const x = at & 255;
    const y = (at >> 8) & 255;
    if (direction === FALL) return cellIndex(x, y, from & 7);
    return cellIndex((x - DX[direction]!) & 255, (y - DY[direction]!) & 255, from & 7);
  }

  /** @internal */
  toString(): string {
    const [standing, crouching] = this.costs.map(
      (costs) => costs.filter((cost) => cost !== NOT_REACHED).length,
    );
    return `UfoaiReach { cells standing: ${standing}, crouching: ${crouching} }`;
  }
}

const stanceOf = (crouched: boolean): 0 | 1 => {
  checkFlag(crouched, 'crouched');
  return crouched ? 1 : 0;
};

/** A cell by its number in the tables. */
const cellAt = (index: number): Cell => [index & 255, (index >> 8) & 255, index >> 16];

/** Tables for answers, to be reused. They take 3 MB. */
export const createReach = (): UfoaiReach => new UfoaiReach();

/** How far an actor can go, and who is in its way. */
export interface PathOptions {
  /**
   * Time units that the actor has: 50 by default. More count as 50, since the game never searches beyond; see {@link
   * UfoaiPathfinder.reachFar}. Steps begin in cells that cost less, so the answer includes cells one step beyond, which cost
   * more.
   */
  readonly limit?: number | undefined;
  /** Cells that others occupy: x, y, z and size (1 or 2) of each, one after the other. The actor itself may be among them. */
  readonly held?: ArrayLike<number> | undefined;
}

const OPTIONS: readonly string[] = ['limit', 'held'] satisfies (keyof PathOptions)[];

/** Options of a search for a path to one cell. */
export interface FarOptions {
  /**
   * Time units, 252 by default. Costs are bytes, and wrap around above that, as in the game; paths may be cut off then.
   */
  readonly limit?: number | undefined;
  readonly crouched?: boolean | undefined;
}

const FAR_OPTIONS: readonly string[] = ['limit', 'crouched'] satisfies (keyof FarOptions)[];

const NOBODY: readonly number[] = [];

/** Finds where actors of one size can go. Made by {@link createPathfinder}; allocates nothing if you pass it tables. */
export class UfoaiPathfinder {
  /** 1 for actors of one cell, 2 for those of two by two, whose cell is the one with the lowest x and y. */
  readonly size: 1 | 2;
  private readonly _table: ActorRouting;
  /** A heap of cells by rating, from place 1. */
  private _cells: Int32Array = new Int32Array(1 << 12);
  private _ratings: Int32Array = new Int32Array(1 << 12);
  private _count = 0;

  /** @internal */
  constructor(routing: UfoaiRouting, size: 1 | 2) {
    this.size = size;
    this._table = routing.actors[size - 1]!;
    printAsString(this);
  }

  /**
   * All cells in which such an actor can stand, level by level, in rows of ascending y and x. That does not mean that there is a
   * path to them.
   */
  standing(): Cell[] {
    this._checkThere();
    const cells: Cell[] = [];
    for (let cell = 0; cell < CELLS; cell++) if (isStandingCell(this._table, cell)) cells.push(cellAt(cell));
    return cells;
  }

  /**
   * Where an actor can go from a cell, standing and crouching, with its time units: by Dijkstra's algorithm, as in the game.
   * Turning, and standing up or crouching on the way, are not counted.
   *
   * @param out - where the answer goes; new tables by default.
   * @throws RangeError for a cell outside the world, and numbers out of range; TypeError for anything but a `UfoaiReach`.
   */
  reach(start: Cell, options: PathOptions = {}, out: UfoaiReach = createReach()): UfoaiReach {
    const from = numberOf(start, 'start');
    checkOptions(options, OPTIONS);
    const { limit = MAX_PATH_TIME, held = NOBODY } = options;
    checkWhole(limit, 'limit', -0x80000000, 0x7fffffff);
    checkHeld(held);
    checkOut(out);
    this._checkThere();
    const most = Math.min(limit, MAX_PATH_TIME);
    this._search(from, 0, most, held, NOWHERE, out);
    this._search(from, 1, most, held, NOWHERE, out);
    return out;
  }

  /**
   * Looks for a path to another cell, however far; returns whether there is one. It need not be the cheapest, and it may lead
   * through cells that others occupy: this search of the game (2.5) takes no account of them, so there is no option `held`. For a
   * path around others, within the game's 50 time units, use {@link UfoaiPathfinder.reach}. To the cell where it starts, it finds
   * none. The tables of the requested stance are left as they are when the search ends.
   *
   * @throws RangeError for a cell outside the world, and numbers out of range; TypeError for anything but a `UfoaiReach`.
   */
  reachFar(start: Cell, target: Cell, options: FarOptions = {}, out: UfoaiReach = createReach()): boolean {
    const from = numberOf(start, 'start');
    const to = numberOf(target, 'target');
    checkOptions(options, FAR_OPTIONS);
    const { limit = NOT_REACHED - 3, crouched = false } = options;
    checkWhole(limit, 'limit', -0x80000000, 0x7fffffff);
    checkOut(out);
    this._checkThere();
    return this._search(from, stanceOf(crouched), limit, NOBODY, to, out);
  }

  private _checkThere(): void {
    checkThere(this._table.connections, 'bytes of the routing');
  }

  private _search(
    start: number,
    stance: 0 | 1,
    limit: number,
    held: ArrayLike<number>,
    target: number,
    out: UfoaiReach,
  ): boolean {
    const costs = out.costs[stance];
    const from = out.from[stance];
    const room = ROOM[stance];
    costs.fill(NOT_REACHED);
    from.fill(-1);
    costs[start] = 0;
    this._count = 0;
    this._push(start, 0);
    while (this._count > 0) {
      const cell = this._pop();
      const cost = costs[cell]!;
      if (cost >= limit) continue;
      for (let n = 0; n <= DIRECTIONS; n++) {
        const to = n === DIRECTIONS ? this._fall(cell) : this._step(cell, n, room);
        if (to === NOWHERE) continue;
        const step = n === DIRECTIONS ? 0 : n < 4 ? STRAIGHT[stance] : DIAGONAL[stance];
        const sum = (cost + step) & 255;
        if (sum >= costs[to]! || (held.length > 0 && this._isHeld(to, start, held))) continue;
        costs[to] = sum;
        from[to] = (n === DIRECTIONS ? FALL : n) * 256 + (cell >> 16);
        this._push(to, target === NOWHERE ? sum : sum + distance(to, target));
        if (to === target) return true;
      }
    }
    return false;
  }

  /** @internal The cell that a step leads to; -1 if it cannot be made. */
  _step(cell: number, direction: number, room: number): number {
    const { stepUps, connections, floors } = this._table;
    const at = DIRECTIONS * cell + direction;
    if (connections[at]! < room) return NOWHERE;
    const step = stepUps[at]!;
    if ((step & HEIGHT) > MOST_RISE) return NOWHERE;
    const x = ((cell & 255) + DX[direction]!) & 255;
    const y = (((cell >> 8) & 255) + DY[direction]!) & 255;
    const level = cell >> 16;
    let to = cellIndex(x, y, level);
    if ((step & STEP_UP) !== 0 && level < LEVEL_COUNT - 1) to += LEVEL_CELLS;
    else if ((step & STEP_DOWN) !== 0 && level > 0) {
      // Only if the way back can be made too.
      const back = stepUps[DIRECTIONS * (to - LEVEL_CELLS) + (direction ^ 1)]!;
      if ((back & HEIGHT) <= MOST_RISE) to -= LEVEL_CELLS;
    }
    const change = floors[to]! - floors[cell]! + LEVEL_QUANTS * ((to >> 16) - level);
    if (change < -MOST_DROP) return NOWHERE;
    if (floors[to]! >= 0) return to;
    // Over an edge: it falls on to the cell below, unless it steps down already.
    return (step & STEP_DOWN) !== 0 || to < LEVEL_CELLS ? NOWHERE : to - LEVEL_CELLS;
  }

  /** The cell below, for a cell that has no floor; -1 otherwise. */
  private _fall(cell: number): number {
    return this._table.floors[cell]! < 0 && cell >= LEVEL_CELLS ? cell - LEVEL_CELLS : NOWHERE;
  }

  /** Whether others occupy a cell. Whoever is exactly where the search began is the actor itself. */
  private _isHeld(cell: number, start: number, held: ArrayLike<number>): boolean {
    const { size } = this;
    const x = cell & 255;
    const y = (cell >> 8) & 255;
    const z = cell >> 16;
    for (let k = 0; k + 3 < held.length; k += 4) {
      const otherX = held[k]!;
      const otherY = held[k + 1]!;
      const other = held[k + 3]!;
      if (held[k + 2] !== z || otherX >= x + size || x >= otherX + other) continue;
      if (otherY >= y + size || y >= otherY + other) continue;
      if (otherX !== (start & 255) || otherY !== ((start >> 8) & 255) || z !== start >> 16) return true;
    }
    return false;
  }

  /** Puts a cell into the heap. Equal ratings do not overtake each other. */
  private _push(cell: number, rating: number): void {
    if (this._count + 1 === this._cells.length) this._grow();
    const { _cells: cells, _ratings: ratings } = this;
    let at = ++this._count;
    while (at > 1 && ratings[at >> 1]! > rating) {
      cells[at] = cells[at >> 1]!;
      ratings[at] = ratings[at >> 1]!;
      at >>= 1;
    }
    cells[at] = cell;
    ratings[at] = rating;
  }

  /** Takes the first cell out of the heap. */
  private _pop(): number {
    const { _cells: cells, _ratings: ratings } = this;
    const first = cells[1]!;
    const lastCell = cells[this._count]!;
    const lastRating = ratings[this._count]!;
    const count = --this._count;
    let at = 1;
    for (let child = 2; child <= count; child = 2 * at) {
      if (child !== count && ratings[child + 1]! < ratings[child]!) child++;
      if (lastRating <= ratings[child]!) break;
      cells[at] = cells[child]!;
      ratings[at] = ratings[child]!;
      at = child;
    }
    cells[at] = lastCell;
    ratings[at] = lastRating;
    return first;
  }

  private _grow(): void {
    const [cells, ratings] = [this._cells, this._ratings];
    this._cells = new Int32Array(2 * cells.length);
    this._ratings = new Int32Array(2 * cells.length);
    this._cells.set(cells);
    this._ratings.set(ratings);
  }

  /** @internal */
  toString(): string {
    return `UfoaiPathfinder { size ${this.size} }`;
  }
}

/** Twice the distance between two cells, rounded down; a level counts as one. */
function distance(a: number, b: number): number {
  const x = (a & 255) - (b & 255);
  const y = ((a >> 8) & 255) - ((b >> 8) & 255);
  const z = (a >> 16) - (b >> 16);
  return Math.floor(2 * Math.sqrt(x * x + y * y + z * z));
}

/** The number of a cell. Throws `RangeError` for one outside the world. */
function numberOf(cell: Cell, name: string): number {
  checkCell(cell, name);
  return cellIndex(cell[0], cell[1], cell[2]);
}

function checkHeld(held: ArrayLike<number>): void {
  const isList = typeof held === 'object' && held !== null && Number.isInteger(held.length);
  checkKind(isList, held, 'held', 'x, y, z and size of each actor');
  for (let k = 0; k < held.length; k++) {
    const value = held[k]!;
    if (typeof value !== 'number' || (value | 0) !== value)
      checkWhole(value, `held[${k}]`, -0x80000000, 0x7fffffff);
    if ((k & 3) === 3 && value !== 1 && value !== 2) failArgument(`held[${k}]`, '1 or 2', value);
  }
  // Last, so that a list of lists is not counted, but named.
  if (held.length % 4 !== 0) {
    throw new RangeError(`held must be x, y, z and size of each actor, got ${held.length} numbers`);
  }
}

function checkOut(out: UfoaiReach): void {
  checkKind(out instanceof UfoaiReach, out, 'out', 'what createReach has made');
  out._checkThere();
}

/** Where a step of a standing actor leads, by the numbers of cells; below 0 if it cannot be made. */
export function createStepper(
  routing: UfoaiRouting,
  size: 1 | 2,
): (cell: number, direction: number) => number {
  const finder = new UfoaiPathfinder(routing, size);
  return (cell, direction) => finder._step(cell, direction, ROOM[0]);
}

/**
 * Creates a pathfinder for a routing table.
 * @param size - 1 for actors of one cell, 2 for those of two by two.
 * @throws TypeError for anything but a routing, RangeError for another size.
 */
export function createPathfinder(routing: UfoaiRouting, size: 1 | 2 = 1): UfoaiPathfinder {
  checkRouting(routing);
  if (size !== 1 && size !== 2) failArgument('size', '1 or 2', size);
  return new UfoaiPathfinder(routing, size);
}
