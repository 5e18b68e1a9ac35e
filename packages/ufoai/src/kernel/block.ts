// Places in the block that a box's query and answers lie in, in words of 32 bits; each is a float32 (B_) or a whole
// number (S_). Nothing but numbers here: both kernels read this file. Vectors have room for a fourth number.

/** Ends of the move of the box's middle, in the frame of what is traced. Three numbers each, as all vectors. */
export const B_START = 0;
export const B_END = 4;

/** From here on stands what a tracer says of its box, until the next tracer's takes its place. */
export const SETTINGS = 8;
/** Corners of the centred box. */
export const B_MINS = 8;
export const B_MAXS = 12;
/** How far the box widens an axial plane: its maxs, 0 for points. */
export const B_EXTENTS = 16;
/** From the traced point to the box's middle. */
export const B_CENTER = 20;
/** Both corners as given. */
export const B_GIVEN_MINS = 24;
export const B_GIVEN_MAXS = 28;
export const S_MASK = 32;
export const S_REJECT = 33;
/** 1: the shape is a point. */
export const S_POINT = 34;
/** Levels as given, and the selection that they make. */
export const S_LEVELS = 35;
export const S_SELECTION = 36;
/** The fraction that a model's trace starts from; one number. */
export const B_LIMIT = 37;
export const SETTINGS_WORDS = 32;

/** Box around the whole move, with room for rounding: brushes outside it cannot matter. */
export const B_LOW = 40;
export const B_HIGH = 44;
/** Both ends as given. */
export const B_GIVEN_START = 48;
export const B_GIVEN_END = 52;
/** A number on its way out of a function. Returned, or taken as an argument, V8 might box it. */
export const B_NUMBER = 56;
/** 1: both ends are one, so this is a position test. */
export const S_STILL = 57;
/** 1: brushes and heads may be skipped by their bounds. */
export const S_CULL = 58;
/** 1: both ends are one in the world; in a model's frame they may come together by rounding. */
export const S_WORLD_STILL = 59;
/** Start solid and all solid of any head; the engine may lose them between heads. */
export const S_ANY_START_SOLID = 60;
export const S_ANY_ALL_SOLID = 61;

/** Records of answers: that of the head at hand, and two for the best of a tile and of the world. */
export const B_HEAD = 64;
export const B_FIRST = 80;
export const B_SECOND = 96;
/** Where a move through the world stopped: of the point that was given. */
export const B_STOP = 112;
export const BLOCK_WORDS = 116;

/** Places in a record. Fraction, normal xyz, distance. */
export const R_NORMAL = 1;
export const R_DIST = 4;
export const R_START_SOLID = 5;
export const R_ALL_SOLID = 6;
export const R_CONTENTS = 7;
/** Place of the side that was hit, 0 for none. */
export const R_SIDE = 8;
/** Place of the brush that was hit, 0 for none. */
export const R_BRUSH = 9;
/** Number of the leaf among all tiles', -1 for none. */
export const R_LEAF = 10;
/** Tile, -1 for none. */
export const R_TILE = 11;
/** Inline model that was traced, 0 for the world. */
export const R_MODEL = 12;
