import type { WorldMemory } from '../kernel/memory.ts';
import {
  BOUNDS_WORD,
  BRUSH_AXIAL,
  BRUSH_CONTENTS,
  BRUSH_WORDS,
  DEPTH_WORD,
  FACET_BOUNDS,
  FACET_WORDS,
  LEAF_WORDS,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  LIST_NUM_PATCHES,
  LIST_PATCHES,
  MODEL_LIST,
  MODEL_WORDS,
  NUM_SIDES,
  PATCH_CONTENTS,
  PATCH_FACETS as PATCH_FACETS_WORD,
  PATCH_FLAGS as PATCH_FLAGS_WORD,
  PATCH_NUM_FACETS as PATCH_NUM_FACETS_WORD,
  PATCH_SHADER as PATCH_SHADER_WORD,
  PATCH_SURFACE as PATCH_SURFACE_WORD,
  PATCH_WORDS,
  REF_BRUSH,
  REF_WORDS,
  ROOT_WORD,
  SHADER_WORDS,
  SIDE_DIST,
  SIDE_PLANE,
  SIDE_SHADER,
  SIDE_WORDS,
} from '../layout.ts';
import {
  BLOCK_BYTES,
  BRUSH_BLOCKS,
  BRUSH_FIRST_BLOCKS,
  BRUSH_NUMBER,
  BRUSH_POINT_CONTENTS,
  BRUSH_SIDE,
  FACET_BYTES,
  FRAME_BYTES,
  GRID,
  LIST_BRUSH_BYTES,
  LIST_HEADER,
  LIST_PATCH_BYTES,
  NODE_BYTES,
  PATCH_FACETS,
  PATCH_FLAGS,
  PATCH_NUM_FACETS,
  PATCH_SHADER,
  PATCH_SURFACE,
  PLANES_BYTES,
  PLANES_HEADER,
  PLANES_TURN,
  RECORD_BYTES,
  RECORD_CONTENTS,
  RECORD_LENGTH,
  REF_ADDRESS,
  REF_BYTES,
  SHADER_STRIDE,
  SHADERS,
  SIDE_BYTES,
  SIDE_STRIDE,
  SIDES,
  SIX_SIDES,
  STACK,
  STAMPED,
  STAMPED_END,
} from './layout.ts';

// Writes the hot section: the world's buffer once more, in the order and form in which the WebAssembly kernel reads it.
// Its first traces wait for this, so it is loops over typed arrays, which are fast before V8 has compiled them.

/** Where things go in the kernel's memory: byte addresses, by their numbers in the world's buffer. */
export interface HotPlan {
  readonly bytes: number;
  readonly brushes: Int32Array;
  readonly patches: Int32Array;
  /** Facets' planes, of all patches together. */
  readonly planes: Int32Array;
  /** Surfaces of each patch, then its facets. */
  readonly surfaces: Int32Array;
  readonly facets: Int32Array;
  /** Lists of the models. */
  readonly models: Int32Array;
  readonly nodes: number;
  /** The first byte after the nodes: lists of leafs. */
  readonly lists: number;
  readonly sides: number;
  readonly shaders: number;
}

