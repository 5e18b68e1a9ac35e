import type { BrushPolygon, BrushPolygonOptions, Mesh, MeshBy, MeshOptions } from '@bspkit/core';
import {
  addBrushes,
  BinaryReader,
  type BrushSource,
  type Checks,
  checkFileOf,
  checkMask,
  checkOptions,
  createChecks,
  cutPolygons,
  MeshBuilder,
  meshOptions,
  readFloats,
  readInts,
} from '@bspkit/core/format';
import { lengthOf } from '@bspkit/geometry';
import {
  ACTORCLIP_MODEL,
  CONTENTS_ACTORCLIP,
  CONTENTS_LEVEL_ALL,
  CONTENTS_LIGHTCLIP,
  CONTENTS_WATER,
  CONTENTS_WEAPONCLIP,
  LIGHTCLIP_MODEL,
  REGULAR_MODELS,
  WEAPONCLIP_MODEL,
} from './constants.ts';
import type { UfoaiFile, UfoaiLump } from './file.ts';
import { brushModels } from './info.ts';

/** Surface flags: liquids; what is never drawn, as NODRAW, HINT and SKIP say; smooth where its faces meet. */
const WARP = 0x8;
const HIDDEN = 0x380;
const PHONG = 0x400;

const checks: Checks<UfoaiLump> = /* @__PURE__ */ createChecks('ufoai');

/**
 * The surfaces of a map as triangles, to be drawn. By texture, these are its faces; by brush or contents, what moves
 * collide with: the faces of brushes. Both have coordinates of textures, in texels, as the file does not tell how large
 * textures are.
 *
 * Faces have no contents of their own: those of the world get the level bits of their model, those of inline models the
 * level bits of its brushes, so that `mask: 0x100` is level 1 in any mesh.
 *
 * @throws BspError (`index`, `limit`, `value`) for what no compiler writes, as drawn lumps are looked at here alone;
 *   RangeError or TypeError for wrong options.
 */
export function mesh(file: UfoaiFile, options: MeshOptions = {}): Mesh {
  checkFileOf(file, 'ufoai', 'readUfoai');
  const { by, mask } = meshOptions(options);
  return by === 'texture' ? faceMesh(file, mask) : brushMesh(file, by, mask);
}

/**
 * The faces of a map's brushes, cut from their planes: what moves collide with, all three clips among them. Sides that are
 * there for boxes alone leave none. Of a world of many tiles, these are the brushes of one, where it was built.
 *
 * @throws RangeError or TypeError for wrong options, TypeError for what is no such file.
 */
export function brushPolygons(file: UfoaiFile, options: BrushPolygonOptions = {}): BrushPolygon[] {
  checkFileOf(file, 'ufoai', 'readUfoai');
  checkOptions(options, ['mask']);
  if (options.mask !== undefined) checkMask(options.mask, 'mask');
  return Array.from(cutPolygons(listBrushes(file, options.mask)));
}

const isLiquid = (contents: number): boolean => (contents & CONTENTS_WATER) !== 0;

const isWanted = (contents: number, mask: number | undefined): boolean =>
  mask === undefined || (contents & mask) !== 0;

function* listBrushes(file: UfoaiFile, mask: number | undefined): Generator<BrushSource> {
  const { brushes, sides, planes } = file;
  const models = brushModels(file);
  for (let brush = 0; brush < brushes.count; brush++) {
    const contents = brushes.contents[brush]!;
    if (!isWanted(contents, mask)) continue;
    const firstSide = brushes.firstSides[brush]!;
    const count = brushes.numSides[brush]!;
    const around = new Float64Array(4 * count);
    for (let k = 0; k < count; k++) {
      const plane = sides.planes[firstSide + k]!;
      for (let i = 0; i < 3; i++) around[4 * k + i] = planes.normals[3 * plane + i]!;
      around[4 * k + 3] = planes.dists[plane]!;
    }
    const textures = sides.textures.subarray(firstSide, firstSide + count);
    yield { brush, model: models[brush]!, contents, planes: around, firstSide, textures };
  }
}

