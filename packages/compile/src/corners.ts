import type { Winding } from '@bspkit/geometry';

/**
 * Most corners of a liquid or sky face for engines that subdivide these to animate them: such engines take no more.
 */
export const WARPED_CORNERS = 60;

/** Divides a convex winding into pieces of at most `most` corners, all around its first corner. */
export function splitCorners(winding: Winding, most: number): Winding[] {
  if (winding.length <= 3 * most) return [winding];
  const pieces: Winding[] = [];
  const first = winding.slice(0, 3);
  for (let at = 3; at + 3 < winding.length; at += 3 * (most - 2)) {
    pieces.push([...first, ...winding.slice(at, at + 3 * (most - 1))]);
  }
  return pieces;
}
