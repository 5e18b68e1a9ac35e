import { BspError } from '@bspkit/core';
import { defineSections, type SectionPlaces, type Sections } from '@bspkit/core/format';
import type { Quake1Version } from './constants.ts';
import {
  CONTENTS_BITS,
  CONTENTS_MASK,
  FACE_WORDS,
  HEADER_WORDS,
  LEAF_WORDS,
  MODEL_WORDS,
  PLANE_WORDS,
  VERSION_WORD,
} from './layout.ts';

// The sections of the world's buffer, which `layout.ts` describes.

export type Section =
  | 'planes'
  | 'nodes'
  | 'clipNodes'
  | 'leafs'
  | 'models'
  | 'visibility'
  | 'markSurfaces'
  | 'faces'
  | 'corners'
  | 'vertexes'
  | 'texts';

export type Places = SectionPlaces<Section>;

/** Sections in the order of the header, with the words in a record. */
const SECTIONS: Readonly<Record<Section, number>> = {
  planes: PLANE_WORDS,
  /** A tree, counted in words. */
  nodes: 1,
  /** A tree, counted in words. */
  clipNodes: 1,
  leafs: LEAF_WORDS,
  models: MODEL_WORDS,
  /** Bytes, counted in words. */
  visibility: 1,
  /** Face. */
  markSurfaces: 1,
  faces: FACE_WORDS,
  /** Vertex: the one where each surface edge begins. */
  corners: 1,
  /** Position xyz. */
  vertexes: 3,
  /** Texts, counted in words: the entities, then the names of all textures. */
  texts: 1,
};

/** 'B1BW' */
const MAGIC = 0x57423142;
const LAYOUT_VERSION = 2;

/** Packs a leaf, or contents at the end of a clip tree, into a child. */
export function packLeaf(leaf: number, contents: number): number {
  return ~((leaf << CONTENTS_BITS) | -contents);
}

/** Contents of a packed leaf. */
export function packedContents(child: number): number {
  return -(~child & CONTENTS_MASK);
}

/** Leaf number of a packed leaf; 0 in a clip tree. */
export function packedLeaf(child: number): number {
  return ~child >> CONTENTS_BITS;
}

/** Words of a node by its kind. */
export function nodeWords(kind: number): 4 | 8 {
  return kind === 3 ? 8 : 4;
}

const VERSIONS: readonly Quake1Version[] = [29, 30, 'BSP2', '2PSB'];

/** A file's version as one word: its number, or its four letters. */
export function versionWord(version: Quake1Version): number {
  if (typeof version === 'number') return version;
  return [...version].reduce((word, letter, k) => word | (letter.charCodeAt(0) << (8 * k)), 0);
}

/** How the sections are laid out, and written to and read from the header. */
export const layout: Sections<Section> = /* @__PURE__ */ defineSections({
  format: 'quake1',
  magic: MAGIC,
  version: LAYOUT_VERSION,
  headerWords: HEADER_WORDS,
  sections: SECTIONS,
});

/** The file's version, from a world's header. */
export function readVersionWord(ints: Int32Array): Quake1Version {
  const version = VERSIONS.find((known) => versionWord(known) === ints[VERSION_WORD]);
  if (version !== undefined) return version;
  const place = { format: 'quake1', lump: 'world data' };
  throw new BspError('version', place, `was made from version ${ints[VERSION_WORD]}, which is not supported`);
}
