import {
  type Bounds,
  blockedEach,
  type Placeable,
  type Pose,
  type Shape,
  type TraceBatch,
  type Tracer,
  traceEach,
  type Vec3,
} from '@bspkit/core';
import {
  type Clearings,
  checkBounds,
  checkChoice,
  checkMove,
  checkNumber,
  checkOptions,
  checkPlace,
  checkPose,
  checkTrace,
  held,
  MOVE_END,
  MOVE_START,
  POSE_ANGLES,
  POSE_OPTIONS,
  POSE_ORIGIN,
  printAsString,
  setBounds,
  showShape,
  takeFloats,
  takePose,
  testTogether,
  traceTogether,
} from '@bspkit/core/format';
import { hullForSize } from './constants.ts';
import { setRows } from './kernel/frame.ts';
import { type HullKernel, STOP } from './kernel/hull.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { answerHit, answerMiss, createMover, type Mover, takeMove } from './kernel/mover.ts';
import type { TreeView } from './kernel/tree.ts';
import { nodeWords } from './sections.ts';
import { createHullTrace, type HullTrace } from './trace.ts';
import {
  FLAG_IN_OPEN,
  FLAG_IN_WATER,
  FLAG_START_SOLID,
  FLAG_STOPPED,
  FLAG_TRANSLUCENT,
  TOO_FAR,
  WALK_PLAYER,
  WALK_QUAKE,
  WALK_SERVER,
} from './wasm/layout.ts';

/** Which engine's rules a trace follows. */
export type HullRules =
  /**
   * Quake's server. A start in solid shows in the flags; `fraction` is where the move went, 1 when it stayed in solid.
   */
  | 'quake1'
  /** QuakeWorld's player movement: `allSolid` sets `startSolid`, `startSolid` sets `fraction` to 0. */
  | 'quakeworld'
  /**
   * Half-Life's server: models turn, the end is `start + fraction * (end - start)`, a box up to 8 wide is moved as the point at
   * its origin, and translucent contents set neither `inOpen` nor `inWater`.
   */
  | 'halflife'
  /** Half-Life's player movement: like its server, but with QuakeWorld's rule for solid, and translucent counts as water. */
  | 'halflife-player';

const RULES: readonly string[] = [
  'quake1',
  'quakeworld',
  'halflife',
  'halflife-player',
] satisfies HullRules[];

/** Options of hull tracers. */
export interface TraceOptions {
  /** `'halflife'` by default for maps of version 30, `'quake1'` for all others. */
  readonly rules?: HullRules | undefined;
}

/** Options of hull tracers of models and box entities, with their pose: at 0 0 0, not turned, by default. */
export interface PlacedOptions extends TraceOptions, Pose {}

/** What can be changed on a hull tracer. */
export type TracerSettings = TraceOptions;

/**
 * What can be changed on a hull tracer whose hull is chosen by size: also its corners, in Quake units, relative to the traced
 * point.
 */
export interface SizedTracerSettings extends TracerSettings, Partial<Bounds> {}

/** A prepared move of one of a map's hulls. */
export interface HullTracer extends Tracer<HullTrace> {
  /** What is really moved: the box by which the map was grown, relative to the traced point. */
  readonly shape: Shape;
  /** Hull, from 0. */
  readonly hull: number;
  /** Model, 0 for the world; -1 for a box entity. */
  readonly model: number;
  /** Whose rules it follows. */
  readonly rules: HullRules;
  /**
   * Changes the rules in place, without allocation.
   * @throws RangeError for unknown rules, TypeError for any other setting.
   */
  set(settings: TracerSettings): this;
}

/** A hull tracer that chooses the hull by the size of a box. */
export interface SizedHullTracer extends HullTracer {
  /**
   * Changes the box and the rules in place, all or nothing, without allocation; a new box may take another hull.
   * @throws RangeError when a corner is not finite, `mins` is above `maxs`, the map has no such hull, or for unknown rules;
   *   TypeError for any other setting.
   */
  set(settings: SizedTracerSettings): this;
}

/** What a hull is moved through: the world, a model, or the tree made for a box entity. */
export interface HullTarget {
  readonly _memory: Pick<WorldMemory, 'trees' | 'hulls' | 'version'>;
  /** Moves points through its trees. */
  readonly _kernel: HullKernel;
  /** Number of the model, 0 for the world; -1 for a box entity. */
  readonly _number: number;
  /** Heads of its trees, by hull. */
  readonly _heads: ArrayLike<number>;
  /** Where a hull meets nothing; only the world has it. */
  readonly _clearings?: (hull: number) => Clearings | null;
}

/** Throws `RangeError` unless a map with `count` hulls has this one. */
export function checkHull(hull: number, count: number): void {
  if (Number.isInteger(hull) && hull > 0 && hull < 4 && count === 1) {
    throw new RangeError(`hull ${hull} is not in this map: it was made without clip nodes`);
  }
  checkNumber(hull, 'hull', count);
}

