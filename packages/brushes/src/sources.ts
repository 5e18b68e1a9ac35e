import type { Plane } from '@bspkit/core';
import type { BrushSource, FileBrush } from '@bspkit/core/format';
import type { BrushRecords } from './bounds.ts';

/** All brushes of a file, to be drawn; `models` has the model of each. */
export function* fileBrushes(file: BrushRecords, models: Int32Array): Generator<FileBrush> {
  const { brushes, planes, sides } = file;
  // Each plane is made once: brushes share them.
  const made = new Array<Plane | undefined>(planes.dists.length);
  const planeOf = (plane: number): Plane => {
    made[plane] ??= {
      normal: planes.normals.subarray(3 * plane, 3 * plane + 3),
      dist: planes.dists[plane]!,
    };
    return made[plane];
  };
  for (let brush = 0; brush < brushes.count; brush++) {
    const first = brushes.firstSides[brush]!;
    const end = first + brushes.numSides[brush]!;
    const around: Plane[] = [];
    for (let side = first; side < end; side++) around.push(planeOf(sides.planes[side]!));
    yield {
      brush,
      model: models[brush]!,
      contents: brushes.contents[brush]!,
      planes: around,
      textures: sides.textures.subarray(first, end),
    };
  }
}

/** As much as it takes to count the sides of brushes. */
interface CountedBrushes {
  readonly brushes: Pick<BrushRecords['brushes'], 'contents' | 'count' | 'numSides'>;
}

const isWanted = (contents: number, mask: number | undefined): boolean =>
  mask === undefined || (contents & mask) !== 0;

/** The room that the faces of {@link brushSources} need in a mesh, if all of them have four corners, as most do. */
export function roomOfFaces(
  { brushes }: CountedBrushes,
  mask: number | undefined,
): { numVertices: number; numTriangles: number } {
  let sides = 0;
  for (let brush = 0; brush < brushes.count; brush++)
    if (isWanted(brushes.contents[brush]!, mask)) sides += brushes.numSides[brush]!;
  return { numVertices: 4 * sides, numTriangles: 2 * sides };
}

/** Brushes whose contents match `mask`, or all of them without one, to be cut to faces. */
export function* brushSources(
  { brushes, sides, planes }: BrushRecords,
  models: Int32Array,
  mask: number | undefined,
): Generator<BrushSource> {
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
