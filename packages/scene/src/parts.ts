import type { Placeable, Trace, Tracer, TracerChanges } from '@bspkit/core';
import { checkTracer } from '@bspkit/core/format';
import { type Bodies, createBodyPose } from './bodies.ts';
import {
  type Collider,
  isChangeable,
  isPlaceable,
  isResizable,
  type Mover,
  makeTracer,
  type NestedTracer,
  optionsFor,
  takesAnySize,
  widenByShape,
  widenByTracer,
  writeBox,
} from './collider.ts';
import { withPose } from './pose.ts';

/** Options of a scene's tracer as they are passed to colliders. */
export interface PartOptions {
  mask?: number | undefined;
  readonly [name: string]: unknown;
}

/** The tracer of a mover against one collider, with what is needed to place it. */
export interface Part {
  readonly collider: Collider;
  /** As the collider made it. The one that is traced is the same, or has a pose around it. */
  inner: Tracer;
  tracer: Tracer;
  /** What the pose is given to; `undefined` if the collider itself was placed, or does not move. */
  placed: Placeable | undefined;
  /** One number: the body's change whose pose it has. */
  readonly change: Float64Array;
  /** Number of the settings that it was last given. */
  settings: number;
  /**
   * Whether it is not told of changes until it is next used. So it is with boxes of their own and most models: there may be
   * thousands of them, and they accept everything that has been checked. Others may refuse a change, or move something larger
   * than they were asked to.
   */
  readonly isLazy: boolean;
  /** Whether a mask is passed on to it: not if its collider lists its options and `mask` is not among them. */
  readonly takesMask: boolean;
  /** Whether it must be made again to change its mask. */
  refusesMask: boolean;
  /** How many bodies share it, and if any do, its place among the parts in use. */
  uses: number;
  place: number;
  /** Of its own kind of trace. */
  out: Trace;
}

/** How a scene's world is traced: as the world, as one part among others of an outer scene, or not at all. */
export type WorldPart = 'world' | 'part' | 'none';

/** Widens a box to contain what a part really moves. Returns whether it was too small. */
export const widenByPart = (box: Float32Array, part: Part): boolean =>
  // Lazy parts move exactly the mover's shape, and may not have been told of it yet.
  !part.isLazy && widenByTracer(box, part.inner);

type Changes = { -readonly [name in keyof TracerChanges]: TracerChanges[name] };

const ASKED: Float32Array = new Float32Array(6);

/** The tracers of one mover: against the world, and against every collider among the bodies. */
export class Parts {
  readonly mover: Mover;
  readonly world: Part | undefined;
  /** Counts changes, so that parts which missed one can be recognised. */
  settings = 0;
  private readonly _isWorldBody: boolean;
  private readonly _owner: NestedTracer;
  private readonly _bodies: Bodies;
  private readonly _options: PartOptions;
  /** By body; bodies that share a collider share a part. */
  private readonly _parts: (Part | undefined)[] = [];
  /** The same parts, each once and in no order, with empty places at the end: numbers of bodies may be far apart. */
  private readonly _used: (Part | undefined)[] = [];
  private _numUsed = 0;
  private readonly _known: WeakMap<Collider, Part> = new WeakMap();
  private readonly _pose = createBodyPose();
  /** All that can be changed, as it is now, for parts that have missed changes. */
  private readonly _current: Changes = {};
  /** The same without the mask, for parts that take none. */
  private readonly _sizes: Changes = {};

  /** @param options - kept, and changed by {@link Parts.change}. */
  constructor(owner: NestedTracer, bodies: Bodies, mover: Mover, options: PartOptions, world: WorldPart) {
    this._owner = owner;
    this._bodies = bodies;
    this.mover = mover;
    this._options = options;
    this._isWorldBody = world === 'part';
    this.world = world !== 'none' && bodies.world ? this._make(bodies.world) : undefined;
    for (let body = 1; body < bodies.capacity; body++) {
      const collider = bodies.colliders[body];
      if (collider) this.enter(body, this.meet(collider));
    }
  }

  /** The part for a collider that is to be a body. If its factory throws, nothing has changed. */
  meet(collider: Collider): Part {
    let part = this._known.get(collider);
    if (!part) {
      part = this._make(collider);
      this._known.set(collider, part);
    } else if (!part.isLazy && part.settings !== this.settings) this._remake(part);
    return part;
  }

  /** Adds a body, with the part that {@link Parts.meet} returned. */
  enter(body: number, part: Part): void {
    // A tracer that was made while the body was being added may have it already.
    this.leave(body);
    this._parts[body] = part;
    if (part.uses++ > 0) return;
    part.place = this._numUsed;
    this._used[this._numUsed++] = part;
  }

  leave(body: number): void {
    const part = this._parts[body];
    if (!part) return;
    this._parts[body] = undefined;
    if (--part.uses > 0) return;
    const last = this._used[--this._numUsed]!;
    this._used[part.place] = last;
    last.place = part.place;
    this._used[this._numUsed] = undefined;
  }

