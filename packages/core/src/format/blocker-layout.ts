// The table of blockers, which JavaScript and kernels in WebAssembly read and write. Nothing but numbers here, for
// AssemblyScript reads this file too; offsets are in bytes.

/** How far inside a brush a move has to come for it to be blocked for certain, in Quake units: see `blockers.ts`. */
export const WITHIN = 1;
/** Part of the move that has to lie there, at least, so that no piece of it counts that fractions are rounded away from. */
export const PART = 0.0000152587890625;
/** Farther from the middle of the world than this, along an axis, rounding is too coarse. */
export const FARTHEST = 32768;
/**
 * Greater epsilons reach farther than that allows for. With smaller ones walks may lose what is in the way, where they divide
 * by next to nothing.
 */
export const MOST_EPSILON = 0.125;
export const LEAST_EPSILON = 0.0009765625;

/**
 * How many solids wait to be looked at, so many at most: for each what it is told by, its number, start and end of the move that
 * met it.
 */
export const NUM_WANTED = 0;
export const WANTED = 16;
export const WANTED_BYTES = 32;
export const WANTED_MOVE = 8;
export const MOST_WANTED = 32;

/**
 * The blockers that are asked, in sets for moves that begin in the same cell, of so many units, and go the same way along all axes;
 * several cells may have one set. Where sets begin, their number less 1, which has all lower bits, and the latest move's.
 */
export const SETS = 4;
export const SETS_MASK = 8;
export const SET = 12;
export const CELL_UNITS = 256;
/** Of a set: its blockers, so many times four; then which of them is replaced next, and its credit. */
export const SET_BYTES = 464;
export const SET_NEXT = 448;
export const SET_CREDIT = 452;
/**
 * A set with less credit than 0 is not asked. Each move costs it 1, and it earns so much when one of the set is in its way: walks
 * take so many times as long as to ask, or more. Bounds of the credit, and what a blocker brings that is new in the set.
 */
export const CREDIT = 6;
export const MOST_CREDIT = 64;
export const LEAST_CREDIT = -64;
export const NEW_CREDIT = 8;
/** Of four: lowest x, y, z of their insides, then highest, as columns; addresses of their records, 0 for none. */
export const FOUR_BYTES = 112;
export const FOUR_LOW = 0;
export const FOUR_HIGH = 48;
export const FOUR_RECORDS = 96;

/** What the kernel puts aside: both ends of the move, and of four the parts of it where bounds are entered and left. */
export const ENDS = 1040;
export const PARTS = 1072;

/**
 * Where the words of solids begin, by their numbers: how many moves it has blocked by now; -1 when it is no blocker, or
 * waits; else the address of its record. It is looked at when it has blocked so many.
 */
export const WORDS = 1104;
export const BLOCKS_SEEN = 64;
/** Kernels tell so many cells from each other, in bits; of others, some are taken for these. */
export const CELL_NUMBER_BITS = 13;

/** A record: lowest x, y, z of its inside, contents; highest, then as below. */
export const RECORD_BYTES = 48;
export const RECORD_CONTENTS = 12;
export const RECORD_HIGH = 16;
/** Where the blocks of its sides begin and end; nothing is between them where its bounds say the same. */
export const RECORD_BLOCKS = 28;
export const RECORD_END = 32;
/** A block: x, y, z and distances of four sides. Those of brushes are such. */
export const BLOCK_BYTES = 64;
