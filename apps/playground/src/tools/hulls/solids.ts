import type { BspWorld, HullWorld, Polygon } from '@bspkit/core';
import type { OpenMap } from '../../app/open-map.ts';
import { hullFacesOf } from '../../games/index.ts';

/** The faces between solid and open of a hull, facing the open. */
export type HullFaces = (world: BspWorld, hull: number) => readonly Polygon[];

/** The hulls of a map besides the first, which is that of a point; none where nothing finds their faces. */
export function solidHulls(map: OpenMap): HullWorld['hulls'] {
  const { hulls } = map.world as Partial<HullWorld>;
  return hullFacesOf(map) && hulls ? hulls.slice(1) : [];
}

/** Faces as triangles with their colours by how they face: brighter from above. */
export interface SolidArrays {
  readonly positions: Float32Array;
  /** Shades of grey, 0 to 1, three numbers per corner. */
  readonly shades: Float32Array;
  /** Edges, as line segments. */
  readonly edges: number[];
}

/** Where the light comes from, as far as it matters. */
const LIGHT = [0.36, 0.24, 0.9] as const;

/** What is drawn of some faces. */
export function solidArrays(faces: readonly Polygon[]): SolidArrays {
  const triangles = faces.reduce((sum, { vertices }) => sum + Math.max(0, vertices.length / 3 - 2), 0);
  const positions = new Float32Array(9 * triangles);
  const shades = new Float32Array(9 * triangles);
  const edges: number[] = [];
  let at = 0;
  for (const { vertices, normal } of faces) {
    const lit = LIGHT[0] * normal[0]! + LIGHT[1] * normal[1]! + LIGHT[2] * normal[2]!;
    const shade = 0.62 + 0.38 * lit;
    for (let corner = 3; corner + 3 < vertices.length; corner += 3) {
      for (const from of [0, corner, corner + 3]) {
        for (let k = 0; k < 3; k++) {
          positions[at] = vertices[from + k]!;
          shades[at++] = shade;
        }
      }
    }
    for (let corner = 0; corner < vertices.length; corner += 3) {
      const next = (corner + 3) % vertices.length;
      for (let k = 0; k < 3; k++) edges.push(vertices[corner + k]!);
      for (let k = 0; k < 3; k++) edges.push(vertices[next + k]!);
    }
  }
  return { positions, shades, edges };
}
