import { BspError } from '@bspkit/core';
import { SURFACE_PATCH } from '../constants.ts';
import type { Quake3File, Quake3Surface } from '../file.ts';
import { buildFacets, type PatchFacet } from './facets.ts';
import { subdividePatch } from './grid.ts';
import { boundsOf, type Plane4, type V3 } from './math.ts';

/** What the engine begins with when it measures a grid. */
const GRID_LIMIT = 99999;

/** What a curved patch collides with: made once, when a world is built. */
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
 * @throws BspError (`limit`) for a patch that the engine could not hold.
 */
export function buildPatches(file: Quake3File): PatchCollide[] {
  const patches: PatchCollide[] = [];
  for (const [number, surface] of file.surfaces.entries()) {
    if (surface.type === SURFACE_PATCH) patches.push(buildPatch(file, surface, number));
  }
  return patches;
}

function buildPatch(file: Quake3File, surface: Quake3Surface, number: number): PatchCollide {
  const fail = (what: string): never => {
    const place = { format: 'quake3', lump: 'surfaces', index: number };
    throw new BspError('limit', place, `patch needs more than ${what}`);
  };
  const grid = subdividePatch(controlPoints(file, surface)) ?? fail('129 rows or columns');
  const { planes, facets } = buildFacets(grid, fail);
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

function controlPoints(file: Quake3File, surface: Quake3Surface): V3[][] {
  const { patchWidth, patchHeight, firstVertex } = surface;
  return Array.from({ length: patchWidth }, (_, i) =>
    Array.from({ length: patchHeight }, (_, j) => {
      const at = 3 * (firstVertex + j * patchWidth + i);
      return [...file.vertexes.positions.subarray(at, at + 3)] as V3;
    }),
  );
}
