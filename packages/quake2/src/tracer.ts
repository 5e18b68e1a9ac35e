import {
  B_MAXS,
  B_MINS,
  type BoxSettings,
  createPlacement,
  createSettings,
  LEAST,
  type Placement,
  S_ANY,
  S_MASK,
  setAngles,
  setOrigin,
} from '@bspkit/brushes';
import {
  blockedEach,
  type Changeable,
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
  type Clearings,
  checkBounds,
  checkMask,
  checkMove,
  checkOptions,
  checkPlace,
  checkPose,
  checkTrace,
  findClearing,
  isAround,
  isClear,
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
import { clearingsOf, OBSTACLES } from './clearings.ts';
import { MASK_SOLID } from './constants.ts';
import {
  B_GIVEN_END,
  B_GIVEN_START,
  BLOCKED,
  NOT_KNOWN,
  NOTED,
  S_BLOCKERS,
  S_CLEARINGS,
  S_INSIDE_OUT,
  UNSURE,
} from './kernel/block.ts';
import type { Target } from './kernel/memory.ts';
import {
  enterTarget,
  isGivenFinite,
  prepareShape,
  traceGiven,
  useSettings,
  writeAnswer,
  writeMiss,
} from './kernel/trace.ts';
import { testSegments, traceSegments } from './wasm/batch.ts';
import { type Hot, openHot } from './wasm/kernel.ts';

/** Options of every Quake 2 tracer. */
export interface TraceOptions {
  /** Contents that stop the trace; `MASK_SOLID` by default. */
  readonly mask?: number | undefined;
}

/** Additional options for tracers of inline models and box entities: where these are. */
export interface PlacedOptions extends TraceOptions, Pose {}

/** What {@link Quake2Tracer.set} changes. Whatever is left out stays as it is. */
export interface TracerSettings extends TraceOptions {
  /** For boxes: corners in Quake units, relative to the traced point. */
  readonly mins?: Vec3 | undefined;
  readonly maxs?: Vec3 | undefined;
}

export const TRACE_OPTIONS: readonly string[] = ['mask'];
export const PLACED_OPTIONS: readonly string[] = [...TRACE_OPTIONS, ...POSE_OPTIONS];
const SETTINGS: readonly string[] = ['mask', 'mins', 'maxs'];

/**
 * A ray or box against the world, an inline model or a box entity. Answers equal the engine's bit for bit.
 *
 * Note that a brush does not stop a move that starts in it, even if the move also ends in it (`startSolid` and `allSolid`
 * are set; the fraction is 1 if nothing else is hit). A move whose ends are equal is a position test: it stops at once
 * (fraction 0) in what it touches, and gives contents but no surface. `dist` belongs to the frame of the model that was
 * hit.
 */
export class Quake2Tracer implements Tracer, Changeable {
  readonly shape: Shape;
  /** @internal */
  readonly _target: Target;
  /** @internal */
  readonly _settings: BoxSettings = createSettings();
  /** @internal Where the target stands. */
  readonly _placement: Placement = createPlacement();
  /** @internal The angles that it was made from. */
  readonly _angles: Float32Array = new Float32Array(3);
  /** @internal The corners as given. */
  readonly _mins: Float32Array = new Float32Array(3);
  /** @internal */
  readonly _maxs: Float32Array = new Float32Array(3);
  private readonly _scratch: Trace = createTrace();
  /** Clearings that its moves may stay in: `undefined` until that has been found out, `null` if it has none. */
  private _clearings: Clearings | null | undefined = undefined;
  /** The latest answer that was written to. Of it, only whether its arrays were transferred since is checked again. */
  private _checked: Trace | undefined;

  /** @internal */
  constructor(target: Target, shape: Shape, { mask = MASK_SOLID }: TraceOptions) {
    this._target = target;
    this.shape = shape.kind === 'box' ? { kind: 'box', mins: this._mins, maxs: this._maxs } : { kind: 'ray' };
    this.set({ mask });
    if (shape.kind === 'box') {
      checkBounds(shape.mins, shape.maxs);
      this._resize(shape.mins, shape.maxs);
    } else this._resize(this._mins, this._maxs);
    printAsString(this);
  }

  createTrace(): Trace {
    return createTrace();
  }

  /**
   * Changes size and filter in place, without allocation. Nothing changes when it throws.
   * @throws RangeError naming the argument that is out of range; TypeError for one that this tracer does not have.
   */
  set(settings: TracerSettings): this {
    checkOptions(settings, SETTINGS, 'settings');
    const { mask, mins, maxs } = settings;
    if (mask !== undefined) checkMask(mask, 'mask');
    if (mins !== undefined || maxs !== undefined) {
      if (this.shape.kind !== 'box') throw new TypeError('mins and maxs do not belong to a ray');
      checkBounds(mins === undefined ? this._mins : mins, maxs === undefined ? this._maxs : maxs);
    }
    // Its numbers may be getters that throw: before anything else changes.
    if (mins || maxs) this._resize(mins ?? this._mins, maxs ?? this._maxs);
    if (mask !== undefined) this._settings.boxState[S_MASK] = mask;
    this._clearings = undefined;
    this._reload();
    return this;
  }

  /** @internal Takes corners unchecked: rows of the engine have boxes that are inside out. */
  _resize(mins: Vec3, maxs: Vec3): void {
    setBounds(mins, maxs, this._mins, this._maxs);
    prepareShape(this._settings, this._mins, this._maxs);
    this._clearings = undefined;
    this._reload();
  }

  /** Makes the next trace load the current settings. */
  private _reload(): void {
    const { memory } = this._target;
    if (memory.settings === this._settings) memory.settings = undefined;
  }

  trace(start: Vec3, end: Vec3, out: Trace = createTrace()): Trace {
    if (out !== this._checked || out.endPos[2] === undefined || out.normal[2] === undefined)
      this._checked = checkTrace(out, 'out');
    // Most moves of players meet nothing.
    if (this._walk(start, end, 0) === 0) writeMiss(this._target.given, out);
    else writeAnswer(this._target.given, this._target, this._placement, out);
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    return (this._walk(start, end, 1) & BLOCKED) !== 0;
  }

  private _findClearings(): void {
    const { memory, moves } = this._target;
    const { box, boxState } = this._settings;
    if (memory.hot === undefined) openHot(memory);
    const asks = !moves && (boxState[S_MASK]! & ~OBSTACLES) === 0 && boxState[S_INSIDE_OUT] === 0;
    this._clearings = asks ? clearingsOf(memory) : null;
    boxState[S_CLEARINGS] = memory.hot && this._clearings ? this._clearings.address : 0;
    boxState[S_BLOCKERS] =
      memory.hot && !moves && isAround(box, B_MINS, B_MAXS) ? memory.hot.blockers.address : 0;
    this._reload();
  }

  /** Leaves the answer in the block; `any`: all that is asked is whether there is a hit. Returns bits that say what happened. */
  private _walk(start: Vec3, end: Vec3, any: 0 | 1): number {
    if (start instanceof Float32Array && end instanceof Float32Array)
      return this._walkFloats(start, end, any);
    takeFloats(start, end);
    return this._walkFloats(MOVE_START, MOVE_END, any);
  }

  /** Numbers are not checked on the way in: one that is missing or not finite is noticed later. */
  private _walkFloats(start: Float32Array, end: Float32Array, any: 0 | 1): number {
    const target = this._target;
    const { given: memory } = target;
    if (this._clearings === undefined) this._findClearings();
    if (memory.settings !== this._settings) useSettings(memory, this._settings);
    const { box, boxState, hot } = memory;
    boxState[S_ANY] = any;
    box[B_GIVEN_START] = start[0]!;
    box[B_GIVEN_START + 1] = start[1]!;
    box[B_GIVEN_START + 2] = start[2]!;
    box[B_GIVEN_END] = end[0]!;
    box[B_GIVEN_END + 1] = end[1]!;
    box[B_GIVEN_END + 2] = end[2]!;
    if (target.moves) enterTarget(memory, target, this._placement);
    if (hot) {
      let met = hot.traceMove(hot.roots[target.model]!, target.moves ? 1 : 0, 1);
      if (met === NOT_KNOWN) met = this._walkUnknown(hot);
      if (met > 0 && (met & NOTED) !== 0) hot.blockers.find();
      if (met !== UNSURE) return met;
    } else if (this._clearings && isClear(this._clearings, start, end, this._mins, this._maxs)) return 0;
    if (!isGivenFinite(memory)) checkMove(start, end);
    return traceGiven(target.memory, target);
  }

  /** Looks for the clearing where the move in the block starts, then traces it. */
  private _walkUnknown(hot: Hot): number {
    const { box, clearings } = this._target.given;
    findClearing(clearings!, box[B_GIVEN_START]!, box[B_GIVEN_START + 1]!, box[B_GIVEN_START + 2]!);
    return hot.traceMove(hot.roots[this._target.model]!, 0, 0);
  }

  traceBatch(segments: Float32Array): TraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    const hot = this._batches();
    if (!hot) return traceEach(this, segments, out, this._scratch);
    return traceTogether(this, segments, out, this._scratch, (batch, moves) =>
      traceSegments(this._target.memory, hot, batch, moves),
    );
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    const hot = this._batches();
    if (!hot) return blockedEach(this, segments, out);
    return testTogether(this, segments, out, (tests, moves) =>
      testSegments(this._target.memory, hot, tests, moves),
    );
  }

  /** The kernel with this tracer's settings, if it can answer many moves at a time, as it can those through the world. */
  private _batches(): Hot | undefined {
    const { memory, moves } = this._target;
    if (moves) return undefined;
    if (this._clearings === undefined) this._findClearings();
    if (memory.settings !== this._settings) useSettings(memory, this._settings);
    return memory.hot ?? undefined;
  }

  /** @internal */
  toString(): string {
    return `Quake2Tracer { ${showShape(this.shape)} }`;
  }
}

