import { type BevelTolerances, findEdgeBevels } from '@bspkit/geometry';
import type { Brush } from './brushes.ts';
import type { PlaneSet } from './planes.ts';
import { axialPlanes, type Solid } from './solid.ts';

/**
 * Loose, as planes that meet at small angles meet somewhere else after a little rounding. One bevel too many does no harm, while
 * one too few leaves a sharp edge that reaches far beyond the body.
 */
const TOLERANCES: BevelTolerances = { edge: 0.1, sine: 0.01, loose: 0.1 };

/** A brush's own planes, then the axial ones that it lacks, then bevels: all that keep a box out of it. */
export function beveledPlanes(planes: PlaneSet, { box, solid }: Brush): number[] {
  const axial = axialPlanes(planes, box).filter((plane) => !solid.planes.includes(plane));
  const all = [...solid.planes, ...axial];
  return [...all, ...edgeBevels(planes, solid, all)];
}

/**
 * Planes of a brush's sides in a file whose readers take the bounds from the first six: axial ones, then the brush's own, then
 * bevels.
 */
export function sidePlanes(planes: PlaneSet, { box, solid }: Brush): number[] {
  const axial = axialPlanes(planes, box);
  const all = [...axial, ...solid.planes.filter((plane) => !axial.includes(plane))];
  return [...all, ...edgeBevels(planes, solid, all)];
}

/**
 * The planes with which a box meets a body's edges. Together with the body's own planes and {@link axialPlanes}, pushed out by the
 * box, they bound exactly the points at which the box touches the body. The body's own and axial planes are not among them.
 */
function edgeBevels(planes: PlaneSet, solid: Solid, known: readonly number[]): number[] {
  const bevels = new Set<number>();
  findEdgeBevels(solid.windings, TOLERANCES, (x, y, z, dist, across) => {
    // Within a thousandth of an axis, it is an axial plane with some rounding, unless the edge is so long that it shows.
    const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    if (most > 1 - 5e-7 && across * Math.sqrt(1 - most * most) < TOLERANCES.loose) return;
    const plane = planes.find(x, y, z, dist);
    if (!known.includes(plane)) bevels.add(plane);
  });
  return [...bevels];
}
