import type { WorldMemory } from '../kernel/memory.ts';
import {
  BOUNDS_WORD,
  BRUSH_AXIAL,
  BRUSH_CONTENTS,
  BRUSH_WORDS,
  CONTENTS_WORD,
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
  NODE_FRONT as NODE_FRONT_WORD,
  NODE_NORMAL,
  NODE_WORDS,
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
  ADDRESS_MASK,
  BLOCK_BYTES,
  BRUSH_BLOCKS,
  BRUSH_FIRST_BLOCKS,
  BRUSH_NUMBER,
  BRUSH_POINT_CONTENTS,
  BRUSH_SIDE,
  EMPTY_BIT,
  EMPTY_NODE_BIT,
  FACET_BYTES,
  FRAME_BYTES,
  GRID,
  LEAF_BIT,
  LIST_BRUSH_BYTES,
  LIST_HEADER,
  LIST_PATCH_BYTES,
  NODE_BYTES,
  NODE_DIST,
  NODE_FRONT,
  NODE_PLANES,
  NODE_SIDES,
  NODE_TYPE,
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
  ROOT,
  SHADER_STRIDE,
  SHADERS,
  SIDE_BYTES,
  SIDE_CONTENTS,
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
  at = shaders + SHADER_STRIDE * places.shaders.count;
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
  /** References of brushes and patches, four words each. */
  readonly brushRefs: Int32Array;
  readonly patchRefs: Int32Array;
}

/** Writes the hot section of a world as planned into fresh memory. */
export function writeHot(world: WorldMemory, plan: HotPlan, views: HotViews): void {
  const grid = gridOf(world);
  const { ints, floats, shorts } = views;
  const { places } = world;
  const brushRefs = new Int32Array(4 * places.brushes.count);
  const patchRefs = new Int32Array(4 * places.patches.count);
  const from = world.floats;
  const writer: Writer = { ints, floats, shorts, world, from, plan, grid, brushRefs, patchRefs };
  floats[GRID >> 2] = grid;
  ints[STAMPED >> 2] = plan.brushes[0]!;
  ints[STAMPED_END >> 2] = plan.patches[places.patches.count]!;
  ints[SIDES >> 2] = plan.sides;
  ints[SHADERS >> 2] = plan.shaders;
  const { sides, shaders } = places;
  ints.set(world.ints.subarray(sides.first, sides.first + SIDE_WORDS * sides.count), plan.sides >> 2);
  ints.set(
    world.ints.subarray(shaders.first, shaders.first + SHADER_WORDS * shaders.count),
    plan.shaders >> 2,
  );
  for (let brush = 0; brush < places.brushes.count; brush++) writeBrush(writer, brush);
  writeBrushBounds(writer);
  for (let patch = 0; patch < places.patches.count; patch++) writePatch(writer, patch);
  for (let model = 1; model < places.models.count; model++) {
    writeList(writer, places.models.first + MODEL_WORDS * model + MODEL_LIST, plan.models[model]!);
  }
  if (places.nodes.count > 0) writeTree(writer);
}