/** A tracer of an inline model or box entity, which can stand anywhere. */
class Quake2PlacedTracer extends Quake2Tracer implements Placeable {
  /** @internal */
  constructor(target: Target, shape: Shape, options: PlacedOptions) {
    checkPlace(options);
    super(target, shape, options);
    this._put(options);
  }

  /**
   * Moves and turns the model, for this tracer alone. Box entities move, but never turn. Copies its arguments and
   * allocates nothing; nothing changes when it throws.
   * @throws RangeError when a number is not finite.
   */
  place(pose: Pose): this {
    checkPose(pose);
    return this._put(pose);
  }

  /** @internal Takes a pose that has been checked. */
  _put({ origin, angles }: Pose): this {
    takePose(origin, angles);
    if (origin) setOrigin(this._placement, POSE_ORIGIN);
    if (!(angles && this._target.turns)) return this;
    this._angles.set(POSE_ANGLES);
    setAngles(this._placement, this._angles, LEAST);
    return this;
  }
}

/** The tracer that a target needs. Throws `TypeError` for an unknown option, such as a pose for the world. */
export function createTracer(target: Target, shape: Shape, options: PlacedOptions = {}): Quake2Tracer {
  checkOptions(options, target.moves ? PLACED_OPTIONS : TRACE_OPTIONS);
  return target.moves
    ? new Quake2PlacedTracer(target, shape, options)
    : new Quake2Tracer(target, shape, options);
}
