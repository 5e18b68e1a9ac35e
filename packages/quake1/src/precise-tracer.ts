import {
  blockedEach,
  createTrace,
  type Placeable,
  type Pose,
  resetTrace,
  type Shape,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  type Clearings,
  checkMove,
  checkOptions,
  checkPlace,
  checkPose,
  checkRadius,
  isClear,
  POSE_ANGLES,
  POSE_OPTIONS,
  printAsString,
  showShape,
  takePose,
} from '@bspkit/core/format';
import { checkInsideFlags, INSIDE_OPTIONS, type InsideOptions, outsideMask, SOLID_MASK } from './classify.ts';
import { SURFACE_EPSILON } from './constants.ts';
import { setRows, turnOut } from './kernel/frame.ts';
import { NOWHERE } from './kernel/hull.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { castRay, RAY_ALL_SOLID, RAY_HIT, RAY_MISS, RAY_START_SOLID } from './kernel/ray.ts';
import { PLANE_WORDS } from './layout.ts';
import { packedContents } from './sections.ts';
import { localEndOf, type Quake1Trace } from './trace.ts';
import { checkHull, type HullTarget } from './tracer.ts';

/** Options of precise tracers. */
export interface PreciseOptions extends InsideOptions {
  /**
   * Distance to keep from what stops the move, along its normal, in Quake units: by default none for rays, and the engine's
   * `SURFACE_EPSILON` for hulls.
   */
  readonly epsilon?: number | undefined;
}

/** Options of precise tracers of models, with their pose: at 0 0 0, not turned, by default. */
export interface PlacedPreciseOptions extends PreciseOptions, Pose {}

/**
 * A prepared ray or hull in double precision. Crossings are those of the two given ends, never of points that were rounded on the
 * way, so it stops only at what it really comes into. A move that starts in solid has fraction 0.
 */
export interface PreciseTracer extends Tracer<Quake1Trace> {
  /** What is really moved: a ray, or the box by which the map was grown. */
  readonly shape: Shape;
  /** Hull, from 0; that of a ray is 0. */
  readonly hull: number;
  /** Model, 0 for the world. */
  readonly model: number;
  /** Changes what stops the move, and how far from it, in place, without allocation. */
  set(settings: PreciseOptions): this;
}

/** What can be traced precisely: the world or a model. */
export interface PreciseTarget extends HullTarget {
  readonly _memory: WorldMemory;
}

function createPreciseTrace(): Quake1Trace {
  return Object.assign(createTrace(), { localEnd: new Float32Array(3), hull: 0 });
}

/** Throws `TypeError` for unknown options and for flags that are not booleans, `RangeError` for an epsilon below 0. */
function checkPrecise(options: PreciseOptions, names: readonly string[], name?: string): void {
  checkOptions(options, names, name);
  checkInsideFlags(options);
  if (options.epsilon !== undefined) checkRadius(options.epsilon, 'epsilon');
}

const PRECISE_OPTIONS: readonly string[] = [...INSIDE_OPTIONS, 'epsilon'];
const PLACED_PRECISE_OPTIONS: readonly string[] = [...PRECISE_OPTIONS, ...POSE_OPTIONS];

/** A precise ray or hull through a world. */
export class Quake1PreciseTracer implements PreciseTracer {
  readonly shape: Shape;
  readonly hull: number;
  readonly model: number;
  /** @internal */
  readonly _target: PreciseTarget;
  /** What is not outside, as requested. @internal */
  readonly _inside = { water: true, slime: true, lava: true, sky: true };
  /** The pose as requested. @internal */
  readonly _origin: Float64Array = new Float64Array(3);
  /** @internal */
  readonly _angles: Float32Array = new Float32Array(3);
  private readonly _rows: Float32Array = new Float32Array(9);
  /** Start and end as given: both may be in the answer that is about to be overwritten. */
  private readonly _ends: Float64Array = new Float64Array(6);
  private readonly _scratch: Quake1Trace = createPreciseTrace();
  /** Where it meets nothing; `null` for nowhere, `undefined` until that is looked up. */
  private _clearings: Clearings | null | undefined;
  private _turned = false;
  private _mask: number = SOLID_MASK;
  private _epsilon: number;

