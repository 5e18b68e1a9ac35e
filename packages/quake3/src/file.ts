import { BinaryReader, BspError } from '@bspkit/core';
import { checkFile } from './file-check.ts';

/** A material: what a brush or surface is made of and looks like. */
export interface Quake3Shader {
  readonly name: string;
  readonly surfaceFlags: number;
  readonly contents: number;
}

/** The world (model 0) or an inline model `*k` (a door, a lift). Bounds as stored. */
export interface Quake3Model {
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  readonly firstSurface: number;
  readonly numSurfaces: number;
  readonly firstBrush: number;
  readonly numBrushes: number;
}

/** A drawn surface; `type` is one of the `SURFACE_…` constants. */
export interface Quake3Surface {
  readonly shader: number;
  readonly fog: number;
  readonly type: number;
  readonly firstVertex: number;
  readonly numVertexes: number;
  readonly firstIndex: number;
  readonly numIndexes: number;
  readonly lightmap: number;
  readonly normal: Float32Array;
  /** Control points of a patch across and down; 0 for other types. */
  readonly patchWidth: number;
  readonly patchHeight: number;
}

export interface Quake3Fog {
  readonly name: string;
  readonly brush: number;
  readonly visibleSide: number;
}

/** Which clusters see which: bit b of row a. */
export interface Quake3Visibility {
  readonly numClusters: number;
  readonly rowBytes: number;
  readonly rows: Uint8Array;
}

/** A Quake 3 map file, every offset, length and index checked. Arrays are by record; `…s` of three hold x, y, z. */
export interface Quake3File {
  readonly format: 'quake3';
  readonly version: 46 | 47;
  /** Entities text; `parseEntities` of core reads it. */
  readonly entities: string;
  readonly shaders: readonly Quake3Shader[];
  readonly planes: { readonly count: number; readonly normals: Float32Array; readonly dists: Float32Array };
  /** `children`: two a node; c >= 0 is node c, c < 0 is leaf -1 - c. */
  readonly nodes: {
    readonly count: number;
    readonly planes: Int32Array;
    readonly children: Int32Array;
    readonly mins: Int32Array;
    readonly maxs: Int32Array;
  };
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
  readonly leafSurfaces: Int32Array;
  readonly leafBrushes: Int32Array;
  readonly models: readonly Quake3Model[];
  readonly brushes: {
    readonly count: number;
    readonly firstSides: Int32Array;
    readonly numSides: Int32Array;
    readonly shaders: Int32Array;
  };
  readonly sides: { readonly count: number; readonly planes: Int32Array; readonly shaders: Int32Array };
  readonly vertexes: {
    readonly count: number;
    readonly positions: Float32Array;
    readonly texCoords: Float32Array;
    readonly lightmapCoords: Float32Array;
    readonly normals: Float32Array;
    /** Four bytes a vertex: red, green, blue, alpha. */
    readonly colors: Uint8Array;
  };
  /** Corners of triangles, counted from their surface's first vertex. */
  readonly indexes: Int32Array;
  readonly fogs: readonly Quake3Fog[];
  readonly surfaces: readonly Quake3Surface[];
  /** 128 x 128 x RGB bytes a lightmap. */
  readonly lightmaps: Uint8Array;
  readonly lightGrid: Uint8Array;
  /** Absent where the map was not vised. */
  readonly visibility: Quake3Visibility | undefined;
  /** Bytes of every lump, by name: what a map spends its size on. */
  readonly lumpBytes: Readonly<Record<Quake3Lump, number>>;
}

const HEADER_BYTES = 144;

/** Lumps in the order of the file's directory. */
const LUMPS = [
  'entities',
  'shaders',
  'planes',
  'nodes',
  'leafs',
  'leafSurfaces',
  'leafBrushes',
  'models',
  'brushes',
  'sides',
  'vertexes',
  'indexes',
  'fogs',
  'surfaces',
  'lightmaps',
  'lightGrid',
  'visibility',
] as const;

export type Quake3Lump = (typeof LUMPS)[number];

