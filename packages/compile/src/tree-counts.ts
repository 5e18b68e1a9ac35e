import { CompileError } from './error.ts';
import type { CompileStats } from './target.ts';
import { isLeaf, type Tree } from './tree.ts';

/** Counts the nodes and leafs of all the trees together. */
export function countTrees(trees: readonly Tree[]): CompileStats['tree'] {
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

/** Throws `CompileError` (`limit`) when a way down from a root passes more nodes than readers walk. */
export function checkDepth(depth: number, most: number, format: string): void {
  if (depth <= most) return;
  const problem = `${format} may have trees ${most} nodes deep, the map's is ${depth}: make brushes of fewer sides`;
  throw new CompileError('limit', {}, problem);
}
