import type { Bounds, CapsuleSize, Trace, Tracer, Vec3 } from '@bspkit/core';
import type { BodyChanges, BodyOptions } from './bodies.ts';
import type { Body } from './body.ts';
import type { Collider } from './collider.ts';
import type { ContentsFilter } from './contents.ts';
import type { LinkedBounds } from './linked.ts';
import type { SceneFilter } from './query.ts';
import type { RulesName } from './rules/index.ts';
import type { SceneBody } from './scene-body.ts';
import type { TouchArea } from './touch.ts';
import type { SceneTracer, SceneTracerSettings } from './tracer.ts';
import type { HearingWorld, SeeingWorld } from './visible.ts';

/**
 * The bodies of a scene. Iterating a scene gives them in the order of their numbers; they may be moved and removed meanwhile.
 * @typeParam D - what their `data` is.
 */
export interface SceneBodies<D = unknown> extends Iterable<SceneBody<D>> {
  /** Rules by which its tracers merge answers. */
  readonly rules: RulesName;
  /** How many bodies there are. */
  readonly count: number;
  /**
   * Adds a body and returns its number: the lowest free one, from 1, unless `number` is given. By default it is at the origin, or
   * where the collider is if that has a pose of its own. Tracers ask the collider for its own tracers when they are next used: if
   * its factories throw, they do so from there, each time until the body is removed. Allocates only when there is no room for
   * more bodies, or for a collider that is new to the scene.
   *
   * @throws TypeError when the collider has no factory for a shape that this scene has made tracers of, or `bounds` are missing;
   *   RangeError when a number is out of range, a scene would be in itself, directly or through others, or it would consist of more
   *   than 16,384 scenes, each counted as often as it is held, or have more than 64 levels of them; Error when a collider or an
   *   option calls it while its scene is traced or changed. Nothing changes when it throws.
   */
  add(collider: Collider, options?: BodyOptions<D>): number;
  /**
   * Moves a body, or changes what it is, without allocation. With an engine's rules it is linked again, which may change its
   * place in the order. With all rules its bounds are read again, so call this after its collider was resized.
   * @throws RangeError when there is no such body, or a number is out of range; Error when a collider or an option calls it
   *   while its scene is traced or changed. Nothing changes when it throws.
   */
  move(body: number, changes: BodyChanges<D>): void;
  /**
   * Removes a body, without allocation. Bodies that it owned then have no owner.
   * @throws RangeError when there is no such body; Error when a collider or an option calls it while its scene is traced or
   *   changed.
   */
  remove(body: number): void;
  /** Whether there is a body with this number. */
  has(body: number): boolean;
  /** A body as it is now. Throws `RangeError` if there is no such body. */
  body(body: number): SceneBody<D>;
  /**
   * Writes where a body is, and how it is turned, into two arrays, without allocation: what `body(n).origin` and `.angles` copy.
   * Returns `out`.
   * @throws RangeError when there is no such body, or for an array without room for three numbers; TypeError unless `out` has two
   *   `Float32Array`s.
   */
  pose<P extends BodyPlace>(body: number, out: P): P;
  /**
   * Finds the bodies, including triggers, that touch an area: writes their numbers in ascending order into `out`, as many
   * as it has room for, and returns how many there are. Without allocation. Bodies of `createBody` are tested by their
   * true shapes, all others by their bounds, or if rotated, by the box around the rotated bounds.
   *
   * @param area - a box by its corners in the world, or a sphere, in Quake units.
   * @param mask - only bodies with at least one of these contents; -1 for any body.
   * @throws RangeError when a number is out of range.
   */
  touching(area: TouchArea, mask: number, out: Int32Array): number;
  /**
   * Finds the bodies, including triggers, whose linked boxes ({@link SceneBodies.linkedBounds}) meet a box, as the area queries of
   * the engines' game code do (`SV_AreaEntities`): writes their numbers into `out`, as many as it has room for, and returns how
   * many there are. They are in the order of the scene's rules, in which its traces ask them too: the engine's, or by number.
   * Boxes that only touch meet. Without allocation.
   *
   * @param area - a box by its corners in the world, in Quake units.
   * @param mask - only bodies with at least one of these contents; -1 for any body.
   * @throws RangeError when a number is out of range.
   */
  linked(area: Bounds, mask: number, out: Int32Array): number;
  /**
   * Writes the box in the world to which a body is linked into `out`, and returns it; without `out`, it makes one. These are the
   * engines' `absmin` and `absmax`: with most rules wider than the body by one unit, with some by more for items, and a cube around a
   * turned model. With rules that link nothing, it is one unit wider than the body, or around a turned one, than a sphere about its
   * origin.
   *
   * @throws RangeError when there is no such body, or for an array without room for three numbers; TypeError unless `out` has two
   *   `Float32Array`s.
   */
  linkedBounds(body: number, out?: LinkedBounds): LinkedBounds;
  /**
   * Writes a body's own box, relative to its origin and without its angles, into `out`, and returns it: what `body(n).bounds` copies.
   * Without `out`, it makes one.
   *
   * @throws as {@link SceneBodies.linkedBounds}.
   */
  ownBounds(body: number, out?: LinkedBounds): LinkedBounds;
}

