import { BinaryReader, type EdgeFaces, readFloats, readInts } from '@bspkit/core/format';
import { checks } from './check.ts';
import { LUMPS, type Quake2File, type Quake2Lump } from './file.ts';

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
  const size = LUMPS.faces;
  const positions = readFloats(lump('vertexes'), LUMPS.vertexes, 0, 3);
  const faces: Quake2Faces = {
    count: records.records(size),
    planes: readInts(records, size, 0, 1, 'u16'),
    sides: readInts(records, size, 2, 1, 'i16'),
    firstEdges: readInts(records, size, 4),
    numEdges: readInts(records, size, 8, 1, 'i16'),
    texInfos: readInts(records, size, 10, 1, 'i16'),
    styles: new Uint8Array(readInts(records, size, 12).buffer),
    lightOffsets: readInts(records, size, 16),
    vectors: readFloats(lump('texinfo'), LUMPS.texinfo, 0, 8),
    surfEdges: readInts(lump('surfEdges'), LUMPS.surfEdges, 0),
    edges: readInts(lump('edges'), LUMPS.edges, 0, 2, 'u16'),
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
