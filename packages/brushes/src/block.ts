// Places in the block that holds a box's query and answer, in words of 32 bits; each is a float32 (B_) or a whole number (S_).
// This file contains nothing but numbers, since both kernels read it. Vectors have room for a fourth number. Free places belong
// to the format.

/** Ends of the move, in the frame of what is traced. Three numbers each, like all vectors. */
export const B_START = 0;
export const B_END = 4;

/** From here on: what a tracer says about its box, until another tracer's settings take its place. */
export const SETTINGS = 8;
/** Corners of the box, relative to what moves from `B_START` to `B_END`. */
export const B_MINS = 8;
export const B_MAXS = 12;
/** How far the box widens an axial plane of the tree; 0 for points. */
export const B_EXTENTS = 16;
/** 20 to 31 are the format's. */
export const S_MASK = 32;
export const S_REJECT = 33;
/** 1: the shape is a point. */
export const S_POINT = 34;
/** 1: sweeps check leafs and brushes against neither mask nor reject. */
export const S_EVERY = 35;
/** 36 to 39 are the format's. */
export const SETTINGS_WORDS = 32;

/** Box around the whole move, with room for rounding: brushes outside it cannot matter. */
export const B_LOW = 40;
export const B_HIGH = 44;
/**
 * 48 to 55 are the format's. A number on its way out of a function: if it were returned, or passed as an argument, V8 might box
 * it.
 */
export const B_NUMBER = 56;
/** 1: both ends are the same, so this is a position test. */
export const S_STILL = 57;
/** 1: brushes may be skipped by their bounds. */
export const S_CULL = 58;
/** 1: any hit will do, so the first one ends the trace, with fraction 0. */
export const S_ANY = 59;
/** 60 to 63 are the format's. */

/** The answer's record, of 16 words; the format may have more records behind it. */
export const B_HEAD = 64;

/** Places in a record, which begins with the fraction: normal xyz, distance. */
export const R_NORMAL = 1;
export const R_DIST = 4;
export const R_START_SOLID = 5;
export const R_ALL_SOLID = 6;
export const R_CONTENTS = 7;
/** Place of the side that was hit, 0 for none. */
export const R_SIDE = 8;
/** Place of the brush that was hit, 0 for none. */
export const R_BRUSH = 9;
/** Number of the leaf of the hit, or of the start in solid; -1 for none. Places 11 to 15 are the format's. */
export const R_LEAF = 10;
