import { roomOfFaces } from '@bspkit/brushes';
import type { BrushPolygon, BrushPolygonOptions, Mesh, MeshBy, MeshOptions } from '@bspkit/core';
import {
  addBrushes,
  checkFileOf,
  checkMask,
  checkOptions,
  cutPolygons,
  MeshBuilder,
  meshOptions,
} from '@bspkit/core/format';
import { cross, normalize, subtract, type Vec } from '@bspkit/geometry';
import { brushRecords, listBrushes } from './brushes.ts';
import { checks } from './check.ts';
import { MASK_WATER, SURFACE_MESH, SURFACE_PATCH, SURFACE_PLANAR } from './constants.ts';
import type { Quake3File, Quake3Surface } from './file.ts';
import { lightmapPages, placeInAtlas } from './lightmaps.ts';
import { fillPatch, makeUnit, patchSize } from './mesh-patch.ts';

/** Surface flags: the sky; what is never drawn (NODRAW, HINT and SKIP). */
const SKY = 0x4;
const HIDDEN = 0x380;

/** The most vertices of all patches: at level 64 they have 3.6 million at most on the maps that we have. */
const MAX_PATCH_VERTICES = 2 ** 22;

/**
 * The surfaces of a map as triangles for drawing. By texture, these are the drawn surfaces: planar faces, models, and patches
 * divided as `patchLevel` says, with coordinates of textures (1 is the whole texture) and lightmaps, and vertex colours. By brush
 * or contents, they are what moves collide with: the faces of brushes, which have no coordinates of textures, and the patches,
 * whose `brushes` are -1.
 *
 * @throws BspError (`limit`) if patches divided that finely have more than 4 million vertices, (`value`) for coordinates of
 *   textures that are not finite; RangeError or TypeError for wrong options.
 */
export function mesh(file: Quake3File, options: MeshOptions = {}): Mesh {
  checkFileOf(file, 'quake3', 'readQuake3');
  const { by, mask, patchLevel } = meshOptions(options);
  return by === 'texture' ? drawnMesh(file, mask, patchLevel) : collisionMesh(file, by, mask, patchLevel);
}

/**
 * The faces of a map's brushes, cut from their planes: what moves collide with, including clip brushes. Sides that only serve
 * boxes (bevels) have none.
 *
 * @throws RangeError or TypeError for wrong options, TypeError for anything but such a file.
 */
export function brushPolygons(file: Quake3File, options: BrushPolygonOptions = {}): BrushPolygon[] {
  checkFileOf(file, 'quake3', 'readQuake3');
  checkOptions(options, ['mask']);
  if (options.mask !== undefined) checkMask(options.mask, 'mask');
  return Array.from(cutPolygons(listBrushes(file, options.mask)));
}

const isLiquid = (contents: number): boolean => (contents & MASK_WATER) !== 0;

const isWanted = (contents: number, mask: number | undefined): boolean =>
  mask === undefined || (contents & mask) !== 0;

/** Drawn surfaces, by shader. */
function drawnMesh(file: Quake3File, mask: number | undefined, patchLevel: number): Mesh {
  const surfaces = Array.from(listSurfaces(file, mask, [SURFACE_PLANAR, SURFACE_PATCH, SURFACE_MESH]));
  const pages = lightmapPages(file);
  const has = { texCoords: true, lightmapCoords: pages.count > 0, colors: true };
  const builder = new MeshBuilder({ ...has, ...sizeOf(surfaces, patchLevel) });
  for (const { model, surface, record } of surfaces) {
    const { shader, lightmap } = record;
    const { name, surfaceFlags, contents } = file.shaders[shader]!;
    const isLightmapped = lightmap >= 0 && lightmap < pages.count;
    checkCoords(file.vertexes, record, isLightmapped);
    const group = builder.group(`${model} ${shader} ${isLightmapped}`, () => ({
      ...{ model, texture: shader, name, surfaceFlags, contents, brush: -1, isLightmapped },
      isSky: (surfaceFlags & SKY) !== 0,
      isHidden: (surfaceFlags & HIDDEN) !== 0,
      isLiquid: isLiquid(contents),
    }));
    const { numVertices, numTriangles } = surfaceSize(record, patchLevel);
    builder.add(group, numVertices, numTriangles, surface, -1, -1);
    if (record.type === SURFACE_PATCH) fillPatch(file, record, patchLevel, builder);
    else fillTriangles(file, record, builder);
    const { vertex, lightmapCoords } = builder;
    const coords = lightmapCoords?.subarray(2 * vertex, 2 * (vertex + numVertices));
    if (isLightmapped) placeInAtlas(pages, lightmap, coords!);
    else coords?.fill(0);
  }
  return builder.finish();
}