/** Where {@link SceneBodies.pose} writes to: three numbers each. */
export interface BodyPlace {
  /** In Quake units. */
  readonly origin: Float32Array;
  /** Pitch, yaw and roll in degrees. */
  readonly angles: Float32Array;
}

/** A factory of a world. */
type Factory = (...args: never) => Tracer;

/** What a world's factory takes after some arguments; for a union of worlds, what all of them take. */
type FactoryOptions<M, Before extends readonly unknown[]> = (
  M extends (...args: infer A) => unknown
    ? (options: LastOption<A, Before>) => void
    : never
) extends (options: infer O) => void
  ? O
  : never;

type LastOption<A extends readonly unknown[], Before extends readonly unknown[]> =
  Required<A> extends readonly [...Before, infer O] ? Exclude<O, undefined> : unknown;

/** A capsule's factory has two overloads; inference sees the last one. */
type CapsuleOptions<M> = (
  M extends (...args: infer A) => unknown
    ? (
        options: Required<A> extends readonly [CapsuleSize, ...unknown[]]
          ? LastOption<A, [unknown]>
          : LastOption<A, [unknown, unknown]>,
      ) => void
    : never
) extends (options: infer O) => void
  ? O
  : never;

/** The tracer of a scene whose world's factory is `M`; `Own` is what its `set` takes whatever the world. */
type TracerOf<M, Own extends SceneTracerSettings = SceneTracerSettings> = SceneTracer<
  M extends (...args: never) => infer R ? (R extends Tracer<infer T> ? T : Trace) : never,
  SettingsOf<M, Own>
>;

/** What its `set` takes; for a union of worlds, what all of them take. */
type SettingsOf<M, Own> = [keyof ChangesOf<M>] extends [keyof Own]
  ? Own
  : Own & Omit<ChangesOf<M>, keyof Own>;

type ChangesOf<M> = (
  M extends (...args: never) => infer R
    ? (changes: R extends { set(changes: infer C): unknown } ? C : unknown) => void
    : never
) extends (changes: infer C) => void
  ? C
  : never;

/** What a {@link Scene} also has if its world has rays. */
export interface RayScene<W extends { ray: Factory }> {
  /** A ray, which has no size. */
  ray(options?: FactoryOptions<W['ray'], []> & SceneFilter): TracerOf<W['ray']>;
}

/** What a {@link Scene} also has if its world has spheres. */
export interface SphereScene<W extends { sphere: Factory }> {
  /** @param radius - in Quake units, 0 or more; otherwise `RangeError`. */
  sphere(
    radius: number,
    options?: FactoryOptions<W['sphere'], [unknown]> & SceneFilter,
  ): TracerOf<W['sphere']>;
}

/** What a {@link Scene} also has if its world has boxes. */
export interface BoxScene<W extends { box: Factory }> {
  /** Corners in Quake units relative to the traced point; `RangeError` when `mins` is above `maxs`. */
  box(
    mins: Vec3,
    maxs: Vec3,
    options?: FactoryOptions<W['box'], [unknown, unknown]> & SceneFilter,
  ): TracerOf<W['box']>;
}

/** What a {@link Scene} also has if its world has capsules. */
export interface CapsuleScene<W extends { capsule: Factory }> {
  /** By the box around the capsule: corners in Quake units, relative to the traced point. */
  capsule(
    mins: Vec3,
    maxs: Vec3,
    options?: CapsuleOptions<W['capsule']> & SceneFilter,
  ): TracerOf<W['capsule']>;
  /** By its size, centred on the traced point. */
  capsule(size: CapsuleSize, options?: CapsuleOptions<W['capsule']> & SceneFilter): TracerOf<W['capsule']>;
}

/** What a {@link Scene} also has if its world has ellipsoids. */
export interface EllipsoidScene<W extends { ellipsoid: Factory }> {
  /**
   * @param radii - along x, y and z, in Quake units; `RangeError` unless they are above 0, and in the range that the
   *   world and bodies take: 0.001 to 1,000,000.
   */
  ellipsoid(
    radii: Vec3,
    options?: FactoryOptions<W['ellipsoid'], [unknown]> & SceneFilter,
  ): TracerOf<W['ellipsoid']>;
}

/** What a {@link Scene} also has if its world has hulls. */
export interface HullScene<W extends { hull: Factory; readonly hulls: readonly Bounds[] }> {
  /**
   * A hull of the world. Bodies without hulls are traced with a box of its size.
   * @param hull - its number, from 0; `RangeError` when the world has no such hull.
   */
  hull(hull: number, options?: FactoryOptions<W['hull'], [unknown]> & SceneFilter): TracerOf<W['hull']>;
}

