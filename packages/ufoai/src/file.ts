import { readTreeLumps } from '@bspkit/brushes';
import type { Bytes } from '@bspkit/core';
import { type BinaryReader, openIbsp, readInts } from '@bspkit/core/format';
import { checkFile } from './check.ts';
import { identity } from './identity.ts';
import { type RoutingBounds, readRoutingBounds } from './routing/lump.ts';

/** A texture as sides use it. */
export interface UfoaiTexinfo {
  readonly name: string;
  /** Surface flags by `surfaceNames`, combined with OR. */
  readonly surfaceFlags: number;
  /** Brightness of a texture that emits light. */
  readonly value: number;
}

/**
 * A model: 0 to 255 contain the brushes of one set of levels each, 256 to 258 the clips, 259 and up are the inline models `*1`,
 * `*2` … Bounds in Quake units, as stored.
 */
export interface UfoaiFileModel {
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  /** Root of the model's tree; -1 for an empty model. */
  readonly headNode: number;
  readonly firstFace: number;
  readonly numFaces: number;
}

/**
 * A UFO:AI map file, with every offset, length and index checked. Arrays are by record; in arrays of three numbers per record,
 * these are x, y, z.
 */
export interface UfoaiFile {
  readonly format: 'ufoai';
  /** 78 for release 2.5, 79 for 2.6. */
  readonly version: 78 | 79;
  /** Entities text; `world.entities()` parses it. */
  readonly entities: string;
  /** Types 0 to 2 face along an axis, 3 to 5 do not. Planes 2k and 2k + 1 are opposite. */
  readonly planes: {
    readonly count: number;
    readonly normals: Float32Array;
    readonly dists: Float32Array;
    readonly types: Int32Array;
  };
  /** Plane -1: a union node. `children`: two per node; c >= 0 is node c, c < 0 is leaf -1 - c. */
  readonly nodes: {
    readonly count: number;
    readonly planes: Int32Array;
    readonly children: Int32Array;
    readonly mins: Float32Array;
    readonly maxs: Float32Array;
  };
  /** `firstBrushes`: where a leaf's list begins in `leafBrushes`. Bounds in Quake units. */
  readonly leafs: {
    readonly count: number;
    readonly contents: Int32Array;
    readonly mins: Int32Array;
    readonly maxs: Int32Array;
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
  readonly textures: readonly UfoaiTexinfo[];
  readonly models: readonly UfoaiFileModel[];
  /** Bounds of the routing table (where soldiers can go); `readRouting` unpacks all of it. */
  readonly routing: RoutingBounds;
  /** The raw lumps, by name, in the order of the directory; those for drawing and light are read when a mesh is made. */
  readonly lumps: Readonly<Record<UfoaiLump, Uint8Array>>;
}

/** Lumps in the order of the file's directory, with the bytes in a record (1: not made of records). */
export const LUMPS = {
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

/** A lump, by name. */
export type UfoaiLump = keyof typeof LUMPS;

/**
 * Reads a UFO: Alien Invasion map: `IBSP` version 78 (release 2.5) or 79 (2.6), whose collision lumps are the same.
 *
 * @throws BspError naming the lump and record: not such a file, cut short, a lump that is not a whole number of
 *   records, an index that points nowhere, a tree with a cycle, a number that is not finite. TypeError for anything but
 *   a buffer or a `Uint8Array`.
 */
export function readUfoai(bytes: Bytes): UfoaiFile {
  const { version, lumps, raw } = openIbsp(bytes, identity, [78, 79], LUMPS);
  const { mins, maxs } = readRoutingBounds(lumps.routing);
  return checkFile({
    format: 'ufoai',
    version,
    entities: lumps.entities.text(0, raw.entities.length),
    ...readTreeLumps(lumps, LUMPS),
    leafs: readLeafs(lumps.leafs),
    textures: readTextures(lumps.texinfo),
    models: readModels(lumps.models),
    routing: { mins, maxs },
    lumps: raw,
  });
}

function readLeafs(leafs: BinaryReader): UfoaiFile['leafs'] {
  return {
    count: leafs.records(LUMPS.leafs),
    contents: readInts(leafs, LUMPS.leafs, 0),
    mins: readInts(leafs, LUMPS.leafs, 6, 3, 'i16'),
    maxs: readInts(leafs, LUMPS.leafs, 12, 3, 'i16'),
    firstBrushes: readInts(leafs, LUMPS.leafs, 18, 1, 'u16'),
    numBrushes: readInts(leafs, LUMPS.leafs, 20, 1, 'u16'),
  };
}

function readTextures(lump: BinaryReader): UfoaiTexinfo[] {
  const size = LUMPS.texinfo;
  return Array.from({ length: lump.records(size) }, (_, i) => ({
    surfaceFlags: lump.i32(size * i + 32),
    value: lump.i32(size * i + 36),
    name: lump.text(size * i + 40, 32),
  }));
}

function readModels(lump: BinaryReader): UfoaiFileModel[] {
  const { ints, floats } = lump.words();
  return Array.from({ length: lump.records(LUMPS.models) }, (_, i) => ({
    mins: floats.subarray(12 * i, 12 * i + 3),
    maxs: floats.subarray(12 * i + 3, 12 * i + 6),
    headNode: ints[12 * i + 9]!,
    firstFace: ints[12 * i + 10]!,
    numFaces: ints[12 * i + 11]!,
  }));
}
