// The table of blockers, which JavaScript and kernels in WebAssembly read and write. This file contains nothing but numbers,
// since AssemblyScript reads it too; offsets are in bytes.

/** How far inside a brush a move has to come for it to be blocked for certain, in Quake units: see `blockers.ts`. */
export const WITHIN = 1;
/** The least part of the move that has to lie there, so that a piece that may be due to rounding does not count. */
export const PART = 0.0000152587890625;
/** Farther than this from the middle of the world, along any axis, rounding is too coarse. */
export const FARTHEST = 32768;
/**
 * Greater epsilons reach farther than `WITHIN` allows for. With smaller ones walks may miss what is in the way, where they divide
 * by almost nothing.
 */
export const MOST_EPSILON = 0.125;
export const LEAST_EPSILON = 0.0009765625;

/**
 * How many solids wait to be examined, `MOST_WANTED` at most; then for each of them what identifies it, its number, and start and
 * end of the move that met it.
 */
export const NUM_WANTED = 0;
export const WANTED = 16;
export const WANTED_BYTES = 32;
export const WANTED_MOVE = 8;
export const MOST_WANTED = 32;

/**
 * The blockers that are asked, in sets: one for all moves that begin in the same cell, `CELL_UNITS` wide, and go the same way
 * along all axes; several cells may share a set. Here: where the sets begin, their number less 1, which has all lower bits set,
 * and the set of the latest move.
 */
export const SETS = 4;
export const SETS_MASK = 8;
export const SET = 12;
export const CELL_UNITS = 256;
/** A set: its blockers, in fours; then which of them is replaced next, and its credit. */
export const SET_BYTES = 464;
export const SET_NEXT = 448;
export const SET_CREDIT = 452;
/**
 * A set with a credit below 0 is not asked. Each move costs it 1, and it earns `CREDIT` when one of its blockers is in the way: a
 * walk takes at least that many times as long as asking. Then the bounds of the credit, and what a blocker that is new in the set
 * brings.
 */
export const CREDIT = 6;
export const MOST_CREDIT = 64;
export const LEAST_CREDIT = -64;
export const NEW_CREDIT = 8;
/** Four blockers: lowest x, y, z of their insides, then highest, as columns; addresses of their records, 0 for none. */
export const FOUR_BYTES = 112;
export const FOUR_LOW = 0;
export const FOUR_HIGH = 48;
export const FOUR_RECORDS = 96;

/**
 * What the kernel stores meanwhile: both ends of the move, and for four blockers the parts of it where it enters and leaves their
 * bounds.
 */
export const ENDS = 1040;
export const PARTS = 1072;

/**
 * Where the words of solids begin, by their numbers: how many moves the solid has blocked so far; -1 if it is no blocker, or
 * waits to be examined; else the address of its record. It is examined once it has blocked `BLOCKS_SEEN` moves.
 */
export const WORDS = 1104;
export const BLOCKS_SEEN = 64;
/** How many cells kernels can tell apart, in bits; if there are more, some are taken for others. */
export const CELL_NUMBER_BITS = 13;

/** A record: lowest x, y, z of its inside, contents; highest x, y, z; then as below. */
export const RECORD_BYTES = 48;
export const RECORD_CONTENTS = 12;
export const RECORD_HIGH = 16;
/** Where the blocks of its sides begin and end; there are none if its bounds say the same. */
export const RECORD_BLOCKS = 28;
export const RECORD_END = 32;
/** A block: x, y, z of the normals, and the distances, of four sides, like the blocks of brushes. */
export const BLOCK_BYTES = 64;
