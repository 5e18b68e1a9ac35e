import type { Quake3File } from './file.ts';
import {
  BOUNDS_WORD,
  CLUSTERS_WORD,
  CONTENTS_WORD,
  DEPTH_WORD,
  FACET_WORDS,
  LEAF_WORDS,
  layout,
  MODEL_WORDS,
  NODE_WORDS,
  PATCH_WORDS,
  type Places,
  REF_WORDS,
  ROOT_WORD,
  ROW_BYTES_WORD,
  SIDE_WORDS,
} from './layout.ts';
import { buildPatches, type PatchCollide } from './patch-build.ts';
import type { PatchFacet } from './patch-facets.ts';
import type { Plane4 } from './patch-math.ts';

/** Where the builder writes: two views of one buffer. */
interface Target {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Places;
}

/** Writes a file's collision data into one new buffer, laid out as `layout.ts` says. */
export function buildWorldData(file: Quake3File, shared: boolean): ArrayBufferLike {
  const patches = buildPatches(file);
  const refs = planRefs(file, patches);
  const order = depthFirst(file);
  const text = textBytes(file);
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const rowBytes = file.visibility?.rowBytes ?? 0;
  const numClusters = file.visibility?.numClusters ?? 0;
  const { places, words } = layout.plan({
    nodes: order.nodes.length,
    leafs: file.leafs.count,
    brushRefs: refs.brushes.length,
    brushes: file.brushes.count,
    sides: file.sides.count,
    shaders: file.shaders.length,
    models: file.models.length,
    patchRefs: refs.patches.length,
    patches: patches.length,
    patchPlanes: sum(patches.map((patch) => patch.planes.length / 4)),
    facets: sum(patches.map((patch) => patch.facets.length)),
    borders: sum(patches.map((patch) => sum(patch.facets.map((facet) => facet.borders.length)))),
    leafSurfaces: file.leafSurfaces.length,
    surfaces: file.surfaces.length,
    vertexes: file.vertexes.count,
    indexes: file.indexes.length,
    visibility: Math.ceil((numClusters * rowBytes) / 4),
    text: Math.ceil(text.length / 4) + 1,
  });
  const data = shared ? new SharedArrayBuffer(4 * words) : new ArrayBuffer(4 * words);
  const target: Target = { ints: new Int32Array(data), floats: new Float32Array(data), places };
  const { ints } = target;
  layout.write(ints, places);
  ints[DEPTH_WORD] = order.depth;
  ints[ROOT_WORD] = places.nodes.first;
  ints[CLUSTERS_WORD] = numClusters;
  ints[ROW_BYTES_WORD] = rowBytes;
  writeBrushes(target, file);
  writePatches(target, patches);
  writeRefs(target, file, refs);
  writeNodes(target, file, order.nodes);
  writeSurfaces(target, file);
  if (file.visibility) {
    const rows = file.visibility.rows.subarray(0, numClusters * rowBytes);
    new Uint8Array(data, 4 * places.visibility.first).set(rows);
  }
  ints[places.text.first] = text.length;
  new Uint8Array(data, 4 * places.text.first + 4).set(text);
  return data;
}

/** Nodes in the order a walk that keeps to front children meets them, so that a walk reads forward in memory. */
function depthFirst(file: Quake3File): { nodes: number[]; depth: number } {
  const nodes: number[] = [];
  let depth = 0;
  const stack: [node: number, depth: number][] = [[0, 1]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [node, level] = next;
    nodes.push(node);
    depth = Math.max(depth, level);
    for (const child of [file.nodes.children[2 * node + 1]!, file.nodes.children[2 * node]!]) {
      if (child >= 0) stack.push([child, level + 1]);
    }
  }
  return { nodes, depth };
}

/** 0, 1 or 2 for a plane that faces along +X, +Y or +Z; 3 for any other, those that face backwards among them. */
function planeType(x: number, y: number, z: number): number {
  if (x === 1) return 0;
  if (y === 1) return 1;
  return z === 1 ? 2 : 3;
}

