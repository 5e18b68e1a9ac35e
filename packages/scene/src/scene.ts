import type { Bounds, Shape, Vec3 } from '@bspkit/core';
import {
  type CapsuleArguments,
  capsuleOf,
  checkBounds,
  checkChoice,
  checkFlag,
  checkNumber,
  checkObject,
  checkOptions,
  checkRadius,
  checkRoomOf,
  printAsString,
} from '@bspkit/core/format';
import { Bodies, type BodyChanges, type BodyOptions, bodiesText } from './bodies.ts';
import type { Body } from './body.ts';
import {
  type Collider,
  checkCollider,
  checkRadii,
  createMover,
  type Mover,
  type NestedScene,
  type NestedTracer,
} from './collider.ts';
import { CONTENTS_OPTIONS, type ContentsFilter, PointContents } from './contents.ts';
import { type LinkedBounds, Linker } from './linked.ts';
import { checkBodyNumber } from './query.ts';
import { RULES, type RulesName } from './rules/index.ts';
import { type SceneBody, viewBody } from './scene-body.ts';
import type { BodyPlace, Scene, SceneBodies, SceneOptions } from './scene-types.ts';
import { type TouchArea, Toucher } from './touch.ts';
import { createSceneTracer, type SceneTracer, type TracerOptions } from './tracer.ts';
import { Seer } from './visible.ts';

class PartsScene implements SceneBodies, NestedScene {
  readonly rules: RulesName;
  readonly _bodies: Bodies;
  private readonly _toucher: Toucher;
  private readonly _linker: Linker;
  private readonly _seer: Seer;
  private readonly _points: PointContents;

  constructor(world: Collider | undefined, rules: RulesName, areaPortals: boolean) {
    this.rules = rules;
    this._bodies = new Bodies(world, RULES[rules]);
    this._toucher = new Toucher(this._bodies);
    this._linker = new Linker(this._bodies);
    this._seer = new Seer(this._bodies, areaPortals);
    this._points = new PointContents(this._bodies);
    printAsString(this);
  }

  get count(): number {
    return this._bodies.count;
  }

  get contentsAreBits(): boolean | undefined {
    return this._bodies.world?.contentsAreBits;
  }

  add(collider: Collider, options: BodyOptions = {}): number {
    const bodies = this._bodies;
    checkCollider(collider, 'collider');
    if (collider instanceof PartsScene) {
      if (collider._isOrHolds(this)) {
        throw new RangeError(
          'collider must not hold this scene: none can be in itself, directly or through others',
        );
      }
      bodies.nesting.check(collider._bodies.nesting);
    }
    return bodies.add(collider, options);
  }

  move(body: number, changes: BodyChanges): void {
    this._bodies.move(body, changes);
  }

  remove(body: number): void {
    this._bodies.remove(body);
  }

  has(body: number): boolean {
    checkBodyNumber(body, 'body');
    return this._bodies.has(body);
  }

  body(body: number): SceneBody {
    return viewBody(this._bodies, body);
  }

  pose<P extends BodyPlace>(body: number, out: P): P {
    const { _bodies: bodies } = this;
    bodies.check(body);
    checkObject(out, 'out', 'an object with arrays for origin and angles');
    checkRoomOf(out.origin, Float32Array, 3, 'out.origin');
    checkRoomOf(out.angles, Float32Array, 3, 'out.angles');
    bodies.readPlace(body, out);
    return out;
  }

  *[Symbol.iterator](): Generator<SceneBody, void, undefined> {
    const bodies = this._bodies;
    for (let body = 1; body < bodies.capacity; body++) {
      if (bodies.has(body)) yield viewBody(bodies, body);
    }
  }

  touching(area: TouchArea, mask: number, out: Int32Array): number {
    return this._toucher.touching(area, mask, out);
  }

  linked(area: Bounds, mask: number, out: Int32Array): number {
    return this._linker.linked(area, mask, out);
  }

  linkedBounds(body: number, out?: LinkedBounds): LinkedBounds {
    return this._linker.bounds(body, out);
  }

  ownBounds(body: number, out?: LinkedBounds): LinkedBounds {
    return this._linker.own(body, out);
  }

  visibleFrom(eye: Vec3 | Bounds, mask: number, out: Int32Array): number {
    return this._seer.visible(eye, mask, out);
  }

