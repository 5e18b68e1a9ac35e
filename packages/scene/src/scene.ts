import { Bodies, type BodyOptions } from './scene-bodies.ts';
import type { Pose } from './scene-pose.ts';
import type { Collider } from './scene-shape.ts';
import { PartsTracer, type SceneFilter, type SceneTracer } from './scene-tracer.ts';
import type { Shape } from './shape.ts';
import type { Vec3 } from './vec.ts';
import type { BoxWorld, CapsuleWorld, RayWorld, SphereWorld } from './worlds.ts';

/** The bodies of a scene. */
export interface SceneBodies {
  /** How many bodies there are. */
  readonly count: number;
  /**
   * Adds a body and returns its number, from 1; numbers of removed bodies come again. Where it stands is zero unless
   * told, or where the collider itself says when it is posed itself. Allocates only for a collider that the scene does
   * not know yet, or when there is room for no more bodies.
   *
   * @throws TypeError when the collider cannot be traced with a shape that this scene has tracers of, or `bounds` are
   *   missing; RangeError when a number is not finite, and what the collider's factories throw.
   */
  add(collider: Collider, options?: BodyOptions): number;
  /**
   * Moves a body, without allocation. Its bounds are read anew, so move it after its collider was resized.
   * @throws RangeError when there is no such body, or a number is not finite.
   */
  move(body: number, pose: Pose): void;
  /** Removes a body, without allocation. Throws `RangeError` when there is no such body. */
  remove(body: number): void;
  /** Whether there is a body of this number. */
  has(body: number): boolean;
}

/**
 * A world and the bodies in it. It makes tracers of those shapes that its world can be traced with, each against all
 * there is; they follow bodies as they come, move and go. Options are those of the world and {@link SceneFilter};
 * colliders are given the same.
 */
export type Scene<W> = SceneBodies &
  (W extends RayWorld<infer O> ? { ray(options?: O & SceneFilter): SceneTracer } : unknown) &
  (W extends SphereWorld<infer O>
    ? { sphere(radius: number, options?: O & SceneFilter): SceneTracer }
    : unknown) &
  (W extends BoxWorld<infer O>
    ? { box(mins: Vec3, maxs: Vec3, options?: O & SceneFilter): SceneTracer }
    : unknown) &
  (W extends CapsuleWorld<infer O>
    ? { capsule(mins: Vec3, maxs: Vec3, options?: O & SceneFilter): SceneTracer }
    : unknown);

/** What an empty scene can be traced with: all shapes. */
type Empty = RayWorld & SphereWorld & BoxWorld & CapsuleWorld;

class PartsScene implements SceneBodies {
  private readonly _bodies: Bodies;
  /** Held weakly: a tracer that nobody has any more need not hear of bodies. */
  private _tracers: WeakRef<PartsTracer>[] = [];

  constructor(world: Collider | undefined) {
    this._bodies = new Bodies(world);
  }

  get count(): number {
    return this._bodies.count;
  }

  add(collider: Collider, options: BodyOptions = {}): number {
    // First what may throw.
    for (const tracer of this._tracers) tracer.deref()?.meet(collider);
    const body = this._bodies.add(collider, options);
    for (const reference of this._tracers) {
      const tracer = reference.deref();
      tracer?.enter(body, tracer.meet(collider));
    }
    return body;
  }

  move(body: number, pose: Pose): void {
    this._bodies.move(body, pose);
  }

  remove(body: number): void {
    this._bodies.remove(body);
    for (const tracer of this._tracers) tracer.deref()?.leave(body);
  }

  has(body: number): boolean {
    return this._bodies.has(body);
  }

  ray(options?: SceneFilter): SceneTracer {
    return this._tracer({ kind: 'ray' }, options);
  }

  sphere(radius: number, options?: SceneFilter): SceneTracer {
    return this._tracer({ kind: 'sphere', radius }, options);
  }

  box(mins: Vec3, maxs: Vec3, options?: SceneFilter): SceneTracer {
    return this._tracer({ kind: 'box', mins, maxs }, options);
  }

  capsule(mins: Vec3, maxs: Vec3, options?: SceneFilter): SceneTracer {
    return this._tracer({ kind: 'capsule', mins, maxs }, options);
  }

  private _tracer(shape: Shape, options: SceneFilter | undefined): SceneTracer {
    const tracer = new PartsTracer(this._bodies, shape, options);
    this._tracers = this._tracers.filter((reference) => reference.deref());
    this._tracers.push(new WeakRef(tracer));
    return tracer;
  }
}

/**
 * Makes a scene: a world (of any format, or any collider of yours; or none) to which bodies are added.
 *
 * A trace asks the world first and, unless that stops it at once, every body that it comes near. The nearest hit is the
 * answer, as in Quake 3; see the README for ties and starts in solid.
 */
export function createScene(): Scene<Empty>;
export function createScene<W extends Collider>(world: W): Scene<W>;
export function createScene(world?: Collider): unknown {
  return new PartsScene(world);
}
