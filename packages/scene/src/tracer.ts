import type { TraceBatch } from './batch.ts';
import { checkMask, checkMove } from './check.ts';
import type { Bodies } from './scene-bodies.ts';
import { isPosable, type Posable, withPose } from './scene-pose.ts';
import {
  type Collider,
  makeTracer,
  ownShape,
  resizeShape,
  type TracerChanges,
  widenByShape,
} from './scene-shape.ts';
import {
  createSceneTrace,
  createSceneTraceBatch,
  type SceneTrace,
  storeSceneTrace,
  WORLD_ENTITY,
} from './scene-trace.ts';
import {
  T_FRACTION,
  T_HALF,
  T_HIGH,
  T_LOW,
  T_MIDDLE,
  T_WAY,
  TREE_QUERY,
  type TreeQuery,
} from './scene-tree.ts';
import type { Shape } from './shape.ts';
import { copyTrace, resetTrace, type Trace } from './trace.ts';
import { checkSegments, type Tracer, traceEach } from './tracer.ts';
import type { Vec3 } from './vec.ts';

/** How near a box may come before the body in it is asked: more than tracers keep from what they hit, as in the engines. */
const MARGIN = 1;

/** What a scene's tracers leave out. */
export interface SceneFilter {
  /** Contents that stop the trace; what the world and each collider take unless told. */
  readonly mask?: number | undefined;
  /** Number of a body that is not there for this tracer: who moves. -1, for none, unless told. */
  readonly ignore?: number | undefined;
}

/** What may be changed on a scene's tracer between traces. What is left out stays as it is. */
export type SceneTracerSettings = SceneFilter & TracerChanges;

/** A shape and a filter against a scene: the world first, then the bodies that its way comes near. */
export interface SceneTracer extends Tracer<SceneTrace> {
  /**
   * Changes filter or size in place, without allocation. `ignore` costs nothing; the rest is handed on to the tracer of
   * every collider, or asked of the collider anew where that tracer has no `set`.
   * @throws RangeError naming the argument that is out of range; TypeError for one that this tracer does not have.
   */
  set(settings: SceneTracerSettings): this;
}

/** The tracer of a shape against one collider, with what is needed to place it. */
interface Part {
  readonly collider: Collider;
  /** As the collider made it, and what is traced: the same, or that with a pose. */
  inner: Tracer;
  tracer: Tracer;
  /** What is told the pose; nothing where the collider itself was told, or stands still. */
  poser: Posable | undefined;
  /** One number: the change of a body that the pose was taken from. */
  readonly posed: Float64Array;
  /** Number of the settings that it was told last. */
  settings: number;
  /** Its own kind of trace. */
  out: Trace;
}

const ZERO: Vec3 = [0, 0, 0];

/** A scene's only tracer: one part for the world, and one for every collider among the bodies. */
export class PartsTracer implements SceneTracer {
  readonly shape: Shape;
  private readonly _bodies: Bodies;
  private readonly _world: Part | undefined;
  /** By body; a collider that several bodies share has one part. */
  private readonly _parts: (Part | undefined)[] = [];
  private readonly _known: WeakMap<Collider, Part> = new WeakMap();
  private readonly _options: { mask?: number; readonly epsilon?: unknown };
  private _settings = 0;
  /** What the latest `set` hands on. */
  private readonly _told: { -readonly [name in keyof TracerChanges]: TracerChanges[name] } = {};
  private _ignore: number;
  private readonly _margin: number;
  /** Box around the traced point that holds the shape, and what the parts really move. */
  private readonly _size: Float32Array = new Float32Array(6);
  private readonly _query: TreeQuery = new Float64Array(TREE_QUERY);
  private _found: Int32Array = new Int32Array(0);
  private readonly _pose: { readonly origin: Float32Array; readonly angles: Float32Array };
  private readonly _scratch: SceneTrace = createSceneTrace();

