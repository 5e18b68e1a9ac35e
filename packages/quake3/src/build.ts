import { createBuffer, packTexts } from '@bspkit/core/format';
import type { PatchFacet, Plane4 } from '@bspkit/geometry/patches';
import type { Quake3File } from './file.ts';
import {
  BOUNDS_WORD,
  BRUSH_AXIAL,
  BRUSH_CONTENTS,
  BRUSH_WORDS,
  CLUSTERS_WORD,
  CONTENTS_WORD,
  DEPTH_WORD,
  FACET_BOUNDS,
  FACET_WORDS,
  LEAF_AREA,
  LEAF_CLUSTER,
  LEAF_NUM_SURFACES,
  LEAF_SURFACES,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  LIST_NUM_PATCHES,
  LIST_PATCHES,
  MODEL_LIST,
  MODEL_NUM_SURFACES,
  MODEL_SURFACES,
  MODEL_WORDS,
  NODE_DIST,
  NODE_FRONT,
  NODE_NORMAL,
  NUM_SIDES,
  PATCH_CONTENTS,
  PATCH_WORDS,
  PLANE_WORDS,
  REF_BRUSH,
  REF_CONTENTS,
  REF_WORDS,
  ROOT_WORD,
  ROW_BYTES_WORD,
  SHADER_WORDS,
  SIDE_DIST,
  SIDE_PLANE,
  SIDE_SHADER,
  SIDE_WORDS,
  SURFACE_WORDS,
} from './layout.ts';
import { buildPatches, type PatchCollide } from './patches/build.ts';
import { layout, leafAt, nodeAt, type Places } from './sections.ts';

/** What the builder reads, and where it writes: two views of one buffer. */
interface Target {
  readonly file: Quake3File;
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly places: Places;
}

/** Writes a file's collision data into one new buffer, laid out as `layout.ts` says. */
export function buildWorldData(file: Quake3File, shared: boolean): ArrayBufferLike {
  const patches = buildPatches(file);
  const facets = patches.flatMap((patch) => patch.facets);
  const refs = planRefs(file, patches);
  const texts = packTexts([file.entities, ...file.shaders.map(({ name }) => name)]);
  const { numClusters, rowBytes, rows } = file.visibility ?? {
    numClusters: 0,
    rowBytes: 0,
    rows: new Uint8Array(),
  };
  const { places, words } = layout.plan({
    nodes: file.nodes.count,
    leafs: file.leafs.count,
    brushRefs: refs.brushes.length,
    brushes: file.brushes.count,
    sides: file.sides.count,
    shaders: file.shaders.length,
    models: file.models.length,
    patchRefs: refs.patches.length,
    patches: patches.length,
    patchPlanes: patches.reduce((sum, patch) => sum + patch.planes.length, 0),
    facets: facets.length,
    facetSides: facets.reduce((sum, facet) => sum + 1 + facet.borders.length, 0),
    leafSurfaces: file.leafSurfaces.length,
    surfaces: file.surfaces.length,
    vertexes: file.vertexes.count,
    indexes: file.indexes.length,
    visibility: Math.ceil((numClusters * rowBytes) / 4),
    texts: Math.ceil(texts.length / 4) + 1,
  });
  const data = createBuffer(4 * words, shared);
  const ints = new Int32Array(data);
  const target: Target = { file, ints, floats: new Float32Array(data), places };
  layout.write(ints, places);
  ints[ROOT_WORD] = places.nodes.first;
  ints[CLUSTERS_WORD] = numClusters;
  ints[ROW_BYTES_WORD] = rowBytes;
  ints[places.texts.first] = texts.length;
  const bytes = new Uint8Array(data);
  bytes.set(texts, 4 * places.texts.first + 4);
  bytes.set(rows.subarray(0, numClusters * rowBytes), 4 * places.visibility.first);
  writeBrushes(target);
  writePatches(target, patches);
  writeRefs(target, refs);
  writeLeafs(target, refs);
  writeModels(target, refs);
  ints[DEPTH_WORD] = writeNode(target, 0);
  writeSurfaces(target);
  return data;
}

