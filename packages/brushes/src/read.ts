import { type BinaryReader, type Checks, type EdgeFaces, readFloats, readInts } from '@bspkit/core/format';
import type { BrushFile } from './bounds.ts';

// Lumps whose records are the same in all formats of the family, from bytes to checked arrays.

// Most records come in two forms: numbers of other records have 16 bits, or 32 in wide records, whose bounds are floats. The
// length of a record shows which.

/** Lumps of trees and brushes. */
type TreeLump = 'planes' | 'nodes' | 'leafBrushes' | 'brushes' | 'sides';

/** Planes, nodes, leaf brushes, brushes and sides, as they are in files. */
export interface TreeRecords extends Omit<BrushFile, 'leafs'> {
  readonly planes: {
    readonly count: number;
    readonly normals: Float32Array;
    readonly dists: Float32Array;
    readonly types: Int32Array;
  };
  readonly nodes: {
    readonly count: number;
    readonly planes: Int32Array;
    readonly children: Int32Array;
    readonly mins: Float32Array;
    readonly maxs: Float32Array;
  };
  readonly sides: { readonly count: number; readonly planes: Int32Array; readonly textures: Int32Array };
}

/** Reads the lumps of trees and brushes; `sizes` are bytes in a record. */
export function readTreeLumps(
  { planes, nodes, leafBrushes, brushes, sides }: Readonly<Record<TreeLump, BinaryReader>>,
  sizes: Readonly<Record<TreeLump, number>>,
): TreeRecords {
  const index = sizes.leafBrushes;
  const isWide = index === 4;
  const bounds = isWide ? 'f32' : 'i16';
  return {
    planes: {
      count: planes.records(sizes.planes),
      normals: readFloats(planes, sizes.planes, 0, 3),
      dists: readFloats(planes, sizes.planes, 12),
      types: readInts(planes, sizes.planes, 16),
    },
    nodes: {
      count: nodes.records(sizes.nodes),
      planes: readInts(nodes, sizes.nodes, 0),
      children: readInts(nodes, sizes.nodes, 4, 2),
      mins: readFloats(nodes, sizes.nodes, 12, 3, bounds),
      maxs: readFloats(nodes, sizes.nodes, 12 + 3 * index, 3, bounds),
    },
    leafBrushes: readInts(leafBrushes, index, 0, 1, isWide ? 'i32' : 'u16'),
    brushes: {
      count: brushes.records(sizes.brushes),
      firstSides: readInts(brushes, sizes.brushes, 0),
      numSides: readInts(brushes, sizes.brushes, 4),
      contents: readInts(brushes, sizes.brushes, 8),
    },
    sides: {
      count: sides.records(sizes.sides),
      planes: readInts(sides, sizes.sides, 0, 1, isWide ? 'i32' : 'u16'),
      textures: readInts(sides, sizes.sides, index, 1, isWide ? 'i32' : 'i16'),
    },
  };
}

/** Number of planes that sides can have: the engines keep a side's plane in 16 bits with a sign. */
const SIDE_PLANES = 32768;

/** Contents of the first leaf. */
const SOLID = 1;

/** A file whose leafs, brushes and sides have been checked. */
export type CheckedFile = TreeRecords &
  Pick<BrushFile, 'leafs'> & {
    readonly leafs: { readonly contents: Int32Array };
    readonly textures: readonly unknown[];
  };

/**
 * Refuses leafs, lists of brushes, brushes and sides that are inconsistent. The squares of brushes' numbers of sides add up to
 * `most` at most. `sidePlanes` is the number of planes that sides can have.
 */
export function checkBrushes(
  checks: Checks<'leafBrushes' | 'leafs' | 'sides' | 'brushes'>,
  { planes, leafs, leafBrushes, brushes, sides, textures }: CheckedFile,
  most: number,
  sidePlanes: number = SIDE_PLANES,
): void {
  const { contents, firstBrushes, numBrushes } = leafs;
  checks.indexes('leafBrushes', 'brush', leafBrushes, brushes.count);
  checks.ranges('leafs', 'leaf brushes', firstBrushes, numBrushes, leafBrushes.length);
  if (contents[0] !== SOLID) {
    const problem = `contents are ${contents[0]}, but the first leaf is the solid one (${SOLID})`;
    checks.fail('value', 'leafs', 0, problem);
  }
  if (contents.indexOf(0, 1) < 0) checks.fail('value', 'leafs', undefined, 'none is empty, but one must be');
  checks.indexes('sides', 'plane', sides.planes, Math.min(planes.count, sidePlanes));
  for (let i = 0; i < sides.count; i++) {
    const texture = sides.textures[i]!;
    if (texture >= textures.length) checks.index('sides', i, 'texture', texture, textures.length);
  }
  checks.ranges('brushes', 'sides', brushes.firstSides, brushes.numSides, sides.count);
  checks.squares('brushes', 'sides', brushes.numSides, most);
}