/** Lays the hot section of a world out. */
export function planHot({ ints, places }: WorldMemory): HotPlan {
  let at = (STACK + FRAME_BYTES * (ints[DEPTH_WORD]! + 1) + 63) & -64;
  const nodes = at;
  at += (NODE_BYTES + PLANE_BYTES + 2 * SIDE_BYTES) * places.nodes.count;
  const lists = at;
  const listBytes = (list: number): number =>
    LIST_HEADER + REF_BYTES * (ints[list + LIST_NUM_BRUSHES]! + ints[list + LIST_NUM_PATCHES]!);
  const firstLeaf = places.leafs.first;
  const endLeaf = firstLeaf + LEAF_WORDS * places.leafs.count;
  for (let leaf = firstLeaf; leaf < endLeaf; leaf += LEAF_WORDS) at += listBytes(leaf);
  const models = new Int32Array(places.models.count);
  for (let model = 1; model < models.length; model++) {
    models[model] = at;
    at += listBytes(places.models.first + MODEL_WORDS * model + MODEL_LIST);
  }
  at = (at + 63) & -64;
  const brushes = new Int32Array(places.brushes.count + 1);
  for (let brush = 0; brush < places.brushes.count; brush++) {
    brushes[brush] = at;
    at += RECORD_BYTES + blockBytes(ints, places.brushes.first + BRUSH_WORDS * brush);
  }
  brushes[places.brushes.count] = at;
  const patches = new Int32Array(places.patches.count + 1);
  for (let patch = 0; patch <= places.patches.count; patch++) patches[patch] = at + RECORD_BYTES * patch;
  at += RECORD_BYTES * places.patches.count;
  const planes = new Int32Array(places.facets.count);
  const firstFacet = places.facets.first;
  const surfaces = new Int32Array(places.patches.count);
  const facets = new Int32Array(places.patches.count);
  for (let patch = 0; patch < places.patches.count; patch++) {
    const place = places.patches.first + PATCH_WORDS * patch;
    const count = ints[place + PATCH_NUM_FACETS_WORD]!;
    surfaces[patch] = at;
    at += BLOCK_BYTES * Math.ceil(count / 4);
    facets[patch] = at;
    at += FACET_BYTES * count;
    const first = ints[place + PATCH_FACETS_WORD]!;
    for (let k = 0; k < count; k++) {
      const facet = first + FACET_WORDS * k;
      planes[(facet - firstFacet) / FACET_WORDS] = at;
      at += PLANES_HEADER + PLANES_BYTES * ((ints[facet + NUM_SIDES]! + 3) >> 2);
    }
  }
  const sides = at;
  // With one that is 0 throughout before the first.
  const shaders = sides + SIDE_STRIDE * places.sides.count + SHADER_STRIDE;
  // With room for the world's nodes and leafs: see writeTree.
  const staged = firstLeaf - places.nodes.first + LEAF_WORDS * places.leafs.count;
  at = Math.max(shaders + SHADER_STRIDE * places.shaders.count, lists + 4 * staged);
  return { bytes: at, brushes, patches, planes, surfaces, facets, models, nodes, lists, sides, shaders };
}

/** A node's plane is a vector. */
const PLANE_BYTES = 16;

/** Bytes of a brush's blocks. */
function blockBytes(ints: Int32Array, brush: number): number {
  const count = ints[brush + NUM_SIDES]!;
  if (count === 0) return 0;
  return (ints[brush + BRUSH_AXIAL] ? 0 : SIX_SIDES) + BLOCK_BYTES * ((count - 6 + 3) >> 2);
}

/** The kernel's memory, seen as numbers of each kind. */
export interface HotViews {
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly shorts: Int16Array;
}

/** What the writer works with. */
interface Writer extends HotViews {
  readonly world: WorldMemory;
  /** The world's buffer as numbers. */
  readonly from: Float32Array;
  readonly plan: HotPlan;
  /** Reciprocal of the step of quantised bounds. */
  readonly grid: number;
  /** References of brushes and patches, four words each; those of brushes as they are first met. */
  readonly brushRefs: Int32Array;
  readonly patchRefs: Int32Array;
  /** The quantised bounds in them. */
  readonly brushShorts: Int16Array;
  readonly patchShorts: Int16Array;
}

/** The kernel's export that writes the tree from the world's nodes and leafs, staged at an address. */
export interface TreeWriter {
  writeTree(
    lists: number,
    first: number,
    count: number,
    firstLeaf: number,
    numLeafs: number,
    root: number,
  ): void;
}