/** Writes a node and everything below it, from which it gets bounds and contents. Returns how deep that goes. */
function writeNode(target: Target, node: number): number {
  const { file, ints, floats, places } = target;
  const { nodes, planes } = file;
  const at = nodeAt(places, node);
  const plane = nodes.planes[node]!;
  ints[at] = 3;
  for (let axis = 2; axis >= 0; axis--) {
    const component = planes.normals[3 * plane + axis]!;
    // A plane that faces backwards along an axis does not count as axial.
    if (component === 1) ints[at] = axis;
    floats[at + NODE_NORMAL + axis] = component;
  }
  floats[at + NODE_DIST] = planes.dists[plane]!;
  clearBounds(target, at);
  let depth = 0;
  for (let side = 0; side < 2; side++) {
    const child = nodes.children[2 * node + side]!;
    if (child >= 0) depth = Math.max(depth, writeNode(target, child));
    const from = child < 0 ? leafAt(places, -1 - child) : nodeAt(places, child);
    ints[at + NODE_FRONT + side] = child < 0 ? -from : from;
    widenBounds(target, at, from + BOUNDS_WORD, ints[from + CONTENTS_WORD]!);
  }
  return depth + 1;
}

/** Makes the bounds of a node or leaf empty: no move meets them. */
function clearBounds({ floats }: Target, at: number): void {
  floats.fill(Number.NEGATIVE_INFINITY, at + BOUNDS_WORD, at + BOUNDS_WORD + 6);
}

/** Widens these bounds by those at `from`, and adds contents. */
function widenBounds({ ints, floats }: Target, at: number, from: number, contents: number): void {
  for (let k = 0; k < 6; k++) {
    const place = at + BOUNDS_WORD + k;
    floats[place] = Math.max(floats[place]!, floats[from + k]!);
  }
  ints[at + CONTENTS_WORD]! |= contents;
}

/** The lists that leafs and models refer to: their own lists are ranges of these, so none is longer than its lump. */
interface Refs {
  /** Brushes: the leaf brushes, then the ranges of inline models. */
  readonly brushes: Int32Array;
  /** Where brush 0 would be in the second part. */
  readonly modelBrushes: number;
  /** Patches: those among the leaf surfaces, then all of them. */
  readonly patches: Int32Array;
  /** How many patches come before each place of the leaf surfaces, and before each surface in the second part. */
  readonly leafPatches: Int32Array;
  readonly surfacePatches: Int32Array;
}

function planRefs(file: Quake3File, patches: readonly PatchCollide[]): Refs {
  const { leafBrushes, leafSurfaces, surfaces } = file;
  let first = file.brushes.count;
  let end = 0;
  for (const { firstBrush, numBrushes } of file.models.slice(1)) {
    if (numBrushes === 0) continue;
    first = Math.min(first, firstBrush);
    end = Math.max(end, firstBrush + numBrushes);
  }
  const brushes = new Int32Array(leafBrushes.length + Math.max(end - first, 0));
  brushes.set(leafBrushes);
  for (let k = leafBrushes.length, brush = first; k < brushes.length; k++) brushes[k] = brush++;
  const patchOf = new Int32Array(surfaces.length).fill(-1);
  for (const [number, patch] of patches.entries()) patchOf[patch.surface] = number;
  const inLeafs = leafSurfaces.map((surface) => patchOf[surface]!);
  const leafPatches = countPatches(inLeafs, 0);
  const listed = leafPatches[inLeafs.length]!;
  const references = new Int32Array(listed + patches.length);
  for (let k = 0; k < inLeafs.length; k++) {
    if (inLeafs[k]! >= 0) references[leafPatches[k]!] = inLeafs[k]!;
  }
  for (let patch = 0; patch < patches.length; patch++) references[listed + patch] = patch;
  return {
    brushes,
    modelBrushes: leafBrushes.length - first,
    patches: references,
    leafPatches,
    surfacePatches: countPatches(patchOf, listed),
  };
}

/** For each place, and for the end, `count` plus how many numbers before it are those of patches. */
function countPatches(numbers: Int32Array, count: number): Int32Array {
  const counts = new Int32Array(numbers.length + 1);
  for (let k = 0; k < numbers.length; k++) {
    counts[k] = count;
    if (numbers[k]! >= 0) count++;
  }
  counts[numbers.length] = count;
  return counts;
}

const refAt = (places: Places, k: number): number => places.brushRefs.first + REF_WORDS * k;

function writeRefs({ file, ints, floats, places }: Target, refs: Refs): void {
  const { brushes, sides, planes, shaders } = file;
  for (let k = 0; k < refs.brushes.length; k++) {
    const at = refAt(places, k);
    const brush = refs.brushes[k]!;
    const first = brushes.firstSides[brush]!;
    for (let side = 0; side < 6; side++) {
      // The engine ignores the normals of these sides. A brush without sides borrows those that follow, as in the engine; past
      // the end there is nothing to borrow.
      floats[at + side] = first + side < sides.count ? planes.dists[sides.planes[first + side]!]! : 0;
    }
    ints[at + REF_CONTENTS] = shaders[brushes.shaders[brush]!]!.contents;
    ints[at + REF_BRUSH] = brush;
  }
  for (let k = 0; k < refs.patches.length; k++) {
    ints[places.patchRefs.first + k] = places.patches.first + PATCH_WORDS * refs.patches[k]!;
  }
}

