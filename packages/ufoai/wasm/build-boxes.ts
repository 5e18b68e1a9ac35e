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
  ENTRY_BYTES,
  ENTRY_END,
  ENTRY_FIRST,
  ENTRY_KEY,
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

function writeTile(to: usize, tile: usize): void {
  const numGroups = <i64>load<u32>(tile, 4 * World.TILE_BOX_GROUPS + 4);
  let group = first(BOX_GROUPS) + GROUP_BYTES * load<i32>(tile, 4 * World.TILE_BOX_GROUPS);
  let entry = take(ENTRY_BYTES * numGroups);
  const end = entry + <usize>(ENTRY_BYTES * numGroups);
  writeBounds(to, tile + 4 * World.TILE_MINS);
  store<i32>(to, <i32>entry, TILE_GROUPS);
  store<i32>(to, <i32>end, TILE_GROUPS + 4);
  for (; entry < end; entry += ENTRY_BYTES, group += GROUP_BYTES) {
    writeBounds(entry, group);
    store<i32>(entry, load<i32>(group, 4 * World.BOX_GROUP_KEY), ENTRY_KEY);
    writeHeads(entry, group);
  }
}

/** Writes the heads of a group, and what is below them. */
function writeHeads(to: usize, group: usize): void {
  const numHeads = <i64>load<u32>(group, 4 * World.BOX_GROUP_HEADS + 4);
  let head = first(BOX_HEADS) + HEAD_BYTES * load<i32>(group, 4 * World.BOX_GROUP_HEADS);
  let entry = take(ENTRY_BYTES * numHeads);
  const end = entry + <usize>(ENTRY_BYTES * numHeads);
  store<i32>(to, <i32>entry, ENTRY_FIRST);
  store<i32>(to, <i32>end, ENTRY_END);
  for (; entry < end; entry += ENTRY_BYTES, head += HEAD_BYTES) {
    writeBounds(entry, head + 4 * World.BOX_HEAD_BOUNDS);
    store<i32>(entry, load<i32>(head, 4 * World.BOX_HEAD_KEY), ENTRY_KEY);
    store<i32>(entry, child(load<i32>(head)), ENTRY_FIRST);
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
  const entryBytes = ENTRY_BYTES * (numGroups + numHeads) + ALIGNMENT * (numTiles + numGroups);
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
