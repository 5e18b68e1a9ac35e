import { BRUSH_WORDS, LEAF_WORDS, NODE_WORDS, PLANE_WORDS, SIDE_WORDS } from '@bspkit/brushes';
import { defineSections, type SectionPlaces, type Sections } from '@bspkit/core/format';
import { AREA_WORDS, HEADER_WORDS, MODEL_WORDS, PORTAL_WORDS } from './layout.ts';

// The sections of the world's buffer, whose records `layout.ts` describes.

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
  | 'texts';

export type Places = SectionPlaces<Section>;

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
  /** Latin-1 texts: length in bytes, then the bytes of the entities and of each texture's name, each terminated by NUL. */
  texts: 1,
};

/** 'B2BW' */
const MAGIC = 0x57423242;
const VERSION = 2;

/** How the sections are laid out, written to the header, and read from it. */
export const layout: Sections<Section> = /* @__PURE__ */ defineSections({
  format: 'quake2',
  magic: MAGIC,
  version: VERSION,
  headerWords: HEADER_WORDS,
  sections: SECTIONS,
});