function brushMesh(file: UfoaiFile, by: MeshBy, mask: number | undefined): Mesh {
  const vectors = readVectors(file);
  const { count } = file.sides;
  const has = { texCoords: true, texCoordUnit: 'texel' } as const;
  const builder = new MeshBuilder({ ...has, numVertices: 2 * count, numTriangles: count });
  addBrushes(builder, listBrushes(file, mask), by, isLiquid, ({ textures }, side, corners) => {
    const texture = textures[side]!;
    if (texture >= 0) fillTexCoords(vectors, texture, corners, builder);
  });
  return builder.finish();
}

function faceMesh(file: UfoaiFile, mask: number | undefined): Mesh {
  const lumps = readDrawn(file);
  const { count, planes, sides, firstEdges, numEdges, textures } = lumps.faces;
  const { models, textures: texinfos } = file;
  const vectors = readVectors(file);
  const contentsOf = modelContents(file);
  const has = { texCoords: true, texCoordUnit: 'texel' } as const;
  const builder = new MeshBuilder({ ...has, numVertices: 4 * count, numTriangles: 2 * count });
  for (const [number, { firstFace, numFaces }] of models.entries()) {
    const model = Math.max(0, number - REGULAR_MODELS + 1);
    const contents = contentsOf[number]!;
    if (!isWanted(contents, mask)) continue;
    for (let face = firstFace; face < firstFace + numFaces; face++) {
      const corners = numEdges[face]!;
      if (corners < 3) continue;
      const texture = textures[face]!;
      const { name, surfaceFlags, value } = texinfos[texture]!;
      const group = builder.group(`${number} ${surfaceFlags} ${value} ${name}`, () => ({
        ...{ model, texture, name, surfaceFlags, contents, brush: -1 },
        ...{ isSky: false, isHidden: (surfaceFlags & HIDDEN) !== 0, isLightmapped: false },
        isLiquid: (surfaceFlags & WARP) !== 0,
      }));
      builder.add(group, corners, corners - 2, face, -1, -1);
      const { positions, normals, vertex } = builder;
      const facing = sides[face] === 0 ? 1 : -1;
      for (let k = 0; k < corners; k++) {
        // Counter-clockwise, which the file's are not.
        const edge = lumps.surfEdges[firstEdges[face]! + corners - 1 - k]!;
        const from = 3 * (edge < 0 ? lumps.edges[1 - 2 * edge]! : lumps.edges[2 * edge]!);
        const to = 3 * (vertex + k);
        for (let i = 0; i < 3; i++) {
          positions[to + i] = lumps.vertexes[from + i]!;
          normals[to + i] = facing * file.planes.normals[3 * planes[face]! + i]!;
        }
        if (surfaceFlags & PHONG && lumps.normals) smoothen(lumps.normals, from, normals, to);
      }
      builder.fan(corners);
      fillTexCoords(vectors, texture, corners, builder);
    }
  }
  return builder.finish();
}

/** Takes the normal of a vertex instead of that of its face, where there is one that faces as it does. */
function smoothen(from: Float32Array, at: number, normals: Float32Array, to: number): void {
  const [x, y, z] = [from[at]!, from[at + 1]!, from[at + 2]!];
  const length = lengthOf(x, y, z);
  const along = x * normals[to]! + y * normals[to + 1]! + z * normals[to + 2]!;
  if (!(along > 0 && length < Infinity)) return;
  normals[to] = x / length;
  normals[to + 1] = y / length;
  normals[to + 2] = z / length;
}

