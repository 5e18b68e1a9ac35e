import type { BoxWorld, CapsuleSize, CapsuleWorld, RayWorld, SphereWorld, Vec3 } from '@bspkit/core';
import { type CapsuleArguments, capsuleOf } from '@bspkit/core/format';
import type { Target } from './kernel/memory.ts';
import { createTracer, type Quake3Tracer, type TraceOptions } from './tracer.ts';

/** Makes tracers against one thing: the world, an inline model, or a box entity. */
export abstract class Traceable<O extends TraceOptions, T extends Quake3Tracer>
  implements RayWorld<O>, SphereWorld<O>, BoxWorld<O>, CapsuleWorld<O>
{
  /** @internal */
  abstract readonly _target: Target;

  /** A tracer of rays: lines of fire and sight. */
  ray(options?: O): T {
    return createTracer(this._target, { kind: 'ray' }, options) as T;
  }

  /**
   * A tracer of spheres as both tutorials have them: every plane is pushed out by the radius, so the sphere stops
   * early at sharp edges. `exactSphere` makes edges and corners truly round.
   * @throws RangeError when the radius is negative or not finite.
   */
  sphere(radius: number, options?: O): T {
    return createTracer(this._target, { kind: 'sphere', radius }, options) as T;
  }

  /**
   * A tracer of axis-aligned boxes: players, items.
   * @throws RangeError when a corner is not finite or `mins` is above `maxs`.
   */
  box(mins: Vec3, maxs: Vec3, options?: O): T {
    return createTracer(this._target, { kind: 'box', mins, maxs }, options) as T;
  }

  /**
   * A tracer of upright capsules, given by the box around them as in the engine, or by their size around the traced point. As in
   * the engine, the radius is half the width in x, and a capsule wider than high is a sphere.
   * @throws RangeError when a number is not finite, `mins` is above `maxs`, or the height is below twice the radius.
   */
  capsule(mins: Vec3, maxs: Vec3, options?: O): T;
  capsule(size: CapsuleSize, options?: O): T;
  capsule(...given: CapsuleArguments): T {
    const { mins, maxs, options } = capsuleOf<O>(given);
    return createTracer(this._target, { kind: 'capsule', mins, maxs }, options) as T;
  }
}
