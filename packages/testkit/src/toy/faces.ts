import type { Polygon } from '@bspkit/core';
import type { BoxView } from './world.ts';

/** Plane of a box's side: 0 is its highest x, 1 its lowest, then y and z. */
export function facePlane(
  { mins, maxs }: BoxView,
  side: number,
): { normal: [number, number, number]; dist: number } {
  const k = side >> 1;
  const sign = side & 1 ? -1 : 1;
  const normal: [number, number, number] = [0, 0, 0];
  normal[k] = sign;
  return { normal, dist: sign * (sign > 0 ? maxs : mins)[k]! };
}

export function facePolygon(box: BoxView, side: number): Polygon {
  const { normal, dist } = facePlane(box, side);
  const k = side >> 1;
  const [i, j] = side & 1 ? [(k + 2) % 3, (k + 1) % 3] : [(k + 1) % 3, (k + 2) % 3];
  const vertices = new Float32Array(12);
  for (const [corner, [u, v]] of [
    [box.mins, box.mins],
    [box.maxs, box.mins],
    [box.maxs, box.maxs],
    [box.mins, box.maxs],
  ].entries()) {
    vertices[3 * corner + k] = normal[k]! * dist;
    vertices[3 * corner + i] = u![i]!;
    vertices[3 * corner + j] = v![j]!;
  }
  const { texture, contents, number } = box;
  return { vertices, normal: Float32Array.from(normal), dist, texture, contents, surface: 6 * number + side };
}

export const SIDES = [0, 1, 2, 3, 4, 5];
export const facesOf = (box: BoxView): Polygon[] => SIDES.map((side) => facePolygon(box, side));