  /** A body's part, with the latest settings, placed where the body is unless it is already there. */
  at(body: number): Part {
    const part = this._parts[body]!;
    if (part.settings !== this.settings) this._catchUp(part);
    const { changes } = this._bodies;
    if (!part.placed || part.change[0] === changes[body]) return part;
    // No body's latest change is 0: if placing the tracer throws, it is placed again for whichever body is asked next.
    part.change[0] = 0;
    this._bodies.readPose(body, this._pose);
    part.placed.place(this._pose);
    part.change[0] = changes[body]!;
    return part;
  }

  /**
   * Passes on changes that have been checked: to lazy parts when they are next used, to all others at once. If one of those
   * throws, it and those after it stay as they were.
   */
  change(changes: TracerChanges): void {
    if (changes.mask !== undefined) this._options.mask = changes.mask;
    this.settings++;
    if (this.world) this._change(this.world, changes);
    for (let k = 0; k < this._numUsed; k++) {
      const part = this._used[k]!;
      if (!part.isLazy) this._change(part, changes);
    }
  }

  /** Makes all parts again, for the mover's shape and a mask. */
  remake(mask: number | undefined): void {
    this._options.mask = mask;
    this.settings++;
    if (this.world) this._remake(this.world);
    for (let k = 0; k < this._numUsed; k++) this._remake(this._used[k]!);
  }

  /** Widens a box (mins xyz, maxs xyz) to contain the mover's shape, and what the parts really move. */
  widen(box: Float32Array): void {
    widenByShape(box, this.mover.shape);
    if (this.world) widenByTracer(box, this.world.inner);
    for (let k = 0; k < this._numUsed; k++) widenByPart(box, this._used[k]!);
  }

  private _make(collider: Collider): Part {
    const isWorld = collider === this._bodies.world;
    const { mask } = this._options;
    // Without a mask, a box of its own stops everything; the default masks of formats' box entities would miss some of them.
    const stopsAll = mask === undefined && !isWorld && isResizable(collider);
    // The scene says where a body is, so the options of a pose are only for the world.
    const given = isWorld ? this._options : { ...this._options, origin: undefined, angles: undefined };
    const options = optionsFor(collider, stopsAll ? { ...given, mask: -1 } : given);
    const inner = makeTracer(collider, this.mover, options, isWorld && !this._isWorldBody, this._owner);
    checkTracer(inner, `what ${this.mover.kind}() makes`);
    const part: Part = {
      collider,
      inner,
      tracer: inner,
      placed: undefined,
      change: new Float64Array(1),
      settings: this.settings,
      // Getters that throw do so here, where nothing has changed yet.
      isLazy: !this._isLarger(inner) && takesAnySize(collider) && !isWorld && isChangeable(inner),
      takesMask: collider.traceOptions?.includes('mask') ?? true,
      refusesMask: false,
      uses: 0,
      place: 0,
      out: inner.createTrace(),
    };
    if (isWorld || isPlaceable(collider)) return part;
    if (isPlaceable(inner)) part.placed = inner;
    else {
      const placed = withPose(inner);
      part.tracer = placed;
      part.placed = placed;
    }
    return part;
  }

  private _remake(part: Part): void {
    const { refusesMask, uses, place } = part;
    Object.assign(part, this._make(part.collider), { refusesMask, uses, place });
  }

  /** Whether a tracer moves something larger than it was asked to. */
  private _isLarger(inner: Tracer): boolean {
    writeBox(this.mover.shape, ASKED);
    return widenByTracer(ASKED, inner);
  }

  private _catchUp(part: Part): void {
    const { _current: current } = this;
    const { kind, shape } = this.mover;
    current.mask = this._options.mask;
    if (shape.kind === 'sphere') current.radius = shape.radius;
    // Hulls have no sizes that could be changed.
    else if ('mins' in shape && kind !== 'hull') {
      current.mins = shape.mins;
      current.maxs = shape.maxs;
    }
    this._change(part, current);
  }

  /** Passes on the changes that a part takes. */
  private _change(part: Part, changes: TracerChanges): void {
    if (part.takesMask || changes.mask === undefined) {
      this._tell(part, changes);
      return;
    }
    const { _sizes: sizes } = this;
    sizes.radius = changes.radius;
    sizes.mins = changes.mins;
    sizes.maxs = changes.maxs;
    if (changes.radius !== undefined || changes.mins !== undefined || changes.maxs !== undefined) {
      this._tell(part, sizes);
    } else part.settings = this.settings;
  }

  /** Makes a tracer again if it cannot be changed, or not in this way. */
  private _tell(part: Part, changes: TracerChanges): void {
    const refuses = part.refusesMask && changes.mask !== undefined;
    if (refuses || !isChangeable(part.inner)) {
      this._remake(part);
      return;
    }
    try {
      part.inner.set(changes);
      part.settings = this.settings;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      if (changes.mask !== undefined) part.refusesMask = true;
      this._remake(part);
    }
  }
}
