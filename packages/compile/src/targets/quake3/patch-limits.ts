import { buildFacets, subdividePatch, type V3 } from '@bspkit/geometry/patches';
import { CompileError, type CompileWarning, createWarning } from '../../error.ts';
import type { Patch } from '../../models.ts';

/** The most cells of all grids, and how many points allow one more; our readers accept no more. */
const MOST_CELLS = 10_000;
const POINTS_PER_CELL = 6;
/** The most planes of a patch in some builds of the engine, such as Debian 12's ioquake3; with more, they refuse the map. */
const FEWER_PLANES = 2048;

/**
 * Refuses patches that the engine and our reader cannot hold, and warns of those that some builds of the engine cannot: converts
 * each to what moves collide with, as they do. Throws `CompileError` (`limit`).
 */
export function checkPatches(patches: readonly Patch[], warnings: CompileWarning[]): void {
  // Readers count all vertexes of the file, which has others too.
  const points = patches.reduce((sum, { width, height }) => sum + width * height, 0);
  const most = MOST_CELLS + Math.floor(points / POINTS_PER_CELL);
  let total = 0;
  for (const patch of patches) {
    const fail = (problem: string): never => {
      throw new CompileError('limit', patch.place, `${problem}: bend it less, or make it smaller`);
    };
    const needs = (what: string): never => fail(`the patch needs more than ${what}`);
    const grid = subdividePatch(controlPoints(patch), needs);
    total += (grid.columns.length - 1) * (grid.columns[0]!.length - 1);
    if (total > most) {
      fail(`up to this patch, all of them need ${total} cells, but @bspkit/quake3 takes ${most}`);
    }
    const { planes } = buildFacets(grid, needs);
    if (planes.length > FEWER_PLANES) {
      const problem = `the patch needs ${planes.length} planes; some builds of the engine hold ${FEWER_PLANES}, and refuse the map`;
      warnings.push(createWarning('patch-planes', patch.place, problem));
    }
  }
}

/** Control points in columns, as in a file. */
function controlPoints({ width, height, points }: Patch): V3[][] {
  return Array.from({ length: width }, (_, i) =>
    Array.from({ length: height }, (_, j): V3 => {
      const [x, y, z] = points[j * width + i]!;
      return [Math.fround(x), Math.fround(y), Math.fround(z)];
    }),
  );
}
