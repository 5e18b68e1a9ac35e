import {
  type BrushPolygon,
  type BrushPolygonOptions,
  BspError,
  type Mesh,
  type MeshBy,
  type MeshOptions,
} from '@bspkit/core';
import {
  addBrushes,
  addFace,
  type BrushSource,
  checkFileOf,
  checkMask,
  checkOptions,
  cutPolygons,
  fillLightmapCoords,
  fillTexCoords,
  MeshBuilder,
  measureFaces,
  meshOptions,
} from '@bspkit/core/format';
import { lengthOf } from '@bspkit/geometry';
import { brushList, type Quake1Brush, type Quake1BrushModel } from './bspx.ts';
import { checks } from './check.ts';
import { CONTENTS_CURRENT_0, CONTENTS_CURRENT_DOWN, CONTENTS_LAVA, CONTENTS_WATER } from './constants.ts';
import type { Quake1File } from './file.ts';
import { edgeFaces, lightmapLayout, STEP } from './lightmaps.ts';
import { textureKind } from './texture-kinds.ts';

/** Side in texels of the stand-in for a texture whose size is not in the file. */
const STAND_IN = 16;
const NO_SIZE = { width: 0, height: 0 };

/** Each side of a brush is cut by all others: this many cuts in total, or this many for each side of a longer list. */
const MAX_SQUARES = 6_000_000;
const SQUARES_OF_SIDE = 24;

/** The greatest distance of a plane, in Quake units: planes farther out bound nothing that a map can hold. */
const MAX_DIST = 2 ** 24;

/**
 * The surfaces of a map as triangles for drawing. By texture, these are its faces, with coordinates of textures (1 is the whole
 * texture; 16 texels if the file does not give its size) and lightmaps. By brush or contents, they are the faces of the brushes
 * that it was built from, if its compiler wrote these down (`BRUSHLIST`). Without such a list, the faces are grouped by the
 * contents that their textures stand for, and there is no mesh by brush.
 *
 * `contents` of a face are those that its texture's name stands for, and so are `isSky`, `isLiquid` and `isHidden`. `mask` is one
 * number, because contents are not bits: -8 for clip brushes only.
 *
 * @throws BspError (`empty`) by brush, for a map without a list, (`value`, `index`, `limit`) for what no compiler writes;
 *   RangeError or TypeError for wrong options.
 */
export function mesh(file: Quake1File, options: MeshOptions = {}): Mesh {
  checkFileOf(file, 'quake1', 'readQuake1');
  const { by, mask } = meshOptions(options);
  const given = by === 'texture' ? undefined : brushList(file);
  if (by === 'texture' || (by === 'contents' && !given)) return faceMesh(file, by, mask);
  const list = checkedList(file, given);
  const builder = new MeshBuilder(roomOfFaces(list, mask));
  addBrushes(builder, listBrushes(list, mask), by, isLiquid);
  return builder.finish();
}

/**
 * The faces of the brushes that a map was built from, cut from their planes, clip brushes among them. `mask` is the contents that
 * are wanted, -8 for clip brushes. The list does not number sides or name textures: both are -1. What clip hulls consist of,
 * `hullPolygons` shows for any map.
 *
 * @throws BspError (`empty`) for a map without a list of brushes, (`value`, `index`, `limit`, `truncated`) for a broken one;
 *   RangeError or TypeError for wrong options.
 */
export function brushPolygons(file: Quake1File, options: BrushPolygonOptions = {}): BrushPolygon[] {
  checkFileOf(file, 'quake1', 'readQuake1');
  checkOptions(options, ['mask']);
  if (options.mask !== undefined) checkMask(options.mask, 'mask');
  return Array.from(cutPolygons(listBrushes(checkedList(file, brushList(file)), options.mask)));
}

/** A mask is one of the contents, which are signed; it may be given without a sign. */
const isWanted = (contents: number, mask: number | undefined): boolean =>
  mask === undefined || contents === (mask | 0);

const isLiquid = (contents: number): boolean =>
  (contents <= CONTENTS_WATER && contents >= CONTENTS_LAVA) ||
  (contents <= CONTENTS_CURRENT_0 && contents >= CONTENTS_CURRENT_DOWN);

