import { at, count, findWorld, first, hasRoom, moveWorld, shortage, world } from '../../core/assembly/world';
import * as World from '../src/layout';
import {
  END,
  EXIT_PATH,
  FAR,
  FLAG_IN_OPEN,
  FLAG_IN_WATER,
  FLAG_START_SOLID,
  FLAG_TRANSLUCENT,
  FRAME_BYTES,
  FRAMES,
  LEAF_BIT,
  LEAF_CONTENTS,
  LEAF_FLAGS,
  MARGIN_CUT,
  MARGIN_FACTOR,
  MARGIN_LEAST,
  MOVE_FRAMES,
  NUMBERS,
  PATH,
  PLANE_BYTES,
  PLANES,
  STEP_BYTES,
  TREELET_BYTES,
  TREELET_DIST,
  TREELET_EXITS,
  TREELET_NODES,
  TREELET_Y,
} from '../src/wasm/layout';

// Writes the hot section: the trees of a world's buffer, cut into treelets. A walk finds its sides of all four nodes of a treelet
// at once, with SIMD, and a table says where it leaves the treelet, so that one jump takes the place of two or three that nothing
// can predict. The first trace of a process has to wait for this, when no JavaScript engine has compiled anything yet: on e1m1 it
// took 16 ms in JavaScript, and takes 3 here, including the instance.

/** Sections of the world's buffer, by their words in its header. */
const WORLD_PLANES: usize = World.HEADER_WORDS;
const WORLD_NODES: usize = World.HEADER_WORDS + 2;
const WORLD_CLIP_NODES: usize = World.HEADER_WORDS + 4;
const WORLD_MODELS: usize = World.HEADER_WORDS + 8;

const WORLD_PLANE_BYTES: usize = 4 * World.PLANE_WORDS;
const WORLD_MODEL_BYTES: usize = 4 * World.MODEL_WORDS;

/** A node of the world: 16 bytes, or 32 if its plane is not axial. */
const NODE_STEP = 16;
const NODE_DIST = 4;
const NODE_FRONT = 8;
const NODE_NORMAL = 16;
const NOT_AXIAL = 3;
const KIND_BITS = 3;

/** Those contents, as numbers above 0, that are not taken for water. */
const EMPTY = 1;
const SOLID = 2;
const TRANSLUCENT = 15;

/**
 * Notes on a node: its weight, and the treelet that begins with it. They are filled with a byte that makes them negative until
 * then.
 */
const NOTE_TREELET = 8;
const UNKNOWN: u8 = 0x80;

/** Bytes of the four heads of a model. */
const HEADS_BYTES = 16;

/** Bytes of the stack for each node on the longest way down: four treelets may wait on each level. */
const STACK_STEP = 16;

/** Moves of a batch that are traced together. */
const LANES = 4;

/** The most that one rounding to float32 can change, relative to the number. */
const ROUNDING: f64 = 1.0 / 0x1000000;

/** Coordinates and distances below this never overflow float32. */
const FAR_AWAY: f64 = 1e30;

/** How far before a node the notes on it are, and where the stack begins. */
let notes: usize = 0;
let stack: usize = 0;

/** Where the next treelet goes. */
let next: usize = 0;

function align(address: i64, to: i64): i64 {
  return (address + to - 1) & -to;
}

/** Contents of a packed leaf, as a number above 0. */
function contentsOf(leaf: i32): i32 {
  return ~leaf & World.CONTENTS_MASK;
}

/** A packed leaf in the form that the walks use. */
function hotLeaf(leaf: i32): i32 {
  const contents = contentsOf(leaf);
  let flags = FLAG_IN_WATER;
  if (contents === SOLID) flags = FLAG_START_SOLID;
  else if (contents === EMPTY) flags = FLAG_IN_OPEN;
  else if (contents === TRANSLUCENT) flags = FLAG_TRANSLUCENT;
  return LEAF_BIT | (contents << LEAF_CONTENTS) | (flags << LEAF_FLAGS);
}

function weightOf(node: usize): f64 {
  return load<f64>(node - notes);
}

function treeletOf(node: usize): i32 {
  return load<i32>(node - notes, NOTE_TREELET);
}

/** What lies below a node: the place of another, or a packed leaf. */
function childOf(node: usize, side: i32): i32 {
  return load<i32>(node + (side << 2), NODE_FRONT);
}

/** The same for an edge out of a treelet: twice the lane of its node, plus the side. */
function childBy(treelet: usize, edge: i32): i32 {
  return childOf(load<i32>(treelet + ((edge >> 1) << 2)), edge & 1);
}

function weightBelow(child: i32): f64 {
  if (child >= 0) return weightOf(at(child));
  return contentsOf(child) === SOLID ? 0 : 1;
}

/**
 * Weighs the nodes from a head down: by the leafs below them that are not solid, each counted as often as it can be reached. In
 * doubles, as branches may be shared on every level.
 */
