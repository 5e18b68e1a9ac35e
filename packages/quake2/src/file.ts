import { readTreeLumps } from '@bspkit/brushes';
import type { Bytes } from '@bspkit/core';
import {
  type BinaryReader,
  ibspVersion,
  type LumpFileKind,
  openLumps,
  readFloats,
  readInts,
  toBytes,
} from '@bspkit/core/format';
import { checkFile } from './check.ts';
import type { Quake2Version } from './constants.ts';
import { identity } from './identity.ts';

/** A texture as sides and faces use it. */
export interface Quake2Texinfo {
  readonly name: string;
  /** `SURFACE_…` flags, combined with OR. */
  readonly surfaceFlags: number;
  /** Brightness of a texture that emits light. */
  readonly value: number;
  /** The next frame of an animation; -1 for none. */
  readonly next: number;
}

/** The world (model 0) or an inline model `*k` (a door, a lift). Bounds as stored, in Quake units. */
export interface Quake2FileModel {
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  /** For sounds; where the model was built is in its entity. */
  readonly origin: Float32Array;
  /** Root of its tree; if negative, it is leaf -1 - headNode. */
  readonly headNode: number;
  readonly firstFace: number;
  readonly numFaces: number;
}

/** Which clusters see and hear which, in run-length coded rows. */
export interface Quake2Visibility {
  /** Two per cluster: where in `rows` the row of what it sees begins, and the row of what it hears. */
  readonly offsets: Int32Array;
  /** The whole lump. */
  readonly rows: Uint8Array;
}

/** A Quake 2 map file, every offset, length and index checked. Arrays are by record; `…s` of three hold x, y, z. */
export interface Quake2File {
  readonly format: 'quake2';
  readonly version: Quake2Version;
  /** Entities text; `world.entities()` parses it. */
  readonly entities: string;
  /** Types 0 to 2 face along an axis, either way; others do not. Planes 2k and 2k + 1 are opposite. */
  readonly planes: {
    readonly count: number;
    readonly normals: Float32Array;
    readonly dists: Float32Array;
    readonly types: Int32Array;
  };
  /** `children`: two per node; c >= 0 is node c, c < 0 is leaf -1 - c. */
  readonly nodes: {
    readonly count: number;
    readonly planes: Int32Array;
    readonly children: Int32Array;
    readonly mins: Float32Array;
    readonly maxs: Float32Array;
  };
  /**
   * Bounds and lists of faces are as stored, since nothing here uses them. `firstFaces` and `firstBrushes`: where a leaf's lists
   * begin in the lump of leaf faces, and in `leafBrushes`. Cluster -1: in solid or outside. Bounds in Quake units.
   */
  readonly leafs: {
    readonly count: number;
    readonly contents: Int32Array;
    readonly clusters: Int32Array;
    readonly areas: Int32Array;
    readonly mins: Float32Array;
    readonly maxs: Float32Array;
    readonly firstFaces: Int32Array;
    readonly numFaces: Int32Array;
    readonly firstBrushes: Int32Array;
    readonly numBrushes: Int32Array;
  };
  /** Numbers of brushes, leaf by leaf. */
  readonly leafBrushes: Int32Array;
  readonly brushes: {
    readonly count: number;
    readonly firstSides: Int32Array;
    readonly numSides: Int32Array;
    readonly contents: Int32Array;
  };
  /** Texture -1 and below: none. */
  readonly sides: { readonly count: number; readonly planes: Int32Array; readonly textures: Int32Array };
  readonly textures: readonly Quake2Texinfo[];
  readonly models: readonly Quake2FileModel[];
  /** One more than the highest cluster of any leaf. */
  readonly numClusters: number;
  /** Absent if the map has no visibility data. */
  readonly visibility: Quake2Visibility | undefined;
  /** Where an area's portals begin in `areaPortals`, and how many it has. */
  readonly areas: {
    readonly count: number;
    readonly firstPortals: Int32Array;
    readonly numPortals: Int32Array;
  };
  /** Each portal is listed twice, once for each of the two areas beside it. */
  readonly areaPortals: {
    readonly count: number;
    /** The portal's number, by which doors open and close it. */
    readonly portals: Int32Array;
    /** The area on the other side. */
    readonly areas: Int32Array;
  };
  /** The raw lumps, by name, in the order of the directory; those for drawing and light are read when a mesh is asked for. */
  readonly lumps: Readonly<Record<Quake2Lump, Uint8Array>>;
}

/** Lumps in the order of the file's directory, with the bytes in a record (1: not made of records). */
const LUMPS = {
  entities: 1,
  planes: 20,
  vertexes: 12,
  visibility: 1,
  nodes: 28,
  texinfo: 76,
  faces: 20,
  lighting: 1,
  leafs: 28,
  leafFaces: 2,
  leafBrushes: 2,
  edges: 4,
  surfEdges: 4,
  models: 48,
  brushes: 12,
  sides: 4,
  pop: 1,
  areas: 8,
  areaPortals: 8,
};

/** Those of QBSP: numbers of 32 bits instead of 16, and bounds as floats. */
const WIDE_LUMPS: typeof LUMPS = {
  ...LUMPS,
  nodes: 44,
  faces: 28,
  leafs: 52,
  leafFaces: 4,
  leafBrushes: 4,
  edges: 8,
  sides: 8,
};