  hearableFrom(ear: Vec3 | Bounds, mask: number, out: Int32Array): number {
    return this._seer.hearable(ear, mask, out);
  }

  get contentsOptions(): readonly string[] {
    return CONTENTS_OPTIONS;
  }

  contents(point: Vec3, options?: ContentsFilter): number {
    return this._points.contents(point, options);
  }

  ray(options?: TracerOptions): SceneTracer {
    return this._tracer('ray', { kind: 'ray' }, options);
  }

  sphere(radius: number, options?: TracerOptions): SceneTracer {
    checkRadius(radius);
    return this._tracer('sphere', { kind: 'sphere', radius }, options);
  }

  box(mins: Vec3, maxs: Vec3, options?: TracerOptions): SceneTracer {
    checkBounds(mins, maxs);
    return this._tracer('box', { kind: 'box', mins, maxs }, options);
  }

  capsule(...given: CapsuleArguments): SceneTracer {
    const { mins, maxs, options } = capsuleOf<TracerOptions>(given);
    return this._tracer('capsule', { kind: 'capsule', mins, maxs }, options);
  }

  ellipsoid(radii: Vec3, options?: TracerOptions): SceneTracer {
    checkRadii(radii);
    return this._tracer('ellipsoid', { kind: 'ellipsoid', radii }, options);
  }

  hull(hull: number, options?: TracerOptions): SceneTracer {
    const { hulls } = this._bodies.world ?? {};
    if (!hulls?.length) throw new RangeError('hull must be left out: the world has no hulls');
    checkNumber(hull, 'hull', hulls.length);
    return this._tracer('hull', { kind: 'box', ...hulls[hull]! }, options, hull);
  }

  line(options?: TracerOptions): SceneTracer {
    return this._tracer('line', { kind: 'ray' }, options);
  }

  _traceFor(mover: Mover, options: object, isWorld: boolean): SceneTracer & NestedTracer {
    return this._create(createMover(mover.kind, mover.shape, mover.hull), options, !isWorld);
  }

  _contentsFor(point: Vec3, isWorld: boolean): number {
    return this._points.all(point, isWorld);
  }

  toString(): string {
    return `Scene { ${bodiesText(this.count)}, rules ${this.rules} }`;
  }

  /** Whether it is the given scene, or contains that one as its world or among its bodies. */
  private _isOrHolds(scene: PartsScene): boolean {
    // Each is looked at once, however often it is held. A set also goes through what is added to it meanwhile.
    const held = new Set<PartsScene>([this]);
    for (const { _bodies: bodies } of held) {
      if (bodies === scene._bodies) return true;
      for (const collider of [bodies.world, ...bodies.colliders]) {
        if (collider instanceof PartsScene) held.add(collider);
      }
    }
    return false;
  }

  private _tracer(
    kind: Mover['kind'],
    shape: Shape,
    options: TracerOptions | undefined,
    hull?: number,
  ): SceneTracer {
    return this._create(createMover(kind, shape, hull), options);
  }

  private _create(
    mover: Mover,
    options: TracerOptions | undefined,
    isBody?: boolean,
  ): SceneTracer & NestedTracer {
    const bodies = this._bodies;
    bodies.nesting.check();
    bodies.busy++;
    try {
      return createSceneTracer(bodies, mover, options, isBody);
    } finally {
      bodies.busy--;
    }
  }
}

/**
 * Makes a scene: a world (of any format, or any collider of yours, or none) to which bodies are added.
 *
 * A trace asks the world first, then the bodies near the move. By default the nearest hit is the answer; see the README for ties,
 * starts in solid and the engines' rules.
 *
 * @throws TypeError when the rules ask in an engine's order and the world has no bounds, and for `areaPortals` when there is no
 *   world with areas; RangeError for unknown rules.
 */
export function createScene<D = unknown>(world?: undefined, options?: SceneOptions): Scene<Body, D>;
export function createScene<W extends Collider, D = unknown>(world: W, options?: SceneOptions): Scene<W, D>;
export function createScene(world?: Collider, options: SceneOptions = {}): unknown {
  if (world !== undefined) {
    checkCollider(world, 'world');
  }
  checkOptions(options, ['rules', 'areaPortals']);
  const { rules = 'nearest', areaPortals = false } = options;
  checkChoice(rules, 'rules', Object.keys(RULES));
  checkFlag(areaPortals, 'areaPortals');
  return new PartsScene(world, rules, areaPortals);
}
