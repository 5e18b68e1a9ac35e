// The world's one buffer. All numbers are 32-bit little-endian words; a record's place is its word offset from the
// start of the buffer, so the buffer can be moved, shared between threads or handed to WebAssembly as it is.
//
//   header     word 0 magic, 1 layout version, 2 length in words, 3 depth of the tree, 4 root node (its place),
//              5 number of clusters (0: no visibility data), 6 bytes in a visibility row;
//              then from word 8 a pair (place, number of records) for each section, in the order of `sections.ts`
//   sections   records as the constants below say
//
// A child, or the root, is the place of a node, or the place of a leaf negated. Bounds are six distances in the order
// of a brush's axial sides (-X, +X, -Y, +Y, -Z, +Z), each along its side's normal: -mins x, maxs x, -mins y, and so on.

export const HEADER_WORDS = 8;
export const DEPTH_WORD = 3;
export const ROOT_WORD = 4;
export const CLUSTERS_WORD = 5;
export const ROW_BYTES_WORD = 6;

/** Node: type (0..2 axial, 3 other), normal xyz, dist, front child, back child, 0; then as in leafs. */
export const NODE_WORDS = 16;
export const NODE_NORMAL = 1;
export const NODE_DIST = 4;
export const NODE_FRONT = 5;
export const NODE_BACK = 6;
/** In nodes and leafs: bounds and contents (combined with OR) of everything in them or below; the last word is 0. */
export const BOUNDS_WORD = 8;
export const CONTENTS_WORD = 14;

/** Leaf: a list (below), cluster, area, first leaf surface, how many; then bounds and contents. */
export const LEAF_WORDS = 16;
export const LEAF_CLUSTER = 4;
export const LEAF_AREA = 5;
export const LEAF_SURFACES = 6;
export const LEAF_NUM_SURFACES = 7;

/** List of what a leaf or model holds: first brush reference, how many, first patch reference, how many. */
export const LIST_BRUSHES = 0;
export const LIST_NUM_BRUSHES = 1;
export const LIST_PATCHES = 2;
export const LIST_NUM_PATCHES = 3;

/** Brush reference: bounds, contents, brush number: copied for each mention, so that a leaf is read in one go. */
export const REF_WORDS = 8;
export const REF_CONTENTS = 6;
export const REF_BRUSH = 7;

/** Brush: first side, how many, contents, 1 if the first six sides are exactly the axial ones of its bounds. */
export const BRUSH_WORDS = 4;
/** In brushes and facets. */
export const NUM_SIDES = 1;
export const BRUSH_CONTENTS = 2;
export const BRUSH_AXIAL = 3;

/** Side: normal xyz, dist, plane number, shader. */
export const SIDE_WORDS = 6;
export const SIDE_DIST = 3;
export const SIDE_PLANE = 4;
export const SIDE_SHADER = 5;

/** Shader: surface flags, contents. */
export const SHADER_WORDS = 2;
export const SHADER_CONTENTS = 1;

/** Model: mins xyz, maxs xyz (one unit wider than stored), a list (empty for the world), first surface, how many. */
export const MODEL_WORDS = 12;
export const MODEL_LIST = 6;
export const MODEL_SURFACES = 10;
export const MODEL_NUM_SURFACES = 11;

/** Patch: bounds, contents, surface flags, first plane, how many, first facet, how many, surface, shader, number, 0. */
export const PATCH_WORDS = 16;
export const PATCH_CONTENTS = 6;
export const PATCH_FLAGS = 7;
export const PATCH_PLANES = 8;
export const PATCH_NUM_PLANES = 9;
export const PATCH_FACETS = 10;
export const PATCH_NUM_FACETS = 11;
export const PATCH_SURFACE = 12;
export const PATCH_SHADER = 13;
export const PATCH_NUMBER = 14;

/** Plane of a patch: normal xyz, dist. Only for listing: facets have sides of their own. */
export const PLANE_WORDS = 4;

/**
 * Facet: first side, how many, then the bounds that its axial sides set. Its sides are like those of a brush: the surface first,
 * then the borders, the facet's back last, all facing outward. Instead of a plane's number they have that of the plane in its
 * patch, n; or -1 - n if that plane faces inward.
 */
export const FACET_WORDS = 8;
export const FACET_BOUNDS = 2;

/** Surface: type, shader, first vertex, how many, first index, how many, patch width, patch height. */
export const SURFACE_WORDS = 8;
export const SURFACE_SHADER = 1;
export const SURFACE_VERTEXES = 2;
export const SURFACE_INDEXES = 4;
export const SURFACE_NUM_INDEXES = 5;
export const SURFACE_WIDTH = 6;
export const SURFACE_HEIGHT = 7;
