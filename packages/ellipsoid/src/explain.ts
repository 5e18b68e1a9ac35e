import type { Explanation, Polygon, Vec3 } from '@bspkit/core';
import { checkKind, createRecorder } from '@bspkit/core/format';
import type { Memory } from './kernel/memory.ts';
import { POLYGON_NUMBER, POLYGON_WORDS } from './layout.ts';
import {
  createBody,
  createPolygon,
  GET_COLLIDING_POLYGON,
  type TutorialPolygon,
} from './reference/tutorial.ts';
import { createEllipsoidTrace, type EllipsoidTrace, EllipsoidTracer } from './tracer.ts';
import { TutorialTracer } from './tutorial.ts';

/** Polygons of a world as the document has them. */
interface Known {
  readonly polygons: readonly Polygon[];
  /** Those that have been needed. */
  readonly made: TutorialPolygon[];
}

const known: WeakMap<Memory, Known> = /* @__PURE__ */ new WeakMap();

/**
 * The first collision of a move by the document's method, and how it was found: the polygons of the leafs passed, those whose
 * plane is crossed each after the planes around it, in order. What pushes is the polygon of the last step whose outcome is `hit`.
 *
 * Runs GET-COLLIDING-POLYGON word for word beside the tracer, so it is slow and meant for people. Throws as `trace` does,
 * `TypeError` for the exact sweep, which no document has, and for other tracers, and `BspError` ('limit') at more than 131,072
 * steps.
 */
export function explain(tracer: TutorialTracer, start: Vec3, end: Vec3): Explanation<EllipsoidTrace> {
  if ((tracer as unknown) instanceof EllipsoidTracer) {
    throw new TypeError(
      "tracer is an exact ellipsoid, but only the tutorial's method has steps (world.tutorial, or the option tutorial)",
    );
  }
  checkKind(tracer instanceof TutorialTracer, tracer, 'tracer', 'a tracer that world.tutorial has made');
  const trace = tracer.trace(start, end, createEllipsoidTrace());
  const { steps, record } = createRecorder('ellipsoid');
  const { radii } = tracer.shape as { readonly radii: Vec3 };
  GET_COLLIDING_POLYGON(createBody(start, end, radii), collected(tracer), {}, record);
  return { trace, steps };
}

/** The polygons of the leafs that the tracer's last move passed. */
function collected(tracer: TutorialTracer): TutorialPolygon[] {
  const { _memory: memory } = tracer;
  const { ints, places } = memory;
  let found = known.get(memory);
  if (!found) {
    found = { polygons: tracer._source.polygons(), made: [] };
    known.set(memory, found);
  }
  const { polygons, made } = found;
  return Array.from(tracer._collected(), (at) => {
    const number = (at - places.polygons.first) / POLYGON_WORDS;
    made[number] ??= createPolygon(polygons[ints[at + POLYGON_NUMBER]!]!, number);
    return made[number];
  });
}
