import { ALIGNMENT, makeRoom, scratch, take, takenBytes } from '../../brushes/assembly/build';
import { at, count, first, shortage, world } from '../../core/assembly/world';
import * as World from '../src/layout';
import {
  BRANCH_BYTES,
  BRANCH_FIRST,
  BRANCH_SECOND,
  ENTRY_BYTES,
  ENTRY_KEY,
  ENTRY_NUMBER,
  ENTRY_TREE,
  LANES,
  LEAFS_BACK,
  LEAFS_BLOCKED,
  LINE_FRAME_BYTES,
  LINE_LIST,
  LINE_STACK,
  LINK_BLOCKED,
  LINK_BRANCH,
  LINK_OPEN,
  LIST_BYTES,
  TILE_BYTES,
  TILE_LINE_BOUNDS,
  TILE_LINE_HEADS,
  TREELET_BYTES,
  TREELET_LEAFS,
  TREELET_LINKS,
  TREELET_PLACES,
} from '../src/wasm/layout';
import { LINE_HEADS, LINES, takeTiles, WORLD_TILE_BYTES, WORLD_TILES, writeBounds } from './world';

// What lines are traced through: tiles, heads, and their trees, with the nodes in groups of four.

const HEAD_BYTES: usize = 4 * World.LINE_HEAD_WORDS;
/** Where the fields of a line node are, in bytes. */
const FRONT: usize = 8;
const BACK: usize = 12;
const NORMAL: usize = 16;
/** Where the distances are in a treelet. */
const TREELET_DISTS: usize = 48;
/** Nodes of a treelet: as many as a vector has lanes. */
const LANE_COUNT: usize = 4;
/**
 * Bytes to allow for each node, and for each tree that begins at a head or below a union. A treelet of fewer than four nodes has
 * none below it, and one of four has at most five treelets below it; so n nodes of a tree make no more than 5/8 n + 3/8 treelets.
 */
const NODE_SHARE: i64 = (TREELET_BYTES / 8) * 5;
const ROOT_SHARE: i64 = (TREELET_BYTES / 8) * 3;
const BRANCH_SHARE: i64 = BRANCH_BYTES + ALIGNMENT;
/** A plane that everything is in front of, for lanes without a node. */
const NOWHERE: f32 = -1e9;

/** Scratch: nodes that a treelet might take next, five at most; then a word for each word of the lines' section. */
const EDGE_BYTES: usize = 32;
/** As far from here as a node's place: its link, then the number of open leafs below it plus 1; 0 if not known yet. */
let links: usize = 0;
const WEIGHT: usize = 4;

/** The link to what is at a place of the lines' section; that is written with everything below it, unless it has been already. */
function link(place: i32): i32 {
  if (place === World.LINE_OPEN) return LINK_OPEN;
  if (place === World.LINE_BLOCKED) return LINK_BLOCKED;
  const known = links + 4 * <usize>place;
  let made = load<i32>(known);
  if (made !== 0) return made;
  const kind = load<i32>(at(place));
  made = kind === World.LINE_BOX || kind === World.LINE_UNION ? writeBranch(place) : writeTreelet(place);
  store<i32>(known, made);
  return made;
}

function writeBranch(place: i32): i32 {
  const to = take(BRANCH_BYTES);
  let low = f32x4.splat(-Infinity);
  let high = f32x4.splat(Infinity);
  if (load<i32>(at(place)) === World.LINE_BOX) {
    low = f32x4.replace_lane(v128.load(at(place), 4), 3, -Infinity);
    high = f32x4.replace_lane(v128.load(at(place), 16), 3, Infinity);
    place += World.LINE_BOX_WORDS;
  }
  v128.store(to, low);
  v128.store(to, high, 16);
  if (load<i32>(at(place)) === World.LINE_UNION) {
    store<i32>(to, link(load<i32>(at(place), FRONT)), BRANCH_FIRST);
    store<i32>(to, link(load<i32>(at(place), BACK)), BRANCH_SECOND);
  } else {
    store<i32>(to, link(place), BRANCH_FIRST);
    store<i32>(to, LINK_OPEN, BRANCH_SECOND);
  }
  return <i32>to | LINK_BRANCH;
}

