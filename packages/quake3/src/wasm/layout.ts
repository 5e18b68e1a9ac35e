// The memory that the WebAssembly kernel works on: one fixed block, the walk's stack, then the hot section, which is made from
// the world's buffer for this kernel alone. Numbers are byte addresses, or offsets in bytes within a record. This file is
// compiled into both sides: TypeScript asks, AssemblyScript (../../wasm) answers.
//
// Vectors are four float32 (x, y, z and a spare one). Bounds are as in the world's buffer: distances along -X, +X, ... of the
// sides; but here all of the negative sides come first (`back`), then the others (`front`). Quantised bounds are six 16-bit
// numbers in that order, counted in steps of a grid and rounded outward, with a 32-bit word behind them.

/** What is asked: start xyz, end xyz; for a point its xyz. */
export const MOVE = 0;
/** What a trace returns if a number of the move is not finite: then it has not been traced. */
export const NOT_FINITE = -1;
/** Likewise, if a clearing has to be looked for first where the move starts. */
export const NOT_KNOWN = -2;

/** A tracer's settings, copied in whenever another tracer asked last: see `Q_…` in `kernel/memory.ts`. */
export const SETTINGS = 32;
export const SET_MINS = 32;
export const SET_MAXS = 48;
export const SET_CENTER = 64;
export const SET_RESIDUE = 80;
/** By the type of a node: three for the axes, then the one for all others. */
export const SET_EXTENTS = 96;
export const SET_SPHERE = 112;
export const SET_ORIGIN = 128;
/** Three vectors. */
export const SET_ROWS = 144;
export const SET_RADIUS = 192;
export const SET_EPSILON = 196;
export const SET_MASK = 200;
export const SET_CURVES = 204;
export const SET_POINT = 208;
/** What to trace against: a list, or 0 for the tree. */
export const SET_LIST = 212;
export const SET_MOVES = 216;
export const SET_ROTATED = 220;
/** Number to report as the model that was hit. */
export const SET_NUMBER = 224;
/** As SET_EXTENTS: how far in front of a plane a move has to stay for what is behind it to be left out. */
export const SET_CLEAR = 228;
/** The table of clearings, or 0 if this tracer does not ask them. */
export const SET_CLEARINGS = 244;
/** The table of blockers, or 0 if this tracer does not ask them. */
export const SET_BLOCKERS = 248;
/** How far a move has to stay behind a facet's bounds to miss it for certain, with the epsilon on top. */
export const SET_SPARE = 252;
export const SETTINGS_BYTES = 224;

/** The answer: fraction, normal xyz, dist; then integers. */
export const FRACTION = 256;
export const NORMAL = 260;
export const DIST = 272;
/** Bit 0 `startSolid`, bit 1 `allSolid`. */
export const SOLID = 276;
export const CONTENTS = 280;
export const SURFACE_FLAGS = 284;
export const BRUSH = 288;
export const SIDE = 292;
export const PATCH = 296;
/**
 * What has the normal and distance of the answer until the trace is done: a lane of a block, or with AXIAL_BIT one of the bounds of
 * a brush; -1 if they are in NORMAL and DIST. It is of the side at FLAGS_SIDE.
 */
export const NORMAL_LANE = 300;
export const AXIAL_BIT = 1;
/** The side whose surface flags are the answer's until then; -1 if they are in SURFACE_FLAGS. */
export const FLAGS_SIDE = 304;
/** Filled in when the trace is done: where the move ended, xyz; then integers. */
export const END_POS = 308;
export const MODEL = 320;
export const TEXTURE = 324;
export const PLANE = 328;

/** About the world: its root, the reciprocal of the grid's step, the number of the latest trace. */
export const ROOT = 332;
export const GRID = 336;
export const TRACES = 340;
/** Where records with stamps begin and end: brushes and patches. */
export const STAMPED = 344;
export const STAMPED_END = 348;
/**
 * Where the sides of brushes are: the plane's number, then the shader's, above bits for the signs of the normal: those of an axial
 * side are nowhere else, and maps have zeros of both signs. Shaders are as in the world's buffer. Sides without a shader have -1 as
 * its number, and find a 0 there.
 */
export const SIDES = 360;
export const SIDE_PLANE = 0;
export const SIDE_SHADER = 4;
export const SIGN_BITS = 3;
export const SIDE_STRIDE = 8;
export const SHADERS = 364;
export const SHADER_STRIDE = 8;

/** Where a table of the models' lists lies: their addresses, 0 for the world. */
export const LISTS = 368;

/** The kernel's scratch. */
export const SCRATCH = 384;

