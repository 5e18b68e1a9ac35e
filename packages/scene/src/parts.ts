import type { Changeable, Placeable, Trace, Tracer } from '@bspkit/core';
import { checkTracer, POSE_OPTIONS } from '@bspkit/core/format';
import { type Bodies, createBodyPose } from './bodies.ts';
import {
  type Changes,
  type Collider,
  isChangeable,
  isPlaceable,
  isResizable,
  isScene,
  type Mover,
  makeTracer,
  NO_SIZES,
  optionsFor,
  type Sizes,
  takesAnySize,
  widenByShape,
  widenByTracer,
  writeRoom,
} from './collider.ts';
import { withPose } from './pose.ts';

/** Options of a scene's tracer as they are passed to colliders. */
export interface PartOptions {
  mask?: number | undefined;
  [name: string]: unknown;
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
   * thousands of them, and they accept everything that has been checked, or that the world has accepted before them. Others may
   * refuse a change, or move something larger than they were asked to. Once such a collider has made a tracer for one mover, it
   * makes those for others of the same kind when they first come near it, which most never do.
   */
  readonly isLazy: boolean;
  /** Names of the options that are passed on to it; any if its collider does not list them. */
  readonly takes: readonly string[] | undefined;
  /** Whether it must be made again to change its mask or another option. */
  refusesOptions: boolean;
  /** How many bodies share it, and if any do, its place among the parts in use. */
  uses: number;
  place: number;
  /** Of its own kind of trace. */
  out: Trace;
}

/**
 * How a scene's world is traced: as the world, as one part among others of an outer scene, or not at all, as by the boxes for
 * monsters.
 */
export type WorldPart = 'world' | 'part' | 'none';

/** Widens a box to contain what a part really moves, if it has been made. */
function widenByPart(box: Float32Array, part: Part | undefined): void {
  // Lazy parts move exactly the mover's shape, and may not have been told of it yet.
  if (part && !part.isLazy) widenByTracer(box, part.inner);
}

/** Whether a body that takes some options is given one. The scene says where it is, so those of a pose are only for the world. */
const bodyTakes = (options: readonly string[] | undefined, name: string): boolean =>
  !POSE_OPTIONS.includes(name) && (options?.includes(name) ?? true);

const ASKED: Float32Array = new Float32Array(6);

/** The tracers of one mover: against the world, and against every collider among the bodies. */
export class Parts {
  readonly mover: Mover;
  readonly world: Part | undefined;
  /** Counts changes, so that parts which missed one can be recognised. */
  settings = 0;
  private readonly _role: WorldPart;
  private readonly _bodies: Bodies;
  private readonly _options: PartOptions;
  /** By body; bodies that share a collider share a part. Those that have not been made are absent. */
  private readonly _parts: (Part | undefined)[] = [];
  /** The same parts, each once and in no order, with empty places at the end: numbers of bodies may be far apart. */
  private readonly _used: (Part | undefined)[] = [];
  private _numUsed = 0;
  /** How many of these are told of changes at once: mostly none, so that a change takes no longer where there are more bodies. */
  private _numEager = 0;
  /** Those of them, and of the world, whose colliders are scenes. */
  private readonly _nested: Part[] = [];
  private _known: WeakMap<Collider, Part> = new WeakMap();
  /** For which kind of mover colliders are known to make tracers. */
  private readonly _kind: string;
  private readonly _pose = createBodyPose();
  /** Names of the options that have ever been changed, besides masks. */
  private readonly _names: readonly string[];
  /** All that can be changed, as it is now, for parts that have missed changes. */
  private readonly _current: Changes = {};
  /** What one part is told. */
  private readonly _told: Changes = {};

  /**
   * @param options - kept, and changed by {@link Parts.change}.
   * @param names - of the options besides masks that have ever been changed; the owner adds to them.
   */
  constructor(bodies: Bodies, mover: Mover, options: PartOptions, names: readonly string[], role: WorldPart) {
    this._names = names;
    this._bodies = bodies;
    this.mover = mover;
    this._options = options;
    this._role = role;
    this._kind = mover.kind === 'hull' ? `hull ${mover.hull}` : mover.kind;
    this.world = role !== 'none' && bodies.world ? this._make(bodies.world) : undefined;
    if (this.world) this._nest(this.world);
  }

  /**
   * Takes in the bodies that have come and gone since a change of the scene, and widens a box (mins xyz, maxs xyz) to contain what
   * their parts really move, as that of scenes among them may have grown. If a collider's factory throws, some may have been taken
   * in, which does no harm if they are taken in again.
   */
  follow(since: number, box: Float32Array): void {
    const { swaps, swapped, colliders } = this._bodies;
    const { next } = swapped;
    for (let body = next[0] ?? 0; swaps[body]! > since; body = next[body]!) {
      const collider = colliders[body];
      const part = collider && this._meet(collider);
      this._enter(body, part);
      widenByPart(box, part);
    }
    for (let k = 0; k < this._nested.length; k++) widenByPart(box, this._nested[k]!);
  }

