import { type Checks, createChecks } from '@bspkit/core/format';
import { SURFACE_PATCH } from './constants.ts';
import type { Quake3File, Quake3Lump } from './file.ts';

/** The engine has a number for each pair of areas: with this many they take 4 GB, more than it can hold. */
const MAX_AREA = 0x7fff;
/** The most control points, and the most rows or columns, that the engine takes in one patch. */
const MAX_PATCH_POINTS = 1024;
const MAX_PATCH_SIDE = 129;
/** The deepest of the 115 maps in Debian's packages has 109 nodes; builder and reference walk trees recursively. */
const MAX_DEPTH = 1024;
/**
 * The most corners of triangles per vertex, and some on top: at most 3.2 in these maps. Compilers let surfaces share corners, but
 * not vertexes, so corners are compared with these.
 */
const MAX_CORNERS_PER_VERTEX = 6;
const MAX_CORNERS = 16_384;
/**
 * An exact sphere takes time by the squares of brushes' side counts: at most 5.6 million in these maps, and up to 13 for each side
 * where there are many. Larger maps may have this many for each side.
 */
const MAX_SQUARES = 6_000_000;
const SQUARES_OF_SIDE = 24;

export const checks: Checks<Quake3Lump> = /* @__PURE__ */ createChecks('quake3');

/** Refuses a file whose numbers are inconsistent, so that building and tracing may trust every one of them. */
export function checkFile(file: Quake3File): Quake3File {
  const { planes, nodes, brushes, sides, shaders, leafBrushes, leafSurfaces } = file;
  checks.filled(file.lumps, ['shaders', 'planes', 'nodes', 'leafs', 'models']);
  checks.normals('planes', planes.normals);
  checks.finite('planes', planes.dists, 1);
  checks.finite('vertexes', file.vertexes.positions, 3);
  checks.indexes('nodes', 'plane', nodes.planes, planes.count);
  checks.children('nodes', nodes.children, nodes.count, file.leafs.count);
  checks.depth('nodes', nodes.children, [0], { most: MAX_DEPTH });
  checks.indexes('leafBrushes', 'brush', leafBrushes, brushes.count);
  checks.indexes('leafSurfaces', 'surface', leafSurfaces, file.surfaces.length);
  checkLeafs(file);
  checks.indexes('sides', 'plane', sides.planes, planes.count);
  checks.indexes('sides', 'shader', sides.shaders, shaders.length);
  checks.indexes('brushes', 'shader', brushes.shaders, shaders.length);
  checks.ranges('brushes', 'sides', brushes.firstSides, brushes.numSides, sides.count);
  const squares = Math.max(MAX_SQUARES, SQUARES_OF_SIDE * sides.count);
  checks.squares('brushes', 'sides', brushes.numSides, squares);
  for (let i = 0; i < brushes.count; i++) {
    const count = brushes.numSides[i]!;
    // The first six sides are the brush's bounds; in place of missing ones the engine would read the next brush's.
    if (count > 0 && count < 6)
      checks.fail('value', 'brushes', i, `has ${count} sides, but needs six or none`);
  }
  checkSidesOfLeafs(file);
  checkModels(file);
  checkSurfaces(file);
  return file;
}

/**
 * A point in a leaf is compared with all sides of everything listed there, and with those of a brush as often as it is listed.
 */
function checkSidesOfLeafs({ leafs, leafBrushes, brushes, sides }: Quake3File): void {
  let most = 0;
  for (let i = 0; i < leafs.count; i++) {
    const first = leafs.firstBrushes[i]!;
    let count = 0;
    for (let k = first; k < first + leafs.numBrushes[i]!; k++) count += brushes.numSides[leafBrushes[k]!]!;
    most = Math.max(most, count);
  }
  checks.owned('leafs', 'sides of brushes', [most], sides.count);
}

const column = <K extends string>(records: readonly Readonly<Record<K, number>>[], name: K): number[] =>
  records.map((record) => record[name]);

