import {
  checkBounds,
  checkMove,
  checkPoint,
  checkRadius,
  createTrace,
  type Shape,
  type Trace,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import { MASK_SOLID, SURFACE_CLIP_EPSILON } from './constants.ts';
import {
  BOX,
  beginTrace,
  CAPSULE,
  createKernel,
  type Kernel,
  POINT,
  Q_DIST,
  Q_END,
  Q_EPSILON,
  Q_EXTENTS,
  Q_FRACTION,
  Q_FROM,
  Q_MAXS,
  Q_MINS,
  Q_NORMAL,
  Q_RADIUS,
  Q_REACH,
  Q_SIDE_END,
  Q_SIDE_GROW,
  Q_SIDE_START,
  Q_SPHERE,
  Q_START,
  Q_TO,
  ROUND,
  S_ALL_SOLID,
  S_ANY,
  S_BRUSH,
  S_CONTENTS,
  S_CURVES,
  S_MASK,
  S_MODE,
  S_PATCH,
  S_POINT,
  S_SIDE,
  S_START_SOLID,
  S_SURFACE_FLAGS,
  type WorldMemory,
} from './kernel.ts';
import { createPose, intoFrame, P_ROWS, type Pose, rotateOut, setAngles, setOrigin } from './pose.ts';
import { beginRounded } from './round-brushes.ts';
import { sweepModel, sweepWorld, touchModel, touchWorld } from './trace-world.ts';

const f = Math.fround;

/** How far the engine widens a plane that is not axial, for everything but points: it does not look at the box. */
const OBLIQUE_OFFSET = 2048;

/** What every Quake 3 tracer can be told. */
export interface TraceOptions {
  /** Contents that stop the trace; `MASK_SOLID` unless told. */
  readonly mask?: number | undefined;
  /** Distance to keep from surfaces in Quake units, 0 or more; the engine's 1/8 unless told. */
  readonly epsilon?: number | undefined;
  /** Whether curved patches take part; true unless told. */
  readonly curves?: boolean | undefined;
}

/** What a sphere can be told besides. */
export interface SphereOptions extends TraceOptions {
  /**
   * Round edges and corners truly, in double precision. Without it every plane is pushed out by the radius, as both
   * tutorials and the engine's capsule have it, which stops a sphere early at sharp edges.
   */
  readonly exact?: boolean | undefined;
}

/** Where an inline model or box entity stands. */
export interface PoseOptions {
  /** In Quake units. */
  readonly origin?: Vec3 | undefined;
  /** Pitch, yaw and roll in degrees. A box entity never turns. */
  readonly angles?: Vec3 | undefined;
}

/** What may be changed on a tracer between traces. What is left out stays as it is. */
export interface TracerSettings extends TraceOptions, PoseOptions {
  /** For spheres: in Quake units, 0 or more. */
  readonly radius?: number | undefined;
  /** For boxes and capsules: corner in Quake units, relative to the traced point. */
  readonly mins?: Vec3 | undefined;
  readonly maxs?: Vec3 | undefined;
}

/** What a tracer traces against. */
export interface Target {
  readonly memory: WorldMemory;
  /** Model in that memory: 0 for the world with its tree, k for a model that lists its brushes. */
  readonly model: number;
  /** Number to report as hit. */
  readonly number: number;
  /** It can stand elsewhere than where it was built; `turns` tells whether it also follows angles. */
  readonly moves: boolean;
  readonly turns: boolean;
  /** Its shaders are those of a map file. */
  readonly inFile: boolean;
}

/**
 * A shape and a filter against the world, an inline model or a box entity. Answers equal the engine's bit for bit.
 *
 * Rules of the engine worth knowing: a brush that the move starts in does not stop it (`startSolid` tells), unless
 * both ends are in it (`allSolid`, fraction 0); after `allSolid` the normal may be that of a brush tested before.
 * A move whose ends are equal is a position test: solid or not, without a normal. `dist` belongs to the frame of the
 * model that was hit.
 */
export class Quake3Tracer implements Tracer {
  readonly shape: Shape;
  private readonly _kernel: Kernel;
  private readonly _target: Target;
  private readonly _pose: Pose;
  /** Corners as given, then the way from the traced point to the box's middle, then what rounding leaves of it. */
  private readonly _mins: Float32Array;
  private readonly _maxs: Float32Array;
  private readonly _center: Float32Array = new Float32Array(3);
  private readonly _residue: Float32Array = new Float32Array(3);
  private readonly _exact: boolean;
  private _still = false;

  constructor(target: Target, shape: Shape, options: SphereOptions & PoseOptions = {}) {
    this._exact = options.exact ?? false;
    this._target = target;
    this._kernel = createKernel(target.memory);
    this._pose = createPose();
    this._mins = new Float32Array(3);
    this._maxs = new Float32Array(3);
    this.shape = this._ownShape(shape);
    const { mask = MASK_SOLID, epsilon = SURFACE_CLIP_EPSILON, curves = true, origin, angles } = options;
    this.set({ mask, epsilon, curves, origin, angles, ...sizes(shape) });
    this._prepare();
  }

  /** The tracer's shape shows its own corners, so that it follows `set`. */
  private _ownShape(shape: Shape): Shape {
    if (shape.kind !== 'box' && shape.kind !== 'capsule') return { ...shape };
    return { kind: shape.kind, mins: this._mins, maxs: this._maxs };
  }

  /**
   * Changes size, filter or pose in place, without allocation. Nothing is changed when it throws.
   * @throws RangeError naming the argument that is out of range; TypeError for one that this tracer does not have.
   */
  set(settings: TracerSettings): this {
    this._checkSettings(settings);
    const { query, state } = this._kernel;
    const { mask, epsilon, curves, radius, mins, maxs, origin, angles } = settings;
    if (mask !== undefined) state[S_MASK] = mask;
    if (epsilon !== undefined) query[Q_EPSILON] = f(epsilon);
    if (curves !== undefined) state[S_CURVES] = curves ? 1 : 0;
    if (radius !== undefined) {
      (this.shape as { radius: number }).radius = radius;
      this._mins.fill(-radius);
      this._maxs.fill(radius);
    }
    for (let k = 0; k < 3; k++) {
      if (mins) this._mins[k] = mins[k]!;
      if (maxs) this._maxs[k] = maxs[k]!;
    }
    if (origin) setOrigin(this._pose, origin);
    if (angles && this._target.turns) setAngles(this._pose, angles);
    if (radius !== undefined || mins || maxs || angles) this._prepare();
    return this;
  }

  private _checkSettings(settings: TracerSettings): void {
    const { kind } = this.shape;
    const { mask, epsilon, radius, mins, maxs, origin, angles } = settings;
    if (mask !== undefined && (!Number.isInteger(mask) || mask < -0x80000000 || mask > 0xffffffff)) {
      throw new RangeError(`mask must be 32 bits, got ${mask}`);
    }
    if (epsilon !== undefined) checkRadius(epsilon, 'epsilon');
    if (radius !== undefined) {
      if (kind !== 'sphere') throw new TypeError(`radius belongs to spheres, not to a ${kind}`);
      checkRadius(radius);
    }
    if (mins || maxs) {
      if (kind !== 'box' && kind !== 'capsule')
        throw new TypeError(`mins and maxs do not belong to a ${kind}`);
      checkBounds(mins ?? this._mins, maxs ?? this._maxs);
    }
    if (origin || angles) {
      if (!this._target.moves) throw new TypeError('origin and angles do not belong to the world');
      if (origin) checkPoint(origin, 'origin');
      if (angles) checkPoint(angles, 'angles');
    }
  }

  /** Everything about a trace that does not depend on its ends. */
  private _prepare(): void {
    const { query, state } = this._kernel;
    for (let k = 0; k < 3; k++) {
      this._center[k] = f(this._mins[k]! + this._maxs[k]!) * 0.5;
      query[Q_MINS + k] = f(this._mins[k]! - this._center[k]!);
      query[Q_MAXS + k] = f(this._maxs[k]! - this._center[k]!);
    }
    // As the engine has it: the width in y is not looked at, and a capsule wider than high is a sphere.
    query[Q_RADIUS] = Math.min(query[Q_MAXS]!, query[Q_MAXS + 2]!);
    query[Q_SPHERE] = 0;
    query[Q_SPHERE + 1] = 0;
    query[Q_SPHERE + 2] = f(query[Q_MAXS + 2]! - query[Q_RADIUS]!);
    if (this._pose.rotated) this._turnSphere();
    if (this._target.moves) this._centerAgain();
    let point = true;
    let empty = true;
    for (let k = 0; k < 3; k++) {
      if (query[Q_MINS + k] !== 0) point = false;
      if (query[Q_MINS + k] !== 0 || query[Q_MAXS + k] !== 0) empty = false;
    }
    const round = this.shape.kind === 'capsule' || this.shape.kind === 'sphere';
    state[S_POINT] = point ? 1 : 0;
    state[S_MODE] = empty ? POINT : this._exact ? ROUND : round ? CAPSULE : BOX;
    query[Q_EXTENTS + 3] = point ? 0 : OBLIQUE_OFFSET;
    for (let k = 0; k < 3; k++) {
      query[Q_EXTENTS + k] = query[Q_MAXS + k]!;
      if (point) query[Q_EXTENTS + k] = 0;
      query[Q_SIDE_GROW + 2 * k] = query[round ? Q_RADIUS : Q_MAXS + k]!;
      query[Q_SIDE_GROW + 2 * k + 1] = query[Q_SIDE_GROW + 2 * k]!;
      if (!round) query[Q_SIDE_GROW + 2 * k + 1] = -query[Q_MINS + k]!;
    }
  }

  /** Against a model the engine centres the centred box once more, which rounding may leave something to do. */
  private _centerAgain(): void {
    const { query } = this._kernel;
    for (let k = 0; k < 3; k++) {
      this._residue[k] = f(query[Q_MINS + k]! + query[Q_MAXS + k]!) * 0.5;
      query[Q_MINS + k] = f(query[Q_MINS + k]! - this._residue[k]!);
      query[Q_MAXS + k] = f(query[Q_MAXS + k]! - this._residue[k]!);
    }
  }

  private _turnSphere(): void {
    const { query } = this._kernel;
    const { floats } = this._pose;
    const height = query[Q_SPHERE + 2]!;
    query[Q_SPHERE] = f(floats[P_ROWS + 2]! * height);
    // The sign is the engine's, not that of a true rotation.
    query[Q_SPHERE + 1] = f(-floats[P_ROWS + 5]! * height);
    query[Q_SPHERE + 2] = f(floats[P_ROWS + 8]! * height);
  }

  /** Whether this is a sphere with truly round edges and corners. */
  get isExact(): boolean {
    return this._exact;
  }

  trace(start: Vec3, end: Vec3, out: Trace = createTrace()): Trace {
    this._load(start, end);
    this._run();
    this._answer(out);
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    this._load(start, end);
    const { query, state } = this._kernel;
    state[S_ANY] = 1;
    this._run();
    state[S_ANY] = 0;
    return state[S_START_SOLID] !== 0 || query[Q_FRACTION]! < 1;
  }

  /** @internal What the latest trace worked on, for the reference. */
  lastQuery(): { kernel: Kernel; model: number; still: boolean } {
    return { kernel: this._kernel, model: this._target.model, still: this._still };
  }

  traceBatch(segments: Float32Array, out?: TraceBatch): TraceBatch {
    return traceEach(this, segments, out);
  }

  /** Checks the ends and keeps them. Each number is read once: callers mix kinds of arrays, which makes reading slow. */
  private _load(start: Vec3, end: Vec3): void {
    const { query } = this._kernel;
    const sx = f(start[0]!);
    const sy = f(start[1]!);
    const sz = f(start[2]!);
    const ex = f(end[0]!);
    const ey = f(end[1]!);
    const ez = f(end[2]!);
    // x - x is 0 for finite numbers alone; what is wrong is found out only when something is.
    if (sx - sx + (sy - sy) + (sz - sz) + (ex - ex) + (ey - ey) + (ez - ez) !== 0) checkMove(start, end);
    query[Q_FROM] = sx;
    query[Q_FROM + 1] = sy;
    query[Q_FROM + 2] = sz;
    query[Q_TO] = ex;
    query[Q_TO + 1] = ey;
    query[Q_TO + 2] = ez;
  }

  private _run(): void {
    const kernel = this._kernel;
    const { query } = kernel;
    const { model, moves } = this._target;
    beginTrace(kernel);
    let still = true;
    for (let k = 0; k < 3; k++) {
      const s = query[Q_FROM + k]!;
      const e = query[Q_TO + k]!;
      if (s !== e) still = false;
      query[Q_START + k] = f(s + this._center[k]!);
      query[Q_END + k] = f(e + this._center[k]!);
    }
    if (moves) still = this._enterModel();
    this._still = still;
    this._boundMove();
    if (this._exact) beginRounded(kernel);
    if (model === 0) {
      if (still) touchWorld(kernel);
      else sweepWorld(kernel);
    } else if (still) touchModel(kernel, model);
    else sweepModel(kernel, model);
  }

  /** Brings both ends into the model's frame. Whether they are equal there decides on a position test. */
  private _enterModel(): boolean {
    const { query } = this._kernel;
    intoFrame(this._pose, query, Q_START);
    intoFrame(this._pose, query, Q_END);
    let still = true;
    for (let k = 0; k < 3; k++) {
      if (query[Q_START + k] !== query[Q_END + k]) still = false;
      query[Q_START + k] = f(query[Q_START + k]! + this._residue[k]!);
      query[Q_END + k] = f(query[Q_END + k]! + this._residue[k]!);
    }
    return still;
  }

  /**
   * How the whole move lies to bounds and axial sides. The box around it is computed in double for round shapes and
   * rounded once, as in the engine; a sweep has the epsilon to spare around it, a position test has not.
   */
  private _boundMove(): void {
    const { query, state } = this._kernel;
    const round = state[S_MODE] === CAPSULE || state[S_MODE] === ROUND;
    const radius = query[Q_RADIUS]!;
    const slack = this._still ? 0 : query[Q_EPSILON]!;
    for (let k = 0; k < 3; k++) {
      const s = query[Q_START + k]!;
      const e = query[Q_END + k]!;
      const least = s < e ? s : e;
      const most = s < e ? e : s;
      const sphere = Math.abs(query[Q_SPHERE + k]!);
      const low = f(round ? least - sphere - radius : least + query[Q_MINS + k]!);
      const high = f(round ? most + sphere + radius : most + query[Q_MAXS + k]!);
      const back = 2 * k;
      const front = back + 1;
      query[Q_REACH + back] = -high - slack;
      query[Q_REACH + front] = low - slack;
      // A capsule meets an axial side with the nearer end of its middle line.
      const shift = round ? sphere : 0;
      query[Q_SIDE_START + back] = -f(s + shift);
      query[Q_SIDE_END + back] = -f(e + shift);
      query[Q_SIDE_START + front] = f(s - shift);
      query[Q_SIDE_END + front] = f(e - shift);
    }
  }

  private _answer(out: Trace): void {
    const { ints, query, state } = this._kernel;
    const { moves, number, inFile } = this._target;
    const fraction = query[Q_FRACTION]!;
    const whole = fraction === 1;
    if (this._pose.rotated && !whole) rotateOut(this._pose, query, Q_NORMAL);
    out.fraction = fraction;
    for (let k = 0; k < 3; k++) {
      const s = query[Q_FROM + k]!;
      const e = query[Q_TO + k]!;
      // Against a model the engine computes the end even of an unhindered move, which may differ by rounding.
      out.endPos[k] = whole && !moves ? e : s + f(fraction * f(e - s));
      out.normal[k] = query[Q_NORMAL + k]!;
    }
    out.dist = query[Q_DIST]!;
    out.startSolid = state[S_START_SOLID] !== 0;
    out.allSolid = state[S_ALL_SOLID] !== 0;
    out.contents = state[S_CONTENTS]!;
    out.surfaceFlags = state[S_SURFACE_FLAGS]!;
    const side = state[S_SIDE]!;
    const patch = state[S_PATCH]!;
    const { sides } = this._kernel.places;
    out.model = state[S_BRUSH]! >= 0 || patch >= 0 ? number : -1;
    out.brush = state[S_BRUSH]!;
    out.side = side < 0 ? -1 : (side - sides.first) / 6;
    out.plane = side < 0 ? -1 : ints[side + 4]!;
    out.patch = patch < 0 ? -1 : ints[patch + 12]!;
    out.texture = patch >= 0 ? ints[patch + 13]! : side >= 0 && inFile ? ints[side + 5]! : -1;
  }
}

/** A shape's sizes as settings. */
function sizes(shape: Shape): TracerSettings {
  if (shape.kind === 'sphere') return { radius: shape.radius };
  if (shape.kind === 'box' || shape.kind === 'capsule') return { mins: shape.mins, maxs: shape.maxs };
  return {};
}
