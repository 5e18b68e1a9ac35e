// The world's one buffer. All numbers are 32-bit little-endian words; a record's place is its word offset from the
// start of the buffer, so the buffer can be moved, shared between threads or handed to WebAssembly as it is.
//
//   header     word 0 magic, 1 layout version, 2 length in words, 3 depth of the deepest tree in nodes, 4 number of
//              clusters; then from word 6 a pair (place, number of records) for each section, in the order of
//              `sections.ts`
//   sections   records as the comments say; trees and brushes as in the package of brushes

export const HEADER_WORDS = 6;
export const DEPTH_WORD = 3;
export const CLUSTERS_WORD = 4;

/** The parts of a leaf that walks do not read: its cluster, in the high bits of a word, and its area. */
export const CLUSTER_SHIFT = 12;
export const AREA_MASK = 0xfff;

/** Model: mins xyz, maxs xyz (one unit wider than stored), head node. */
export const MODEL_WORDS = 7;
export const MODEL_MAXS = 3;
export const MODEL_HEAD = 6;

/** Area: first portal, how many. Portal: its number, the area on the other side. */
export const AREA_WORDS = 2;
export const PORTAL_WORDS = 2;
