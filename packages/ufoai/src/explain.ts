import type { Explanation, TreeSteps, Vec3 } from '@bspkit/core';
import { checkKind, createRecorder } from '@bspkit/core/format';
import { UfoaiLineTracer } from './line-tracer.ts';
import { referenceBox, type TreeRecorder } from './reference/box.ts';
import { referenceLine } from './reference/line.ts';
import type { UfoaiLineTrace, UfoaiTrace } from './trace.ts';
import { UfoaiTracer } from './tracer.ts';

/**
 * A trace and how it was computed: every tree that is walked (`trees`), its nodes with both distances and where the piece is
 * split, leafs, and for boxes brushes with every side's distances and how enter and leave moved. In a position test, the ends of
 * a node's piece are the box's lowest and highest corner along the normal, and leafs after the brush that holds the box have no
 * brushes. Numbers are those in the tile's file, coordinates those that the algorithm works with: in the frame of the tree's
 * model. For a line, the walk for the place of impact, without models.
 *
 * Runs the recursive algorithm over the whole trees in addition to the tracer, so it is slow and meant for people. Throws as
 * `trace` does, `TypeError` for a tracer that is not from this package, and `BspError` ('limit') at more than 131,072 steps.
 */
export function explain(tracer: UfoaiLineTracer, start: Vec3, end: Vec3): Explanation<UfoaiLineTrace>;
export function explain(tracer: UfoaiTracer, start: Vec3, end: Vec3): Explanation<UfoaiTrace>;
export function explain(
  tracer: UfoaiLineTracer | UfoaiTracer,
  start: Vec3,
  end: Vec3,
): Explanation<UfoaiLineTrace | UfoaiTrace> {
  const isOurs = tracer instanceof UfoaiTracer || tracer instanceof UfoaiLineTracer;
  checkKind(isOurs, tracer, 'tracer', 'a tracer of a UFO:AI world or model');
  const { steps, record } = createRecorder('ufoai');
  const trees: TreeSteps[] = [];
  const isAssembly = tracer._memory.places.tiles.count > 1;
  const enterTree: TreeRecorder = (tile, name, model, listed) => {
    const inTile = isAssembly ? `tile ${tile}, ` : '';
    trees.push({
      name: `${inTile}${name}`,
      model,
      ...(listed !== undefined && { listed }),
      step: steps.length,
    });
  };
  const trace = tracer.trace(start, end);
  if (tracer instanceof UfoaiLineTracer) referenceLine(tracer, start, end, record, enterTree);
  else referenceBox(tracer, start, end, record, enterTree);
  return { trace, steps, trees };
}