/** The most segments of a batch that are traced in one call: enough for some to be near each other even on a large map. */
export const BATCH = 2048;
/** The segments: start xyz, end xyz each. */
export const SEGMENTS = 1024;
/** Their answers, by field: arrays as in a batch. Tests have theirs in place of `startSolid`. */
export const ALL_FRACTION = 50176;
export const ALL_END_POS = 58368;
export const ALL_NORMAL = 82944;
export const ALL_DIST = 107520;
export const ALL_CONTENTS = 115712;
export const ALL_SURFACE_FLAGS = 123904;
export const ALL_MODEL = 132096;
export const ALL_BRUSH = 140288;
export const ALL_SIDE = 148480;
export const ALL_TEXTURE = 156672;
export const ALL_PATCH = 164864;
export const ALL_PLANE = 173056;
export const ALL_START_SOLID = 181248;
export const ALL_ALL_SOLID = 183296;
/** The order in which they are traced, the list of those that are, and room to work out the order. */
export const ORDER = 185344;
export const LIST = 189440;
export const COUNTS = 193536;
/** Frames of the walk, one for each level of the tree. */
export const STACK = 201728;
export const FRAME_BYTES = 48;

/** A child's or the root's address: negative for leafs. Bit 0: there are no contents below; then it is negative for nodes too. */
export const LEAF_BIT = -0x80000000;
export const EMPTY_BIT = 1;
/** Bit 1: an empty child that is a node all the same, for the position test, which counts leafs. */
export const EMPTY_NODE_BIT = 2;
export const ADDRESS_MASK = 0x7ffffff0;

/**
 * Node: dist, its type times 4, addresses of its children. Short, since most nodes are passed on one side, so that more of the
 * tree stays in the fastest cache. What is needed of fewer nodes is in arrays of its own.
 */
export const NODE_BYTES = 16;
export const NODE_DIST = 0;
export const NODE_TYPE = 4;
export const NODE_FRONT = 8;
export const NODE_BACK = 12;
/** Where a node's plane (normal and dist) is, relative to the node. */
export const NODE_PLANES = 352;
/**
 * Where its sides are, relative to twice its address: quantised bounds and contents of its front child, then of its back child.
 */
export const NODE_SIDES = 356;
export const SIDE_BYTES = 16;
export const SIDE_CONTENTS = 12;

/** In a reference or facet: the address of what it stands for. */
export const REF_ADDRESS = 12;

/** List of a leaf or model: bytes of brush references, bytes of patch references; then both, of 16 bytes each. */
export const LIST_BRUSH_BYTES = 0;
export const LIST_PATCH_BYTES = 4;
export const LIST_HEADER = 16;
export const REF_BYTES = 16;

/** Brush or patch: back and front bounds (with infinity in the spare lane), contents, stamp; then as below. */
export const RECORD_BYTES = 64;
export const RECORD_FRONT = 16;
export const RECORD_CONTENTS = 32;
export const RECORD_STAMP = 36;
/** Bytes to the next record: all records lie one after the other. */
export const RECORD_LENGTH = 60;
/**
 * Brush: bytes of its blocks, and how many of them are for its first six sides: none if those are the axial ones of its bounds.
 * Number of its first side, its own number.
 */
export const BRUSH_BLOCKS = 40;
export const BRUSH_FIRST_BLOCKS = 44;
export const BRUSH_SIDE = 48;
export const BRUSH_NUMBER = 52;
/** Contents that points find. For moves a brush without sides is nowhere: they see contents of 0. */
export const BRUSH_POINT_CONTENTS = 56;
/** Block of four sides: their normals' x, y, z, their dists. In spare lanes everything is behind the plane. */
export const BLOCK_BYTES = 64;
/** Blocks of six sides that are not axial, with two spare lanes. */
export const SIX_SIDES = 128;

/**
 * Patch: number of its surface, its shader, surface flags, number of facets, their address. Before the facets lie blocks
 * of their surfaces, four facets each, for points.
 */
export const PATCH_SURFACE = 40;
export const PATCH_SHADER = 44;
export const PATCH_FLAGS = 48;
export const PATCH_NUM_FACETS = 52;
export const PATCH_FACETS = 56;

/** Facet: quantised bounds, address of its planes. */
export const FACET_BYTES = 16;
/** Planes of a facet: number of sides; then blocks of four. */
export const PLANES_HEADER = 16;
/** Such a block has one more vector: -0 for planes that are listed facing the other way, +0 for the others. */
export const PLANES_BYTES = 80;
export const PLANES_TURN = 64;
