import type { Explanation, Trace, TraceStep, Vec3 } from '@bspkit/core';
import { hullCheck, type ReferenceHull, type ReferenceRay, rayIntersect } from './reference.ts';
import { type HullTrace, type HullTracer, SourceTracer } from './tracer-hull.ts';
import { type PreciseRayTracer, SourceRayTracer } from './tracer-ray.ts';

/** {@link Explanation} with what the literal algorithm found, to hold against the trace. */
export interface Quake1Explanation<T extends Trace, R> extends Explanation<T> {
  /** In the frame of the hull or model, where the steps are too. */
  readonly reference: R;
}

/**
 * A trace and how it came about: the answer of the tracer, and the steps of the literal algorithm that it stands for.
 * Points in the steps are in the frame of the hull: less the model's origin, and what a box's corner is off the hull's.
 *
 * Slow, for people. Node steps name nodes, or clip nodes for hulls 1 and up, by their number in the file; leaf steps
 * name leafs for hull 0 and say 0 for the rest, which have none.
 *
 * @throws RangeError when a coordinate is not finite; TypeError for a tracer that is not of this package.
 */
export function explain(
  tracer: HullTracer,
  start: Vec3,
  end: Vec3,
): Quake1Explanation<HullTrace, ReferenceHull>;
export function explain(
  tracer: PreciseRayTracer,
  start: Vec3,
  end: Vec3,
): Quake1Explanation<Trace, ReferenceRay>;
export function explain(
  tracer: HullTracer | PreciseRayTracer,
  start: Vec3,
  end: Vec3,
): Quake1Explanation<Trace, ReferenceHull | ReferenceRay> {
  const steps: TraceStep[] = [];
  const record = (step: TraceStep): void => {
    steps.push(step);
  };
  if (tracer instanceof SourceTracer) {
    const trace = tracer.trace(start, end);
    const { tree, head } = tracer.tree();
    const reference = hullCheck(tree, head, tracer.toHull(start), tracer.toHull(end), record);
    return { trace, steps, reference };
  }
  if (tracer instanceof SourceRayTracer) {
    const trace = tracer.trace(start, end);
    const { tree, head } = tracer.source;
    const [from, to] = [tracer.toModel(start), tracer.toModel(end)];
    const reference = rayIntersect(tree, head, from, to, tracer.mask, record);
    return { trace, steps, reference };
  }
  throw new TypeError('tracer must come from a Quake 1 world, model or box entity');
}
