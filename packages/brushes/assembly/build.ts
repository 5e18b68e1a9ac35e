import { at, count, first, hasRoom, MOST_BYTES, moveWorld, world } from '../../core/assembly/world';
import {
  BLOCK_BYTES,
  BRUSH_BYTES,
  BRUSH_END,
  BRUSH_INDEX,
  BRUSH_PLACE,
  BRUSH_SIDE,
  BRUSHES,
  BRUSHES_END,
  CHILD_EMPTY,
  CHILD_LEAF,
  CHILD_TYPE,
  GRID,
  LEAF_BYTES,
  LEAF_END,
  LEAF_NUMBER,
  NODE_BYTES,
  NODE_FRONT,
  NODE_LEAFS,
  NODE_PLANES,
  NODE_SIDES,
  REF_BRUSH,
  REF_BYTES,
  SIDE_BYTES,
  SIDE_CONTENTS,
} from '../src/hot-layout';
import {
  BRUSH_BOUNDS,
  BRUSH_NUMBER,
  BRUSH_SIDES,
  BRUSH_WORDS,
  KIND_MASK,
  LEAF_WORDS,
  NODE_WORDS,
  PLANE_WORDS,
  SIDE_WORDS,
} from '../src/layout';

// Writes what the walks read: the trees and brushes of the world's buffer once more, in another order and form. The first trace
// of a process has to wait for this, when no JavaScript engine has compiled anything yet: for spq2dm2 it took 13 ms in
// JavaScript, and takes 3 now.

/** Bytes of the world's records. */
const WORLD_NODE_BYTES: usize = 4 * NODE_WORDS;
const WORLD_PLANE_BYTES: usize = 4 * PLANE_WORDS;
const WORLD_LEAF_BYTES: usize = 4 * LEAF_WORDS;
const WORLD_BRUSH_BYTES: usize = 4 * BRUSH_WORDS;
const WORLD_SIDE_BYTES: usize = 4 * SIDE_WORDS;
/** Where their fields are, in bytes. */
const FRONT: usize = 8;
const LEAF_BRUSHES: usize = 4;
const LEAF_NUM_BRUSHES: usize = 8;
const NUM_SIDES: usize = 4 * (BRUSH_SIDES + 1);
/** A brush's number, which is replaced by its new address. */
const BRUSH_ADDRESS: usize = 4 * BRUSH_NUMBER;

/** Memory is taken at multiples of this. */
export const ALIGNMENT = 32;
/** The free space behind the world. */
export let scratch: usize = 0;
/** How far memory has been taken, and how far it may be. */
let taken: usize = 0;
let most: usize = 0;

/**
 * Moves the world's buffer, which is at the beginning of memory and takes `size` bytes, behind room for `bytes` bytes, of which
 * the first `start` are taken; scratch comes behind it. Both are 0 throughout. Returns false if memory is too short.
 */
export function makeRoom(size: usize, start: i64, bytes: i64, scratchBytes: i64): bool {
  const moved = (bytes + 15) & -16;
  const behind = (moved + <i64>size + 15) & -16;
  if (!hasRoom(behind + scratchBytes)) return false;
  moveWorld(size, <usize>moved);
  scratch = <usize>behind;
  taken = <usize>start;
  most = <usize>bytes;
  return true;
}

/** Takes this many more bytes, and returns their address. Traps if none are left, which only garbage can cause. */
export function take(bytes: i64): usize {
  const address = align(taken);
  const end = <i64>address + bytes;
  if (end > <i64>most) unreachable();
  taken = <usize>end;
  return address;
}

/** How many bytes have been taken. */
export function takenBytes(): i32 {
  return <i32>taken;
}

function align(address: usize): usize {
  return (address + ALIGNMENT - 1) & -ALIGNMENT;
}

// Sections of the world, by the words of its header, and the beginnings of those that are needed again and again.
let nodeSection: usize = 0;
let planeSection: usize = 0;
let leafSection: usize = 0;
let brushSection: usize = 0;
let nodes: usize = 0;
let planes: usize = 0;
let leafs: usize = 0;

/** Leafs below each node, negated if there are brushes too; children made so far, those of leafs before those of nodes. */
let counts: usize = 0;
let children: usize = 0;

/** The next node, and how far from it its plane and its sides are, as at `NODE_PLANES` and `NODE_SIDES`. */
let nextNode: usize = 0;
let toPlanes: usize = 0;
let toSides: usize = 0;

