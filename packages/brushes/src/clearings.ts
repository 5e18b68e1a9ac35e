import { collectBrushes } from './collect.ts';
import { BRUSH_BOUNDS, BRUSH_SIDES } from './layout.ts';
import type { BrushMemory } from './memory.ts';

/**
 * Bounds of the brushes below a node that have any of some contents: mins, then maxs. They are where axial sides stand, so a
 * move that is clear of them passes in front of one of each brush.
 */
export function listObstacles(
  memory: Pick<BrushMemory, 'ints' | 'floats' | 'places'>,
  root: number,
  contents: number,
): Float32Array {
  const { ints, floats } = memory;
  const brushes = new Set<number>();
  collectBrushes(memory, root, brushes);
  // What has no sides is nowhere.
  const obstacles = [...brushes].filter(
    (brush) => (ints[brush]! & contents) !== 0 && ints[brush + BRUSH_SIDES + 1] !== 0,
  );
  const bounds = new Float32Array(6 * obstacles.length);
  for (const [k, brush] of obstacles.entries()) {
    bounds.set(floats.subarray(brush + BRUSH_BOUNDS, brush + BRUSH_BOUNDS + 6), 6 * k);
  }
  return bounds;
}
