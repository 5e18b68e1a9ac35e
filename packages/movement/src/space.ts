import type { Bounds, Trace, Vec3 } from '@bspkit/core';
import { checkFilled, checkObject, checkTracer } from '@bspkit/core/format';
import { put } from './vectors.ts';

/** Gives contents at a point, as the map's format codes them: any world does, and most scenes. */
export interface ContentsSource {
  contents(point: Vec3): number;
  /**
   * Names of the options that `contents` takes after the point. Where `ignore` is among them, as in scenes, games that
   * leave out the player's own body pass its number.
   */
  readonly contentsOptions?: readonly string[] | undefined;
  /** False where contents are plain numbers, as in the oldest maps: players who test bits cannot move there. */
  readonly contentsAreBits?: boolean | undefined;
}

/**
 * A tracer of boxes, as worlds and scenes make them. Its `trace` must fill `out` and return it, or movers throw a `TypeError`. A
 * tracer with `set` is changed with that; any other is replaced by a new one. If its traces name bodies, as a scene's do in
 * `entity`, its options include `ignore`: the body of what moves, which must not stop it.
 */
export interface BoxTracer {
  createTrace(): Trace;
  trace(start: Vec3, end: Vec3, out?: Trace): Trace;
  set?(changes: object): unknown;
}

/** Makes tracers of boxes: a world, a scene, a collider of yours. */
export interface BoxSource {
  box(mins: Vec3, maxs: Vec3, options?: object): BoxTracer;
  /** Names of the options that its tracers take: `mask` is not passed on if it is not among them. */
  readonly traceOptions?: readonly string[] | undefined;
}

/** What players move in, if traces and contents come from different objects, such as a scene and its world. */
export interface PlayerSpace {
  readonly trace: BoxSource;
  readonly contents: ContentsSource;
}

/** A trace through a scene names what was hit: 0 for the world, a body's number, -1 for nothing. */
interface EntityTrace extends Trace {
  readonly entity?: number;
  /** The same for what it started in. */
  readonly startEntity?: number;
}

/**
 * What a trace hit. For a tracer that does not name bodies: the world, which is 0, or nothing, which is -1. With some games'
 * rules, a scene names the world where nothing was hit.
 */
export function entityOf({ entity, fraction, startSolid }: EntityTrace): number {
  if (fraction === 1 && !startSolid) return -1;
  return entity ?? (fraction === 1 ? -1 : 0);
}

/** What a trace that starts in solid started in: the world, for a tracer that does not name bodies. */
export const startEntityOf = ({ startEntity }: EntityTrace): number => startEntity ?? 0;

/** Whether a trace that starts in solid starts in something else than it names as hit, as a scene says it too. */
export const startsElsewhere = ({ entity, startEntity }: EntityTrace): boolean =>
  startEntity !== undefined && startEntity !== entity;

/** Takes a world, or the two halves of one, with contents that are bits. Throws `TypeError` for anything else. */
export function checkSpace(space: PlayerSpace | (BoxSource & ContentsSource)): PlayerSpace {
  const halves = checkHalves(space, 'a world', 'box', 'contents');
  checkBits(halves.contents);
  return halves;
}

/**
 * Throws `TypeError` where contents are plain numbers, which would be taken for bits: "empty" is -1 in the oldest maps, which is
 * water, lava and all else at once.
 */
export function checkBits({ contentsAreBits }: Pick<ContentsSource, 'contentsAreBits'>): void {
  if (contentsAreBits === false) {
    throw new TypeError('the contents of space are not bits: use the mover of its game');
  }
}

/** Whether a space has halves. A world of yours may have a method of the same name. */
export const hasHalves = <T>(space: { readonly trace: T } | object): space is { readonly trace: T } =>
  'trace' in space && typeof space.trace !== 'function';

/**
 * What moves are traced through, and what gives contents: the halves of `space`, or `space` itself for both. Each must have the
 * method that is called on it.
 *
 * @param what - what `space` may be, if not halves.
 * @throws TypeError naming the half that is wrong.
 */
export function checkHalves<T extends object, C extends object>(
  space: { readonly trace: T; readonly contents: C } | (T & C),
  what: string,
  traceMethod: keyof T & string,
  contentsMethod: keyof C & string,
): { readonly trace: T; readonly contents: C } {
  checkObject(space, 'space', `${what}, or { trace, contents }`);
  const isHalves = hasHalves(space);
  const { trace, contents } = isHalves ? space : { trace: space, contents: space };
  const traceName = isHalves ? 'space.trace' : 'space';
  const contentsName = isHalves ? 'space.contents' : 'space';
  checkObject(trace, traceName, 'a world or scene');
  if (typeof trace[traceMethod] !== 'function') {
    const or = isHalves ? ' or a scene' : ', as openBsp opens it';
    throw new TypeError(`${traceName} has no ${traceMethod}(): pass ${what}${or}`);
  }
  checkObject(contents, contentsName, 'a world');
  if (typeof contents[contentsMethod] !== 'function') {
    throw new TypeError(
      `${contentsName} has no ${contentsMethod}(): pass { trace, contents }, such as a scene and its world`,
    );
  }
  return { trace, contents };
}

/** Takes a world or scene, or what traces of two halves. Throws `TypeError` for anything that cannot trace boxes. */
export function checkTracing(space: BoxSource | { readonly trace: BoxSource }): BoxSource {
  checkObject(space, 'space', 'a world or scene, or { trace, contents }');
  const isHalf = hasHalves(space);
  const source = isHalf ? space.trace : space;
  const name = isHalf ? 'space.trace' : 'space';
  checkObject(source, name, 'a world or scene');
  if (typeof source.box !== 'function')
    throw new TypeError(`${name} has no box(): pass a world, as openBsp opens it, or a scene`);
  return source;
}

