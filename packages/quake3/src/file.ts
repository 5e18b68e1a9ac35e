import type { Bytes } from '@bspkit/core';
import { type BinaryReader, openIbsp, readFloats, readInts } from '@bspkit/core/format';
import { checkFile } from './check.ts';
import { identity } from './identity.ts';

/** A material: what a brush or surface is made of and looks like. */
export interface Quake3Shader {
  readonly name: string;
  /** Surface flags by `surfaceNames`, combined with OR. */
  readonly surfaceFlags: number;
  /** `CONTENTS_…` bits, combined with OR. */
  readonly contents: number;
}

/** The world (model 0) or an inline model `*k` (a door, a lift), as the file has it. */
export interface Quake3FileModel {
  /** Lower corner of its bounds, in Quake units, as stored. */
  readonly mins: Float32Array;
  /** Upper corner of its bounds, in Quake units, as stored. */
  readonly maxs: Float32Array;
  readonly firstSurface: number;
  readonly numSurfaces: number;
  readonly firstBrush: number;
  readonly numBrushes: number;
}

/** A drawn surface; `type` is one of the `SURFACE_…` constants. */
export interface Quake3Surface {
  /** Number of its shader in `shaders`. */
  readonly shader: number;
  /** Number of the fog that contains it; -1 for none. */
  readonly fog: number;
  readonly type: number;
  readonly firstVertex: number;
  readonly numVertexes: number;
  /** Where its triangles begin in `indexes`; patches have none there. */
  readonly firstIndex: number;
  readonly numIndexes: number;
  /** Number of its lightmap; negative for none. */
  readonly lightmap: number;
  /** Unit normal of a planar surface. */
  readonly normal: Float32Array;
  /** Control points of a patch across; 0 for other types. */
  readonly patchWidth: number;
  /** Control points of a patch down; 0 for other types. */
  readonly patchHeight: number;
}

/** A volume of fog, as stored. Nothing here uses it. */
export interface Quake3Fog {
  /** Name of its shader. */
  readonly name: string;
  /** Number of the brush that it fills. */
  readonly brush: number;
  /** The side of its brush from which it is seen; -1 for none. */
  readonly visibleSide: number;
}

/** Which clusters see which: bit b of row a. */
export interface Quake3Visibility {
  readonly numClusters: number;
  /** Length of a row. */
  readonly rowBytes: number;
  /** One row after the other. */
  readonly rows: Uint8Array;
}

/** A Quake 3 map file, every offset, length and index checked. Arrays are by record; `…s` of three hold x, y, z. */
export interface Quake3File {
  readonly format: 'quake3';
  /** 46 for Quake 3, OpenArena and Nexuiz, 47 for Quake Live. */
  readonly version: 46 | 47;
  /** Entities text; `world.entities()` parses it. */
  readonly entities: string;
  readonly shaders: readonly Quake3Shader[];
  /** Unit normals, and distances from the origin along them, in Quake units. */
  readonly planes: { readonly count: number; readonly normals: Float32Array; readonly dists: Float32Array };
  /** `children`: two per node; c >= 0 is node c, c < 0 is leaf -1 - c. Bounds in Quake units. */
  readonly nodes: {
    readonly count: number;
    readonly planes: Int32Array;
    readonly children: Int32Array;
    readonly mins: Int32Array;
    readonly maxs: Int32Array;
  };
  /**
   * `firstSurfaces` and `firstBrushes`: where a leaf's lists begin in `leafSurfaces` and `leafBrushes`. Cluster and area are
   * -1 in solid and outside. Bounds in Quake units.
   */
  readonly leafs: {
    readonly count: number;
    readonly clusters: Int32Array;
    readonly areas: Int32Array;
    readonly mins: Int32Array;
    readonly maxs: Int32Array;
    readonly firstSurfaces: Int32Array;
    readonly numSurfaces: Int32Array;
    readonly firstBrushes: Int32Array;
    readonly numBrushes: Int32Array;
  };
  /** Numbers of surfaces, leaf by leaf. */
  readonly leafSurfaces: Int32Array;
  /** Numbers of brushes, leaf by leaf. */
  readonly leafBrushes: Int32Array;
  readonly models: readonly Quake3FileModel[];
  readonly brushes: {
    readonly count: number;
    readonly firstSides: Int32Array;
    readonly numSides: Int32Array;
    readonly shaders: Int32Array;
  };
  readonly sides: { readonly count: number; readonly planes: Int32Array; readonly shaders: Int32Array };
  /** Corners of surfaces, and control points of patches. */
  readonly vertexes: {
    readonly count: number;
    /** In Quake units. */
    readonly positions: Float32Array;
    /** Two per vertex; 1 is the whole texture. */
    readonly texCoords: Float32Array;
    /** Two per vertex; 1 is the whole lightmap. */
    readonly lightmapCoords: Float32Array;
    readonly normals: Float32Array;
    /** Four bytes per vertex: red, green, blue, alpha. */
    readonly colors: Uint8Array;
  };
  /** Corners of triangles, counted from their surface's first vertex. */
  readonly indexes: Int32Array;
  readonly fogs: readonly Quake3Fog[];
  readonly surfaces: readonly Quake3Surface[];
  /** 128 x 128 x RGB bytes per lightmap. */
  readonly lightmaps: Uint8Array;
  /** The light grid of the world's open space, as stored. */
  readonly lightGrid: Uint8Array;
  /** Absent if the map has no visibility data. */
  readonly visibility: Quake3Visibility | undefined;
  /** The raw lumps, by name, in the order of the file's directory. */
  readonly lumps: Readonly<Record<Quake3Lump, Uint8Array>>;
}

