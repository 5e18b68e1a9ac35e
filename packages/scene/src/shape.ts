import { checkBounds, checkRadius } from './check.ts';
import type { Shape } from './shape.ts';
import type { Tracer } from './tracer.ts';
import type { Bounds, Vec3 } from './vec.ts';
import type { BoxWorld, CapsuleWorld, RayWorld, SphereWorld } from './worlds.ts';

/** What can be traced, in a scene: a world, a model, an entity's box, or anything else that makes tracers. */
export type Collider = Partial<RayWorld & SphereWorld & BoxWorld & CapsuleWorld> & {
  /** Where it is in its own frame, in Quake units. */
  readonly bounds?: Bounds | undefined;
};

/** What tracers with a `set` may be told, besides where they stand. What is left out stays as it is. */
export interface TracerChanges {
  /** Contents that stop the trace. */
  readonly mask?: number | undefined;
  /** For spheres: in Quake units, 0 or more. */
  readonly radius?: number | undefined;
  /** For boxes and capsules: corner in Quake units, relative to the traced point. */
  readonly mins?: Vec3 | undefined;
  readonly maxs?: Vec3 | undefined;
}

const ZERO: Vec3 = [0, 0, 0];

/**
 * A tracer of a shape against a collider. One that makes no rays is asked for a box without size.
 * @throws TypeError when the collider cannot make it, and whatever its factory throws.
 */
export function makeTracer(collider: Collider, shape: Shape, options: object, name: string): Tracer {
  const { kind } = shape;
  if (kind === 'ray' && collider.ray) return collider.ray(options);
  if (kind === 'ray' && collider.box) return collider.box(ZERO, ZERO, options);
  if (kind === 'sphere' && collider.sphere) return collider.sphere(shape.radius, options);
  if (kind === 'box' && collider.box) return collider.box(shape.mins, shape.maxs, options);
  if (kind === 'capsule' && collider.capsule) return collider.capsule(shape.mins, shape.maxs, options);
  throw new TypeError(`${name} has no ${kind}(), so this scene cannot trace a ${kind}`);
}

/** A copy of a shape, with sizes of its own to be changed by {@link resizeShape}. */
export function ownShape(shape: Shape): Shape {
  if (shape.kind !== 'box' && shape.kind !== 'capsule') return { ...shape };
  return { kind: shape.kind, mins: Float32Array.from(shape.mins), maxs: Float32Array.from(shape.maxs) };
}

/**
 * Changes a shape's own sizes in place: a radius for a sphere, corners for a box or capsule; what is undefined stays.
 * @throws RangeError for a size that cannot be, TypeError for one that this kind of shape does not have.
 */
export function resizeShape(
  shape: Shape,
  radius: number | undefined,
  mins: Vec3 | undefined,
  maxs: Vec3 | undefined,
): void {
  if (radius !== undefined) {
    if (shape.kind !== 'sphere') throw new TypeError(`radius belongs to spheres, not to a ${shape.kind}`);
    checkRadius(radius);
    (shape as { radius: number }).radius = radius;
  }
  if (!mins && !maxs) return;
  if (shape.kind !== 'box' && shape.kind !== 'capsule') {
    throw new TypeError(`mins and maxs do not belong to a ${shape.kind}`);
  }
  checkBounds(mins ?? shape.mins, maxs ?? shape.maxs);
  for (let k = 0; k < 3; k++) {
    if (mins) (shape.mins as Float32Array)[k] = mins[k]!;
    if (maxs) (shape.maxs as Float32Array)[k] = maxs[k]!;
  }
}

/** Widens a box (mins xyz, maxs xyz) to hold a shape around the traced point. */
export function widenByShape(box: Float32Array, shape: Shape): void {
  for (let k = 0; k < 3; k++) {
    let low = 0;
    let high = 0;
    if (shape.kind === 'box' || shape.kind === 'capsule') {
      low = shape.mins[k]!;
      high = shape.maxs[k]!;
    } else if (shape.kind !== 'ray') {
      high = shape.kind === 'sphere' ? shape.radius : shape.radii[k]!;
      low = -high;
    }
    if (low < box[k]!) box[k] = low;
    if (high > box[3 + k]!) box[3 + k] = high;
  }
}