function weigh(head: usize): void {
  let top = stack;
  store<i32>(top, <i32>head);
  while (top >= stack) {
    const node: usize = load<i32>(top);
    let open: i32 = -1;
    let weight: f64 = 0;
    for (let side = 1; side >= 0; side--) {
      const child = childOf(node, side);
      const below = weightBelow(child);
      weight += below;
      if (below < 0) open = child;
    }
    if (open < 0) {
      store<f64>(node - notes, weight);
      top -= 4;
    } else {
      top += 4;
      store<i32>(top, <i32>at(open));
    }
  }
}

/** The edge out of a treelet's nodes that leads to the heaviest node, apart from those in `inner`; or -1. */
function heaviestEdge(treelet: usize, used: i32, inner: i32): i32 {
  let best = -1;
  let most: f64 = -1;
  for (let edge = 0; edge < 2 * used; edge++) {
    const child = childBy(treelet, edge);
    if (child < 0 || ((inner >> edge) & 1) !== 0) continue;
    const weight = weightOf(at(child));
    if (weight > most) {
      most = weight;
      best = edge;
    }
  }
  return best;
}

/**
 * Cuts the tree below a head into treelets, in depth-first order. Every treelet takes the heaviest nodes that it can reach. Nodes
 * may be shared, by trees or within one, as long as no way leads back to a node.
 *
 * For the time being, treelets hold addresses of nodes: of their own where the first numbers of their planes will be, or 0 if
 * there is none; and in exits of those that they lead to.
 */
function cut(head: usize): void {
  let top = stack;
  store<i32>(top, <i32>head);
  top += 4;
  while (top > stack) {
    top -= 4;
    const node = load<i32>(top);
    if (treeletOf(node) >= 0) continue;
    const treelet = next;
    next += TREELET_BYTES;
    store<i32>(<usize>node - notes, <i32>treelet, NOTE_TREELET);
    store<i32>(treelet, node);
    // Four bits for each of its nodes: the nodes on the way to it, itself among them; and those of them where the way goes to the
    // back.
    let ways = 1;
    let backs = 0;
    // Edges of the treelet's nodes that lead on within it.
    let inner = 0;
    let used = 1;
    for (; used < TREELET_NODES; used++) {
      const edge = heaviestEdge(treelet, used, inner);
      if (edge < 0) break;
      const above = edge >> 1;
      inner |= 1 << edge;
      store<i32>(treelet + (used << 2), <i32>at(childBy(treelet, edge)));
      ways |= (((ways >> (above << 2)) & EXIT_PATH) | (1 << used)) << (used << 2);
      backs |= (((backs >> (above << 2)) & EXIT_PATH) | ((edge & 1) << above)) << (used << 2);
    }
    // All other edges are exits, whatever the sides of the nodes that are not on the way. The heaviest is to come next, so it
    // goes on top.
    const below = top;
    for (let edge = 0; edge < 2 * used; edge++) {
      if (((inner >> edge) & 1) !== 0) continue;
      const above = edge >> 1;
      const child = childBy(treelet, edge);
      const way = (ways >> (above << 2)) & EXIT_PATH;
      const taken = ((backs >> (above << 2)) & EXIT_PATH) | ((edge & 1) << above);
      const exit = (child < 0 ? hotLeaf(child) : <i32>at(child)) | way;
      const free = ~way & EXIT_PATH;
      let others = 0;
      do {
        store<i32>(treelet + ((taken | others) << 2), exit, TREELET_EXITS);
        others = (others - free) & free;
      } while (others !== 0);
      if (child < 0 || treeletOf(at(child)) >= 0) continue;
      const weight = weightOf(at(child));
      let to = top;
      for (; to > below; to -= 4) {
        const other = load<i32>(to - 4);
        if (!(weightOf(other) > weight)) break;
        store<i32>(to, other);
      }
      store<i32>(to, <i32>at(child));
      top += 4;
    }
  }
}

/** Cuts the trees of some hulls of all models. */
function cutHulls(firstHull: i32, endHull: i32): void {
  const models = first(WORLD_MODELS);
  const endModels = models + WORLD_MODEL_BYTES * count(WORLD_MODELS);
  for (let model = models; model < endModels; model += WORLD_MODEL_BYTES) {
    for (let hull = firstHull; hull < endHull; hull++) {
      const head = load<i32>(model + (hull << 2), 4 * World.MODEL_HEADS);
      // There is nothing at place 0: it stands for hulls that the map does not have.
      if (head <= 0) continue;
      weigh(at(head));
      cut(at(head));
    }
  }
}

/** Writes a lane of a treelet, and returns the number of its plane. In a lane without a node, everything is in front. */
function writeLane(lane: usize): i32 {
  const node: usize = load<i32>(lane);
  if (node === 0) {
    store<f32>(lane, -Infinity, TREELET_DIST);
    return -1;
  }
  const word = load<i32>(node);
  const kind = word & NOT_AXIAL;
  for (let axis = 0; axis < 3; axis++) {
    const exact: f32 = kind === axis ? 1 : 0;
    const normal = kind === NOT_AXIAL ? load<f32>(node + (axis << 2), NODE_NORMAL) : exact;
    store<f32>(lane + TREELET_Y * axis, normal);
  }
  const dist = load<f32>(node, NODE_DIST);
  // See walk.ts.
  store<f32>(lane, dist === 0 ? -0.0 : dist, TREELET_DIST);
  return word >> KIND_BITS;
}

