import type { Bounds, Vec3 } from '../vec.ts';

// Most moves that games ask about are short and meet nothing. That is known without a walk through the tree where they stay
// in a clearing: a box that nothing reaches into. There is one for each cell of a grid over the world, found when a short move
// first begins in that cell. Which clearing a move is looked for in decides nothing but time: any of them tells the truth.

const f = Math.fround;

/** Least edge of a cell in Quake units. It grows by a factor until there are few enough cells. */
const CELL = 64;
const CELL_GROWTH = 1.125;
const MOST_CELLS = 131072;

/**
 * How far a clearing may reach beyond its cell, in Quake units: first a little on each side, so that it becomes more like a
 * cube, then the rest.
 */
const GROWTHS = [24, 40];
const REACH = 64;

/** Longer moves seldom stay in a clearing. In Quake units along an axis; kernels know it too. */
const SHORT = 64;

/** How far clearings stay away from everything, in Quake units. */
const MARGIN = 1;
/** The greatest epsilon of those who may ask in clearings: the rest of the margin is for rounding. */
export const CLEAR_EPSILON = 0.5;

/** Obstacles are looked for in a block of cells, so many along each axis, and among those in each of its cells. */
const BLOCK_BITS = 3;
/** A block or cell with more obstacles than these has no clearings: to find them would take too long. */
const MOST_IN_BLOCK = 2048;
const MOST_IN_CELL = 256;

/** The least and greatest whole numbers that are kept. */
const LEAST = -32768;
const MOST = 32767;

// The table has one layout for JavaScript and for kernels in WebAssembly (`assembly/clearings.ts`). In 32-bit words: least
// corner of the grid, 0; cells per unit along each axis, 0; cells along each axis, 1; what a cell's place along each axis is
// multiplied by to get its number, 0; whether a kernel missed a clearing that had not been looked for, and three to spare.
// Then for each cell 16-bit numbers: least x, y, z of its clearing, -1 if it has been looked for, greatest x, y, z, 1.
const MISSED_WORD = 16;
const HEADER_BYTES = 80;
const CELL_NUMBERS = 8;
const KNOWN = 3;
const GREATEST = 4;

/** A grid over a world: its least corner, cells along each axis, cells per Quake unit. */
export interface ClearingGrid {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  readonly scale: number;
}

/** A world's clearings, as far as they have been asked for. */
export interface Clearings extends ClearingGrid {
  readonly header: Int32Array;
  readonly boxes: Int16Array;
  /** Lists the bounds of everything that may be in the way of a move, six numbers each: mins, then maxs. Asked once. */
  readonly list: () => Float32Array;
  obstacles: Float32Array | undefined;
  /** Numbers of the obstacles near blocks that have been asked for; `null` where there are too many. */
  readonly blocks: (Int32Array | null)[];
}

/** The grid for a world; `undefined` for bounds that are none. */
export function clearingGrid({ mins, maxs }: Bounds): ClearingGrid | undefined {
  const low = Array.from(mins, (x) => Math.max(LEAST, Math.floor(x)));
  const lengths = Array.from(maxs, (x, k) => Math.min(MOST, Math.ceil(x)) - low[k]!);
  if (!lengths.every((length) => length > 0)) return undefined;
  for (let size = CELL; ; size *= CELL_GROWTH) {
    const [nx, ny, nz] = lengths.map((length) => Math.ceil(length / size)) as [number, number, number];
    if (nx * ny * nz > MOST_CELLS) continue;
    return { x: low[0]!, y: low[1]!, z: low[2]!, nx, ny, nz, scale: f(1 / size) };
  }
}

/** Bytes that a table for a grid takes. */
export const clearingBytes = ({ nx, ny, nz }: ClearingGrid): number =>
  HEADER_BYTES + 2 * CELL_NUMBERS * nx * ny * nz;

