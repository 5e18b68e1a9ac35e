import { LEAF_WORDS, NODE_WORDS, PLANE_WORDS } from '@bspkit/brushes';
import type { Vec3 } from '@bspkit/core';
import type { WorldMemory } from './kernel/memory.ts';
import { BOX_HEAD_KEY, BOX_HEAD_WORDS } from './layout.ts';
import { selectBoxHeads } from './selection.ts';

const f = Math.fround;

/** Number of the leaf below a node that holds a point, among all tiles' leafs. Points on a plane count as in front of it. */
function findLeaf({ ints, floats, places }: WorldMemory, root: number, point: Vec3): number {
  const x = f(point[0]!);
  const y = f(point[1]!);
  const z = f(point[2]!);
  let node = root;
  while (node >= 0) {
    const at = places.nodes.first + NODE_WORDS * node;
    const kind = ints[at]! & 15;
    let height: number;
    if (kind < 3) height = kind === 0 ? x : kind === 1 ? y : z;
    else {
      const plane = places.planes.first + PLANE_WORDS * (ints[at]! >>> 4);
      height = f(f(f(floats[plane]! * x) + f(floats[plane + 1]! * y)) + f(floats[plane + 2]! * z));
    }
    node = ints[at + (f(height - floats[at + 1]!) < 0 ? 3 : 2)]!;
  }
  return -1 - node;
}

/** Contents of the leafs that hold a point, of all heads of some levels, or-ed. Inline models do not count. */
export function worldContents(memory: WorldMemory, point: Vec3, levels: number): number {
  const { ints, places } = memory;
  const selection = selectBoxHeads(levels);
  let contents = 0;
  for (let head = 0; head < places.boxHeads.count; head++) {
    const at = places.boxHeads.first + BOX_HEAD_WORDS * head;
    if ((ints[at + BOX_HEAD_KEY]! & selection) === 0) continue;
    contents |= ints[places.leafs.first + LEAF_WORDS * findLeaf(memory, ints[at]!, point)]!;
  }
  return contents;
}