/** Writes all treelets, and the plane numbers of their nodes. */
function writeTreelets(treelets: usize, numbers: usize): void {
  for (let treelet = treelets; treelet < next; treelet += TREELET_BYTES) {
    for (let lane = treelet; lane < treelet + 4 * TREELET_NODES; lane += 4, numbers += 4) {
      store<i32>(numbers, writeLane(lane));
    }
    for (let way = treelet; way < treelet + 4 * (EXIT_PATH + 1); way += 4) {
      const exit = load<i32>(way, TREELET_EXITS);
      if (exit >= 0) store<i32>(way, treeletOf(exit & ~EXIT_PATH) | (exit & EXIT_PATH), TREELET_EXITS);
    }
  }
}

/** Writes the planes of the file, which are not exact in axial nodes. */
function writePlanes(to: usize): void {
  const planes = first(WORLD_PLANES);
  const endPlanes = planes + WORLD_PLANE_BYTES * count(WORLD_PLANES);
  for (let plane = planes; plane < endPlanes; plane += WORLD_PLANE_BYTES, to += PLANE_BYTES) {
    v128.store(to, v128.load(plane));
  }
}

/** Writes the heads of all models, four each. */
function writeHeads(to: usize): void {
  let model = first(WORLD_MODELS);
  for (let k = count(WORLD_MODELS); k > 0; k--, model += WORLD_MODEL_BYTES) {
    for (let hull = 0; hull < 4; hull++, to += 4) {
      const head = load<i32>(model + (hull << 2), 4 * World.MODEL_HEADS);
      if (head !== 0) store<i32>(to, head < 0 ? hotLeaf(head) : treeletOf(at(head)));
    }
  }
}

function writeMargins(): void {
  const normal: f64 = load<f32>(world, 4 * World.NORMAL_WORD);
  const dist: f64 = load<f32>(world, 4 * World.DIST_WORD);
  store<f32>(FAR, dist < FAR_AWAY ? <f32>FAR_AWAY : 0);
  // As in `setMargin`, but by the number of cuts, with the sum of both ends in place of the greater of them and of the length
  // between them, six more roundings for distances in float32, and 1/100 more for what is rounded here. The variables have types,
  // as within a cast to f32 all numbers would be f32.
  const rounding: f64 = 1.01 * ROUNDING * max<f64>(1, normal);
  const least: f64 = 1.01 * ROUNDING * 12 * dist + 1e-30;
  store<f32>(MARGIN_FACTOR, <f32>(12 * rounding));
  store<f32>(MARGIN_CUT, <f32>(3 * rounding));
  store<f32>(MARGIN_LEAST, <f32>least);
}

/**
 * Makes the hot section from the world's buffer, which takes the last `size` bytes of memory. Returns its bytes; if memory is too
 * short, the bytes that are needed, negated; 0 if these are too many.
 */
export function build(size: usize): i32 {
  findWorld(size);
  const levels = <i64>load<i32>(world, 4 * World.DEPTH_WORD) + 1;
  const start = align(FRAMES + LANES * FRAME_BYTES * levels, TREELET_BYTES);
  // At most, every node begins a treelet.
  const nodes = first(WORLD_NODES);
  const nodeBytes = first(WORLD_CLIP_NODES) + 4 * count(WORLD_CLIP_NODES) - nodes;
  const most =
    start +
    (TREELET_BYTES + 4 * TREELET_NODES) * (<i64>nodeBytes / NODE_STEP) +
    PLANE_BYTES * <i64>count(WORLD_PLANES) +
    STEP_BYTES * levels +
    HEADS_BYTES * <i64>count(WORLD_MODELS);
  // The stack comes last, so that a world that does not match its header ends at the end of memory. Nodes begin at multiples of
  // NODE_STEP, which leaves four bits of their addresses free: see `cut`.
  const above = STACK_STEP * levels + (nodes & (NODE_STEP - 1));
  if (!hasRoom(most + nodeBytes + above)) return shortage();
  moveWorld(<usize>above);
  stack = world + size;
  notes = first(WORLD_NODES) - world + nodeBytes;
  memory.fill(world - nodeBytes, UNKNOWN, nodeBytes);
  next = <usize>start;
  cutHulls(0, 1);
  cutHulls(1, 4);
  const numbers = next;
  const planes = numbers + ((numbers - <usize>start) / TREELET_BYTES) * (4 * TREELET_NODES);
  const path = planes + PLANE_BYTES * count(WORLD_PLANES);
  const heads = path + <usize>(STEP_BYTES * levels);
  store<f32>(END, 1, 12);
  store<i32>(NUMBERS, <i32>numbers - <i32>start / 8);
  store<i32>(PLANES, <i32>planes);
  store<i32>(PATH, <i32>path);
  store<i32>(MOVE_FRAMES, FRAME_BYTES * <i32>levels);
  writeMargins();
  writeTreelets(<usize>start, numbers);
  writePlanes(planes);
  writeHeads(heads);
  return <i32>heads + HEADS_BYTES * count(WORLD_MODELS);
}
