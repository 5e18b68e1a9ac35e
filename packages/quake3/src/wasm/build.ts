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
  PATCH_WORDS,
  REF_BRUSH,
  REF_WORDS,
  ROOT_WORD,
  SIDE_DIST,
  SIDE_PLANE,
  SIDE_WORDS,
} from '../layout.ts';
import {
  ADDRESS_MASK,
  BLOCK_BYTES,
  BRUSH_BLOCKS,
  BRUSH_FIRST_BLOCKS,
  BRUSH_NUMBER,
  BRUSH_SIDE,
  CHILD_ADDRESS,
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
  NODE_FRONT,
  NODE_FRONT_CONTENTS,
  NODE_TYPE,
  PATCH_FACETS,
  PATCH_FLAGS,
  PATCH_NUM_FACETS,
  PATCH_PLACE,
  PATCH_SURFACES,
  PLANES_BYTES,
  PLANES_HEADER,
  PLANES_TURN,
  RECORD_BYTES,
  RECORD_CONTENTS,
  RECORD_LENGTH,
  REF_BYTES,
  ROOT,
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
}

/** Lays the hot section of a world out. */
export function planHot({ ints, places }: WorldMemory): HotPlan {
  let at = (STACK + FRAME_BYTES * (ints[DEPTH_WORD]! + 1) + 63) & -64;
  const nodes = at;
  at += NODE_BYTES * places.nodes.count;
  const lists = at;
  const listBytes = (list: number): number =>
    LIST_HEADER + REF_BYTES * (ints[list + LIST_NUM_BRUSHES]! + ints[list + LIST_NUM_PATCHES]!);
  for (let leaf = 0; leaf < places.leafs.count; leaf++)
    at += listBytes(places.leafs.first + LEAF_WORDS * leaf);
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
      planes[(facet - places.facets.first) / FACET_WORDS] = at;
      at += PLANES_HEADER + PLANES_BYTES * ((ints[facet + NUM_SIDES]! + 3) >> 2);
    }
  }
  return { bytes: at, brushes, patches, planes, surfaces, facets, models, nodes, lists };
}

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
  readonly plan: HotPlan;
  /** Reciprocal of the step of quantised bounds. */
  readonly grid: number;
}

