import { LEAF_WORDS, NODE_WORDS } from './layout.ts';
import type { BrushMemory } from './memory.ts';

/** Adds the places of all brushes below a node or leaf. */
export function collectBrushes(
  { ints, places }: Pick<BrushMemory, 'ints' | 'places'>,
  root: number,
  brushes: Set<number>,
): void {
  const stack = [root];
  for (let child = stack.pop(); child !== undefined; child = stack.pop()) {
    if (child >= 0) {
      const node = places.nodes.first + NODE_WORDS * child;
      stack.push(ints[node + 3]!, ints[node + 2]!);
      continue;
    }
    const leaf = places.leafs.first + LEAF_WORDS * (-1 - child);
    for (let k = 0; k < ints[leaf + 2]!; k++) brushes.add(ints[ints[leaf + 1]! + k]!);
  }
}
