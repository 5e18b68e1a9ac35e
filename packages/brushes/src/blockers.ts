import { type BrushTree, held } from '@bspkit/core/format';
import { BRUSH_BYTES, BRUSH_END, BRUSH_PLACE } from './hot-layout.ts';
import {
  BRUSH_BOUNDS,
  BRUSH_SIDES,
  BRUSH_WORDS,
  KIND_MASK,
  LEAF_WORDS,
  NODE_WORDS,
  OBLIQUE,
  PLANE_WORDS,
  SIDE_WORDS,
} from './layout.ts';
import type { BrushMemory } from './memory.ts';

/** A tree of brushes, in which blockers are looked for. `hot` is the kernel's memory. */
export function brushTree(
  memory: Pick<BrushMemory, 'ints' | 'floats' | 'places'>,
  root: number,
  hot: Int32Array,
): BrushTree {
  const { ints, floats, places } = memory;
  const { nodes, leafs } = places;
  return {
    root,
    brush({ what: address, number }) {
      held(memory);
      const at = hot[(address + BRUSH_PLACE) / 4]!;
      const planes = new Float32Array(4 * ints[at + BRUSH_SIDES + 1]!);
      for (let k = 0, side = ints[at + BRUSH_SIDES]!; 4 * k < planes.length; k++, side += SIDE_WORDS) {
        planes.set(floats.subarray(side, side + 4), 4 * k);
      }
      const bounds = floats.subarray(at + BRUSH_BOUNDS, at + BRUSH_BOUNDS + 6);
      const end = hot[(address + BRUSH_END) / 4]!;
      return {
        number,
        contents: ints[at]!,
        mins: bounds.subarray(0, 3),
        maxs: bounds.subarray(3),
        planes,
        sides: [isBox(planes) ? end : address + BRUSH_BYTES, end],
      };
    },
    split(child) {
      if (child < 0) return undefined;
      const node = nodes.first + NODE_WORDS * child;
      const kind = ints[node]! & KIND_MASK;
      const at = places.planes.first + PLANE_WORDS * (ints[node]! >>> 4);
      const plane =
        kind < OBLIQUE
          ? [+(kind === 0), +(kind === 1), +(kind === 2), floats[node + 1]!]
          : floats.subarray(at, at + PLANE_WORDS);
      return { plane, front: ints[node + 2]!, back: ints[node + 3]! };
    },
    count: (leaf) => ints[leafs.first + LEAF_WORDS * (-1 - leaf) + 2]!,
    found(leaf, { number, contents }) {
      const at = leafs.first + LEAF_WORDS * (-1 - leaf);
      const brush = places.brushes.first + BRUSH_WORDS * number;
      const first = ints[at + 1]!;
      // Moves compare their mask with the leaf's first.
      return ints.subarray(first, first + ints[at + 2]!).includes(brush) ? contents & ints[at]! : 0;
    },
  };
}

/** Whether all sides are axial, so that the bounds describe the brush. */
function isBox(planes: Float32Array): boolean {
  for (let k = 0; k < planes.length; k += 4) {
    const axes = planes.subarray(k, k + 3);
    if (axes.filter((x) => x !== 0).length !== 1 || !axes.some((x) => Math.abs(x) === 1)) return false;
  }
  return true;
}
