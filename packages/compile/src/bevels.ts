import { lengthOf, type Winding } from '@bspkit/geometry';
import type { Brush } from './brushes.ts';
import type { PlaneSet } from './planes.ts';
import { axialPlanes, type Solid } from './solid.ts';

/**
 * How far apart the sides of a body may be at a corner that is nearly flat and that they share: planes that meet at small angles
 * meet somewhere else after a little rounding. One bevel too many does no harm, while one too few leaves a sharp edge that
 * reaches far beyond the body.
 */
const LOOSE = 0.1;

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
 * The planes with which a box meets a body's edges: each contains an edge and an axis direction and has the body behind it.
 * Together with the body's own planes and {@link axialPlanes}, pushed out by the box, they bound exactly the points at which the
 * box touches the body. The body's own and axial planes are not among them.
 */
function edgeBevels(planes: PlaneSet, solid: Solid, known: readonly number[]): number[] {
  const seen = new Set(known);
  const bevels: number[] = [];
  for (const winding of solid.windings) {
    for (let i = 0; i < winding.length; i += 3) {
      for (let axis = 0; axis < 3; axis++) {
        for (let sign = -1; sign <= 1; sign += 2) {
          const plane = edgeBevel(planes, solid, winding, i, axis, sign);
          if (plane < 0 || seen.has(plane)) continue;
          seen.add(plane);
          bevels.push(plane);
        }
      }
    }
  }
  return bevels;
}

/**
 * The plane through the edge from the corner at `i` of a winding to the next and through the direction of an axis, forward for a
 * sign of 1, backward for -1. Returns -1 where there is none, or none that has the body behind it.
 */
function edgeBevel(
  planes: PlaneSet,
  solid: Solid,
  winding: Winding,
  i: number,
  axis: number,
  sign: number,
): number {
  const j = (i + 3) % winding.length;
  const ex = winding[j]! - winding[i]!;
  const ey = winding[j + 1]! - winding[i + 1]!;
  const ez = winding[j + 2]! - winding[i + 2]!;
  const length = lengthOf(ex, ey, ez);
  // Shorter edges have no reliable direction. An edge along an axis gives axial planes only.
  if (length < 0.1) return -1;
  let nx = axis === 0 ? 0 : axis === 1 ? -ez * sign : ey * sign;
  let ny = axis === 0 ? ez * sign : axis === 1 ? 0 : -ex * sign;
  let nz = axis === 0 ? -ey * sign : axis === 1 ? ex * sign : 0;
  const scale = lengthOf(nx, ny, nz);
  if (scale < 0.01 * length) return -1;
  nx /= scale;
  ny /= scale;
  nz /= scale;
  // Within a thousandth of an axis, it is an axial plane with some rounding, unless the edge is so long that it shows.
  const most = Math.max(Math.abs(nx), Math.abs(ny), Math.abs(nz));
  if (most > 1 - 5e-7 && scale * Math.sqrt(1 - most * most) < LOOSE) return -1;
  const edge = winding[i]! * nx + winding[i + 1]! * ny + winding[i + 2]! * nz;
  // Through the farthest corner, so that rounding never cuts into the body.
  const dist = support(solid, nx, ny, nz);
  return dist > edge + LOOSE ? -1 : planes.find(nx, ny, nz, dist);
}

/** How far a body reaches along a direction. */
function support(solid: Solid, nx: number, ny: number, nz: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const winding of solid.windings) {
    for (let i = 0; i < winding.length; i += 3) {
      most = Math.max(most, winding[i]! * nx + winding[i + 1]! * ny + winding[i + 2]! * nz);
    }
  }
  return most;
}
