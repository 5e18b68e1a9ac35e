import { at, count, first, hasRoom, MOST_BYTES, moveWorld, shortage, world } from '../../core/assembly/world';
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
  SIDE_STRIDE,
  SIDES,
  SIX_SIDES,
  STACK,
  STAMPED,
  STAMPED_END,
} from '../src/wasm/layout';
import { pack } from './setup';

// Writes the hot section: the world's buffer once more, in the order and form in which this kernel reads it. The first trace of a
// process has to wait for this, when no JavaScript engine has compiled anything yet: for oa_minia it took 10 ms in JavaScript,
// and takes 5 now.

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
const WORLD_MODEL_BYTES: usize = 4 * World.MODEL_WORDS;
const WORLD_PATCH_BYTES: usize = 4 * World.PATCH_WORDS;
const WORLD_FACET_BYTES: usize = 4 * World.FACET_WORDS;

/**
 * Where a record's new address is put once it is known: the last words of nodes, leafs and patches are free; a model's corners
 * have been read by then, and so has whether a brush is axial, which is added to its address.
 */
const NODE_ADDRESS: usize = WORLD_NODE_BYTES - 4;
const PATCH_ADDRESS: usize = WORLD_PATCH_BYTES - 4;
const MODEL_ADDRESS: usize = 0;
const BRUSH_ADDRESS: usize = 4 * World.BRUSH_AXIAL;
const IS_AXIAL = 1;

/** A node's plane is a vector. */
const PLANE_BYTES = 16;
const CACHE_LINE: i64 = 64;
/** Where the records of brushes and patches will be. */
let stamped: usize = 0;
let endStamped: usize = 0;

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
 * Plans the hot section, and writes the addresses of nodes, leafs, models, brushes and patches into their records in the world.
 * Returns where it ends; something above MOST_BYTES if it would be too long.
 */
function plan(): i64 {
  const nodes = first(WORLD_NODES);
  const endNodes = nodes + WORLD_NODE_BYTES * count(WORLD_NODES);
  const depth = load<i32>(world, 4 * World.DEPTH_WORD);
  let end = align(STACK + FRAME_BYTES * (<i64>depth + 1));
  // In the order of the file, which is that in which walks come to them; those with nothing below come last.
  for (let empty = 0; empty < 2; empty++) {
    for (let node = nodes; node < endNodes; node += WORLD_NODE_BYTES) {
      if ((load<i32>(node, 4 * World.CONTENTS_WORD) === 0) !== (empty !== 0)) continue;
      const bits = empty !== 0 ? LEAF_BIT | EMPTY_BIT | EMPTY_NODE_BIT : 0;
      store<i32>(node, <i32>end | bits, NODE_ADDRESS);
      end += NODE_BYTES;
    }
  }
  end += (PLANE_BYTES + 2 * SIDE_BYTES) * <i64>count(WORLD_NODES);
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
  stamped = <usize>end;
  const brushes = first(WORLD_BRUSHES);
  const endBrushes = brushes + WORLD_BRUSH_BYTES * count(WORLD_BRUSHES);
  for (let brush = brushes; brush < endBrushes && end < MOST_BYTES; brush += WORLD_BRUSH_BYTES) {
    const bytes = RECORD_BYTES + firstBytes(brush) + restBytes(brush);
    store<i32>(brush, <i32>end | load<i32>(brush, BRUSH_ADDRESS), BRUSH_ADDRESS);
    end += bytes;
  }
  const patches = first(WORLD_PATCHES);
  const endPatches = patches + WORLD_PATCH_BYTES * count(WORLD_PATCHES);
  for (let patch = patches; patch < endPatches && end < MOST_BYTES; patch += WORLD_PATCH_BYTES) {
    store<i32>(patch, <i32>end, PATCH_ADDRESS);
    end += RECORD_BYTES;
  }
  endStamped = <usize>end;
  for (let patch = patches; patch < endPatches && end < MOST_BYTES; patch += WORLD_PATCH_BYTES) {
    const facets = load<i32>(patch, 4 * World.PATCH_NUM_FACETS);
    end += BLOCK_BYTES * blocks(facets) + FACET_BYTES * <i64>facets;
    let facet = at(load<i32>(patch, 4 * World.PATCH_FACETS));
    for (let k = 0; k < facets; k++, facet += WORLD_FACET_BYTES) end += planesBytes(facet);
  }
  return end + tailBytes();
}

