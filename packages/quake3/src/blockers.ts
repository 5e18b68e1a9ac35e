import { type BrushTree, hasBlockers, held, isAround } from '@bspkit/core/format';
import { type Kernel, Q_EPSILON, Q_MAXS, Q_MINS, type WorldMemory } from './kernel/memory.ts';
import {
  BRUSH_AXIAL,
  BRUSH_CONTENTS,
  BRUSH_WORDS,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  NODE_BACK,
  NODE_FRONT,
  NODE_NORMAL,
  NUM_SIDES,
  REF_BRUSH,
  REF_WORDS,
  ROOT_WORD,
  SIDE_WORDS,
} from './layout.ts';
import { BRUSH_BLOCKS, RECORD_BYTES } from './wasm/layout.ts';

/** Whether blockers may block a tracer's moves: those through the world. */
export function asksBlockers({ target, query }: Kernel): boolean {
  return !target.moves && hasBlockers(query[Q_EPSILON]!) && isAround(query, Q_MINS, Q_MAXS);
}

/** The world's tree, as blockers are looked for in it. `hot` is the kernel's memory. */
export function brushTree(memory: WorldMemory, hot: Int32Array): BrushTree {
  const { ints, floats, places } = memory;
  return {
    root: ints[ROOT_WORD]!,
    brush({ what: address, number }) {
      held(memory);
      const at = places.brushes.first + BRUSH_WORDS * number;
      // The bounds of any others may be wrong.
      if (ints[at + BRUSH_AXIAL] !== 1) return undefined;
      const planes = new Float32Array(4 * ints[at + NUM_SIDES]!);
      for (let k = 0, side = ints[at]!; 4 * k < planes.length; k++, side += SIDE_WORDS) {
        planes.set(floats.subarray(side, side + 4), 4 * k);
      }
      const first = address + RECORD_BYTES;
      return {
        number,
        contents: ints[at + BRUSH_CONTENTS]!,
        // Sides come in the order -X, +X, -Y, and so on.
        mins: [0, 2, 4].map((k) => -planes[4 * k + 3]!),
        maxs: [1, 3, 5].map((k) => planes[4 * k + 3]!),
        planes,
        sides: [first, first + hot[(address + BRUSH_BLOCKS) / 4]!],
      };
    },
    split(child) {
      if (child < 0) return undefined;
      const plane = floats.subarray(child + NODE_NORMAL, child + NODE_NORMAL + 4);
      return { plane, front: ints[child + NODE_FRONT]!, back: ints[child + NODE_BACK]! };
    },
    count: (leaf) => ints[-leaf + LIST_NUM_BRUSHES]!,
    found(leaf, { number, contents }) {
      const first = ints[-leaf + LIST_BRUSHES]!;
      for (let k = 0; k < ints[-leaf + LIST_NUM_BRUSHES]!; k++) {
        if (ints[first + REF_WORDS * k + REF_BRUSH] === number) return contents;
      }
      return 0;
    },
  };
}
