import type { Polygon } from '@bspkit/core';
import { PLANE_WORDS } from './layout.ts';

/** Doubles of a plane: normal, distance. */
const PLANE_NUMBERS: number = PLANE_WORDS / 2;

/**
 * Writes the perpendicular planes of a polygon, four numbers each: one per edge, then one per corner. All are perpendicular to it
 * and face inwards; the ellipsoid's radius moves them outwards once it is known. An edge's plane contains the edge. A corner's
 * is, as in the document for triangles, the plane of the opposite edge moved to the corner; with more corners, the opposite edge
 * is the line between the two neighbours, which in a triangle is the same.
 *
 * Source: Physics in BSP-Trees, Collision Detection, figures 9 to 11; corrected: the inward test needs the plane's distance.
 */
export function writePerpendicularPlanes(polygon: Polygon, out: Float64Array, at: number): void {
  const { vertices } = polygon;
  const { length } = vertices;
  const count = length / 3;
  const center: Vec = [0, 0, 0];
  for (let k = 0; k < length; k++) center[k % 3]! += vertices[k]! / count;
  for (let k = 0; k < length; k += 3) {
    const before = (k || length) - 3;
    const next = (k + 3) % length;
    write(polygon, k, next, k, center, out, at + (PLANE_NUMBERS * k) / 3);
    write(polygon, before, next, k, center, out, at + PLANE_NUMBERS * (count + k / 3));
  }
}

type Vec = [number, number, number];

/** The plane through `corner` that is perpendicular to a polygon along the line from `from` to `to`, and faces its centre. */
function write(
  { vertices, normal }: Polygon,
  from: number,
  to: number,
  corner: number,
  center: Vec,
  out: Float64Array,
  at: number,
): void {
  const [nx, ny, nz] = [normal[0]!, normal[1]!, normal[2]!];
  const dx = vertices[to]! - vertices[from]!;
  const dy = vertices[to + 1]! - vertices[from + 1]!;
  const dz = vertices[to + 2]! - vertices[from + 2]!;
  const [x, y, z] = [dy * nz - dz * ny, dz * nx - dx * nz, dx * ny - dy * nx];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) {
    // An edge without direction: everything is in front of its plane.
    out.fill(0, at, at + 3);
    out[at + 3] = -1;
    return;
  }
  const [px, py, pz] = [x / length, y / length, z / length];
  const dist = px * vertices[corner]! + py * vertices[corner + 1]! + pz * vertices[corner + 2]!;
  const isOutward = px * center[0] + py * center[1] + pz * center[2] - dist < 0;
  out[at] = isOutward ? -px : px;
  out[at + 1] = isOutward ? -py : py;
  out[at + 2] = isOutward ? -pz : pz;
  out[at + 3] = isOutward ? -dist : dist;
}
