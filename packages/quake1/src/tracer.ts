import {
  type Bounds,
  blockedEach,
  createTrace,
  type Placeable,
  type Pose,
  type Shape,
  type Trace,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  checkBounds,
  checkChoice,
  checkMove,
  checkNumber,
  checkOptions,
  checkPlace,
  checkPose,
  checkTrace,
  inspect,
  POSE_OPTIONS,
  showShape,
} from '@bspkit/core/format';
import { CONTENTS_SOLID, hullForSize } from './constants.ts';
import { setRows, turnIn, turnOut } from './kernel/frame.ts';
import { END, type HullKernel, STOP } from './kernel/hull.ts';
import type { WorldMemory } from './kernel/memory.ts';
import type { TreeView } from './kernel/tree.ts';
import { nodeWords, PLANE_WORDS } from './layout.ts';
import {
  FLAG_ALL_SOLID,
  FLAG_BACK,
  FLAG_IN_OPEN,
  FLAG_IN_WATER,
  FLAG_START_SOLID,
  FLAG_STOPPED,
  FLAG_TRANSLUCENT,
  PLANE_SHIFT,
  WALK_PLAYER,
  WALK_QUAKE,
  WALK_SERVER,
} from './wasm/layout.ts';

/** The answer of any tracer of this package. */
export interface Quake1Trace extends Trace {
  /**
   * Where the move was stopped in the frame of what was traced: of the model as the file has it, and for a hull of the
   * hull's own origin. `surfaceAt` goes by it.
   */
  localEnd: Float32Array;
}

/** The answer of a hull tracer. */
export interface HullTrace extends Quake1Trace {
  /** The move touched empty space. */
  inOpen: boolean;
  /** The move touched water, slime, lava, sky or a current. */
  inWater: boolean;
  /** Hull that was moved. */
  hull: number;
}

/** A fresh hull trace. */
export function createHullTrace(): HullTrace {
  const localEnd = new Float32Array(3);
  // Not spread, which gives V8 several layouts of one object, and then boxed numbers.
  return Object.assign(createTrace(), { localEnd, inOpen: false, inWater: false, hull: 0 });
}

/** The local end of an answer, which code that knows no formats may have made by `createTrace`, without one. */
export function localEndOf(out: Quake1Trace): Float32Array {
  out.localEnd ??= new Float32Array(3);
  return out.localEnd;
}

/** Whose trace an answer follows. */
export type HullRules =
  /** Quake's server. A start in solid shows in the flags; `fraction` is where the move went, 1 when it stayed in solid. */
  | 'quake'
  /** QuakeWorld's player movement: `allSolid` sets `startSolid`, `startSolid` sets `fraction` to 0. */
  | 'quakeworld'
  /**
   * Half-Life's server: models turn, the end is `start + fraction * (end - start)`, a box up to 8 wide is moved as the
   * point at its origin, and translucent contents set neither `inOpen` nor `inWater`.
   */
  | 'halflife'
  /** Half-Life's player movement: as its server, but with QuakeWorld's rule for solid, and translucent is water. */
  | 'halflife-player';

const RULES: readonly string[] = ['quake', 'quakeworld', 'halflife', 'halflife-player'] satisfies HullRules[];

/** Options of hull tracers. */
export interface TraceOptions {
  /** `'halflife'` by default for maps of version 30, `'quake'` for all others. */
  readonly rules?: HullRules | undefined;
}

/** Options of hull tracers of models and box entities, which stand somewhere: at 0 0 0, not turned, by default. */
export interface PlacedTraceOptions extends TraceOptions, Pose {}

/** What can be changed on a hull tracer. */
export type TracerSettings = TraceOptions;

/** What can be changed on a hull tracer that goes by size: corners too, in Quake units, relative to the traced point. */
export interface SizedTracerSettings extends TracerSettings, Partial<Bounds> {}

/** A prepared move of one of a map's hulls. */
export interface HullTracer extends Tracer<HullTrace> {
  /** What is truly moved: the box that the map was grown by, relative to the traced point. */
  readonly shape: Shape;
  /** Hull, from 0. */
  readonly hull: number;
  /** Model, 0 for the world; -1 for a box entity. */
  readonly model: number;
  /** Whose trace it is. */
  readonly rules: HullRules;
  /**
   * Changes the rules in place, without allocation.
   * @throws RangeError for unknown rules, TypeError for anything else that is to be changed.
   */
  set(settings: TracerSettings): this;
}

