import type { Vec3 } from '@bspkit/core';
import { boxSides, type LeafTree } from '@bspkit/core/format';
import { KIND_MASK, NODE_WORDS, OBLIQUE, PLANE_WORDS } from './layout.ts';
import type { BrushMemory } from './memory.ts';

// Points and boxes of which only the leafs are wanted, and no brushes.

type Trees = Pick<BrushMemory, 'ints' | 'floats' | 'places'>;

const f = Math.fround;

/** Number of the leaf below a node that contains a point. A point on a plane counts as in front of it. */
export function findLeaf({ ints, floats, places }: Trees, root: number, point: Vec3): number {
  const x = f(point[0]!);
  const y = f(point[1]!);
  const z = f(point[2]!);
  let node = root;
  while (node >= 0) {
    const at = places.nodes.first + NODE_WORDS * node;
    const kind = ints[at]! & KIND_MASK;
    let height: number;
    if (kind < OBLIQUE) height = kind === 0 ? x : kind === 1 ? y : z;
    else {
      const plane = places.planes.first + PLANE_WORDS * (ints[at]! >>> 4);
      height = f(f(f(floats[plane]! * x) + f(floats[plane + 1]! * y)) + f(floats[plane + 2]! * z));
    }
    node = ints[at + (f(height - floats[at + 1]!) < 0 ? 3 : 2)]!;
  }
  return -1 - node;
}

/** A world's trees as `boxLeafs` walks them. */
export function leafTree({ ints, floats, places }: Trees): LeafTree {
  const place = (node: number): number => places.nodes.first + NODE_WORDS * node;
  return {
    sides(node, box) {
      const at = place(node);
      const kind = ints[at]! & KIND_MASK;
      const dist = floats[at + 1]!;
      if (kind < OBLIQUE) {
        return boxSides(kind === 0 ? 1 : 0, kind === 1 ? 1 : 0, kind === 2 ? 1 : 0, dist, box);
      }
      const plane = places.planes.first + PLANE_WORDS * (ints[at]! >>> 4);
      return boxSides(floats[plane]!, floats[plane + 1]!, floats[plane + 2]!, dist, box);
    },
    child: (node, side) => ints[place(node) + 2 + side]!,
    leaf: (child) => -1 - child,
  };
}