/**
 * Reads a Quake 3 map: `IBSP` version 46 (Quake 3, OpenArena, Nexuiz) or 47 (Quake Live).
 *
 * @throws BspError naming the lump and record: not such a file, cut short, a lump that is not a whole number of
 *   records, an index that points nowhere, a tree with a cycle, a number that is not finite.
 */
export function readQuake3(bytes: Uint8Array): Quake3File {
  const header = new BinaryReader(bytes, 'quake3');
  const version = readVersion(header);
  const lumps = {} as Record<Quake3Lump, BinaryReader>;
  const lumpBytes = {} as Record<Quake3Lump, number>;
  for (const [index, name] of LUMPS.entries()) {
    const [offset, length] = [header.i32(8 + 8 * index), header.i32(12 + 8 * index)];
    lumps[name] = header.lump({ name, offset, length });
    lumpBytes[name] = length;
  }
  const file: Quake3File = {
    format: 'quake3',
    version,
    entities: lumps.entities.text(0, lumpBytes.entities),
    shaders: readShaders(lumps.shaders),
    ...readTree(lumps),
    ...readBrushes(lumps),
    ...readSurfaces(lumps),
    lightmaps: lumps.lightmaps.bytes,
    lightGrid: lumps.lightGrid.bytes,
    visibility: readVisibility(lumps.visibility),
    lumpBytes,
  };
  checkFile(file);
  return file;
}

function readVersion(header: BinaryReader): 46 | 47 {
  const length = header.bytes.length;
  const magic = header.text(0, Math.min(4, length));
  if (length < 4 || magic !== 'IBSP') {
    const found = length === 0 ? 'the file is empty' : `it begins with ${JSON.stringify(magic)}`;
    throw header.error('magic', `not a Quake 3 map: expected 'IBSP', but ${found}`);
  }
  if (length < HEADER_BYTES) {
    throw header.error('truncated', `needs ${HEADER_BYTES} bytes, but the file has ${length}`, length);
  }
  const version = header.i32(4);
  if (version !== 46 && version !== 47) {
    throw header.error('version', `expected IBSP version 46 or 47, found ${version}`, 4);
  }
  return version;
}

/** Pulls the fields at one place of every record out of a lump's words. */
function pick<A extends Int32Array | Float32Array>(words: A, stride: number, place: number, width = 1): A {
  const count = words.length / stride;
  const out = new (words.constructor as new (length: number) => A)(count * width);
  for (let record = 0, to = 0, from = place; record < count; record++, from += stride) {
    for (let k = 0; k < width; k++) out[to++] = words[from + k]!;
  }
  return out;
}

function readShaders(lump: BinaryReader): Quake3Shader[] {
  return Array.from({ length: lump.records(72) }, (_, i) => ({
    name: lump.text(72 * i, 64),
    surfaceFlags: lump.i32(72 * i + 64),
    contents: lump.i32(72 * i + 68),
  }));
}

function readTree(
  lumps: Record<Quake3Lump, BinaryReader>,
): Pick<Quake3File, 'planes' | 'nodes' | 'leafs' | 'leafSurfaces' | 'leafBrushes'> {
  const planes = { count: lumps.planes.records(16), words: lumps.planes.words().floats };
  const nodes = { count: lumps.nodes.records(36), words: lumps.nodes.words().ints };
  const leafs = { count: lumps.leafs.records(48), words: lumps.leafs.words().ints };
  lumps.leafSurfaces.records(4);
  lumps.leafBrushes.records(4);
  return {
    planes: { count: planes.count, normals: pick(planes.words, 4, 0, 3), dists: pick(planes.words, 4, 3) },
    nodes: {
      count: nodes.count,
      planes: pick(nodes.words, 9, 0),
      children: pick(nodes.words, 9, 1, 2),
      mins: pick(nodes.words, 9, 3, 3),
      maxs: pick(nodes.words, 9, 6, 3),
    },
    leafs: {
      count: leafs.count,
      clusters: pick(leafs.words, 12, 0),
      areas: pick(leafs.words, 12, 1),
      mins: pick(leafs.words, 12, 2, 3),
      maxs: pick(leafs.words, 12, 5, 3),
      firstSurfaces: pick(leafs.words, 12, 8),
      numSurfaces: pick(leafs.words, 12, 9),
      firstBrushes: pick(leafs.words, 12, 10),
      numBrushes: pick(leafs.words, 12, 11),
    },
    leafSurfaces: lumps.leafSurfaces.words().ints,
    leafBrushes: lumps.leafBrushes.words().ints,
  };
}

