import { defineSections, type SectionPlaces, type Sections } from '@bspkit/core';

// The world's one buffer. All numbers are 32-bit little-endian words; a record's place is its word offset from the
// start of the buffer, so the buffer can be moved, shared between threads or handed to WebAssembly as it is.
//
//   header     word 0 magic, 1 layout version, 2 length in words, 3 depth of the tree, 4 root node (its place),
//              5 number of clusters (0: not vised), 6 bytes in a visibility row;
//              then from word 8 a pair (place, number of records) for each section, in the order of SECTIONS
//   sections   records as the constants below say

/** 'B3BW' */
const MAGIC = 0x57423342;
const VERSION = 1;

/**
 * Sections in the order of the header, with the words in a record. A child, or the root, is the place of a node, or the
 * place of a leaf negated. Bounds are six distances in the order of a brush's axial sides (-X, +X, -Y, +Y, -Z, +Z),
 * each along its side's normal: -mins x, maxs x, -mins y, and so on.
 */
export const SECTIONS = {
  /** type (0..2 axial, 3 other), normal xyz, dist, front child, back child, number in the file; then bounds and
   *  contents (or-ed) of all that is below it, 0. In depth-first order. */
  nodes: 16,
  /** first brush reference, how many, first patch reference, how many, cluster, area, first leaf surface, how many;
   *  then bounds and contents (or-ed) of all that it holds, 0 */
  leafs: 16,
  /** bounds, contents, brush number: copied for each mention, so that a leaf is read in one go */
  brushRefs: 8,
  /** first side, how many, contents, 1 where the first six sides are exactly the axial ones that the bounds tell */
  brushes: 4,
  /** normal xyz, dist, plane number, shader */
  sides: 6,
  /** surface flags, contents */
  shaders: 2,
  /** mins xyz, maxs xyz (one unit wider than stored), brush references: first, how many, patch references: the same,
   *  surfaces: the same */
  models: 12,
  /** place of a patch */
  patchRefs: 1,
  /** bounds, contents, surface flags, first plane, how many, first facet, how many, surface number, shader,
   *  patch number, 0 */
  patches: 16,
  /** normal xyz, dist */
  patchPlanes: 4,
  /** surface plane (number in its patch), first border, how many; then the bounds that its axial borders set */
  facets: 9,
  /** twice the plane's number in its patch, plus 1 where the plane faces inward */
  borders: 1,
  /** surface number */
  leafSurfaces: 1,
  /** type, shader, first vertex, how many, first index, how many, patch width, patch height */
  surfaces: 8,
  /** position xyz */
  vertexes: 3,
  /** vertex, counted from the surface's first */
  indexes: 1,
  /** rows of bits */
  visibility: 1,
  /** Latin-1 text: length in bytes, then the bytes of the entities and of each shader name, each ended by NUL */
  text: 1,
} as const;

export type Section = keyof typeof SECTIONS;

export const NODE_WORDS: number = SECTIONS.nodes;
export const LEAF_WORDS: number = SECTIONS.leafs;
export const REF_WORDS: number = SECTIONS.brushRefs;
export const BRUSH_WORDS: number = SECTIONS.brushes;
export const SIDE_WORDS: number = SECTIONS.sides;
export const MODEL_WORDS: number = SECTIONS.models;
export const PATCH_WORDS: number = SECTIONS.patches;
export const FACET_WORDS: number = SECTIONS.facets;
export const SURFACE_WORDS: number = SECTIONS.surfaces;

/** Where bounds and contents lie in a node or leaf. */
export const BOUNDS_WORD = 8;
export const CONTENTS_WORD = 14;

const HEADER_WORDS = 8;

export const DEPTH_WORD = 3;
export const ROOT_WORD = 4;
export const CLUSTERS_WORD = 5;
export const ROW_BYTES_WORD = 6;

export type Places = SectionPlaces<Section>;

/** How the sections are laid out, written to the header, and read from it. */
export const layout: Sections<Section> = /* @__PURE__ */ defineSections({
  format: 'quake3',
  magic: MAGIC,
  version: VERSION,
  headerWords: HEADER_WORDS,
  sections: SECTIONS,
});