/** Clearings of a world among obstacles, none known yet, in a table of {@link clearingBytes} that are 0. */
export function createClearings(
  grid: ClearingGrid,
  list: () => Float32Array,
  buffer: ArrayBuffer = new ArrayBuffer(clearingBytes(grid)),
  at = 0,
): Clearings {
  const { x, y, z, nx, ny, nz, scale } = grid;
  const header = new Int32Array(buffer, at, HEADER_BYTES / 4);
  new Float32Array(buffer, at).set([x, y, z, 0, scale, scale, scale, 0]);
  header.set([nx, ny, nz, 1, 1, nx, nx * ny, 0], 8);
  const boxes = new Int16Array(buffer, at + HEADER_BYTES, CELL_NUMBERS * nx * ny * nz);
  return { ...grid, header, boxes, list, obstacles: undefined, blocks: [] };
}

/**
 * Whether a short move, of a shape that reaches from `mins` to `maxs` around it, stays in a clearing: then it meets nothing.
 * Moves of no length, as float32, do not count: engines answer them in another way.
 */
export function isClear(clearings: Clearings, start: Vec3, end: Vec3, mins: Vec3, maxs: Vec3): boolean {
  const x = start[0]!;
  const y = start[1]!;
  const z = start[2]!;
  const ex = end[0]!;
  const ey = end[1]!;
  const ez = end[2]!;
  // What is no number is not less than anything.
  if (!(Math.abs(ex - x) < SHORT && Math.abs(ey - y) < SHORT && Math.abs(ez - z) < SHORT)) return false;
  const { boxes, nx, ny, nz, scale } = clearings;
  const i = ((x - clearings.x) * scale) | 0;
  const j = ((y - clearings.y) * scale) | 0;
  const k = ((z - clearings.z) * scale) | 0;
  if (i >>> 0 >= nx || j >>> 0 >= ny || k >>> 0 >= nz) return false;
  const at = CELL_NUMBERS * ((k * ny + j) * nx + i);
  if (boxes[at + KNOWN] === 0) clear(clearings, at, i, j, k);
  const lowX = boxes[at]! - mins[0]!;
  const lowY = boxes[at + 1]! - mins[1]!;
  const lowZ = boxes[at + 2]! - mins[2]!;
  const highX = boxes[at + GREATEST]! - maxs[0]!;
  const highY = boxes[at + GREATEST + 1]! - maxs[1]!;
  const highZ = boxes[at + GREATEST + 2]! - maxs[2]!;
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
    ez < highZ &&
    (f(x) !== f(ex) || f(y) !== f(ey) || f(z) !== f(ez))
  );
}

/** Looks for clearings that a kernel missed in a batch: for so many segments from the first. */
export function findMissed(clearings: Clearings, segments: Float32Array, first: number, count: number): void {
  const { header, boxes, nx, ny, nz, scale } = clearings;
  if (header[MISSED_WORD] === 0) return;
  header[MISSED_WORD] = 0;
  for (let at = 6 * first; at < 6 * (first + count); at += 6) {
    const i = ((segments[at]! - clearings.x) * scale) | 0;
    const j = ((segments[at + 1]! - clearings.y) * scale) | 0;
    const k = ((segments[at + 2]! - clearings.z) * scale) | 0;
    if (i >>> 0 >= nx || j >>> 0 >= ny || k >>> 0 >= nz) continue;
    const cell = CELL_NUMBERS * ((k * ny + j) * nx + i);
    if (boxes[cell + KNOWN] === 0) clear(clearings, cell, i, j, k);
  }
}

// What the functions below work on: corners of a clearing, and numbers of obstacles near it.
const low = new Float64Array(3);
const high = new Float64Array(3);
const near = new Int32Array(MOST_IN_BLOCK);

/** Looks for the clearing of a cell. */
function clear(clearings: Clearings, at: number, i: number, j: number, k: number): void {
  clearings.obstacles ??= clearings.list();
  const { boxes, obstacles } = clearings;
  const block = blockOf(clearings, obstacles, i >> BLOCK_BITS, j >> BLOCK_BITS, k >> BLOCK_BITS);
  bound(clearings, i, j, k, 1);
  const count = block ? findNear(obstacles, block, MOST_IN_CELL) : -1;
  for (let a = 0; a < 3; a++) {
    low[a]! += REACH;
    high[a]! -= REACH;
  }
  const isOpen = count >= 0 && cutCell(obstacles, count);
  if (isOpen) for (const growth of GROWTHS) grow(obstacles, count, growth);
  for (let a = 0; a < 3; a++) {
    boxes[at + a] = isOpen ? Math.max(LEAST, Math.ceil(low[a]! + MARGIN)) : MOST;
    boxes[at + GREATEST + a] = isOpen ? Math.min(MOST, Math.floor(high[a]! - MARGIN)) : LEAST;
  }
  boxes[at + KNOWN] = -1;
  boxes[at + GREATEST + 3] = 1;
}

