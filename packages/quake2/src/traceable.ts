import type { BoxWorld, RayWorld, Vec3 } from '@bspkit/core';
import type { Target } from './kernel/memory.ts';
import { createTracer, type Quake2Tracer, type TraceOptions } from './tracer.ts';

/** Makes tracers against one thing: the world, an inline model, or a box entity. */
export abstract class Traceable<O extends TraceOptions, T extends Quake2Tracer>
  implements RayWorld<O>, BoxWorld<O>
{
  /** @internal */
  abstract readonly _target: Target;

  /** A tracer of rays: lines of fire and sight. */
  ray(options?: O): T {
    return createTracer(this._target, { kind: 'ray' }, options) as T;
  }

  /**
   * A tracer of axis-aligned boxes: players, items. As in the engine, a box without size is a ray only if it is at the traced
   * point; one beside that is still traced as a box.
   * @throws RangeError when a corner is not finite or `mins` is above `maxs`.
   */
  box(mins: Vec3, maxs: Vec3, options?: O): T {
    return createTracer(this._target, { kind: 'box', mins, maxs }, options) as T;
  }
}