/** Says which sections of the world hold the trees. Returns the most bytes that these can take. */
export function measureTrees(nodes: usize, planes: usize, leafs: usize, brushes: usize): i64 {
  nodeSection = nodes;
  planeSection = planes;
  leafSection = leafs;
  brushSection = brushes;
  let bytes = 4 * ALIGNMENT + 2 * (NODE_BYTES + SIDE_BYTES) * <i64>count(nodes);
  const endBrushes = first(brushes) + WORLD_BRUSH_BYTES * count(brushes);
  for (let brush = first(brushes); brush < endBrushes && bytes < MOST_BYTES; brush += WORLD_BRUSH_BYTES) {
    bytes += brushBytes(brush);
  }
  const endLeafs = first(leafs) + WORLD_LEAF_BYTES * count(leafs);
  for (let leaf = first(leafs); leaf < endLeafs && bytes < MOST_BYTES; leaf += WORLD_LEAF_BYTES) {
    if (load<i32>(leaf, LEAF_NUM_BRUSHES) !== 0) bytes += leafBytes(leaf) + ALIGNMENT;
  }
  return bytes;
}

/** Bytes of scratch that are needed meanwhile. */
export function treeScratch(): i64 {
  return 8 * <i64>count(nodeSection) + 4 * <i64>count(leafSection);
}

function brushBytes(brush: usize): i64 {
  return BRUSH_BYTES + BLOCK_BYTES * ((<i64>load<u32>(brush, NUM_SIDES) + 3) >> 2);
}

function leafBytes(leaf: usize): i64 {
  return LEAF_BYTES + REF_BYTES * <i64>load<u32>(leaf, LEAF_NUM_BRUSHES);
}

/** Writes all brushes, and makes room for nodes. */
export function beginTrees(): void {
  nodes = first(nodeSection);
  planes = first(planeSection);
  leafs = first(leafSection);
  const numNodes = count(nodeSection);
  counts = scratch;
  children = counts + 4 * <usize>(numNodes + count(leafSection));
  writeBrushes();
  nextNode = take(NODE_BYTES * <i64>numNodes);
  toPlanes = take(NODE_BYTES * <i64>numNodes) - nextNode;
  toSides = take(2 * SIDE_BYTES * <i64>numNodes) - 2 * nextNode;
  store<i32>(NODE_PLANES, <i32>toPlanes);
  store<i32>(NODE_SIDES, <i32>toSides);
}

function writeBrushes(): void {
  const brushes = first(brushSection);
  const endBrushes = brushes + WORLD_BRUSH_BYTES * count(brushSection);
  store<i32>(BRUSHES, <i32>align(taken));
  for (let brush = brushes; brush < endBrushes; brush += WORLD_BRUSH_BYTES) {
    const to = take(brushBytes(brush));
    const sides = load<i32>(brush, 4 * BRUSH_SIDES);
    const numSides = load<i32>(brush, NUM_SIDES);
    store<i32>(to, load<i32>(brush));
    store<i32>(to, <i32>(brush - world) >> 2, BRUSH_PLACE);
    store<i32>(to, sides, BRUSH_SIDE);
    store<i32>(to, <i32>taken, BRUSH_END);
    store<i32>(to, <i32>((brush - brushes) / WORLD_BRUSH_BYTES), BRUSH_INDEX);
    store<i32>(brush, <i32>to, BRUSH_ADDRESS);
    let lane = to + BRUSH_BYTES;
    let side = at(sides);
    for (let k = 0; k < numSides; k++, side += WORLD_SIDE_BYTES) {
      const plane = v128.load(side);
      v128.store32_lane(lane, plane, 0);
      v128.store32_lane(lane, plane, 1, 16);
      v128.store32_lane(lane, plane, 2, 32);
      v128.store32_lane(lane, plane, 3, 48);
      lane += (k & 3) === 3 ? <usize>BLOCK_BYTES - 12 : 4;
    }
    // Lanes without a side get a plane that everything is behind.
    for (let k = numSides; (k & 3) !== 0; k++, lane += 4) store<f32>(lane, Infinity, 48);
  }
  store<i32>(BRUSHES_END, <i32>taken);
}

/** The child that stands for a node, or for a leaf, given as -1 - its number. A child that holds no brushes is only counted. */
export function child(number: i32): i32 {
  const known = children + 4 * <usize>number;
  let made = load<i32>(known);
  if (made !== 0) return made;
  const below = survey(number);
  if (below > 0) made = CHILD_EMPTY | (below << 2);
  else made = number >= 0 ? writeNode(number) : writeLeaf(-1 - number) | CHILD_LEAF;
  store<i32>(known, made);
  return made;
}