/** Bounds of brushes lie in their references, the same in each: in the world's buffer, and here, quantised. */
function writeBrushBounds(writer: Writer): void {
  const { from, world, plan, brushRefs, grid } = writer;
  const shorts = new Int16Array(brushRefs.buffer);
  const { brushRefs: refs } = world.places;
  const end = refs.first + REF_WORDS * refs.count;
  for (let ref = refs.first; ref < end; ref += REF_WORDS) {
    const brush = world.ints[ref + REF_BRUSH]!;
    if (brushRefs[4 * brush + 3] !== 0) continue;
    brushRefs[4 * brush + 3] = plan.brushes[brush]!;
    quantise(shorts, 8 * brush, from, ref, grid);
    writeBounds(writer, plan.brushes[brush]!, ref);
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

/** Puts `count` sides into blocks of so many bytes, four each; lanes to spare are behind everything. */
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

function writeBrush(writer: Writer, brush: number): void {
  const { ints, world, plan } = writer;
  const { places } = world;
  const place = places.brushes.first + BRUSH_WORDS * brush;
  const at = plan.brushes[brush]!;
  const first = world.ints[place]!;
  const count = world.ints[place + NUM_SIDES]!;
  const bytes = blockBytes(world.ints, place);
  const firstBytes = count > 0 && !world.ints[place + BRUSH_AXIAL] ? SIX_SIDES : 0;
  const contents = world.ints[place + BRUSH_CONTENTS]!;
  ints[(at + RECORD_CONTENTS) >> 2] = count > 0 ? contents : 0;
  ints[(at + BRUSH_POINT_CONTENTS) >> 2] = contents;
  ints[(at + BRUSH_BLOCKS) >> 2] = bytes;
  ints[(at + BRUSH_FIRST_BLOCKS) >> 2] = firstBytes;
  ints[(at + BRUSH_SIDE) >> 2] = (first - places.sides.first) / SIDE_WORDS;
  ints[(at + BRUSH_NUMBER) >> 2] = brush;
  ints[(at + RECORD_LENGTH) >> 2] = RECORD_BYTES + bytes;
  const blocks = at + RECORD_BYTES;
  if (firstBytes > 0) writeSides(writer, blocks, BLOCK_BYTES, first, 6);
  if (count > 6) writeSides(writer, blocks + firstBytes, BLOCK_BYTES, first + 6 * SIDE_WORDS, count - 6);
}

function writePatch(writer: Writer, patch: number): void {
  const { ints, world, plan, patchRefs, grid } = writer;
  const place = world.places.patches.first + PATCH_WORDS * patch;
  const at = plan.patches[patch]!;
  const count = world.ints[place + PATCH_NUM_FACETS_WORD]!;
  writeBounds(writer, at, place);
  quantise(new Int16Array(patchRefs.buffer), 8 * patch, world.floats, place, grid);
  patchRefs[4 * patch + 3] = at;
  ints[(at + RECORD_CONTENTS) >> 2] = world.ints[place + PATCH_CONTENTS]!;
  ints[(at + PATCH_SURFACE) >> 2] = world.ints[place + PATCH_SURFACE_WORD]!;
  ints[(at + PATCH_SHADER) >> 2] = world.ints[place + PATCH_SHADER_WORD]!;
  ints[(at + PATCH_FLAGS) >> 2] = world.ints[place + PATCH_FLAGS_WORD]!;
  ints[(at + PATCH_NUM_FACETS) >> 2] = count;
  ints[(at + PATCH_FACETS) >> 2] = plan.facets[patch]!;
  ints[(at + RECORD_LENGTH) >> 2] = RECORD_BYTES;
  const first = world.ints[place + PATCH_FACETS_WORD]!;
  for (let k = 0; k < count; k++) writeFacet(writer, patch, k, first + FACET_WORDS * k);
  spareLanes(writer.floats, plan.surfaces[patch]!, BLOCK_BYTES, count);
}

function writeFacet(writer: Writer, patch: number, number: number, facet: number): void {
  const { ints, floats, from, world, plan } = writer;
  const at = plan.facets[patch]! + FACET_BYTES * number;
  const planes = plan.planes[(facet - world.places.facets.first) / FACET_WORDS]!;
  const first = world.ints[facet]!;
  const count = world.ints[facet + NUM_SIDES]!;
  quantise(writer.shorts, at >> 1, from, facet + FACET_BOUNDS, writer.grid);
  ints[(at + REF_ADDRESS) >> 2] = planes;
  ints[planes >> 2] = count;
  const surface = ((plan.surfaces[patch]! + BLOCK_BYTES * (number >> 2)) >> 2) + (number & 3);
  floats[surface] = from[first]!;
  floats[surface + 4] = from[first + 1]!;
  floats[surface + 8] = from[first + 2]!;
  floats[surface + 12] = from[first + SIDE_DIST]!;
  const blocks = planes + PLANES_HEADER;
  writeSides(writer, blocks, PLANES_BYTES, first, count);
  for (let k = 0, side = first + SIDE_PLANE; k < count; k++, side += SIDE_WORDS) {
    if (world.ints[side]! >= 0) continue;
    ints[((blocks + PLANES_BYTES * (k >> 2) + PLANES_TURN) >> 2) + (k & 3)] = -0x80000000;
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
function writeList({ ints, world, brushRefs, patchRefs }: Writer, list: number, to: number): number {
  const first = (to + LIST_HEADER) >> 2;
  const from = world.ints;
  let at = first;
  let ref = from[list + LIST_BRUSHES]! + REF_BRUSH;
  for (let left = from[list + LIST_NUM_BRUSHES]!; left > 0; left--, ref += REF_WORDS) {
    const brush = 4 * from[ref]!;
    ints[at] = brushRefs[brush]!;
    ints[at + 1] = brushRefs[brush + 1]!;
    ints[at + 2] = brushRefs[brush + 2]!;
    ints[at + 3] = brushRefs[brush + 3]!;
    at += 4;
  }
  ints[(to + LIST_BRUSH_BYTES) >> 2] = 4 * (at - first);
  const patches = at;
  let patchRef = from[list + LIST_PATCHES]!;
  for (let left = from[list + LIST_NUM_PATCHES]!; left > 0; left--, patchRef++) {
    const patch = (4 * (from[patchRef]! - world.places.patches.first)) / PATCH_WORDS;
    for (let k = 0; k < 4; k++) ints[at++] = patchRefs[patch + k]!;
  }
  ints[(to + LIST_PATCH_BYTES) >> 2] = 4 * (at - patches);
  return 4 * at - to;
}

/** Nodes in the order in which walks come to them, fronts first; what is empty below them last. */
function writeTree(writer: Writer): void {
  const { ints, shorts, from, grid, world, plan } = writer;
  const { places } = world;
  const leafAddresses = new Int32Array(places.leafs.count);
  let nextList = plan.lists;
  for (let leaf = 0; leaf < places.leafs.count; leaf++) {
    const bytes = writeList(writer, places.leafs.first + LEAF_WORDS * leaf, nextList);
    const empty = bytes === LIST_HEADER;
    leafAddresses[leaf] = nextList | LEAF_BIT | (empty ? EMPTY_BIT : 0);
    nextList += bytes;
  }
  // Whether a node is empty is known from what is below it; children may stand anywhere in the file.
  const addresses = new Int32Array(places.nodes.count);
  const addressOf = (child: number): number =>
    child < 0
      ? leafAddresses[(-child - places.leafs.first) / LEAF_WORDS]!
      : addresses[(child - places.nodes.first) / NODE_WORDS]!;
  const root = world.ints[ROOT_WORD]!;
  const order: number[] = [];
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    order.push(node);
    for (let side = 1; side >= 0; side--) {
      const child = world.ints[node + NODE_FRONT_WORD + side]!;
      if (child >= 0) stack.push(child);
    }
  }
  for (let k = order.length - 1; k >= 0; k--) {
    const node = order[k]!;
    const empty =
      addressOf(world.ints[node + NODE_FRONT_WORD]!) &
      addressOf(world.ints[node + NODE_FRONT_WORD + 1]!) &
      EMPTY_BIT;
    addresses[(node - places.nodes.first) / NODE_WORDS] = empty;
  }
  const planes = NODE_BYTES * places.nodes.count;
  const sides = plan.nodes + planes + PLANE_BYTES * places.nodes.count - 2 * plan.nodes;
  ints[NODE_PLANES >> 2] = planes;
  ints[NODE_SIDES >> 2] = sides;
  let next = plan.nodes;
  for (let empty = 0; empty < 2; empty++) {
    for (const node of order) {
      const number = (node - places.nodes.first) / NODE_WORDS;
      if (addresses[number] !== empty) continue;
      addresses[number] = empty ? next | LEAF_BIT | EMPTY_BIT | EMPTY_NODE_BIT : next;
      next += NODE_BYTES;
    }
  }
  for (const node of order) {
    const address = addressOf(node) & ADDRESS_MASK;
    const at = address >> 2;
    const type = world.ints[node]!;
    const plane = (address + planes) >> 2;
    for (let k = 0; k < 4; k++) ints[plane + k] = world.ints[node + NODE_NORMAL + k]!;
    ints[at + NODE_DIST / 4] = ints[plane + 3]!;
    ints[at + NODE_TYPE / 4] = 4 * type;
    for (let side = 0; side < 2; side++) {
      const child = world.ints[node + NODE_FRONT_WORD + side]!;
      const place = child < 0 ? -child : child;
      const to = 2 * address + sides + SIDE_BYTES * side;
      quantise(shorts, to >> 1, from, place + BOUNDS_WORD, grid);
      ints[(to + SIDE_CONTENTS) >> 2] = world.ints[place + CONTENTS_WORD]!;
      ints[at + NODE_FRONT / 4 + side] = addressOf(child);
    }
  }
  ints[ROOT >> 2] = addressOf(root);
}