function writeNodes({ ints, floats, places }: Target, { nodes, planes }: Quake3File, order: number[]): void {
  const placeOf = new Int32Array(nodes.count);
  for (const [k, node] of order.entries()) placeOf[node] = places.nodes.first + k * NODE_WORDS;
  for (const node of order) {
    const at = placeOf[node]!;
    const plane = nodes.planes[node]!;
    const [x, y, z] = planes.normals.subarray(3 * plane, 3 * plane + 3) as unknown as [
      number,
      number,
      number,
    ];
    ints[at] = planeType(x, y, z);
    floats[at + 1] = x;
    floats[at + 2] = y;
    floats[at + 3] = z;
    floats[at + 4] = planes.dists[plane]!;
    for (let side = 0; side < 2; side++) {
      const child = nodes.children[2 * node + side]!;
      ints[at + 5 + side] = child < 0 ? -leafAt(places, -1 - child) : placeOf[child]!;
    }
    ints[at + 7] = node;
  }
  // Depth-first order read backwards has the children before their node.
  for (let k = order.length - 1; k >= 0; k--) {
    const at = placeOf[order[k]!]!;
    clearBounds(ints, floats, at);
    for (const child of [ints[at + 5]!, ints[at + 6]!]) {
      const from = Math.abs(child);
      widenBounds(ints, floats, at, from + BOUNDS_WORD, ints[from + CONTENTS_WORD]!);
    }
  }
}

const leafAt = (places: Places, leaf: number): number => places.leafs.first + LEAF_WORDS * leaf;

/** Makes the bounds of a node or leaf those of nothing: no move meets them. */
function clearBounds(ints: Int32Array, floats: Float32Array, at: number): void {
  floats.fill(Number.NEGATIVE_INFINITY, at + BOUNDS_WORD, at + BOUNDS_WORD + 6);
  ints[at + CONTENTS_WORD] = 0;
}

/** Widens them by the bounds at `from`, and adds contents. */
function widenBounds(
  ints: Int32Array,
  floats: Float32Array,
  at: number,
  from: number,
  contents: number,
): void {
  for (let k = 0; k < 6; k++) {
    const place = at + BOUNDS_WORD + k;
    floats[place] = Math.max(floats[place]!, floats[from + k]!);
  }
  ints[at + CONTENTS_WORD]! |= contents;
}

/** The lists that leafs and models refer to: their own lists are runs of these, so none is longer than its lump. */
interface Refs {
  /** Brushes: the leaf brushes, then those that inline models span. */
  readonly brushes: Int32Array;
  /** Where the second part begins, and its first brush. */
  readonly modelBrushes: number;
  readonly firstModelBrush: number;
  /** Patches: those among the leaf surfaces, then all of them. */
  readonly patches: Int32Array;
  /** How many patches are among the leaf surfaces, and among the surfaces, before each place. */
  readonly amongLeafSurfaces: Int32Array;
  readonly amongSurfaces: Int32Array;
}

function planRefs(file: Quake3File, patches: readonly PatchCollide[]): Refs {
  const { leafBrushes, leafSurfaces, surfaces } = file;
  const inline = file.models.slice(1).filter((model) => model.numBrushes > 0);
  const first = inline.reduce((least, model) => Math.min(least, model.firstBrush), file.brushes.count);
  const end = inline.reduce((most, model) => Math.max(most, model.firstBrush + model.numBrushes), first);
  const brushes = new Int32Array(leafBrushes.length + end - first);
  brushes.set(leafBrushes);
  for (let brush = first; brush < end; brush++) brushes[leafBrushes.length + brush - first] = brush;
  const patchOf = new Int32Array(surfaces.length).fill(-1);
  for (const [number, patch] of patches.entries()) patchOf[patch.surface] = number;
  const inLeafs = leafSurfaces.map((surface) => patchOf[surface]!).filter((patch) => patch >= 0);
  return {
    brushes,
    modelBrushes: leafBrushes.length,
    firstModelBrush: first,
    patches: Int32Array.from([...inLeafs, ...patches.keys()]),
    amongLeafSurfaces: countBefore(leafSurfaces, (surface) => patchOf[surface]! >= 0),
    amongSurfaces: countBefore(patchOf, (patch) => patch >= 0),
  };
}

/** For each place, and for the end, how many values before it pass a test. */
function countBefore(values: Int32Array, test: (value: number) => boolean): Int32Array {
  const counts = new Int32Array(values.length + 1);
  for (const [k, value] of values.entries()) counts[k + 1] = counts[k]! + (test(value) ? 1 : 0);
  return counts;
}

