// The table of clearings, which JavaScript and kernels in WebAssembly read and write. Nothing but numbers here, for
// AssemblyScript reads this file too; offsets are in bytes.

/** Steps of a cell along each axis, in bits, and cells of a block. Kernels rely on a block being two cells wide. */
export const CELL_BITS = 6;
export const BLOCK_BITS = 1;

/** Moves of this many steps along an axis, or more, are not looked for: they seldom stay in a clearing. */
export const SHORT = 64;

/**
 * How far a shape has to be from the sides of a clearing, in steps, where it does not come nearer to them, and where it does:
 * rounding takes less than the first, and it and the epsilons of engines less than the second.
 */
export const CLOSE = 0.0234375;
export const NEAR = 0.625;

/**
 * So often nothing is done when a clearing is asked for that is not known: to find one takes as long as two dozen traces or so,
 * and for the first of an area milliseconds in a process that has compiled nothing yet.
 */
export const ASKS = 25;

/** Four numbers each, one after the other: least corner of the grid, 0; steps per unit along each axis, 0. */
export const GRID_ORIGIN = 0;
export const GRID_SCALE = 16;
/** Likewise: blocks along each axis, 1; what a block's place along each axis is multiplied by to get its number, 0. */
export const GRID_SIZES = 32;
export const GRID_STRIDES = 48;
/** 1 when a kernel missed a clearing in a batch that has to be looked for. */
export const GRID_MISSED = 64;
/** Address of the cells; how many blocks are kept by now, and at most. */
export const GRID_CELLS = 68;
export const GRID_TAKEN = 72;
export const GRID_KEPT = 76;
/** For each block 16 bits: which of those that are kept it is, from 1; 0 before it is looked for, -1 if it is not kept. */
export const GRID_BLOCKS = 80;

/**
 * A cell has eight bytes: least x, y, z of its clearing in steps from its own least corner, how often it has been asked for or
 * -1 once its clearing is known, greatest x, y, z, 1.
 */
export const CELL_BYTES_BITS = 3;
export const CELL_ASKED = 3;
export const CELL_GREATEST = 4;
