import { createTrace, type Explanation, type Vec3 } from '@bspkit/core';
import { checkKind, createRecorder } from '@bspkit/core/format';
import { referenceTrace } from './reference/trace.ts';
import { Quake2Tracer } from './tracer.ts';

/**
 * A trace and how it came about: nodes with both distances and split fractions, leafs, brushes with every side's distances and
 * how enter and leave moved, in order. In a position test, nodes have the box's lowest and highest corner along the normal
 * instead of the piece's ends, and leafs after the brush that holds the box have no brushes. Coordinates are those that the
 * algorithm works in: of the traced point, in the frame of the model.
 *
 * Runs the recursive algorithm beside the tracer, so it is slow and meant for people. Throws as `trace` does, `TypeError` for a
 * tracer that is not of this package, and `BspError` ('limit') at more than 131,072 steps.
 */
export function explain(tracer: Quake2Tracer, start: Vec3, end: Vec3): Explanation {
  const wanted = 'a tracer of a Quake 2 world, model or box entity';
  checkKind(tracer instanceof Quake2Tracer, tracer, 'tracer', wanted);
  const trace = tracer.trace(start, end, createTrace());
  const { steps, record } = createRecorder('quake2');
  referenceTrace(tracer, start, end, record);
  return { trace, steps };
}
