import type { UfoaiFile } from './file.ts';

const f = Math.fround;

/** mins xyz, maxs xyz. */
export type Bounds6 = [number, number, number, number, number, number];

export const emptyBounds = (): Bounds6 => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];

/** Widens `bounds` to hold `other` too. */
export function widen(bounds: Bounds6, other: Bounds6): void {
  for (let k = 0; k < 3; k++) {
    bounds[k] = Math.min(bounds[k]!, other[k]!);
    bounds[3 + k] = Math.max(bounds[3 + k]!, other[3 + k]!);
  }
}

/** Where a union node's children are separate: the first of x and y that fits, halfway between them; -1 for neither. */
export function unionSplit(
  { nodes }: UfoaiFile,
  shift: readonly number[],
  first: number,
  second: number,
): { axis: number; dist: number } {
  for (let axis = 0; axis < 2; axis++) {
    const high = nodes.maxs[3 * first + axis]! + shift[axis]!;
    const low = nodes.mins[3 * second + axis]! + shift[axis]!;
    if (high <= low) return { axis, dist: f(f(high + low) / 2) };
  }
  return { axis: -1, dist: 0 };
}

/** The space that a brush's axial sides leave; it is infinite in directions without such a side. */
export function brushBounds(
  { planes, brushes, sides }: UfoaiFile,
  dists: Float32Array,
  brush: number,
): Bounds6 {
  const bounds: Bounds6 = [-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity];
  const first = brushes.firstSides[brush]!;
  for (let side = first; side < first + brushes.numSides[brush]!; side++) {
    const plane = sides.planes[side]!;
    for (let axis = 0; axis < 3; axis++) {
      const normal = planes.normals[3 * plane + axis]!;
      if (Math.abs(normal) !== 1 || !isAxial(planes.normals, plane)) continue;
      if (normal > 0) bounds[3 + axis] = Math.min(bounds[3 + axis]!, dists[plane]!);
      else bounds[axis] = Math.max(bounds[axis]!, -dists[plane]!);
    }
  }
  return bounds;
}

function isAxial(normals: Float32Array, plane: number): boolean {
  return (
    Math.abs(normals[3 * plane]!) + Math.abs(normals[3 * plane + 1]!) + Math.abs(normals[3 * plane + 2]!) ===
    1
  );
}
