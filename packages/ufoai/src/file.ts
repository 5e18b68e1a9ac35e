import { BinaryReader } from '@bspkit/core';
import { checkFile } from './file-check.ts';
import { readRouting, type UfoaiRouting } from './routing.ts';

/** A texture as sides use it. */
export interface UfoaiTexinfo {
  readonly name: string;
  readonly surfaceFlags: number;
  readonly value: number;
}

/**
 * A model: 0 to 255 hold the brushes of one set of levels each, 256 to 258 the clips, 259 on the inline models
 * `*1`, `*2` … Bounds in Quake units, as stored.
 */
export interface UfoaiModel {
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  /** Root of the model's tree; -1 for an empty model. */
  readonly headNode: number;
  readonly firstFace: number;
  readonly numFaces: number;
}

/** A UFO:AI map file, every offset, length and index checked. Arrays are by record; `…s` of three hold x, y, z. */
export interface UfoaiFile {
  readonly format: 'ufoai';
  readonly version: 78 | 79;
  /** Entities text; `parseEntities` of core reads it. */
  readonly entities: string;
  /** Types 0 to 2 face along an axis, 3 to 5 do not. Planes 2k and 2k + 1 are opposite. */
  readonly planes: {
    readonly count: number;
    readonly normals: Float32Array;
    readonly dists: Float32Array;
    readonly types: Int32Array;
  };
  /** Plane -1: a union node. `children`: two a node; c >= 0 is node c, c < 0 is leaf -1 - c. */
  readonly nodes: {
    readonly count: number;
    readonly planes: Int32Array;
    readonly children: Int32Array;
    readonly mins: Int16Array;
    readonly maxs: Int16Array;
  };
  readonly leafs: {
    readonly count: number;
    readonly contents: Int32Array;
    readonly mins: Int16Array;
    readonly maxs: Int16Array;
    readonly firstBrushes: Uint16Array;
    readonly numBrushes: Uint16Array;
  };
  readonly leafBrushes: Uint16Array;
  readonly brushes: {
    readonly count: number;
    readonly firstSides: Int32Array;
    readonly numSides: Int32Array;
    readonly contents: Int32Array;
  };
  /** Texture -1 and below: none. */
  readonly sides: { readonly count: number; readonly planes: Uint16Array; readonly textures: Int16Array };
  readonly textures: readonly UfoaiTexinfo[];
  readonly models: readonly UfoaiModel[];
  readonly routing: UfoaiRouting;
  /** The raw lumps, by name: those for drawing and light are not looked into. */
  readonly lumps: Readonly<Record<UfoaiLump, Uint8Array>>;
}

const HEADER_BYTES = 144;

/** Lumps in the order of the file's directory, with the bytes in a record (1: not made of records). */
const LUMPS = {
  entities: 1,
  planes: 20,
  vertexes: 12,
  routing: 1,
  nodes: 28,
  texinfo: 72,
  faces: 20,
  lightingNight: 1,
  lightingDay: 1,
  leafs: 24,
  leafBrushes: 2,
  edges: 4,
  surfEdges: 4,
  models: 48,
  brushes: 12,
  sides: 4,
  normals: 12,
} as const;

export type UfoaiLump = keyof typeof LUMPS;

type Lumps = Record<UfoaiLump, BinaryReader>;

/**
 * Reads a UFO: Alien Invasion map: `IBSP` version 78 (release 2.5) or 79 (2.6), whose collision lumps are the same.
 *
 * @throws BspError naming the lump and record: not such a file, cut short, a lump that is not a whole number of
 *   records, an index that points nowhere, a tree with a cycle, a number that is not finite.
 */
export function readUfoai(bytes: Uint8Array): UfoaiFile {
  const header = new BinaryReader(bytes, 'ufoai');
  const version = readVersion(header);
  const lumps = {} as Lumps;
  const raw = {} as Record<UfoaiLump, Uint8Array>;
  let at = 8;
  for (const name of Object.keys(LUMPS) as UfoaiLump[]) {
    lumps[name] = header.lump({ name, offset: header.u32(at), length: header.u32(at + 4) });
    lumps[name].records(LUMPS[name]);
    raw[name] = lumps[name].bytes;
    at += 8;
  }
  const file: UfoaiFile = {
    format: 'ufoai',
    version,
    entities: lumps.entities.text(0, raw.entities.length),
    ...readTree(lumps),
    ...readBrushes(lumps),
    textures: readTextures(lumps.texinfo),
    models: readModels(lumps.models),
    routing: readRouting(lumps.routing),
    lumps: raw,
  };
  checkFile(file);
  return file;
}

