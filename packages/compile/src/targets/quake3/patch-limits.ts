import { buildFacets, subdividePatch, type V3 } from '@bspkit/geometry/patches';
import { CompileError } from '../../error.ts';
import type { Patch } from '../../models.ts';

/** Cells of all grids; no reader of ours takes more. */
const MOST_CELLS = 10_000;

/**
 * Refuses patches that the engine and our reader cannot hold: each is made into what is collided with, as they do it.
 * Throws `CompileError` (`limit`).
 */
export function checkPatches(patches: readonly Patch[]): void {
  let total = 0;
  for (const patch of patches) {
    const fail = (problem: string): never => {
      throw new CompileError('limit', patch.place, `${problem}: bend it less, or make it smaller`);
    };
    const needs = (what: string): never => fail(`the patch needs more than ${what}`);
    const grid = subdividePatch(controlPoints(patch), needs);
    total += (grid.columns.length - 1) * (grid.columns[0]!.length - 1);
    if (total > MOST_CELLS) {
      fail(`up to this patch, all of them need ${total} cells, but @bspkit/quake3 takes ${MOST_CELLS}`);
    }
    buildFacets(grid, needs);
  }
}

/** Control points by columns, as a file has them. */
function controlPoints({ width, height, points }: Patch): V3[][] {
  return Array.from({ length: width }, (_, i) =>
    Array.from({ length: height }, (_, j): V3 => {
      const [x, y, z] = points[j * width + i]!;
      return [Math.fround(x), Math.fround(y), Math.fround(z)];
    }),
  );
}
