import { defineSections, type SectionPlaces, type Sections } from '@bspkit/core/format';

// A world of ellipsoids in one buffer of 32-bit words. Sections whose records hold doubles come first and have an even
// number of words each, so that every double stands at an even word.

const SECTION_WORDS = {
  pieces: 12,
  nodes: 8,
  polygons: 12,
  corners: 3,
  leafs: 2,
  leafPolygons: 1,
} as const;

export type SectionName = keyof typeof SECTION_WORDS;
export type Places = SectionPlaces<SectionName>;

/** Words of the header after core's three: polygons that were left out. */
export const DROPPED_WORD = 3;

export const layout: Sections<SectionName> = /* @__PURE__ */ defineSections({
  format: 'ellipsoid',
  magic: 0x50494c45,
  version: 1,
  headerWords: 4,
  sections: SECTION_WORDS,
});

/**
 * A piece: a convex polygon that is flat to the last bit but one, for the exact sweep. Most polygons are one piece; one whose
 * corners, in float32, lie off its plane is a fan of triangles. Four doubles (normal, distance), then:
 */
export const PIECE_WORDS: number = SECTION_WORDS.pieces;
export const PIECE_CORNERS = 8;
export const PIECE_NUM_CORNERS = 9;
export const PIECE_POLYGON = 10;

/**
 * A node of the tree of the pieces' bounds: mins, maxs, then for a leaf the first piece's place and how many there are;
 * for any other node the place of its second child and 0. The first child follows it.
 */
export const NODE_WORDS: number = SECTION_WORDS.nodes;
export const NODE_LINK = 6;
export const NODE_COUNT = 7;

/**
 * A polygon as in its source: normal, distance, then these. The corners of one that is a single piece are the piece's.
 */
export const POLYGON_WORDS: number = SECTION_WORDS.polygons;
export const POLYGON_CORNERS = 4;
export const POLYGON_NUM_CORNERS = 5;
/** How many corners all polygons before it have together. */
export const POLYGON_BEFORE = 6;
export const POLYGON_TEXTURE = 7;
export const POLYGON_CONTENTS = 8;
export const POLYGON_SURFACE = 9;
/** Its number in the source. */
export const POLYGON_NUMBER = 10;

/** A leaf of the map: where its run of polygons begins, and how long it is. */
export const LEAF_WORDS: number = SECTION_WORDS.leafs;
