import { roomOfFaces } from '@bspkit/brushes';
import type { BrushPolygon, BrushPolygonOptions, Mesh, MeshOptions } from '@bspkit/core';
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
import { listBrushes } from './brushes.ts';
import { checks } from './check.ts';
import {
  MASK_WATER,
  SURFACE_HINT,
  SURFACE_NODRAW,
  SURFACE_SKIP,
  SURFACE_SKY,
  SURFACE_WARP,
} from './constants.ts';
import type { Quake2File } from './file.ts';
import { lightmapLayout, STEP } from './lightmaps.ts';
import { type Quake2Faces, readFaces } from './mesh-faces.ts';

const HIDDEN: number = SURFACE_NODRAW | SURFACE_HINT | SURFACE_SKIP;

/** How far behind a face to look for what it bounds, in Quake units. */
const ASIDE = 0.125;

/**
 * The surfaces of a map as triangles for drawing. By texture, these are its faces, with coordinates of textures, in texels, as
 * the file does not say how large textures are, and of lightmaps; by brush or contents, what moves collide with: the faces of
 * brushes, which have neither. `contents` of a face are those of the leaf behind it, or in front if that is empty.
 *
 * @throws BspError (`index`, `limit`, `value`) for what no compiler writes, as this is the only place that looks at drawn lumps;
 *   RangeError or TypeError for wrong options.
 */
export function mesh(file: Quake2File, options: MeshOptions = {}): Mesh {
  checkFileOf(file, 'quake2', 'readQuake2');
  const { by, mask } = meshOptions(options);
  if (by === 'texture') return faceMesh(file, mask);
  const builder = new MeshBuilder(roomOfFaces(file, mask));
  addBrushes(builder, listBrushes(file, mask), by, isLiquid);
  return builder.finish();
}

/**
 * The faces of a map's brushes, cut from their planes: what moves collide with, including clip brushes. Sides that only serve
 * boxes (bevels) have none.
 *
 * @throws RangeError or TypeError for wrong options, TypeError for anything but such a file.
 */
export function brushPolygons(file: Quake2File, options: BrushPolygonOptions = {}): BrushPolygon[] {
  checkFileOf(file, 'quake2', 'readQuake2');
  checkOptions(options, ['mask']);
  if (options.mask !== undefined) checkMask(options.mask, 'mask');
  return Array.from(cutPolygons(listBrushes(file, options.mask)));
}

const isLiquid = (contents: number): boolean => (contents & MASK_WATER) !== 0;

function faceMesh(file: Quake2File, mask: number | undefined): Mesh {
  const faces = readFaces(file);
  const { planes, sides, numEdges, texInfos } = faces;
  const layout = lightmapLayout(file, faces);
  const has = { texCoords: true, texCoordUnit: 'texel', lightmapCoords: layout !== undefined } as const;
  const builder = new MeshBuilder({ ...has, ...measureFaces(faces, file.models, checks) });
  for (const [model, { firstFace, numFaces, headNode }] of file.models.entries()) {
    for (let face = firstFace; face < firstFace + numFaces; face++) {
      if (numEdges[face]! < 3) continue;
      const facing = sides[face] === 0 ? 1 : -1;
      const contents = contentsOf(file, faces, face, facing, headNode);
      if (mask !== undefined && (contents & mask) === 0) continue;
      const texture = texInfos[face]!;
      const { name, surfaceFlags } = file.textures[texture]!;
      const isLightmapped = layout !== undefined && layout.numbers[face]! >= 0;
      const group = builder.group(`${model} ${surfaceFlags} ${contents} ${isLightmapped} ${name}`, () => ({
        ...{ model, texture, name, surfaceFlags, contents, brush: -1, isLightmapped },
        isSky: (surfaceFlags & SURFACE_SKY) !== 0,
        isHidden: (surfaceFlags & HIDDEN) !== 0,
        isLiquid: (surfaceFlags & SURFACE_WARP) !== 0,
      }));
      addFace(builder, faces, face, group, file.planes.normals, planes[face]!, facing);
      fillTexCoords(builder, faces, face, [1, 1], checks);
      if (layout) fillLightmapCoords(builder, faces, face, layout, STEP);
    }
  }
  return builder.finish();
}

/** Contents of the leaf behind the middle of a face, or in front of it if that is empty. */
function contentsOf(
  file: Quake2File,
  faces: Quake2Faces,
  face: number,
  facing: number,
  head: number,
): number {
  const count = faces.numEdges[face]!;
  const normal = 3 * faces.planes[face]!;
  const middle = [0, 0, 0];
  for (let corner = 0; corner < count; corner++) {
    const at = 3 * faceVertex(faces, face, corner);
    for (let k = 0; k < 3; k++) middle[k]! += faces.positions[at + k]! / count;
  }
  const aside = (by: number): number[] =>
    middle.map((x, k) => x + by * facing * file.planes.normals[normal + k]!);
  return leafContents(file, head, aside(-ASIDE)) || leafContents(file, head, aside(ASIDE));
}

function leafContents({ nodes, planes, leafs }: Quake2File, head: number, point: readonly number[]): number {
  let node = head;
  while (node >= 0) {
    const plane = nodes.planes[node]!;
    let height = -planes.dists[plane]!;
    for (let k = 0; k < 3; k++) height += planes.normals[3 * plane + k]! * point[k]!;
    node = nodes.children[2 * node + (height < 0 ? 1 : 0)]!;
  }
  return leafs.contents[-1 - node]!;
}
