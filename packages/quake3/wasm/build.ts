import { at, count, findWorld, first, hasRoom, MOST_BYTES, shortage, world } from '../../core/assembly/world';
import * as World from '../src/layout';
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
  LISTS,
  NODE_BACK,
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
  RECORD_FRONT,
  RECORD_LENGTH,
  REF_ADDRESS,
  REF_BYTES,
  ROOT,
  SHADER_STRIDE,
  SHADERS,
  SIDE_BYTES,
  SIDE_CONTENTS,
  SIDE_PLANE,
  SIDE_SHADER,
  SIDE_STRIDE,
  SIDES,
  SIGN_BITS,
  SIX_SIDES,
  STACK,
  STAMPED,
  STAMPED_END,
} from '../src/wasm/layout';

// Writes the hot section: the world's buffer once more, in the order and form in which this kernel reads it. The first trace of a
// process has to wait for this, when no JavaScript engine has compiled anything yet: for oa_minia it took 10 ms in JavaScript,
// and takes 2 now.

/** Sections of the world's buffer, by their words in its header. */
const WORLD_NODES: usize = World.HEADER_WORDS;
const WORLD_LEAFS: usize = World.HEADER_WORDS + 2;
const WORLD_BRUSHES: usize = World.HEADER_WORDS + 6;
const WORLD_SIDES: usize = World.HEADER_WORDS + 8;
const WORLD_SHADERS: usize = World.HEADER_WORDS + 10;
const WORLD_MODELS: usize = World.HEADER_WORDS + 12;
const WORLD_PATCHES: usize = World.HEADER_WORDS + 16;

/** Bytes of the world's records. */
const WORLD_NODE_BYTES: usize = 4 * World.NODE_WORDS;
const WORLD_REF_BYTES: usize = 4 * World.REF_WORDS;
const WORLD_BRUSH_BYTES: usize = 4 * World.BRUSH_WORDS;
const WORLD_SIDE_BYTES: usize = 4 * World.SIDE_WORDS;
const WORLD_MODEL_BYTES: usize = 4 * World.MODEL_WORDS;
const WORLD_PATCH_BYTES: usize = 4 * World.PATCH_WORDS;
const WORLD_FACET_BYTES: usize = 4 * World.FACET_WORDS;

/**
 * Where a record's new address is put once it is known: the last words of nodes and leafs are free; a model's corners have been
 * read by then, and so has whether a brush is axial, which is added to its address. A brush or patch that has been written begins
 * with the reference to it, the same for all leafs.
 */
const NODE_ADDRESS: usize = WORLD_NODE_BYTES - 4;
const MODEL_ADDRESS: usize = 0;
const BRUSH_ADDRESS: usize = 4 * World.BRUSH_AXIAL;
const IS_AXIAL = 1;

const BLOCK_ROWS = BLOCK_BYTES / 16;
const PLANES_ROWS = PLANES_BYTES / 16;
/** A node's plane is a vector. */
const PLANE_BYTES = 16;
const CACHE_LINE: i64 = 64;

function align(address: i64): i64 {
  return (address + CACHE_LINE - 1) & -CACHE_LINE;
}

function listBytes(list: usize): i64 {
  const refs =
    <i64>load<u32>(list, 4 * World.LIST_NUM_BRUSHES) + <i64>load<u32>(list, 4 * World.LIST_NUM_PATCHES);
  return LIST_HEADER + REF_BYTES * refs;
}

/** Blocks of four for this many sides. */
function blocks(sides: i32): i64 {
  return (<i64>sides + 3) >> 2;
}

/** Bytes of a brush's first six sides (none if its bounds stand for them), and of the rest. */
function firstBytes(brush: usize): i32 {
  return load<i32>(brush, 4 * World.NUM_SIDES) > 0 && (load<i32>(brush, BRUSH_ADDRESS) & IS_AXIAL) === 0
    ? SIX_SIDES
    : 0;
}

function restBytes(brush: usize): i64 {
  const sides = load<i32>(brush, 4 * World.NUM_SIDES);
  return sides > 6 ? BLOCK_BYTES * blocks(sides - 6) : 0;
}

