// The memory that the WebAssembly kernel works on: one fixed block, a frame for each node that a move may be cut at, then
// the hot section, which is made from the world's buffer for this kernel alone. Numbers are byte addresses, or offsets in
// bytes within a record. This file is compiled into both: TypeScript writes the memory, AssemblyScript (../../wasm)
// reads it.
//
// A treelet is up to four connected nodes of a tree, numbered so that a node comes before those below it. Their
// planes stand side by side, so that one vector holds all of their distances; on which side of each of them a point lies
// is four bits, bit k for node k, 1 for the back, and by these a table says what is reached.

/** What is asked: start and end, each with its fraction of the move, 0 and 1, which nobody changes. */
export const START = 0;
export const END = 16;
/** Where the move was stopped, and at what fraction. */
export const STOPPED = 32;
/** Of planes: what is taken times the sum of all coordinates, and then added, is how near is too near to be sure. */
export const MARGIN_FACTOR = 48;
export const MARGIN_LEAST = 52;
/** What takes an eighth of a treelet's address to its plane numbers. */
export const PLANES = 56;
/** The size of coordinates from which on the kernel gives no answer, as numbers might overflow. */
export const FAR = 60;

/** Frames: a cut point and its fraction; the treelet of the node that made it, and that node's bit. */
export const FRAMES = 128;
export const FRAME_BYTES = 64;
export const FRAME_TREELET = 16;
export const FRAME_BIT = 20;
/** Sides of the cut point, but the far side of that node, and as the move's for the nodes above; sides of the end. */
export const FRAME_SIDES = 24;
export const FRAME_END_SIDES = 28;
/** Addresses of the two points that the move was cut between. */
export const FRAME_BEGIN = 32;
export const FRAME_END = 36;
/** A move cut more often than this is never sure. */
export const SURE_CUTS = 12;

/** Treelet: the nodes' nx, ny, nz, dist, then 16 exits. Nodes that are not there have all in front of them. */
export const TREELET_BYTES = 128;
export const TREELET_Y = 16;
export const TREELET_Z = 32;
export const TREELET_DIST = 112;
export const TREELET_EXITS = 48;

/**
 * An exit: what is reached, with the nodes on the way in its lowest bits. A treelet by its address; a leaf below 0. Heads
 * of trees are the same without bits.
 */
export const ADDRESS_MASK = -128;
export const LEAF_BIT = -0x80000000;
/** Leaf: the flags that touching it sets, and its contents, as a number above 0. */
export const LEAF_FLAGS = 8;
export const LEAF_FLAGS_MASK = 31;
export const LEAF_CONTENTS = 16;
export const LEAF_CONTENTS_MASK = 63;

/** What a walk returns: what it found on its way. */
export const FLAG_START_SOLID = 1;
export const FLAG_ALL_SOLID = 2;
export const FLAG_IN_OPEN = 4;
export const FLAG_IN_WATER = 8;
/** Contents of Half-Life that not all of its rules take for water. */
export const FLAG_TRANSLUCENT = 16;
/** The move was stopped, by a plane of this number, at its back. */
export const FLAG_STOPPED = 32;
export const FLAG_BACK = 64;
export const PLANE_SHIFT = 7;
/** Or this: no answer. */
export const TOO_FAR = -1;

/** The walk of Quake's and QuakeWorld's engines, of Half-Life's server, and of its player movement. */
export const WALK_QUAKE = 0;
export const WALK_SERVER = 1;
export const WALK_PLAYER = 2;
