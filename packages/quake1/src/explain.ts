import type { Explanation, Vec3 } from '@bspkit/core';
import { createRecorder, failArgument } from '@bspkit/core/format';
import { type PreciseTracer, Quake1PreciseTracer } from './precise-tracer.ts';
import { traceHull, tracePrecise } from './reference/trace.ts';
import type { HullTrace, Quake1Trace } from './trace.ts';
import { type HullTracer, Quake1Tracer } from './tracer.ts';

/**
 * A trace and how it was computed: the tracer's answer, and the steps of the literal algorithm behind it. Points in the steps are
 * in the frame of the hull: minus the model's origin, and minus the offset of a box's corner from the hull's.
 *
 * Slow, for people. Node steps name nodes, or clip nodes for hulls 1 and up, by their number in the file; leaf steps name leafs
 * for hull 0, and -1 for other hulls, which have none.
 *
 * @throws RangeError when a coordinate is not finite; TypeError for a tracer that is not from this package; BspError ('limit')
 *   at more than 131,072 steps.
 */
export function explain(tracer: HullTracer, start: Vec3, end: Vec3): Explanation<HullTrace>;
export function explain(tracer: PreciseTracer, start: Vec3, end: Vec3): Explanation<Quake1Trace>;
export function explain(
  tracer: HullTracer | PreciseTracer,
  start: Vec3,
  end: Vec3,
): Explanation<HullTrace | Quake1Trace> {
  const { steps, record } = createRecorder('quake1');
  if (tracer instanceof Quake1Tracer) {
    const trace = tracer.trace(start, end);
    traceHull(tracer, start, end, record);
    return { trace, steps };
  }
  if (tracer instanceof Quake1PreciseTracer) {
    const trace = tracer.trace(start, end);
    tracePrecise(tracer, start, end, record);
    return { trace, steps };
  }
  failArgument('tracer', 'a tracer of a Quake 1 world, model or box entity', tracer, false);
}
