import { type BoxSettings, createSettings, S_ANY } from '@bspkit/brushes';
import {
  blockedEach,
  type Changeable,
  isBlocked,
  type Placeable,
  type Pose,
  type Shape,
  type TraceBatch,
  type Tracer,
  type Vec3,
} from '@bspkit/core';
import {
  checkBounds,
  checkChoice,
  checkMask,
  checkMove,
  checkNumber,
  checkOptions,
  checkPlace,
  checkPose,
  checkTrace,
  failArgument,
  held,
  MOVE_END,
  MOVE_START,
  POSE_OPTIONS,
  printAsString,
  setBounds,
  showShape,
  takeFloats,
  testTogether,
} from '@bspkit/core/format';
import { BOX_ALL, CONTENTS_PASSABLE, MASK_IMPASSABLE, MASK_SOLID } from './constants.ts';
import { checkModels } from './given.ts';
import {
  B_GIVEN_END,
  B_GIVEN_MAXS,
  B_GIVEN_MINS,
  B_GIVEN_START,
  B_LIMIT,
  S_LEVELS,
  S_SELECTION,
} from './kernel/block.ts';
import { type Body, createBody, moveBody, SHIFT_NONE } from './kernel/body.ts';
import { prepareShape, setFilter } from './kernel/box.ts';
import { type BoxTarget, traceBox } from './kernel/box-trace.ts';
import type { WorldMemory } from './kernel/memory.ts';
import { useSettings } from './kernel/settings.ts';
import { TILE_BOX_HEADS, TILE_WORDS } from './layout.ts';
import type { UfoaiModel } from './model.ts';
import { selectBoxHeads } from './selection.ts';
import { answerBatch, createBoxTrace, type UfoaiTrace, type UfoaiTraceBatch } from './trace.ts';
import { hasBatches, testBoxes, traceBoxes } from './wasm/batch.ts';
import type { Hot } from './wasm/kernel.ts';

/** What stops a box or ray. */
export interface TraceFilter {
  /** Level bits; `BOX_ALL` (0x1ff) by default. 0 means every level; clips are always tested, so mask them out. */
  readonly levels?: number | undefined;
  /**
   * Contents that stop it; by default `MASK_IMPASSABLE` for a box, `MASK_SOLID` for a ray. `MASK_ALL` ignores both contents and
   * `reject`.
   */
  readonly mask?: number | undefined;
  /** Contents that keep a leaf from stopping anything; `CONTENTS_PASSABLE` by default. */
  readonly reject?: number | undefined;
}

/** What a box or ray is traced through, and how. */
export interface TraceOptions extends TraceFilter {
  /** Only this tile; all of them by default. */
  readonly tile?: number | undefined;
  /** Only this box head, by its number in the tile's list; needs `tile`. */
  readonly head?: number | undefined;
  /** Inline models to be traced too, where they are at the time of each trace. The list is copied. */
  readonly models?: readonly UfoaiModel[] | undefined;
  /** `engine`: the game's answers with all their oddities; see the guide "Oddities of UFO:AI". */
  readonly compat?: 'engine' | undefined;
}

/**
 * For traces of one model: the engine passes a limit and the tile's shift. With `origin` or `angles`, the tracer has a pose of
 * its own, as after `place`; what is left out is the model's.
 */
export interface PlacedOptions extends TraceFilter, Pose {
  readonly compat?: 'engine' | undefined;
  /**
   * Fraction that a hit must be below to count, 0 or more; 1 by default, and greater values are the same as 1. A move that nothing
   * stops before that has fraction 1, or with `compat: 'engine'` this very fraction, so that it counts as blocked.
   */
  readonly limit?: number | undefined;
  /** Whether to add the tile's shift where it is due, as by default; false is only ever right in a tile that was not moved. */
  readonly shift?: boolean | undefined;
}

/** What can be changed on a tracer between traces. Whatever is left out stays as it is. */
export interface TracerSettings extends TraceFilter {
  /** Corners in Quake units, relative to the traced point. */
  readonly mins?: Vec3 | undefined;
  readonly maxs?: Vec3 | undefined;
}

