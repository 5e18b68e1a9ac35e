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
  checkFlag,
  checkMask,
  checkOptions,
  checkPlace,
  checkPose,
  checkRadius,
  checkTrace,
  failArgument,
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
import { asksClearings, clearingsOf, ROOM } from './clearings.ts';
import { MASK_SOLID, SURFACE_EPSILON } from './constants.ts';
import { setAngles, setOrigin } from './kernel/frame.ts';
import {
  createKernel,
  type Kernel,
  Q_CENTER,
  Q_EPSILON,
  Q_FRACTION,
  Q_RADIUS,
  Q_SPHERE,
  type RoundKernel,
  S_CURVES,
  S_MASK,
  S_START_SOLID,
  type Target,
} from './kernel/memory.ts';
import { prepareShape } from './kernel/prepare.ts';
import { traceMove, writeAnswer } from './kernel/trace.ts';
import { testMoves, traceMoves } from './wasm/batch.ts';
import {
  createWasmTracer,
  hotOf,
  isBlocked,
  traceWasm,
  updateOrigin,
  updateSettings,
  type WasmTracer,
  writeMiss,
} from './wasm/kernel.ts';

/**
 * No position overflows float32 when this is added: half of the greatest float32's last bit is 2 ** 103. The engine adds sizes to
 * positions before it compares anything, and would continue with NaN.
 */
const GREATEST_SIZE: number = 2 ** 100;

/** Throws `RangeError` if a corner that has been checked is too large. */
function checkCorner(corner: Vec3, name: string): void {
  for (let k = 0; k < 3; k++) {
    if (Math.abs(corner[k]!) > GREATEST_SIZE)
      failArgument(`${name}[${k}]`, 'from -(2 ** 100) to 2 ** 100', corner[k]);
  }
}

/** {@link checkRadius}, and throws `RangeError` if it is too large. */
function checkSize(size: number, name: string): void {
  checkRadius(size, name);
  if (size > GREATEST_SIZE) failArgument(name, '2 ** 100 or less', size);
}

/** Options of every Quake 3 tracer. */
export interface TraceOptions {
  /** Contents that stop the trace; `MASK_SOLID` by default. */
  readonly mask?: number | undefined;
  /**
   * Distance to keep from surfaces in Quake units, 0 or more; `SURFACE_EPSILON`, the engine's 1/8, by default. Above 1, moves may come
   * as near as a unit, depending on the tree: as in the engine, what is a unit beyond a plane is left out.
   */
  readonly epsilon?: number | undefined;
  /** Whether curved patches take part; true by default. */
  readonly curves?: boolean | undefined;
}

export const TRACE_OPTIONS: readonly string[] = ['mask', 'epsilon', 'curves'];
export const PLACED_OPTIONS: readonly string[] = [...TRACE_OPTIONS, ...POSE_OPTIONS];
const SETTINGS: readonly string[] = ['mask', 'epsilon', 'curves', 'radius', 'mins', 'maxs'];

/** Additional options for tracers of inline models and box entities: where these are. */
export interface PlacedOptions extends TraceOptions, Pose {}

/** What {@link Quake3Tracer.set} changes. Whatever is left out stays as it is. */
export interface TracerSettings extends TraceOptions {
  /** For spheres: in Quake units, 0 or more. */
  readonly radius?: number | undefined;
  /** For boxes and capsules: corners in Quake units, relative to the traced point. */
  readonly mins?: Vec3 | undefined;
  readonly maxs?: Vec3 | undefined;
}

/**
 * A shape and a filter against the world, an inline model or a box entity. Answers equal the engine's bit for bit.
 *
 * Rules of the engine worth knowing: a brush that the move starts in does not stop it (`startSolid` tells), unless both ends are
 * in it (`allSolid`, fraction 0); after `allSolid` the normal may be that of a brush tested before. A move whose ends are equal
 * is a position test: solid or not, without a normal. `dist` belongs to the frame of the model that was hit.
 *
 * Where float32 overflows, from about 1e38 units, two things differ from the engine: a ray passes a curve if the fraction at which
 * it crosses that is not a number, where the engine's answer would be none either; and a model or box entity for which an end of
 * the move is infinitely far along one axis is still met by its sides along the others.
 */
