import {
  ADDRESS_MASK,
  EMPTY_BIT,
  EMPTY_NODE_BIT,
  GRID,
  LEAF_BIT,
  LIST_HEADER,
  NODE_BYTES,
  NODE_DIST,
  NODE_FRONT,
  NODE_PLANES,
  NODE_SIDES,
  NODE_TYPE,
  REF_BYTES,
  ROOT,
  SIDE_BYTES,
  SIDE_CONTENTS,
  WORLD_ADDRESS,
  WORLD_BOUNDS,
  WORLD_BYTES,
  WORLD_CONTENTS,
  WORLD_DIST,
  WORLD_FRONT,
  WORLD_NORMAL,
  WORLD_NUM_BRUSHES,
  WORLD_NUM_PATCHES,
} from '../src/wasm/layout';
import { pack } from './setup';

// Writes the nodes of the hot section, from the world's own records. The first trace waits for it: JavaScript, which V8
// has not compiled by then, takes 3 ms longer on oa_minia, of 18 for the first 1,000 traces of a process.

const PLANE_BYTES = 16;

/** Distances rounded outward to the grid. */
function outward(distances: v128, grid: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.ceil(f32x4.mul(distances, grid)));
}

/**
 * Nodes in the order of the file, which is that in which walks come to them; those that nothing is below last.
 * The world's nodes, and leafs, stand from the address `lists` on for the time being, where the leafs' lists will be; `first`
 * and `firstLeaf` are their places in the world's buffer, and `root` is that of the root.
 */
export function writeTree(
  lists: i32,
  first: i32,
  count: i32,
  firstLeaf: i32,
  numLeafs: i32,
  root: i32,
): void {
  const world = lists - 4 * first;
  const leafs = world + 4 * firstLeaf;
  const endLeafs = leafs + WORLD_BYTES * numLeafs;
  let list = lists;
  for (let leaf = leafs; leaf < endLeafs; leaf += WORLD_BYTES) {
    const isEmpty = load<i32>(leaf, WORLD_CONTENTS) === 0;
    store<i32>(leaf, list | LEAF_BIT | (isEmpty ? EMPTY_BIT : 0), WORLD_ADDRESS);
    const refs = load<i32>(leaf, WORLD_NUM_BRUSHES) + load<i32>(leaf, WORLD_NUM_PATCHES);
    list += LIST_HEADER + REF_BYTES * refs;
  }
  const endNodes = lists + WORLD_BYTES * count;
  const planes = NODE_BYTES * count;
  const nodes = lists - planes - (PLANE_BYTES + 2 * SIDE_BYTES) * count;
  let next = nodes;
  for (let node = lists; node < endNodes; node += WORLD_BYTES) {
    if (load<i32>(node, WORLD_CONTENTS) === 0) continue;
    store<i32>(node, next, WORLD_ADDRESS);
    next += NODE_BYTES;
  }
  for (let node = lists; node < endNodes; node += WORLD_BYTES) {
    if (load<i32>(node, WORLD_CONTENTS) !== 0) continue;
    store<i32>(node, next | LEAF_BIT | EMPTY_BIT | EMPTY_NODE_BIT, WORLD_ADDRESS);
    next += NODE_BYTES;
  }
  const sides = planes + PLANE_BYTES * count - nodes;
  store<i32>(NODE_PLANES, planes);
  store<i32>(NODE_SIDES, sides);
  const grid = v128.load32_splat(GRID);
  for (let node = lists; node < endNodes; node += WORLD_BYTES) {
    const at = load<i32>(node, WORLD_ADDRESS) & ADDRESS_MASK;
    v128.store(at + planes, v128.load(node, WORLD_NORMAL));
    store<f32>(at, load<f32>(node, WORLD_DIST), NODE_DIST);
    store<i32>(at, 4 * load<i32>(node), NODE_TYPE);
    for (let side = 0; side < 2; side++) {
      const child = world + 4 * abs(load<i32>(node + 4 * side, WORLD_FRONT));
      const low = v128.load(child, WORLD_BOUNDS);
      const high = v128.load(child, WORLD_BOUNDS + 16);
      const back = i32x4.shuffle(low, high, 0, 2, 4, 4);
      const front = i32x4.shuffle(low, high, 1, 3, 5, 5);
      const to = 2 * at + sides + SIDE_BYTES * side;
      v128.store(to, pack(outward(back, grid), outward(front, grid)));
      store<i32>(to, load<i32>(child, WORLD_CONTENTS), SIDE_CONTENTS);
      store<i32>(at + 4 * side, load<i32>(child, WORLD_ADDRESS), NODE_FRONT);
    }
  }
  store<i32>(ROOT, load<i32>(world + 4 * abs(root), WORLD_ADDRESS));
}
