import { BRUSH_WORDS, LEAF_WORDS, NODE_WORDS, PLANE_WORDS, SIDE_WORDS } from '@bspkit/brushes';
import { defineSections, type SectionPlaces, type Sections } from '@bspkit/core/format';

// The world's one buffer. All numbers are 32-bit little-endian words; a record's place is its word offset from the
// start of the buffer, so the buffer can be moved, shared between threads or handed to WebAssembly as it is.
//
//   header     word 0 magic, 1 layout version, 2 length in words, 3 depth of the deepest tree in nodes, 4 number of
//              clusters; then from word 6 a pair (place, number of records) for each section, in the order of SECTIONS
//   sections   records as the comments say; trees and brushes as in the package of brushes

/** 'B2BW' */
const MAGIC = 0x57423242;
const VERSION = 1;

const HEADER_WORDS = 6;
export const DEPTH_WORD = 3;
export const CLUSTERS_WORD = 4;

/** Of a leaf, what walks do not read: its cluster, in the high half of a word, and its area. */
export const CLUSTER_SHIFT = 16;
export const AREA_MASK = 0xffff;

/** Model: mins xyz, maxs xyz (one unit wider than stored), head node. */
export const MODEL_WORDS = 7;
export const MODEL_MAXS = 3;
export const MODEL_HEAD = 6;

/** Area: first portal, how many. Portal: its number, the area on the other side. */
export const AREA_WORDS = 2;
export const PORTAL_WORDS = 2;

export type Section =
  | 'nodes'
  | 'planes'
  | 'leafs'
  | 'leafInfos'
  | 'leafBrushes'
  | 'brushes'
  | 'sides'
  | 'textures'
  | 'models'
  | 'areas'
  | 'areaPortals'
  | 'visibility'
  | 'text';

/** Sections in the order of the header, with the words in a record. */
const SECTIONS: Readonly<Record<Section, number>> = {
  nodes: NODE_WORDS,
  planes: PLANE_WORDS,
  leafs: LEAF_WORDS,
  leafInfos: 1,
  leafBrushes: 1,
  brushes: BRUSH_WORDS,
  sides: SIDE_WORDS,
  /** Surface flags. */
  textures: 1,
  models: MODEL_WORDS,
  areas: AREA_WORDS,
  areaPortals: PORTAL_WORDS,
  /** The file's lump: number of clusters, where the two rows of each begin, run-length coded rows. */
  visibility: 1,
  /** Latin-1 text: length in bytes, then the bytes of the entities and of each texture's name, each ended by NUL. */
  text: 1,
};

export type Places = SectionPlaces<Section>;

/** How the sections are laid out, written to the header, and read from it. */
export const layout: Sections<Section> = /* @__PURE__ */ defineSections({
  format: 'quake2',
  magic: MAGIC,
  version: VERSION,
  headerWords: HEADER_WORDS,
  sections: SECTIONS,
});
