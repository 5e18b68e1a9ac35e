// The world's one buffer. All numbers are 32-bit little-endian words; a record's place is its word offset from the
// start of the buffer, so the buffer can be moved, shared between threads or handed to WebAssembly as it is.
//
//   header     word 0 magic, 1 layout version, 2 length in words, then the words named below, then a pair (place,
//              number of records) for each section, in the order of `sections.ts`
//   sections   records as `sections.ts` and the constants below say
//
// A tree (`nodes`, `clipNodes`) is a run of nodes of 4 or 8 words in the order of the file, which is depth first:
//   +0  plane << 3 | kind    kind 0, 1, 2: across x, y, z; 3: any other;
//                            4, 5, 6: traced as if across x, y, z, because the file says so, but not exactly so
//   +1  dist
//   +2  front child, +3 back child: the place of a node, or below 0 a packed leaf, ~(leaf << 6 | -contents);
//                            clip nodes have no leafs and give leaf 0
//   +4  normal xyz, one word unused: kind 3 only

export const HEADER_WORDS = 10;
/** The file's version: 29 or 30, or the four letters of its magic as a word. */
export const VERSION_WORD = 3;
/** Number of hulls that can be traced. */
export const HULLS_WORD = 4;
/** Nodes on the longest way down any tree. */
export const DEPTH_WORD = 5;
/** Leafs with a visibility row. */
export const VIS_LEAFS_WORD = 6;
/** Floats: the greatest absolute values of a normal's component, and of a dist, over all planes. */
export const NORMAL_WORD = 7;
export const DIST_WORD = 8;
/** Number of textures in the file's directory. */
export const TEXTURES_WORD = 9;

/** Plane: normal xyz, dist, type. */
export const PLANE_WORDS = 5;

/** Leaf: contents, visibility offset in bytes, first mark, number of marks. */
export const LEAF_WORDS = 4;

/** Model: mins xyz, maxs xyz, origin xyz, heads of four hulls (packed like children), first face, how many, 0. */
export const MODEL_WORDS = 16;
export const MODEL_HEADS = 9;
export const MODEL_FACES = 13;

/** Face: plane << 1 | side, first corner (its number), number of corners, texture, surface flags. */
export const FACE_WORDS = 5;

/** Bits of a packed leaf that hold its contents. */
export const CONTENTS_BITS = 6;
export const CONTENTS_MASK = 63;