/** Bytes in a record of each lump, by the file's version. */
export const lumpSizes = (version: Quake2Version): typeof LUMPS => (version === 38 ? LUMPS : WIDE_LUMPS);

/** A lump, by name. */
export type Quake2Lump = keyof typeof LUMPS;

const VERSIONS: readonly Quake2Version[] = [38, 'QBSP'];

/** What a version is usually called. */
export const versionName = (version: Quake2Version): string => identity.versions[VERSIONS.indexOf(version)]!;

/** How files are recognised. */
const KIND: LumpFileKind<Quake2Version> = {
  wanted: `a Quake 2 map (${identity.versions.join(' or ')})`,
  versionOf: (bytes) => VERSIONS[identity.versions.indexOf(identity.detect(bytes)!)],
  isRelated: (bytes) => (ibspVersion(bytes) ?? ibspVersion(bytes, 'QBSP')) !== undefined,
};

type Lumps = Readonly<Record<Quake2Lump, BinaryReader>>;

/**
 * Reads a Quake 2 map: `IBSP` version 38, or `QBSP`, whose records have 32-bit numbers.
 *
 * @throws BspError naming the lump and record: not such a file, cut short, a lump that is not a whole number of
 *   records, an index that points nowhere, a tree with a cycle, a number that is not finite, a visibility row that runs
 *   past its lump. TypeError for anything but a buffer or a `Uint8Array`.
 */
export function readQuake2(bytes: Bytes): Quake2File {
  const sizes = lumpSizes(KIND.versionOf(toBytes(bytes)) ?? 38);
  const { version, lumps, raw } = openLumps(bytes, identity.id, KIND, sizes);
  const leafs = readLeafs(lumps.leafs, sizes.leafs);
  const numClusters = 1 + leafs.clusters.reduce((most, cluster) => Math.max(most, cluster), -1);
  return checkFile({
    format: 'quake2',
    version,
    entities: lumps.entities.text(0, raw.entities.length),
    ...readTreeLumps(lumps, sizes),
    leafs,
    textures: readTextures(lumps.texinfo),
    models: readModels(lumps.models),
    numClusters,
    visibility: readVisibility(lumps.visibility, numClusters),
    ...readAreas(lumps),
    lumps: raw,
  });
}

function readLeafs(leafs: BinaryReader, size: number): Quake2File['leafs'] {
  const [index, signed, unsigned, bounds] =
    size === WIDE_LUMPS.leafs ? ([4, 'i32', 'i32', 'f32'] as const) : ([2, 'i16', 'u16', 'i16'] as const);
  const numbers = (place: number, kind: 'i32' | 'i16' | 'u16' = unsigned): Int32Array =>
    readInts(leafs, size, 4 + index * place, 1, kind);
  return {
    count: leafs.records(size),
    contents: readInts(leafs, size, 0),
    clusters: numbers(0, signed),
    areas: numbers(1, signed),
    mins: readFloats(leafs, size, 4 + 2 * index, 3, bounds),
    maxs: readFloats(leafs, size, 4 + 5 * index, 3, bounds),
    firstFaces: numbers(8),
    numFaces: numbers(9),
    firstBrushes: numbers(10),
    numBrushes: numbers(11),
  };
}

function readTextures(lump: BinaryReader): Quake2Texinfo[] {
  const size = LUMPS.texinfo;
  return Array.from({ length: lump.records(size) }, (_, i) => ({
    name: lump.text(size * i + 40, 32),
    surfaceFlags: lump.i32(size * i + 32),
    value: lump.i32(size * i + 36),
    next: lump.i32(size * i + 72),
  }));
}

function readModels(lump: BinaryReader): Quake2FileModel[] {
  const { ints, floats } = lump.words();
  const words = LUMPS.models / 4;
  return Array.from({ length: lump.records(LUMPS.models) }, (_, i) => ({
    mins: floats.subarray(words * i, words * i + 3),
    maxs: floats.subarray(words * i + 3, words * i + 6),
    origin: floats.subarray(words * i + 6, words * i + 9),
    headNode: ints[words * i + 9]!,
    firstFace: ints[words * i + 10]!,
    numFaces: ints[words * i + 11]!,
  }));
}

function readVisibility(lump: BinaryReader, numClusters: number): Quake2Visibility | undefined {
  const { bytes } = lump;
  if (bytes.length === 0) return undefined;
  const count = lump.i32(0);
  if (count < numClusters || 4 + 8 * count > bytes.length) {
    const problem = `has rows for ${count} clusters in ${bytes.length} bytes, but leafs have ${numClusters}`;
    throw lump.error('lump-size', problem);
  }
  const offsets = lump.lump({ name: 'visibility', offset: 4, length: 8 * numClusters });
  return { offsets: readInts(offsets, 8, 0, 2), rows: bytes };
}

function readAreas({ areas, areaPortals }: Lumps): Pick<Quake2File, 'areas' | 'areaPortals'> {
  return {
    areas: {
      count: areas.records(LUMPS.areas),
      numPortals: readInts(areas, LUMPS.areas, 0),
      firstPortals: readInts(areas, LUMPS.areas, 4),
    },
    areaPortals: {
      count: areaPortals.records(LUMPS.areaPortals),
      portals: readInts(areaPortals, LUMPS.areaPortals, 0),
      areas: readInts(areaPortals, LUMPS.areaPortals, 4),
    },
  };
}