export class Quake3Tracer implements Tracer, Changeable {
  readonly shape: Shape;
  /** @internal */
  readonly _kernel: Kernel;
  /** @internal The corners as given. */
  readonly _mins: Float32Array;
  /** @internal */
  readonly _maxs: Float32Array;
  /** @internal `undefined` before the first trace; `null` if the TypeScript kernel traces. */
  _wasm: WasmTracer | null | undefined;
  /** Clearings that its moves may stay in, if there are any. */
  private _clearings: Clearings | null;
  /** How far its shape reaches around the traced point: not just the corners, as a capsule may be wider than its box. */
  private readonly _least: Float32Array;
  private readonly _greatest: Float32Array;
  /** The latest answer that was written to. Of it, only whether its arrays were transferred since is checked again. */
  private _checked: Trace | undefined;

  /** @internal */
  constructor(target: Target, shape: Shape, options: TraceOptions, round?: RoundKernel) {
    this._kernel = createKernel(target, round);
    this._wasm = undefined;
    this._clearings = null;
    this._mins = new Float32Array(3);
    this._maxs = new Float32Array(3);
    this._least = new Float32Array(3);
    this._greatest = new Float32Array(3);
    // The tracer's shape shows its own corners, so that it follows `set`.
    this.shape = 'mins' in shape ? { ...shape, mins: this._mins, maxs: this._maxs } : { ...shape };
    const { mask = MASK_SOLID, epsilon = SURFACE_EPSILON, curves = true } = options;
    this.set({ mask, epsilon, curves, ...sizeOf(shape) });
    this._prepare();
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
    const { query, state } = this._kernel;
    const { kind } = this.shape;
    checkOptions(settings, SETTINGS, 'settings');
    const { mask, epsilon, curves, radius, mins, maxs } = settings;
    if (mask !== undefined) checkMask(mask, 'mask');
    if (epsilon !== undefined) checkSize(epsilon, 'epsilon');
    checkFlag(curves, 'curves');
    if (radius !== undefined) {
      if (kind !== 'sphere') throw new TypeError(`radius does not belong to a ${kind}`);
      checkSize(radius, 'radius');
    }
    if (mins !== undefined || maxs !== undefined) {
      if (!('mins' in this.shape)) throw new TypeError(`mins and maxs do not belong to a ${kind}`);
      checkBounds(mins === undefined ? this._mins : mins, maxs === undefined ? this._maxs : maxs);
      if (mins !== undefined) checkCorner(mins, 'mins');
      if (maxs !== undefined) checkCorner(maxs, 'maxs');
    }
    // Its numbers may be getters that throw: before anything else changes.
    if (mins || maxs) setBounds(mins ?? this._mins, maxs ?? this._maxs, this._mins, this._maxs);
    if (mask !== undefined) state[S_MASK] = mask;
    if (epsilon !== undefined) query[Q_EPSILON] = Math.fround(epsilon);
    if (curves !== undefined) state[S_CURVES] = curves ? 1 : 0;
    if (radius !== undefined) {
      (this.shape as { radius: number }).radius = radius;
      for (let k = 0; k < 3; k++) {
        // Not by `fill`, for which V8 boxes fractions.
        this._mins[k] = -radius;
        this._maxs[k] = radius;
      }
    }
    if (radius !== undefined || mins || maxs) this._prepare();
    if (this._wasm) updateSettings(this._wasm);
    if (this._wasm !== undefined) this._clearings = this._findClearings();
    return this;
  }

  private _findClearings(): Clearings | null {
    return asksClearings(this._kernel) ? clearingsOf(this._kernel.target.memory) : null;
  }

  /** @internal */
  _prepare(): void {
    const { kind } = this.shape;
    const isRound = kind === 'capsule' || kind === 'sphere';
    const { query, round } = this._kernel;
    prepareShape(this._kernel, this._mins, this._maxs, isRound);
    // Truly round shapes are stopped by anything within their epsilon, even where they come no nearer to it.
    const room = round ? ROOM : 0;
    for (let k = 0; k < 3; k++) {
      const reach = Math.abs(query[Q_SPHERE + k]!) + query[Q_RADIUS]! + room;
      this._least[k] = isRound ? Math.min(this._mins[k]!, query[Q_CENTER + k]! - reach) : this._mins[k]!;
      this._greatest[k] = isRound ? Math.max(this._maxs[k]!, query[Q_CENTER + k]! + reach) : this._maxs[k]!;
    }
  }

  trace(start: Vec3, end: Vec3, out: Trace = createTrace()): Trace {
    if (out !== this._checked || out.endPos[2] === undefined || out.normal[2] === undefined)
      this._checked = checkTrace(out, 'out');
    if (start instanceof Float32Array && end instanceof Float32Array) return this._trace(start, end, out);
    takeFloats(start, end);
    return this._trace(MOVE_START, MOVE_END, out);
  }

