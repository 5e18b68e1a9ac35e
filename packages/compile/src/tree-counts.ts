import { isLeaf, type Tree } from './tree.ts';

/** How a tree came out. */
export interface TreeCounts {
  readonly nodes: number;
  readonly leafs: number;
  /** Nodes on the longest way down. */
  readonly depth: number;
  /** Nodes on the way to a leaf, on average. */
  readonly meanDepth: number;
  /** Most brushes in a leaf, and brushes in a leaf on average. */
  readonly maxBrushes: number;
  readonly meanBrushes: number;
}

/** Counts trees, all together. */
export function countTrees(trees: readonly Tree[]): TreeCounts {
  let nodes = 0;
  let leafs = 0;
  let depth = 0;
  let depths = 0;
  let maxBrushes = 0;
  let brushes = 0;
  const walk = (part: Tree, level: number): void => {
    if (!isLeaf(part)) {
      nodes++;
      walk(part.front, level + 1);
      walk(part.back, level + 1);
      return;
    }
    leafs++;
    depths += level;
    depth = Math.max(depth, level);
    brushes += part.brushes.length;
    maxBrushes = Math.max(maxBrushes, part.brushes.length);
  };
  for (const tree of trees) walk(tree, 0);
  const mean = (sum: number): number => (leafs > 0 ? sum / leafs : 0);
  return { nodes, leafs, depth, meanDepth: mean(depths), maxBrushes, meanBrushes: mean(brushes) };
}
