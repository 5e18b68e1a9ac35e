import { createTrace, type Explanation, type Vec3 } from '@bspkit/core';
import { checkKind, createRecorder } from '@bspkit/core/format';
import { referenceTrace } from './reference/trace.ts';
import { Quake3Tracer } from './tracer.ts';

/**
 * A trace and how it came about: nodes with both distances and split fractions, leafs, brushes with every side's distances and
 * how enter and leave moved, patches with their facets, in order. Coordinates are those that the algorithm works in: the middle
 * of the shape's box, in the frame of the model. A position test (start equals end) is not a sweep and has no steps.
 *
 * Exact spheres walk the same tree, but meet the faces, edges and corners of brushes and facets, which come in place of sides. Those
 * that are overlapped at the start have none.
 *
 * Runs the tutorials' recursive algorithm beside the tracer, so it is slow and meant for people. Throws as `trace` does,
 * `TypeError` for tracers of other formats, and `BspError` ('limit') at more than 131,072 steps.
 */
export function explain(tracer: Quake3Tracer, start: Vec3, end: Vec3): Explanation {
  checkKind(
    tracer instanceof Quake3Tracer,
    tracer,
    'tracer',
    'a tracer of a Quake 3 world, model or box entity',
  );
  const trace = tracer.trace(start, end, createTrace());
  const { steps, record } = createRecorder('quake3');
  referenceTrace(tracer, start, end, record);
  return { trace, steps };
}
