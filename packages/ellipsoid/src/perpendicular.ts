import type { Memory } from './kernel/memory.ts';
import { POLYGON_BEFORE, POLYGON_CORNERS, POLYGON_NUM_CORNERS, POLYGON_WORDS } from './layout.ts';

/** Numbers of a plane: normal, distance. */
export const PLANE_NUMBERS = 4;

/** Numbers per corner of a polygon: the planes of an edge and of a corner. */
const NUMBERS_PER_CORNER: number = 2 * PLANE_NUMBERS;

/** Where the planes of the polygon at `at` begin, among those of all. */
export const firstPlane = (ints: Int32Array, at: number): number =>
  NUMBERS_PER_CORNER * ints[at + POLYGON_BEFORE]!;

/** How many numbers they are. */
export const planesLength = (ints: Int32Array, at: number): number =>
  NUMBERS_PER_CORNER * ints[at + POLYGON_NUM_CORNERS]!;

/** The planes around all polygons of a world, made when they are first asked for. */
export function perpendicularPlanes(memory: Memory): Float64Array {
  if (memory.planes) return memory.planes;
  const { ints, places } = memory;
  const end = places.polygons.first + POLYGON_WORDS * places.polygons.count;
  const last = end - POLYGON_WORDS;
  const planes = new Float64Array(firstPlane(ints, last) + planesLength(ints, last));
  for (let at = places.polygons.first; at < end; at += POLYGON_WORDS) writePlanes(memory, at, planes);
  memory.planes = planes;
  return planes;
}

/**
 * Writes the perpendicular planes of a polygon, four numbers each: one per edge, then one per corner. All are perpendicular to it
 * and face inwards; the ellipsoid's radius moves them outwards once it is known. An edge's plane contains the edge. A corner's
 * is, as in the document for triangles, the plane of the opposite edge moved to the corner; with more corners, the opposite edge
 * is the line between the two neighbours, which in a triangle is the same.
 *
 * Source: Physics in BSP-Trees, Collision Detection, figures 9 to 11; corrected: the inward test needs the plane's distance.
 */
function writePlanes({ ints, floats }: Memory, at: number, out: Float64Array): void {
  const first = ints[at + POLYGON_CORNERS]!;
  const count = ints[at + POLYGON_NUM_CORNERS]!;
  const length = 3 * count;
  const vertices = floats.subarray(first, first + length);
  const normal = floats.subarray(at, at + 3);
  const center: Vec = [0, 0, 0];
  for (let k = 0; k < length; k++) center[k % 3]! += vertices[k]! / count;
  let plane = firstPlane(ints, at);
  for (let k = 0; k < length; k += 3) {
    const before = (k || length) - 3;
    const next = (k + 3) % length;
    write(vertices, normal, k, next, k, center, out, plane);
    write(vertices, normal, before, next, k, center, out, plane + PLANE_NUMBERS * count);
    plane += PLANE_NUMBERS;
  }
}

type Vec = [number, number, number];

/** The plane through `corner` that is perpendicular to a polygon along the line from `from` to `to`, and faces its centre. */
function write(
  vertices: Float32Array,
  normal: Float32Array,
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