/** Names of the options of hull tracers, of those with a pose, and of the settings of those with a size. */
export const TRACE_OPTIONS: readonly string[] = ['rules'];
export const PLACED_OPTIONS: readonly string[] = [...TRACE_OPTIONS, ...POSE_OPTIONS];
const SIZED_SETTINGS: readonly string[] = [...TRACE_OPTIONS, 'mins', 'maxs'];

/** A hull of a world. Tracers of models and box entities extend this one, so that all run through the same code. */
export class Quake1Tracer implements SizedHullTracer {
  readonly model: number;
  hull: number;
  readonly shape: Shape;
  rules: HullRules;
  /** @internal */
  readonly _target: HullTarget;
  /** @internal */
  readonly _kernel: HullKernel;
  /** Whether the hull is chosen by the size of {@link _box}. @internal */
  readonly _sized: boolean;
  /** The requested box; the hull's own if a hull was requested. @internal */
  readonly _box = { mins: new Float32Array(3), maxs: new Float32Array(3) };
  /** The requested pose. @internal */
  readonly _origin: Float32Array = new Float32Array(3);
  /** @internal */
  readonly _angles: Float32Array = new Float32Array(3);
  /** The tree whose planes stop it. */
  private readonly _tree: TreeView;
  /** What it moves, and through which tree. @internal */
  readonly _mover: Mover;
  private readonly _moved = { mins: new Float32Array(3), maxs: new Float32Array(3) };
  private readonly _scratch: HullTrace = createHullTrace();
  /** The latest answer that was written to. Of it, only whether its arrays were transferred since is checked, as it is written. */
  private _checked: HullTrace | undefined;
  private _waterFlags: number = FLAG_IN_WATER;
  /** Whether the hull counts as open space everywhere. */
  private _open = false;

  /** @internal */
  constructor(target: HullTarget, box: number | Bounds, rules: HullRules | undefined) {
    const { hulls, version, trees } = target._memory;
    this._target = target;
    this._tree = trees[0];
    this.model = target._number;
    this._sized = typeof box !== 'number';
    this.rules = rules === undefined ? (version === 30 ? 'halflife' : 'quake1') : rules;
    checkChoice(this.rules, 'rules', RULES);
    this.hull = typeof box === 'number' ? box : this._hullFor(box.mins, box.maxs);
    checkHull(this.hull, hulls.length);
    this._kernel = target._kernel;
    this._mover = createMover(target._number);
    // A box entity's tree is grown by the mover itself.
    this.shape = box === 0 ? { kind: 'ray' } : { kind: 'box', ...(this.model < 0 ? this._box : this._moved) };
    const given = typeof box === 'number' ? hulls[box]! : box;
    setBounds(given.mins, given.maxs, this._box.mins, this._box.maxs);
    this._prepare();
    printAsString(this);
  }

  createTrace(): HullTrace {
    return createHullTrace();
  }

  set(settings: SizedTracerSettings): this {
    checkOptions(settings, this._sized ? SIZED_SETTINGS : TRACE_OPTIONS, 'settings');
    const { rules = this.rules, mins = this._box.mins, maxs = this._box.maxs } = settings;
    // Everything that can throw comes before the first change.
    checkChoice(rules, 'rules', RULES);
    const hull = this._sized ? this._hullFor(mins, maxs) : this.hull;
    if (this._sized) setBounds(mins, maxs, this._box.mins, this._box.maxs);
    this.hull = hull;
    this.rules = rules;
    this._prepare();
    return this;
  }

  trace(start: Vec3, end: Vec3, out: HullTrace = createHullTrace()): HullTrace {
    if (out !== this._checked) this._checked = checkTrace(out, 'out');
    if (start instanceof Float32Array && end instanceof Float32Array) return this._trace(start, end, out);
    takeFloats(start, end);
    return this._trace(MOVE_START, MOVE_END, out);
  }

  private _trace(start: Float32Array, end: Float32Array, out: HullTrace): HullTrace {
    const flags = this._run(start, end, false);
    out.inOpen = (flags & FLAG_IN_OPEN) !== 0;
    out.inWater = (flags & this._waterFlags) !== 0;
    out.hull = this.hull;
    if ((flags & FLAG_STOPPED) === 0) answerMiss(this._mover, this._kernel, flags, start, end, out);
    else answerHit(this._mover, this._kernel, this._tree, flags, start, end, out);
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    if (start instanceof Float32Array && end instanceof Float32Array) return this._blocked(start, end);
    takeFloats(start, end);
    return this._blocked(MOVE_START, MOVE_END);
  }

