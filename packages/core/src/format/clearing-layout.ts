// The table of clearings, which JavaScript and kernels in WebAssembly read and write. This file contains nothing but numbers,
// since AssemblyScript reads it too; offsets are in bytes.

/** Steps of a cell and cells of a block along each axis, in bits. Kernels rely on a block being two cells wide. */
export const CELL_BITS = 6;
export const BLOCK_BITS = 1;

/** Moves of this many steps or more along an axis are not looked up: they seldom stay in a clearing. */
export const SHORT = 64;

/**
 * How far a shape has to be from the sides of a clearing, in steps: first from those that it does not come nearer to, then from
 * those that it does. Rounding takes less than the first, rounding and the engines' epsilons less than the second.
 */
export const CLOSE = 0.0234375;
export const NEAR = 0.625;

/**
 * How often asking for a clearing that is not known does nothing: finding one takes about as long as two dozen traces, and for
 * the first of an area milliseconds in a process that has compiled nothing yet.
 */
export const ASKS = 25;

/** Four numbers each, one after the other: least corner of the grid, 0; steps per unit along each axis, 0. */
export const GRID_ORIGIN = 0;
export const GRID_SCALE = 16;
/** Likewise: blocks along each axis, 1; what a block's place along each axis is multiplied by to get its number, 0. */
export const GRID_SIZES = 32;
export const GRID_STRIDES = 48;
/** 1 if a kernel missed a clearing in a batch, which has to be looked for then. */
export const GRID_MISSED = 64;
/** Address of the cells; how many blocks are kept so far, and at most. */
export const GRID_CELLS = 68;
export const GRID_TAKEN = 72;
export const GRID_KEPT = 76;
/** For each block 16 bits: its number among those that are kept, from 1; 0 before it is looked for, -1 if it is not kept. */
export const GRID_BLOCKS = 80;

/**
 * A cell has eight bytes: least x, y, z of its clearing in steps from its own least corner; how often it has been asked for, or
 * -1 once its clearing is known; greatest x, y, z; 1.
 */
export const CELL_BYTES_BITS = 3;
export const CELL_ASKED = 3;
export const CELL_GREATEST = 4;