/** What can be changed on a tracer of a model between traces. Whatever is left out stays as it is. */
export interface PlacedTracerSettings extends TracerSettings {
  /** As in {@link PlacedOptions}. */
  readonly limit?: number | undefined;
}

const FILTER: readonly string[] = ['levels', 'mask', 'reject'] satisfies (keyof TraceFilter)[];
const SETTINGS: readonly string[] = [...FILTER, 'mins', 'maxs'];
const PLACED_SETTINGS: readonly string[] = [...SETTINGS, 'limit'];
/** Names of the options of tracers of a world, and of a model. */
export const TRACE_OPTIONS: readonly string[] = [...FILTER, 'tile', 'head', 'models', 'compat'];
export const MODEL_OPTIONS: readonly string[] = [...FILTER, ...POSE_OPTIONS, 'compat', 'limit', 'shift'];

/** Numbers whose sum is no more than this are finite as float32. */
const SURELY_FINITE = 3e38;

/** Places in {@link UfoaiTracer._asked}. */
export const ASKED_LEVELS = 0;
export const ASKED_MASK = 1;
export const ASKED_REJECT = 2;
export const ASKED_LIMIT = 3;

/**
 * A box or ray against a world, one of its tiles or heads, or a model. Answers equal the engine's bit for bit.
 *
 * Rules of the engine worth knowing: a brush that the move starts in does not stop it, but sets `startSolid`; a move whose ends
 * are equal is a position test, which stops at once (fraction 0) and gives contents but no surface. The end of a move that
 * nothing stopped may differ from the one given in the last bit, since the box is centred first.
 */
export class UfoaiTracer implements Tracer<UfoaiTrace>, Changeable {
  readonly shape: Shape;
  private readonly _held: WorldMemory;
  /** @internal */
  readonly _target: BoxTarget;
  /** @internal The numbers of a `PlacedTracerSettings` as given, at the `ASKED_…` places. */
  readonly _asked: Float64Array = new Float64Array(4);
  /** @internal */
  readonly _settings: BoxSettings = createSettings();
  private readonly _scratch: UfoaiTrace = createBoxTrace();
  /** The latest answer that was written to. Of it, only whether its arrays were transferred since is checked again. */
  private _checked: UfoaiTrace | undefined;
  private readonly _mins: Float32Array = new Float32Array(3);
  private readonly _maxs: Float32Array = new Float32Array(3);

  /** @internal */
  constructor(memory: WorldMemory, target: BoxTarget, shape: Shape, options: PlacedTracerSettings) {
    this._target = target;
    this._held = memory;
    this.shape = shape.kind === 'box' ? { kind: 'box', mins: this._mins, maxs: this._maxs } : { kind: 'ray' };
    // A ray passes actor clip, which is invisible: it only stops walkers.
    const usual = shape.kind === 'box' ? MASK_IMPASSABLE : MASK_SOLID;
    const { levels = BOX_ALL, mask = usual, reject = CONTENTS_PASSABLE, limit = 1 } = options;
    const { mins, maxs } = shape.kind === 'box' ? shape : {};
    if (shape.kind === 'box') checkBounds(shape.mins, shape.maxs);
    prepareShape(this._settings);
    this._change({ levels, mask, reject, mins, maxs });
    this._asked[ASKED_LIMIT] = limit;
    this._settings.box[B_LIMIT] = limit;
    printAsString(this);
  }

  /** Throws `TypeError` once the world's data has been transferred. @internal */
  get _memory(): WorldMemory {
    return held(this._held);
  }

  createTrace(): UfoaiTrace {
    return createBoxTrace();
  }

  /**
   * Changes size or filter in place, all or nothing, without allocation.
   * @throws RangeError naming the argument that is out of range; TypeError for one that this tracer does not have.
   */
  set(settings: TracerSettings): this {
    checkOptions(settings, SETTINGS, 'settings');
    this._change(settings);
    return this;
  }