/** Lumps in the order of the file's directory, with the bytes in a record (1: not made of records). */
export const LUMPS = {
  entities: 1,
  shaders: 72,
  planes: 16,
  nodes: 36,
  leafs: 48,
  leafSurfaces: 4,
  leafBrushes: 4,
  models: 40,
  brushes: 12,
  sides: 8,
  vertexes: 44,
  indexes: 4,
  fogs: 72,
  surfaces: 104,
  lightmaps: 1,
  lightGrid: 1,
  visibility: 1,
} as const;

/** A lump, by name. */
export type Quake3Lump = keyof typeof LUMPS;

/**
 * Reads a Quake 3 map: `IBSP` version 46 (Quake 3, OpenArena, Nexuiz) or 47 (Quake Live).
 *
 * @throws BspError naming the lump and record: not such a file, cut short, a lump that is not a whole number of records, an index
 *   that points nowhere, a tree with a cycle, a number that is not finite. TypeError for anything but bytes.
 */
export function readQuake3(bytes: Bytes): Quake3File {
  const { version, lumps, raw } = openIbsp(bytes, identity, [46, 47], LUMPS);
  return checkFile({
    format: 'quake3',
    version,
    entities: lumps.entities.text(0, raw.entities.length),
    shaders: readShaders(lumps.shaders, LUMPS.shaders),
    planes: readPlanes(lumps.planes, LUMPS.planes),
    nodes: readNodes(lumps.nodes, LUMPS.nodes),
    leafs: readLeafs(lumps.leafs, LUMPS.leafs),
    leafSurfaces: readInts(lumps.leafSurfaces, LUMPS.leafSurfaces, 0),
    leafBrushes: readInts(lumps.leafBrushes, LUMPS.leafBrushes, 0),
    models: readModels(lumps.models, LUMPS.models),
    brushes: readBrushes(lumps.brushes, LUMPS.brushes),
    sides: readSides(lumps.sides, LUMPS.sides),
    vertexes: readVertexes(lumps.vertexes, LUMPS.vertexes),
    indexes: readInts(lumps.indexes, LUMPS.indexes, 0),
    fogs: readFogs(lumps.fogs, LUMPS.fogs),
    surfaces: readSurfaces(lumps.surfaces, LUMPS.surfaces),
    lightmaps: lumps.lightmaps.bytes,
    lightGrid: lumps.lightGrid.bytes,
    visibility: readVisibility(lumps.visibility),
    lumps: raw,
  });
}

/** Makes an object of each record of a lump; `at` is its byte offset. */
function readRecords<T>(lump: BinaryReader, size: number, read: (at: number, index: number) => T): T[] {
  return Array.from({ length: lump.records(size) }, (_, i) => read(size * i, i));
}

function readShaders(lump: BinaryReader, size: number): Quake3Shader[] {
  return readRecords(lump, size, (at) => ({
    name: lump.text(at, 64),
    surfaceFlags: lump.i32(at + 64),
    contents: lump.i32(at + 68),
  }));
}