/** Writes the hot section of a world as planned into fresh memory. */
export function writeHot(world: WorldMemory, plan: HotPlan, views: HotViews, exports: TreeWriter): void {
  const grid = gridOf(world);
  const { ints, floats, shorts } = views;
  const { places } = world;
  const brushRefs = new Int32Array(4 * places.brushes.count);
  const patchRefs = new Int32Array(4 * places.patches.count);
  const from = world.floats;
  const brushShorts = new Int16Array(brushRefs.buffer);
  const patchShorts = new Int16Array(patchRefs.buffer);
  const refs = { brushRefs, patchRefs, brushShorts, patchShorts };
  const writer: Writer = { ints, floats, shorts, world, from, plan, grid, ...refs };
  floats[GRID >> 2] = grid;
  ints[STAMPED >> 2] = plan.brushes[0]!;
  ints[STAMPED_END >> 2] = plan.patches[places.patches.count]!;
  ints[SIDES >> 2] = plan.sides;
  ints[SHADERS >> 2] = plan.shaders;
  if (places.nodes.count > 0) writeTree(writer, exports);
  const { sides, shaders } = places;
  ints.set(world.ints.subarray(sides.first, sides.first + SIDE_WORDS * sides.count), plan.sides >> 2);
  ints.set(
    world.ints.subarray(shaders.first, shaders.first + SHADER_WORDS * shaders.count),
    plan.shaders >> 2,
  );
  writeBrushes(writer);
  writePatches(writer);
  for (let model = 1; model < places.models.count; model++) {
    writeList(writer, places.models.first + MODEL_WORDS * model + MODEL_LIST, plan.models[model]!);
  }
  let list = plan.lists;
  for (let leaf = 0, at = places.leafs.first; leaf < places.leafs.count; leaf++, at += LEAF_WORDS) {
    list += writeList(writer, at, list);
  }
}

/** The finest grid of a power of two on which 16 bits reach all that is in the tree. */
function gridOf({ ints, floats, places }: WorldMemory): number {
  let most = 1;
  if (places.nodes.count > 0) {
    for (let k = 0; k < 6; k++) {
      const bound = Math.abs(floats[ints[ROOT_WORD]! + BOUNDS_WORD + k]!);
      if (bound > most && bound < Infinity) most = bound;
    }
  }
  let grid = 1;
  while (most * grid > 32767) grid /= 2;
  while (most * grid * 2 <= 32767) grid *= 2;
  return grid;
}

/** Rounds six distances outward to the grid. */
function quantise(shorts: Int16Array, at: number, from: Float32Array, place: number, grid: number): void {
  // Written out: loops take longer before V8 has compiled them, and that is when this runs.
  shorts[at] = steps(from[place]! * grid);
  shorts[at + 1] = steps(from[place + 2]! * grid);
  shorts[at + 2] = steps(from[place + 4]! * grid);
  shorts[at + 3] = steps(from[place + 1]! * grid);
  shorts[at + 4] = steps(from[place + 3]! * grid);
  shorts[at + 5] = steps(from[place + 5]! * grid);
}

function steps(distance: number): number {
  return distance > 32767 ? 32767 : distance < -32768 ? -32768 : Math.ceil(distance);
}

/** Exact bounds of a record; the spare lanes meet everything. */
function writeBounds({ floats, from }: Writer, to: number, place: number): void {
  const at = to >> 2;
  floats[at] = from[place]!;
  floats[at + 1] = from[place + 2]!;
  floats[at + 2] = from[place + 4]!;
  floats[at + 3] = Infinity;
  floats[at + 4] = from[place + 1]!;
  floats[at + 5] = from[place + 3]!;
  floats[at + 6] = from[place + 5]!;
  floats[at + 7] = Infinity;
}

/** Puts `count` sides into blocks of this many bytes, four each; lanes to spare are behind everything. */
function writeSides(
  { floats, from }: Writer,
  blocks: number,
  bytes: number,
  side: number,
  count: number,
): void {
  const words = bytes >> 2;
  for (let k = 0, at = blocks >> 2; k < count; k++, side += SIDE_WORDS) {
    floats[at] = from[side]!;
    floats[at + 4] = from[side + 1]!;
    floats[at + 8] = from[side + 2]!;
    floats[at + 12] = from[side + SIDE_DIST]!;
    at += (k & 3) === 3 ? words - 3 : 1;
  }
  spareLanes(floats, blocks, bytes, count);
}

/** The rest of the last block. Memory is zero, so their normals are. */
function spareLanes(floats: Float32Array, blocks: number, bytes: number, count: number): void {
  for (let k = count; (k & 3) !== 0; k++)
    floats[((blocks + bytes * (k >> 2)) >> 2) + 12 + (k & 3)] = Infinity;
}