  /** Whether there are scenes among what is traced. */
  get nests(): boolean {
    return this._nested.length > 0;
  }

  /** A body's part, with the latest settings, placed where the body is unless it is already there. */
  at(body: number): Part {
    const part = this._parts[body] ?? this._missing(body);
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
   * Passes on changes: masks and sizes, which have been checked, to lazy parts when they are next used, and everything to all
   * others at once. If one of those throws, it and those after it stay as they were.
   */
  change(changes: Changes): void {
    const { _options: options, _names: names } = this;
    options.mask = changes.mask ?? options.mask;
    for (let k = 0; k < names.length; k++) options[names[k]!] = changes[names[k]!] ?? options[names[k]!];
    this.settings++;
    // The world first: it knows which options there are, and their values.
    if (this.world) this._change(this.world, changes);
    // Nobody has checked what other options than masks mean to bodies, which are therefore told of them at once.
    for (let k = 0; k < names.length; k++) if (changes[names[k]!] !== undefined) this._makeMissing(names[k]!);
    if (this._numEager === 0 && names.length === 0) return;
    for (let k = 0; k < this._numUsed; k++) {
      const part = this._used[k]!;
      if (part.settings === this.settings) continue;
      if (!part.isLazy) this._change(part, changes);
      else if (this._tellOptions(part, changes)) this._catchUp(part);
    }
  }

  /** Makes all parts again, for the mover's shape and some options. */
  remake(options: PartOptions): void {
    Object.assign(this._options, options);
    this.settings++;
    // Those that no body uses any more may have been told what is undone now.
    this._known = new WeakMap();
    for (let k = 0; k < this._numUsed; k++) this._known.set(this._used[k]!.collider, this._used[k]!);
    if (this.world) this._remake(this.world);
    for (let k = 0; k < this._numUsed; k++) this._remake(this._used[k]!);
  }

  /** Widens a box (mins xyz, maxs xyz) to contain the mover's shape, and what the parts really move. */
  widen(box: Float32Array): void {
    widenByShape(box, this.mover.shape);
    if (this.world) widenByTracer(box, this.world.inner);
    if (this._numEager === 0) return;
    for (let k = 0; k < this._numUsed; k++) widenByPart(box, this._used[k]!);
  }

  /** The part for a body's collider, unless that can wait until it is needed. */
  private _meet(collider: Collider): Part | undefined {
    const part = this._known.get(collider);
    if (!part) return this._canWait(collider) ? undefined : this._makeFor(collider);
    if (!part.isLazy && part.settings !== this.settings) this._remake(part);
    return part;
  }

  /** Gives a body its part; none if it waits for it, or has gone. */
  private _enter(body: number, part: Part | undefined): void {
    const before = this._parts[body];
    if (before === part) return;
    this._parts[body] = part;
    if (part !== undefined && part.uses++ === 0) {
      part.place = this._numUsed;
      this._used[this._numUsed++] = part;
      this._numEager += Number(!part.isLazy);
      this._nest(part);
    }
    if (before === undefined || --before.uses > 0) return;
    this._numEager -= Number(!before.isLazy);
    const last = this._used[--this._numUsed]!;
    this._used[before.place] = last;
    last.place = before.place;
    this._used[this._numUsed] = undefined;
    const at = this._nested.indexOf(before);
    if (at >= 0) this._nested.splice(at, 1);
  }

  private _nest(part: Part): void {
    if (isScene(part.collider)) this._nested.push(part);
  }

  /** Whether a collider surely makes a tracer when it is asked to: it has made one, and nobody has given it other options. */
  private _canWait(collider: Collider): boolean {
    const { _bodies: bodies, _options: options } = this;
    if (!bodies.proven.get(collider)?.has(this._kind)) return false;
    const refusable = (name: string): boolean => name !== 'mask' && options[name] !== undefined;
    return !Object.keys(options).some((name) => refusable(name) && bodyTakes(collider.traceOptions, name));
  }

  private _makeFor(collider: Collider): Part {
    const part = this._make(collider);
    this._known.set(collider, part);
    if (part.isLazy) {
      const { proven } = this._bodies;
      const kinds = proven.get(collider) ?? new Set();
      proven.set(collider, kinds.add(this._kind));
    }
    return part;
  }

  /** Makes the part of a body that has waited for it. */
  private _missing(body: number): Part {
    const collider = this._bodies.colliders[body]!;
    const part = this._known.get(collider) ?? this._makeFor(collider);
    this._enter(body, part);
    return part;
  }

  /** Makes the parts that have waited and take an option. */
  private _makeMissing(name: string): void {
    const { colliders } = this._bodies;
    for (let body = 1; body < colliders.length; body++) {
      const collider = colliders[body];
      if (collider && !this._parts[body] && bodyTakes(collider.traceOptions, name)) this._missing(body);
    }
  }

  private _make(collider: Collider): Part {
    const isWorld = collider === this._bodies.world;
    const { mask } = this._options;
    // Without a mask, a box of its own stops everything; the default masks of formats' box entities would miss some of them.
    const stopsAll = mask === undefined && !isWorld && isResizable(collider);
    // The scene says where a body is, so the options of a pose are only for the world.
    const given = isWorld ? this._options : { ...this._options, origin: undefined, angles: undefined };
    const options = optionsFor(collider, stopsAll ? { ...given, mask: -1 } : given);
    const inner = makeTracer(collider, this.mover, options, isWorld && this._role === 'world');
    checkTracer(inner, `what ${this.mover.kind}() makes`);
    const part: Part = {
      collider,
      inner,
      tracer: inner,
      placed: undefined,
      change: new Float64Array(1),
      settings: this.settings,
      // Getters that throw do so here, where nothing has changed yet.
      isLazy: this._movesAsAsked(collider, inner) && !isWorld && isChangeable(inner),
      takes: collider.traceOptions,
      refusesOptions: false,
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
    const { refusesOptions, uses, place, isLazy } = part;
    Object.assign(part, this._make(part.collider), { refusesOptions, uses, place });
    if (uses > 0) this._numEager += Number(isLazy) - Number(part.isLazy);
  }

  /** Whether a tracer never refuses a size, and moves no more than was asked for, or than the world's tracer does. */
  private _movesAsAsked(collider: Collider, inner: Tracer): boolean {
    writeRoom(this.mover.shape, ASKED);
    const isLarger = widenByTracer(ASKED, inner);
    if (this.world && collider.takesSizesOf === this.world.collider) return true;
    return !isLarger && takesAnySize(collider);
  }

  private _catchUp(part: Part): void {
    const { _current: current, _names: names, _options: options } = this;
    const { kind, shape } = this.mover;
    current.mask = options.mask;
    for (let k = 0; k < names.length; k++) current[names[k]!] = options[names[k]!];
    if (shape.kind === 'sphere') current.radius = shape.radius;
    else if (shape.kind === 'ellipsoid') current.radii = shape.radii;
    // Hulls have no sizes that could be changed.
    else if ('mins' in shape && kind !== 'hull') {
      current.mins = shape.mins;
      current.maxs = shape.maxs;
    }
    this._change(part, current);
  }

  /** Passes on the changes that a part takes. Makes its tracer again if it cannot be changed, or not in this way. */
  private _change(part: Part, changes: Changes): void {
    const { _told: told } = this;
    const { inner } = part;
    let hasOptions = this._tellOptions(part, changes);
    this._tellSizes(NO_SIZES);
    if (hasOptions && part === this.world && this._role === 'world') {
      // What its `set` refuses cannot be changed, even if another tracer could be made with it.
      told.mask = undefined;
      (inner as Tracer & Changeable).set(told);
      hasOptions = false;
    }
    told.mask = this._takes(part, 'mask') ? changes.mask : undefined;
    if (told.mask !== undefined) hasOptions = true;
    // Boxes against monsters have a fixed size.
    const hasSizes = this._role !== 'none' && this._tellSizes(changes);
    if (!hasOptions && !hasSizes) part.settings = this.settings;
    else if ((hasOptions && part.refusesOptions) || !isChangeable(inner)) this._remake(part);
    else {
      try {
        inner.set(told);
        part.settings = this.settings;
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        if (hasOptions) part.refusesOptions = true;
        this._remake(part);
      }
    }
  }

  /** Copies the options besides the mask that a part takes into what it is told. Returns whether there are any. */
  private _tellOptions(part: Part, changes: Changes): boolean {
    const { _told: told, _names: names } = this;
    let isAny = false;
    for (let k = 0; k < names.length; k++) {
      const name = names[k]!;
      told[name] = this._takes(part, name) ? changes[name] : undefined;
      if (told[name] !== undefined) isAny = true;
    }
    return isAny;
  }

  /** Copies sizes into what a part is told. Returns whether there are any. */
  private _tellSizes({ radius, radii, mins, maxs }: Sizes): boolean {
    const { _told: told } = this;
    told.radius = radius;
    told.radii = radii;
    told.mins = mins;
    told.maxs = maxs;
    return radius !== undefined || (radii ?? mins ?? maxs) !== undefined;
  }

  /** Whether an option is passed on to a part. */
  private _takes(part: Part, name: string): boolean {
    return part === this.world ? (part.takes?.includes(name) ?? true) : bodyTakes(part.takes, name);
  }
}
