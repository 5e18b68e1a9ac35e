import { type Blocker, findCell, held, type Noted, type SolidTree, type Work } from '@bspkit/core/format';
import { CONTENTS_SOLID } from './constants.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { packedContents } from './sections.ts';

/**
 * What kernels are given for moves that only ask whether anything is in the way, by the number of a tree's head: for the world's
 * hulls, the table of blockers and the hull as a bit; for models, just a flag.
 */
export const askBlockers = (table: number, head: number): number => (head < 4 ? table | (1 << head) : 1);

/** Examines solid leafs in the trees of a world's hulls, which a kernel notes by their numbers. */
export function lookAtCells(memory: WorldMemory): (noted: Noted, work: Work) => Blocker | undefined {
  const { ints, floats, heads } = memory;
  const tree: SolidTree = {
    split(child) {
      if (child < 0) return undefined;
      const kind = ints[child]! & 7;
      // Where the file says that a plane is axial, it is traced as axial.
      const normal =
        kind === 3
          ? floats.subarray(child + 4, child + 7)
          : [0, 1, 2].map((axis) => (axis === (kind & 3) ? 1 : 0));
      return { plane: [...normal, floats[child + 1]!], front: ints[child + 2]!, back: ints[child + 3]! };
    },
    isSolid: (leaf) => packedContents(leaf) === CONTENTS_SOLID,
  };
  return (noted, work) => {
    held(memory);
    const hull = noted.what;
    const cell = findCell(tree, heads[hull]!, noted, work);
    return cell && { ...cell, number: noted.number, contents: 1 << hull };
  };
}