function writeTreelet(root: i32): i32 {
  const to = take(TREELET_BYTES);
  choose(root, to + TREELET_PLACES);
  let leafs = 0;
  for (let k: usize = 0; k < LANE_COUNT; k++) leafs |= writeNode(to + 4 * k) << (<i32>k);
  store<i32>(to, leafs, TREELET_LEAFS);
  for (let sides = 0; sides < 16; sides++) {
    let path = 0;
    let place = root;
    for (;;) {
      const lane = laneOf(to, skipBox(place)) & ~path;
      if (lane === 0) break;
      const k = ctz(lane);
      const node = at(load<i32>(to + 4 * <usize>k, TREELET_PLACES));
      path |= lane;
      place = load<i32>(node + 4 * <usize>((sides >> k) & 1), FRONT);
    }
    store<i32>(to + 4 * <usize>sides, link(place) | path, TREELET_LINKS);
  }
  return <i32>to;
}

/** Writes the plane of the node in a treelet's lane. Returns the lane's bits of leafs, as in the first. */
function writeNode(lane: usize): i32 {
  const place = load<i32>(lane, TREELET_PLACES);
  if (place === 0) {
    store<f32>(lane, NOWHERE, TREELET_DISTS);
    return 0;
  }
  const node = at(place);
  const kind = load<i32>(node);
  if (kind === World.LINE_OBLIQUE) {
    store<f32>(lane, load<f32>(node, NORMAL));
    store<f32>(lane, load<f32>(node, NORMAL + 4), 16);
    store<f32>(lane, load<f32>(node, NORMAL + 8), 32);
  } else store<f32>(lane + 16 * <usize>kind, 1);
  store<f32>(lane, load<f32>(node, 4), TREELET_DISTS);
  const front = load<i32>(node, FRONT);
  const back = load<i32>(node, BACK);
  let leafs = front === World.LINE_OPEN ? 1 : 0;
  if (back === World.LINE_OPEN) leafs |= 1 << LEAFS_BACK;
  if (front === World.LINE_BLOCKED || back === World.LINE_BLOCKED) leafs |= 1 << LEAFS_BLOCKED;
  return leafs;
}

/** The bit of the lane that has a node; 0 if none has it, and for leafs. */
function laneOf(treelet: usize, place: i32): i32 {
  if (place <= World.LINE_OPEN) return 0;
  return i32x4.bitmask(i32x4.eq(v128.load(treelet, TREELET_PLACES), i32x4.splat(place)));
}

/** The node that a child is apart from its bounds. */
function skipBox(place: i32): i32 {
  const isBox = place > World.LINE_OPEN && load<i32>(at(place)) === World.LINE_BOX;
  return isBox ? place + World.LINE_BOX_WORDS : place;
}

/** Chooses the nodes of a treelet: from the root on, always the child with the most open leafs below it. */
function choose(root: i32, places: usize): void {
  let end = scratch;
  let node = root;
  for (let k: usize = 0; k < LANE_COUNT; k++) {
    store<i32>(places + 4 * k, node);
    const front = skipBox(load<i32>(at(node), FRONT));
    const back = skipBox(load<i32>(at(node), BACK));
    // Both children of a phantom are the tile's first tree, which has been written already.
    if (front !== back) {
      end = addEdge(end, front);
      end = addEdge(end, back);
    }
    if (end === scratch) return;
    let best = scratch;
    for (let edge = scratch + 4; edge < end; edge += 4) {
      if (weigh(load<i32>(edge)) > weigh(load<i32>(best))) best = edge;
    }
    node = load<i32>(best);
    end -= 4;
    memory.copy(best, best + 4, end - best);
  }
}

function addEdge(end: usize, place: i32): usize {
  if (place <= World.LINE_OPEN || load<i32>(at(place)) >= World.LINE_UNION) return end;
  store<i32>(end, place);
  return end + 4;
}

/** How many open leafs are below a child. */
function weigh(place: i32): i32 {
  if (place <= World.LINE_OPEN) return place === World.LINE_OPEN ? 1 : 0;
  place = skipBox(place);
  const known = links + 4 * <usize>place;
  let leafs = load<i32>(known, WEIGHT);
  if (leafs === 0) {
    const node = at(place);
    leafs = 1 + weigh(load<i32>(node, FRONT)) + weigh(load<i32>(node, BACK));
    store<i32>(known, leafs, WEIGHT);
  }
  return leafs - 1;
}