/** Writes coordinates of a texture at the vertices of the latest part. */
function fillTexCoords(
  vectors: Float32Array,
  texture: number,
  corners: number,
  { positions, texCoords, vertex }: MeshBuilder,
): void {
  for (let k = vertex; k < vertex + corners; k++) {
    for (let axis = 0; axis < 2; axis++) {
      const at = 8 * texture + 4 * axis;
      const texel =
        positions[3 * k]! * vectors[at]! +
        positions[3 * k + 1]! * vectors[at + 1]! +
        positions[3 * k + 2]! * vectors[at + 2]! +
        vectors[at + 3]!;
      texCoords![2 * k + axis] = texel;
      if (!Number.isFinite(texCoords![2 * k + axis]!)) {
        checks.fail('value', 'texinfo', texture, `puts texel ${texel} somewhere, which is not finite`);
      }
    }
  }
}

/** Contents of the faces of each model: level bits, or the clip's. */
function modelContents(file: UfoaiFile): Int32Array {
  const contents = new Int32Array(file.models.length);
  for (let model = 0; model < LIGHTCLIP_MODEL && model < contents.length; model++)
    contents[model] = model << 8;
  contents[LIGHTCLIP_MODEL] = CONTENTS_LIGHTCLIP;
  contents[WEAPONCLIP_MODEL] = CONTENTS_WEAPONCLIP;
  contents[ACTORCLIP_MODEL] = CONTENTS_ACTORCLIP;
  for (const [brush, model] of brushModels(file).entries()) {
    if (model > 0)
      contents[REGULAR_MODELS + model - 1]! |= file.brushes.contents[brush]! & CONTENTS_LEVEL_ALL;
  }
  return contents;
}

/** Axes of textures: two of four numbers each, by texture. */
function readVectors({ lumps }: UfoaiFile): Float32Array {
  return readFloats(new BinaryReader(lumps.texinfo, 'ufoai', 'texinfo'), 72, 0, 8);
}

/** What is drawn and nothing else, checked. */
interface Drawn {
  readonly vertexes: Float32Array;
  /** By vertex; `undefined` where there are not as many. */
  readonly normals: Float32Array | undefined;
  /** Two vertices per edge. */
  readonly edges: Int32Array;
  /** Edges, by face; a negative one runs backwards. */
  readonly surfEdges: Int32Array;
  readonly faces: {
    readonly count: number;
    readonly planes: Int32Array;
    readonly sides: Int32Array;
    readonly firstEdges: Int32Array;
    readonly numEdges: Int32Array;
    readonly textures: Int32Array;
  };
}

function readDrawn({ lumps, planes, textures, models }: UfoaiFile): Drawn {
  const lump = (name: UfoaiLump): BinaryReader => new BinaryReader(lumps[name], 'ufoai', name);
  const vertexes = readFloats(lump('vertexes'), 12, 0, 3);
  const edges = readInts(lump('edges'), 4, 0, 2, 'u16');
  const surfEdges = readInts(lump('surfEdges'), 4, 0);
  const records = lump('faces');
  const faces = {
    count: records.records(20),
    planes: readInts(records, 20, 0, 1, 'u16'),
    sides: readInts(records, 20, 2, 1, 'i16'),
    firstEdges: readInts(records, 20, 4),
    numEdges: readInts(records, 20, 8, 1, 'u16'),
    textures: readInts(records, 20, 10, 1, 'u16'),
  };
  checks.finite('vertexes', vertexes, 3);
  checks.indexes('edges', 'vertex', edges, vertexes.length / 3, 2);
  checks.indexes('surfEdges', 'edge', surfEdges.map(Math.abs), edges.length / 2);
  checks.indexes('faces', 'plane', faces.planes, planes.count);
  checks.indexes('faces', 'texture', faces.textures, textures.length);
  checks.ranges('faces', 'edges', faces.firstEdges, faces.numEdges, surfEdges.length);
  const firstFaces = models.map(({ firstFace }) => firstFace);
  const numFaces = models.map((model) => model.numFaces);
  checks.ranges('models', 'faces', firstFaces, numFaces, faces.count);
  const normals = readFloats(lump('normals'), 12, 0, 3);
  return {
    vertexes,
    normals: normals.length === vertexes.length ? normals : undefined,
    edges,
    surfEdges,
    faces,
  };
}
