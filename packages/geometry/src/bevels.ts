import { lengthOf } from './vec.ts';
import type { Winding } from './winding.ts';

/** What counts as an edge, as turned away from an axis, and as behind a bevel. */
export interface BevelTolerances {
  /** Shorter edges, in Quake units, have no direction to rely on. */
  readonly edge: number;
  /** Edges are along an axis if the sine of the angle between them is below this: then their bevels are the box's own planes. */
  readonly sine: number;
  /** How far in front of a bevel corners may be because of rounding, in Quake units. */
  readonly loose: number;
}

/**
 * A bevel: its normal, which has unit length, its distance from the origin along it, and the edge's length across the axis.
 */
export type OnBevel = (x: number, y: number, z: number, dist: number, across: number) => void;

/**
 * The planes with which a box meets the edges of the body with these faces: each contains an edge and the direction of an axis,
 * and has the body behind it. Each edge is met from both of its faces, so its bevels are found twice, within rounding.
 */
export function findEdgeBevels(
  faces: readonly (Winding | undefined)[],
  tolerances: BevelTolerances,
  onBevel: OnBevel,
): void {
  const corners = faces.flatMap((face) => face ?? []);
  for (const face of faces) {
    for (let i = 0; face && i < face.length; i += 3) {
      for (let axis = 0; axis < 3; axis++) findBevels(corners, face, i, axis, tolerances, onBevel);
    }
  }
}

/** Finds those through the edge from a face's corner at `i` to the next, and along an axis. */
function findBevels(
  corners: ArrayLike<number>,
  face: Winding,
  i: number,
  axis: number,
  { edge, sine, loose }: BevelTolerances,
  onBevel: OnBevel,
): void {
  const j = (i + 3) % face.length;
  const ex = face[j]! - face[i]!;
  const ey = face[j + 1]! - face[i + 1]!;
  const ez = face[j + 2]! - face[i + 2]!;
  const length = lengthOf(ex, ey, ez);
  if (length < edge) return;
  let x = axis === 0 ? 0 : axis === 1 ? ez : -ey;
  let y = axis === 0 ? -ez : axis === 1 ? 0 : ex;
  let z = axis === 0 ? ey : axis === 1 ? -ex : 0;
  const across = lengthOf(x, y, z);
  if (across < sine * length) return;
  x /= across;
  y /= across;
  z /= across;
  for (let sign = 0; sign < 2; sign++, x = -x, y = -y, z = -z) {
    const most = face[i]! * x + face[i + 1]! * y + face[i + 2]! * z + loose;
    // Through the farthest corner, so that rounding never cuts into the body.
    const dist = reach(corners, x, y, z, most);
    if (dist <= most) onBevel(x, y, z, dist, across);
  }
}

/** How far corners reach along a direction; somewhere above `most` if that is farther. */
export function reach(corners: ArrayLike<number>, x: number, y: number, z: number, most: number): number {
  let far = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < corners.length && far <= most; i += 3) {
    const d = corners[i]! * x + corners[i + 1]! * y + corners[i + 2]! * z;
    if (d > far) far = d;
  }
  return far;
}
