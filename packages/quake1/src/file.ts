import type { Bytes } from '@bspkit/core';
import { type BinaryReader, openFile, readFloats, readInts } from '@bspkit/core/format';
import { type Quake1Extension, readExtensions } from './bspx.ts';
import { checkFile, checkTextures } from './check.ts';
import { LOWEST_CONTENTS, type Quake1Version } from './constants.ts';
import { versionOf } from './identity.ts';

/** Lumps in the order of the directory, but for that of some maps of Half-Life. */
const LUMPS = [
  'entities',
  'planes',
  'textures',
  'vertexes',
  'visibility',
  'nodes',
  'texInfos',
  'faces',
  'lighting',
  'clipNodes',
  'leafs',
  'markSurfaces',
  'edges',
  'surfEdges',
  'models',
] as const;

/** A lump, by name. */
export type Quake1Lump = (typeof LUMPS)[number];

/** How wide a version writes its numbers, in bytes: indexes and counts, and the bounds of nodes and leafs. */
interface Widths {
  readonly index: 2 | 4;
  readonly bound: 2 | 4;
}

/** A texture by name and size in texels. */
export interface Quake1Texture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** The file from the texture's header to the end of the lump; `embeddedTextures` finds its pixels there, if any. */
  readonly bytes: Uint8Array;
}

/** The world (model 0) or an inline model `*k` (a door, a lift). Bounds as stored; the engine widens them by 1. */
export interface Quake1FileModel {
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  readonly origin: Float32Array;
  /** Where each hull's tree begins: hull 0 in the nodes, the others in the clip nodes. Below 0, it is contents. */
  readonly heads: Int32Array;
  /** Number of leafs with a visibility row, leaf 0 not counted. */
  readonly numVisLeafs: number;
  readonly firstFace: number;
  readonly numFaces: number;
}

/**
 * A Quake 1 or Half-Life map file, with every offset, length and index checked. Arrays are by record; in arrays of three numbers
 * per record, these are x, y, z; `children` has two per node, front then back.
 */
export interface Quake1File {
  readonly format: 'quake1';
  readonly version: Quake1Version;
  /** Entities text; `world.entities()` has it parsed. */
  readonly entities: string;
  /** `types`: 0, 1, 2 for a plane across x, y, z, which traces measure by that coordinate alone; more for any other. */
  readonly planes: {
    readonly count: number;
    readonly normals: Float32Array;
    readonly dists: Float32Array;
    readonly types: Int32Array;
  };
  /** `undefined` if the texture directory leaves one out. */
  readonly textures: readonly (Quake1Texture | undefined)[];
  readonly vertexes: { readonly count: number; readonly positions: Float32Array };
  /** Run-length coded rows; a leaf's row begins at its `visOffsets`. */
  readonly visibility: Uint8Array;
  /** A child c >= 0 is node c, c < 0 is leaf -1 - c. */
  readonly nodes: {
    readonly count: number;
    readonly planes: Int32Array;
    readonly children: Int32Array;
    readonly mins: Float32Array;
    readonly maxs: Float32Array;
    readonly firstFaces: Int32Array;
    readonly numFaces: Int32Array;
  };
  /** `vectors`: eight numbers, two texture axes with their offsets. */
  readonly texInfos: {
    readonly count: number;
    readonly vectors: Float32Array;
    readonly textures: Int32Array;
    readonly flags: Int32Array;
  };
  /** `sides`: 1 where the face looks to the back of its plane. `styles`: four light styles per face, 255 for none. */
  readonly faces: {
    readonly count: number;
    readonly planes: Int32Array;
    readonly sides: Int32Array;
    readonly firstEdges: Int32Array;
    readonly numEdges: Int32Array;
    readonly texInfos: Int32Array;
    readonly styles: Uint8Array;
    readonly lightOffsets: Int32Array;
  };
  readonly lighting: Uint8Array;
  /** A child c >= 0 is clip node c, c < 0 is contents c. */
  readonly clipNodes: { readonly count: number; readonly planes: Int32Array; readonly children: Int32Array };
  /** Leaf 0 is the solid one that all of the outside shares. `visOffsets`: -1 for none. */
  readonly leafs: {
    readonly count: number;
    readonly contents: Int32Array;
    readonly visOffsets: Int32Array;
    readonly mins: Float32Array;
    readonly maxs: Float32Array;
    readonly firstMarkSurfaces: Int32Array;
    readonly numMarkSurfaces: Int32Array;
  };
  /** Face numbers, by leaf. */
  readonly markSurfaces: Int32Array;
  /** Two vertex numbers per edge. */
  readonly edges: Int32Array;
  /** Edge numbers, by face; a negative one runs backwards. */
  readonly surfEdges: Int32Array;
  readonly models: readonly Quake1FileModel[];
  /** Lumps of the BSPX directory, if a compiler added one; `brushList` reads the brushes in it. */
  readonly extensions: readonly Quake1Extension[];
  /** The raw lumps, by name, in the order of the file's directory. */
  readonly lumps: Readonly<Record<Quake1Lump, Uint8Array>>;
}