function planesBytes(facet: usize): i64 {
  return PLANES_HEADER + PLANES_BYTES * blocks(load<i32>(facet, 4 * World.NUM_SIDES));
}

/**
 * Plans the hot section: stores where its parts begin, and writes the addresses of nodes, leafs, models and brushes into their
 * records in the world. Returns where it ends; something above MOST_BYTES if it would be too long.
 */
function plan(): i64 {
  const nodes = first(WORLD_NODES);
  const numNodes = <i64>count(WORLD_NODES);
  const endNodes = nodes + WORLD_NODE_BYTES * <usize>numNodes;
  const depth = load<i32>(world, 4 * World.DEPTH_WORD);
  const start = align(STACK + FRAME_BYTES * (<i64>depth + 1));
  let end = start + NODE_BYTES * numNodes;
  // In the order of the file, which is that in which walks come to them; those with nothing below come last.
  let next = <i32>start;
  let empty = <i32>end;
  for (let node = nodes; node < endNodes; node += WORLD_NODE_BYTES) {
    if (load<i32>(node, 4 * World.CONTENTS_WORD) !== 0) {
      store<i32>(node, next, NODE_ADDRESS);
      next += NODE_BYTES;
    } else {
      empty -= NODE_BYTES;
      store<i32>(node, empty | LEAF_BIT | EMPTY_BIT | EMPTY_NODE_BIT, NODE_ADDRESS);
    }
  }
  store<i32>(NODE_PLANES, <i32>(NODE_BYTES * numNodes));
  store<i32>(NODE_SIDES, <i32>((NODE_BYTES + PLANE_BYTES) * numNodes - start));
  end += (PLANE_BYTES + 2 * SIDE_BYTES) * numNodes;
  const leafs = first(WORLD_LEAFS);
  const endLeafs = leafs + WORLD_NODE_BYTES * count(WORLD_LEAFS);
  for (let leaf = leafs; leaf < endLeafs && end < MOST_BYTES; leaf += WORLD_NODE_BYTES) {
    const isEmpty = load<i32>(leaf, 4 * World.CONTENTS_WORD) === 0;
    store<i32>(leaf, <i32>end | LEAF_BIT | (isEmpty ? EMPTY_BIT : 0), NODE_ADDRESS);
    end += listBytes(leaf);
  }
  const models = first(WORLD_MODELS);
  const endModels = models + WORLD_MODEL_BYTES * count(WORLD_MODELS);
  for (let model = models; model < endModels && end < MOST_BYTES; model += WORLD_MODEL_BYTES) {
    // The world is found through its tree.
    store<i32>(model, model === models ? 0 : <i32>end, MODEL_ADDRESS);
    if (model !== models) end += listBytes(model + 4 * World.MODEL_LIST);
  }
  end = align(end);
  store<i32>(STAMPED, <i32>end);
  const brushes = first(WORLD_BRUSHES);
  const endBrushes = brushes + WORLD_BRUSH_BYTES * count(WORLD_BRUSHES);
  for (let brush = brushes; brush < endBrushes && end < MOST_BYTES; brush += WORLD_BRUSH_BYTES) {
    const bytes = RECORD_BYTES + firstBytes(brush) + restBytes(brush);
    store<i32>(brush, <i32>end | load<i32>(brush, BRUSH_ADDRESS), BRUSH_ADDRESS);
    end += bytes;
  }
  const patches = first(WORLD_PATCHES);
  const endPatches = patches + WORLD_PATCH_BYTES * count(WORLD_PATCHES);
  end += RECORD_BYTES * <i64>count(WORLD_PATCHES);
  store<i32>(STAMPED_END, <i32>end);
  for (let patch = patches; patch < endPatches && end < MOST_BYTES; patch += WORLD_PATCH_BYTES) {
    const facets = load<i32>(patch, 4 * World.PATCH_NUM_FACETS);
    end += BLOCK_BYTES * blocks(facets) + FACET_BYTES * <i64>facets;
    let facet = at(load<i32>(patch, 4 * World.PATCH_FACETS));
    for (let k = 0; k < facets; k++, facet += WORLD_FACET_BYTES) end += planesBytes(facet);
  }
  // Sides of brushes; shaders, as in the world, with one before these that is 0 throughout; lists of models.
  store<i32>(SIDES, <i32>end);
  end += SIDE_STRIDE * <i64>count(WORLD_SIDES) + SHADER_STRIDE;
  store<i32>(SHADERS, <i32>end);
  end += SHADER_STRIDE * <i64>count(WORLD_SHADERS);
  store<i32>(LISTS, <i32>end);
  return end + 4 * <i64>count(WORLD_MODELS);
}