function faceMesh(file: Quake1File, by: MeshBy, mask: number | undefined): Mesh {
  const { faces, planes, texInfos, models, textures } = file;
  const drawn = edgeFaces(file);
  const kinds = textures.map((texture) => textureKind(texture?.name ?? ''));
  const unknown = textureKind('');
  const layout = by === 'texture' ? lightmapLayout(file) : undefined;
  const has = { texCoords: by === 'texture', lightmapCoords: layout !== undefined };
  const builder = new MeshBuilder({ ...has, ...measureFaces(drawn, models, checks) });
  for (const [model, { firstFace, numFaces }] of models.entries()) {
    for (let face = firstFace; face < firstFace + numFaces; face++) {
      const count = faces.numEdges[face]!;
      const texInfo = faces.texInfos[face]!;
      const texture = textures.length > 0 ? texInfos.textures[texInfo]! : -1;
      const kind = kinds[texture] ?? unknown;
      if (count < 3 || !isWanted(kind.contents, mask)) continue;
      const surfaceFlags = texInfos.flags[texInfo]!;
      const isLightmapped = layout !== undefined && layout.numbers[face]! >= 0;
      const group =
        by === 'texture'
          ? builder.group(`${model} ${texture} ${surfaceFlags} ${isLightmapped}`, () => ({
              ...{ model, texture, name: textures[texture]?.name ?? '', surfaceFlags, brush: -1 },
              ...{ ...kind, isLightmapped },
            }))
          : builder.group(`${model} ${kind.contents}`, () => ({
              ...{ model, texture: -1, name: '', surfaceFlags: 0, brush: -1, isLightmapped },
              ...{ ...kind, isHidden: false },
            }));
      const facing = faces.sides[face] === 0 ? 1 : -1;
      addFace(builder, drawn, face, group, planes.normals, faces.planes[face]!, facing);
      if (by !== 'texture') continue;
      const { width, height } = textures[texture] ?? NO_SIZE;
      fillTexCoords(builder, drawn, face, [width || STAND_IN, height || STAND_IN], checks);
      if (layout) fillLightmapCoords(builder, drawn, face, layout, STEP);
    }
  }
  return builder.finish();
}

/** The list of brushes: there must be one, its models must exist, and its sides be no more than can be cut. */
function checkedList(
  file: Quake1File,
  list: readonly Quake1BrushModel[] | undefined,
): readonly Quake1BrushModel[] {
  if (!list) {
    const place = { format: 'quake1', lump: 'BRUSHLIST' };
    throw new BspError('empty', place, 'the map has no list of its brushes; few compilers write one');
  }
  const sides: number[] = [];
  for (const [k, { model, brushes }] of list.entries()) {
    checks.index('BRUSHLIST', k, 'model', model, file.models.length);
    for (const brush of brushes) sides.push(countSides(brush));
  }
  const count = sides.reduce((sum, own) => sum + own, 0);
  checks.squares('BRUSHLIST', 'sides', sides, Math.max(MAX_SQUARES, SQUARES_OF_SIDE * count));
  return list;
}

/** The six of its bounds, and the others. */
const countSides = ({ planes }: Quake1Brush): number => 6 + planes.length / 4;

/** The room that the faces of the wanted brushes need in a mesh, if all of them have four corners, as most do. */
function roomOfFaces(
  list: readonly Quake1BrushModel[],
  mask: number | undefined,
): { numVertices: number; numTriangles: number } {
  let sides = 0;
  for (const { brushes } of list)
    for (const brush of brushes) if (isWanted(brush.contents, mask)) sides += countSides(brush);
  return { numVertices: 4 * sides, numTriangles: 2 * sides };
}

/** The wanted brushes of the list, as planes: the six of their bounds, then the others. */
function* listBrushes(list: readonly Quake1BrushModel[], mask: number | undefined): Generator<BrushSource> {
  let brush = 0;
  for (const { model, brushes } of list) {
    for (const { contents, mins, maxs, planes } of brushes) {
      const number = brush++;
      if (!isWanted(contents, mask)) continue;
      const around = new Float64Array(24 + planes.length);
      for (let k = 0; k < 3; k++) {
        around[8 * k + k] = -1;
        around[8 * k + 3] = -mins[k]!;
        around[8 * k + 4 + k] = 1;
        around[8 * k + 7] = maxs[k]!;
      }
      around.set(planes, 24);
      checkPlanes(number, around);
      yield { brush: number, model, contents, planes: around, firstSide: -1, textures: [] };
    }
  }
}

/** A world does not need the planes of the list, so they are not checked when a file is read. */
function checkPlanes(brush: number, planes: Float64Array): void {
  for (let k = 0; k < planes.length; k += 4) {
    const x = planes[k]!;
    const y = planes[k + 1]!;
    const z = planes[k + 2]!;
    const dist = planes[k + 3]!;
    if (!(Math.abs(lengthOf(x, y, z) - 1) < 1e-3 && Math.abs(dist) <= MAX_DIST)) {
      const problem = `has a side with normal ${x} ${y} ${z} and dist ${dist}, which is no plane of a map`;
      checks.fail('value', 'BRUSHLIST', brush, problem);
    }
  }
}
