// What both halves of the WebAssembly kernel know: where things are in its memory, in bytes. This file contains nothing but
// numbers, since AssemblyScript reads it too. Records are aligned to 16 bytes, or to 32 if a link or child leads to them. Where
// three numbers fill a vector, the fourth is 0 unless stated otherwise, so that it never decides a comparison.

// What walks of boxes need is laid out as in the package of brushes; this is the rest.

// Lines

/**
 * Ends of the line, and the answer: where it stopped, the head, the crossing (as `A_…` of the TypeScript kernel), and the
 * fraction.
 */
export const LINE_START = 464;
export const LINE_END = 480;
export const LINE_HIT = 496;
export const LINE_HEAD = 512;
export const LINE_CROSSING = 516;
export const LINE_FRACTION = 520;
/** For the current head: its hit and crossing. */
export const HEAD_HIT = 528;
export const HEAD_CROSSING = 544;
/**
 * Where the list is of tiles that a line meets, then of a tile's heads: the part of the line up to their bounds, and where these
 * are.
 */
export const LINE_LIST = 548;
export const LIST_BYTES = 8;
/** The table of blockers of lines. */
export const BLOCKERS = 552;
/** Rows of 16 bytes that copy a lane, by its number, to all lanes. */
export const LANES = 560;

// The world

/** First tile and the end of the tiles. */
export const TILES = 624;
export const TILES_END = 628;
/** Room that the bounds of a line leave for rounding, as a float. */
export const LINE_ROOM = 632;
/** Where the table of the trees of all box heads is, with those of all inline models behind them: a child for each. */
export const TREES = 556;

// Batches

/** In the place of a box's move: the tile's number, and the leaf's as in the record; -1 for none. */
export const MOVE_TILE = 8;
export const MOVE_LEAF = 12;
/** In the place of a line: its head as at `LINE_HEAD`; its crossing as at `LINE_CROSSING`, -1 for none. */
export const MOVE_HEAD = 8;
export const MOVE_CROSSING = 12;
/** Lines have a memory of their own. Their stack begins where the answers are that only boxes have. */
export const LINE_STACK = 103168;

/** A tile: bounds for boxes, bounds of what blocks lines, then first and end of its line heads and its box groups. */
export const TILE_BYTES = 80;
export const TILE_LINE_BOUNDS = 32;
export const TILE_LINE_HEADS = 64;
export const TILE_GROUPS = 72;

/** A line head: bounds, key, tree, number. */
export const ENTRY_BYTES = 48;
export const ENTRY_KEY = 32;
export const ENTRY_TREE = 36;
export const ENTRY_NUMBER = 40;

/**
 * Four box heads, or four groups of them: bounds by components, keys, which are 0 in lanes without one; the trees of heads, or
 * where the heads of groups begin, and where they end.
 */
export const QUAD_BYTES = 144;
export const QUAD_MAXS = 48;
export const QUAD_KEYS = 96;
export const QUAD_FIRST = 112;
export const QUAD_END = 128;

// Trees of lines. A link is the address of a treelet or a branch, or one of these two.

export const LINK_OPEN = 0;
export const LINK_BLOCKED = 32;
/** The bits of a link that are its address. */
export const LINK_ADDRESS = -32;
/** The bit of a link that says that it leads to a branch. */
export const LINK_BRANCH = 16;
// The lower four bits of a link in a treelet's table: the nodes on the way to it.

/** A branch: bounds of what blocks below, infinite in their fourth lanes; then one link, or the two of a union. */
export const BRANCH_BYTES = 48;
export const BRANCH_FIRST = 32;
export const BRANCH_SECOND = 36;

/**
 * A treelet: up to four nodes, each after its parent. Their planes by components; sixteen links, by the sides to which the nodes
 * send the line (a bit of 1: behind); for each node whether its front or back child is open, or either of them blocks; places of
 * the nodes in the world's buffer.
 */
export const TREELET_BYTES = 160;
export const TREELET_LINKS = 64;
export const TREELET_LEAFS = 128;
export const TREELET_PLACES = 144;
/** Where the bits of four nodes begin in a treelet's word of leafs. */
export const LEAFS_BACK = 4;
export const LEAFS_BLOCKED = 8;

/**
 * A frame of a line's stack: what waits; its treelet or link; the bits that are decided, and which bits these are; crossing; six
 * coordinates.
 */
export const LINE_FRAME_BYTES = 48;