/** The finest grid, of a power of two, on which 16 bits reach everything in the tree. */
function gridOf(): f32 {
  let most: f64 = 1;
  if (count(WORLD_NODES) > 0) {
    const bounds = at(load<i32>(world, 4 * World.ROOT_WORD)) + 4 * World.BOUNDS_WORD;
    for (let k: usize = 0; k < 24; k += 4) {
      const bound = <f64>abs(load<f32>(bounds + k));
      if (bound > most && bound < Infinity) most = bound;
    }
  }
  let grid: f64 = 1;
  while (most * grid > 32767) grid /= 2;
  while (most * grid * 2 <= 32767) grid *= 2;
  return <f32>grid;
}

/** Distances rounded outward to the grid. */
function outward(distances: v128, grid: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.ceil(f32x4.mul(distances, grid)));
}

/** Six distances rounded so, in 16 bits each: those of the negative sides first. */
function quantise(bounds: usize, grid: v128): v128 {
  const low = outward(v128.load(bounds), grid);
  const high = outward(v128.load64_zero(bounds + 16), grid);
  const six = i16x8.narrow_i32x4_s(low, high);
  return i16x8.shuffle(six, six, 0, 2, 4, 1, 3, 5, 6, 7);
}

/**
 * Writes a record's exact bounds: six distances, so many bytes apart; 0 from `end` on, as new memory is. The spare lanes meet
 * everything.
 */
function writeBounds(record: usize, bounds: usize, step: usize, end: usize): void {
  for (let to = record; to < record + 12; to += 4, bounds += 2 * step) {
    if (bounds < end) store<f32>(to, load<f32>(bounds));
    if (bounds + step < end) store<f32>(to, load<f32>(bounds + step), RECORD_FRONT);
  }
  store<f32>(record, Infinity, 12);
  store<f32>(record, Infinity, RECORD_FRONT + 12);
}

/** Writes the reference to a record that has its bounds. */
function writeRef(to: usize, record: usize, grid: v128): void {
  const low = outward(v128.load(record), grid);
  const six = i16x8.narrow_i32x4_s(low, outward(v128.load(record, RECORD_FRONT), grid));
  v128.store(to, i16x8.shuffle(six, six, 0, 1, 2, 4, 5, 6, 3, 7));
  store<i32>(to, <i32>record, REF_ADDRESS);
}

/** Puts a side's plane into its lane of a block. */
function writeSide(lane: usize, side: usize): void {
  const plane = v128.load(side);
  v128.store32_lane(lane, plane, 0);
  v128.store32_lane(lane, plane, 1, 16);
  v128.store32_lane(lane, plane, 2, 32);
  v128.store32_lane(lane, plane, 3, 48);
}

/** The lane after this one, in blocks of so many rows. Rows of four lanes begin at multiples of 16. */
function nextLane(lane: usize, rows: i32): usize {
  const next = lane + 4;
  return next + ((lane ^ next) & 16) * (rows - 1);
}

/** Has everything behind the planes of the last of some blocks, before its lanes in use are written. Spare normals are 0. */
function clearLast(blocks: usize, rows: i32, sides: i32): void {
  if (sides > 0) v128.store(blocks + 16 * rows * ((sides - 1) >> 2), f32x4.splat(Infinity), 48);
}

/** Puts sides into blocks of four. */
function writeSides(lane: usize, side: usize, numSides: i32): void {
  clearLast(lane, BLOCK_ROWS, numSides);
  for (const endSide = side + WORLD_SIDE_BYTES * numSides; side < endSide; side += WORLD_SIDE_BYTES) {
    writeSide(lane, side);
    lane = nextLane(lane, BLOCK_ROWS);
  }
}