/** A hull tracer that chooses the hull by the size of a box. */
export interface SizedHullTracer extends HullTracer {
  /**
   * Changes the box and the rules in place, all or nothing, without allocation; a new box may take another hull.
   * @throws RangeError when a corner is not finite, `mins` is above `maxs`, the map has no such hull, or for unknown rules;
   *   TypeError for anything else that is to be changed.
   */
  set(settings: SizedTracerSettings): this;
}

/** A tracer of something that can be moved: of a model or a box entity. */
export type Placed<T extends Tracer> = T & Placeable;

/** What a hull is moved through: the world, a model, or what a box entity makes up. */
export interface HullTarget {
  readonly _memory: Pick<WorldMemory, 'trees' | 'hulls' | 'version'>;
  /** What moves through its trees. */
  readonly _kernel: HullKernel;
  /** Number of the model, 0 for the world; -1 for a box entity. */
  readonly _number: number;
  /** Heads of its trees, by hull. */
  readonly _heads: ArrayLike<number>;
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

/** Names of the options of hull tracers, of those that stand somewhere, and of settings that have a size too. */
export const TRACE_OPTIONS: readonly string[] = ['rules'];
export const PLACED_OPTIONS: readonly string[] = [...TRACE_OPTIONS, ...POSE_OPTIONS];
const SIZED_SETTINGS: readonly string[] = [...TRACE_OPTIONS, 'mins', 'maxs'];

/** A hull of a world. Models and box entities have tracers that extend this one, so that all run through the same code. */
export class Quake1Tracer implements SizedHullTracer {
  readonly model: number;
  hull: number;
  readonly shape: Shape;
  rules: HullRules;
  /** @internal */
  readonly _target: HullTarget;
  /** @internal */
  readonly _kernel: HullKernel;
  /** Whether the hull goes by the size of {@link _mover}. @internal */
  readonly _sized: boolean;
  /** The box as it was asked for; a hull's own where a hull was asked for. @internal */
  readonly _mover = { mins: new Float32Array(3), maxs: new Float32Array(3) };
  /** The pose as it was asked for. @internal */
  readonly _origin: Float32Array = new Float32Array(3);
  /** @internal */
  readonly _angles: Float32Array = new Float32Array(3);
  private readonly _offset: Float32Array = new Float32Array(3);
  /** Axes of the pose. @internal */
  readonly _rows: Float32Array = new Float32Array(9);
  private readonly _moved = { mins: new Float32Array(3), maxs: new Float32Array(3) };
  private readonly _scratch: HullTrace = createHullTrace();
  /** The latest answer that was written to, which need not be checked again. */
  private _checked: HullTrace | undefined;
  /** Number of the tree's head. */
  private _head = 0;
  private _walkRules: number = WALK_QUAKE;
  private _waterFlags: number = FLAG_IN_WATER;
  /** A start in solid sets the fraction to 0. */
  private _stops = false;
  private _turned = false;
  /** The hull counts as open space everywhere. */
  private _open = false;

  /** @internal */
  constructor(target: HullTarget, box: number | Bounds, rules: HullRules | undefined) {
    const { hulls, version } = target._memory;
    this._target = target;
    this.model = target._number;
    this._sized = typeof box !== 'number';
    this.rules = rules === undefined ? (version === 30 ? 'halflife' : 'quake') : rules;
    checkChoice(this.rules, RULES, 'rules');
    this.hull = typeof box === 'number' ? box : this._hullFor(box.mins, box.maxs);
    checkHull(this.hull, hulls.length);
    this._kernel = target._kernel;
    // The tree of a box entity is grown by the mover itself.
    this.shape =
      box === 0 ? { kind: 'ray' } : { kind: 'box', ...(this.model < 0 ? this._mover : this._moved) };
    const mover = typeof box === 'number' ? hulls[box]! : box;
    this._resize(mover.mins, mover.maxs);
    this._prepare();
  }

  createTrace(): HullTrace {
    return createHullTrace();
  }

  set(settings: SizedTracerSettings): this {
    checkOptions(settings, this._sized ? SIZED_SETTINGS : TRACE_OPTIONS, 'settings');
    const { rules = this.rules, mins = this._mover.mins, maxs = this._mover.maxs } = settings;
    // All that can be wrong comes before the first change.
    checkChoice(rules, RULES, 'rules');
    if (this._sized) {
      this.hull = this._hullFor(mins, maxs);
      this._resize(mins, maxs);
    }
    this.rules = rules;
    this._prepare();
    return this;
  }