/** The most bytes that all trees can take, apart from {@link ROOT_SHARE} for each. */
function measureTrees(): i64 {
  let bytes: i64 = 0;
  const nodes = first(LINES);
  const endNodes = nodes + 4 * <usize>count(LINES);
  // The first word is free.
  let node = nodes + 4;
  while (node < endNodes) {
    const kind = load<i32>(node);
    if (kind === World.LINE_BOX) bytes += BRANCH_SHARE;
    else if (kind === World.LINE_UNION) bytes += BRANCH_SHARE + 2 * ROOT_SHARE;
    else bytes += NODE_SHARE;
    const isLong = kind === World.LINE_OBLIQUE || kind === World.LINE_BOX;
    node += 4 * (isLong ? <usize>World.LINE_OBLIQUE_WORDS : World.LINE_NODE_WORDS);
  }
  return bytes;
}

function treeOf(head: usize): i32 {
  return load<i32>(head, 4 * World.LINE_HEAD_TREE);
}

function writeTile(to: usize, tile: usize): void {
  const number = load<i32>(tile, 4 * World.TILE_LINE_HEADS);
  const numHeads = load<i32>(tile, 4 * World.TILE_LINE_HEADS + 4);
  const heads = first(LINE_HEADS) + HEAD_BYTES * number;
  // The first is kept even if nothing in it blocks: a phantom asks whether it is selected.
  let kept: i64 = 0;
  for (let k = 0; k < numHeads; k++) {
    if (k === 0 || treeOf(heads + HEAD_BYTES * k) !== World.LINE_OPEN) kept++;
  }
  let entry = take(ENTRY_BYTES * kept);
  writeBounds(to + TILE_LINE_BOUNDS, tile + 4 * World.TILE_LINE_MINS);
  store<i32>(to, <i32>entry, TILE_LINE_HEADS);
  store<i32>(to, <i32>entry + ENTRY_BYTES * <i32>kept, TILE_LINE_HEADS + 4);
  for (let k = 0; k < numHeads; k++) {
    const head = heads + HEAD_BYTES * k;
    const tree = treeOf(head);
    if (k !== 0 && tree === World.LINE_OPEN) continue;
    store<i32>(entry, load<i32>(head, 4 * World.LINE_HEAD_KEY), ENTRY_KEY);
    store<i32>(entry, number + k, ENTRY_NUMBER);
    if (tree !== World.LINE_OPEN) {
      // The head has the bounds, so its link leads past them.
      writeBounds(entry, at(tree + 1));
      store<i32>(entry, link(tree + World.LINE_BOX_WORDS), ENTRY_TREE);
    }
    entry += ENTRY_BYTES;
  }
}

/** Writes everything that lines are traced through. Returns its bytes, or what `shortage` says. */
export function buildLines(): i32 {
  const numTiles = <i64>count(WORLD_TILES);
  const start = LINE_STACK + LINE_FRAME_BYTES * <i64>load<u32>(world, 4 * World.LINE_STACK_WORD);
  const numHeads = <i64>count(LINE_HEADS);
  const listBytes = LIST_BYTES * (numTiles + numHeads);
  const tileBytes = (TILE_BYTES + 2 * ALIGNMENT) * numTiles + listBytes + 3 * ALIGNMENT;
  const headBytes = (ENTRY_BYTES + ROOT_SHARE) * numHeads;
  const bytes = start + tileBytes + headBytes + measureTrees();
  if (!makeRoom(start, bytes, EDGE_BYTES + 4 * <i64>count(LINES))) return shortage();
  links = scratch + EDGE_BYTES - (first(LINES) - at(0));
  for (let lane: usize = 0; lane < LANE_COUNT; lane++) {
    v128.store(16 * lane, i32x4.splat(0x03020100 + 0x04040404 * <i32>lane), LANES);
  }
  store<i32>(LINE_LIST, <i32>take(listBytes));
  let to = takeTiles();
  const tiles = first(WORLD_TILES);
  const endTiles = tiles + WORLD_TILE_BYTES * <usize>numTiles;
  for (let tile = tiles; tile < endTiles; tile += WORLD_TILE_BYTES, to += TILE_BYTES) writeTile(to, tile);
  return takenBytes();
}
