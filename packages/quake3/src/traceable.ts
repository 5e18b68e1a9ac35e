import type { BoxWorld, CapsuleWorld, RayWorld, Shape, SphereWorld, Vec3 } from '@bspkit/core';
import { Quake3Tracer, type SphereOptions, type Target, type TraceOptions } from './tracer.ts';

/** An upright capsule by its size: `height` counts from the lowest to the highest point, both in Quake units. */
export interface CapsuleSize {
  readonly radius: number;
  readonly height: number;
}

/** Makes tracers against one thing: the world, an inline model, or a box entity. */
export abstract class Traceable<O extends TraceOptions>
  implements RayWorld<O>, SphereWorld<O>, BoxWorld<O>, CapsuleWorld<O>
{
  /** @internal */
  protected abstract readonly _target: Target;

  /** A tracer of rays: lines of fire and sight. */
  ray(options?: O): Quake3Tracer {
    return this._tracer({ kind: 'ray' }, options);
  }

  /**
   * A tracer of spheres as both tutorials have them: every plane is pushed out by the radius, so the sphere stops
   * early at sharp edges. With `{ exact: true }` edges and corners are truly round.
   * @throws RangeError when the radius is negative or not finite.
   */
  sphere(radius: number, options?: O & SphereOptions): Quake3Tracer {
    return this._tracer({ kind: 'sphere', radius }, options);
  }

  /**
   * A tracer of axis-aligned boxes: players, items.
   * @throws RangeError when a corner is not finite or `mins` is above `maxs`.
   */
  box(mins: Vec3, maxs: Vec3, options?: O): Quake3Tracer {
    return this._tracer({ kind: 'box', mins, maxs }, options);
  }

  /**
   * A tracer of upright capsules, by the box around them as the engine takes it, or by their size around the traced
   * point. As in the engine the radius is half the width in x, and a capsule wider than high is a sphere.
   * @throws RangeError when a number is not finite, `mins` is above `maxs`, or the height is below twice the radius.
   */
  capsule(mins: Vec3, maxs: Vec3, options?: O): Quake3Tracer;
  capsule(size: CapsuleSize, options?: O): Quake3Tracer;
  capsule(first: Vec3 | CapsuleSize, second?: Vec3 | O, third?: O): Quake3Tracer {
    if (!('radius' in first))
      return this._tracer({ kind: 'capsule', mins: first, maxs: second as Vec3 }, third);
    const { radius, height } = first;
    if (!(radius >= 0)) throw new RangeError(`radius must be 0 or more, got ${radius}`);
    if (!(height >= 2 * radius))
      throw new RangeError(`height must be twice the radius or more, got ${height}`);
    const maxs = [radius, radius, height / 2];
    return this._tracer({ kind: 'capsule', mins: maxs.map((x) => -x), maxs }, second as O | undefined);
  }

  private _tracer(shape: Shape, options: (O & SphereOptions) | undefined): Quake3Tracer {
    return new Quake3Tracer(this._target, shape, options);
  }
}
