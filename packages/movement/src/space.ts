import type { Bounds, Trace, Vec3 } from '@bspkit/core';
import { checkCallback, checkObject, checkTracer } from '@bspkit/core/format';
import { put } from './vectors.ts';

/** Tells contents at a point, as the map's format codes them: any world does. */
export interface ContentsSource {
  contents(point: Vec3): number;
}

/** A tracer of boxes, as worlds and scenes make them. One that has `set` is resized with it; any other is replaced by a new one. */
export interface BoxTracer {
  createTrace(): Trace;
  trace(start: Vec3, end: Vec3, out?: Trace): Trace;
  set?(changes: object): unknown;
}

/** Makes tracers of boxes: a world, a scene, a collider of yours. */
export interface BoxSource {
  box(mins: Vec3, maxs: Vec3, options?: object): BoxTracer;
  /** Names of the options that its tracers take; `mask` is not handed on where it is not among them. */
  readonly traceOptions?: readonly string[] | undefined;
}

/** Where players move, when what stops them and what tells contents are two things: a scene and its world, say. */
export interface PlayerSpace {
  readonly trace: BoxSource;
  readonly contents: ContentsSource;
}

/** A trace of a scene names what was hit: 0 for the world, a body's number, -1 for nothing. */
interface EntityTrace extends Trace {
  readonly entity?: number;
}

/** What a trace hit: of a tracer that names no bodies, the world, which is 0, or nothing, which is -1. */
export function entityOf(trace: EntityTrace): number {
  return trace.entity ?? (trace.fraction === 1 ? -1 : 0);
}

/** Takes a world, or the two halves of one. Throws `TypeError` for anything else. */
export function checkSpace(space: PlayerSpace | (BoxSource & ContentsSource), name: string): PlayerSpace {
  checkObject(space, name, 'a world, or { trace, contents }');
  const { trace, contents } = 'trace' in space ? space : { trace: space, contents: space };
  const [traces, tells] = 'trace' in space ? [`${name}.trace`, `${name}.contents`] : [name, name];
  checkObject(trace, traces, 'a world or scene');
  checkCallback(trace.box, `${traces}.box`);
  checkObject(contents, tells, 'a world');
  if (typeof contents.contents !== 'function') failContents(tells!, 'contents');
  return { trace, contents };
}

/** Says what to do about something that traces, but tells no contents: a scene. */
export function failContents(name: string, method: string): never {
  throw new TypeError(`${name} has no ${method}(): for a scene hand over { trace: scene, contents: world }`);
}

/**
 * One box that changes its size, its mask and whom it ignores, and is traced through whatever makes tracers. Nothing is
 * handed on to the tracer before it has changed.
 */
export class MovedBox {
  /** Sizes of the next trace, in Quake units, relative to the traced point. */
  readonly mins: Float32Array = new Float32Array(3);
  readonly maxs: Float32Array = new Float32Array(3);
  /** Contents that stop the next trace, where the source takes a mask. */
  mask = 0;
  /** The body that the next trace passes over, in a scene; -1 for none. */
  ignore = -1;
  private readonly _source: BoxSource;
  private readonly _takesMask: boolean;
  private _tracer!: BoxTracer;
  private _ignores = false;
  private readonly _now = { mins: new Float32Array(3), maxs: new Float32Array(3), mask: 0, ignore: -1 };

  /** What is handed on to the tracer: made once. */
  private readonly _changes: {
    mins: Vec3 | undefined;
    maxs: Vec3 | undefined;
    mask: number | undefined;
    ignore: number | undefined;
  } = { mins: undefined, maxs: undefined, mask: undefined, ignore: undefined };

  /**
   * Makes the tracer.
   *
   * @param mask - contents that stop it, to be changed later; without one, the source's own by default do.
   */
  constructor(source: BoxSource, { mins, maxs }: Bounds, mask?: number) {
    this._source = source;
    this._takesMask = mask !== undefined && (source.traceOptions?.includes('mask') ?? true);
    put(this.mins, 0, mins);
    put(this.maxs, 0, maxs);
    this.mask = mask ?? 0;
    this._make();
    this._ignores = 'entity' in this.createTrace();
  }

  /** An answer of the right kind. */
  createTrace(): Trace {
    return this._tracer.createTrace();
  }

  trace(start: Vec3, end: Vec3, out: Trace): void {
    const { _now: now, mins, maxs } = this;
    if (
      mins[2] !== now.mins[2] ||
      maxs[2] !== now.maxs[2] ||
      this.mask !== now.mask ||
      mins[0] !== now.mins[0] ||
      mins[1] !== now.mins[1] ||
      maxs[0] !== now.maxs[0] ||
      maxs[1] !== now.maxs[1]
    ) {
      this._resize();
    }
    if (this.ignore !== now.ignore) this._pass();
    this._tracer.trace(start, end, out);
  }

  private _make(): void {
    const { mins, maxs, mask } = this;
    const tracer = this._source.box(mins, maxs, this._takesMask ? { mask } : {});
    checkTracer(tracer, 'what box() makes');
    this._tracer = tracer;
    this._keep();
  }

  private _resize(): void {
    const tracer = this._tracer;
    if (!tracer.set) {
      this._make();
      return;
    }
    const { _changes: changes, mins, maxs, mask } = this;
    changes.mins = mins;
    changes.maxs = maxs;
    changes.mask = this._takesMask ? mask : undefined;
    changes.ignore = undefined;
    tracer.set(changes);
    this._keep();
  }

  private _pass(): void {
    const { _changes: changes, ignore } = this;
    if (this._ignores && this._tracer.set) {
      changes.mins = undefined;
      changes.maxs = undefined;
      changes.mask = undefined;
      changes.ignore = ignore;
      this._tracer.set(changes);
    }
    this._now.ignore = ignore;
  }

  private _keep(): void {
    const { _now: now } = this;
    put(now.mins, 0, this.mins);
    put(now.maxs, 0, this.maxs);
    now.mask = this.mask;
  }
}