/** What a {@link Scene} also has if its world has lines. */
export interface LineScene<W extends { line: Factory }> {
  /** A line of the world, with a mask if the world's lines have one. Bodies without lines are traced with a ray. */
  line(
    options?: FactoryOptions<W['line'], []> & Omit<SceneFilter, 'mask'>,
  ): TracerOf<W['line'], Omit<SceneTracerSettings, 'mask'>>;
}

/** What a {@link Scene} also has if its world knows the contents of points. */
export interface ContentsScene {
  /**
   * Contents at a point, combined with OR: those of the world and of bodies that have contents. By default these are models;
   * with the rules of some engines' servers, all bodies whose linked bounds contain the point, boxes too; with others, none.
   * Where contents are not bits, as a collider's `contentsAreBits` says, they are not combined, and only the world's count.
   * Allocates nothing itself.
   * @throws RangeError when a number is not finite, or for a number that no body can have; TypeError for a wrong or unknown
   *   option; Error when called by a collider that is being asked for its own contents.
   */
  contents(point: Vec3, options?: ContentsFilter): number;
  /** Names of the options that `contents` takes: `['ignore']`. */
  readonly contentsOptions: readonly string[];
}

/** What a {@link Scene} also has if its world knows what is visible. */
export interface VisibleScene {
  /**
   * Finds the bodies, whatever their `solid`, that may be seen from somewhere, as servers do to tell each client no more than it
   * needs: those that touch a leaf which is in the set of the eye's leaf according to the world's `visible`. Writes their numbers
   * in ascending order into `out`, as many as it has room for, and returns how many there are. Without allocation, unless a body
   * touches more leafs than any body with its number did before. From solid or outside the map, everything in the map may be
   * seen. Area portals hide bodies only with the option `areaPortals`; then nothing is seen from solid, and the eye's area is
   * where the middle of its box is.
   *
   * A body is linked to the leafs that its box touches: one unit wider than itself, or exactly as in the engine with an engine's
   * rules. These leafs are found again only for bodies that have moved.
   *
   * @param eye - a point; or a box by its corners in the world, to look from all leafs that it touches, since a client's eye
   *   may have moved a little by then. Some engines take 8 units to each side. Quake units.
   * @param mask - only bodies with at least one of these contents; -1 for any body.
   * @throws RangeError when a number is out of range, or the world returns an impossible number of leafs; Error when called by
   *   the world while it is asked for leafs.
   */
  visibleFrom(eye: Vec3 | Bounds, mask: number, out: Int32Array): number;
}

/** What a {@link Scene} also has if its world knows what is heard. */
export interface HearableScene {
  /**
   * Finds the bodies that may be heard from somewhere, or may hear a sound made there, as servers do to send sounds only to those
   * players: those that touch a leaf which is in the set of the ear's leaf according to the world's `hearable`. In all other
   * respects it is {@link VisibleScene.visibleFrom}, areas included.
   *
   * @param ear - a point, or a box by its corners in the world. Quake units.
   * @param mask - only bodies with at least one of these contents; -1 for any body.
   * @throws as {@link VisibleScene.visibleFrom}.
   */
  hearableFrom(ear: Vec3 | Bounds, mask: number, out: Int32Array): number;
}

/**
 * A world and the bodies in it. It makes tracers of the shapes that its world can be traced with (for a union of worlds, those
 * that all of them have), each against everything in the scene, as it is when they trace. Options
 * are those of the world and {@link SceneFilter}; a collider is passed those that it takes (`traceOptions`). `Scene` without a
 * type argument is a scene without a world.
 * @typeParam W - the world.
 * @typeParam D - what the `data` of bodies is, which no tracer reads: `const scene: Scene<World, Entity> = createScene(world)`.
 */
export type Scene<W = Body, D = unknown> = SceneBodies<D> &
  ([W] extends [{ ray: Factory }] ? RayScene<W> : unknown) &
  ([W] extends [{ sphere: Factory }] ? SphereScene<W> : unknown) &
  ([W] extends [{ box: Factory }] ? BoxScene<W> : unknown) &
  ([W] extends [{ capsule: Factory }] ? CapsuleScene<W> : unknown) &
  ([W] extends [{ ellipsoid: Factory }] ? EllipsoidScene<W> : unknown) &
  ([W] extends [{ hull: Factory; readonly hulls: readonly Bounds[] }] ? HullScene<W> : unknown) &
  ([W] extends [{ line: Factory }] ? LineScene<W> : unknown) &
  ([W] extends [{ contents(point: Vec3): number }] ? ContentsScene : unknown) &
  ([W] extends [SeeingWorld] ? VisibleScene : unknown) &
  ([W] extends [HearingWorld] ? HearableScene : unknown);

/** How a scene behaves. */
export interface SceneOptions {
  /** Rules by which answers of the world and bodies are merged; 'nearest', our own, by default. */
  readonly rules?: RulesName | undefined;
  /**
   * Whether the world's area portals hide bodies from `visibleFrom` and `hearableFrom`, as they do from clients of the engines that have
   * them: a body is seen only if open portals connect an area that it touches with the eye's. False by default, because a
   * world's portals are all closed until the game opens them with its doors.
   */
  readonly areaPortals?: boolean | undefined;
}
