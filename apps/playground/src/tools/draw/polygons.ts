import type { Bounds, Plane, Vec3 } from '@bspkit/core';
import { clipBehindAll, drawnFaces, halfAround, planeWinding, type Winding } from '@bspkit/geometry';

/** The side of a brush as a polygon. */
export interface Face {
  readonly plane: Plane;
  /** Counter-clockwise seen from the front. */
  readonly corners: Winding;
}

/** A plane as far as it lies behind other planes; `undefined` where that is nowhere. */
export function planePiece(plane: Plane, others: readonly Plane[]): Winding | undefined {
  const { normal, dist } = plane;
  if (normal[0] === 0 && normal[1] === 0 && normal[2] === 0) return undefined;
  // Planes far out meet each other far out.
  const half = halfAround([dist, ...others.map((other) => other.dist)]);
  const piece = clipBehindAll(planeWinding(normal[0]!, normal[1]!, normal[2]!, dist, half), others);
  return piece && piece.length >= 9 ? piece : undefined;
}

/** The faces of the solid behind planes. Planes that touch it in an edge or corner alone have none. */
export function facesOf(planes: readonly Plane[]): Face[] {
  const numbers = planes.flatMap(({ normal, dist }) => [normal[0]!, normal[1]!, normal[2]!, dist]);
  const faces = drawnFaces(Float64Array.from(numbers));
  return faces.flatMap((corners, side) => (corners ? { plane: planes[side]!, corners } : []));
}

/** The six planes around a box, facing out. */
export function boundsPlanes({ mins, maxs }: Bounds): Plane[] {
  return [0, 1, 2].flatMap((axis) => {
    const normal = (sign: number): number[] => [0, 1, 2].map((k) => (k === axis ? sign : 0));
    return [
      { normal: normal(1), dist: maxs[axis]! },
      { normal: normal(-1), dist: 0 - mins[axis]! },
    ];
  });
}

/** Bounds that reach farther on every side. */
export const grow = ({ mins, maxs }: Bounds, by: number): Bounds => ({
  mins: [0, 1, 2].map((k) => mins[k]! - by),
  maxs: [0, 1, 2].map((k) => maxs[k]! + by),
});

/** The edges of a winding, as line segments. */
export function edgesOf(corners: ArrayLike<number>): number[] {
  const out: number[] = [];
  for (let at = 0; at < corners.length; at += 3) {
    const next = (at + 3) % corners.length;
    for (let k = 0; k < 3; k++) out.push(corners[at + k]!);
    for (let k = 0; k < 3; k++) out.push(corners[next + k]!);
  }
  return out;
}

/** The edges of a solid, each once although two faces share it. */
export function edgesOfFaces(faces: readonly Face[]): number[] {
  const seen = new Set<string>();
  const out: number[] = [];
  for (const { corners } of faces) {
    const edges = edgesOf(corners);
    for (let at = 0; at < edges.length; at += 6) {
      const edge = edges.slice(at, at + 6);
      const ends = [edge.slice(0, 3), edge.slice(3)].map((end) =>
        end.map((x) => Math.round(8 * x)).join(' '),
      );
      const key = ends.sort().join(' to ');
      if (seen.has(key)) continue;
      seen.add(key);
      out.push(...edge);
    }
  }
  return out;
}

/** A convex winding as triangles, nine numbers each. */
export function trianglesOf(corners: ArrayLike<number>): number[] {
  const out: number[] = [];
  for (let at = 3; at + 3 < corners.length; at += 3) {
    for (const corner of [0, at, at + 3]) for (let k = 0; k < 3; k++) out.push(corners[corner + k]!);
  }
  return out;
}

/** The face of a solid that lies on a plane, as the trace of a sweep gives it. */
export function faceOn(faces: readonly Face[], normal: Vec3, dist: number): Face | undefined {
  let found: Face | undefined;
  let best = 0.05;
  for (const face of faces) {
    const { plane } = face;
    let off = Math.abs(plane.dist - dist);
    for (let k = 0; k < 3; k++) off += 1000 * Math.abs(plane.normal[k]! - normal[k]!);
    if (off < best) [best, found] = [off, face];
  }
  return found;
}
