import type { Polygon, PolygonSource } from '@bspkit/core';
import { checkNumber, checkOptions, checkWhole } from '@bspkit/core/format';
import { cross, lengthOf, subtract, type Vec } from '@bspkit/geometry';
import { checks } from './check.ts';
import { SURFACE_MESH, SURFACE_PATCH, SURFACE_PLANAR } from './constants.ts';
import { checkMapTarget, checkWorld } from './given.ts';
import type { WorldMemory } from './kernel/memory.ts';
import {
  LEAF_NUM_SURFACES,
  LEAF_SURFACES,
  MODEL_NUM_SURFACES,
  MODEL_SURFACES,
  MODEL_WORDS,
  SHADER_CONTENTS,
  SHADER_WORDS,
  SURFACE_HEIGHT,
  SURFACE_INDEXES,
  SURFACE_NUM_INDEXES,
  SURFACE_SHADER,
  SURFACE_VERTEXES,
  SURFACE_WIDTH,
  SURFACE_WORDS,
} from './layout.ts';
import { patchSize } from './mesh-patch.ts';
import type { Quake3Model } from './model.ts';
import { leafAt } from './sections.ts';
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

/** A triangle with less area than this, in square Quake units, is left out: its normal would be meaningless. */
const MIN_AREA = 1e-6;

/**
 * The drawn surfaces of a world or model, where it was built, as triangles: planar faces, meshes, and patches divided
 * as `options` say.
 *
 * @throws RangeError for a wrong `patchLevel`; BspError (`limit`) if patches divided that finely are more than a million triangles.
 */
export function polygons(target: Quake3World | Quake3Model, options?: PolygonOptions): Polygon[] {
  checkMapTarget(target);
  const { memory, model } = target._target;
  return surfacePolygons(memory, modelSurfaces(memory, model), options);
}

/**
 * The surfaces that a leaf lists, as triangles; one that reaches into several leafs is listed whole in each.
 *
 * @throws RangeError when there is no such leaf, or for a wrong `patchLevel`; BspError (`limit`) as {@link polygons}.
 */
export function leafPolygons(world: Quake3World, leaf: number, options?: PolygonOptions): Polygon[] {
  checkWorld(world);
  checkNumber(leaf, world.numLeafs, 'leaf');
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
      checkNumber(leaf, world.numLeafs, 'leaf');
      return polygonsOf(leafSurfaces(world._target.memory, leaf));
    },
  };
}

/** Numbers of the surfaces that a model draws, or the world (0). */
export function modelSurfaces({ ints, places }: WorldMemory, model: number): number[] {
  const at = places.models.first + MODEL_WORDS * model;
  return Array.from({ length: ints[at + MODEL_NUM_SURFACES]! }, (_, k) => ints[at + MODEL_SURFACES]! + k);
}

/** Numbers of the surfaces that a leaf lists, each once: one may have thousands of triangles. */
export function leafSurfaces({ ints, places }: WorldMemory, leaf: number): number[] {
  const at = leafAt(places, leaf);
  const first = places.leafSurfaces.first + ints[at + LEAF_SURFACES]!;
  return [...new Set(ints.subarray(first, first + ints[at + LEAF_NUM_SURFACES]!))];
}

/** Some surfaces as triangles; `keep` may leave some out. */
export function surfacePolygons(
  memory: WorldMemory,
  surfaces: readonly number[],
  options: PolygonOptions = {},
  keep: (corners: readonly Vec[]) => boolean = () => true,
): Polygon[] {
  checkOptions(options, ['patchLevel']);
  const { patchLevel = 4 } = options;
  checkWhole(patchLevel, 'patchLevel', 1, 64);
  checkPatches(memory, surfaces, patchLevel);
  const found: Polygon[] = [];
  for (const surface of surfaces) {
    const at = memory.places.surfaces.first + SURFACE_WORDS * surface;
    const shader = memory.ints[at + SURFACE_SHADER]!;
    const contents = memory.ints[memory.places.shaders.first + SHADER_WORDS * shader + SHADER_CONTENTS]!;
    for (const corners of triangles(memory, at, patchLevel)) {
      const polygon = keep(corners) && flatPolygon(corners, surface, shader, contents);
      if (polygon) found.push(polygon);
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

/** Corners of a surface's triangles, clockwise seen from their front, as in the format. */
function* triangles(
  { ints, floats, places }: WorldMemory,
  at: number,
  patchLevel: number,
): Generator<[Vec, Vec, Vec]> {
  const type = ints[at]!;
  const vertex = (k: number): Vec => {
    const place = places.vertexes.first + 3 * (ints[at + SURFACE_VERTEXES]! + k);
    return [floats[place]!, floats[place + 1]!, floats[place + 2]!];
  };
  if (type === SURFACE_PATCH) {
    yield* patchTriangles(vertex, ints[at + SURFACE_WIDTH]!, ints[at + SURFACE_HEIGHT]!, patchLevel);
  }
  if (type !== SURFACE_PLANAR && type !== SURFACE_MESH) return;
  const first = places.indexes.first + ints[at + SURFACE_INDEXES]!;
  for (let k = first; k + 2 < first + ints[at + SURFACE_NUM_INDEXES]!; k += 3) {
    yield [vertex(ints[k]!), vertex(ints[k + 1]!), vertex(ints[k + 2]!)];
  }
}

function* patchTriangles(
  control: (k: number) => Vec,
  width: number,
  height: number,
  level: number,
): Generator<[Vec, Vec, Vec]> {
  const columns = ((width - 1) / 2) * level;
  const rows = ((height - 1) / 2) * level;
  const grid = Array.from({ length: rows + 1 }, (_, row) =>
    Array.from({ length: columns + 1 }, (_, column) =>
      patchPoint(control, width, height, column / level, row / level),
    ),
  );
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [a, b] = [grid[row]![column]!, grid[row]![column + 1]!];
      const [d, c] = [grid[row + 1]![column]!, grid[row + 1]![column + 1]!];
      yield [a, d, c];
      yield [c, b, a];
    }
  }
}

/** A point of a patch of quadratic curves; `across` and `down` count 3 x 3 pieces. */
function patchPoint(
  control: (k: number) => Vec,
  width: number,
  height: number,
  across: number,
  down: number,
): Vec {
  const left = Math.min(Math.floor(across), (width - 3) / 2);
  const top = Math.min(Math.floor(down), (height - 3) / 2);
  const weights = (t: number): Vec => [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
  const [u, v] = [weights(across - left), weights(down - top)];
  const point: Vec = [0, 0, 0];
  for (let j = 0; j < 3; j++) {
    for (let i = 0; i < 3; i++) {
      const corner = control((2 * top + j) * width + 2 * left + i);
      for (let k = 0; k < 3; k++) point[k]! += u[i]! * v[j]! * corner[k]!;
    }
  }
  return point;
}

function flatPolygon(
  [a, b, c]: [Vec, Vec, Vec],
  surface: number,
  texture: number,
  contents: number,
): Polygon | undefined {
  const area = cross(subtract(c, a), subtract(b, a));
  const length = lengthOf(...area);
  if (!(length / 2 >= MIN_AREA)) return undefined;
  const vertices = new Float32Array(9);
  const normal = new Float32Array(3);
  let dist = 0;
  for (let k = 0; k < 3; k++) {
    vertices[k] = a[k]!;
    vertices[3 + k] = c[k]!;
    vertices[6 + k] = b[k]!;
    normal[k] = area[k]! / length;
    dist += (a[k]! * area[k]!) / length;
  }
  return { vertices, normal, dist: Math.fround(dist), texture, contents, surface };
}