  constructor(bodies: Bodies, shape: Shape, options: SceneFilter = {}) {
    const { ignore = -1, ...own } = options;
    if (own.mask !== undefined) checkMask(own.mask, 'mask');
    checkIgnore(ignore);
    this._bodies = bodies;
    this.shape = ownShape(shape);
    this._options = own as PartsTracer['_options'];
    this._ignore = ignore;
    const { epsilon } = this._options;
    this._margin = MARGIN + (typeof epsilon === 'number' ? epsilon : 0);
    this._pose = { origin: new Float32Array(3), angles: new Float32Array(3) };
    this._world = bodies.world && this._makePart(bodies.world);
    this._measure();
    for (let body = 1; body < bodies.capacity; body++) {
      const collider = bodies.colliders[body];
      if (collider) this.enter(body, this.meet(collider));
    }
  }

  /** The part for a collider that is to be a body. Throws what its factory throws, and then changes nothing. */
  meet(collider: Collider): Part {
    let part = this._known.get(collider);
    if (!part) {
      part = this._makePart(collider);
      this._known.set(collider, part);
    } else if (part.settings !== this._settings) this._remake(part);
    return part;
  }

  /** Takes a body into account, with the part that {@link meet} gave. */
  enter(body: number, part: Part): void {
    this._parts[body] = part;
    widenByShape(this._size, part.tracer.shape);
    this._tellReach();
  }

  leave(body: number): void {
    this._parts[body] = undefined;
  }

  set(settings: SceneTracerSettings): this {
    const { ignore, mask, radius, mins, maxs } = settings;
    if (ignore !== undefined) checkIgnore(ignore);
    if (mask !== undefined) checkMask(mask, 'mask');
    resizeShape(this.shape, radius, mins, maxs);
    if (ignore !== undefined) this._ignore = ignore;
    if (mask !== undefined) this._options.mask = mask;
    else if (radius === undefined && !mins && !maxs) return this;
    this._settings++;
    // Without `ignore`, which a body that is a scene of its own would take for its own.
    const told = this._told;
    told.mask = mask;
    told.radius = radius;
    told.mins = mins;
    told.maxs = maxs;
    if (this._world) this._change(this._world);
    for (let body = 1; body < this._parts.length; body++) {
      const part = this._parts[body];
      if (part && part.settings !== this._settings) this._change(part);
    }
    this._measure();
    return this;
  }

  trace(start: Vec3, end: Vec3, out: SceneTrace = createSceneTrace()): SceneTrace {
    this._traceWorld(start, end, out);
    if (out.fraction === 0) return out;
    this._query[T_FRACTION] = out.fraction;
    const count = this._findBodies(start, end);
    for (let k = 0; k < count; k++) {
      const body = this._found[k]!;
      const part = this._parts[body]!;
      this._place(part, body);
      keepNearest(part.tracer.trace(start, end, part.out), body, out);
    }
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    const world = this._world;
    if (world) {
      if (world.tracer.blocked(start, end)) return true;
    } else checkMove(start, end);
    this._query[T_FRACTION] = 1;
    const count = this._findBodies(start, end);
    for (let k = 0; k < count; k++) {
      const body = this._found[k]!;
      const part = this._parts[body]!;
      this._place(part, body);
      if (part.tracer.blocked(start, end)) return true;
    }
    return false;
  }

  traceBatch(segments: Float32Array, out?: TraceBatch): TraceBatch {
    const batch = out ?? createSceneTraceBatch(checkSegments(segments));
    return traceEach(this, segments, batch, this._scratch, storeSceneTrace);
  }

  private _traceWorld(start: Vec3, end: Vec3, out: SceneTrace): void {
    const world = this._world;
    if (world) copyTrace(world.tracer.trace(start, end, world.out), out);
    else {
      checkMove(start, end);
      resetTrace(out);
      for (let k = 0; k < 3; k++) out.endPos[k] = end[k]!;
    }
    out.entity = out.fraction < 1 ? WORLD_ENTITY : -1;
    out.startEntity = out.startSolid ? WORLD_ENTITY : -1;
  }