/** Writes the list of a leaf or model: ranges of brush and patch references. */
function writeList(
  { ints, places }: Target,
  at: number,
  firstBrush: number,
  numBrushes: number,
  firstPatch: number,
  endPatch: number,
): void {
  ints[at + LIST_BRUSHES] = refAt(places, firstBrush);
  ints[at + LIST_NUM_BRUSHES] = numBrushes;
  ints[at + LIST_PATCHES] = places.patchRefs.first + firstPatch;
  ints[at + LIST_NUM_PATCHES] = endPatch - firstPatch;
}

function writeLeafs(target: Target, { leafPatches }: Refs): void {
  const { file, ints, places } = target;
  const { leafs } = file;
  for (let leaf = 0; leaf < leafs.count; leaf++) {
    const at = leafAt(places, leaf);
    const surface = leafs.firstSurfaces[leaf]!;
    const numSurfaces = leafs.numSurfaces[leaf]!;
    const numBrushes = leafs.numBrushes[leaf]!;
    const firstPatch = leafPatches[surface]!;
    writeList(
      target,
      at,
      leafs.firstBrushes[leaf]!,
      numBrushes,
      firstPatch,
      leafPatches[surface + numSurfaces]!,
    );
    ints[at + LEAF_CLUSTER] = leafs.clusters[leaf]!;
    ints[at + LEAF_AREA] = leafs.areas[leaf]!;
    ints[at + LEAF_SURFACES] = surface;
    ints[at + LEAF_NUM_SURFACES] = numSurfaces;
    clearBounds(target, at);
    for (let k = 0, ref = ints[at + LIST_BRUSHES]!; k < numBrushes; k++, ref += REF_WORDS) {
      widenBounds(target, at, ref, ints[ref + REF_CONTENTS]!);
    }
    for (let k = 0; k < ints[at + LIST_NUM_PATCHES]!; k++) {
      const patch = ints[ints[at + LIST_PATCHES]! + k]!;
      widenBounds(target, at, patch, ints[patch + PATCH_CONTENTS]!);
    }
  }
}

function writeModels(target: Target, { modelBrushes, surfacePatches }: Refs): void {
  const { file, ints, floats, places } = target;
  for (const [k, model] of file.models.entries()) {
    const { mins, maxs, firstSurface, numSurfaces, firstBrush, numBrushes } = model;
    const at = places.models.first + MODEL_WORDS * k;
    for (let axis = 0; axis < 3; axis++) {
      // The engine widens every model by one unit when it loads a map.
      floats[at + axis] = mins[axis]! - 1;
      floats[at + 3 + axis] = maxs[axis]! + 1;
    }
    ints[at + MODEL_SURFACES] = firstSurface;
    ints[at + MODEL_NUM_SURFACES] = numSurfaces;
    // The world is found through its tree, so only inline models list what they hold.
    if (k === 0) continue;
    const firstPatch = surfacePatches[firstSurface]!;
    const endPatch = surfacePatches[firstSurface + numSurfaces]!;
    writeList(target, at + MODEL_LIST, modelBrushes + firstBrush, numBrushes, firstPatch, endPatch);
  }
}

/** Whether the first six sides of a brush face -X, +X, -Y, +Y, -Z and +Z exactly, as compilers make them. */
function isAxial({ brushes, sides, planes }: Quake3File, brush: number): boolean {
  for (let k = 0; k < 6; k++) {
    const plane = sides.planes[brushes.firstSides[brush]! + k]!;
    for (let axis = 0; axis < 3; axis++) {
      const expected = axis === k >> 1 ? (k % 2 === 0 ? -1 : 1) : 0;
      if (planes.normals[3 * plane + axis] !== expected) return false;
    }
  }
  return true;
}

