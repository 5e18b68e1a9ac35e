import {
  BinaryReader,
  type Checks,
  createChecks,
  type EdgeFaces,
  readFloats,
  readInts,
} from '@bspkit/core/format';
import { LUMPS, type UfoaiFile, type UfoaiLump } from './file.ts';

export const checks: Checks<UfoaiLump> = /* @__PURE__ */ createChecks('ufoai');

/** The drawn faces of a file, checked: reading leaves them alone. */
export interface UfoaiFaces extends EdgeFaces {
  readonly planes: Int32Array;
  /** 0 where a face looks as its plane does. */
  readonly sides: Int32Array;
  /** Two per face, into the light of night and day; below 1 for none. */
  readonly lightOffsets: Int32Array;
  /** By vertex; `undefined` where there are not as many. */
  readonly normals: Float32Array | undefined;
}

/** Axes of textures, eight numbers each. */
export const readVectors = ({ lumps }: UfoaiFile): Float32Array =>
  readFloats(new BinaryReader(lumps.texinfo, 'ufoai', 'texinfo'), LUMPS.texinfo, 0, 8);

/** Reads and checks the faces. Throws `BspError` for indexes out of range, and faces that share too many edges. */
export function readFaces(file: UfoaiFile): UfoaiFaces {
  const lump = (name: UfoaiLump): BinaryReader => new BinaryReader(file.lumps[name], 'ufoai', name);
  const records = lump('faces');
  const size = LUMPS.faces;
  const positions = readFloats(lump('vertexes'), LUMPS.vertexes, 0, 3);
  const normals = readFloats(lump('normals'), LUMPS.normals, 0, 3);
  const faces: UfoaiFaces = {
    count: records.records(size),
    planes: readInts(records, size, 0, 1, 'u16'),
    sides: readInts(records, size, 2, 1, 'i16'),
    firstEdges: readInts(records, size, 4),
    numEdges: readInts(records, size, 8, 1, 'u16'),
    texInfos: readInts(records, size, 10, 1, 'u16'),
    lightOffsets: readInts(records, size, 12, 2),
    vectors: readVectors(file),
    surfEdges: readInts(lump('surfEdges'), LUMPS.surfEdges, 0),
    edges: readInts(lump('edges'), LUMPS.edges, 0, 2, 'u16'),
    positions,
    normals: normals.length === positions.length ? normals : undefined,
  };
  const { surfEdges, edges } = faces;
  checks.finite('vertexes', positions, 3);
  checks.indexes('edges', 'vertex', edges, positions.length / 3, 2);
  checks.indexes('surfEdges', 'edge', surfEdges.map(Math.abs), edges.length / 2);
  checks.indexes('faces', 'plane', faces.planes, file.planes.count);
  checks.indexes('faces', 'texture', faces.texInfos, file.textures.length);
  checks.ranges('faces', 'edges', faces.firstEdges, faces.numEdges, surfEdges.length);
  const firstFaces = file.models.map(({ firstFace }) => firstFace);
  const numFaces = file.models.map((model) => model.numFaces);
  checks.ranges('models', 'faces', firstFaces, numFaces, faces.count);
  return faces;
}