/** Brushes but for their bounds, which lie in references to them. */
function writeBrushes(writer: Writer): void {
  const { ints, world, plan } = writer;
  const { brushes, sides } = world.places;
  const words = world.ints;
  for (let brush = 0, place = brushes.first; brush < brushes.count; brush++, place += BRUSH_WORDS) {
    const address = plan.brushes[brush]!;
    const first = words[place]!;
    const count = words[place + NUM_SIDES]!;
    const contents = words[place + BRUSH_CONTENTS]!;
    const bytes = plan.brushes[brush + 1]! - address - RECORD_BYTES;
    const firstBytes = count > 0 && words[place + BRUSH_AXIAL] === 0 ? SIX_SIDES : 0;
    const at = address >> 2;
    ints[at + RECORD_CONTENTS / 4] = count > 0 ? contents : 0;
    ints[at + BRUSH_POINT_CONTENTS / 4] = contents;
    ints[at + BRUSH_BLOCKS / 4] = bytes;
    ints[at + BRUSH_FIRST_BLOCKS / 4] = firstBytes;
    ints[at + BRUSH_SIDE / 4] = (first - sides.first) / SIDE_WORDS;
    ints[at + BRUSH_NUMBER / 4] = brush;
    ints[at + RECORD_LENGTH / 4] = RECORD_BYTES + bytes;
    const blocks = address + RECORD_BYTES;
    if (firstBytes > 0) writeSides(writer, blocks, BLOCK_BYTES, first, 6);
    if (count > 6) writeSides(writer, blocks + firstBytes, BLOCK_BYTES, first + 6 * SIDE_WORDS, count - 6);
  }
}

function writePatches(writer: Writer): void {
  const { ints, floats, shorts, from, world, plan, patchRefs, patchShorts, grid } = writer;
  const { patches, facets } = world.places;
  const words = world.ints;
  for (let patch = 0, place = patches.first; patch < patches.count; patch++, place += PATCH_WORDS) {
    const address = plan.patches[patch]!;
    const count = words[place + PATCH_NUM_FACETS_WORD]!;
    writeBounds(writer, address, place);
    quantise(patchShorts, 8 * patch, from, place, grid);
    patchRefs[4 * patch + 3] = address;
    const at = address >> 2;
    ints[at + RECORD_CONTENTS / 4] = words[place + PATCH_CONTENTS]!;
    ints[at + PATCH_SURFACE / 4] = words[place + PATCH_SURFACE_WORD]!;
    ints[at + PATCH_SHADER / 4] = words[place + PATCH_SHADER_WORD]!;
    ints[at + PATCH_FLAGS / 4] = words[place + PATCH_FLAGS_WORD]!;
    ints[at + PATCH_NUM_FACETS / 4] = count;
    ints[at + PATCH_FACETS / 4] = plan.facets[patch]!;
    ints[at + RECORD_LENGTH / 4] = RECORD_BYTES;
    let facet = words[place + PATCH_FACETS_WORD]!;
    let to = plan.facets[patch]!;
    for (let k = 0; k < count; k++, facet += FACET_WORDS, to += FACET_BYTES) {
      const planes = plan.planes[(facet - facets.first) / FACET_WORDS]!;
      const first = words[facet]!;
      const numSides = words[facet + NUM_SIDES]!;
      quantise(shorts, to >> 1, from, facet + FACET_BOUNDS, grid);
      ints[(to + REF_ADDRESS) >> 2] = planes;
      ints[planes >> 2] = numSides;
      const surface = ((plan.surfaces[patch]! + BLOCK_BYTES * (k >> 2)) >> 2) + (k & 3);
      floats[surface] = from[first]!;
      floats[surface + 4] = from[first + 1]!;
      floats[surface + 8] = from[first + 2]!;
      floats[surface + 12] = from[first + SIDE_DIST]!;
      const blocks = planes + PLANES_HEADER;
      writeSides(writer, blocks, PLANES_BYTES, first, numSides);
      for (let n = 0, side = first + SIDE_PLANE; n < numSides; n++, side += SIDE_WORDS) {
        if (words[side]! >= 0) continue;
        ints[((blocks + PLANES_BYTES * (n >> 2) + PLANES_TURN) >> 2) + (n & 3)] = -0x80000000;
      }
    }
    spareLanes(floats, plan.surfaces[patch]!, BLOCK_BYTES, count);
  }
}

