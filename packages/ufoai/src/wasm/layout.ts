// What both halves of the WebAssembly kernel know: where things lie in its memory, in bytes. Nothing but numbers here,
// for AssemblyScript reads this file too. Records are aligned to 16 bytes, those that a link or child leads to
// to 32. Where three numbers fill a vector, the fourth is 0 unless stated otherwise, so that it never decides a
// comparison.

// The block of `kernel/block.ts` begins at 0. What follows it belongs to the kernel alone.

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
/** Of the head at hand: its hit and crossing. */
export const HEAD_HIT = 528;
export const HEAD_CROSSING = 544;
/** Rows of 16 bytes that bring a lane, by its number, to all lanes. */
export const LANES = 560;

// The world

/** First tile and the end of the tiles. */
export const TILES = 624;
export const TILES_END = 628;
/** Room that the bounds of a line leave for rounding, as a float. */
export const LINE_ROOM = 632;
/** Number of the latest trace through one head; all brushes, and their end. */
export const TRACES = 636;
export const BRUSHES = 640;
export const BRUSHES_END = 644;
/** Bounds of the move on the grid of references, to be compared with them. */
export const QUANTA = 656;
/** The piece of the move at hand, for nodes that look at one coordinate of it. */
export const PIECE_START = 672;
export const PIECE_END = 688;
/** Corners of the box as sweeps need them: 0 for points. */
export const SWEEP_MINS = 704;
export const SWEEP_MAXS = 720;

// Batches

/** Moves, so many at a time: six numbers each. Then answers as arrays. */
export const BATCH_MOVES = 256;
export const SEGMENT_BYTES = 24;
export const SEGMENTS = 768;
export const FRACTIONS = 6912;
export const DISTS = 7936;
export const CONTENTS = 8960;
/** Places of brush and side that a box hit, 0 for none, and the tile's number. */
export const BRUSH_PLACES = 9984;
export const SIDE_PLACES = 11008;
export const TILE_NUMBERS = 12032;
/** Crossings of lines, as at `LINE_CROSSING`; -1 where nothing is in the way. */
export const CROSSINGS = 13056;
/** Three numbers for each answer. */
export const END_POSITIONS = 14080;
export const NORMALS = 17152;
/** Bytes, 1 or 0: of moves, and whether they are blocked. */
export const STARTS_SOLID = 20224;
export const ALL_SOLID = 20480;
export const BLOCKED = 20736;
/** Numbers of moves that the other kernel has to be asked for. */
export const UNSURE_MOVES = 20992;

/** The stack. The world follows where it ends. */
export const STACK = 22016;

/** A tile: bounds for boxes, bounds of what blocks lines, then first and end of its line heads and its box groups. */
export const TILE_BYTES = 80;
export const TILE_LINE_BOUNDS = 32;
export const TILE_LINE_HEADS = 64;
export const TILE_GROUPS = 72;

/** A line head, box head or group of box heads: bounds, key, and what they are bounds of. */
export const ENTRY_BYTES = 48;
export const ENTRY_KEY = 32;
/** A head's tree, or the first of a group's heads. */
export const ENTRY_FIRST = 36;
/** The end of a group's heads; of a line head its number. */
export const ENTRY_END = 40;

// Trees of lines. A link is the address of a treelet or a branch, or one of these two.

export const LINK_OPEN = 0;
export const LINK_BLOCKED = 32;
/** Of a link, what is its address. */
export const LINK_ADDRESS = -32;
/** Bit of a link: it leads to a branch. */
export const LINK_BRANCH = 16;
/** Bits of a link in a treelet's table: the nodes that lie on the way to it. */
export const LINK_PATH = 15;

/** A branch: bounds of what blocks below, infinite in their fourth lanes; then one link, or the two of a union. */
export const BRANCH_BYTES = 48;
export const BRANCH_FIRST = 32;
export const BRANCH_SECOND = 36;

/**
 * A treelet: up to four nodes, each with its parent before it. Their planes by components; sixteen links, by the sides
 * that the nodes send the line to (bit 1: behind); for each node whether its front or back child is open, or any of the
 * two blocks; places of the nodes in the world's buffer.
 */
export const TREELET_BYTES = 160;
export const TREELET_LINKS = 64;
export const TREELET_LEAFS = 128;
export const TREELET_PLACES = 144;
/** Where the bits of four nodes begin in a treelet's word of leafs. */
export const LEAFS_BACK = 4;
export const LEAFS_BLOCKED = 8;

/** A frame of a line's stack: what waits, treelet or link, bits decided and which, crossing; six coordinates. */
export const LINE_FRAME_BYTES = 48;

// Trees of boxes. A child is the address of a node; or that of a leaf, with bit 0 set; or a number of leafs without
// brushes, times 4, with bit 1 set.

export const CHILD_LEAF = 1;
export const CHILD_EMPTY = 2;

/** A node: normal and distance, type of the plane, front and back child. */
export const NODE_BYTES = 32;
export const NODE_DIST = 12;
export const NODE_TYPE = 16;
export const NODE_FRONT = 20;
export const NODE_BACK = 24;

/** A leaf: contents, number, end of its references, which follow. */
export const LEAF_BYTES = 16;
export const LEAF_NUMBER = 4;
export const LEAF_END = 8;

/** A reference to a brush: bounds on a grid of quarters, as -mins and maxs, 16 bits each; then its address. */
export const REF_BYTES = 16;
export const REF_BRUSH = 12;
export const GRID = 4;

/** A brush: contents, stamp, places of brush and first side, end of its blocks of four sides, which follow. */
export const BRUSH_BYTES = 32;
export const BRUSH_STAMP = 4;
export const BRUSH_PLACE = 8;
export const BRUSH_SIDE = 12;
export const BRUSH_END = 16;
export const BLOCK_BYTES = 64;
/** Words from a side to the next in the world's buffer. */
export const SIDE_STEP = 6;

/** A frame of a box's stack: fractions, child; both points. */
export const BOX_FRAME_BYTES = 48;