  trace(start: Vec3, end: Vec3, out: HullTrace = createHullTrace()): HullTrace {
    if (out !== this._checked) this._checked = checkTrace(out, 'out');
    const flags = this._run(start, end, false);
    const startSolid = (flags & FLAG_START_SOLID) !== 0;
    out.startSolid = startSolid;
    out.allSolid = (flags & FLAG_ALL_SOLID) !== 0;
    out.inOpen = (flags & FLAG_IN_OPEN) !== 0;
    out.inWater = (flags & this._waterFlags) !== 0;
    out.surfaceFlags = 0;
    out.brush = -1;
    out.side = -1;
    out.texture = -1;
    out.patch = -1;
    out.hull = this.hull;
    // All solid is start solid already, as a walk that finds nothing else began in solid.
    const stuck = this._stops && startSolid;
    if ((flags & FLAG_STOPPED) === 0) this._miss(stuck, start, end, out);
    else this._hit(flags, stuck, start, end, out);
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    const flags = this._run(start, end, true);
    if ((flags & FLAG_START_SOLID) !== 0) return true;
    return (flags & FLAG_STOPPED) !== 0 && this._kernel.points[STOP + 3]! < 1;
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
    const { mins, maxs } = this._mover;
    const asked = this._sized ? ` for a ${showShape({ kind: 'box', mins, maxs })}: moves a` : ':';
    return `HullTracer { hull ${this.hull}${asked} ${showShape(this.shape)} }`;
  }

  /** Walks a move: {@link HullKernel.walk}. @internal */
  _run(start: Vec3, end: Vec3, anyHit: boolean): number {
    const kernel = this._kernel;
    const { points } = kernel;
    const fround = Math.fround;
    const offset = this._offset;
    // Such arrays hold numbers alone; which one is wrong is only looked up when one is.
    if (!(start instanceof Float32Array && end instanceof Float32Array)) checkMove(start, end);
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
    points[END] = fround(ex - offset[0]!);
    points[END + 1] = fround(ey - offset[1]!);
    points[END + 2] = fround(ez - offset[2]!);
    if (this._turned) {
      turnIn(points, 0, this._rows);
      turnIn(points, END, this._rows);
    }
    return this._open ? FLAG_IN_OPEN : kernel.walk(this._head, this._walkRules, anyHit);
  }

  /** The hull for a box. Throws `RangeError` when the map lacks it, or there is no such box. @internal */
  _hullFor(mins: Vec3, maxs: Vec3): number {
    checkBounds(mins, maxs);
    if (this.model < 0) return 0;
    const { version, hulls } = this._target._memory;
    const fround = Math.fround;
    const width = fround(fround(maxs[0]!) - fround(mins[0]!));
    const height = fround(fround(maxs[2]!) - fround(mins[2]!));
    const hull = hullForSize(version, width, height);
    checkHull(hull, hulls.length);
    return hull;
  }

  /** Works out what follows from box, hull, rules and pose. @internal */
  _prepare(): void {
    const { rules, hull, model } = this;
    const { _memory, _heads } = this._target;
    const { mins, maxs } = _memory.hulls[hull]!;
    const halflife = rules === 'halflife' || rules === 'halflife-player';
    // Half-Life moves a small box as the point at its origin, where Quake takes the one at its least corner. In the tree
    // of a box entity it is always the origin that moves.
    const atOrigin = model < 0 || (halflife && hull === 0);
    for (let k = 0; k < 3; k++) {
      const corner = atOrigin ? mins[k]! : this._mover.mins[k]!;
      this._offset[k] = Math.fround(mins[k]! - corner) + this._origin[k]!;
      this._moved.mins[k] = corner;
      this._moved.maxs[k] = corner + (maxs[k]! - mins[k]!);
    }
    this._walkRules = rules === 'halflife' ? WALK_SERVER : halflife ? WALK_PLAYER : WALK_QUAKE;
    this._waterFlags = rules === 'halflife' ? FLAG_IN_WATER : FLAG_IN_WATER | FLAG_TRANSLUCENT;
    this._stops = rules === 'quakeworld' || rules === 'halflife-player';
    this._open = rules === 'halflife-player' && isLastNode(_memory.trees[hull]!, _heads[hull]!);
    this._head = model < 0 ? 0 : 4 * model + hull;
    const angles = this._angles;
    // A box entity never turns.
    this._turned = halflife && model >= 0 && (angles[0] !== 0 || angles[1] !== 0 || angles[2] !== 0);
  }