  /** @internal */
  _change(settings: TracerSettings): void {
    const { levels, mask, reject, mins, maxs } = settings;
    if (levels !== undefined) checkMask(levels, 'levels');
    if (mask !== undefined) checkMask(mask, 'mask');
    if (reject !== undefined) checkMask(reject, 'reject');
    if (mins !== undefined || maxs !== undefined) {
      if (this.shape.kind !== 'box') throw new TypeError('mins and maxs do not belong to a ray');
      checkBounds(mins === undefined ? this._mins : mins, maxs === undefined ? this._maxs : maxs);
    }
    // Its numbers may be getters that throw: before anything else changes.
    if (mins || maxs) setBounds(mins ?? this._mins, maxs ?? this._maxs, this._mins, this._maxs);
    const { box, boxState } = this._settings;
    const asked = this._asked;
    if (levels !== undefined) asked[ASKED_LEVELS] = levels;
    if (mask !== undefined) asked[ASKED_MASK] = mask;
    if (reject !== undefined) asked[ASKED_REJECT] = reject;
    boxState[S_LEVELS] = asked[ASKED_LEVELS]!;
    boxState[S_SELECTION] = selectBoxHeads(boxState[S_LEVELS]!);
    setFilter(boxState, asked[ASKED_MASK]!, asked[ASKED_REJECT]!);
    if (mins !== undefined || maxs !== undefined) {
      for (let k = 0; k < 3; k++) {
        box[B_GIVEN_MINS + k] = this._mins[k]!;
        box[B_GIVEN_MAXS + k] = this._maxs[k]!;
      }
      prepareShape(this._settings);
    }
    this._reload();
  }

  /** @internal The next trace begins with the current settings. */
  _reload(): void {
    const { _memory: memory } = this;
    if (memory.settings === this._settings) memory.settings = undefined;
  }

  trace(start: Vec3, end: Vec3, out: UfoaiTrace = createBoxTrace()): UfoaiTrace {
    if (out !== this._checked || out.endPos[2] === undefined || out.normal[2] === undefined)
      this._checked = checkTrace(out, 'out');
    this._trace(start, end, 0, out);
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    this._trace(start, end, 1, this._scratch);
    return isBlocked(this._scratch);
  }

  /** Traces a move; with `any`, only to find out whether there is a hit. */
  private _trace(start: Vec3, end: Vec3, any: 0 | 1, out: UfoaiTrace): void {
    if (start instanceof Float32Array && end instanceof Float32Array) this._traceFloats(start, end, any, out);
    else {
      takeFloats(start, end);
      this._traceFloats(MOVE_START, MOVE_END, any, out);
    }
  }

  private _traceFloats(start: Float32Array, end: Float32Array, any: 0 | 1, out: UfoaiTrace): void {
    const { _memory: memory } = this;
    useSettings(memory, this._settings);
    const { box, boxState } = memory;
    boxState[S_ANY] = any;
    const ax = start[0]!;
    const ay = start[1]!;
    const az = start[2]!;
    const bx = end[0]!;
    const by = end[1]!;
    const bz = end[2]!;
    box[B_GIVEN_START] = ax;
    box[B_GIVEN_START + 1] = ay;
    box[B_GIVEN_START + 2] = az;
    box[B_GIVEN_END] = bx;
    box[B_GIVEN_END + 1] = by;
    box[B_GIVEN_END + 2] = bz;
    // Whether all are finite; if not, which one is wrong, or missing, is looked up.
    const sum = Math.abs(ax) + Math.abs(ay) + Math.abs(az) + Math.abs(bx) + Math.abs(by) + Math.abs(bz);
    if (!(sum < SURELY_FINITE)) checkMove(start, end);
    traceBox(memory, this._target, out);
  }

  /** As for every tracer, with tile and leaf if `out` has these fields, or is left out. */
  traceBatch(segments: Float32Array): UfoaiTraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    const hot = this._batches();
    return answerBatch(
      this,
      segments,
      out,
      this._scratch,
      hot && ((batch, moves) => traceBoxes(this._memory, hot, this._target, batch, moves)),
    );
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    const hot = this._batches();
    if (!hot) return blockedEach(this, segments, out);
    return testTogether(this, segments, out, (tests, moves) => testBoxes(hot, this._target, tests, moves));
  }

  /** The kernel with this tracer's settings, if it can answer many moves at a time. */
  private _batches(): Hot | undefined {
    if (!hasBatches(this._target)) return undefined;
    const { _memory: memory } = this;
    useSettings(memory, this._settings);
    return memory.hotBoxes ?? undefined;
  }

  /** @internal */
  toString(): string {
    return `UfoaiTracer { ${showShape(this.shape)} }`;
  }
}