function readVersion(header: BinaryReader): 78 | 79 {
  const length = header.bytes.length;
  const magic = header.text(0, Math.min(4, length));
  if (magic !== 'IBSP') {
    const found = length === 0 ? 'the file is empty' : `it begins with ${JSON.stringify(magic)}`;
    throw header.error('magic', `not a UFO:AI map: expected 'IBSP', but ${found}`);
  }
  if (length < HEADER_BYTES) {
    throw header.error('truncated', `needs ${HEADER_BYTES} bytes, but the file has ${length}`, length);
  }
  const version = header.u32(4);
  if (version !== 78 && version !== 79) {
    throw header.error('version', `expected IBSP version 78 or 79, found ${version}`, 4);
  }
  return version;
}

type Numbers = Int32Array | Float32Array | Int16Array | Uint16Array;

/** Pulls the `width` numbers at one place of every record out of a lump's numbers. */
function pick<A extends Numbers>(numbers: A, stride: number, place: number, width = 1): A {
  const count = numbers.length / stride;
  const out = new (numbers.constructor as new (length: number) => A)(count * width);
  for (let record = 0, to = 0, from = place; record < count; record++, from += stride) {
    for (let k = 0; k < width; k++) out[to++] = numbers[from + k]!;
  }
  return out;
}

/** A lump as 16-bit numbers in memory of their own, signed and unsigned. */
function shorts(lump: BinaryReader): { signed: Int16Array; unsigned: Uint16Array } {
  const copy = new Uint8Array(lump.bytes).buffer;
  return { signed: new Int16Array(copy), unsigned: new Uint16Array(copy) };
}

function readTree(lumps: Lumps): Pick<UfoaiFile, 'planes' | 'nodes' | 'leafs' | 'leafBrushes'> {
  const planes = lumps.planes.words();
  const nodes = lumps.nodes.words().ints;
  const nodeBounds = shorts(lumps.nodes).signed;
  const leafs = lumps.leafs.words().ints;
  const leafShorts = shorts(lumps.leafs);
  return {
    planes: {
      count: planes.ints.length / 5,
      normals: pick(planes.floats, 5, 0, 3),
      dists: pick(planes.floats, 5, 3),
      types: pick(planes.ints, 5, 4),
    },
    nodes: {
      count: nodes.length / 7,
      planes: pick(nodes, 7, 0),
      children: pick(nodes, 7, 1, 2),
      mins: pick(nodeBounds, 14, 6, 3),
      maxs: pick(nodeBounds, 14, 9, 3),
    },
    leafs: {
      count: leafs.length / 6,
      contents: pick(leafs, 6, 0),
      mins: pick(leafShorts.signed, 12, 3, 3),
      maxs: pick(leafShorts.signed, 12, 6, 3),
      firstBrushes: pick(leafShorts.unsigned, 12, 9),
      numBrushes: pick(leafShorts.unsigned, 12, 10),
    },
    leafBrushes: shorts(lumps.leafBrushes).unsigned,
  };
}

function readBrushes(lumps: Lumps): Pick<UfoaiFile, 'brushes' | 'sides'> {
  const brushes = lumps.brushes.words().ints;
  const sides = shorts(lumps.sides);
  return {
    brushes: {
      count: brushes.length / 3,
      firstSides: pick(brushes, 3, 0),
      numSides: pick(brushes, 3, 1),
      contents: pick(brushes, 3, 2),
    },
    sides: {
      count: sides.signed.length / 2,
      planes: pick(sides.unsigned, 2, 0),
      textures: pick(sides.signed, 2, 1),
    },
  };
}

function readTextures(lump: BinaryReader): UfoaiTexinfo[] {
  return Array.from({ length: lump.records(72) }, (_, i) => ({
    surfaceFlags: lump.i32(72 * i + 32),
    value: lump.i32(72 * i + 36),
    name: lump.text(72 * i + 40, 32),
  }));
}

function readModels(lump: BinaryReader): UfoaiModel[] {
  const { ints, floats } = lump.words();
  return Array.from({ length: ints.length / 12 }, (_, i) => ({
    mins: floats.slice(12 * i, 12 * i + 3),
    maxs: floats.slice(12 * i + 3, 12 * i + 6),
    headNode: ints[12 * i + 9]!,
    firstFace: ints[12 * i + 10]!,
    numFaces: ints[12 * i + 11]!,
  }));
}