type Lumps = Record<Quake1Lump, BinaryReader>;

const HEADER_BYTES = 124;
const WANTED = 'a Quake 1 map (BSP 29, BSP2, 2PSB, or BSP 30 of Half-Life)';

/** Whether a file begins with a number near ours: that of another version, such as 28, which Quake's early tools wrote. */
function isRelated(bytes: Uint8Array): boolean {
  const number = bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
  return number > 0 && number < 64;
}

/**
 * Reads a Quake map (BSP version 29, BSP2, 2PSB) or a Half-Life one (30).
 *
 * Version 29 and 30 files with more than 32767 nodes or clip nodes are read as today's tools write them: a child that cannot be
 * contents or a leaf is a number above 32767.
 *
 * @param bytes - the whole file: any `Uint8Array`, `ArrayBuffer` or `SharedArrayBuffer`; else `TypeError`.
 * @throws BspError naming the lump and record: not such a file, cut short, a lump that is not a whole number of records, an
 *   index that points nowhere, a tree with a cycle, a number that is not finite, a visibility row that runs past its lump.
 */
export function readQuake1(bytes: Bytes): Quake1File {
  const { header, version } = openFile(bytes, 'quake1', WANTED, HEADER_BYTES, versionOf, isRelated);
  const widths: Widths = {
    index: version === 29 || version === 30 ? 2 : 4,
    bound: version === 'BSP2' ? 4 : 2,
  };
  const lumps = readDirectory(header, version);
  const raw = {} as Record<Quake1Lump, Uint8Array>;
  let end = HEADER_BYTES;
  for (const [name, { base, bytes: content }] of Object.entries(lumps)) {
    raw[name as Quake1Lump] = content;
    end = Math.max(end, base + content.length);
  }
  const surfaces = readSurfaces(lumps, widths);
  const file: Quake1File = {
    format: 'quake1',
    version,
    entities: lumps.entities.text(0, raw.entities.length),
    ...readTrees(lumps, widths),
    textures: readTextures(lumps.textures),
    visibility: lumps.visibility.bytes,
    ...surfaces,
    lighting: lumps.lighting.bytes,
    models: readModels(lumps.models, surfaces.faces.count),
    extensions: readExtensions(header, end),
    lumps: raw,
  };
  checkFile(file);
  return file;
}

/** The lumps, in the order of the directory. */
function readDirectory(header: BinaryReader, version: Quake1Version): Lumps {
  const lumps = {} as Lumps;
  const lump = (name: Quake1Lump, place: number): BinaryReader =>
    header.lump({ name, offset: header.i32(4 + 8 * place), length: header.i32(8 + 8 * place) });
  // Some Half-Life maps (Blue Shift) hold the planes first and the entities second.
  const swapped = version === 30 && isText(lump('planes', 1).bytes);
  const names = swapped ? (['planes', 'entities', ...LUMPS.slice(2)] as Quake1Lump[]) : LUMPS;
  for (const [place, name] of names.entries()) lumps[name] = lump(name, place);
  return lumps;
}

const PLANE_BYTES = 20;

/**
 * Whether what should be planes is the text of entities. Its first byte is not enough: a plane's first number can begin with any
 * byte. Where the first plane has its type, a small number, text still has a character.
 */
function isText(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7b && (bytes.length % PLANE_BYTES !== 0 || bytes[16]! >= 0x09);
}

function readTrees(
  lumps: Lumps,
  { index, bound }: Widths,
): Pick<Quake1File, 'planes' | 'nodes' | 'clipNodes' | 'leafs' | 'markSurfaces'> {
  const { planes, nodes, clipNodes, leafs } = lumps;
  const unsigned = index === 2 ? 'u16' : 'i32';
  const signed = index === 2 ? 'i16' : 'i32';
  const bounds = bound === 2 ? 'i16' : 'f32';
  const faces = 4 + 2 * index + 6 * bound;
  const node = faces + 2 * index;
  const clip = 4 + 2 * index;
  const marks = 8 + 6 * bound;
  const leaf = marks + 2 * index + 4;
  const numNodes = nodes.records(node);
  const children = readInts(nodes, node, 4, 2, signed);
  const clipChildren = readInts(clipNodes, clip, 4, 2, signed);
  if (index === 2) {
    // -1 - c is a leaf unless c, read without its sign, is a node.
    unwrap(children, (unsignedChild) => unsignedChild < numNodes);
    unwrap(clipChildren, (unsignedChild) => unsignedChild < LOWEST_CONTENTS + 0x10000);
  }
  return {
    planes: {
      count: planes.records(PLANE_BYTES),
      normals: readFloats(planes, 20, 0, 3),
      dists: readFloats(planes, 20, 12),
      types: readInts(planes, 20, 16),
    },
    nodes: {
      count: numNodes,
      planes: readInts(nodes, node, 0),
      children,
      mins: readFloats(nodes, node, 4 + 2 * index, 3, bounds),
      maxs: readFloats(nodes, node, 4 + 2 * index + 3 * bound, 3, bounds),
      firstFaces: readInts(nodes, node, faces, 1, unsigned),
      numFaces: readInts(nodes, node, faces + index, 1, unsigned),
    },
    clipNodes: {
      count: clipNodes.records(clip),
      planes: readInts(clipNodes, clip, 0),
      children: clipChildren,
    },
    leafs: {
      count: leafs.records(leaf),
      contents: readInts(leafs, leaf, 0),
      visOffsets: readInts(leafs, leaf, 4),
      mins: readFloats(leafs, leaf, 8, 3, bounds),
      maxs: readFloats(leafs, leaf, 8 + 3 * bound, 3, bounds),
      firstMarkSurfaces: readInts(leafs, leaf, marks, 1, unsigned),
      numMarkSurfaces: readInts(leafs, leaf, marks + index, 1, unsigned),
    },
    markSurfaces: readInts(lumps.markSurfaces, index, 0, 1, unsigned),
  };
}