  /** Numbers are not checked on the way in: kernels tell if one is missing or not finite. */
  private _trace(start: Float32Array, end: Float32Array, out: Trace): Trace {
    const wasm = this._wasm === undefined ? this._choose() : this._wasm;
    if (wasm !== null) traceWasm(wasm, start, end, out);
    else if (this._staysClear(start, end)) writeMiss(end, out);
    else {
      traceMove(this._kernel, start, end, 0);
      writeAnswer(this._kernel, out);
    }
    return out;
  }

  blocked(start: Vec3, end: Vec3): boolean {
    if (start instanceof Float32Array && end instanceof Float32Array) return this._blocked(start, end);
    takeFloats(start, end);
    return this._blocked(MOVE_START, MOVE_END);
  }

  private _blocked(start: Float32Array, end: Float32Array): boolean {
    const wasm = this._wasm === undefined ? this._choose() : this._wasm;
    if (wasm !== null) return isBlocked(wasm, start, end);
    if (this._staysClear(start, end)) return false;
    const { query, state } = this._kernel;
    traceMove(this._kernel, start, end, 1);
    return state[S_START_SOLID] !== 0 || query[Q_FRACTION]! < 1;
  }

  /**
   * Whether a move is known to meet nothing, without a trace; the kernel in WebAssembly finds that out itself. Does not check
   * whether numbers are finite.
   */
  private _staysClear(start: Float32Array, end: Float32Array): boolean {
    const { _clearings: clearings } = this;
    return clearings !== null && isClear(clearings, start, end, this._least, this._greatest);
  }

  /** @internal Decides which kernel traces, at the first trace, and makes what WebAssembly needs. */
  _choose(): WasmTracer | null {
    const kernel = this._kernel;
    // Only TypeScript has exact spheres.
    const hot = kernel.round ? null : hotOf(kernel.target.memory);
    this._wasm = hot && createWasmTracer(kernel, hot);
    this._clearings = this._findClearings();
    return this._wasm;
  }

  traceBatch(segments: Float32Array): TraceBatch;
  traceBatch<B extends TraceBatch<never>>(segments: Float32Array, out: B): B;
  traceBatch(segments: Float32Array, out?: TraceBatch<never>): TraceBatch<never> {
    const wasm = this._wasm === undefined ? this._choose() : this._wasm;
    if (wasm === null) return traceEach(this, segments, out);
    return traceTogether(this, segments, out, undefined, (batch, moves) => traceMoves(wasm, batch, moves));
  }

  blockedBatch(segments: Float32Array, out?: Uint8Array): Uint8Array {
    const wasm = this._wasm === undefined ? this._choose() : this._wasm;
    if (wasm === null) return blockedEach(this, segments, out);
    return testTogether(this, segments, out, (tests, moves) => testMoves(wasm, tests, moves));
  }

  /** @internal */
  toString(): string {
    return `Quake3Tracer { ${this._kernel.round ? 'exact ' : ''}${showShape(this.shape)} }`;
  }
}

/** A tracer of an inline model or box entity, which can stand anywhere. */
class Quake3PlacedTracer extends Quake3Tracer implements Placeable {
  /** @internal */
  constructor(target: Target, shape: Shape, options: PlacedOptions, round?: RoundKernel) {
    checkPlace(options);
    super(target, shape, options, round);
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
    const { frame, target } = this._kernel;
    takePose(origin, angles);
    if (origin) setOrigin(frame, POSE_ORIGIN);
    if (angles && target.turns) {
      setAngles(frame, POSE_ANGLES);
      this._prepare();
      if (this._wasm) updateSettings(this._wasm);
    } else if (this._wasm) updateOrigin(this._wasm);
    return this;
  }
}

/** A shape's size as settings. Checked here too: `set` would take a missing number for one that stays as it is. */
function sizeOf(shape: Shape): TracerSettings {
  if (shape.kind === 'sphere') {
    checkRadius(shape.radius);
    return { radius: shape.radius };
  }
  if (!('mins' in shape)) return {};
  checkBounds(shape.mins, shape.maxs);
  return { mins: shape.mins, maxs: shape.maxs };
}

/** The tracer that a target needs. Throws `TypeError` for an unknown option, such as a pose for the world. */
export function createTracer(
  target: Target,
  shape: Shape,
  options: PlacedOptions = {},
  round?: RoundKernel,
): Quake3Tracer {
  checkOptions(options, target.moves ? PLACED_OPTIONS : TRACE_OPTIONS);
  return target.moves
    ? new Quake3PlacedTracer(target, shape, options, round)
    : new Quake3Tracer(target, shape, options, round);
}
