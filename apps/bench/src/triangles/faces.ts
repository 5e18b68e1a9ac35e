import type { Plane } from '@bspkit/core';
import {
  areaSize,
  clipBehindAll,
  halfAround,
  planeWinding,
  reverseWinding,
  type Winding,
} from '@bspkit/geometry';

/** How near to a plane a corner counts as on it, in Quake units: well below the precision of maps. */
const ON_PLANE = 1e-5;

/** Polygons smaller than this, in square units, are bevels: planes that touch the brush in an edge or corner. */
const LEAST_AREA = 1e-3;

/**
 * The polygon in a plane that is behind all other planes, in doubles: corners counter-clockwise seen from its front, as triangle
 * libraries need them. Empty if the others leave nothing worth a triangle.
 */
export function polygonIn({ normal, dist }: Plane, others: Iterable<Plane>): Winding {
  const planes = [...others];
  // Planes far out meet each other far out.
  const half = halfAround([dist, ...planes.map((other) => other.dist)]);
  const whole = planeWinding(normal[0]!, normal[1]!, normal[2]!, dist, half);
  const winding = clipBehindAll(whole, planes, ON_PLANE);
  return !winding || areaSize(winding) < LEAST_AREA ? [] : reverseWinding(winding);
}

/**
 * The faces of a convex brush: for each of its planes, the polygon in it. Planes that only touch the brush (bevels) and planes
 * that occur twice have an empty polygon.
 */
export function brushFaces(planes: readonly Plane[]): Winding[] {
  return planes.map((plane, number) => {
    const same = planes.map((other) => isSamePlane(plane, other));
    if (same.indexOf(true) < number) return [];
    return polygonIn(
      plane,
      planes.filter((_, k) => !same[k]),
    );
  });
}

function isSamePlane(a: Plane, b: Plane): boolean {
  const isNear = (k: number): boolean => Math.abs(a.normal[k]! - b.normal[k]!) < 1e-6;
  return isNear(0) && isNear(1) && isNear(2) && Math.abs(a.dist - b.dist) < 1e-4;
}
