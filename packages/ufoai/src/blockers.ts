import { type Blocker, findCell, held, type Noted, type SolidTree, type Work } from '@bspkit/core/format';
import type { WorldMemory } from './kernel/memory.ts';
import {
  LINE_BLOCKED,
  LINE_BOX,
  LINE_BOX_WORDS,
  LINE_HEAD_KEY,
  LINE_HEAD_TREE,
  LINE_HEAD_WORDS,
  LINE_OBLIQUE,
  LINE_OPEN,
  LINE_UNION,
} from './layout.ts';

/** Examines what blocks lines in the trees of heads, which a kernel notes by their numbers. */
export function lookAtCells(memory: WorldMemory): (noted: Noted, work: Work) => Blocker | undefined {
  const { ints, floats, places } = memory;
  const tree: SolidTree = {
    split(child) {
      if (child === LINE_OPEN || child === LINE_BLOCKED) return undefined;
      const node = ints[child] === LINE_BOX ? child + LINE_BOX_WORDS : child;
      const kind = ints[node]!;
      const [front, back] = [ints[node + 2]!, ints[node + 3]!];
      if (kind === LINE_UNION) return { plane: undefined, front, back };
      const normal =
        kind < LINE_OBLIQUE
          ? [0, 1, 2].map((k) => (k === kind ? 1 : 0))
          : floats.subarray(node + 4, node + 7);
      return { plane: [...normal, floats[node + 1]!], front, back };
    },
    isSolid: (leaf) => leaf === LINE_BLOCKED,
  };
  return (noted, work) => {
    held(memory);
    const head = places.lineHeads.first + LINE_HEAD_WORDS * noted.what;
    const cell = findCell(tree, ints[head + LINE_HEAD_TREE]!, noted, work);
    return cell && { ...cell, number: noted.number, contents: ints[head + LINE_HEAD_KEY]! };
  };
}
