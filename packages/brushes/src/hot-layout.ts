// What both halves of a kernel in WebAssembly know: where things are in its memory, in bytes. This file contains nothing but
// numbers, since AssemblyScript reads it too. Records are aligned to 16 bytes, or to 32 if a child leads to them. Where three
// numbers fill a vector, the fourth is 0 unless stated otherwise, so that it never decides a comparison.

// The block of `block.ts` begins at 0. Whatever is free up to the stack belongs to the format.

/** Number of the latest trace through one tree; all brushes, and their end. */
export const TRACES = 636;
export const BRUSHES = 640;
export const BRUSHES_END = 644;
/** Bounds of the move on the grid of references, to be compared with theirs. */
export const QUANTA = 656;
/** The current piece of the move, for nodes that look at one of its coordinates. */
export const PIECE_START = 672;
export const PIECE_END = 688;
/** For each lane, the block of the last side through which the move enters the brush. */
export const HIT_BLOCKS = 704;

// Batches

/** Moves, this many at a time: enough for some to be near each other even on a large map. Six numbers each. */
export const BATCH_MOVES = 2048;
export const SEGMENT_BYTES = 24;
export const SEGMENTS = 768;
/**
 * What stands in the place of a move once it has been answered: the places of the brush and the side that a box hit, 0 for none;
 * then two numbers of the format's.
 */
export const MOVE_BRUSH = 0;
export const MOVE_SIDE = 4;
/** Answers as arrays. */
export const FRACTIONS = 49920;
/** Three numbers for each answer. */
export const END_POSITIONS = 58112;
/** Bytes, 1 or 0: of traces, and of tests whether moves are blocked. */
export const STARTS_SOLID = 82688;
export const BLOCKED = 84736;
/** The order in which moves are traced, the list of those that are, and room to work out the order. */
export const ORDER = 86784;
export const LIST = 90880;
export const COUNTS = 94976;
/** In the same place, once the order is known: numbers of moves that the other kernel has to be asked for. */
export const UNSURE_MOVES = 94976;
/** From here on: answers that only boxes have. Three numbers for each normal. */
export const DISTS = 103168;
export const CONTENTS = 111360;
export const NORMALS = 119552;
/** Bytes, 1 or 0. */
export const ALL_SOLID = 144128;

/** The stack. The world follows where it ends. */
export const STACK = 146176;

// Trees for boxes. A child is the address of a node, with the type of its plane in bits 2 and 3, so that the walk knows the axis
// before the node has arrived; or the address of a leaf, with bit 0 set; or a number of leafs without brushes, times 4, with bit
// 1 set. Nodes lie close together, and what is needed less often lies elsewhere.

export const CHILD_LEAF = 1;
export const CHILD_EMPTY = 2;
export const CHILD_TYPE = 12;

/** A node: distance, front and back child, the number of leafs below it. */
export const NODE_BYTES = 16;
export const NODE_FRONT = 4;
export const NODE_BACK = 8;
export const NODE_LEAFS = 12;

/** How far behind a node its normal and distance are. */
export const NODE_PLANES = 648;
/** How far behind twice a node's address its sides are, front and back: what is below each of its children. */
export const NODE_SIDES = 652;
/** A side: bounds of the brushes, as in references; contents of the leafs. */
export const SIDE_BYTES = 16;
export const SIDE_CONTENTS = 12;

/** A leaf: contents, number, end of its references, which follow. */
export const LEAF_BYTES = 16;
export const LEAF_NUMBER = 4;
export const LEAF_END = 8;

/** A reference to a brush: bounds on a grid of quarters, as -mins and maxs, 16 bits each; then its address. */
export const REF_BYTES = 16;
export const REF_BRUSH = 12;
export const GRID = 4;

/** A brush: contents, stamp, places of brush and first side, end of its blocks of four sides, which follow; its number. */
export const BRUSH_BYTES = 32;
export const BRUSH_STAMP = 4;
export const BRUSH_PLACE = 8;
export const BRUSH_SIDE = 12;
export const BRUSH_END = 16;
export const BRUSH_INDEX = 20;
export const BLOCK_BYTES = 64;
/** Words from a side to the next in the world's buffer. */
export const SIDE_STEP = 6;

/** A frame of a box's stack: fractions, child; both points. */
export const BOX_FRAME_BYTES = 48;