/** Puts the planes of a facet into blocks of four. */
export function writePlanes(to: usize, side: usize, numSides: i32): void {
  store<i32>(to, numSides);
  let lane = to + PLANES_HEADER;
  clearLast(lane, PLANES_ROWS, numSides);
  for (const endSide = side + WORLD_SIDE_BYTES * numSides; side < endSide; side += WORLD_SIDE_BYTES) {
    writeSide(lane, side);
    // The number of a plane that is turned is negative.
    store<i32>(lane, load<i32>(side, 4 * World.SIDE_PLANE) & -0x80000000, PLANES_TURN);
    lane = nextLane(lane, PLANES_ROWS);
  }
}

/** The tree, without what its sides hold. */
function writeNodes(): void {
  const nodes = first(WORLD_NODES);
  const endNodes = nodes + WORLD_NODE_BYTES * count(WORLD_NODES);
  const planes: usize = load<i32>(NODE_PLANES);
  for (let node = nodes; node < endNodes; node += WORLD_NODE_BYTES) {
    const to: usize = load<i32>(node, NODE_ADDRESS) & ADDRESS_MASK;
    v128.store(to + planes, v128.load(node, 4 * World.NODE_NORMAL));
    store<f32>(to, load<f32>(node, 4 * World.NODE_DIST), NODE_DIST);
    store<i32>(to, 4 * load<i32>(node), NODE_TYPE);
    store<i32>(to, load<i32>(childOf(node, 4 * World.NODE_FRONT), NODE_ADDRESS), NODE_FRONT);
    store<i32>(to, load<i32>(childOf(node, 4 * World.NODE_BACK), NODE_ADDRESS), NODE_BACK);
  }
  if (nodes < endNodes) store<i32>(ROOT, load<i32>(at(load<i32>(world, 4 * World.ROOT_WORD)), NODE_ADDRESS));
}

function childOf(node: usize, child: usize): usize {
  return at(abs(load<i32>(node + child)));
}

/** What the sides of nodes hold. */
export function writeNodeSides(grid: v128): void {
  const nodes = first(WORLD_NODES);
  const endNodes = nodes + WORLD_NODE_BYTES * count(WORLD_NODES);
  const sides = load<i32>(NODE_SIDES);
  for (let node = nodes; node < endNodes; node += WORLD_NODE_BYTES) {
    const front = childOf(node, 4 * World.NODE_FRONT);
    const back = childOf(node, 4 * World.NODE_BACK);
    const side = 2 * (load<i32>(node, NODE_ADDRESS) & ADDRESS_MASK) + sides;
    // Four numbers at once: the first of the front child, the last two of that with the first two of the other, the last of that.
    const last = v128.load64_zero(front + 4 * World.BOUNDS_WORD + 16);
    const middle = outward(v128.load64_lane(back + 4 * World.BOUNDS_WORD, last, 1), grid);
    const fronts = i16x8.narrow_i32x4_s(outward(v128.load(front + 4 * World.BOUNDS_WORD), grid), middle);
    const backs = i16x8.narrow_i32x4_s(middle, outward(v128.load(back + 4 * World.BOUNDS_WORD + 8), grid));
    v128.store(side, i16x8.shuffle(fronts, fronts, 0, 2, 4, 1, 3, 5, 6, 7));
    v128.store(side, i16x8.shuffle(backs, backs, 2, 4, 6, 3, 5, 7, 0, 1), SIDE_BYTES);
    store<i32>(side, load<i32>(front, 4 * World.CONTENTS_WORD), SIDE_CONTENTS);
    store<i32>(side, load<i32>(back, 4 * World.CONTENTS_WORD), SIDE_BYTES + SIDE_CONTENTS);
  }
}

