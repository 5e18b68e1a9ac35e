import type { Winding } from '@bspkit/geometry';

/** Positions per unit to which files' corners are rounded. */
export const CORNER_GRID = 256;

/** Rounds corners to whole numbers where these were meant, and otherwise to a fine grid, so that they meet. */
export function snapCorner(value: number): number {
  const whole = Math.round(value);
  if (Math.abs(value - whole) < 0.002) return whole + 0;
  return Math.round(value * CORNER_GRID) / CORNER_GRID + 0;
}

/** The most corners of a liquid or sky face, for engines that subdivide such faces to animate them and take no more. */
export const WARPED_CORNERS = 60;

/** Divides a convex winding into pieces of at most `most` corners, all of which have its first corner. */
export function splitCorners(winding: Winding, most: number): Winding[] {
  if (winding.length <= 3 * most) return [winding];
  const pieces: Winding[] = [];
  const first = winding.slice(0, 3);
  for (let at = 3; at + 3 < winding.length; at += 3 * (most - 2)) {
    pieces.push([...first, ...winding.slice(at, at + 3 * (most - 1))]);
  }
  return pieces;
}
