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
import { checkMove, checkOptions, checkPlace, checkPose, inspect, POSE_OPTIONS } from '@bspkit/core/format';
import { checkInside, INSIDE_OPTIONS, type InsideOptions, outsideMask, SOLID_MASK } from './classify.ts';
import { setRows, turnOut } from './kernel/frame.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { castRay, RAY_ALL_SOLID, RAY_HIT, RAY_MISS, RAY_START_SOLID } from './kernel/ray.ts';
import { PLANE_WORDS } from './layout.ts';
import { packedContents } from './sections.ts';
import { localEndOf, type Quake1Trace } from './trace.ts';
import type { HullTarget } from './tracer.ts';

/** Options of precise rays of models, which stand somewhere: at 0 0 0, not turned, by default. */
export interface PlacedRayOptions extends InsideOptions, Pose {}

/** A prepared ray in double precision, without epsilon: its end is on the wall. */
export interface PreciseRayTracer extends Tracer<Quake1Trace> {
  /** Model, 0 for the world. */
  readonly model: number;
  /** Changes what stops the ray, in place, without allocation. */
  set(settings: InsideOptions): this;
}

/** What a ray is cast through: the world or a model. */
export interface RayTarget extends HullTarget {
  readonly _memory: WorldMemory;
}

function createRayTrace(): Quake1Trace {
  return Object.assign(createTrace(), { localEnd: new Float32Array(3) });
}

/** A precise ray through a world. */
export class Quake1RayTracer implements PreciseRayTracer {
  readonly shape: Shape = { kind: 'ray' };
  readonly model: number;
  /** @internal */
  readonly _target: RayTarget;
  /** What is not outside, as it was asked for. @internal */
  readonly _inside = { water: true, slime: true, lava: true, sky: true };
  /** The pose as it was asked for. @internal */
  readonly _origin: Float64Array = new Float64Array(3);
  /** @internal */
  readonly _angles: Float32Array = new Float32Array(3);
  private readonly _rows: Float32Array = new Float32Array(9);
  private readonly _scratch: Quake1Trace = createRayTrace();
  private _turned = false;
  private _mask: number = SOLID_MASK;

  /** @internal */
  constructor(target: RayTarget, options: InsideOptions) {
    this._target = target;
    this.model = target._number;
    this.set(options);
  }

  createTrace(): Quake1Trace {
    return createRayTrace();
  }

  set(settings: InsideOptions): this {
    checkInside(settings, 'settings');
    const { _inside } = this;
    _inside.water = settings.water ?? _inside.water;
    _inside.slime = settings.slime ?? _inside.slime;
    _inside.lava = settings.lava ?? _inside.lava;
    _inside.sky = settings.sky ?? _inside.sky;
    this._mask = outsideMask(_inside);
    return this;
  }

  trace(start: Vec3, end: Vec3, out: Quake1Trace = createRayTrace()): Quake1Trace {
    this._cast(start, end);
    resetTrace(out);
    const { trees, rayWalk } = this._target._memory;
    const { segment, hit, result, link, leaf } = rayWalk;
    const { endPos } = out;
    const localEnd = localEndOf(out);
    out.startSolid = result === RAY_START_SOLID || result === RAY_ALL_SOLID;
    out.allSolid = result === RAY_ALL_SOLID;
    out.fraction = out.startSolid ? 0 : 1;
    if (result === RAY_HIT) {
      const { ints, floats, planes } = trees[0];
      const behind = (link & 1) === 1;
      out.fraction = hit[0]!;
      out.plane = ints[link >> 1]! >> 3;
      const at = planes + PLANE_WORDS * out.plane;
      // Subtracted from 0, so that a zero stays +0.
      for (let k = 0; k < 3; k++) out.normal[k] = behind ? 0 - floats[at + k]! : floats[at + k]!;
      out.dist = behind ? 0 - floats[at + 3]! : floats[at + 3]!;
      out.model = this.model;
      out.contents = packedContents(leaf);
    }
    for (let k = 0; k < 3; k++) {
      const from = segment[k]!;
      const local = out.fraction === 1 ? segment[3 + k]! : from + out.fraction * (segment[3 + k]! - from);
      localEnd[k] = local;
      endPos[k] = local + this._origin[k]!;
    }
    if (this._turned) this._turnOut(out);
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
  [inspect](): string {
    return 'PreciseRayTracer { ray }';
  }

  /** Takes a pose that has been checked. @internal */
  _pose({ origin, angles }: Pose): this {
    for (let k = 0; k < 3; k++) {
      if (origin) this._origin[k] = origin[k]!;
      if (angles) this._angles[k] = angles[k]!;
    }
    if (angles) {
      this._turned = this._target._memory.version === 30 && this._angles.some((angle) => angle !== 0);
      setRows(this._angles, this._rows);
    }
    return this;
  }

  private _cast(start: Vec3, end: Vec3): void {
    // Such arrays hold numbers alone; which one is wrong is only looked up when one is.
    if (!(start instanceof Float32Array && end instanceof Float32Array)) checkMove(start, end);
    const fround = Math.fround;
    const begin = fround(start[0]!) + fround(start[1]!) + fround(start[2]!);
    const sum = begin + fround(end[0]!) + fround(end[1]!) + fround(end[2]!);
    // The sum of finite numbers of float32's size is one: it cannot overflow.
    if (sum - sum !== 0) checkMove(start, end);
    const { _memory, _heads } = this._target;
    const { trees, rayWalk } = _memory;
    const { segment } = rayWalk;
    for (let k = 0; k < 3; k++) {
      segment[k] = start[k]! - this._origin[k]!;
      segment[3 + k] = end[k]! - this._origin[k]!;
    }
    if (this._turned) this._turnIn(segment);
    castRay(trees[0], _heads[0]!, this._mask, rayWalk);
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

  /** Turns end and normal of an answer out of the model's frame. */
  private _turnOut({ localEnd, endPos, normal }: Quake1Trace): void {
    const rows = this._rows;
    const x = localEnd[0]!;
    const y = localEnd[1]!;
    const z = localEnd[2]!;
    for (let k = 0; k < 3; k++) {
      endPos[k] = rows[k]! * x + rows[3 + k]! * y + rows[6 + k]! * z + this._origin[k]!;
    }
    turnOut(normal, rows);
  }
}

const PLACED_RAY_OPTIONS: readonly string[] = [...INSIDE_OPTIONS, ...POSE_OPTIONS];

/** A precise ray through a model. */
export class Quake1PlacedRayTracer extends Quake1RayTracer implements Placeable {
  /** @internal */
  constructor(target: RayTarget, options: PlacedRayOptions) {
    checkOptions(options, PLACED_RAY_OPTIONS);
    const { origin, angles, ...inside } = options;
    checkPlace({ origin, angles });
    super(target, inside);
    this._pose({ origin, angles });
  }

  place(pose: Pose): this {
    checkPose(pose);
    return this._pose(pose);
  }
}