  /** Bodies that take part and whose boxes the move comes near, up to the query's fraction of it, into `_found`. */
  private _findBodies(start: Vec3, end: Vec3): number {
    const { _bodies: bodies, _query: query, _size: size } = this;
    if (bodies.count === 0) return 0;
    for (let k = 0; k < 3; k++) {
      const from = start[k]!;
      const way = (end[k]! - from) * query[T_FRACTION]!;
      const low = size[k]! - this._margin;
      const high = size[3 + k]! + this._margin;
      query[T_LOW + k] = Math.min(from, from + way) + low;
      query[T_HIGH + k] = Math.max(from, from + way) + high;
      query[T_MIDDLE + k] = from + (way + low + high) * 0.5;
      query[T_WAY + k] = way;
      query[T_HALF + k] = (high - low) * 0.5;
    }
    if (this._found.length < bodies.capacity) this._found = new Int32Array(bodies.capacity);
    const found = this._found;
    const near = bodies.tree.collect(query, found);
    const mask = this._options.mask ?? -1;
    let count = 0;
    for (let k = 0; k < near; k++) {
      const body = found[k]!;
      if (body !== this._ignore && (bodies.contents[body]! & mask) !== 0) found[count++] = body;
    }
    return count;
  }

  /** Tells a part where the body stands, unless it knows. */
  private _place(part: Part, body: number): void {
    const { changes, origins, angles } = this._bodies;
    if (!part.poser || part.posed[0] === changes[body]) return;
    part.posed[0] = changes[body]!;
    const pose = this._pose;
    for (let k = 0; k < 3; k++) {
      pose.origin[k] = origins[3 * body + k]!;
      pose.angles[k] = angles[3 * body + k]!;
    }
    part.poser.set(pose);
  }

  private _makePart(collider: Collider): Part {
    const isWorld = collider === this._bodies.world;
    const inner = makeTracer(collider, this.shape, this._options, isWorld ? 'the world' : 'the collider');
    const part: Part = {
      collider,
      inner,
      tracer: inner,
      poser: undefined,
      posed: new Float64Array(1),
      settings: this._settings,
      out: inner.trace(ZERO, ZERO),
    };
    if (isWorld || isPosable(collider)) return part;
    // The tracers of a whole map, or of a scene in this one, have a `set` too, but no pose.
    if (isPosable(inner) && !('format' in collider || inner instanceof PartsTracer)) part.poser = inner;
    else {
      const placed = withPose(inner);
      part.tracer = placed;
      part.poser = placed;
    }
    return part;
  }

  private _remake(part: Part): void {
    Object.assign(part, this._makePart(part.collider));
  }

  private _change(part: Part): void {
    if (isPosable(part.inner)) {
      part.settings = this._settings;
      part.inner.set(this._told);
    } else this._remake(part);
  }

  /** Works out how much room the shape takes, by what was asked and by what the parts really move. */
  private _measure(): void {
    this._size.fill(0);
    widenByShape(this._size, this.shape);
    if (this._world) widenByShape(this._size, this._world.tracer.shape);
    for (const part of this._parts) if (part) widenByShape(this._size, part.tracer.shape);
    this._tellReach();
  }

  private _tellReach(): void {
    const size = this._size;
    let reach = 0;
    for (let k = 0; k < 3; k++) reach += Math.max(-size[k]!, size[3 + k]!) ** 2;
    this._bodies.reachAtLeast(Math.sqrt(reach));
  }
}

/**
 * One more body's trace, as Quake 3 takes it in: the nearest hit is kept, of equal ones that of the world, then of the
 * lowest number; a start in solid, and all in solid, are kept whatever comes after.
 */
function keepNearest(trace: Trace, body: number, out: SceneTrace): void {
  const { startSolid, allSolid, startEntity } = out;
  if (trace.startSolid && (startEntity < 0 || startEntity > body)) out.startEntity = body;
  if (trace.fraction < out.fraction || (trace.fraction === out.fraction && body < out.entity)) {
    copyTrace(trace, out);
    out.entity = body;
  }
  if (startSolid || trace.startSolid) out.startSolid = true;
  if (allSolid || trace.allSolid) out.allSolid = true;
}

function checkIgnore(body: number): void {
  if (!Number.isInteger(body)) throw new RangeError(`ignore must be a whole number, got ${body}`);
}
