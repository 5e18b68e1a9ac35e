import { MASK_SOLID, type Quake3File, type Quake3Patch, type Quake3World } from '@bspkit/quake3';
import { type BrushPlane, brushFaces, polygonIn, type Winding } from './winding.ts';

/** The world as triangle tracers want it: nine numbers a triangle, fronts counter-clockwise. */
export interface TriangleSoup {
  readonly positions: Float32Array;
  readonly triangles: number;
  /** Where the triangles came from. */
  readonly brushes: number;
  readonly patches: number;
}

/**
 * Solid brushes and curved patches of the world model as triangles: what `MASK_SOLID` traces can hit. Patches as the
 * flat facets that the engine collides with, so that all peers have the same world.
 */
export function quake3Triangles(file: Quake3File, mapWorld: Quake3World): TriangleSoup {
  const positions: number[] = [];
  const world = file.models[0]!;
  const isSolid = (shader: number): boolean => (file.shaders[shader]!.contents & MASK_SOLID) !== 0;
  let brushes = 0;
  for (let brush = world.firstBrush; brush < world.firstBrush + world.numBrushes; brush++) {
    if (!isSolid(file.brushes.shaders[brush]!)) continue;
    brushes++;
    for (const face of brushFaces(brushPlanes(file, brush))) pushFan(positions, face);
  }
  let patches = 0;
  for (const patch of mapWorld.patches()) {
    const ofWorld =
      patch.surface >= world.firstSurface && patch.surface < world.firstSurface + world.numSurfaces;
    if (!ofWorld || (patch.contents & MASK_SOLID) === 0) continue;
    patches++;
    for (const facet of patch.facets) pushFan(positions, facetFace(patch, facet));
  }
  return { positions: Float32Array.from(positions), triangles: positions.length / 9, brushes, patches };
}

function brushPlanes(file: Quake3File, brush: number): BrushPlane[] {
  const first = file.brushes.firstSides[brush]!;
  return Array.from({ length: file.brushes.numSides[brush]! }, (_, k) => {
    const plane = file.sides.planes[first + k]!;
    const [x, y, z] = file.planes.normals.subarray(3 * plane, 3 * plane + 3);
    return { normal: [x!, y!, z!], dist: file.planes.dists[plane]! };
  });
}

/** The polygon of a facet: what its borders leave of its surface plane. */
function facetFace({ planes }: Quake3Patch, facet: Quake3Patch['facets'][number]): Winding {
  const plane = (number: number, sign: number): BrushPlane => {
    const [x, y, z, dist] = planes.subarray(4 * number, 4 * number + 4);
    return { normal: [sign * x!, sign * y!, sign * z!], dist: sign * dist! };
  };
  const borders = facet.borders
    .map((number, k) => ({ number, sign: facet.inward[k] ? -1 : 1 }))
    // The last border is the facet's back: its own plane once more.
    .filter(({ number }) => number !== facet.plane);
  return polygonIn(
    plane(facet.plane, 1),
    borders.map(({ number, sign }) => plane(number, sign)),
  );
}

function pushFan(positions: number[], face: Winding): void {
  for (let i = 3; i + 5 < face.length; i += 3) {
    positions.push(face[0]!, face[1]!, face[2]!);
    for (let k = i; k < i + 6; k++) positions.push(face[k]!);
  }
}
