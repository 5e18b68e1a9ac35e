// The places in the block of brushes that are this format's own, in words of 32 bits; each is a float32 (B_) or a whole number
// (S_). This file contains nothing but numbers, since both kernels read it. Vectors have room for a fourth number.

/** From the traced point to the box's middle, which is what moves. */
export const B_CENTER = 20;
/** Both corners as given. */
export const B_GIVEN_MINS = 24;
export const B_GIVEN_MAXS = 28;
/** Levels as given, and the selection that they make. */
export const S_LEVELS = 36;
export const S_SELECTION = 37;
/** The fraction that a model's trace starts from; one number. */
export const B_LIMIT = 38;

/** Both ends as given. */
export const B_GIVEN_START = 48;
export const B_GIVEN_END = 52;
/** 1: both ends are the same in the world; in a model's frame rounding may make them so. */
export const S_WORLD_STILL = 62;
/** Whether any head had start solid or all solid; the engine may lose these between heads. */
export const S_ANY_START_SOLID = 60;
export const S_ANY_ALL_SOLID = 61;

/** Records of answers besides that of the current head: for the best of a tile and of the world. */
export const B_FIRST = 80;
export const B_SECOND = 96;
/** Where a move through the world stopped: the point as given, not the box's middle. */
export const B_STOP = 112;
export const BLOCK_WORDS = 116;

/** Places in a record: tile, -1 for none. */
export const R_TILE = 11;
/** Inline model that was traced, 0 for the world. */
export const R_MODEL = 12;