/**
 * Bytes of the sides of brushes and the shaders, as in the world, with one shader before these that is 0 throughout; and of the
 * models' lists.
 */
function tailBytes(): i64 {
  const shaders = SHADER_STRIDE * (1 + <i64>count(WORLD_SHADERS));
  return SIDE_STRIDE * <i64>count(WORLD_SIDES) + shaders + 4 * <i64>count(WORLD_MODELS);
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

/** Of six distances, those of the negative sides, which come first in each pair; or those of the others. */
function backs(bounds: usize): v128 {
  return i32x4.shuffle(v128.load(bounds), v128.load64_zero(bounds + 16), 0, 2, 4, 6);
}

function fronts(bounds: usize): v128 {
  return i32x4.shuffle(v128.load(bounds), v128.load64_zero(bounds + 16), 1, 3, 5, 7);
}

/** Six distances rounded outward to the grid. */
function quantise(bounds: usize, grid: v128): v128 {
  return pack(outward(backs(bounds), grid), outward(fronts(bounds), grid));
}

function outward(distances: v128, grid: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.ceil(f32x4.mul(distances, grid)));
}

/** Exact bounds of a record; the spare lanes meet everything. */
function writeBounds(record: usize, bounds: usize): void {
  v128.store(record, f32x4.replace_lane(backs(bounds), 3, Infinity));
  v128.store(record, f32x4.replace_lane(fronts(bounds), 3, Infinity), RECORD_FRONT);
}

/** Puts a side's plane into its lane of the blocks. */
function writeSide(lane: usize, side: usize): void {
  const plane = v128.load(side);
  v128.store32_lane(lane, plane, 0);
  v128.store32_lane(lane, plane, 1, 16);
  v128.store32_lane(lane, plane, 2, 32);
  v128.store32_lane(lane, plane, 3, 48);
}

/** Puts sides into blocks of this many bytes, four each. In spare lanes everything is behind the plane, and normals are 0. */
function writeSides(to: usize, bytes: usize, side: usize, numSides: i32): void {
  for (let k = 0; k < numSides; k++, side += SIDE_STRIDE) {
    writeSide(to, side);
    to += (k & 3) === 3 ? bytes - 12 : 4;
  }
  for (let k = numSides; (k & 3) !== 0; k++, to += 4) store<f32>(to, Infinity, 48);
}

/** The tree. Its nodes are in the order of their addresses. */
function writeTree(grid: v128): void {
  const nodes = first(WORLD_NODES);
  const numNodes = count(WORLD_NODES);
  const endNodes = nodes + WORLD_NODE_BYTES * numNodes;
  const start = STACK + FRAME_BYTES * (<i64>load<i32>(world, 4 * World.DEPTH_WORD) + 1);
  const planes: usize = NODE_BYTES * numNodes;
  const sides: usize = planes + PLANE_BYTES * numNodes - <usize>align(start);
  store<i32>(NODE_PLANES, <i32>planes);
  store<i32>(NODE_SIDES, <i32>sides);
  for (let node = nodes; node < endNodes; node += WORLD_NODE_BYTES) {
    const to: usize = load<i32>(node, NODE_ADDRESS) & ADDRESS_MASK;
    v128.store(to + planes, v128.load(node, 4 * World.NODE_NORMAL));
    store<f32>(to, load<f32>(node, 4 * World.NODE_DIST), NODE_DIST);
    store<i32>(to, 4 * load<i32>(node), NODE_TYPE);
    for (let side: usize = 0; side < 2; side++) {
      const child = at(abs(load<i32>(node + 4 * side, 4 * World.NODE_FRONT)));
      const contents = load<i32>(child, 4 * World.CONTENTS_WORD);
      const bounds = <usize>2 * to + sides + <usize>SIDE_BYTES * side;
      v128.store(bounds, quantise(child + 4 * World.BOUNDS_WORD, grid));
      store<i32>(bounds, contents, SIDE_CONTENTS);
      store<i32>(to + 4 * side, load<i32>(child, NODE_ADDRESS), NODE_FRONT);
    }
  }
  if (numNodes > 0) store<i32>(ROOT, load<i32>(at(abs(load<i32>(world, 4 * World.ROOT_WORD))), NODE_ADDRESS));
}

