import { BspError } from '@bspkit/core';
import { SURFACE_PATCH } from './constants.ts';
import type { Quake3File, Quake3Lump } from './file.ts';

/** Greatest number of control points, and of rows or columns, that the engine takes in one patch. */
const MAX_PATCH_POINTS = 1024;
const MAX_PATCH_SIDE = 129;

function fail(code: BspError['code'], lump: Quake3Lump, index: number | undefined, problem: string): never {
  throw new BspError(code, { format: 'quake3', lump, index }, problem);
}

/** Refuses a file whose numbers do not hang together, so that building and tracing may trust every one of them. */
export function checkFile(file: Quake3File): void {
  for (const lump of ['shaders', 'planes', 'nodes', 'leafs', 'models'] as const) {
    if (file.lumpBytes[lump] === 0) fail('empty', lump, undefined, 'is empty, but a map needs it');
  }
  checkFinite('planes', file.planes.normals, 3);
  checkFinite('planes', file.planes.dists, 1);
  checkFinite('vertexes', file.vertexes.positions, 3);
  checkNodes(file);
  checkLeafs(file);
  checkBrushes(file);
  checkModels(file);
  checkSurfaces(file);
}

function checkFinite(lump: Quake3Lump, values: Float32Array, width: number): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]!)) {
      fail('value', lump, Math.floor(i / width), `holds ${values[i]}, which is not a finite number`);
    }
  }
}

/** Every value must be the number of a record of another lump: `0 .. count - 1`. */
function checkIndexes(lump: Quake3Lump, what: string, values: Int32Array, count: number): void {
  for (let i = 0; i < values.length; i++) {
    if (values[i]! < 0 || values[i]! >= count) {
      fail('index', lump, i, `${what} ${values[i]} is not in 0..${count - 1}`);
    }
  }
}

function checkRange(lump: Quake3Lump, index: number, what: string, [first, length, count]: number[]): void {
  if (first! < 0 || length! < 0 || first! + length! > count!) {
    fail('index', lump, index, `${what} ${first} to ${first! + length!} are not within 0..${count}`);
  }
}

function checkNodes({ nodes, planes, leafs }: Quake3File): void {
  checkIndexes('nodes', 'plane', nodes.planes, planes.count);
  for (let i = 0; i < 2 * nodes.count; i++) {
    const child = nodes.children[i]!;
    if (child >= nodes.count)
      fail('index', 'nodes', i >> 1, `child ${child} is not in 0..${nodes.count - 1}`);
    if (-1 - child >= leafs.count) {
      fail('index', 'nodes', i >> 1, `leaf ${-1 - child} is not in 0..${leafs.count - 1}`);
    }
  }
  const reached = new Uint8Array(nodes.count);
  const stack = [0];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (reached[node])
      fail('cycle', 'nodes', node, 'is reached twice: the tree has a cycle or a shared branch');
    reached[node] = 1;
    for (const child of [nodes.children[2 * node]!, nodes.children[2 * node + 1]!]) {
      if (child >= 0) stack.push(child);
    }
  }
}

function checkLeafs(file: Quake3File): void {
  const { leafs, leafBrushes, leafSurfaces, visibility } = file;
  checkIndexes('leafBrushes', 'brush', leafBrushes, file.brushes.count);
  checkIndexes('leafSurfaces', 'surface', leafSurfaces, file.surfaces.length);
  for (let i = 0; i < leafs.count; i++) {
    const brushes = [leafs.firstBrushes[i]!, leafs.numBrushes[i]!, leafBrushes.length];
    const surfaces = [leafs.firstSurfaces[i]!, leafs.numSurfaces[i]!, leafSurfaces.length];
    checkRange('leafs', i, 'leaf brushes', brushes);
    checkRange('leafs', i, 'leaf surfaces', surfaces);
    const cluster = leafs.clusters[i]!;
    if (cluster < -1 || (visibility && cluster >= visibility.numClusters)) {
      fail('index', 'leafs', i, `cluster ${cluster} is not in -1..${(visibility?.numClusters ?? 0) - 1}`);
    }
    if (leafs.areas[i]! < -1) fail('index', 'leafs', i, `area ${leafs.areas[i]} is below -1`);
  }
}

function checkBrushes({ brushes, sides, planes, shaders }: Quake3File): void {
  checkIndexes('sides', 'plane', sides.planes, planes.count);
  checkIndexes('sides', 'shader', sides.shaders, shaders.length);
  checkIndexes('brushes', 'shader', brushes.shaders, shaders.length);
  for (let i = 0; i < brushes.count; i++) {
    const numSides = brushes.numSides[i]!;
    checkRange('brushes', i, 'sides', [brushes.firstSides[i]!, numSides, sides.count]);
    // The first six sides are the brush's bounds; the engine would read the next brush's for the missing ones.
    if (numSides > 0 && numSides < 6)
      fail('value', 'brushes', i, `has ${numSides} sides, but needs six or none`);
  }
}

function checkModels(file: Quake3File): void {
  for (const [i, model] of file.models.entries()) {
    checkRange('models', i, 'brushes', [model.firstBrush, model.numBrushes, file.brushes.count]);
    checkRange('models', i, 'surfaces', [model.firstSurface, model.numSurfaces, file.surfaces.length]);
    if (![...model.mins, ...model.maxs].every(Number.isFinite))
      fail('value', 'models', i, 'bounds are not finite');
  }
}

function checkSurfaces({ surfaces, shaders, vertexes, indexes }: Quake3File): void {
  for (const [i, surface] of surfaces.entries()) {
    const { shader, type, patchWidth, patchHeight } = surface;
    if (shader < 0 || shader >= shaders.length) {
      fail('index', 'surfaces', i, `shader ${shader} is not in 0..${shaders.length - 1}`);
    }
    checkRange('surfaces', i, 'vertexes', [surface.firstVertex, surface.numVertexes, vertexes.count]);
    checkRange('surfaces', i, 'indexes', [surface.firstIndex, surface.numIndexes, indexes.length]);
    if (type === SURFACE_PATCH) checkPatch(i, patchWidth, patchHeight, surface.numVertexes);
    for (let k = surface.firstIndex; k < surface.firstIndex + surface.numIndexes; k++) {
      if (indexes[k]! < 0 || indexes[k]! >= surface.numVertexes) {
        fail(
          'index',
          'indexes',
          k,
          `vertex ${indexes[k]} of surface ${i} is not in 0..${surface.numVertexes - 1}`,
        );
      }
    }
  }
}

function checkPatch(index: number, width: number, height: number, numVertexes: number): void {
  const odd = width % 2 === 1 && height % 2 === 1;
  const sized = Math.min(width, height) >= 3 && Math.max(width, height) <= MAX_PATCH_SIDE;
  if (!odd || !sized || width * height > MAX_PATCH_POINTS || width * height > numVertexes) {
    fail(
      'value',
      'surfaces',
      index,
      `a patch of ${width} x ${height} control points with ${numVertexes} vertexes: sides must be odd, ` +
        `3 to ${MAX_PATCH_SIDE}, at most ${MAX_PATCH_POINTS} points in all`,
    );
  }
}