function writeRefs({ ints, floats, places }: Target, file: Quake3File, refs: Refs): void {
  const { leafs, models, brushes, shaders } = file;
  const bounds = brushBounds(file);
  const refAt = (k: number): number => places.brushRefs.first + REF_WORDS * k;
  for (const [k, brush] of refs.brushes.entries()) {
    floats.set(bounds.subarray(6 * brush, 6 * brush + 6), refAt(k));
    ints[refAt(k) + 6] = shaders[brushes.shaders[brush]!]!.contents;
    ints[refAt(k) + 7] = brush;
  }
  for (const [k, patch] of refs.patches.entries()) {
    ints[places.patchRefs.first + k] = places.patches.first + PATCH_WORDS * patch;
  }
  for (let leaf = 0, at = places.leafs.first; leaf < leafs.count; leaf++, at += LEAF_WORDS) {
    const firstSurface = leafs.firstSurfaces[leaf]!;
    const numSurfaces = leafs.numSurfaces[leaf]!;
    const firstPatch = refs.amongLeafSurfaces[firstSurface]!;
    ints[at] = refAt(leafs.firstBrushes[leaf]!);
    ints[at + 1] = leafs.numBrushes[leaf]!;
    ints[at + 2] = places.patchRefs.first + firstPatch;
    ints[at + 3] = refs.amongLeafSurfaces[firstSurface + numSurfaces]! - firstPatch;
    ints[at + 4] = leafs.clusters[leaf]!;
    ints[at + 5] = leafs.areas[leaf]!;
    ints[at + 6] = firstSurface;
    ints[at + 7] = numSurfaces;
    clearBounds(ints, floats, at);
    for (let ref = ints[at]!, k = 0; k < ints[at + 1]!; k++, ref += REF_WORDS) {
      widenBounds(ints, floats, at, ref, ints[ref + 6]!);
    }
    for (let k = 0; k < ints[at + 3]!; k++) {
      const patch = ints[ints[at + 2]! + k]!;
      widenBounds(ints, floats, at, patch, ints[patch + 6]!);
    }
  }
  const inLeafs = refs.amongLeafSurfaces[file.leafSurfaces.length]!;
  for (const [k, model] of models.entries()) {
    const at = places.models.first + MODEL_WORDS * k;
    for (let axis = 0; axis < 3; axis++) {
      // The engine widens every model by one unit when it loads a map.
      floats[at + axis] = model.mins[axis]! - 1;
      floats[at + 3 + axis] = model.maxs[axis]! + 1;
    }
    ints[at + 10] = model.firstSurface;
    ints[at + 11] = model.numSurfaces;
    // The world is found through its tree, so only inline models list what they hold.
    if (k === 0) continue;
    const firstPatch = refs.amongSurfaces[model.firstSurface]!;
    ints[at + 6] = refAt(refs.modelBrushes + model.firstBrush - refs.firstModelBrush);
    ints[at + 7] = model.numBrushes;
    ints[at + 8] = places.patchRefs.first + inLeafs + firstPatch;
    ints[at + 9] = refs.amongSurfaces[model.firstSurface + model.numSurfaces]! - firstPatch;
  }
}

/** Six numbers a brush, the distances of its first six sides, whose normals the engine does not look at. */
function brushBounds({ brushes, sides, planes }: Quake3File): Float32Array {
  const bounds = new Float32Array(6 * brushes.count);
  for (let brush = 0; brush < brushes.count; brush++) {
    const first = brushes.firstSides[brush]!;
    for (let k = 0; k < 6; k++) {
      // A brush without sides borrows those that follow, as in the engine; past the end there is nothing to borrow.
      bounds[6 * brush + k] = first + k < sides.count ? planes.dists[sides.planes[first + k]!]! : 0;
    }
  }
  return bounds;
}

/** Whether the first six sides of a brush face -X, +X, -Y, +Y, -Z and +Z exactly, as compilers make them. */
function isAxial({ brushes, sides, planes }: Quake3File, brush: number): boolean {
  const first = brushes.firstSides[brush]!;
  for (let k = 0; k < 6; k++) {
    const plane = sides.planes[first + k]!;
    for (let axis = 0; axis < 3; axis++) {
      const expected = axis === k >> 1 ? (k % 2 === 0 ? -1 : 1) : 0;
      if (planes.normals[3 * plane + axis] !== expected) return false;
    }
  }
  return true;
}