function writeBrushes({ file, ints, floats, places }: Target): void {
  const { brushes, sides, planes, shaders } = file;
  for (let k = 0, at = places.brushes.first; k < brushes.count; k++, at += BRUSH_WORDS) {
    const numSides = brushes.numSides[k]!;
    ints[at] = places.sides.first + SIDE_WORDS * brushes.firstSides[k]!;
    ints[at + NUM_SIDES] = numSides;
    ints[at + BRUSH_CONTENTS] = shaders[brushes.shaders[k]!]!.contents;
    ints[at + BRUSH_AXIAL] = numSides > 0 && isAxial(file, k) ? 1 : 0;
  }
  for (let k = 0, at = places.sides.first; k < sides.count; k++, at += SIDE_WORDS) {
    const plane = sides.planes[k]!;
    floats[at] = planes.normals[3 * plane]!;
    floats[at + 1] = planes.normals[3 * plane + 1]!;
    floats[at + 2] = planes.normals[3 * plane + 2]!;
    floats[at + SIDE_DIST] = planes.dists[plane]!;
    ints[at + SIDE_PLANE] = plane;
    ints[at + SIDE_SHADER] = sides.shaders[k]!;
  }
  for (const [k, { surfaceFlags, contents }] of shaders.entries()) {
    ints.set([surfaceFlags, contents], places.shaders.first + SHADER_WORDS * k);
  }
}

function writePatches(target: Target, patches: readonly PatchCollide[]): void {
  const { ints, floats, places } = target;
  let plane = places.patchPlanes.first;
  let facetAt = places.facets.first;
  let side = places.facetSides.first;
  for (const [number, patch] of patches.entries()) {
    const at = places.patches.first + PATCH_WORDS * number;
    const { surface, shader, contents, surfaceFlags, mins, maxs, planes, facets } = patch;
    for (let k = 0; k < 3; k++) {
      floats[at + 2 * k] = -mins[k]!;
      floats[at + 2 * k + 1] = maxs[k]!;
    }
    const [numPlanes, numFacets] = [planes.length, facets.length];
    ints.set(
      [contents, surfaceFlags, plane, numPlanes, facetAt, numFacets, surface, shader, number],
      at + PATCH_CONTENTS,
    );
    for (let k = 0; k < planes.length; k++, plane += PLANE_WORDS) floats.set(planes[k]!, plane);
    for (let k = 0; k < facets.length; k++, facetAt += FACET_WORDS) {
      writeFacet(target, facetAt, side, facets[k]!, planes);
      side += SIDE_WORDS * (1 + facets[k]!.borders.length);
    }
  }
}

function writeFacet(
  { ints, floats }: Target,
  at: number,
  first: number,
  { plane, borders }: PatchFacet,
  planes: readonly Plane4[],
): void {
  ints.set([first, 1 + borders.length], at);
  floats.set(planes[plane]!, first);
  ints[first + SIDE_PLANE] = plane;
  floats.fill(Number.POSITIVE_INFINITY, at + FACET_BOUNDS, at + FACET_WORDS);
  let side = first;
  for (let k = 0; k < borders.length; k++) {
    side += SIDE_WORDS;
    const { plane, inward } = borders[k]!;
    const turn = inward ? -1 : 1;
    const own = planes[plane]!;
    const x = own[0];
    const y = own[1];
    const z = own[2];
    floats[side] = turn * x;
    floats[side + 1] = turn * y;
    floats[side + 2] = turn * z;
    // The engine adds a reach of 0 or more, which turns -0 into 0.
    floats[side + SIDE_DIST] = turn * own[3] + 0;
    ints[side + SIDE_PLANE] = inward ? -1 - plane : plane;
    const axis = axisOf(x, y, z);
    if (axis < 0) continue;
    const bound = at + FACET_BOUNDS + 2 * axis + (floats[side + axis]! > 0 ? 1 : 0);
    floats[bound] = Math.min(floats[bound]!, floats[side + SIDE_DIST]!);
  }
}

/** The axis along which a unit vector runs; -1 for any other vector. */
function axisOf(x: number, y: number, z: number): number {
  if (y === 0 && z === 0) return Math.abs(x) === 1 ? 0 : -1;
  if (x !== 0) return -1;
  if (z === 0) return Math.abs(y) === 1 ? 1 : -1;
  return y === 0 && Math.abs(z) === 1 ? 2 : -1;
}

function writeSurfaces({ file, ints, floats, places }: Target): void {
  ints.set(file.leafSurfaces, places.leafSurfaces.first);
  floats.set(file.vertexes.positions, places.vertexes.first);
  ints.set(file.indexes, places.indexes.first);
  for (let k = 0; k < file.surfaces.length; k++) {
    const { type, shader, firstVertex, numVertexes, firstIndex, numIndexes, patchWidth, patchHeight } =
      file.surfaces[k]!;
    ints.set(
      [type, shader, firstVertex, numVertexes, firstIndex, numIndexes, patchWidth, patchHeight],
      places.surfaces.first + SURFACE_WORDS * k,
    );
  }
}
