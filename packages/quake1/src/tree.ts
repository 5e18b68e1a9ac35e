import { BspError } from '@bspkit/core';

/** Deepest tree that we take, in nodes: walks that go by recursion must fit a JavaScript stack. Real maps reach 100. */
export const MAX_DEPTH = 2048;

/**
 * Finds how many nodes the longest way down has, from any of the heads. Children are two a node; one below 0 ends
 * the way. Branches may be shared, as some Half-Life compilers do to save clip nodes.
 *
 * @throws BspError (`cycle`) when a way comes back to a node, (`limit`) when one is longer than {@link MAX_DEPTH}.
 */
export function treeDepth(children: Int32Array, heads: readonly number[], lump: string): number {
  const NEW = 0;
  const OPEN = -1;
  // Of each node: not seen, being looked at, or the length of its longest way down.
  const length = new Int32Array(children.length / 2);
  const lengthOf = (node: number): number => (node < 0 ? 0 : length[node]!);
  const stack: number[] = [];
  for (const head of heads) {
    if (head >= 0) stack.push(head);
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      const front = children[2 * node]!;
      const back = children[2 * node + 1]!;
      if (length[node] === NEW) {
        length[node] = OPEN;
        for (const child of [back, front]) {
          if (lengthOf(child) === OPEN) {
            throw new BspError('cycle', { format: 'quake1', lump, index: child }, 'is reached from itself');
          }
          if (child >= 0 && length[child] === NEW) stack.push(child);
        }
      } else {
        stack.pop();
        if (length[node] === OPEN) length[node] = 1 + Math.max(lengthOf(front), lengthOf(back));
      }
    }
  }
  const depth = Math.max(0, ...heads.map(lengthOf));
  if (depth > MAX_DEPTH) {
    throw new BspError('limit', { format: 'quake1', lump }, `${depth} nodes deep; the most is ${MAX_DEPTH}`);
  }
  return depth;
}
