// The memory that the WebAssembly kernel works on: one fixed block, a frame for each node that a move may be cut at, then the hot
// section, which is made from the world's buffer for this kernel alone. Numbers are byte addresses, or offsets in bytes within a
// record. This file is compiled into both sides: TypeScript asks, AssemblyScript (../../wasm) answers.
//
// A treelet is up to four connected nodes of a tree, numbered so that a node comes before those below it. Their planes stand side
// by side, so that one vector holds a point's distances from all of them. The sides on which a point lies are four bits, bit k
// for node k, 1 for the back, and a table says what these lead to.

/** What is asked: start and end, each with its fraction of the move, 0 and 1, which never change. */
export const START = 0;
export const END = 16;
/** Where the move was stopped, and at what fraction. */
export const STOPPED = 32;
/**
 * How near to a plane is too near to be sure: the sum of all coordinates times MARGIN_FACTOR, plus that sum times MARGIN_CUT for
 * each cut that the point comes from, plus MARGIN_LEAST.
 */
export const MARGIN_FACTOR = 48;
export const MARGIN_CUT = 52;
export const MARGIN_LEAST = 56;
/** From coordinates of this size on, the kernel gives no answer, as numbers might overflow. */
export const FAR = 60;
/** What to add to an eighth of a treelet's address to get that of its plane numbers; the planes, four numbers each. */
export const NUMBERS = 64;
export const PLANES = 68;
export const PLANE_BYTES = 16;
/**
 * The path to where a bundle begins, followed by the heads of all models, four each; then the bytes that the frames of one of its
 * four moves take.
 */
export const PATH = 72;
export const MOVE_FRAMES = 76;

/** The mover of a batch: how far its tree has been moved, and rows and columns of the frame by which it has been turned. */
export const MOVER_OFFSET = 80;
export const MOVER_ROWS = 96;
export const MOVER_COLUMNS = 144;
/** The head of its tree, whose walk it is, `MOVER_…` bits, the number of what is hit. */
export const MOVER_HEAD = 192;
export const MOVER_RULES = 196;
export const MOVER_IS = 200;
export const MOVER_MODEL = 204;
/** The tree has been turned; a start in solid sets the fraction to 0. */
export const MOVER_TURNED = 1;
export const MOVER_STOPS = 2;

/**
 * Four moves of a batch are traced together: their starts and ends, the least distances of both from planes, and the treelets or
 * leafs that both lie below.
 */
export const LANE_BYTES = 16;
export const LANE_STARTS = 208;
export const LANE_ENDS = 272;
export const LANE_LEASTS = 336;
export const LANE_NODES = 400;
/** For moves that begin at one point: addresses of their ends and of their next frames, and four cuts by coordinates. */
export const LANE_LASTS = 416;
export const LANE_NEXTS = 432;
export const LANE_CUTS = 448;
/** A step of the path: a treelet, the exit taken, the sides; after the last one the leaf. */
export const STEP_BYTES = 16;
export const STEP_EXIT = 4;
export const STEP_SIDES = 8;
/** The bits of an exit that are the nodes on the way to it. */
export const EXIT_PATH = 15;

/** Moves of a batch, this many at a time: six numbers each, then answers as arrays. */
export const BATCH_MOVES = 256;
export const SEGMENTS = 512;
export const SEGMENT_BYTES = 24;
export const FRACTIONS = 6656;
export const DISTS = 7680;
export const CONTENTS = 8704;
export const MODELS = 9728;
export const PLANE_NUMBERS = 10752;
/** Three numbers for each answer. */
export const END_POSITIONS = 11776;
export const NORMALS = 14848;
/** Bytes, 1 or 0: of traces, and of tests whether moves are blocked. */
export const STARTS_SOLID = 17920;
export const ALL_SOLID = 18176;
export const BLOCKED = 18432;
/** Numbers of moves that go too far out. */
export const FAR_MOVES = 18688;

/** Numbers of the moves that do not stay in a clearing. */
export const WALKED_MOVES = 19712;
/** The table of clearings of the tree that a batch moves through, or 0. */
export const MOVER_CLEARINGS = 20224;

/** Frames: a cut point and its fraction; the treelet of the node that made it, and that node's bit. */
export const FRAMES = 20240;
export const FRAME_BYTES = 64;
export const FRAME_TREELET = 16;
export const FRAME_BIT = 20;
/**
 * Sides of the cut point, but with the far side of that node, and with the move's sides for the nodes above; then the sides of
 * the end. Or the first are SIDES_UNKNOWN, and the second are those of the move.
 */
export const SIDES_UNKNOWN = -1;
export const FRAME_SIDES = 24;
export const FRAME_END_SIDES = 28;
/** Addresses of the two points that the move was cut between. */
export const FRAME_BEGIN = 32;
export const FRAME_END = 36;

/** The most nodes that a treelet has. */
export const TREELET_NODES = 4;
/**
 * Treelet: the nodes' nx, ny, nz, then 16 exits, then the nodes' dists. Nodes that are not there have everything in front of
 * them.
 */
export const TREELET_BYTES = 128;
export const TREELET_Y = 16;
export const TREELET_Z = 32;
export const TREELET_DIST = 112;
export const TREELET_EXITS = 48;

/**
 * An exit: what it leads to, with the nodes on the way in its lowest bits. A treelet is given by its address; a leaf is below 0.
 * Heads of trees are the same without those bits.
 */
export const ADDRESS_MASK = -128;
export const LEAF_BIT = -0x80000000;
/** Leaf: the flags that reaching it sets, and its contents, as a number above 0. */
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
/** The move was stopped; by the back of a plane; that plane's number is above these bits. */
export const FLAG_STOPPED = 32;
export const FLAG_BACK = 64;
export const PLANE_SHIFT = 7;
/** Returned instead: no answer, as the move goes too far out. */
export const TOO_FAR = -1;
/** Likewise: a clearing has to be looked for first where the move starts. */
export const NOT_KNOWN = -2;

/** The walk of Quake's and QuakeWorld's engines, that of Half-Life's server, and that of its player movement. */
export const WALK_QUAKE = 0;
export const WALK_SERVER = 1;
export const WALK_PLAYER = 2;
