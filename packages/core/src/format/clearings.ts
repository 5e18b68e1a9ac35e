import type { Bounds, Vec3 } from '../vec.ts';
import {
  ASKS,
  BLOCK_BITS,
  CELL_ASKED,
  CELL_BITS,
  CELL_BYTES_BITS,
  CELL_GREATEST,
  CLOSE,
  GRID_BLOCKS,
  GRID_CELLS,
  GRID_KEPT,
  GRID_MISSED,
  GRID_ORIGIN,
  GRID_SIZES,
  GRID_TAKEN,
  NEAR,
  SHORT,
} from './clearing-layout.ts';
import type { Work } from './places.ts';

// Most moves that games ask about are short and meet nothing. No walk through the tree is needed to know that, where a move stays
// in a clearing: a box that nothing reaches into. Each cell of a grid over the world has one, which is found once the cell has
// been asked for often enough. Which clearing a move is looked up in affects nothing but time: any of them gives the right
// answer. Their table is laid out in `clearing-layout.ts`; kernels in WebAssembly read it in `assembly/clearings.ts`.

const f = Math.fround;

/**
 * Clearings are measured in steps of the grid. A step is a Quake unit; where a world is so large that there would be too many
 * blocks of cells, it is increased by this factor until there are not.
 */
const STEP_GROWTH = 1.125;
const STEPS_BITS = CELL_BITS + BLOCK_BITS;
const MOST_BLOCKS = 65536;
/** Only blocks where something moves are kept: at most as many as 16 bits can number. */
const MOST_KEPT = 32767;
/** Room for less than this is too little for large maps of few brushes, and makes no difference to others. */
const LEAST_BYTES = 131072;

/**
 * How far a clearing may reach beyond its cell, in steps: first a little on each side, so that it becomes more like a
 * cube, then the rest.
 */
const GROWTHS = [24, 40];
const REACH = 64;

/** Obstacles are listed for an area of so many cells (in bits) along each axis; each of its cells then searches that list. */
const AREA_BITS = 3;
const AREA_STEPS = CELL_BITS + AREA_BITS;
/** A cell with more obstacles than this gets no clearing: finding it would take too long. */
const MOST_IN_CELL = 256;

/**
 * The steps that listing obstacles may take, at least and for each byte that is there for tables. Each number in a list costs
 * some, as it takes memory. After that, other areas get no clearings: in crafted maps, each of them may have everything in its
 * list, or take a walk through the whole tree. In known maps, all areas together take a third of that at most.
 */
const LEAST_STEPS = 2 ** 27;
const STEPS_PER_BYTE = 16;
const STEPS_PER_NUMBER = 16;

/** The most steps that fit into a signed byte; no clearing reaches more than one farther from its cell's least corner. */
const MOST_IN_BYTE = 127;

const CELL_BYTES = 1 << CELL_BYTES_BITS;
const BLOCK_BYTES = CELL_BYTES << (3 * BLOCK_BITS);

/** The bytes of a cell without a clearing. */
const NOTHING = [127, 127, 127, -1, -128, -128, -128, 1];

/** The least coordinate of grids; the greatest is its opposite. */
const LEAST = -32768;

/** What listing the obstacles of a world may still take. */
interface Listing extends Work {
  /** The latest list, which may be that of all areas. */
  latest: Float32Array | null;
}

/** A grid over a world: its least corner, blocks along each axis, steps per Quake unit, and how many blocks can be kept. */
export interface ClearingGrid {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  readonly scale: number;
  readonly kept: number;
  /** Shared by all clearings of this grid. */
  readonly listing: Listing;
}

/** A world's clearings, those that have been asked for so far. */
export interface Clearings extends ClearingGrid {
  /** Where the table begins in its buffer. */
  readonly address: number;
  readonly header: Int32Array;
  readonly blocks: Int16Array;
  readonly cells: Int8Array;
  readonly list: ObstacleLister;
  /** What `list` returned, by area. */
  readonly areas: Map<number, Float32Array | null>;
}

/**
 * Lists the bounds of everything that may be in the way of a move between two corners, six numbers each: mins, then maxs; it may
 * list more than that. Each side of these bounds is either a plane that engines test every move against that comes there, or lies
 * a unit in front of what they hit. Takes steps for what it looks at; `null` if there are none left.
 */
export type ObstacleLister = (
  mins: readonly number[],
  maxs: readonly number[],
  work: Work,
) => Float32Array | null;

/**
 * The grid for a world, or for one of several of it: they share about `bytes`, or 131 kB if that is more. `undefined`
 * where bounds are empty or inside out.
 */
