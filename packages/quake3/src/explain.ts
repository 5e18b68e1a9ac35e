import { createTrace, type Explanation, type TraceStep, type Vec3 } from '@bspkit/core';
import { referenceSweep } from './reference.ts';
import type { ReferenceAnswer } from './reference-clip.ts';
import type { Quake3Tracer } from './tracer.ts';

/** {@link Explanation} with what the literal algorithm answered, to hold against the trace. */
export interface Quake3Explanation extends Explanation {
  /** Absent for position tests (start equals end), which are not sweeps and have no steps. */
  readonly reference: ReferenceAnswer | undefined;
}

/**
 * A trace and how it came about: nodes with both distances and split fractions, leafs, brushes with every side's
 * distances and how enter and leave moved, patches with their facets, in order. Coordinates are those that the
 * algorithm works in: the middle of the shape's box, in the frame of the model.
 *
 * Runs the tutorials' recursive algorithm beside the tracer, so it is slow and meant for people.
 * Throws as {@link Quake3Tracer.trace} does, and `TypeError` for exact spheres.
 */
export function explain(tracer: Quake3Tracer, start: Vec3, end: Vec3): Quake3Explanation {
  if (tracer.isExact)
    throw new TypeError('tracer is an exact sphere, which the engine and the tutorials do not have');
  const trace = tracer.trace(start, end, createTrace());
  const steps: TraceStep[] = [];
  const { kernel, model, still } = tracer.lastQuery();
  const reference = still ? undefined : referenceSweep(kernel, model, (step) => steps.push(step));
  return { trace, steps, reference };
}
