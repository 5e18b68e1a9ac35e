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
import { count, findWorld, first, shortage, world } from '../../core/assembly/world';
import { DEPTH_WORD, HEADER_WORDS, MODEL_HEAD, MODEL_WORDS } from '../src/layout';
import { ROOTS } from '../src/wasm/layout';

/** Sections of the world's buffer, by their words in its header. */
const NODES: usize = HEADER_WORDS;
const PLANES: usize = HEADER_WORDS + 2;
const LEAFS: usize = HEADER_WORDS + 4;
const BRUSHES: usize = HEADER_WORDS + 10;
const MODELS: usize = HEADER_WORDS + 16;

/** The head of a model. That of the world is node 0, as in the engine. */
function headOf(model: i32): i32 {
  return model === 0 ? 0 : load<i32>(first(MODELS) + 4 * MODEL_WORDS * <usize>model, 4 * MODEL_HEAD);
}

/**
 * Makes what moves are traced through from the world's buffer, which takes the last `size` bytes of memory: brushes, trees, and a
 * table of the models' trees. Returns its bytes, or what `shortage` says.
 */
export function build(size: usize): i32 {
  findWorld(size);
  const start = STACK + BOX_FRAME_BYTES * (<i64>load<u32>(world, 4 * DEPTH_WORD) + 1);
  const numModels = count(MODELS);
  const tableBytes = 4 * <i64>numModels;
  const bytes = start + measureTrees(NODES, PLANES, LEAFS, BRUSHES) + ALIGNMENT + tableBytes;
  if (!makeRoom(start, bytes, treeScratch())) return shortage();
  beginTrees();
  for (let model = 0; model < numModels; model++) child(headOf(model));
  const roots = take(tableBytes);
  store<i32>(ROOTS, <i32>roots);
  for (let model = 0; model < numModels; model++) store<i32>(roots + 4 * <usize>model, child(headOf(model)));
  return takenBytes();
}
