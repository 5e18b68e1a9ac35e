// Records of trees and brushes in a world's buffer, in words of 32 bits. Formats have sections of these records, and may
// have others beside them.

/**
 * Node: kind + 16 * plane, distance, front child, back child; c >= 0 is node c, c < 0 is leaf -1 - c. Kinds are 0 to 2 for
 * axial planes, measured by one coordinate, 3 for others; what is above belongs to the format and is never walked here.
 */
export const NODE_WORDS = 4;
/** The bits of a node's first word that are its kind. */
export const KIND_MASK = 15;
export const OBLIQUE = 3;

/** Plane: normal xyz, dist. */
export const PLANE_WORDS = 4;

/** Leaf: contents, first leaf brush (its place), how many. A leaf brush is the place of a brush. */
export const LEAF_WORDS = 3;

/** Brush: contents, place of the first side, how many, mins xyz, maxs xyz, number. */
export const BRUSH_WORDS = 10;
export const BRUSH_SIDES = 1;
export const BRUSH_BOUNDS = 3;
export const BRUSH_NUMBER = 9;

/** Side: normal xyz, dist, plane's number, texture's number (below 0: none). */
export const SIDE_WORDS = 6;
export const SIDE_DIST = 3;
export const SIDE_PLANE = 4;
export const SIDE_TEXTURE = 5;