/** Writes brushes without their bounds, which are in the references to them. */
function writeBrushes(): void {
  const brushes = first(WORLD_BRUSHES);
  const numBrushes = count(WORLD_BRUSHES);
  const sides = first(WORLD_SIDES);
  for (let number = 0; number < numBrushes; number++) {
    const brush = brushes + WORLD_BRUSH_BYTES * number;
    const contents = load<i32>(brush, 4 * World.BRUSH_CONTENTS);
    const numSides = load<i32>(brush, 4 * World.NUM_SIDES);
    const side = at(load<i32>(brush));
    const head: usize = firstBytes(brush);
    const rest: usize = <usize>restBytes(brush);
    const to: usize = load<i32>(brush, BRUSH_ADDRESS) & ~IS_AXIAL;
    store<i32>(to, numSides > 0 ? contents : 0, RECORD_CONTENTS);
    store<i32>(to, contents, BRUSH_POINT_CONTENTS);
    store<i32>(to, <i32>(head + rest), BRUSH_BLOCKS);
    store<i32>(to, <i32>head, BRUSH_FIRST_BLOCKS);
    store<i32>(to, <i32>((side - sides) / SIDE_STRIDE), BRUSH_SIDE);
    store<i32>(to, number, BRUSH_NUMBER);
    store<i32>(to, RECORD_BYTES + <i32>(head + rest), RECORD_LENGTH);
    if (head > 0) writeSides(to + RECORD_BYTES, BLOCK_BYTES, side, 6);
    if (rest > 0) writeSides(to + RECORD_BYTES + head, BLOCK_BYTES, side + 6 * SIDE_STRIDE, numSides - 6);
  }
}

/** Writes patches, and after all of them what belongs to each: blocks of its surfaces, its facets, their planes. */
function writePatches(grid: v128): usize {
  const patches = first(WORLD_PATCHES);
  const endPatches = patches + WORLD_PATCH_BYTES * count(WORLD_PATCHES);
  let next = endStamped;
  for (let patch = patches; patch < endPatches; patch += WORLD_PATCH_BYTES) {
    const numFacets = load<i32>(patch, 4 * World.PATCH_NUM_FACETS);
    const to: usize = load<i32>(patch, PATCH_ADDRESS);
    const surfaces = next;
    const facets = surfaces + <usize>(BLOCK_BYTES * blocks(numFacets));
    writeBounds(to, patch);
    store<i32>(to, load<i32>(patch, 4 * World.PATCH_CONTENTS), RECORD_CONTENTS);
    store<i32>(to, load<i32>(patch, 4 * World.PATCH_SURFACE), PATCH_SURFACE);
    store<i32>(to, load<i32>(patch, 4 * World.PATCH_SHADER), PATCH_SHADER);
    store<i32>(to, load<i32>(patch, 4 * World.PATCH_FLAGS), PATCH_FLAGS);
    store<i32>(to, numFacets, PATCH_NUM_FACETS);
    store<i32>(to, <i32>facets, PATCH_FACETS);
    store<i32>(to, RECORD_BYTES, RECORD_LENGTH);
    next = facets + FACET_BYTES * numFacets;
    let facet = at(load<i32>(patch, 4 * World.PATCH_FACETS));
    let surface = surfaces;
    for (let k = 0; k < numFacets; k++, facet += WORLD_FACET_BYTES) {
      v128.store(facets + FACET_BYTES * k, quantise(facet + 4 * World.FACET_BOUNDS, grid));
      store<i32>(facets + FACET_BYTES * k, <i32>next, REF_ADDRESS);
      const side = at(load<i32>(facet));
      writeSide(surface, side);
      surface += (k & 3) === 3 ? <usize>BLOCK_BYTES - 12 : 4;
      writePlanes(next, side, load<i32>(facet, 4 * World.NUM_SIDES));
      next += <usize>planesBytes(facet);
    }
    for (let k = numFacets; (k & 3) !== 0; k++, surface += 4) store<f32>(surface, Infinity, 48);
  }
  return next;
}

