import { SCRATCH } from '../src/wasm/layout';

// Where the kernel keeps what it works out for a move. Addresses are fixed, so that every access is one instruction; vectors have
// 16 bytes. Where these hold x, y and z, the fourth lane is 0.

/** Both ends of the move: of the shape's middle, in the frame of what is traced against. */
export const START = SCRATCH;
export const END = SCRATCH + 16;
/** The current piece of the move, in memory because axial nodes pick one of its coordinates. */
export const PIECE_START = SCRATCH + 32;
export const PIECE_END = SCRATCH + 48;
/** How far the whole move stays behind the negative and the positive sides of a box, to compare with bounds. */
export const REACH_BACK = SCRATCH + 64;
export const REACH_FRONT = SCRATCH + 80;
/** The same without the epsilon, which the engine adds to the bounds; one behind the other, like bounds. */
export const SPAN_BACK = SCRATCH + 304;
export const SPAN_FRONT = SCRATCH + 320;
/** Whether these have been worked out. */
export const HAS_REACH = SCRATCH + 288;
/** Whether what follows has been worked out, for a point's move. */
export const HAS_BOUNDS = SCRATCH + 292;
/**
 * The reach on the grid of quantised bounds, rounded so that nothing is missed that should not be; for facets with something to
 * spare.
 */
export const QUANTA = SCRATCH + 96;
export const FACET_QUANTA = SCRATCH + 112;
/** Lanes of the axes along which the move goes up: there it can enter a box by its negative side, else by the positive one. */
export const UPWARD = SCRATCH + 128;
/**
 * Distances of both ends along the normals of the sides by which a box can be entered, and how far the shape pushes these out.
 */
export const IN_START = SCRATCH + 144;
export const IN_END = SCRATCH + 160;
export const IN_GROW = SCRATCH + 176;
/** The same for the opposite sides. */
export const OUT_START = SCRATCH + 192;
export const OUT_END = SCRATCH + 208;
export const OUT_GROW = SCRATCH + 224;
/** The brush that a trace hit last, or 0. */
export const HIT_BRUSH = SCRATCH + 296;
/** For picking a lane that is known only at run time. */
export const LANES = SCRATCH + 240;
/** The corners of the box of a position test. */
export const BOX_LOW = SCRATCH + 256;
export const BOX_HIGH = SCRATCH + 272;