/** Writes the one brush of a box entity anew; the rest of its hot section is the same for all of them. */
export function writeBox({ floats, plan }: HotViews & { plan: HotPlan }, world: WorldMemory): void {
  const { places } = world;
  const at = plan.brushes[0]! >> 2;
  const bounds = places.brushRefs.first;
  for (let k = 0; k < 6; k++) {
    floats[at + 4 * (k & 1) + (k >> 1)] = world.floats[bounds + k]!;
    const block = (plan.brushes[0]! + RECORD_BYTES + BLOCK_BYTES * (k >> 2)) >> 2;
    const dist = world.floats[places.sides.first + SIDE_WORDS * k + SIDE_DIST]!;
    floats[block + 12 + (k & 3)] = dist;
    floats[(plan.sides >> 2) + SIDE_WORDS * k + SIDE_DIST] = dist;
  }
}

/**
 * What is the same of all box entities: quantised bounds, which are not written anew, miss nothing, and sides have no
 * plane or shader.
 */
export function openBox({ ints, shorts, plan }: HotViews & { plan: HotPlan }): void {
  const ref = (plan.models[1]! + LIST_HEADER) >> 1;
  shorts.fill(32767, ref, ref + 6);
  for (let k = 0; k < 6; k++) {
    const side = (plan.sides >> 2) + SIDE_WORDS * k;
    ints[side + SIDE_PLANE] = -1;
    ints[side + SIDE_SHADER] = -1;
  }
}

/** Writes what a leaf or model holds. Returns the bytes. */
function writeList(writer: Writer, list: number, to: number): number {
  const { ints, from, grid, world, plan, brushRefs, brushShorts, patchRefs } = writer;
  const words = world.ints;
  const first = (to + LIST_HEADER) >> 2;
  let at = first;
  let ref = words[list + LIST_BRUSHES]!;
  for (let left = words[list + LIST_NUM_BRUSHES]!; left > 0; left--, ref += REF_WORDS) {
    const brush = 4 * words[ref + REF_BRUSH]!;
    if (brushRefs[brush + 3] === 0) {
      // Bounds are the same in all references to a brush.
      const address = plan.brushes[brush >> 2]!;
      brushRefs[brush + 3] = address;
      quantise(brushShorts, 2 * brush, from, ref, grid);
      writeBounds(writer, address, ref);
    }
    ints[at] = brushRefs[brush]!;
    ints[at + 1] = brushRefs[brush + 1]!;
    ints[at + 2] = brushRefs[brush + 2]!;
    ints[at + 3] = brushRefs[brush + 3]!;
    at += 4;
  }
  ints[(to + LIST_BRUSH_BYTES) >> 2] = 4 * (at - first);
  const patches = at;
  let patchRef = words[list + LIST_PATCHES]!;
  for (let left = words[list + LIST_NUM_PATCHES]!; left > 0; left--, patchRef++) {
    const patch = (4 * (words[patchRef]! - world.places.patches.first)) / PATCH_WORDS;
    for (let k = 0; k < 4; k++) ints[at++] = patchRefs[patch + k]!;
  }
  ints[(to + LIST_PATCH_BYTES) >> 2] = 4 * (at - patches);
  return 4 * at - to;
}

/** The tree, which the kernel writes itself. What it reads stands where lists and brushes will: it comes first. */
function writeTree({ ints, world, plan }: Writer, exports: TreeWriter): void {
  const { nodes, leafs } = world.places;
  const from = world.ints.subarray(nodes.first, leafs.first + LEAF_WORDS * leafs.count);
  const staged = plan.lists >> 2;
  ints.set(from, staged);
  exports.writeTree(plan.lists, nodes.first, nodes.count, leafs.first, leafs.count, world.ints[ROOT_WORD]!);
  ints.fill(0, staged, staged + from.length);
}