/** Leafs below a child, negated if there are brushes too. */
function survey(child: i32): i32 {
  if (child < 0) {
    return load<i32>(leafs + WORLD_LEAF_BYTES * (-1 - child), LEAF_NUM_BRUSHES) === 0 ? 1 : -1;
  }
  const known = counts + 4 * <usize>child;
  let below = load<i32>(known);
  if (below !== 0) return below;
  const node = nodes + WORLD_NODE_BYTES * child;
  const front = survey(load<i32>(node, FRONT));
  const back = survey(load<i32>(node, FRONT + 4));
  below = abs(front) + abs(back);
  if (front < 0 || back < 0) below = -below;
  store<i32>(known, below);
  return below;
}

/** Writes a node before what is below it, and the front child first, so that walks read forward in memory. */
function writeNode(number: i32): i32 {
  const node = nodes + WORLD_NODE_BYTES * number;
  const to = nextNode;
  nextNode += NODE_BYTES;
  const kind = load<i32>(node);
  const dist = load<f32>(node, 4);
  const plane = v128.load(planes + WORLD_PLANE_BYTES * (kind >>> 4));
  v128.store(to + toPlanes, f32x4.replace_lane(plane, 3, dist));
  store<f32>(to, dist);
  store<i32>(to, abs(load<i32>(counts + 4 * <usize>number)), NODE_LEAFS);
  for (let side: usize = 0; side < 2; side++) {
    const below = child(load<i32>(node + 4 * side, FRONT));
    store<i32>(to + 4 * side, below, NODE_FRONT);
    describe(to + to + toSides + <usize>SIDE_BYTES * side, below);
  }
  return <i32>to | ((kind & KIND_MASK) << 2);
}

/** Writes a side: what is below a child. */
function describe(side: usize, child: i32): void {
  let bounds = i16x8.splat(-0x8000);
  let contents = 0;
  if ((child & CHILD_LEAF) !== 0) {
    const leaf: usize = child & ~CHILD_LEAF;
    const last: usize = load<i32>(leaf, LEAF_END);
    contents = load<i32>(leaf);
    for (let ref = leaf + LEAF_BYTES; ref < last; ref += REF_BYTES) {
      bounds = i16x8.max_s(bounds, v128.load(ref));
    }
  } else if ((child & CHILD_EMPTY) === 0) {
    const node: usize = child & ~CHILD_TYPE;
    const front = node + node + toSides;
    const back = front + SIDE_BYTES;
    contents = load<i32>(front, SIDE_CONTENTS) | load<i32>(back, SIDE_CONTENTS);
    bounds = i16x8.max_s(v128.load(front), v128.load(back));
  }
  v128.store(side, bounds);
  store<i32>(side, contents, SIDE_CONTENTS);
}

function writeLeaf(number: i32): i32 {
  const leaf = leafs + WORLD_LEAF_BYTES * number;
  const to = take(leafBytes(leaf));
  const last = taken;
  store<i32>(to, load<i32>(leaf));
  store<i32>(to, number, LEAF_NUMBER);
  store<i32>(to, <i32>last, LEAF_END);
  let place = at(load<i32>(leaf, LEAF_BRUSHES));
  for (let ref = to + LEAF_BYTES; ref < last; ref += REF_BYTES, place += 4) {
    const brush = at(load<i32>(place));
    v128.store(ref, quantise(brush + 4 * BRUSH_BOUNDS));
    store<i32>(ref, load<i32>(brush, BRUSH_ADDRESS), REF_BRUSH);
  }
  return <i32>to;
}

/** Bounds on the grid, rounded up, within 16 bits. */
function quantise(bounds: usize): v128 {
  const grid = f32x4.splat(<f32>GRID);
  const backs = f32x4.replace_lane(f32x4.neg(grid), 3, <f32>GRID);
  const mins = f32x4.mul(v128.load(bounds), backs);
  const maxs = f32x4.mul(v128.load(bounds, 12), grid);
  const low = i32x4.trunc_sat_f32x4_s(f32x4.ceil(mins));
  const high = i32x4.trunc_sat_f32x4_s(f32x4.ceil(i32x4.shuffle(maxs, maxs, 1, 2, 1, 2)));
  return i16x8.narrow_i32x4_s(low, high);
}
