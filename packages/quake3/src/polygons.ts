import type { Polygon } from '@bspkit/core';
import { SURFACE_MESH, SURFACE_PATCH, SURFACE_PLANAR } from './constants.ts';
import type { WorldMemory } from './kernel.ts';
import { LEAF_WORDS, MODEL_WORDS, SURFACE_WORDS } from './layout.ts';

/** How finely surfaces become polygons. */
export interface PolygonOptions {
  /** Into how many steps each 3 x 3 piece of a patch is divided in each direction: 1 to 64, 4 unless told. */
  readonly patchLevel?: number | undefined;
}

/** A triangle with less area than this, in square Quake units, is left out: it has no normal to speak of. */
const MIN_AREA = 1e-6;

type Point = [number, number, number];

/** The drawn surfaces of a model as triangles: planar faces, meshes, and patches divided as told. */
export function modelPolygons(memory: WorldMemory, model: number, options?: PolygonOptions): Polygon[] {
  const { ints, places } = memory;
  const at = places.models.first + MODEL_WORDS * model;
  const surfaces = Array.from({ length: ints[at + 11]! }, (_, k) => ints[at + 10]! + k);
  return surfacesPolygons(memory, surfaces, options);
}

/** The same for the surfaces that a leaf lists. A surface that reaches into several leafs is in each of them whole. */
export function leafPolygons(memory: WorldMemory, leaf: number, options?: PolygonOptions): Polygon[] {
  const { ints, places } = memory;
  const at = places.leafs.first + LEAF_WORDS * leaf;
  const first = places.leafSurfaces.first + ints[at + 6]!;
  return surfacesPolygons(memory, [...ints.subarray(first, first + ints[at + 7]!)], options);
}

function surfacesPolygons(memory: WorldMemory, surfaces: number[], options: PolygonOptions = {}): Polygon[] {
  const { patchLevel = 4 } = options;
  if (!Number.isInteger(patchLevel) || patchLevel < 1 || patchLevel > 64) {
    throw new RangeError(`patchLevel must be a whole number in 1..64, got ${patchLevel}`);
  }
  const polygons: Polygon[] = [];
  for (const surface of surfaces) {
    const at = memory.places.surfaces.first + SURFACE_WORDS * surface;
    const shader = memory.ints[at + 1]!;
    const contents = memory.ints[memory.places.shaders.first + 2 * shader + 1]!;
    for (const corners of triangles(memory, at, patchLevel)) {
      const polygon = flatPolygon(corners, surface, shader, contents);
      if (polygon) polygons.push(polygon);
    }
  }
  return polygons;
}

/** Corners of a surface's triangles, clockwise seen from their front, as the format has them. */
function triangles(memory: WorldMemory, at: number, patchLevel: number): [Point, Point, Point][] {
  const { ints, floats, places } = memory;
  const type = ints[at]!;
  const vertex = (k: number): Point => {
    const place = places.vertexes.first + 3 * (ints[at + 2]! + k);
    return [floats[place]!, floats[place + 1]!, floats[place + 2]!];
  };
  if (type === SURFACE_PATCH) return patchTriangles(vertex, ints[at + 6]!, ints[at + 7]!, patchLevel);
  if (type !== SURFACE_PLANAR && type !== SURFACE_MESH) return [];
  const first = places.indexes.first + ints[at + 4]!;
  return Array.from({ length: Math.floor(ints[at + 5]! / 3) }, (_, k) => [
    vertex(ints[first + 3 * k]!),
    vertex(ints[first + 3 * k + 1]!),
    vertex(ints[first + 3 * k + 2]!),
  ]);
}

function patchTriangles(
  control: (k: number) => Point,
  width: number,
  height: number,
  level: number,
): [Point, Point, Point][] {
  const columns = ((width - 1) / 2) * level;
  const rows = ((height - 1) / 2) * level;
  const grid = Array.from({ length: rows + 1 }, (_, row) =>
    Array.from({ length: columns + 1 }, (_, column) =>
      patchPoint(control, width, height, column / level, row / level),
    ),
  );
  const found: [Point, Point, Point][] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [a, b] = [grid[row]![column]!, grid[row]![column + 1]!];
      const [d, c] = [grid[row + 1]![column]!, grid[row + 1]![column + 1]!];
      found.push([a, d, c], [c, b, a]);
    }
  }
  return found;
}

/** A point of a patch of quadratic curves; `across` and `down` count 3 x 3 pieces. */
function patchPoint(
  control: (k: number) => Point,
  width: number,
  height: number,
  across: number,
  down: number,
): Point {
  const left = Math.min(Math.floor(across), (width - 3) / 2);
  const top = Math.min(Math.floor(down), (height - 3) / 2);
  const weights = (t: number): Point => [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
  const [u, v] = [weights(across - left), weights(down - top)];
  const point: Point = [0, 0, 0];
  for (let j = 0; j < 3; j++) {
    for (let i = 0; i < 3; i++) {
      const corner = control((2 * top + j) * width + 2 * left + i);
      for (let k = 0; k < 3; k++) point[k]! += u[i]! * v[j]! * corner[k]!;
    }
  }
  return point;
}

function flatPolygon(
  [a, b, c]: [Point, Point, Point],
  surface: number,
  texture: number,
  contents: number,
): Polygon | undefined {
  const u = a.map((x, k) => b[k]! - x);
  const v = a.map((x, k) => c[k]! - x);
  const cross = [0, 1, 2].map((k) => v[(k + 1) % 3]! * u[(k + 2) % 3]! - v[(k + 2) % 3]! * u[(k + 1) % 3]!);
  const length = Math.hypot(...cross);
  if (!(length / 2 >= MIN_AREA)) return undefined;
  const normal = Float32Array.from(cross, (x) => x / length);
  const dist = Math.fround(a.reduce((sum, x, k) => sum + (x * cross[k]!) / length, 0));
  return { vertices: Float32Array.of(...a, ...c, ...b), normal, dist, texture, contents, surface };
}
