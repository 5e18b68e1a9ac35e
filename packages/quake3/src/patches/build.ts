import { BspError } from '@bspkit/core';
import {
  boundsOf,
  buildFacets,
  type PatchFacet,
  type PatchGrid,
  type Plane4,
  subdividePatch,
  type V3,
} from '@bspkit/geometry/patches';
import { SURFACE_PATCH } from '../constants.ts';
import type { Quake3File, Quake3Surface } from '../file.ts';

/** The value that the engine starts with when it measures a grid. */
const GRID_LIMIT = 99999;

/**
 * The most cells of all patches' grids together, each of which makes a facet or two: this many, and one for every few vertexes.
 * The 115 maps of Debian's packages have 1,562 at most; terrains of patches have one for every four vertexes. A facet takes a tenth
 * of a millisecond to make, and a small patch bent out of all proportion has thousands of cells.
 */
const MAX_CELLS = 10_000;
const VERTEXES_PER_CELL = 6;

/** What a curved patch collides with, made once when a world is built. */
export interface PatchCollide {
  /** Surface, by its number in the file. */
  readonly surface: number;
  readonly shader: number;
  readonly contents: number;
  readonly surfaceFlags: number;
  readonly mins: readonly number[];
  readonly maxs: readonly number[];
  readonly planes: readonly Plane4[];
  readonly facets: readonly PatchFacet[];
}

/**
 * The collision of every patch of a map: curves divided until they are within 16 units of flat, then facets with
 * bevels, plane for plane as the engine numbers them.
 *
 * @throws BspError (`limit`) for a patch that the engine could not hold, or more of them than any compiled map has.
 */
export function buildPatches(file: Quake3File): PatchCollide[] {
  const patches: PatchCollide[] = [];
  const most = MAX_CELLS + Math.floor(file.vertexes.count / VERTEXES_PER_CELL);
  let cells = 0;
  for (const [number, surface] of file.surfaces.entries()) {
    if (surface.type !== SURFACE_PATCH) continue;
    const fail = (what: string): never => {
      const place = { format: 'quake3', lump: 'surfaces', index: number };
      throw new BspError('limit', place, what);
    };
    const needs = (what: string): never => fail(`patch needs more than ${what}`);
    const grid = subdividePatch(controlPoints(file, surface), needs);
    cells += (grid.columns.length - 1) * (grid.columns[0]!.length - 1);
    if (cells > most) fail(`patches need more than ${most} cells in all`);
    patches.push(buildPatch(file, surface, number, grid, buildFacets(grid, needs)));
  }
  return patches;
}

function buildPatch(
  file: Quake3File,
  surface: Quake3Surface,
  number: number,
  grid: PatchGrid,
  { planes, facets }: ReturnType<typeof buildFacets>,
): PatchCollide {
  const { mins, maxs } = boundsOf(grid.columns.flat(), GRID_LIMIT);
  const shader = file.shaders[surface.shader]!;
  return {
    surface: number,
    shader: surface.shader,
    contents: shader.contents,
    surfaceFlags: shader.surfaceFlags,
    // One unit wider than the grid.
    mins: mins.map((x) => x - 1),
    maxs: maxs.map((x) => x + 1),
    planes,
    facets,
  };
}

/** By columns. Plain loops, as this runs before any JavaScript engine has compiled it. */
function controlPoints(file: Quake3File, surface: Quake3Surface): V3[][] {
  const { patchWidth, patchHeight, firstVertex } = surface;
  const { positions } = file.vertexes;
  const columns: V3[][] = [];
  for (let i = 0; i < patchWidth; i++) {
    const column: V3[] = [];
    for (let j = 0; j < patchHeight; j++) {
      const at = 3 * (firstVertex + j * patchWidth + i);
      column.push([positions[at]!, positions[at + 1]!, positions[at + 2]!]);
    }
    columns.push(column);
  }
  return columns;
}