  private _resize(mins: Vec3, maxs: Vec3): void {
    for (let k = 0; k < 3; k++) {
      this._mover.mins[k] = mins[k]!;
      this._mover.maxs[k] = maxs[k]!;
    }
  }

  private _miss(stuck: boolean, start: Vec3, end: Vec3, out: HullTrace): void {
    const { points } = this._kernel;
    const { endPos, normal } = out;
    const localEnd = localEndOf(out);
    const stays = stuck && this._walkRules === WALK_PLAYER;
    const last = stays ? start : end;
    const slot = stays ? 0 : END;
    out.fraction = stuck ? 0 : 1;
    endPos[0] = last[0]!;
    endPos[1] = last[1]!;
    endPos[2] = last[2]!;
    localEnd[0] = points[slot]!;
    localEnd[1] = points[slot + 1]!;
    localEnd[2] = points[slot + 2]!;
    normal[0] = 0;
    normal[1] = 0;
    normal[2] = 0;
    out.dist = 0;
    out.contents = 0;
    out.model = -1;
    out.plane = -1;
  }

  private _hit(flags: number, stuck: boolean, start: Vec3, end: Vec3, out: HullTrace): void {
    const { points } = this._kernel;
    const { floats, planes } = this._target._memory.trees[0];
    const { normal } = out;
    const localEnd = localEndOf(out);
    this._end(stuck, start, end, out);
    localEnd[0] = points[STOP]!;
    localEnd[1] = points[STOP + 1]!;
    localEnd[2] = points[STOP + 2]!;
    const plane = flags >> PLANE_SHIFT;
    const at = planes + PLANE_WORDS * plane;
    if ((flags & FLAG_BACK) === 0) {
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
    if (this._turned && out.fraction !== 1) turnOut(normal, this._rows);
    out.contents = CONTENTS_SOLID;
    out.model = this.model;
    out.plane = this.model < 0 ? -1 : plane;
  }

  /** Writes fraction and end of a hit. */
  private _end(stuck: boolean, start: Vec3, end: Vec3, out: HullTrace): void {
    const { points } = this._kernel;
    const { endPos } = out;
    const reached = points[STOP + 3]!;
    const fraction = stuck ? 0 : reached;
    out.fraction = fraction;
    if (this._walkRules !== WALK_QUAKE && fraction !== 1) {
      const fround = Math.fround;
      for (let k = 0; k < 3; k++) {
        const from = fround(start[k]!);
        endPos[k] = stuck ? from : from + fround(fraction * fround(fround(end[k]!) - from));
      }
      return;
    }
    endPos[0] = points[STOP]!;
    endPos[1] = points[STOP + 1]!;
    endPos[2] = points[STOP + 2]!;
    // The engine moves the end point back to the caller's frame only when the fraction is not 1.
    if (reached === 1) return;
    const offset = this._offset;
    endPos[0] = points[STOP]! + offset[0]!;
    endPos[1] = points[STOP + 1]! + offset[1]!;
    endPos[2] = points[STOP + 2]! + offset[2]!;
  }
}

/** A hull tracer of a model. */
export class Quake1PlacedTracer extends Quake1Tracer implements Placeable {
  /** @internal */
  constructor(target: HullTarget, box: number | Bounds, options: PlacedTraceOptions) {
    checkOptions(options, PLACED_OPTIONS);
    checkPlace(options);
    super(target, box, options.rules);
    this._pose(options);
  }

  place(pose: Pose): this {
    checkPose(pose);
    return this._pose(pose);
  }

  private _pose({ origin, angles }: Pose): this {
    for (let k = 0; k < 3; k++) {
      if (origin) this._origin[k] = origin[k]!;
      if (angles) this._angles[k] = angles[k]!;
    }
    if (angles) setRows(this._angles, this._rows);
    this._prepare();
    return this;
  }
}

/** Whether a head is the last node of its tree, or there is none: Half-Life's player movement takes such hulls for open. */
function isLastNode({ ints, end }: TreeView, head: number): boolean {
  return head >= 0 && head + nodeWords(ints[head]! & 7) >= end;
}