/** Writes the blocks of brushes. */
export function writeBlocks(): void {
  const brushes = first(WORLD_BRUSHES);
  const endBrushes = brushes + WORLD_BRUSH_BYTES * count(WORLD_BRUSHES);
  for (let brush = brushes; brush < endBrushes; brush += WORLD_BRUSH_BYTES) {
    const to: usize = load<i32>(brush, BRUSH_ADDRESS) & ~IS_AXIAL;
    const head = firstBytes(brush);
    const bytes = head + <i32>restBytes(brush);
    store<i32>(to, bytes, BRUSH_BLOCKS);
    store<i32>(to, head, BRUSH_FIRST_BLOCKS);
    store<i32>(to, RECORD_BYTES + bytes, RECORD_LENGTH);
    const side = at(load<i32>(brush));
    const rest = load<i32>(brush, 4 * World.NUM_SIDES) - 6;
    let lane = to + RECORD_BYTES;
    for (let k = head > 0 ? 0 : 6; k <= 6; k += 6, lane += SIX_SIDES) {
      writeSides(lane, side + WORLD_SIDE_BYTES * k, k === 0 ? 6 : rest);
    }
  }
}

/** Writes the rest of brushes. */
export function writeBrushes(grid: v128): void {
  const brushes = first(WORLD_BRUSHES);
  const numBrushes = count(WORLD_BRUSHES);
  const sides = first(WORLD_SIDES);
  const endSides = sides + WORLD_SIDE_BYTES * count(WORLD_SIDES);
  for (let number = 0; number < numBrushes; number++) {
    const brush = brushes + WORLD_BRUSH_BYTES * number;
    const to: usize = load<i32>(brush, BRUSH_ADDRESS) & ~IS_AXIAL;
    const side = at(load<i32>(brush));
    // A brush without sides borrows those that follow, where there are any.
    writeBounds(to, side + 4 * World.SIDE_DIST, WORLD_SIDE_BYTES, endSides);
    const contents = load<i32>(brush, 4 * World.BRUSH_CONTENTS);
    store<i32>(to, load<i32>(brush, 4 * World.NUM_SIDES) > 0 ? contents : 0, RECORD_CONTENTS);
    store<i32>(to, contents, BRUSH_POINT_CONTENTS);
    store<i32>(to, <i32>((side - sides) / WORLD_SIDE_BYTES), BRUSH_SIDE);
    store<i32>(to, number, BRUSH_NUMBER);
    writeRef(brush, to, grid);
  }
}

/** Writes the sides of brushes. */
export function writeSideNumbers(): void {
  let to: usize = load<i32>(SIDES);
  let side = first(WORLD_SIDES);
  for (const end = side + WORLD_SIDE_BYTES * count(WORLD_SIDES); side < end; side += WORLD_SIDE_BYTES) {
    // The fourth is that of the distance.
    const signs = i32x4.bitmask(v128.load(side)) & ((1 << SIGN_BITS) - 1);
    store<i32>(to, load<i32>(side, 4 * World.SIDE_PLANE), SIDE_PLANE);
    store<i32>(to, (load<i32>(side, 4 * World.SIDE_SHADER) << SIGN_BITS) | signs, SIDE_SHADER);
    to += SIDE_STRIDE;
  }
}

/** Writes patches, and after all of them what belongs to each: blocks of its surfaces, its facets, their planes. */
function writePatches(grid: v128): void {
  const patches = first(WORLD_PATCHES);
  const endPatches = patches + WORLD_PATCH_BYTES * count(WORLD_PATCHES);
  let next: usize = load<i32>(STAMPED_END);
  let to = next - RECORD_BYTES * count(WORLD_PATCHES);
  for (let patch = patches; patch < endPatches; patch += WORLD_PATCH_BYTES, to += RECORD_BYTES) {
    const numFacets = load<i32>(patch, 4 * World.PATCH_NUM_FACETS);
    const surfaces = next;
    const facets = surfaces + <usize>(BLOCK_BYTES * blocks(numFacets));
    writeBounds(to, patch, 4, patch + 24);
    store<i32>(to, load<i32>(patch, 4 * World.PATCH_CONTENTS), RECORD_CONTENTS);
    store<i32>(to, load<i32>(patch, 4 * World.PATCH_SURFACE), PATCH_SURFACE);
    store<i32>(to, load<i32>(patch, 4 * World.PATCH_SHADER), PATCH_SHADER);
    store<i32>(to, load<i32>(patch, 4 * World.PATCH_FLAGS), PATCH_FLAGS);
    store<i32>(to, numFacets, PATCH_NUM_FACETS);
    store<i32>(to, <i32>facets, PATCH_FACETS);
    store<i32>(to, RECORD_BYTES, RECORD_LENGTH);
    next = facets + FACET_BYTES * numFacets;
    let facet = at(load<i32>(patch, 4 * World.PATCH_FACETS));
    let lane = surfaces;
    clearLast(surfaces, BLOCK_ROWS, numFacets);
    for (let k = 0; k < numFacets; k++, facet += WORLD_FACET_BYTES) {
      const side = at(load<i32>(facet));
      writeSide(lane, side);
      lane = nextLane(lane, BLOCK_ROWS);
      v128.store(facets + FACET_BYTES * k, quantise(facet + 4 * World.FACET_BOUNDS, grid));
      store<i32>(facets + FACET_BYTES * k, <i32>next, REF_ADDRESS);
      writePlanes(next, side, load<i32>(facet, 4 * World.NUM_SIDES));
      next += <usize>planesBytes(facet);
    }
    writeRef(patch, to, grid);
  }
}