function readPlanes(lump: BinaryReader, size: number): Quake3File['planes'] {
  return {
    count: lump.records(size),
    normals: readFloats(lump, size, 0, 3),
    dists: readFloats(lump, size, 12),
  };
}

function readNodes(lump: BinaryReader, size: number): Quake3File['nodes'] {
  return {
    count: lump.records(size),
    planes: readInts(lump, size, 0),
    children: readInts(lump, size, 4, 2),
    mins: readInts(lump, size, 12, 3),
    maxs: readInts(lump, size, 24, 3),
  };
}

function readLeafs(lump: BinaryReader, size: number): Quake3File['leafs'] {
  return {
    count: lump.records(size),
    clusters: readInts(lump, size, 0),
    areas: readInts(lump, size, 4),
    mins: readInts(lump, size, 8, 3),
    maxs: readInts(lump, size, 20, 3),
    firstSurfaces: readInts(lump, size, 32),
    numSurfaces: readInts(lump, size, 36),
    firstBrushes: readInts(lump, size, 40),
    numBrushes: readInts(lump, size, 44),
  };
}

function readModels(lump: BinaryReader, size: number): Quake3FileModel[] {
  const mins = readFloats(lump, size, 0, 3);
  const maxs = readFloats(lump, size, 12, 3);
  return readRecords(lump, size, (at, i) => ({
    mins: mins.slice(3 * i, 3 * i + 3),
    maxs: maxs.slice(3 * i, 3 * i + 3),
    firstSurface: lump.i32(at + 24),
    numSurfaces: lump.i32(at + 28),
    firstBrush: lump.i32(at + 32),
    numBrushes: lump.i32(at + 36),
  }));
}

function readBrushes(lump: BinaryReader, size: number): Quake3File['brushes'] {
  return {
    count: lump.records(size),
    firstSides: readInts(lump, size, 0),
    numSides: readInts(lump, size, 4),
    shaders: readInts(lump, size, 8),
  };
}

function readSides(lump: BinaryReader, size: number): Quake3File['sides'] {
  return {
    count: lump.records(size),
    planes: readInts(lump, size, 0),
    shaders: readInts(lump, size, 4),
  };
}

function readVertexes(lump: BinaryReader, size: number): Quake3File['vertexes'] {
  return {
    count: lump.records(size),
    positions: readFloats(lump, size, 0, 3),
    texCoords: readFloats(lump, size, 12, 2),
    lightmapCoords: readFloats(lump, size, 20, 2),
    normals: readFloats(lump, size, 28, 3),
    colors: new Uint8Array(readInts(lump, size, 40).buffer),
  };
}

function readFogs(lump: BinaryReader, size: number): Quake3Fog[] {
  return readRecords(lump, size, (at) => ({
    name: lump.text(at, 64),
    brush: lump.i32(at + 64),
    visibleSide: lump.i32(at + 68),
  }));
}

function readSurfaces(lump: BinaryReader, size: number): Quake3Surface[] {
  const normals = readFloats(lump, size, 84, 3);
  return readRecords(lump, size, (at, i) => ({
    shader: lump.i32(at),
    fog: lump.i32(at + 4),
    type: lump.i32(at + 8),
    firstVertex: lump.i32(at + 12),
    numVertexes: lump.i32(at + 16),
    firstIndex: lump.i32(at + 20),
    numIndexes: lump.i32(at + 24),
    lightmap: lump.i32(at + 28),
    normal: normals.slice(3 * i, 3 * i + 3),
    patchWidth: lump.i32(at + 96),
    patchHeight: lump.i32(at + 100),
  }));
}

function readVisibility(lump: BinaryReader): Quake3Visibility | undefined {
  if (lump.bytes.length === 0) return undefined;
  const [numClusters, rowBytes] = [lump.i32(0), lump.i32(4)];
  const rows = lump.bytes.subarray(8);
  if (numClusters < 0 || rowBytes < 0 || numClusters * rowBytes > rows.length || numClusters > 8 * rowBytes) {
    const problem = `${numClusters} clusters in rows of ${rowBytes} bytes do not fit its ${rows.length} bytes`;
    throw lump.error('lump-size', problem);
  }
  return { numClusters, rowBytes, rows };
}
