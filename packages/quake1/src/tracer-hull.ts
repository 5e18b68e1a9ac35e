import {
  type Bounds,
  checkBounds,
  checkMove,
  checkNumber,
  checkPoint,
  createTrace,
  type Shape,
  type Trace,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import type { TreeView } from './classify.ts';
import { CONTENTS_SOLID, hullForSize, type Quake1Version } from './constants.ts';
import { PLANE_WORDS } from './layout.ts';
import {
  FLAG_ALL_SOLID,
  FLAG_IN_OPEN,
  FLAG_IN_WATER,
  FLAG_START_SOLID,
  type HullWalk,
  walkHull,
} from './trace-hull.ts';

/** The answer of a hull tracer. */
export interface HullTrace extends Trace {
  /** The move touched empty space. */
  inOpen: boolean;
  /** The move touched water, slime, lava, sky or a current. */
  inWater: boolean;
}

/** A fresh hull trace. */
export function createHullTrace(): HullTrace {
  // Not spread, which gives V8 several layouts of one object, and then boxed numbers.
  return Object.assign(createTrace(), { inOpen: false, inWater: false });
}

/** Which engine's reading of a start in solid an answer follows. */
export type HullRules =
  /** Quake: the flags tell; `fraction` is where the move went, 1 when it stayed in solid. */
  | 'quake'
  /** QuakeWorld's player movement: `allSolid` sets `startSolid`, `startSolid` sets `fraction` to 0. */
  | 'quakeworld';

export interface HullOptions {
  /** Where the model stands, in Quake units: it is moved there and not turned. Default 0 0 0. */
  readonly origin?: Vec3;
  /** Default `'quake'`. */
  readonly rules?: HullRules;
}

/** A prepared move of one of a map's hulls through a model. */
export interface HullTracer extends Tracer<HullTrace> {
  /** What is truly moved: the box that the map was grown by, relative to the traced point. */
  readonly shape: Shape;
  /** Hull, from 0. */
  readonly hull: number;
  /** Model, 0 for the world; -1 for a box entity. */
  readonly model: number;
  /** Changes the pose or the rules in place, without allocation. Throws `RangeError` for an origin that is not finite. */
  set(changes: HullOptions): this;
}

/** A hull tracer that chooses the hull by the size of a box. */
export interface BoxTracer extends HullTracer {
  /** Changes the box too; the hull is chosen anew. Throws `RangeError` when `mins` is above `maxs`. */
  set(changes: HullOptions & Partial<Bounds>): this;
}

/** The trees and planes that a tracer walks. */
export interface HullSource {
  readonly walk: HullWalk;
  /** Where the planes begin in the buffer, and the tree of each hull. */
  readonly planes: number;
  readonly trees: ArrayLike<number>;
  readonly version: Quake1Version;
  /** What each hull moves. */
  readonly bounds: readonly Bounds[];
  readonly model: number;
  /** Heads of the model's trees, by hull. */
  readonly heads: ArrayLike<number>;
}

/** Whether the sum of finite numbers of float32's size is one: it cannot overflow, so anything else was among them. */
export function allFinite(sum: number): boolean {
  return sum - sum === 0;
}

/** Throws `RangeError` unless a map with `count` hulls has this one. */
export function checkHull(hull: number, count: number): void {
  if (Number.isInteger(hull) && hull > 0 && hull < 4 && count === 1) {
    throw new RangeError(`hull ${hull} is not in this map: it was made without clip nodes`);
  }
  checkNumber(hull, count, 'hull');
}

/** Both kinds of tracer: one class, so that all traces go through the same code and stay fast. */
export class SourceTracer implements BoxTracer {
  readonly model: number;
  hull: number;
  readonly shape: Shape;
  readonly source: HullSource;
  private readonly _origin: Float32Array = new Float32Array(3);
  private readonly _offset: Float32Array = new Float32Array(3);
  private readonly _mins: Float32Array = new Float32Array(3);
  private readonly _maxs: Float32Array = new Float32Array(3);
  private readonly _shapeMaxs: Float32Array = new Float32Array(3);
  private readonly _scratch: HullTrace = createHullTrace();
  private _quakeworld = false;

  /** A tracer of hull number `box`, or of the hull that fits it. `shape` is said where the hull does not tell. */
  constructor(source: HullSource, box: number | Bounds, options: HullOptions = {}, shape?: Shape) {
    this.source = source;
    this.model = source.model;
    this.hull = typeof box === 'number' ? box : 0;
    checkHull(this.hull, source.bounds.length);
    const { mins, maxs } = typeof box === 'number' ? source.bounds[box]! : box;
    const swept: Shape = { kind: 'box', mins: this._mins, maxs: this._shapeMaxs };
    this.shape = shape ?? (box === 0 ? { kind: 'ray' } : swept);
    this._resize(mins, maxs);
    if (typeof box !== 'number') this._chooseHull();
    this._change(options);
  }

  set(changes: HullOptions & Partial<Bounds>): this {
    this._change(changes);
    return this;
  }

  trace(start: Vec3, end: Vec3, out: HullTrace = createHullTrace()): HullTrace {
    this._run(start, end, false);
    const { walk } = this.source;
    const { flags, slot } = walk;
    out.startSolid = (flags & FLAG_START_SOLID) !== 0;
    out.allSolid = (flags & FLAG_ALL_SOLID) !== 0;
    out.inOpen = (flags & FLAG_IN_OPEN) !== 0;
    out.inWater = (flags & FLAG_IN_WATER) !== 0;
    out.surfaceFlags = 0;
    out.brush = -1;
    out.side = -1;
    out.texture = -1;
    out.patch = -1;
    if (slot < 0) this._miss(end, out);
    else this._hit(slot, out);
    // QuakeWorld: all solid is start solid already, as a walk that finds nothing else began in solid.
    if (this._quakeworld && out.startSolid) out.fraction = 0;
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    this._run(start, end, true);
    const { walk } = this.source;
    if ((walk.flags & FLAG_START_SOLID) !== 0) return true;
    return walk.slot >= 0 && walk.points[walk.slot + 3]! < 1;
  }

  traceBatch(segments: Float32Array, out?: TraceBatch): TraceBatch {
    return traceEach(this, segments, out, this._scratch);
  }

  /** The tree that is walked, and where it begins. */
  tree(): { tree: TreeView; head: number } {
    const { walk, planes, trees, heads } = this.source;
    const { ints, floats } = walk;
    return { tree: { ints, floats, planes, first: trees[this.hull]! }, head: heads[this.hull]! };
  }

  /** A point of the caller's in the hull's own frame. */
  toHull(point: Vec3): [number, number, number] {
    const local = (k: number): number => Math.fround(Math.fround(point[k]!) - this._offset[k]!);
    return [local(0), local(1), local(2)];
  }

  private _change(changes: HullOptions & Partial<Bounds>): void {
    const { origin, rules, mins, maxs } = changes;
    if (origin !== undefined) {
      checkPoint(origin, 'origin');
      for (let k = 0; k < 3; k++) this._origin[k] = origin[k]!;
    }
    if (mins !== undefined || maxs !== undefined) {
      this._resize(mins ?? this._mins, maxs ?? this._maxs);
      this._chooseHull();
    }
    if (rules !== undefined) {
      if (rules !== 'quake' && rules !== 'quakeworld') {
        throw new RangeError(`rules must be 'quake' or 'quakeworld', got '${String(rules)}'`);
      }
      this._quakeworld = rules === 'quakeworld';
    }
    this._place();
  }

  protected _run(start: Vec3, end: Vec3, anyHit: boolean): void {
    const { points } = this.source.walk;
    const fround = Math.fround;
    const offset = this._offset;
    const sx = fround(start[0]!);
    const sy = fround(start[1]!);
    const sz = fround(start[2]!);
    const ex = fround(end[0]!);
    const ey = fround(end[1]!);
    const ez = fround(end[2]!);
    if (!allFinite(sx + sy + sz + ex + ey + ez)) checkMove(start, end);
    points[0] = fround(sx - offset[0]!);
    points[1] = fround(sy - offset[1]!);
    points[2] = fround(sz - offset[2]!);
    points[3] = 0;
    points[4] = fround(ex - offset[0]!);
    points[5] = fround(ey - offset[1]!);
    points[6] = fround(ez - offset[2]!);
    points[7] = 1;
    walkHull(this.source.walk, this.source.heads[this.hull]!, anyHit);
  }

  private _miss(end: Vec3, out: HullTrace): void {
    const { endPos, normal } = out;
    out.fraction = 1;
    endPos[0] = end[0]!;
    endPos[1] = end[1]!;
    endPos[2] = end[2]!;
    normal[0] = 0;
    normal[1] = 0;
    normal[2] = 0;
    out.dist = 0;
    out.contents = 0;
    out.model = -1;
    out.plane = -1;
  }

  private _hit(slot: number, out: HullTrace): void {
    const { ints, floats, points, links } = this.source.walk;
    const { endPos, normal } = out;
    const offset = this._offset;
    const fraction = points[slot + 3]!;
    out.fraction = fraction;
    endPos[0] = points[slot]!;
    endPos[1] = points[slot + 1]!;
    endPos[2] = points[slot + 2]!;
    // The engine moves the end point back to the caller's frame only when the fraction is not 1.
    if (fraction !== 1) {
      endPos[0] = points[slot]! + offset[0]!;
      endPos[1] = points[slot + 1]! + offset[1]!;
      endPos[2] = points[slot + 2]! + offset[2]!;
    }
    const link = links[slot]!;
    const plane = ints[link >> 1]! >> 3;
    const at = this.source.planes + PLANE_WORDS * plane;
    if ((link & 1) === 0) {
      normal[0] = floats[at]!;
      normal[1] = floats[at + 1]!;
      normal[2] = floats[at + 2]!;
      out.dist = floats[at + 3]!;
    } else {
      // Subtracted from 0, so that a zero stays +0; the distance is negated, so that 0 becomes -0: both as the engine.
      normal[0] = 0 - floats[at]!;
      normal[1] = 0 - floats[at + 1]!;
      normal[2] = 0 - floats[at + 2]!;
      out.dist = -floats[at + 3]!;
    }
    out.contents = CONTENTS_SOLID;
    out.model = this.model;
    out.plane = this.model < 0 ? -1 : plane;
  }

  private _resize(mins: Vec3, maxs: Vec3): void {
    checkBounds(mins, maxs);
    for (let k = 0; k < 3; k++) {
      this._mins[k] = mins[k]!;
      this._maxs[k] = maxs[k]!;
    }
  }

  private _chooseHull(): void {
    const width = Math.fround(this._maxs[0]! - this._mins[0]!);
    const height = Math.fround(this._maxs[2]! - this._mins[2]!);
    const hull = hullForSize(this.source.version, width, height);
    checkHull(hull, this.source.bounds.length);
    this.hull = hull;
  }

  /** Works out the offset from the traced point to the hull's own, and the box that is truly moved. */
  private _place(): void {
    const { mins, maxs } = this.source.bounds[this.hull]!;
    for (let k = 0; k < 3; k++) {
      const offset = Math.fround(mins[k]! - this._mins[k]!);
      this._offset[k] = offset + this._origin[k]!;
      this._shapeMaxs[k] = this._mins[k]! + (maxs[k]! - mins[k]!);
    }
  }
}
