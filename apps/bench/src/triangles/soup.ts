import type { BspWorld } from '@bspkit/core';
import type { BspFile, BspFormat } from '@bspkit/core/format';
import { type Winding, windingCenter } from '@bspkit/geometry';
import { worldCurves } from './curves.ts';
import { brushFaces } from './faces.ts';

/** The world as triangle libraries want it: nine numbers per triangle, fronts counter-clockwise. */
export interface TriangleSoup {
  readonly positions: Float32Array;
  readonly triangles: number;
  /** Where the triangles came from. */
  readonly brushes: number;
  readonly curves: number;
}

/**
 * Solid brushes and curved surfaces of the world as triangles: all that traces hit by default. Curves are taken as the
 * flat facets that the engine collides with, so that all libraries have the same world.
 *
 * @throws RangeError for a format that keeps no brushes, and for a world that holds nothing solid.
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
  const isOfWorld = worldTest(format, world);
  const positions: number[] = [];
  let brushes = 0;
  for (const { brush, contents, planes } of format.brushes(file)) {
    if ((contents & solid) === 0) continue;
    const faces = brushFaces(planes);
    if (!isOfWorld(brush, faces)) continue;
    brushes++;
    for (const face of faces) pushFan(positions, face);
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

/**
 * Tells brushes of the world from those of doors and lifts, which a file lists together: the middle of the former is
 * solid in the world. Where doors are sunk into walls, the world's answer says whose brush it is.
 */
function worldTest(
  format: BspFormat,
  world: BspWorld,
): (brush: number, faces: readonly Winding[]) => boolean {
  const kind = format.tracers.kinds.find(({ name }) => name === 'ray');
  if (!kind) throw new RangeError(`worlds of ${format.name} cannot be traced with rays`);
  const point = kind.create(world, [], {});
  const models = Array.from({ length: world.numModels }, (_, k) => kind.create(world, [], { model: k + 1 }));
  const trace = point.createTrace();
  return (brush, faces) => {
    const corners = faces.flat();
    if (corners.length === 0) return false;
    const middle = windingCenter(corners);
    point.trace(middle, middle, trace);
    if (!trace.startSolid) return false;
    return trace.brush === brush || !models.some((model) => model.blocked(middle, middle));
  };
}

function pushFan(positions: number[], face: Winding): void {
  for (let i = 3; i + 5 < face.length; i += 3) {
    positions.push(face[0]!, face[1]!, face[2]!);
    for (let k = i; k < i + 6; k++) positions.push(face[k]!);
  }
}
