import type { BspWorld } from '@bspkit/core';
import type { BspFile, BspFormat } from '@bspkit/core/format';
import type { Winding } from '@bspkit/geometry';
import type { WorldSource } from '../world.ts';
import { worldCurves } from './curves.ts';
import { brushFaces } from './faces.ts';

/** The world as triangle libraries need it: nine numbers per triangle, fronts counter-clockwise. */
export interface TriangleSoup {
  readonly positions: Float32Array;
  readonly triangles: number;
  /** Where the triangles came from. */
  readonly brushes: number;
  readonly curves: number;
}

/** The {@link triangleSoup} of a map; undefined for formats that keep no brushes, and for assemblies. */
export const soupOf = ({ format, bytes, tiles }: WorldSource, world: BspWorld): TriangleSoup | undefined =>
  format.brushes && !tiles ? triangleSoup(format, format.read(bytes), world, bytes) : undefined;

/**
 * Solid brushes and curved surfaces of the world as triangles: everything that traces hit by default. Curves are the flat facets
 * that the engine collides with, so that all libraries have the same world.
 *
 * @throws RangeError for a format that keeps no brushes, and for a world that contains nothing solid.
 */
export function triangleSoup(
  format: BspFormat,
  file: BspFile,
  world: BspWorld,
  bytes: Uint8Array,
): TriangleSoup {
  if (!format.brushes) {
    throw new RangeError(`maps of ${format.name} keep no brushes, which triangles could be made of`);
  }
  const solid = format.contents.bits('solid');
  const positions: number[] = [];
  let brushes = 0;
  for (const { model, contents, planes } of format.brushes(file)) {
    if (model !== 0 || (contents & solid) === 0) continue;
    brushes++;
    for (const face of brushFaces(planes)) pushFan(positions, face);
  }
  let curves = 0;
  for (const { contents, faces } of worldCurves(format, world, bytes)) {
    if ((contents & solid) === 0) continue;
    curves++;
    for (const face of faces) pushFan(positions, face);
  }
  if (positions.length === 0) throw new RangeError('the world holds nothing solid');
  return { positions: Float32Array.from(positions), triangles: positions.length / 9, brushes, curves };
}

function pushFan(positions: number[], face: Winding): void {
  for (let i = 3; i + 5 < face.length; i += 3) {
    positions.push(face[0]!, face[1]!, face[2]!);
    for (let k = i; k < i + 6; k++) positions.push(face[k]!);
  }
}
