import { BspError } from '@bspkit/core';
import { SURFACE_PATCH } from './constants.ts';
import type { Quake3File, Quake3Surface } from './file.ts';
import { buildFacets, type PatchFacet } from './patch-facets.ts';
import { subdividePatch } from './patch-grid.ts';
import type { V3 } from './patch-math.ts';

/** What a curved patch collides with: made once, when a world is built. */
export interface PatchCollide {
  /** Surface, by its number in the file. */
  readonly surface: number;
  readonly shader: number;
  readonly contents: number;
  readonly surfaceFlags: number;
  /** mins, then maxs, one unit wider than the grid. */
  readonly bounds: Float32Array;
  /** Four numbers a plane: normal, dist. */
  readonly planes: Float32Array;
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
  const shader = file.shaders[surface.shader]!;
  return {
    surface: number,
    shader: surface.shader,
    contents: shader.contents,
    surfaceFlags: shader.surfaceFlags,
    bounds: gridBounds(grid.columns),
    planes: Float32Array.from(planes.flat()),
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

function gridBounds(columns: V3[][]): Float32Array {
  const bounds = new Float32Array([99999, 99999, 99999, -99999, -99999, -99999]);
  for (const point of columns.flat()) {
    for (let k = 0; k < 3; k++) {
      if (point[k]! < bounds[k]!) bounds[k] = point[k]!;
      if (point[k]! > bounds[3 + k]!) bounds[3 + k] = point[k]!;
    }
  }
  for (let k = 0; k < 3; k++) {
    bounds[k]! -= 1;
    bounds[3 + k]! += 1;
  }
  return bounds;
}
