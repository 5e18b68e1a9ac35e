import { at, count, first, hasRoom, MOST_BYTES, world } from '../../core/assembly/world';
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
  GRID,
  LEAF_BYTES,
  LEAF_END,
  LEAF_NUMBER,
  NODE_BACK,
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
// JavaScript, and takes 2 now.
//
// Kernels export some of these functions to keep them functions of their own. V8 optimises a function once it has executed so
// many bytes of its code, loops included: 1.8 MB in Node 20. To build in one large function would have it optimise all of that, at
// just the time when the functions that trace should be.

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

/** Memory is taken at multiples of this. */
export const ALIGNMENT = 32;
/** The free space behind what is built. */
export let scratch: usize = 0;
/** How far memory has been taken, and how far it may be. */
let taken: usize = 0;
let most: usize = 0;

/**
 * Makes room for `bytes` bytes, of which the first `start` are taken, and for scratch behind them. Returns false if memory is too
 * short.
 */
export function makeRoom(start: i64, bytes: i64, scratchBytes: i64): bool {
  const behind = (bytes + 15) & -16;
  if (!hasRoom(behind + scratchBytes)) return false;
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

/**
 * Writes all brushes, and makes room for nodes. In the world, brushes then begin with the reference to them, the same for all
 * leafs.
 */
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

export function writeBrushes(): void {
  const brushes = first(brushSection);
  const endBrushes = brushes + WORLD_BRUSH_BYTES * count(brushSection);
  const start = take(0);
  let to = start;
  for (let brush = brushes; brush < endBrushes; brush += WORLD_BRUSH_BYTES) {
    const next = to + <usize>brushBytes(brush);
    const sides = load<i32>(brush, 4 * BRUSH_SIDES);
    const numSides = load<i32>(brush, NUM_SIDES);
    store<i32>(to, load<i32>(brush));
    store<i32>(to, <i32>(brush - world) >> 2, BRUSH_PLACE);
    store<i32>(to, sides, BRUSH_SIDE);
    store<i32>(to, <i32>next, BRUSH_END);
    store<i32>(to, <i32>((brush - brushes) / WORLD_BRUSH_BYTES), BRUSH_INDEX);
    v128.store(brush, quantise(brush + 4 * BRUSH_BOUNDS));
    store<i32>(brush, <i32>to, REF_BRUSH);
    // Lanes without a side get a plane that everything is behind.
    if (numSides > 0) v128.store(next - BLOCK_BYTES, f32x4.splat(Infinity), 48);
    let lane = to + BRUSH_BYTES;
    let side = at(sides);
    for (const endSide = side + WORLD_SIDE_BYTES * numSides; side < endSide; side += WORLD_SIDE_BYTES) {
      const plane = v128.load(side);
      v128.store32_lane(lane, plane, 0);
      v128.store32_lane(lane, plane, 1, 16);
      v128.store32_lane(lane, plane, 2, 32);
      v128.store32_lane(lane, plane, 3, 48);
      // A row of four lanes begins at a multiple of 16.
      const beside = lane + 4;
      lane = beside + ((lane ^ beside) & 16) * (BLOCK_BYTES / 16 - 1);
    }
    to = next;
  }
  store<i32>(BRUSHES, <i32>start);
  store<i32>(BRUSHES_END, <i32>to);
  take(to - start);
}

/** The child that stands for a node, or for a leaf, given as -1 - its number. A child that holds no brushes is only counted. */
export function child(number: i32): i32 {
  const known = children + 4 * <usize>number;
  let made = load<i32>(known);
  if (made !== 0) return made;
  const below = leafsBelow(number);
  if (below > 0) made = CHILD_EMPTY | (below << 2);
  else made = number >= 0 ? writeNode(number) : writeLeaf(-1 - number);
  store<i32>(known, made);
  return made;
}

/** Leafs below a child, negated if there are brushes too. */
function leafsBelow(child: i32): i32 {
  if (child < 0) {
    // Trees may share leafs: one that has been written has other things in the world by now.
    const made = load<i32>(children + 4 * <usize>child);
    if (made !== 0) return (made & CHILD_EMPTY) !== 0 ? 1 : -1;
    return load<i32>(leafs + WORLD_LEAF_BYTES * (-1 - child), LEAF_NUM_BRUSHES) === 0 ? 1 : -1;
  }
  const known = load<i32>(counts + 4 * <usize>child);
  return known !== 0 ? known : countLeafs(child);
}

export function countLeafs(number: i32): i32 {
  const node = nodes + WORLD_NODE_BYTES * number;
  const front = leafsBelow(load<i32>(node, FRONT));
  const back = leafsBelow(load<i32>(node, FRONT + 4));
  let below = abs(front) + abs(back);
  if (front < 0 || back < 0) below = -below;
  store<i32>(counts + 4 * <usize>number, below);
  return below;
}

/**
 * Writes a node before what is below it, and the front child first, so that walks read forward in memory. In the world it then has
 * what is below it, as in a side.
 */
export function writeNode(number: i32): i32 {
  const node = nodes + WORLD_NODE_BYTES * number;
  const to = nextNode;
  nextNode += NODE_BYTES;
  const kind = load<i32>(node);
  const dist = load<f32>(node, 4);
  const plane = v128.load(planes + WORLD_PLANE_BYTES * (kind >>> 4));
  v128.store(to + toPlanes, f32x4.replace_lane(plane, 3, dist));
  store<f32>(to, dist);
  store<i32>(to, abs(load<i32>(counts + 4 * <usize>number)), NODE_LEAFS);
  const sides = to + to + toSides;
  const front = load<i32>(node, FRONT);
  const back = load<i32>(node, FRONT + 4);
  const madeFront = child(front);
  const madeBack = child(back);
  store<i32>(to, madeFront, NODE_FRONT);
  store<i32>(to, madeBack, NODE_BACK);
  describe(sides, front, madeFront);
  describe(sides + SIDE_BYTES, back, madeBack);
  v128.store(node, i16x8.max_s(v128.load(sides), v128.load(sides, SIDE_BYTES)));
  store<i32>(
    node,
    load<i32>(sides, SIDE_CONTENTS) | load<i32>(sides, SIDE_BYTES + SIDE_CONTENTS),
    SIDE_CONTENTS,
  );
  return <i32>to | ((kind & KIND_MASK) << 2);
}

/** Writes a side: what is below a child, by its number and as made. */
function describe(side: usize, number: i32, made: i32): void {
  if ((made & CHILD_EMPTY) !== 0) {
    v128.store(side, i16x8.splat(-0x8000));
    store<i32>(side, 0, SIDE_CONTENTS);
  } else if (number >= 0) v128.store(side, v128.load(nodes + WORLD_NODE_BYTES * number));
  else {
    v128.store(side, v128.load(leafs + WORLD_LEAF_BYTES * (-1 - number)));
    store<i32>(side, load<i32>(made & ~CHILD_LEAF), SIDE_CONTENTS);
  }
}

/** Writes a leaf. In the world, it then has the bounds of its brushes. */
export function writeLeaf(number: i32): i32 {
  const leaf = leafs + WORLD_LEAF_BYTES * number;
  const to = take(leafBytes(leaf));
  const last = taken;
  store<i32>(to, load<i32>(leaf));
  store<i32>(to, number, LEAF_NUMBER);
  store<i32>(to, <i32>last, LEAF_END);
  let bounds = i16x8.splat(-0x8000);
  let place = at(load<i32>(leaf, LEAF_BRUSHES));
  for (let ref = to + LEAF_BYTES; ref < last; ref += REF_BYTES, place += 4) {
    const brush = v128.load(at(load<i32>(place)));
    v128.store(ref, brush);
    bounds = i16x8.max_s(bounds, brush);
  }
  v128.store64_lane(leaf, bounds, 0);
  v128.store32_lane(leaf, bounds, 2, 8);
  return <i32>to | CHILD_LEAF;
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
