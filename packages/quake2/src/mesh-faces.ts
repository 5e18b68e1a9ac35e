import { type FaceRecords, readFaceLumps } from '@bspkit/brushes';
import { BinaryReader, readInts } from '@bspkit/core/format';
import { checks } from './check.ts';
import { lumpSizes, type Quake2File, type Quake2Lump } from './file.ts';

/** The drawn faces of a file, checked: reading the file does not look at them. */
export interface Quake2Faces extends FaceRecords {
  /** Four light styles per face, 255 for none. */
  readonly styles: Uint8Array;
  /** Negative for none. */
  readonly lightOffsets: Int32Array;
}

/** Reads and checks the faces. Throws `BspError` for indexes out of range, and for faces that share too many edges. */
export function readFaces(file: Quake2File): Quake2Faces {
  const lump = (name: Quake2Lump): BinaryReader => new BinaryReader(file.lumps[name], 'quake2', name);
  const sizes = lumpSizes(file.version);
  const faces = lump('faces');
  const lumps = {
    ...{ faces, vertexes: lump('vertexes'), edges: lump('edges') },
    ...{ surfEdges: lump('surfEdges'), texinfo: lump('texinfo') },
  };
  return {
    ...readFaceLumps(lumps, sizes, 'i16', file, checks),
    styles: new Uint8Array(readInts(faces, sizes.faces, sizes.faces - 8).buffer),
    lightOffsets: readInts(faces, sizes.faces, sizes.faces - 4),
  };
}