/** What a model's tracer traces against: the model's body, or the tracer's own. */
export interface PlacedTarget extends BoxTarget {
  body: Body;
}

/** A {@link UfoaiTracer} of a model: where the model is at the time of each trace, or where the tracer itself was placed. */
export class UfoaiPlacedTracer extends UfoaiTracer implements Placeable {
  /** @internal */
  declare readonly _target: PlacedTarget;
  private readonly _own: Body;

  /** @internal */
  constructor(memory: WorldMemory, target: PlacedTarget, shape: Shape, options: PlacedOptions) {
    const { limit = 1, origin, angles } = options;
    if (!(typeof limit === 'number' && limit >= 0)) failLimit(limit);
    checkPlace(options);
    super(memory, target, shape, options);
    this._own = createBody(memory, target.body.number);
    if (origin || angles) this._put(options);
  }

  /** As {@link UfoaiTracer.set}, with a limit. */
  override set(settings: PlacedTracerSettings): this {
    checkOptions(settings, PLACED_SETTINGS, 'settings');
    const { limit } = settings;
    // Not passed to a function: V8 might box it.
    if (limit !== undefined && !(typeof limit === 'number' && limit >= 0)) failLimit(limit);
    this._change(settings);
    if (limit !== undefined) {
      this._asked[ASKED_LIMIT] = limit;
      this._settings.box[B_LIMIT] = limit;
      this._reload();
    }
    return this;
  }

  /**
   * Moves and turns the model for this tracer only, which no longer follows the model itself from then on. What is left out the
   * first time is as the model has it then. Copies its arguments and allocates nothing; nothing changes when it throws.
   * @throws RangeError when a number is not finite.
   */
  place(pose: Pose): this {
    checkPose(pose);
    return this._put(pose);
  }

  /** Applies a pose that has been checked. */
  private _put({ origin, angles }: Pose): this {
    const { _own: own, _target: target } = this;
    const first = target.body === own ? undefined : target.body;
    // Its numbers may be getters that throw: before anything else changes.
    moveBody(own, origin ?? first?.origin, angles ?? first?.angles);
    target.body = own;
    return this;
  }

  /** @internal */
  override toString(): string {
    return `UfoaiPlacedTracer { ${showShape(this.shape)} }`;
  }
}

function failLimit(limit: number): never {
  failArgument('limit', '0 or more', limit);
}

/** What a world's tracers trace against. Throws `RangeError` for a tile or head that does not exist. */
export function worldTarget(memory: WorldMemory, options: TraceOptions): BoxTarget {
  checkOptions(options, TRACE_OPTIONS);
  const { tile, head, models, compat } = options;
  const { ints, places } = memory;
  if (models !== undefined) checkModels(models, memory);
  if (tile !== undefined) checkNumber(tile, 'tile', places.tiles.count);
  let number = -1;
  if (head !== undefined) {
    if (tile === undefined || models)
      throw new TypeError('head needs tile, and cannot be combined with models');
    const range = places.tiles.first + TILE_WORDS * tile + TILE_BOX_HEADS;
    checkNumber(head, 'head', ints[range + 1]!);
    number = ints[range]! + head;
  }
  return {
    tile: tile ?? -1,
    everywhere: tile !== undefined && !models,
    head: number,
    bodies: models?.map((model) => model._body),
    body: undefined,
    shiftRule: SHIFT_NONE,
    engine: isEngine(compat),
  };
}

/** Whether options ask for the engine's oddities. */
export function isEngine(compat: 'engine' | undefined): boolean {
  if (compat !== undefined) checkChoice(compat, 'compat', ['engine']);
  return compat === 'engine';
}