  private _blocked(start: Float32Array, end: Float32Array): boolean {
    const flags = this._run(start, end, true);
    if ((flags & FLAG_START_SOLID) !== 0) return true;
    return (flags & FLAG_STOPPED) !== 0 && this._kernel.points[STOP + 3]! < 1;
  }

  traceBatch(segments: Float32Array): TraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    const { batches } = this._kernel;
    held(this._tree);
    if (!batches || this._open) return traceEach(this, segments, out, this._scratch);
    if (this._mover.clearings === undefined) this._findClearings();
    return traceTogether(this, segments, out, this._scratch, (batch, moves) =>
      batches.trace(this._mover, batch, moves),
    );
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    const { batches } = this._kernel;
    held(this._tree);
    if (!batches || this._open) return blockedEach(this, segments, out);
    if (this._mover.clearings === undefined) this._findClearings();
    return testTogether(this, segments, out, (tests, moves) => batches.test(this._mover, tests, moves));
  }

  /** @internal */
  toString(): string {
    const { mins, maxs } = this._box;
    const moved = showShape(this.shape);
    // A box entity has no hulls: what was requested is what is moved.
    if (this.model < 0) return `HullTracer { ${moved} }`;
    const asked = this._sized ? ` for a ${showShape({ kind: 'box', mins, maxs })}: moves a` : ':';
    return `HullTracer { hull ${this.hull}${asked} ${moved} }`;
  }

  /** Walks a move: {@link HullKernel.walk}. @internal */
  _run(start: Float32Array, end: Float32Array, anyHit: boolean): number {
    const { _mover: mover, _kernel: kernel } = this;
    takeMove(mover, kernel, start, end);
    if (mover.clearings === undefined) this._findClearings();
    const flags = kernel.walk(mover.head, mover.rules, anyHit, mover.clearings ?? null);
    if (flags !== TOO_FAR) return this._open ? FLAG_IN_OPEN : flags;
    // A coordinate may be missing or not finite; which one is looked up only when one is.
    checkMove(start, end);
    return this._open ? FLAG_IN_OPEN : kernel.walkFar(mover.head, mover.rules, anyHit);
  }

  private _findClearings(): void {
    const { _target: target, _mover: mover } = this;
    mover.clearings = target._clearings?.(this.hull) ?? null;
  }

  /** The hull for a box. Throws `RangeError` when the map lacks it, or the box is invalid. @internal */
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

  /** Computes everything that follows from box, hull, rules and pose. @internal */
  _prepare(): void {
    const { rules, hull, model, _mover: mover } = this;
    const { _memory, _heads } = this._target;
    const { mins, maxs } = _memory.hulls[hull]!;
    const halflife = rules === 'halflife' || rules === 'halflife-player';
    // Half-Life moves a small box as the point at its origin; Quake takes the one at its lowest corner. In the tree of a box
    // entity, it is always the origin that moves.
    const atOrigin = model < 0 || (halflife && hull === 0);
    for (let k = 0; k < 3; k++) {
      const corner = atOrigin ? mins[k]! : this._box.mins[k]!;
      mover.offset[k] = Math.fround(mins[k]! - corner) + this._origin[k]!;
      this._moved.mins[k] = corner;
      this._moved.maxs[k] = corner + (maxs[k]! - mins[k]!);
    }
    mover.rules = rules === 'halflife' ? WALK_SERVER : halflife ? WALK_PLAYER : WALK_QUAKE;
    this._waterFlags = rules === 'halflife' ? FLAG_IN_WATER : FLAG_IN_WATER | FLAG_TRANSLUCENT;
    mover.stops = rules === 'quakeworld' || rules === 'halflife-player';
    this._open = rules === 'halflife-player' && isLastNode(_memory.trees[hull]!, _heads[hull]!);
    mover.head = model < 0 ? 0 : 4 * model + hull;
    mover.clearings = undefined;
    const angles = this._angles;
    // A box entity never turns.
    mover.isTurned = halflife && model >= 0 && (angles[0] !== 0 || angles[1] !== 0 || angles[2] !== 0);
  }
}

/** A hull tracer of a model. */
export class Quake1PlacedTracer extends Quake1Tracer implements Placeable {
  /** @internal */
  constructor(target: HullTarget, box: number | Bounds, options: PlacedOptions) {
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
    takePose(origin ?? this._origin, angles ?? this._angles);
    this._origin.set(POSE_ORIGIN);
    this._angles.set(POSE_ANGLES);
    if (angles) setRows(this._angles, this._mover.rows);
    this._prepare();
    return this;
  }
}

/** Whether a head is the last node of its tree, or the tree is empty: Half-Life's player movement takes such hulls to be open. */
function isLastNode({ ints, end }: TreeView, head: number): boolean {
  return head >= 0 && head + nodeWords(ints[head]! & 7) >= end;
}
