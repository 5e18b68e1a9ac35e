import { defineSections, type SectionPlaces, type Sections } from '@bspkit/core/format';
import {
  BRUSH_WORDS,
  FACET_WORDS,
  HEADER_WORDS,
  LEAF_WORDS,
  MODEL_WORDS,
  NODE_WORDS,
  PATCH_WORDS,
  PLANE_WORDS,
  REF_WORDS,
  SHADER_WORDS,
  SIDE_WORDS,
  SURFACE_WORDS,
} from './layout.ts';

// The sections of the world's buffer, whose records `layout.ts` describes.

export type Section =
  | 'nodes'
  | 'leafs'
  | 'brushRefs'
  | 'brushes'
  | 'sides'
  | 'shaders'
  | 'models'
  | 'patchRefs'
  | 'patches'
  | 'patchPlanes'
  | 'facets'
  | 'facetSides'
  | 'leafSurfaces'
  | 'surfaces'
  | 'vertexes'
  | 'indexes'
  | 'visibility'
  | 'texts';

export type Places = SectionPlaces<Section>;

/** Place of a node or leaf, by its number in the file. */
export const nodeAt = (places: Places, node: number): number => places.nodes.first + NODE_WORDS * node;
export const leafAt = (places: Places, leaf: number): number => places.leafs.first + LEAF_WORDS * leaf;

/** Sections in the order of the header, with the words in a record. */
const SECTIONS: Readonly<Record<Section, number>> = {
  nodes: NODE_WORDS,
  leafs: LEAF_WORDS,
  brushRefs: REF_WORDS,
  brushes: BRUSH_WORDS,
  sides: SIDE_WORDS,
  shaders: SHADER_WORDS,
  models: MODEL_WORDS,
  /** Place of a patch. */
  patchRefs: 1,
  patches: PATCH_WORDS,
  patchPlanes: PLANE_WORDS,
  facets: FACET_WORDS,
  facetSides: SIDE_WORDS,
  /** Surface number. */
  leafSurfaces: 1,
  surfaces: SURFACE_WORDS,
  /** Position xyz. */
  vertexes: 3,
  /** Vertex, counted from the surface's first. */
  indexes: 1,
  /** Rows of bits. */
  visibility: 1,
  /** Latin-1 texts: length in bytes, then the bytes of the entities and of each shader name, each terminated by NUL. */
  texts: 1,
};

/** 'B3BW' */
const MAGIC = 0x57423342;
const VERSION = 2;

/** How the sections are laid out, written to the header, and read from it. */
export const layout: Sections<Section> = /* @__PURE__ */ defineSections({
  format: 'quake3',
  magic: MAGIC,
  version: VERSION,
  headerWords: HEADER_WORDS,
  sections: SECTIONS,
});