export function clearingGrid({ mins, maxs }: Bounds, bytes: number, grids = 1): ClearingGrid | undefined {
  const low = Array.from(mins, (x) => Math.max(LEAST, Math.floor(x)));
  const lengths = Array.from(maxs, (x, k) => Math.min(-LEAST, Math.ceil(x)) - low[k]!);
  if (!lengths.every((length) => length > 0)) return undefined;
  for (let step = 1; ; step *= STEP_GROWTH) {
    const [nx, ny, nz] = lengths.map((length) => Math.ceil(length / step / (1 << STEPS_BITS)));
    const blocks = nx! * ny! * nz!;
    if (blocks > MOST_BLOCKS) continue;
    const kept = Math.min(blocks, MOST_KEPT, Math.ceil(Math.max(LEAST_BYTES, bytes) / BLOCK_BYTES / grids));
    const listing: Listing = { left: LEAST_STEPS + STEPS_PER_BYTE * bytes, latest: null };
    return {
      x: low[0]!,
      y: low[1]!,
      z: low[2]!,
      nx: nx!,
      ny: ny!,
      nz: nz!,
      scale: f(1 / step),
      kept,
      listing,
    };
  }
}

/** Bytes before a table's cells. */
const cellsOffset = ({ nx, ny, nz }: ClearingGrid): number =>
  GRID_BLOCKS + 16 * Math.ceil((nx * ny * nz) / 8);

/** Bytes that the table of a grid takes. */
export const clearingBytes = (grid: ClearingGrid): number => cellsOffset(grid) + BLOCK_BYTES * grid.kept;

/** Clearings of a world among obstacles, none of them known yet, in a table of {@link clearingBytes} zeros. */
export function createClearings(
  grid: ClearingGrid,
  list: ObstacleLister,
  buffer: ArrayBuffer = new ArrayBuffer(clearingBytes(grid)),
  at = 0,
): Clearings {
  const { x, y, z, nx, ny, nz, scale } = grid;
  const header = new Int32Array(buffer, at, GRID_BLOCKS / 4);
  const floats = new Float32Array(buffer, at, GRID_SIZES / 4);
  floats.set([x, y, z, 0, scale, scale, scale, 0], GRID_ORIGIN / 4);
  header.set([nx, ny, nz, 1, 1, nx, nx * ny, 0], GRID_SIZES / 4);
  header[GRID_CELLS / 4] = at + cellsOffset(grid);
  header[GRID_KEPT / 4] = grid.kept;
  return {
    ...grid,
    address: at,
    header,
    blocks: new Int16Array(buffer, at + GRID_BLOCKS, nx * ny * nz),
    cells: new Int8Array(buffer, at + cellsOffset(grid), BLOCK_BYTES * grid.kept),
    list,
    areas: new Map(),
  };
}

/**
 * Whether a short move of a shape that reaches from `mins` to `maxs` around it stays in a clearing: then it meets nothing. False
 * for moves whose length is 0 in float32: engines answer them in another way.
 */
export function isClear(clearings: Clearings, start: Vec3, end: Vec3, mins: Vec3, maxs: Vec3): boolean {
  const { scale } = clearings;
  // NaN is not less than anything.
  const x = (start[0]! - clearings.x) * scale;
  const ex = (end[0]! - clearings.x) * scale;
  if (!(Math.abs(ex - x) < SHORT)) return false;
  const y = (start[1]! - clearings.y) * scale;
  const ey = (end[1]! - clearings.y) * scale;
  if (!(Math.abs(ey - y) < SHORT)) return false;
  const z = (start[2]! - clearings.z) * scale;
  const ez = (end[2]! - clearings.z) * scale;
  if (!(Math.abs(ez - z) < SHORT)) return false;
  if (f(start[0]!) === f(end[0]!) && f(start[1]!) === f(end[1]!) && f(start[2]!) === f(end[2]!)) return false;
  const i = x | 0;
  const j = y | 0;
  const k = z | 0;
  const at = cellAt(clearings, i, j, k);
  if (at < 0) return false;
  const { cells } = clearings;
  const asked = cells[at + CELL_ASKED]!;
  if (asked >= ASKS) clear(clearings, at, i, j, k);
  else if (asked >= 0) cells[at + CELL_ASKED] = asked + 1;
  // Engines compare the ends' distances from a plane with an epsilon only where a move comes nearer to it. Written out for every
  // axis: V8 would box the numbers that a function is given.
  const lowX = (i & CELL_MASK) + cells[at]! - mins[0]! * scale + (end[0]! < start[0]! ? NEAR : CLOSE);
  const lowY = (j & CELL_MASK) + cells[at + 1]! - mins[1]! * scale + (end[1]! < start[1]! ? NEAR : CLOSE);
  const lowZ = (k & CELL_MASK) + cells[at + 2]! - mins[2]! * scale + (end[2]! < start[2]! ? NEAR : CLOSE);
  const greatest = at + CELL_GREATEST;
  const highX = (i & CELL_MASK) + cells[greatest]! - maxs[0]! * scale - (end[0]! > start[0]! ? NEAR : CLOSE);
  const highY =
    (j & CELL_MASK) + cells[greatest + 1]! - maxs[1]! * scale - (end[1]! > start[1]! ? NEAR : CLOSE);
  const highZ =
    (k & CELL_MASK) + cells[greatest + 2]! - maxs[2]! * scale - (end[2]! > start[2]! ? NEAR : CLOSE);
  return (
    x > lowX &&
    ex > lowX &&
    x < highX &&
    ex < highX &&
    y > lowY &&
    ey > lowY &&
    y < highY &&
    ey < highY &&
    z > lowZ &&
    ez > lowZ &&
    z < highZ &&
    ez < highZ
  );
}

