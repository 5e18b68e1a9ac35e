import { held, type ObstacleLister } from '@bspkit/core/format';
import { BRUSH_BOUNDS, BRUSH_SIDES, LEAF_WORDS, NODE_WORDS } from './layout.ts';
import type { BrushMemory } from './memory.ts';

type TreeMemory = Pick<BrushMemory, 'ints' | 'floats' | 'places'>;

/**
 * Lists the bounds of all brushes below a node that have any of some contents: mins, then maxs. They are where axial sides
 * stand, so a move that is clear of them passes in front of one of each brush. Of all, wherever that is asked: boxes come to
 * leafs that they only nearly reach, and may meet a brush there whose leafs are all elsewhere. The tree is walked once.
 */
export function obstacleLister(memory: TreeMemory, root: number, contents: number): ObstacleLister {
  let obstacles: Float32Array | undefined;
  return () => {
    obstacles ??= listObstacles(memory, root, contents);
    return obstacles;
  };
}

function listObstacles(memory: TreeMemory, root: number, contents: number): Float32Array {
  const { ints, floats, places } = held(memory);
  const { nodes, leafs } = places;
  const found = new Uint8Array(ints.length);
  const bounds: number[] = [];
  const stack = [root];
  for (let child = stack.pop(); child !== undefined; child = stack.pop()) {
    if (child >= 0) {
      const node = nodes.first + NODE_WORDS * child;
      stack.push(ints[node + 3]!, ints[node + 2]!);
      continue;
    }
    const leaf = leafs.first + LEAF_WORDS * (-1 - child);
    const end = ints[leaf + 1]! + ints[leaf + 2]!;
    for (let k = ints[leaf + 1]!; k < end; k++) {
      const brush = ints[k]!;
      if (found[brush] === 1) continue;
      found[brush] = 1;
      // What has no sides is nowhere.
      if ((ints[brush]! & contents) === 0 || ints[brush + BRUSH_SIDES + 1] === 0) continue;
      bounds.push(...floats.subarray(brush + BRUSH_BOUNDS, brush + BRUSH_BOUNDS + 6));
    }
  }
  return Float32Array.from(bounds);
}