/** Sets the corners to those of a cell, or of a block of so many cells along each axis, and of what is in reach of it. */
function bound({ x, y, z, scale }: ClearingGrid, i: number, j: number, k: number, cells: number): void {
  low[0] = x + i / scale;
  low[1] = y + j / scale;
  low[2] = z + k / scale;
  for (let a = 0; a < 3; a++) {
    low[a]! -= REACH;
    high[a] = low[a]! + cells / scale + 2 * REACH;
  }
}

/** Numbers of the obstacles near a block; `null` where there are too many. */
function blockOf(
  clearings: Clearings,
  obstacles: Float32Array,
  i: number,
  j: number,
  k: number,
): Int32Array | null {
  const { blocks, nx, ny } = clearings;
  const number = (k * ((ny >> BLOCK_BITS) + 1) + j) * ((nx >> BLOCK_BITS) + 1) + i;
  let block = blocks[number];
  if (block === undefined) {
    bound(clearings, i << BLOCK_BITS, j << BLOCK_BITS, k << BLOCK_BITS, 1 << BLOCK_BITS);
    const count = findNear(obstacles, undefined, MOST_IN_BLOCK);
    block = count >= 0 ? near.slice(0, count) : null;
    blocks[number] = block;
  }
  return block;
}

/** Finds which obstacles, of some or of all, lie between the corners. Returns how many; -1 if more than `most`. */
function findNear(obstacles: Float32Array, some: Int32Array | undefined, most: number): number {
  const length = some ? some.length : obstacles.length / 6;
  let count = 0;
  for (let n = 0; n < length; n++) {
    const number = some ? some[n]! : n;
    if (!overlaps(obstacles, 6 * number, -1)) continue;
    if (count === most) return -1;
    near[count++] = number;
  }
  return count;
}

/**
 * Whether an obstacle lies between the corners, but for where it lies along one axis. What is no number lies everywhere, and
 * bounds that are inside out wherever both of their sides are reached.
 */
function overlaps(obstacles: Float32Array, at: number, except: number): boolean {
  for (let a = 0; a < 3; a++) {
    if (a !== except && (obstacles[at + a]! >= high[a]! || obstacles[at + 3 + a]! <= low[a]!)) return false;
  }
  return true;
}

/** Cuts off the cell what obstacles reach into, for each the least that will do. Returns whether anything is left. */
function cutCell(obstacles: Float32Array, count: number): boolean {
  for (let n = 0; n < count; n++) {
    const at = 6 * near[n]!;
    if (!overlaps(obstacles, at, -1)) continue;
    let most = 0;
    let axis = 0;
    let isAbove = false;
    for (let a = 0; a < 3; a++) {
      const length = high[a]! - low[a]!;
      const above = (high[a]! - obstacles[at + 3 + a]!) / length;
      const below = (obstacles[at + a]! - low[a]!) / length;
      if (above > most) {
        most = above;
        axis = a;
        isAbove = true;
      }
      if (below > most) {
        most = below;
        axis = a;
        isAbove = false;
      }
    }
    if (most === 0) return false;
    if (isAbove) low[axis] = obstacles[at + 3 + axis]!;
    else high[axis] = obstacles[at + axis]!;
  }
  return true;
}

/** Moves each side of the clearing outward as far as nothing is in the way, by so much at most. */
function grow(obstacles: Float32Array, count: number, most: number): void {
  for (let a = 0; a < 3; a++) {
    let least = low[a]! - most;
    let greatest = high[a]! + most;
    for (let n = 0; n < count; n++) {
      const at = 6 * near[n]!;
      if (!overlaps(obstacles, at, a)) continue;
      const end = obstacles[at + 3 + a]!;
      if (end <= low[a]!) least = Math.max(least, end);
      else greatest = Math.min(greatest, obstacles[at + a]!);
    }
    low[a] = least;
    high[a] = greatest;
  }
}
