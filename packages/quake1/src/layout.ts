import { BspError } from '@bspkit/core';
import { defineSections, type SectionPlaces, type Sections } from '@bspkit/core/format';
import type { Quake1Version } from './constants.ts';

// The world's one buffer. All numbers are 32-bit little-endian words; a record's place is its word offset from the
// start of the buffer, so the buffer can be moved, shared between threads or handed to WebAssembly as it is.
//
//   header     the words named below, then a pair (place, number of records) for each section, in SECTIONS' order
//   sections   records as SECTIONS says
//
// A tree (`nodes`, `clipNodes`) is a run of nodes of 4 or 8 words in the order of the file, which is depth first:
//   +0  plane << 3 | kind    kind 0, 1, 2: across x, y, z; 3: any other;
//                            4, 5, 6: traced as if across x, y, z, because the file says so, but not exactly so
//   +1  dist
//   +2  front child, +3 back child: the place of a node, or below 0 a packed leaf, ~(leaf << 6 | -contents);
//                            clip nodes have no leafs and give leaf 0
//   +4  normal xyz, one word unused: kind 3 only

/** 'B1BW' */
const MAGIC = 0x57423142;
const LAYOUT_VERSION = 2;

/** Header words, after magic, layout version and length. */
/** The file's version: 29 or 30, or the four letters of its magic as a word. */
export const VERSION_WORD = 3;
/** Number of hulls that can be traced. */
export const HULLS_WORD = 4;
/** Nodes on the longest way down any tree. */
export const DEPTH_WORD = 5;
/** Leafs with a visibility row. */
export const VIS_LEAFS_WORD = 6;
/** Floats: the greatest component of a normal, and the greatest dist, of all planes, whatever their sign. */
export const NORMAL_WORD = 7;
export const DIST_WORD = 8;
/** Number of textures in the file's directory. */
export const TEXTURES_WORD = 9;

const HEADER_WORDS = 10;

/** Sections in the order of the header, with the words in a record. */
const SECTIONS = {
  /** normal xyz, dist, type */
  planes: 5,
  /** a tree, counted in words */
  nodes: 1,
  /** a tree, counted in words */
  clipNodes: 1,
  /** contents, visibility offset in bytes, first mark, number of marks */
  leafs: 4,
  /** mins xyz, maxs xyz, origin xyz, heads of four hulls (as children are packed), first face, number of faces, 0 */
  models: 16,
  /** bytes, counted in words */
  visibility: 1,
  /** face */
  markSurfaces: 1,
  /** plane << 1 | side, first corner (its number), number of corners, texture, surface flags */
  faces: 5,
  /** vertex: the one that each surface edge begins at */
  corners: 1,
  /** position xyz */
  vertexes: 3,
  /** texts, counted in words: the entities, then the names of all textures */
  texts: 1,
} as const;

export type Section = keyof typeof SECTIONS;

export const PLANE_WORDS: number = SECTIONS.planes;
export const LEAF_WORDS: number = SECTIONS.leafs;
export const MODEL_WORDS: number = SECTIONS.models;
export const FACE_WORDS: number = SECTIONS.faces;
/** Where a model's heads begin in its record. */
export const MODEL_HEADS = 9;
/** Where a model's first face stands in its record, and the number of faces after it. */
export const MODEL_FACES = 13;

/** Bits of a packed leaf that hold its contents. */
const CONTENTS_BITS = 6;
export const CONTENTS_MASK: number = (1 << CONTENTS_BITS) - 1;

/** Packs what lies below a tree into a child. */
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

export type Places = SectionPlaces<Section>;

/** How the sections are laid out, written to the header, and read from it. */
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
