import { type Bounds6, brushBounds } from '@bspkit/brushes';
import { emptyBounds, widen } from './bounds.ts';
import { REGULAR_MODELS } from './constants.ts';
import type { UfoaiFile } from './file.ts';

/** A plane subtree below the union nodes of a regular model: what boxes are traced through. */
export interface BoxHead {
  readonly node: number;
  /** Model it belongs to. */
  readonly level: number;
  /** Bounds of the brushes below it. */
  readonly bounds: Bounds6;
}

/** Box heads in the engine's order, and the greatest depth of any tree, including those of inline models. */
export function collectBoxHeads(
  file: UfoaiFile,
  dists: Float32Array,
): { boxHeads: BoxHead[]; depth: number } {
  const { nodes, models } = file;
  const brushes = Array.from({ length: file.brushes.count }, (_, brush) => brushBounds(file, dists, brush));
  const boxHeads: BoxHead[] = [];
  let depth = 0;
  for (const [level, { headNode }] of models.entries()) {
    if (headNode < 0) continue;
    const regular = level < REGULAR_MODELS;
    // Preorder: the nodes that the engine makes heads of, in its order.
    const stack = [headNode];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (regular && nodes.planes[node]! < 0) {
        stack.push(nodes.children[2 * node + 1]!, nodes.children[2 * node]!);
        continue;
      }
      const bounds = emptyBounds();
      depth = Math.max(depth, measureTree(file, node, brushes, bounds));
      if (regular) boxHeads.push({ node, level, bounds });
    }
  }
  return { boxHeads, depth };
}

/** Widens `bounds` by all brushes in the leafs below a child and returns the tree's depth in nodes. */
function measureTree(file: UfoaiFile, child: number, brushes: Bounds6[], bounds: Bounds6): number {
  const { nodes, leafs, leafBrushes } = file;
  if (child >= 0) {
    const front = measureTree(file, nodes.children[2 * child]!, brushes, bounds);
    return 1 + Math.max(front, measureTree(file, nodes.children[2 * child + 1]!, brushes, bounds));
  }
  const first = leafs.firstBrushes[-1 - child]!;
  for (let k = first; k < first + leafs.numBrushes[-1 - child]!; k++)
    widen(bounds, brushes[leafBrushes[k]!]!);
  return 0;
}
