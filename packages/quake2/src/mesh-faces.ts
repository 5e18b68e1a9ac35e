import { BinaryReader, type EdgeFaces, readFloats, readInts } from '@bspkit/core/format';
import { checks } from './check.ts';
import type { Quake2File, Quake2Lump } from './file.ts';

/** The drawn faces of a file, checked: reading leaves them alone. */
export interface Quake2Faces extends EdgeFaces {
  readonly planes: Int32Array;
  /** 0 where a face looks as its plane does. */
  readonly sides: Int32Array;
  /** Four light styles per face, 255 for none. */
  readonly styles: Uint8Array;
  /** Below 0 for none. */
  readonly lightOffsets: Int32Array;
}

/** Reads and checks the faces. Throws `BspError` for indexes out of range, and faces that share too many edges. */
export function readFaces(file: Quake2File): Quake2Faces {
  const lump = (name: Quake2Lump): BinaryReader => new BinaryReader(file.lumps[name], 'quake2', name);
  const records = lump('faces');
  const positions = readFloats(lump('vertexes'), 12, 0, 3);
  const faces: Quake2Faces = {
    count: records.records(20),
    planes: readInts(records, 20, 0, 1, 'u16'),
    sides: readInts(records, 20, 2, 1, 'i16'),
    firstEdges: readInts(records, 20, 4),
    numEdges: readInts(records, 20, 8, 1, 'i16'),
    texInfos: readInts(records, 20, 10, 1, 'i16'),
    styles: new Uint8Array(readInts(records, 20, 12).buffer),
    lightOffsets: readInts(records, 20, 16),
    vectors: readFloats(lump('texinfo'), 76, 0, 8),
    surfEdges: readInts(lump('surfEdges'), 4, 0),
    edges: readInts(lump('edges'), 4, 0, 2, 'u16'),
    positions,
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
