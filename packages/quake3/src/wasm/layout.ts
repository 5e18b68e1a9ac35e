// The memory that the WebAssembly kernel works on: one fixed block, the walk's stack, then the hot section, which is
// made from the world's buffer for this kernel alone. Numbers are byte addresses, or offsets in bytes within a record.
// This file is compiled into both: TypeScript writes the memory, AssemblyScript (../../wasm) reads it.
//
// Vectors are four float32 (x, y, z and one to spare). Bounds are as in the world's buffer: distances along -X, +X, ...
// of the sides; here all of the negative ones stand first (`back`), then the others (`front`). Quantised bounds are six
// 16-bit numbers in that order, counted in steps of a grid and rounded outward, with a 32-bit word behind them.

/** What is asked: start xyz, end xyz; of a point its xyz. */
export const MOVE = 0;

/** What a tracer has been told, copied in whenever another tracer asked last: see `Q_…` in `kernel/memory.ts`. */
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
export const SETTINGS_BYTES = 192;

/** The answer: fraction, normal xyz, dist; then integers. */
export const FRACTION = 224;
export const NORMAL = 228;
export const DIST = 240;
/** Bit 0 `startSolid`, bit 1 `allSolid`. */
export const SOLID = 244;
export const CONTENTS = 248;
/** Of a patch; for a side see FLAGS_SIDE. */
export const SURFACE_FLAGS = 252;
export const BRUSH = 256;
/** Sides by their number, patches by their place in the world's buffer; -1 for none. */
export const SIDE = 260;
export const PATCH = 264;
/** Side that the normal and the distance are of, -1 where they stand in NORMAL and DIST. */
export const NORMAL_SIDE = 268;
/** Side that the surface flags are of, -1 where they stand in SURFACE_FLAGS. */
export const FLAGS_SIDE = 272;

/** About the world: its root, the reciprocal of the grid's step, the number of the latest trace. */
export const ROOT = 276;
export const GRID = 280;
export const TRACES = 284;
/** Where records with stamps begin, and end: brushes and patches. */
export const STAMPED = 288;
export const STAMPED_END = 292;

/** The kernel's scratch. */
export const SCRATCH = 304;
/** Frames of the walk, one for each level of the tree. */
export const STACK = 1024;
export const FRAME_BYTES = 48;

/** A child's or the root's address: negative for leafs; bit 0 where nothing is to be met below, then it is negative too. */
export const LEAF_BIT = -0x80000000;
export const EMPTY_BIT = 1;
/** Bit 1: an empty child that is a node all the same, for the position test, which counts leafs. */
export const EMPTY_NODE_BIT = 2;
export const ADDRESS_MASK = 0x7ffffff0;

/**
 * Node: dist, its type times 4, addresses of its children. Short, since most nodes are passed on one side, and so more of
 * the tree stays in the fastest cache. What is asked of fewer nodes lies in arrays of their own.
 */
export const NODE_BYTES = 16;
export const NODE_DIST = 0;
export const NODE_TYPE = 4;
export const NODE_FRONT = 8;
export const NODE_BACK = 12;
/** Where a node's plane (normal and dist) lies, from the node. */
export const NODE_PLANES = 296;
/** Where its sides lie, from twice its address: quantised bounds and contents of its front child, then of its back. */
export const NODE_SIDES = 300;
export const SIDE_BYTES = 16;
export const SIDE_CONTENTS = 12;

/** In a reference or facet: address of what it stands for. */
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
 * Brush: bytes of its blocks, and how many of them are of its first six sides: none where those are the axial ones of
 * its bounds. Number of its first side, its own.
 */
export const BRUSH_BLOCKS = 40;
export const BRUSH_FIRST_BLOCKS = 44;
export const BRUSH_SIDE = 48;
export const BRUSH_NUMBER = 52;
/** Contents that points find: a brush without sides is nowhere for moves, which see contents of 0. */
export const BRUSH_POINT_CONTENTS = 56;
/** Block of four sides: their normals' x, y, z, their dists. Lanes to spare are behind everything. */
export const BLOCK_BYTES = 64;
/** Blocks of six sides that are not axial, two of them to spare. */
export const SIX_SIDES = 128;

/** Patch: place in the world's buffer, surface flags, number of facets, address of its facets. */
export const PATCH_PLACE = 40;
export const PATCH_FLAGS = 44;
export const PATCH_NUM_FACETS = 48;
export const PATCH_FACETS = 52;
/** Address of blocks of the facets' surfaces, four facets each, for points. */
export const PATCH_SURFACES = 56;

/** Facet: quantised bounds, address of its planes. */
export const FACET_BYTES = 16;
/** Planes of a facet: number of sides; then blocks of four. */
export const PLANES_HEADER = 16;
/** Such a block has another vector: -0 for planes that are listed turned round, +0 for the others. */
export const PLANES_BYTES = 80;
export const PLANES_TURN = 64;
