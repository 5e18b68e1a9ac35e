import type { Vec3 } from '@bspkit/core';
import { checkPoint, failArgument } from '@bspkit/core/format';

/** The smallest and greatest radius, in Quake units: between them the arithmetic keeps its precision. */
const LEAST_RADIUS = 1e-3;
const GREATEST_RADIUS = 1e6;

/** Throws `RangeError` unless three radii are numbers that an ellipsoid can have; `TypeError` for what are not three. */
export function checkRadii(radii: Vec3, name = 'radii'): void {
  checkPoint(radii, name);
  for (let k = 0; k < 3; k++) {
    if (!(radii[k]! >= LEAST_RADIUS && radii[k]! <= GREATEST_RADIUS)) {
      failArgument(`${name}[${k}]`, `a radius from ${LEAST_RADIUS} to ${GREATEST_RADIUS}`, radii[k]);
    }
  }
}
