import { type FaceRecords, readFaceLumps } from '@bspkit/brushes';
import { BinaryReader, readFloats, readInts } from '@bspkit/core/format';
import { checks } from './check.ts';
import { LUMPS, type UfoaiFile, type UfoaiLump } from './file.ts';

/** The drawn faces of a file, checked: `readUfoai` does not look at them. */
export interface UfoaiFaces extends FaceRecords {
  /** Two per face, to the light of night and day; below 1 for none. */
  readonly lightOffsets: Int32Array;
  /** By vertex; `undefined` if there are not as many as vertices. */
  readonly normals: Float32Array | undefined;
}

/** Axes of textures, eight numbers each. */
export const readVectors = ({ lumps }: UfoaiFile): Float32Array =>
  readFloats(new BinaryReader(lumps.texinfo, 'ufoai', 'texinfo'), LUMPS.texinfo, 0, 8);

/** Reads and checks the faces. Throws `BspError` for indexes out of range, and faces that share too many edges. */
export function readFaces(file: UfoaiFile): UfoaiFaces {
  const lump = (name: UfoaiLump): BinaryReader => new BinaryReader(file.lumps[name], 'ufoai', name);
  const faces = lump('faces');
  const lumps = {
    ...{ faces, vertexes: lump('vertexes'), edges: lump('edges') },
    ...{ surfEdges: lump('surfEdges'), texinfo: lump('texinfo') },
  };
  const records = readFaceLumps(lumps, LUMPS, 'u16', file, checks);
  const normals = readFloats(lump('normals'), LUMPS.normals, 0, 3);
  return {
    ...records,
    lightOffsets: readInts(faces, LUMPS.faces, 12, 2),
    normals: normals.length === records.positions.length ? normals : undefined,
  };
}
