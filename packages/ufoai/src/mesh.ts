import { roomOfFaces } from '@bspkit/brushes';
import type { BrushPolygon, BrushPolygonOptions, Mesh, MeshBy, MeshOptions } from '@bspkit/core';
import {
  addBrushes,
  addFace,
  checkFileOf,
  checkMask,
  checkOptions,
  cutPolygons,
  faceVertex,
  fillLightmapCoords,
  fillTexCoords,
  MeshBuilder,
  measureFaces,
  meshOptions,
} from '@bspkit/core/format';
import { lengthOf } from '@bspkit/geometry';
import { listBrushes, modelsOf } from './brushes.ts';
import { checks } from './check.ts';
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
import type { UfoaiFile } from './file.ts';
import { lightmapLayout } from './lightmaps.ts';
import { readFaces, readVectors, type UfoaiFaces } from './mesh-faces.ts';

/** Surface flags: liquids; what is never drawn (NODRAW, HINT and SKIP); smooth shading across faces. */
const WARP = 0x8;
const HIDDEN = 0x380;
const PHONG = 0x400;

/**
 * The surfaces of a map as triangles, to be drawn. By texture, these are its faces; by brush or contents, what moves collide
 * with: the faces of brushes. Both have coordinates of textures, in texels, as the file does not say how large textures are.
 *
 * Faces have no contents of their own: those of the world get the level bits of their model, those of inline models the level
 * bits of its brushes, so that `mask: 0x100` is level 1 in any mesh.
 *
 * @throws BspError (`index`, `limit`, `value`) for what no compiler writes, as drawn lumps are only checked here; RangeError or
 *   TypeError for wrong options.
 */
export function mesh(file: UfoaiFile, options: MeshOptions = {}): Mesh {
  checkFileOf(file, 'ufoai', 'readUfoai');
  const { by, mask } = meshOptions(options);
  return by === 'texture' ? faceMesh(file, mask) : brushMesh(file, by, mask);
}

/**
 * The faces of a map's brushes, cut from their planes: what moves collide with, all three clips among them. Sides that only serve
 * boxes (bevels) have none. For a world of many tiles, these are the brushes of one file, where it was built.
 *
 * @throws RangeError or TypeError for wrong options, TypeError for anything but such a file.
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

function brushMesh(file: UfoaiFile, by: MeshBy, mask: number | undefined): Mesh {
  const vectors = readVectors(file);
  const has = { texCoords: true, texCoordUnit: 'texel' } as const;
  const builder = new MeshBuilder({ ...has, ...roomOfFaces(file, mask) });
  addBrushes(builder, listBrushes(file, mask), by, isLiquid, ({ textures }, side, corners) => {
    const texture = textures[side]!;
    if (texture >= 0) fillSideCoords(vectors, texture, corners, builder);
  });
  return builder.finish();
}

function faceMesh(file: UfoaiFile, mask: number | undefined): Mesh {
  const faces = readFaces(file);
  const { planes, sides, numEdges, texInfos } = faces;
  const layout = lightmapLayout(file, faces);
  const contentsOf = modelContents(file);
  const has = { texCoords: true, texCoordUnit: 'texel', lightmapCoords: layout !== undefined } as const;
  const builder = new MeshBuilder({ ...has, ...measureFaces(faces, file.models, checks) });
  for (const [number, { firstFace, numFaces }] of file.models.entries()) {
    const model = Math.max(0, number - REGULAR_MODELS + 1);
    const contents = contentsOf[number]!;
    if (!isWanted(contents, mask)) continue;
    for (let face = firstFace; face < firstFace + numFaces; face++) {
      if (numEdges[face]! < 3) continue;
      const texture = texInfos[face]!;
      const { name, surfaceFlags, value } = file.textures[texture]!;
      const isLightmapped = layout !== undefined && layout.numbers[face]! >= 0;
      const group = builder.group(`${number} ${surfaceFlags} ${value} ${isLightmapped} ${name}`, () => ({
        ...{ model, texture, name, surfaceFlags, contents, brush: -1, isLightmapped },
        ...{ isSky: false, isHidden: (surfaceFlags & HIDDEN) !== 0 },
        isLiquid: (surfaceFlags & WARP) !== 0,
      }));
      addFace(builder, faces, face, group, file.planes.normals, planes[face]!, sides[face] === 0 ? 1 : -1);
      if (surfaceFlags & PHONG) smoothen(builder, faces, face);
      fillTexCoords(builder, faces, face, [1, 1], checks);
      if (layout) fillLightmapCoords(builder, faces, face, layout, layout.step);
    }
  }
  return builder.finish();
}

/** Replaces the normals of a face's vertices with the file's, if it has any that face the same way. */
function smoothen({ normals, vertex }: MeshBuilder, faces: UfoaiFaces, face: number): void {
  if (!faces.normals) return;
  for (let k = 0; k < faces.numEdges[face]!; k++) {
    const at = 3 * faceVertex(faces, face, k);
    const to = 3 * (vertex + k);
    const [x, y, z] = [faces.normals[at]!, faces.normals[at + 1]!, faces.normals[at + 2]!];
    const length = lengthOf(x, y, z);
    const along = x * normals[to]! + y * normals[to + 1]! + z * normals[to + 2]!;
    if (!(along > 0 && length < Infinity)) continue;
    normals[to] = x / length;
    normals[to + 1] = y / length;
    normals[to + 2] = z / length;
  }
}

/** Writes coordinates of a texture at the corners of the latest part, a side of a brush. */
function fillSideCoords(
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
        checks.fail('value', 'texinfo', texture, `puts texel ${texel} at a coordinate that is not finite`);
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
  for (const [brush, model] of modelsOf(file).entries()) {
    if (model > 0)
      contents[REGULAR_MODELS + model - 1]! |= file.brushes.contents[brush]! & CONTENTS_LEVEL_ALL;
  }
  return contents;
}
