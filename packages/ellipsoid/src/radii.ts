import type { Vec3 } from '@bspkit/core';
import { checkPoint, failArgument } from '@bspkit/core/format';

/** The smallest and greatest radius, in Quake units: between them the arithmetic keeps its precision. */
const LEAST_RADIUS = 1e-3;
const GREATEST_RADIUS = 1e6;

/** Whether a number is a radius that an ellipsoid can have. */
export const isRadius = (radius: unknown): boolean =>
  typeof radius === 'number' && radius >= LEAST_RADIUS && radius <= GREATEST_RADIUS;

/** Throws `RangeError` unless three radii are numbers that an ellipsoid can have; `TypeError` for anything else. */
export function checkRadii(radii: Vec3, name = 'radii'): void {
  checkPoint(radii, name);
  for (let k = 0; k < 3; k++) {
    if (!isRadius(radii[k])) {
      failArgument(`${name}[${k}]`, `a radius from ${LEAST_RADIUS} to ${GREATEST_RADIUS}`, radii[k]);
    }
  }
}
