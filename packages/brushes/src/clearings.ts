import { BRUSH_BOUNDS, BRUSH_NUMBER, BRUSH_SIDES, LEAF_WORDS, NODE_WORDS } from './layout.ts';
import type { BrushMemory } from './memory.ts';

/**
 * Bounds of the brushes below a node that have any of some contents, each once: mins, then maxs. A move that stays so far away
 * from them that rounding cannot matter is in front of an axial side of each.
 */
export function listObstacles(
  { ints, floats, places }: Pick<BrushMemory, 'ints' | 'floats' | 'places'>,
  root: number,
  contents: number,
): Float32Array {
  const found = new Uint8Array(places.brushes.count);
  const all = new Float32Array(6 * places.brushes.count);
  let length = 0;
  const stack = [root];
  for (let child = stack.pop(); child !== undefined; child = stack.pop()) {
    if (child >= 0) {
      const node = places.nodes.first + NODE_WORDS * child;
      stack.push(ints[node + 3]!, ints[node + 2]!);
      continue;
    }
    const leaf = places.leafs.first + LEAF_WORDS * (-1 - child);
    const first = ints[leaf + 1]!;
    for (let ref = first; ref < first + ints[leaf + 2]!; ref++) {
      const brush = ints[ref]!;
      const number = ints[brush + BRUSH_NUMBER]!;
      // What has no sides is nowhere.
      if (found[number] === 1 || (ints[brush]! & contents) === 0 || ints[brush + BRUSH_SIDES + 1] === 0)
        continue;
      found[number] = 1;
      all.set(floats.subarray(brush + BRUSH_BOUNDS, brush + BRUSH_BOUNDS + 6), length);
      length += 6;
    }
  }
  return all.slice(0, length);
}