function checkModels({ models, brushes, surfaces }: Quake3File): void {
  const [firstBrushes, numBrushes] = [column(models, 'firstBrush'), column(models, 'numBrushes')];
  const [firstSurfaces, numSurfaces] = [column(models, 'firstSurface'), column(models, 'numSurfaces')];
  checks.ranges('models', 'brushes', firstBrushes, numBrushes, brushes.count);
  checks.ranges('models', 'surfaces', firstSurfaces, numSurfaces, surfaces.length);
  for (const [i, { mins, maxs }] of models.entries()) {
    for (const vector of [mins, maxs]) checks.finite('models', vector, 3, i);
  }
}

function checkLeafs({ nodes, leafs, leafBrushes, leafSurfaces, visibility }: Quake3File): void {
  checks.ranges('leafs', 'leaf brushes', leafs.firstBrushes, leafs.numBrushes, leafBrushes.length);
  checks.ranges('leafs', 'leaf surfaces', leafs.firstSurfaces, leafs.numSurfaces, leafSurfaces.length);
  // The same leaf may be below many nodes, and walks reach it through each.
  const below = (counts: Int32Array): Int32Array =>
    nodes.children.map((child) => (child < 0 ? counts[-1 - child]! : 0));
  checks.owned('nodes', 'leaf brushes', below(leafs.numBrushes), leafBrushes.length);
  checks.owned('nodes', 'leaf surfaces', below(leafs.numSurfaces), leafSurfaces.length);
  for (let i = 0; i < leafs.count; i++) {
    const cluster = leafs.clusters[i]!;
    const area = leafs.areas[i]!;
    if (cluster < -1) checks.fail('index', 'leafs', i, `cluster ${cluster} is below -1`);
    if (area < -1) checks.fail('index', 'leafs', i, `area ${area} is below -1`);
    if (area > MAX_AREA) checks.fail('limit', 'leafs', i, `area ${area} is above ${MAX_AREA}`);
    if (visibility && cluster >= 0) checks.index('leafs', i, 'cluster', cluster, visibility.numClusters);
  }
}

function checkSurfaces({ surfaces, shaders, vertexes, indexes }: Quake3File): void {
  const [firstVertexes, numVertexes] = [column(surfaces, 'firstVertex'), column(surfaces, 'numVertexes')];
  checks.ranges('surfaces', 'vertexes', firstVertexes, numVertexes, vertexes.count);
  const corners = column(surfaces, 'numIndexes').reduce((sum, count) => sum + Math.max(0, count), 0);
  if (corners > MAX_CORNERS_PER_VERTEX * vertexes.count + MAX_CORNERS) {
    const limit = `at most ${MAX_CORNERS_PER_VERTEX} per vertex and ${MAX_CORNERS} more are accepted`;
    checks.fail(
      'limit',
      'surfaces',
      undefined,
      `have ${corners} corners of ${vertexes.count} vertexes: ${limit}`,
    );
  }
  for (const [i, surface] of surfaces.entries()) {
    const { firstIndex, numIndexes, numVertexes, patchWidth, patchHeight } = surface;
    checks.index('surfaces', i, 'shader', surface.shader, shaders.length);
    checks.range('surfaces', i, 'indexes', firstIndex, numIndexes, indexes.length);
    if (surface.type === SURFACE_PATCH) checkPatch(i, patchWidth, patchHeight, numVertexes);
    for (let k = firstIndex; k < firstIndex + numIndexes; k++) {
      const vertex = indexes[k]!;
      if (!(vertex >= 0 && vertex < numVertexes)) {
        checks.index('indexes', k, `surface ${i}, vertex`, vertex, numVertexes);
      }
    }
  }
}

function checkPatch(index: number, width: number, height: number, numVertexes: number): void {
  const odd = width % 2 === 1 && height % 2 === 1;
  const sized = Math.min(width, height) >= 3 && Math.max(width, height) <= MAX_PATCH_SIDE;
  if (!odd || !sized || width * height > MAX_PATCH_POINTS || width * height > numVertexes) {
    checks.fail(
      'value',
      'surfaces',
      index,
      `a patch of ${width} x ${height} control points with ${numVertexes} vertexes: sides must be odd, ` +
        `3 to ${MAX_PATCH_SIDE}, at most ${MAX_PATCH_POINTS} points in all`,
    );
  }
}