/** The bits of a place, in steps, that say which cell it is in. */
const CELL_MASK = -1 << CELL_BITS;
const IN_BLOCK = (1 << BLOCK_BITS) - 1;

/** Where the cell begins that contains a place given in steps; -1 if it is not kept. */
function cellAt(clearings: Clearings, i: number, j: number, k: number): number {
  const { blocks, nx, ny, nz } = clearings;
  const bi = i >> STEPS_BITS;
  const bj = j >> STEPS_BITS;
  const bk = k >> STEPS_BITS;
  if (bi >>> 0 >= nx || bj >>> 0 >= ny || bk >>> 0 >= nz) return -1;
  const number = (bk * ny + bj) * nx + bi;
  let block = blocks[number]!;
  if (block === 0) block = keep(clearings, number);
  if (block < 0) return -1;
  const ci = (i >> CELL_BITS) & IN_BLOCK;
  const cj = (j >> CELL_BITS) & IN_BLOCK;
  const ck = (k >> CELL_BITS) & IN_BLOCK;
  const cell = (((ck << BLOCK_BITS) | cj) << BLOCK_BITS) | ci;
  return BLOCK_BYTES * (block - 1) + CELL_BYTES * cell;
}

const NOWHERE: Vec3 = [0, 0, 0];

/**
 * Looks for clearings that a kernel missed in a batch: for `count` segments from `first` on. `offset` is subtracted from their
 * coordinates to get into the frame of the clearings.
 */
export function findMissed(
  clearings: Clearings,
  segments: Float32Array,
  first: number,
  count: number,
  offset: Vec3 = NOWHERE,
): void {
  const { header } = clearings;
  const [x, y, z] = [offset[0]!, offset[1]!, offset[2]!];
  if (header[GRID_MISSED / 4] === 0) return;
  header[GRID_MISSED / 4] = 0;
  for (let n = 6 * first; n < 6 * (first + count); n += 6) {
    findClearing(clearings, f(segments[n]! - x), f(segments[n + 1]! - y), f(segments[n + 2]! - z));
  }
}

/**
 * Looks for the clearing where a move starts, if kernels have asked for it often enough. The arithmetic is that of the kernels,
 * which must find the same cell.
 */
export function findClearing(clearings: Clearings, x: number, y: number, z: number): void {
  const { scale } = clearings;
  const i = f(f(x - clearings.x) * scale) | 0;
  const j = f(f(y - clearings.y) * scale) | 0;
  const k = f(f(z - clearings.z) * scale) | 0;
  const at = cellAt(clearings, i, j, k);
  if (at >= 0 && clearings.cells[at + CELL_ASKED]! >= ASKS) clear(clearings, at, i, j, k);
}

// What the functions below work on: corners of a clearing in Quake units, and the places of nearby obstacles in their list.
const low = new Float64Array(3);
const high = new Float64Array(3);
const found = new Int32Array(MOST_IN_CELL);

/** Keeps a block, if there is room for it. Returns its number among those that are kept, or -1. */
function keep(clearings: Clearings, number: number): number {
  const { header, blocks, kept } = clearings;
  blocks[number] = header[GRID_TAKEN / 4]! < kept ? ++header[GRID_TAKEN / 4]! : -1;
  return blocks[number]!;
}

/** The obstacles near an area; `null` where listing them would take too long, or too much memory. */
function areaOf(clearings: Clearings, i: number, j: number, k: number): Float32Array | null {
  const { areas, listing } = clearings;
  // Grids have less than 1,024 areas along each axis.
  const number = (((k << 10) | j) << 10) | i;
  let area = areas.get(number);
  if (area === undefined) {
    bound(clearings, i << AREA_STEPS, j << AREA_STEPS, k << AREA_STEPS, 1 << AREA_STEPS);
    area = listing.left > 0 ? clearings.list([...low], [...high], listing) : null;
    if (area && area !== listing.latest) listing.left -= STEPS_PER_NUMBER * area.length;
    listing.latest = area;
    areas.set(number, area);
  }
  return area;
}