function writePlanes(to: usize, side: usize, numSides: i32): void {
  store<i32>(to, numSides);
  to += PLANES_HEADER;
  writeSides(to, PLANES_BYTES, side, numSides);
  for (let k = 0; k < numSides; k++, side += SIDE_STRIDE) {
    const isTurned = load<i32>(side, 4 * World.SIDE_PLANE) < 0;
    store<i32>(to, isTurned ? -0x80000000 : 0, PLANES_TURN);
    to += (k & 3) === 3 ? <usize>PLANES_BYTES - 12 : 4;
  }
}

/** Writes what a leaf or model holds. A brush's bounds are the same in all references to it. */
function writeList(to: usize, list: usize, grid: v128): void {
  const brushes = first(WORLD_BRUSHES);
  const numBrushes = load<i32>(list, 4 * World.LIST_NUM_BRUSHES);
  const numPatches = load<i32>(list, 4 * World.LIST_NUM_PATCHES);
  store<i32>(to, REF_BYTES * numBrushes, LIST_BRUSH_BYTES);
  store<i32>(to, REF_BYTES * numPatches, LIST_PATCH_BYTES);
  to += LIST_HEADER;
  let ref = at(load<i32>(list, 4 * World.LIST_BRUSHES));
  for (let k = 0; k < numBrushes; k++, ref += WORLD_REF_BYTES, to += REF_BYTES) {
    const brush = brushes + WORLD_BRUSH_BYTES * load<i32>(ref, 4 * World.REF_BRUSH);
    const record: usize = load<i32>(brush, BRUSH_ADDRESS) & ~IS_AXIAL;
    if (load<f32>(record, 12) === 0) writeBounds(record, ref);
    v128.store(to, quantise(ref, grid));
    store<i32>(to, <i32>record, REF_ADDRESS);
  }
  let place = at(load<i32>(list, 4 * World.LIST_PATCHES));
  for (let k = 0; k < numPatches; k++, place += 4, to += REF_BYTES) {
    const patch = at(load<i32>(place));
    v128.store(to, quantise(patch, grid));
    store<i32>(to, load<i32>(patch, PATCH_ADDRESS), REF_ADDRESS);
  }
}

/** Writes the lists of all leafs and models, and a table of where those of the models are. */
function writeLists(table: usize, grid: v128): void {
  const leafs = first(WORLD_LEAFS);
  const endLeafs = leafs + WORLD_NODE_BYTES * count(WORLD_LEAFS);
  for (let leaf = leafs; leaf < endLeafs; leaf += WORLD_NODE_BYTES) {
    writeList(load<i32>(leaf, NODE_ADDRESS) & ADDRESS_MASK, leaf, grid);
  }
  const models = first(WORLD_MODELS);
  const numModels = count(WORLD_MODELS);
  for (let k = 0; k < numModels; k++) {
    const model = models + WORLD_MODEL_BYTES * k;
    const list = load<i32>(model, MODEL_ADDRESS);
    store<i32>(table + 4 * k, list);
    if (list !== 0) writeList(list, model + 4 * World.MODEL_LIST, grid);
  }
}

/**
 * Makes the hot section from the world's buffer, which is at the beginning of memory and takes `size` bytes: moves the world to
 * where the hot section ends, and writes that before it. Returns its bytes; if memory is too short, the bytes that it needs,
 * negated; 0 if these are too many.
 */
export function build(size: i32): i32 {
  const end = plan();
  const moved = (<usize>end + 15) & -16;
  if (!hasRoom(end + 15 + size)) return shortage();
  moveWorld(size, moved);
  const scale = gridOf();
  const grid = f32x4.splat(scale);
  store<f32>(GRID, scale);
  store<i32>(STAMPED, <i32>stamped);
  store<i32>(STAMPED_END, <i32>endStamped);
  writeTree(grid);
  writeBrushes();
  const sides = writePatches(grid);
  const shaders = sides + SIDE_STRIDE * count(WORLD_SIDES) + SHADER_STRIDE;
  const lists = shaders + SHADER_STRIDE * count(WORLD_SHADERS);
  memory.copy(sides, first(WORLD_SIDES), SIDE_STRIDE * count(WORLD_SIDES));
  memory.copy(shaders, first(WORLD_SHADERS), SHADER_STRIDE * count(WORLD_SHADERS));
  store<i32>(SIDES, <i32>sides);
  store<i32>(SHADERS, <i32>shaders);
  store<i32>(LISTS, <i32>lists);
  writeLists(lists, grid);
  return <i32>end;
}