  /** @internal */
  constructor(target: PreciseTarget, hull: number, options: PreciseOptions, names = PRECISE_OPTIONS) {
    const { hulls } = target._memory;
    checkPrecise(options, names);
    checkHull(hull, hulls.length);
    this._target = target;
    this.model = target._number;
    this.hull = hull;
    const { mins, maxs } = hulls[hull]!;
    this.shape =
      hull === 0
        ? { kind: 'ray' }
        : { kind: 'box', mins: Float32Array.from(mins), maxs: Float32Array.from(maxs) };
    this._epsilon = hull === 0 ? 0 : SURFACE_EPSILON;
    this._take(options);
    printAsString(this);
  }

  createTrace(): Quake1Trace {
    return createPreciseTrace();
  }

  set(settings: PreciseOptions): this {
    checkPrecise(settings, PRECISE_OPTIONS, 'settings');
    return this._take(settings);
  }

  /** Applies settings that have been checked. */
  private _take({ epsilon, water, slime, lava, sky }: PreciseOptions): this {
    const { _inside } = this;
    // All are read before the first is written, as a getter may throw.
    this._epsilon = epsilon ?? this._epsilon;
    _inside.water = water ?? _inside.water;
    _inside.slime = slime ?? _inside.slime;
    _inside.lava = lava ?? _inside.lava;
    _inside.sky = sky ?? _inside.sky;
    this._mask = outsideMask(_inside);
    return this;
  }

  trace(start: Vec3, end: Vec3, out: Quake1Trace = createPreciseTrace()): Quake1Trace {
    this._cast(start, end);
    resetTrace(out);
    out.hull = this.hull;
    const { trees, rayWalk } = this._target._memory;
    const { segment, hit, result, link, leaf } = rayWalk;
    const { _ends: ends } = this;
    const { endPos } = out;
    const localEnd = localEndOf(out);
    out.startSolid = result === RAY_START_SOLID || result === RAY_ALL_SOLID;
    out.allSolid = result === RAY_ALL_SOLID;
    out.fraction = out.startSolid ? 0 : 1;
    if (result === RAY_HIT) {
      const { ints, floats, planes } = trees[this.hull]!;
      const behind = (link & 1) === 1;
      out.plane = ints[link >> 1]! >> 3;
      const at = planes + PLANE_WORDS * out.plane;
      // Subtracted from 0, so that a zero stays +0.
      for (let k = 0; k < 3; k++) out.normal[k] = behind ? 0 - floats[at + k]! : floats[at + k]!;
      out.dist = behind ? 0 - floats[at + 3]! : floats[at + 3]!;
      out.fraction = hit[0]!;
      if (this._epsilon > 0) {
        let along = 0;
        for (let k = 0; k < 3; k++) along += out.normal[k]! * (segment[k]! - segment[3 + k]!);
        // Along the plane, rounding may make it less than nothing.
        out.fraction = Math.max(0, out.fraction - this._epsilon / Math.max(0, along));
      }
      out.model = this.model;
      out.contents = packedContents(leaf);
    }
    // By the fraction, in the caller's frame: turning an end in and out again would not even give back the end of a miss.
    const { fraction } = out;
    for (let k = 0; k < 3; k++) {
      const ownEnd = segment[3 + k]!;
      const end = ends[3 + k]!;
      localEnd[k] = fraction === 1 ? ownEnd : segment[k]! + fraction * (ownEnd - segment[k]!);
      endPos[k] = fraction === 1 ? end : ends[k]! + fraction * (end - ends[k]!);
    }
    if (this._turned) turnOut(out.normal, this._rows);
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    this._cast(start, end);
    return this._target._memory.rayWalk.result !== RAY_MISS;
  }

