import type { Placed } from '@bspkit/core';
import type { Quake3BoxEntity } from '../box-entity.ts';
import { checkTarget } from '../given.ts';
import type { Quake3Model } from '../model.ts';
import { createTracer, type PlacedOptions, type Quake3Tracer, type TraceOptions } from '../tracer.ts';
import type { Quake3World } from '../world.ts';
import { ExactKernel } from './kernel.ts';

/**
 * A tracer of spheres against a world, model or box entity whose edges and corners are truly round, in double precision: faces
 * are pushed out by the radius, edges become cylinders and corners spheres. `target.sphere(radius)` pushes every plane out
 * instead, like both tutorials and the engine's capsule, which stops a sphere early at sharp edges. The engine has nothing of the
 * kind, so there are no engine answers to equal.
 *
 * It stops `epsilon` before what it would come close to if it went on. What it only passes, it may come nearer to, up to an eighth
 * of that: a sphere that rolls on a floor passes the edges inside the floor.
 *
 * The rounded shape of a brush is made when a sphere first comes near it, and kept with the world, up to some 15 MB.
 *
 * @param radius - in Quake units, 0 or more; otherwise `RangeError`, as for options that are out of range.
 */
export function exactSphere(
  target: Quake3Model | Quake3BoxEntity,
  radius: number,
  options?: PlacedOptions,
): Placed<Quake3Tracer>;
export function exactSphere(
  target: Quake3World | Quake3Model | Quake3BoxEntity,
  radius: number,
  options?: TraceOptions,
): Quake3Tracer;
export function exactSphere(
  target: Quake3World | Quake3Model | Quake3BoxEntity,
  radius: number,
  options?: PlacedOptions,
): Quake3Tracer {
  checkTarget(target);
  return createTracer(target._target, { kind: 'sphere', radius }, options, new ExactKernel());
}
