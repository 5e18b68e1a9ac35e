import type { Polygon } from '@bspkit/core';

/** A plane in double precision. */
export interface PerPlane {
  readonly normal: readonly [number, number, number];
  readonly dist: number;
}

/** For an edge without direction: everything is in front of it. */
const NOWHERE: PerPlane = { normal: [0, 0, 0], dist: -1 };

/**
 * The perpendicular planes of a polygon: one per edge, then one per corner. All stand upright on it and face inwards; the
 * ellipsoid's radius moves them out when it is known. An edge's lies along it. A corner's is, as the document has it for
 * triangles, the copy of the plane of the edge opposite that goes through the corner; with more corners, the edge
 * opposite is the line between the two neighbours, which in a triangle is the same.
 *
 * Source: Physics in BSP-Trees, Collision Detection, figures 9 to 11; that the inward test needs the plane's distance is
 * corrected.
 */
export function perpendicularPlanes({ vertices, normal }: Polygon): PerPlane[] {
  const count = vertices.length / 3;
  const corner = (k: number): readonly [number, number, number] => {
    const at = 3 * ((k + count) % count);
    return [vertices[at]!, vertices[at + 1]!, vertices[at + 2]!];
  };
  const center: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < vertices.length; k++) center[k % 3]! += vertices[k]! / count;
  const planes: PerPlane[] = [];
  for (let k = 0; k < count; k++) planes.push(through(corner(k), corner(k + 1), corner(k), normal, center));
  for (let k = 0; k < count; k++)
    planes.push(through(corner(k - 1), corner(k + 1), corner(k), normal, center));
  return planes;
}

type Point = readonly [number, number, number];

/** The plane through `at` that stands upright on a polygon along the line from p1 to p2, and faces its center. */
function through(p1: Point, p2: Point, at: Point, normal: ArrayLike<number>, center: Point): PerPlane {
  const [nx, ny, nz] = [normal[0]!, normal[1]!, normal[2]!];
  const [dx, dy, dz] = [p2[0] - p1[0], p2[1] - p1[1], p2[2] - p1[2]];
  const [x, y, z] = [dy * nz - dz * ny, dz * nx - dx * nz, dx * ny - dy * nx];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return NOWHERE;
  const [px, py, pz] = [x / length, y / length, z / length];
  const dist = px * at[0] + py * at[1] + pz * at[2];
  const isOutward = px * center[0] + py * center[1] + pz * center[2] - dist < 0;
  return isOutward ? { normal: [-px, -py, -pz], dist: -dist } : { normal: [px, py, pz], dist };
}