/** Looks for the clearing of the cell that contains a place given in steps. */
function clear(clearings: Clearings, at: number, i: number, j: number, k: number): void {
  const { cells, scale } = clearings;
  const area = areaOf(clearings, i >> AREA_STEPS, j >> AREA_STEPS, k >> AREA_STEPS);
  const [ci, cj, ck] = [i & CELL_MASK, j & CELL_MASK, k & CELL_MASK];
  bound(clearings, ci, cj, ck, 1 << CELL_BITS);
  const count = area ? findNear(area) : -1;
  for (let a = 0; a < 3; a++) {
    low[a]! += REACH / scale;
    high[a]! -= REACH / scale;
  }
  cells.set(NOTHING, at);
  const { x, y, z } = clearings;
  const place = [x + i / scale, y + j / scale, z + k / scale];
  if (!area || count < 0 || !cutCell(area, count, place)) return;
  for (const growth of GROWTHS) grow(area, count, growth / scale);
  for (const [a, corner] of [x + ci / scale, y + cj / scale, z + ck / scale].entries()) {
    cells[at + a] = Math.ceil((low[a]! - corner) * scale);
    cells[at + CELL_GREATEST + a] = Math.min(MOST_IN_BYTE, Math.floor((high[a]! - corner) * scale));
  }
}

/** Sets the corners to a cube of `steps` steps from a place on, and everything within reach of it. */
function bound({ x, y, z, scale }: ClearingGrid, i: number, j: number, k: number, steps: number): void {
  low[0] = x + (i - REACH) / scale;
  low[1] = y + (j - REACH) / scale;
  low[2] = z + (k - REACH) / scale;
  for (let a = 0; a < 3; a++) high[a] = low[a]! + (steps + 2 * REACH) / scale;
}

/** Finds the obstacles between the corners. Returns how many there are; -1 if there are too many. */
function findNear(obstacles: Float32Array): number {
  let count = 0;
  for (let at = 0; at < obstacles.length; at += 6) {
    if (!overlaps(obstacles, at, -1)) continue;
    if (count === MOST_IN_CELL) return -1;
    found[count++] = at;
  }
  return count;
}

/**
 * Whether an obstacle lies between the corners along all axes but one. NaN overlaps everything, and bounds that are inside out
 * overlap wherever both of their sides are reached.
 */
function overlaps(obstacles: Float32Array, at: number, except: number): boolean {
  for (let a = 0; a < 3; a++) {
    if (a !== except && (obstacles[at + a]! >= high[a]! || obstacles[at + 3 + a]! <= low[a]!)) return false;
  }
  return true;
}

/**
 * Cuts whatever obstacles reach into off the cell, for each the least that leaves the place where a move began: others are likely
 * to begin near it. For an obstacle around the place, the least that will do. Returns whether anything is left.
 */
function cutCell(obstacles: Float32Array, count: number, place: readonly number[]): boolean {
  for (let n = 0; n < count; n++) {
    const at = found[n]!;
    if (!overlaps(obstacles, at, -1)) continue;
    let best = 0;
    let axis = 0;
    let isAbove = false;
    for (let a = 0; a < 3; a++) {
      const length = high[a]! - low[a]!;
      const above = (high[a]! - obstacles[at + 3 + a]!) / length;
      const below = (obstacles[at + a]! - low[a]!) / length;
      // Each share is at most 1, so any cut that leaves the place is better than all others.
      const forAbove = above > 0 && place[a]! >= obstacles[at + 3 + a]! ? above + 1 : above;
      const forBelow = below > 0 && place[a]! <= obstacles[at + a]! ? below + 1 : below;
      if (forAbove > best) {
        best = forAbove;
        axis = a;
        isAbove = true;
      }
      if (forBelow > best) {
        best = forBelow;
        axis = a;
        isAbove = false;
      }
    }
    if (best === 0) return false;
    if (isAbove) low[axis] = obstacles[at + 3 + axis]!;
    else high[axis] = obstacles[at + axis]!;
  }
  return true;
}

/** Moves each side of the clearing outwards until something is in the way, by `most` at most. */
function grow(obstacles: Float32Array, count: number, most: number): void {
  for (let a = 0; a < 3; a++) {
    let least = low[a]! - most;
    let greatest = high[a]! + most;
    for (let n = 0; n < count; n++) {
      const at = found[n]!;
      if (!overlaps(obstacles, at, a)) continue;
      const end = obstacles[at + 3 + a]!;
      if (end <= low[a]!) least = Math.max(least, end);
      else greatest = Math.min(greatest, obstacles[at + a]!);
    }
    low[a] = least;
    high[a] = greatest;
  }
}