/** What is collided with, by brush or contents. */
function collisionMesh(file: Quake3File, by: MeshBy, mask: number | undefined, patchLevel: number): Mesh {
  const surfaces = Array.from(listSurfaces(file, mask, [SURFACE_PATCH]));
  const { numVertices, numTriangles } = sizeOf(surfaces, patchLevel);
  const faces = roomOfFaces(brushRecords(file), mask);
  const builder = new MeshBuilder({
    numVertices: numVertices + faces.numVertices,
    numTriangles: numTriangles + faces.numTriangles,
  });
  addBrushes(builder, listBrushes(file, mask), by, isLiquid);
  for (const { model, surface, record } of surfaces) {
    const { contents } = file.shaders[record.shader]!;
    const group = builder.group(`${model} -1 ${contents}`, () => ({
      ...{ model, brush: -1, contents, texture: -1, name: '', surfaceFlags: 0 },
      ...{ isSky: false, isHidden: false, isLiquid: isLiquid(contents), isLightmapped: false },
    }));
    const size = patchSize(record, patchLevel);
    builder.add(group, size.numVertices, size.numTriangles, surface, -1, -1);
    fillPatch(file, record, patchLevel, builder);
  }
  return builder.finish();
}

interface ListedSurface {
  readonly model: number;
  readonly surface: number;
  readonly record: Quake3Surface;
}

/** The surfaces of all models that have one of these types and wanted contents. */
function* listSurfaces(
  { models, surfaces, shaders }: Quake3File,
  mask: number | undefined,
  types: readonly number[],
): Generator<ListedSurface> {
  for (const [model, { firstSurface, numSurfaces }] of models.entries()) {
    for (let surface = firstSurface; surface < firstSurface + numSurfaces; surface++) {
      const record = surfaces[surface]!;
      if (!types.includes(record.type) || !isWanted(shaders[record.shader]!.contents, mask)) continue;
      yield { model, surface, record };
    }
  }
}

interface Size {
  readonly numVertices: number;
  readonly numTriangles: number;
}

function surfaceSize(record: Quake3Surface, patchLevel: number): Size {
  if (record.type === SURFACE_PATCH) return patchSize(record, patchLevel);
  return { numVertices: record.numVertexes, numTriangles: Math.floor(record.numIndexes / 3) };
}

/** Size of many surfaces. Patches may be divided so finely that there is no room for them. */
function sizeOf(surfaces: readonly ListedSurface[], patchLevel: number): Size {
  let [numVertices, numTriangles, ofPatches] = [0, 0, 0];
  for (const { record } of surfaces) {
    const size = surfaceSize(record, patchLevel);
    numVertices += size.numVertices;
    numTriangles += size.numTriangles;
    if (record.type === SURFACE_PATCH) ofPatches += size.numVertices;
  }
  if (ofPatches > MAX_PATCH_VERTICES) {
    const limit = `at most ${MAX_PATCH_VERTICES} are accepted`;
    const problem = `patches have ${ofPatches} vertices at patchLevel ${patchLevel}; ${limit}`;
    checks.fail('limit', 'surfaces', undefined, problem);
  }
  return { numVertices, numTriangles };
}

/** Writes a planar face or a model as in the file, but with corners in the opposite order: there they are clockwise. */
function fillTriangles(
  { vertexes, indexes }: Quake3File,
  { firstVertex, numVertexes, firstIndex, numIndexes }: Quake3Surface,
  { positions, normals, texCoords, lightmapCoords, colors, indices, vertex, index }: MeshBuilder,
): void {
  const corner = (k: number): number => firstVertex + indexes[firstIndex + k]!;
  const flat = triangleNormal(vertexes.positions, corner(0), corner(2), corner(1));
  for (let k = 0; k < numVertexes; k++) {
    const [from, to] = [firstVertex + k, vertex + k];
    for (let i = 0; i < 3; i++) {
      positions[3 * to + i] = vertexes.positions[3 * from + i]!;
      normals[3 * to + i] = vertexes.normals[3 * from + i]!;
    }
    // Compilers leave some normals out.
    if (!makeUnit(normals, to)) normals.set(flat, 3 * to);
    for (let i = 0; i < 2; i++) {
      texCoords![2 * to + i] = vertexes.texCoords[2 * from + i]!;
      if (lightmapCoords) lightmapCoords[2 * to + i] = vertexes.lightmapCoords[2 * from + i]!;
    }
    for (let i = 0; i < 4; i++) colors![4 * to + i] = vertexes.colors[4 * from + i]!;
  }
  for (let k = 0; k + 2 < numIndexes; k += 3) {
    indices[index + k] = vertex + indexes[firstIndex + k]!;
    indices[index + k + 1] = vertex + indexes[firstIndex + k + 2]!;
    indices[index + k + 2] = vertex + indexes[firstIndex + k + 1]!;
  }
}

/** Normal of a triangle whose vertices are counter-clockwise; up if it has none. */
function triangleNormal(positions: Float32Array, a: number, b: number, c: number): Vec {
  const at = (vertex: number): Float32Array => positions.subarray(3 * vertex, 3 * vertex + 3);
  return normalize(cross(subtract(at(b), at(a)), subtract(at(c), at(a)))) ?? [0, 0, 1];
}

/** Refuses coordinates that are not finite, so that nothing drawn has any; those of lightmaps only if there is one. */
function checkCoords(
  { texCoords, lightmapCoords }: Quake3File['vertexes'],
  { firstVertex, numVertexes }: Quake3Surface,
  isLightmapped: boolean,
): void {
  for (let k = 2 * firstVertex; k < 2 * (firstVertex + numVertexes); k++) {
    const sum = texCoords[k]! + (isLightmapped ? lightmapCoords[k]! : 0);
    if (!Number.isFinite(sum)) {
      checks.fail('value', 'vertexes', k >> 1, 'coordinates of texture or lightmap are not finite numbers');
    }
  }
}