function readBrushes(
  lumps: Record<Quake3Lump, BinaryReader>,
): Pick<Quake3File, 'models' | 'brushes' | 'sides'> {
  const models = { count: lumps.models.records(40), ...lumps.models.words() };
  const brushes = { count: lumps.brushes.records(12), words: lumps.brushes.words().ints };
  const sides = { count: lumps.sides.records(8), words: lumps.sides.words().ints };
  return {
    models: Array.from({ length: models.count }, (_, i) => ({
      mins: models.floats.slice(10 * i, 10 * i + 3),
      maxs: models.floats.slice(10 * i + 3, 10 * i + 6),
      firstSurface: models.ints[10 * i + 6]!,
      numSurfaces: models.ints[10 * i + 7]!,
      firstBrush: models.ints[10 * i + 8]!,
      numBrushes: models.ints[10 * i + 9]!,
    })),
    brushes: {
      count: brushes.count,
      firstSides: pick(brushes.words, 3, 0),
      numSides: pick(brushes.words, 3, 1),
      shaders: pick(brushes.words, 3, 2),
    },
    sides: { count: sides.count, planes: pick(sides.words, 2, 0), shaders: pick(sides.words, 2, 1) },
  };
}

function readSurfaces(
  lumps: Record<Quake3Lump, BinaryReader>,
): Pick<Quake3File, 'vertexes' | 'indexes' | 'fogs' | 'surfaces'> {
  const vertexes = { count: lumps.vertexes.records(44), ...lumps.vertexes.words() };
  const surfaces = { count: lumps.surfaces.records(104), ...lumps.surfaces.words() };
  const { fogs } = lumps;
  lumps.indexes.records(4);
  return {
    vertexes: {
      count: vertexes.count,
      positions: pick(vertexes.floats, 11, 0, 3),
      texCoords: pick(vertexes.floats, 11, 3, 2),
      lightmapCoords: pick(vertexes.floats, 11, 5, 2),
      normals: pick(vertexes.floats, 11, 7, 3),
      colors: new Uint8Array(pick(vertexes.ints, 11, 10).buffer),
    },
    indexes: lumps.indexes.words().ints,
    fogs: Array.from({ length: fogs.records(72) }, (_, i) => ({
      name: fogs.text(72 * i, 64),
      brush: fogs.i32(72 * i + 64),
      visibleSide: fogs.i32(72 * i + 68),
    })),
    surfaces: Array.from({ length: surfaces.count }, (_, i) => ({
      shader: surfaces.ints[26 * i]!,
      fog: surfaces.ints[26 * i + 1]!,
      type: surfaces.ints[26 * i + 2]!,
      firstVertex: surfaces.ints[26 * i + 3]!,
      numVertexes: surfaces.ints[26 * i + 4]!,
      firstIndex: surfaces.ints[26 * i + 5]!,
      numIndexes: surfaces.ints[26 * i + 6]!,
      lightmap: surfaces.ints[26 * i + 7]!,
      normal: surfaces.floats.slice(26 * i + 21, 26 * i + 24),
      patchWidth: surfaces.ints[26 * i + 24]!,
      patchHeight: surfaces.ints[26 * i + 25]!,
    })),
  };
}

function readVisibility(lump: BinaryReader): Quake3Visibility | undefined {
  if (lump.bytes.length === 0) return undefined;
  const [numClusters, rowBytes] = [lump.i32(0), lump.i32(4)];
  const rows = lump.bytes.subarray(8);
  if (numClusters < 0 || rowBytes < 0 || numClusters * rowBytes > rows.length || numClusters > 8 * rowBytes) {
    throw new BspError(
      'lump-size',
      { format: 'quake3', lump: 'visibility', offset: lump.base },
      `${numClusters} clusters in rows of ${rowBytes} bytes do not fit its ${rows.length} bytes`,
    );
  }
  return { numClusters, rowBytes, rows };
}
