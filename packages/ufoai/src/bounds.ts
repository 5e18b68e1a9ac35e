import type { Bounds6 } from '@bspkit/brushes';
import type { UfoaiFile } from './file.ts';

const f = Math.fround;

export const emptyBounds = (): Bounds6 => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];

/** Widens `bounds` to contain `other` too. */
export function widen(bounds: Bounds6, other: Bounds6): void {
  for (let k = 0; k < 3; k++) {
    bounds[k] = Math.min(bounds[k]!, other[k]!);
    bounds[3 + k] = Math.max(bounds[3 + k]!, other[3 + k]!);
  }
}

/** Where a union node's children are separate: along the first of x and y that works, halfway between them; -1 for neither. */
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