/** Writes the hot section of a world as planned into fresh memory. */
export function writeHot(world: WorldMemory, plan: HotPlan, views: HotViews): void {
  const grid = gridOf(world);
  const writer: Writer = { ...views, world, plan, grid };
  const { ints, floats } = views;
  const { places } = world;
  floats[GRID >> 2] = grid;
  ints[STAMPED >> 2] = plan.brushes[0]!;
  ints[STAMPED_END >> 2] = plan.patches[places.patches.count]!;
  for (let brush = 0; brush < places.brushes.count; brush++) writeBrush(writer, brush);
  // Bounds of brushes lie in their references.
  for (let k = 0; k < places.brushRefs.count; k++) {
    const ref = places.brushRefs.first + REF_WORDS * k;
    writeBounds(writer, plan.brushes[world.ints[ref + REF_BRUSH]!]!, ref);
  }
  for (let patch = 0; patch < places.patches.count; patch++) writePatch(writer, patch);
  for (let model = 1; model < places.models.count; model++) {
    writeList(writer, places.models.first + MODEL_WORDS * model + MODEL_LIST, plan.models[model]!);
  }
  if (places.nodes.count > 0) writeTree(writer);
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

/** Order of bounds in the world's buffer, as quantised bounds and records have them. */
const ORDER: readonly number[] = [0, 2, 4, 1, 3, 5];

/** Rounds six distances outward to the grid. */
function quantise({ shorts, world, grid }: Writer, to: number, from: number): void {
  for (let k = 0; k < 6; k++) {
    const steps = Math.ceil(world.floats[from + ORDER[k]!]! * grid);
    shorts[(to >> 1) + k] = steps > 32767 ? 32767 : steps < -32768 ? -32768 : steps;
  }
}

/** Exact bounds of a record; the spare lanes meet everything. */
function writeBounds({ floats, world }: Writer, to: number, from: number): void {
  const at = to >> 2;
  for (let k = 0; k < 3; k++) {
    floats[at + k] = world.floats[from + 2 * k]!;
    floats[at + 4 + k] = world.floats[from + 2 * k + 1]!;
  }
  floats[at + 3] = Infinity;
  floats[at + 7] = Infinity;
}

/** Lane `lane` of a block gets a side; -1 for a lane to spare. */
function writeSide({ floats, world }: Writer, block: number, lane: number, side: number): void {
  const at = (block >> 2) + lane;
  for (let k = 0; k < 3; k++) floats[at + 4 * k] = side < 0 ? 0 : world.floats[side + k]!;
  floats[at + 12] = side < 0 ? Infinity : world.floats[side + SIDE_DIST]!;
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
  ints[(at + RECORD_CONTENTS) >> 2] = world.ints[place + BRUSH_CONTENTS]!;
  ints[(at + BRUSH_BLOCKS) >> 2] = bytes;
  ints[(at + BRUSH_FIRST_BLOCKS) >> 2] = firstBytes;
  ints[(at + BRUSH_SIDE) >> 2] = (first - places.sides.first) / SIDE_WORDS;
  ints[(at + BRUSH_NUMBER) >> 2] = brush;
  ints[(at + RECORD_LENGTH) >> 2] = RECORD_BYTES + bytes;
  const blocks = at + RECORD_BYTES;
  for (let k = 0; k < firstBytes / BLOCK_BYTES; k++) {
    for (let lane = 0; lane < 4; lane++) {
      const side = 4 * k + lane < 6 ? first + SIDE_WORDS * (4 * k + lane) : -1;
      writeSide(writer, blocks + BLOCK_BYTES * k, lane, side);
    }
  }
  for (let block = firstBytes, side = 6; block < bytes; block += BLOCK_BYTES) {
    for (let lane = 0; lane < 4; lane++, side++) {
      writeSide(writer, blocks + block, lane, side < count ? first + SIDE_WORDS * side : -1);
    }
  }
}

function writePatch(writer: Writer, patch: number): void {
  const { ints, world, plan } = writer;
  const place = world.places.patches.first + PATCH_WORDS * patch;
  const at = plan.patches[patch]!;
  const count = world.ints[place + PATCH_NUM_FACETS_WORD]!;
  writeBounds(writer, at, place);
  ints[(at + RECORD_CONTENTS) >> 2] = world.ints[place + PATCH_CONTENTS]!;
  ints[(at + PATCH_PLACE) >> 2] = place;
  ints[(at + PATCH_FLAGS) >> 2] = world.ints[place + PATCH_FLAGS_WORD]!;
  ints[(at + PATCH_NUM_FACETS) >> 2] = count;
  ints[(at + PATCH_FACETS) >> 2] = plan.facets[patch]!;
  ints[(at + PATCH_SURFACES) >> 2] = plan.surfaces[patch]!;
  ints[(at + RECORD_LENGTH) >> 2] = RECORD_BYTES;
  const first = world.ints[place + PATCH_FACETS_WORD]!;
  for (let k = 0; k < count; k++) writeFacet(writer, patch, k, first + FACET_WORDS * k);
  for (let k = count; k % 4 !== 0; k++) {
    writeSide(writer, plan.surfaces[patch]! + BLOCK_BYTES * (k >> 2), k & 3, -1);
  }
}

function writeFacet(writer: Writer, patch: number, number: number, facet: number): void {
  const { ints, world, plan } = writer;
  const at = plan.facets[patch]! + FACET_BYTES * number;
  const planes = plan.planes[(facet - world.places.facets.first) / FACET_WORDS]!;
  const first = world.ints[facet]!;
  const count = world.ints[facet + NUM_SIDES]!;
  quantise(writer, at, facet + FACET_BOUNDS);
  ints[(at + CHILD_ADDRESS) >> 2] = planes;
  ints[planes >> 2] = count;
  writeSide(writer, plan.surfaces[patch]! + BLOCK_BYTES * (number >> 2), number & 3, first);
  for (let k = 0, block = planes + PLANES_HEADER; k < count; k += 4, block += PLANES_BYTES) {
    for (let lane = 0; lane < 4; lane++) {
      const side = k + lane < count ? first + SIDE_WORDS * (k + lane) : -1;
      writeSide(writer, block, lane, side);
      const turned = side >= 0 && world.ints[side + SIDE_PLANE]! < 0;
      ints[((block + PLANES_TURN) >> 2) + lane] = turned ? -0x80000000 : 0;
    }
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
    floats[block + 12 + (k & 3)] = world.floats[places.sides.first + SIDE_WORDS * k + SIDE_DIST]!;
  }
}

/** Lets quantised bounds of a box entity, which are not written anew, miss nothing. */
export function openBox({ shorts, plan }: HotViews & { plan: HotPlan }): void {
  const ref = (plan.models[1]! + LIST_HEADER) >> 1;
  shorts.fill(32767, ref, ref + 6);
}

/** Writes what a leaf or model holds, but for brushes without sides, which are nowhere. Returns the bytes. */
function writeList(writer: Writer, list: number, to: number): number {
  const { ints, world, plan } = writer;
  let at = to + LIST_HEADER;
  let ref = world.ints[list + LIST_BRUSHES]!;
  for (let left = world.ints[list + LIST_NUM_BRUSHES]!; left > 0; left--, ref += REF_WORDS) {
    const brush = world.ints[ref + REF_BRUSH]!;
    if (world.ints[world.places.brushes.first + BRUSH_WORDS * brush + NUM_SIDES] === 0) continue;
    quantise(writer, at, ref);
    ints[(at + CHILD_ADDRESS) >> 2] = plan.brushes[brush]!;
    at += REF_BYTES;
  }
  ints[(to + LIST_BRUSH_BYTES) >> 2] = at - to - LIST_HEADER;
  const patches = at;
  let patchRef = world.ints[list + LIST_PATCHES]!;
  for (let left = world.ints[list + LIST_NUM_PATCHES]!; left > 0; left--, patchRef++) {
    const patch = world.ints[patchRef]!;
    quantise(writer, at, patch);
    ints[(at + CHILD_ADDRESS) >> 2] = plan.patches[(patch - world.places.patches.first) / PATCH_WORDS]!;
    at += REF_BYTES;
  }
  ints[(to + LIST_PATCH_BYTES) >> 2] = at - patches;
  return at - to;
}

/** Nodes in the order in which walks come to them, fronts first; what is empty below them last. */
function writeTree(writer: Writer): void {
  const { ints, world, plan } = writer;
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
    for (let k = 0; k < 4; k++) ints[at + k] = world.ints[node + NODE_NORMAL + k]!;
    ints[(address + NODE_TYPE) >> 2] = 4 * type;
    for (let side = 0; side < 2; side++) {
      const child = world.ints[node + NODE_FRONT_WORD + side]!;
      const place = child < 0 ? -child : child;
      const to = address + NODE_FRONT + 16 * side;
      quantise(writer, to, place + BOUNDS_WORD);
      ints[(to + CHILD_ADDRESS) >> 2] = addressOf(child);
      ints[((address + NODE_FRONT_CONTENTS) >> 2) + side] = world.ints[place + CONTENTS_WORD]!;
    }
  }
  ints[ROOT >> 2] = addressOf(root);
}