/**
 * Refuses trees whose leafs list far too many brushes: the same leaf may be below many nodes, and walks come to it through each.
 */
export function checkLeafLists(checks: Checks<'nodes'>, { nodes, leafs, leafBrushes }: CheckedFile): void {
  const lists = nodes.children.map((child) => (child < 0 ? leafs.numBrushes[-1 - child]! : 0));
  checks.owned('nodes', 'leaf brushes', lists, leafBrushes.length);
}

/** The faces that nodes list, which are those in their planes. Throws `BspError` for any that there are not. */
export function readNodeFaces(
  nodes: BinaryReader,
  size: number,
  numFaces: number,
  checks: Checks<'nodes'>,
): { firstFaces: Int32Array; numFaces: Int32Array } {
  // Both are at the end of the record: after plane, children and bounds.
  const [width, kind] = size === 28 ? ([2, 'u16'] as const) : ([4, 'i32'] as const);
  const firsts = readInts(nodes, size, size - 2 * width, 1, kind);
  const lengths = readInts(nodes, size, size - width, 1, kind);
  checks.ranges('nodes', 'faces', firsts, lengths, numFaces);
  return { firstFaces: firsts, numFaces: lengths };
}

/** Lumps of drawn faces. */
type FaceLump = 'faces' | 'vertexes' | 'edges' | 'surfEdges' | 'texinfo';

/** Drawn faces as files have them, checked. */
export interface FaceRecords extends EdgeFaces {
  readonly planes: Int32Array;
  /** 0 if a face looks the same way as its plane. */
  readonly sides: Int32Array;
}

/** What faces refer to. */
export interface FaceFile {
  readonly planes: { readonly count: number };
  readonly textures: readonly unknown[];
  readonly models: readonly { readonly firstFace: number; readonly numFaces: number }[];
}

/**
 * Reads and checks the drawn faces. `kind` is how numbers of edges and of texture axes are stored in records that are not wide.
 * @throws BspError for indexes out of range, and faces that share too many edges.
 */
export function readFaceLumps(
  lumps: Readonly<Record<FaceLump, BinaryReader>>,
  sizes: Readonly<Record<FaceLump, number>>,
  kind: 'i16' | 'u16',
  { planes, textures, models }: FaceFile,
  checks: Checks<FaceLump | 'models'>,
): FaceRecords {
  const positions = readFloats(lumps.vertexes, sizes.vertexes, 0, 3);
  const index = sizes.edges / 2;
  const [unsigned, signed, ofEdges] =
    index === 4 ? (['i32', 'i32', 'i32'] as const) : (['u16', 'i16', kind] as const);
  const faces: FaceRecords = {
    count: lumps.faces.records(sizes.faces),
    planes: readInts(lumps.faces, sizes.faces, 0, 1, unsigned),
    sides: readInts(lumps.faces, sizes.faces, index, 1, signed),
    firstEdges: readInts(lumps.faces, sizes.faces, 2 * index),
    numEdges: readInts(lumps.faces, sizes.faces, 2 * index + 4, 1, ofEdges),
    texInfos: readInts(lumps.faces, sizes.faces, 3 * index + 4, 1, ofEdges),
    vectors: readFloats(lumps.texinfo, sizes.texinfo, 0, 8),
    surfEdges: readInts(lumps.surfEdges, sizes.surfEdges, 0),
    edges: readInts(lumps.edges, sizes.edges, 0, 2, unsigned),
    positions,
  };
  const { surfEdges, edges } = faces;
  checks.finite('vertexes', positions, 3);
  checks.indexes('edges', 'vertex', edges, positions.length / 3, 2);
  checks.indexes('surfEdges', 'edge', surfEdges.map(Math.abs), edges.length / 2);
  checks.indexes('faces', 'plane', faces.planes, planes.count);
  checks.indexes('faces', 'texture', faces.texInfos, textures.length);
  checks.ranges('faces', 'edges', faces.firstEdges, faces.numEdges, surfEdges.length);
  const firstFaces = models.map(({ firstFace }) => firstFace);
  const numFaces = models.map((model) => model.numFaces);
  checks.ranges('models', 'faces', firstFaces, numFaces, faces.count);
  return faces;
}