/** Turns negative 16-bit children into the numbers above 32767 that they stand for, if `isNumber` says that they do. */
function unwrap(children: Int32Array, isNumber: (unsignedChild: number) => boolean): void {
  for (let i = 0; i < children.length; i++) {
    const child = children[i]!;
    if (child < 0 && isNumber(child + 0x10000)) children[i] = child + 0x10000;
  }
}

function readSurfaces(
  lumps: Lumps,
  { index }: Widths,
): Pick<Quake1File, 'vertexes' | 'texInfos' | 'faces' | 'edges' | 'surfEdges'> {
  const { vertexes, texInfos, faces, edges, surfEdges } = lumps;
  const unsigned = index === 2 ? 'u16' : 'i32';
  const face = 12 + 4 * index;
  return {
    vertexes: {
      count: vertexes.records(12),
      positions: readFloats(vertexes, 12, 0, 3),
    },
    texInfos: {
      count: texInfos.records(40),
      vectors: readFloats(texInfos, 40, 0, 8),
      textures: readInts(texInfos, 40, 32),
      flags: readInts(texInfos, 40, 36),
    },
    faces: {
      count: faces.records(face),
      planes: readInts(faces, face, 0, 1, unsigned),
      sides: readInts(faces, face, index, 1, unsigned),
      firstEdges: readInts(faces, face, 2 * index),
      numEdges: readInts(faces, face, 2 * index + 4, 1, unsigned),
      texInfos: readInts(faces, face, 3 * index + 4, 1, unsigned),
      styles: new Uint8Array(readInts(faces, face, 4 * index + 4).buffer),
      lightOffsets: readInts(faces, face, 4 * index + 8),
    },
    edges: readInts(edges, 2 * index, 0, 2, unsigned),
    surfEdges: readInts(surfEdges, 4, 0),
  };
}

function readTextures(lump: BinaryReader): (Quake1Texture | undefined)[] {
  if (lump.bytes.length === 0) return [];
  const count = lump.u32(0);
  if (4 + 4 * count > lump.bytes.length) {
    throw lump.error('truncated', `a directory of ${count} does not fit its ${lump.bytes.length} bytes`);
  }
  const places = readInts(lump.lump({ name: 'textures', offset: 4, length: 4 * count }), 4, 0);
  checkTextures(places, lump.bytes.length);
  return Array.from(places, (at, k) => {
    if (at === -1) return undefined;
    if (at < 0 || at + 24 > lump.bytes.length) {
      throw lump.error('index', `begins at byte ${at} of ${lump.bytes.length}`, 4 + 4 * k, k);
    }
    const bytes = lump.bytes.subarray(at);
    return { name: lump.text(at, 16), width: lump.u32(at + 16), height: lump.u32(at + 20), bytes };
  });
}

const MODEL_WORDS = 16;
/** Words of a model in Hexen II, whose maps have version 29 too, but eight hulls. */
const HEXEN_MODEL_WORDS = 20;

function readModels(lump: BinaryReader, numFaces: number): Quake1FileModel[] {
  const { ints, floats } = lump.words();
  // Every face belongs to a model: a model's last number is how many faces it has.
  const fits = (words: number): boolean => {
    let sum = 0;
    for (let last = words - 1; last < ints.length; last += words) sum += ints[last]!;
    return sum === numFaces;
  };
  if (numFaces > 0 && fits(HEXEN_MODEL_WORDS) && !fits(MODEL_WORDS)) {
    throw lump.error('version', 'are of Hexen II, which is not supported');
  }
  const count = lump.records(4 * MODEL_WORDS);
  return Array.from({ length: count }, (_, k) => ({
    mins: floats.subarray(16 * k, 16 * k + 3),
    maxs: floats.subarray(16 * k + 3, 16 * k + 6),
    origin: floats.subarray(16 * k + 6, 16 * k + 9),
    heads: ints.subarray(16 * k + 9, 16 * k + 13),
    numVisLeafs: ints[16 * k + 13]!,
    firstFace: ints[16 * k + 14]!,
    numFaces: ints[16 * k + 15]!,
  }));
}