  traceBatch(segments: Float32Array): TraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    return traceEach(this, segments, out, this._scratch);
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    return blockedEach(this, segments, out);
  }

  /** @internal */
  toString(): string {
    return `PreciseTracer { ${this.hull === 0 ? '' : `hull ${this.hull}: `}${showShape(this.shape)} }`;
  }

  /** Applies a pose that has been checked. @internal */
  _pose({ origin, angles }: Pose): this {
    // Its origin stays in double precision. All is read before anything is written, as by `takePose`.
    const from = origin ?? this._origin;
    const x = from[0]!;
    const y = from[1]!;
    const z = from[2]!;
    takePose(undefined, angles ?? this._angles);
    this._origin[0] = x;
    this._origin[1] = y;
    this._origin[2] = z;
    this._angles.set(POSE_ANGLES);
    if (angles) {
      this._turned = this._target._memory.version === 30 && this._angles.some((angle) => angle !== 0);
      setRows(this._angles, this._rows);
    }
    return this;
  }

  private _cast(start: Vec3, end: Vec3): void {
    // Such arrays contain only numbers; which one is wrong is looked up only when one is. Other arrays are not copied into such
    // ones first, as other tracers do: this tracer starts from float64 numbers.
    if (!(start instanceof Float32Array && end instanceof Float32Array)) checkMove(start, end);
    // All six are read before the first is written: reading them may run a getter that traces.
    const ax = start[0]!;
    const ay = start[1]!;
    const az = start[2]!;
    const bx = end[0]!;
    const by = end[1]!;
    const bz = end[2]!;
    const fround = Math.fround;
    const begin = fround(ax) + fround(ay) + fround(az);
    const sum = begin + fround(bx) + fround(by) + fround(bz);
    // The sum of finite numbers of float32's size is finite: it cannot overflow.
    if (sum - sum !== 0) checkMove(start, end);
    const { _memory, _heads } = this._target;
    const { trees, rayWalk } = _memory;
    const { segment } = rayWalk;
    const { _ends: ends, _origin: origin } = this;
    ends[0] = ax;
    ends[1] = ay;
    ends[2] = az;
    ends[3] = bx;
    ends[4] = by;
    ends[5] = bz;
    for (let k = 0; k < 3; k++) {
      segment[k] = ends[k]! - origin[k]!;
      segment[3 + k] = ends[3 + k]! - origin[k]!;
    }
    if (this._turned) this._turnIn(segment);
    if (this._clearings === undefined) this._clearings = this._target._clearings?.(this.hull) ?? null;
    if (this._clearings && isClear(this._clearings, rayWalk.start, rayWalk.end, NOWHERE, NOWHERE)) {
      rayWalk.result = RAY_MISS;
    } else castRay(trees[this.hull]!, _heads[this.hull]!, this._mask, rayWalk);
  }

  /** Turns both ends into the model's frame, in double precision. */
  private _turnIn(ends: Float64Array): void {
    const rows = this._rows;
    for (let at = 0; at < 6; at += 3) {
      const x = ends[at]!;
      const y = ends[at + 1]!;
      const z = ends[at + 2]!;
      for (let k = 0; k < 3; k++) {
        ends[at + k] = rows[3 * k]! * x + rows[3 * k + 1]! * y + rows[3 * k + 2]! * z;
      }
    }
  }
}

/** A precise ray or hull through a model. */
export class Quake1PlacedPreciseTracer extends Quake1PreciseTracer implements Placeable {
  /** @internal */
  constructor(target: PreciseTarget, hull: number, options: PlacedPreciseOptions) {
    super(target, hull, options, PLACED_PRECISE_OPTIONS);
    checkPlace(options);
    this._pose(options);
  }

  place(pose: Pose): this {
    checkPose(pose);
    return this._pose(pose);
  }
}