function writeBrushes({ ints, floats, places }: Target, file: Quake3File): void {
  const { brushes, sides, planes, shaders } = file;
  for (let k = 0, at = places.brushes.first; k < brushes.count; k++, at += 4) {
    ints[at] = places.sides.first + SIDE_WORDS * brushes.firstSides[k]!;
    ints[at + 1] = brushes.numSides[k]!;
    ints[at + 2] = shaders[brushes.shaders[k]!]!.contents;
    ints[at + 3] = brushes.numSides[k]! >= 6 && isAxial(file, k) ? 1 : 0;
  }
  for (let k = 0, at = places.sides.first; k < sides.count; k++, at += SIDE_WORDS) {
    const plane = sides.planes[k]!;
    floats[at] = planes.normals[3 * plane]!;
    floats[at + 1] = planes.normals[3 * plane + 1]!;
    floats[at + 2] = planes.normals[3 * plane + 2]!;
    floats[at + 3] = planes.dists[plane]!;
    ints[at + 4] = plane;
    ints[at + 5] = sides.shaders[k]!;
  }
  for (const [k, shader] of shaders.entries()) {
    ints[places.shaders.first + 2 * k] = shader.surfaceFlags;
    ints[places.shaders.first + 2 * k + 1] = shader.contents;
  }
}

function writePatches({ ints, floats, places }: Target, patches: readonly PatchCollide[]): void {
  let plane = places.patchPlanes.first;
  let facetAt = places.facets.first;
  let border = places.borders.first;
  for (const [number, patch] of patches.entries()) {
    const at = places.patches.first + PATCH_WORDS * number;
    for (let k = 0; k < 3; k++) {
      floats[at + 2 * k] = -patch.bounds[k]!;
      floats[at + 2 * k + 1] = patch.bounds[3 + k]!;
    }
    ints.set([patch.contents, patch.surfaceFlags, plane, patch.planes.length / 4], at + 6);
    ints.set([facetAt, patch.facets.length, patch.surface, patch.shader, number, 0], at + 10);
    floats.set(patch.planes, plane);
    plane += patch.planes.length;
    for (const facet of patch.facets) {
      ints.set([facet.plane, border, facet.borders.length], facetAt);
      floats.set(facetBounds(patch, facet), facetAt + 3);
      facetAt += FACET_WORDS;
      for (const { plane: index, inward } of facet.borders) ints[border++] = 2 * index + (inward ? 1 : 0);
    }
  }
}

/** The bounds that a facet's exactly axial borders set; infinite where there is none. */
function facetBounds({ planes }: PatchCollide, { borders }: PatchFacet): Float32Array {
  const bounds = new Float32Array(6).fill(Number.POSITIVE_INFINITY);
  for (const { plane, inward } of borders) {
    const [x, y, z, dist] = planes
      .subarray(4 * plane, 4 * plane + 4)
      .map((value) => (inward ? -value : value)) as unknown as Plane4;
    for (const [axis, component] of [x, y, z].entries()) {
      if (Math.abs(component) !== 1 || Math.abs(x) + Math.abs(y) + Math.abs(z) !== 1) continue;
      const k = 2 * axis + (component > 0 ? 1 : 0);
      bounds[k] = Math.min(bounds[k]!, dist);
    }
  }
  return bounds;
}

function writeSurfaces({ ints, floats, places }: Target, file: Quake3File): void {
  ints.set(file.leafSurfaces, places.leafSurfaces.first);
  floats.set(file.vertexes.positions, places.vertexes.first);
  ints.set(file.indexes, places.indexes.first);
  for (const [k, s] of file.surfaces.entries()) {
    const words = [s.type, s.shader, s.firstVertex, s.numVertexes, s.firstIndex, s.numIndexes];
    ints.set([...words, s.patchWidth, s.patchHeight], places.surfaces.first + 8 * k);
  }
}

function textBytes(file: Quake3File): Uint8Array {
  const text = [file.entities, ...file.shaders.map((shader) => shader.name)]
    .map((part) => `${part}\0`)
    .join('');
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