/**
 * Throws `RangeError` where a move ends beyond the range of float32, or an overflow has left no number: a tracer would say so of
 * its `end`, which is nothing that the caller of a mover gave.
 */
export function checkReach(end: Vec3): void {
  const sum = Math.fround(end[0]!) + Math.fround(end[1]!) + Math.fround(end[2]!);
  if (sum - sum !== 0)
    throw new RangeError('velocity, over the time of the move, must not lead beyond the range of float32');
}

/** Asks for contents, in a scene without those of one body. */
export class ContentsProbe {
  private readonly _filter = { ignore: -1 };
  private readonly _source: { contents(point: Vec3, filter?: { readonly ignore: number }): number };
  private readonly _ignores: boolean;

  constructor(source: ContentsSource) {
    this._source = source;
    this._ignores = source.contentsOptions?.includes('ignore') ?? false;
  }

  /** The body that it leaves out, in a scene; -1 for none. */
  set ignore(body: number) {
    this._filter.ignore = body;
  }

  contents(point: Vec3): number {
    return this._ignores ? this._source.contents(point, this._filter) : this._source.contents(point);
  }
}

/** The body that moves, and one more that does not stop it. */
interface TwoBodies {
  readonly body: number;
  readonly also: number;
}

/**
 * A box whose size, mask and ignored body can be changed, traced through whatever makes tracers. Changes are passed on to the
 * tracer at the next trace.
 */
export class MovedBox {
  /** Its corners, in Quake units, relative to the traced point: change them with {@link resize}. */
  readonly mins: Float32Array = new Float32Array(3);
  readonly maxs: Float32Array = new Float32Array(3);
  private readonly _source: BoxSource;
  private readonly _takesMask: boolean;
  private readonly _options: object;
  private _tracer!: BoxTracer;
  private _mask: number;
  private _ignore: number | TwoBodies = -1;
  /** Whether it names the bodies that it hits, as in a scene, and can ignore one. */
  ignores = false;
  /** Whether the tracer has not been told yet of a new size, mask or ignored body. */
  private _isResized = false;
  private _isOther = false;

  /** What is passed on to the tracer: one object, reused. */
  private readonly _changes: {
    mins: Vec3 | undefined;
    maxs: Vec3 | undefined;
    mask: number | undefined;
    ignore: number | TwoBodies | undefined;
  } = { mins: undefined, maxs: undefined, mask: undefined, ignore: undefined };

  /**
   * Makes the tracer.
   *
   * @param mask - contents that stop it, which can be changed later; by default the source's own default.
   * @param options - what else its tracers are made with.
   */
  constructor(source: BoxSource, { mins, maxs }: Bounds, mask?: number, options: object = {}) {
    this._source = source;
    this._options = options;
    this._takesMask = mask !== undefined && (source.traceOptions?.includes('mask') ?? true);
    put(this.mins, 0, mins);
    put(this.maxs, 0, maxs);
    this._mask = mask ?? 0;
    this._make();
    this.ignores = 'entity' in this.createTrace();
  }

  /** Contents that stop it, if the source takes a mask. */
  get mask(): number {
    return this._mask;
  }

  set mask(mask: number) {
    if (mask === this._mask) return;
    this._mask = mask;
    this._isResized = true;
  }

  /** The body that it ignores, in a scene, perhaps with another one; -1 for none. An object is read again where it was set anew. */
  set ignore(body: number | TwoBodies) {
    if (body === this._ignore) return;
    this._ignore = body;
    this._isOther = true;
  }

  /** Changes its corners. */
  resize(mins: Vec3, maxs: Vec3): void {
    const { mins: low, maxs: high } = this;
    for (let k = 0; k < 3; k++) {
      if (low[k] === mins[k] && high[k] === maxs[k]) continue;
      low[k] = mins[k]!;
      high[k] = maxs[k]!;
      this._isResized = true;
    }
  }

  /** An answer of the right kind. */
  createTrace(): Trace {
    return this._tracer.createTrace();
  }

  trace(start: Vec3, end: Vec3, out: Trace): void {
    if (this._isResized) this._resize();
    if (this._isOther) this._pass();
    checkReach(end);
    checkFilled(this._tracer.trace(start, end, out), out);
  }

  private _make(): void {
    const { mins, maxs, _mask: mask, _ignore: ignore, _options: options } = this;
    const tracer = this._source.box(mins, maxs, {
      ...options,
      ...(this._takesMask && { mask }),
      ...(this.ignores && { ignore }),
    });
    checkTracer(tracer, 'what box() makes');
    this._tracer = tracer;
    this._isResized = false;
    this._isOther = false;
  }

  private _resize(): void {
    const tracer = this._tracer;
    if (!tracer.set) {
      this._make();
      return;
    }
    const { _changes: changes, mins, maxs } = this;
    changes.mins = mins;
    changes.maxs = maxs;
    changes.mask = this._takesMask ? this._mask : undefined;
    changes.ignore = undefined;
    tracer.set(changes);
    this._isResized = false;
  }

  private _pass(): void {
    const { _changes: changes } = this;
    if (this.ignores) {
      if (!this._tracer.set) {
        this._make();
        return;
      }
      changes.mins = undefined;
      changes.maxs = undefined;
      changes.mask = undefined;
      changes.ignore = this._ignore;
      this._tracer.set(changes);
    }
    this._isOther = false;
  }
}
