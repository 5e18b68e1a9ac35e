import {
  ALIGNMENT,
  beginTrees,
  child,
  makeRoom,
  measureTrees,
  take,
  takenBytes,
  treeScratch,
} from '../../brushes/assembly/build';
import { BOX_FRAME_BYTES, STACK } from '../../brushes/src/hot-layout';
import { count, first, shortage, world } from '../../core/assembly/world';
import * as World from '../src/layout';
import {
  QUAD_BYTES,
  QUAD_END,
  QUAD_FIRST,
  QUAD_KEYS,
  QUAD_MAXS,
  TILE_BYTES,
  TILE_GROUPS,
  TREES,
} from '../src/wasm/layout';
import {
  BOX_GROUPS,
  BOX_HEADS,
  BRUSHES,
  LEAFS,
  MODELS,
  NODES,
  PLANES,
  takeTiles,
  WORLD_TILE_BYTES,
  WORLD_TILES,
  writeBounds,
} from './world';

// What boxes are traced through: tiles, groups of heads, heads, and their trees and brushes.

const HEAD_BYTES: usize = 4 * World.BOX_HEAD_WORDS;
const GROUP_BYTES: usize = 4 * World.BOX_GROUP_WORDS;
const MODEL_BYTES: usize = 4 * World.MODEL_WORDS;

/** Bytes of the records of so many heads or groups, four in each. */
function quadBytes(count: i64): i64 {
  return QUAD_BYTES * ((count + 3) >> 2);
}

/** Where the next lane is: the first of the next record after the fourth. */
function nextLane(lane: usize): usize {
  const beside = lane + 4;
  return beside + ((lane ^ beside) & 16) * (QUAD_BYTES / 16 - 1);
}

/** Writes bounds (mins xyz, maxs xyz) and a key into a lane. */
function writeLane(lane: usize, bounds: usize, key: i32): void {
  for (let axis: usize = 0; axis < 3; axis++) {
    store<f32>(lane + 16 * axis, load<f32>(bounds + 4 * axis));
    store<f32>(lane + 16 * axis, load<f32>(bounds + 4 * axis, 12), QUAD_MAXS);
  }
  store<i32>(lane, key, QUAD_KEYS);
}

function writeTile(to: usize, tile: usize): void {
  const numGroups = <i64>load<u32>(tile, 4 * World.TILE_BOX_GROUPS + 4);
  let group = first(BOX_GROUPS) + GROUP_BYTES * load<i32>(tile, 4 * World.TILE_BOX_GROUPS);
  const end = group + GROUP_BYTES * <usize>numGroups;
  const bytes = quadBytes(numGroups);
  let lane = take(bytes);
  writeBounds(to, tile + 4 * World.TILE_MINS);
  store<i32>(to, <i32>lane, TILE_GROUPS);
  store<i32>(to, <i32>(lane + <usize>bytes), TILE_GROUPS + 4);
  for (; group < end; group += GROUP_BYTES, lane = nextLane(lane)) {
    writeLane(lane, group, load<i32>(group, 4 * World.BOX_GROUP_KEY));
    writeHeads(lane, group);
  }
}

/** Writes the heads of a group, and what is below them. */
function writeHeads(to: usize, group: usize): void {
  const numHeads = <i64>load<u32>(group, 4 * World.BOX_GROUP_HEADS + 4);
  let head = first(BOX_HEADS) + HEAD_BYTES * load<i32>(group, 4 * World.BOX_GROUP_HEADS);
  const end = head + HEAD_BYTES * <usize>numHeads;
  const bytes = quadBytes(numHeads);
  let lane = take(bytes);
  store<i32>(to, <i32>lane, QUAD_FIRST);
  store<i32>(to, <i32>(lane + <usize>bytes), QUAD_END);
  for (; head < end; head += HEAD_BYTES, lane = nextLane(lane)) {
    writeLane(lane, head + 4 * World.BOX_HEAD_BOUNDS, load<i32>(head, 4 * World.BOX_HEAD_KEY));
    store<i32>(lane, child(load<i32>(head)), QUAD_FIRST);
  }
}

/** A model's tree; 0 for an empty model. */
function treeOf(model: usize): i32 {
  const root = load<i32>(model, 4 * World.MODEL_ROOT);
  return root < 0 ? 0 : child(root);
}

/** Writes everything that boxes are traced through. Returns its bytes, or what `shortage` says. */
export function buildBoxes(): i32 {
  const numTiles = <i64>count(WORLD_TILES);
  const numGroups = <i64>count(BOX_GROUPS);
  const numHeads = count(BOX_HEADS);
  const numModels = count(MODELS);
  const start = STACK + BOX_FRAME_BYTES * <i64>load<u32>(world, 4 * World.BOX_STACK_WORD);
  // Each tile and each group may have a record that is not full.
  const numQuads = (numGroups + numHeads) / 4 + numTiles + numGroups;
  const entryBytes = QUAD_BYTES * numQuads + ALIGNMENT * (numTiles + numGroups);
  const tableBytes = 4 * (<i64>numHeads + numModels);
  const ownBytes = TILE_BYTES * numTiles + entryBytes + tableBytes + 2 * ALIGNMENT;
  const bytes = start + ownBytes + measureTrees(NODES, PLANES, LEAFS, BRUSHES);
  if (!makeRoom(start, bytes, treeScratch())) return shortage();
  let to = takeTiles();
  beginTrees();
  const tiles = first(WORLD_TILES);
  const endTiles = tiles + WORLD_TILE_BYTES * <usize>numTiles;
  for (let tile = tiles; tile < endTiles; tile += WORLD_TILE_BYTES, to += TILE_BYTES) writeTile(to, tile);
  const models = first(MODELS);
  for (let k = 0; k < numModels; k++) treeOf(models + MODEL_BYTES * k);
  let tree = take(tableBytes);
  store<i32>(TREES, <i32>tree);
  const heads = first(BOX_HEADS);
  for (let k = 0; k < numHeads; k++, tree += 4) store<i32>(tree, child(load<i32>(heads + HEAD_BYTES * k)));
  for (let k = 0; k < numModels; k++, tree += 4) store<i32>(tree, treeOf(models + MODEL_BYTES * k));
  return takenBytes();
}
