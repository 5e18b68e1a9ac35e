import type { Polygon, PolygonSource } from '@bspkit/core';
import { checkNumber, checkOptions, checkWhole } from '@bspkit/core/format';
import { checks } from './check.ts';
import { SURFACE_PATCH } from './constants.ts';
import { checkMapTarget, checkWorld } from './given.ts';
import type { WorldMemory } from './kernel/memory.ts';
import {
  LEAF_NUM_SURFACES,
  LEAF_SURFACES,
  MODEL_NUM_SURFACES,
  MODEL_SURFACES,
  MODEL_WORDS,
  SURFACE_HEIGHT,
  SURFACE_WIDTH,
  SURFACE_WORDS,
} from './layout.ts';
import { patchSize } from './mesh-patch.ts';
import type { Quake3Model } from './model.ts';
import { leafAt } from './sections.ts';
import { TriangleReader } from './triangles.ts';
import type { Quake3World } from './world.ts';

/** How finely surfaces are divided into polygons. */
export interface PolygonOptions {
  /**
   * Into how many steps each 3 x 3 piece of a patch is divided in each direction: 1 to 64, 4 by default. At the higher levels, the
   * patches of a whole map may be too many polygons; `mesh` has room for more.
   */
  readonly patchLevel?: number | undefined;
}

/** The most polygons of patches that are made at once: they take some 600 MB. Real maps have up to 27,000 at level 4. */
const MAX_PATCH_POLYGONS = 2 ** 20;

/**
 * The drawn surfaces of a world or model, where it was built, as triangles: planar faces, meshes, and patches divided
 * as `options` say.
 *
 * @throws RangeError for a wrong `patchLevel`; TypeError for anything but a world or model of Quake 3; BspError (`limit`) if patches
 *   divided that finely are more than a million triangles.
 */
export function polygons(target: Quake3World | Quake3Model, options?: PolygonOptions): Polygon[] {
  checkMapTarget(target);
  const { memory, model } = target._target;
  return surfacePolygons(memory, modelSurfaces(memory, model), options);
}

/**
 * The surfaces that a leaf lists, as triangles; one that reaches into several leafs is listed whole in each. Each call makes them
 * again: `polygons(world)` of the game's format makes each only once.
 *
 * @throws RangeError when there is no such leaf, or for a wrong `patchLevel`; BspError (`limit`) as {@link polygons}.
 */
export function leafPolygons(world: Quake3World, leaf: number, options?: PolygonOptions): Polygon[] {
  checkWorld(world);
  checkNumber(leaf, 'leaf', world.numLeafs);
  const { memory } = world._target;
  return surfacePolygons(memory, leafSurfaces(memory, leaf), options);
}

/** The surfaces of a world, for callers that ask leaf by leaf: each is turned into triangles once, however many leafs list it. */
export function polygonSource(world: Quake3World): Pick<PolygonSource, 'polygons' | 'leafPolygons'> {
  const made = new Map<number, readonly Polygon[]>();
  const polygonsOf = (surfaces: readonly number[]): Polygon[] => {
    const all: Polygon[] = [];
    for (const surface of surfaces) {
      let own = made.get(surface);
      if (!own) {
        own = surfacePolygons(world._target.memory, [surface]);
        made.set(surface, own);
      }
      for (const polygon of own) all.push(polygon);
    }
    return all;
  };
  return {
    polygons: () => polygonsOf(modelSurfaces(world._target.memory, 0)),
    leafPolygons(leaf) {
      checkNumber(leaf, 'leaf', world.numLeafs);
      return polygonsOf(leafSurfaces(world._target.memory, leaf));
    },
  };
}

/** Numbers of the surfaces that a model draws, or the world (0). */
function modelSurfaces({ ints, places }: WorldMemory, model: number): number[] {
  const at = places.models.first + MODEL_WORDS * model;
  return Array.from({ length: ints[at + MODEL_NUM_SURFACES]! }, (_, k) => ints[at + MODEL_SURFACES]! + k);
}

/** Numbers of the surfaces that a leaf lists, each once: one may have thousands of triangles. */
function leafSurfaces({ ints, places }: WorldMemory, leaf: number): number[] {
  const at = leafAt(places, leaf);
  const first = places.leafSurfaces.first + ints[at + LEAF_SURFACES]!;
  return [...new Set(ints.subarray(first, first + ints[at + LEAF_NUM_SURFACES]!))];
}

/** Some surfaces as triangles. */
function surfacePolygons(
  memory: WorldMemory,
  surfaces: readonly number[],
  options: PolygonOptions = {},
): Polygon[] {
  checkOptions(options, ['patchLevel']);
  const { patchLevel = 4 } = options;
  checkWhole(patchLevel, 'patchLevel', 1, 64);
  checkPatches(memory, surfaces, patchLevel);
  const reader = new TriangleReader();
  const found: Polygon[] = [];
  for (const surface of surfaces) {
    const count = reader.begin(memory, surface, patchLevel);
    for (let k = 0; k < count; k++) {
      reader.read(memory, surface, k);
      if (reader.measure()) found.push(reader.polygon(memory, surface));
    }
  }
  return found;
}

/** Throws `BspError` if the patches among some surfaces are too many polygons. */
function checkPatches({ ints, places }: WorldMemory, surfaces: readonly number[], patchLevel: number): void {
  let count = 0;
  for (const surface of surfaces) {
    const at = places.surfaces.first + SURFACE_WORDS * surface;
    if (ints[at] !== SURFACE_PATCH) continue;
    const size = { patchWidth: ints[at + SURFACE_WIDTH]!, patchHeight: ints[at + SURFACE_HEIGHT]! };
    count += patchSize(size, patchLevel).numTriangles;
  }
  if (count > MAX_PATCH_POLYGONS) {
    const limit = `at most ${MAX_PATCH_POLYGONS} are accepted`;
    checks.fail(
      'limit',
      'surfaces',
      undefined,
      `patches are ${count} polygons at patchLevel ${patchLevel}; ${limit}`,
    );
  }
}
