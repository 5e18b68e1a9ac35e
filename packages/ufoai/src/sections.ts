import { BRUSH_WORDS, LEAF_WORDS, NODE_WORDS, PLANE_WORDS, SIDE_WORDS } from '@bspkit/brushes';
import { defineSections, type SectionPlaces, type Sections } from '@bspkit/core/format';
import {
  BOX_GROUP_WORDS,
  BOX_HEAD_WORDS,
  HEADER_WORDS,
  LINE_HEAD_WORDS,
  MODEL_WORDS,
  TILE_WORDS,
} from './layout.ts';

// The sections of the world's buffer, whose records `layout.ts` describes.

export type Section =
  | 'tiles'
  | 'lineHeads'
  | 'boxHeads'
  | 'boxGroups'
  | 'models'
  | 'lines'
  | 'nodes'
  | 'planes'
  | 'leafs'
  | 'leafBrushes'
  | 'brushes'
  | 'sides'
  | 'textures'
  | 'texts';

export type Places = SectionPlaces<Section>;

/** Sections in the order of the header, with the words in a record. */
const SECTIONS: Readonly<Record<Section, number>> = {
  tiles: TILE_WORDS,
  lineHeads: LINE_HEAD_WORDS,
  boxHeads: BOX_HEAD_WORDS,
  boxGroups: BOX_GROUP_WORDS,
  /** The inline models of all tiles, in order. */
  models: MODEL_WORDS,
  /** The pruned trees that lines walk. */
  lines: 1,
  /**
   * As in the package of brushes, like all sections down to the sides. Union nodes are of kinds 4 and 5, which split along x and
   * y by the distance, and 6, which does not split at all.
   */
  nodes: NODE_WORDS,
  /** Moved with the tile. */
  planes: PLANE_WORDS,
  leafs: LEAF_WORDS,
  leafBrushes: 1,
  brushes: BRUSH_WORDS,
  /** Planes and textures are by number in the tile. */
  sides: SIDE_WORDS,
  /** Surface flags. */
  textures: 1,
  /** Texts of each tile: its entities, then the names of its textures. */
  texts: 1,
};

/** 'BUFW' */
const MAGIC = 0x57465542;
const VERSION = 2;

/** How the sections are laid out, written to the header, and read from it. */
export const layout: Sections<Section> = /* @__PURE__ */ defineSections({
  format: 'ufoai',
  magic: MAGIC,
  version: VERSION,
  headerWords: HEADER_WORDS,
  sections: SECTIONS,
});
