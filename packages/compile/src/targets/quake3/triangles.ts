import { cross, lengthOf, subtract, type Vec, type Winding } from '@bspkit/geometry';
import { largestCut } from '../../tjunc.ts';

/** The least height of a triangle that may be a corner's own: rounding makes less of three corners on a line. */
const LEAST_HEIGHT = 1 / 64;

/** The triangles of a fan from the first corner of an outline, three corners each. */
export const fanOf = (corners: number): number[] =>
  Array.from({ length: corners - 2 }, (_, k) => [0, k + 1, k + 2]).flat();

/**
 * The triangles of an outline that may have several corners on a straight edge. In a fan, three of these can make a triangle without
 * area, whose front is on either side: then the outline is cut in halves until triangles remain.
 */
export function triangulate(outline: Winding): number[] {
  const corners = outline.length / 3;
  for (let k = 1; k + 1 < corners; k++) {
    if (!isFlat(outline, k)) continue;
    const loop = Array.from({ length: corners }, (_, n) => n);
    return halve(loop, Float64Array.from(outline));
  }
  return fanOf(corners);
}

/** Whether the triangle of a fan whose second corner is `k` has hardly a height. */
function isFlat(outline: Winding, k: number): boolean {
  const [x, y, z] = [outline[0]!, outline[1]!, outline[2]!];
  const at = 3 * k;
  const first: Vec = [outline[at]! - x, outline[at + 1]! - y, outline[at + 2]! - z];
  const second: Vec = [outline[at + 3]! - x, outline[at + 4]! - y, outline[at + 5]! - z];
  const longest = Math.max(lengthOf(...first), lengthOf(...second), lengthOf(...subtract(second, first)));
  return lengthOf(...cross(first, second)) < LEAST_HEIGHT * longest;
}

function halve(loop: readonly number[], points: Float64Array): number[] {
  const count = loop.length;
  if (count === 3) return [...loop];
  const half = count >> 1;
  const from = largestCut(loop, half, points);
  const part = (first: number, corners: number): number[] =>
    Array.from({ length: corners }, (_, k) => loop[(first + k) % count]!);
  return [part(from, half + 1), part(from + half, count - half + 1)].flatMap((one) => halve(one, points));
}