/** Writes what a leaf or model holds. Brushes and patches have been written. */
function writeList(to: usize, list: usize): void {
  const brushes = first(WORLD_BRUSHES);
  const numBrushes = load<i32>(list, 4 * World.LIST_NUM_BRUSHES);
  const numPatches = load<i32>(list, 4 * World.LIST_NUM_PATCHES);
  store<i32>(to, REF_BYTES * numBrushes, LIST_BRUSH_BYTES);
  store<i32>(to, REF_BYTES * numPatches, LIST_PATCH_BYTES);
  to += LIST_HEADER;
  let ref = at(load<i32>(list, 4 * World.LIST_BRUSHES));
  for (const end = to + REF_BYTES * numBrushes; to < end; to += REF_BYTES, ref += WORLD_REF_BYTES) {
    v128.store(to, v128.load(brushes + WORLD_BRUSH_BYTES * load<i32>(ref, 4 * World.REF_BRUSH)));
  }
  if (numPatches === 0) return;
  let place = at(load<i32>(list, 4 * World.LIST_PATCHES));
  for (const end = to + REF_BYTES * numPatches; to < end; to += REF_BYTES, place += 4) {
    v128.store(to, v128.load(at(load<i32>(place))));
  }
}

/** Writes the lists of all leafs and models, and a table of where those of the models are. */
function writeLists(table: usize): void {
  const leafs = first(WORLD_LEAFS);
  const endLeafs = leafs + WORLD_NODE_BYTES * count(WORLD_LEAFS);
  for (let leaf = leafs; leaf < endLeafs; leaf += WORLD_NODE_BYTES) {
    writeList(load<i32>(leaf, NODE_ADDRESS) & ADDRESS_MASK, leaf);
  }
  const models = first(WORLD_MODELS);
  const numModels = count(WORLD_MODELS);
  for (let k = 0; k < numModels; k++) {
    const model = models + WORLD_MODEL_BYTES * k;
    const list = load<i32>(model, MODEL_ADDRESS);
    store<i32>(table + 4 * k, list);
    if (list !== 0) writeList(list, model + 4 * World.MODEL_LIST);
  }
}

/**
 * Makes the hot section from the world's buffer, which takes the last `size` bytes of memory. Returns its bytes; if memory is too
 * short, the bytes that are needed, negated; 0 if these are too many.
 */
export function build(size: usize): i32 {
  findWorld(size);
  const end = plan();
  if (!hasRoom(end)) return shortage();
  const scale = gridOf();
  const grid = f32x4.splat(scale);
  store<f32>(GRID, scale);
  writeSideNumbers();
  writeBlocks();
  writeBrushes(grid);
  memory.copy(load<i32>(SHADERS), first(WORLD_SHADERS), SHADER_STRIDE * count(WORLD_SHADERS));
  writePatches(grid);
  writeLists(load<i32>(LISTS));
  writeNodes();
  writeNodeSides(grid);
  return <i32>end;
}
