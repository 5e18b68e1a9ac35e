import type { Bounds, Placeable, Pose, Vec3 } from '@bspkit/core';
import {
  checkChoice,
  checkFlag,
  checkMask,
  checkObject,
  checkOptions,
  checkPlace,
  checkPoint,
  checkWhole,
} from '@bspkit/core/format';
import { type Collider, checkFactory, isPlaceable, isResizable, isScene, type Mover } from './collider.ts';
import { Nesting, noteNesting } from './nesting.ts';
import { checkBodyNumber } from './query.ts';
import { Rings } from './rings.ts';
import type { SceneRules } from './rules/rules.ts';
import { NO_ENTITY } from './trace.ts';
import { BoundsTree, extended } from './tree.ts';
import { Widest } from './widest.ts';

/**
 * What a body is to traces: part of a map, a box, or one of two that stop no trace: a trigger, which {@link SceneBodies.touching}
 * finds, and nothing at all, which it does not.
 */
export type BodySolid = 'model' | 'box' | 'trigger' | 'none';

/**
 * Where a body is, and how filters and rules treat it.
 * @typeParam D - what `data` is.
 */
export interface BodyOptions<D = unknown> extends Pose {
  /**
   * Contents of the body, combined with OR: tracers whose mask has none of them skip it, as in the engines. By default, no mask
   * skips it. A tracer's mask is also passed to the collider, which checks its own contents.
   */
  readonly contents?: number | undefined;
  /**
   * Bounds around its origin, before rotation, in Quake units: copied. By default the collider's, which are read again whenever the
   * body is moved.
   */
  readonly bounds?: Bounds | undefined;
  /** By default a box if the collider can be resized (box entities, bodies of `createBody`), else a model. */
  readonly solid?: BodySolid | undefined;
  /** Number of the body that owns it, such as whoever fired a missile; by default -1 for none. */
  readonly owner?: number | undefined;
  /** For rules with missile moves: these hit it with a larger box. */
  readonly monster?: boolean | undefined;
  /** For rules that have items: it is linked with wider bounds, which may change its place in the order. */
  readonly item?: boolean | undefined;
  /** For rules with pushable bodies: it can be pushed, and moves that ignore monsters hit it too. */
  readonly pushable?: boolean | undefined;
  /** For rules with monster clip: a model that stops only tracers with `monsterClip`. */
  readonly monsterClip?: boolean | undefined;
  /** Anything of yours, such as the game's own object. */
  readonly data?: D | undefined;
  /**
   * The number that it gets, 1 to 65,535: for example its number on the server, since players' states refer to bodies by number.
   * By default the scene chooses.
   */
  readonly number?: number | undefined;
}

/** What may be changed about a body. What is left out stays as it is. */
export type BodyChanges<D = unknown> = Omit<BodyOptions<D>, 'number'> & {
  /**
   * Whether an engine's rules link the body again, as by default. If not, traces still look for it where it was linked last, and in
   * that order, but hit it where it is: so it is where an engine changes an origin, and does no more.
   */
  readonly link?: boolean | undefined;
};

/** Where a body is, as scenes give it. */
export interface BodyPose extends Pose {
  readonly origin: Float32Array;
  readonly angles: Float32Array;
}

export const createBodyPose = (): BodyPose => ({
  origin: new Float32Array(3),
  angles: new Float32Array(3),
});

/** Bits of {@link Bodies.classes}. */
export const MODEL_BODY = 1;
export const BOX_BODY = 2;
export const TRIGGER_BODY = 4;
export const MONSTER = 8;
export const ITEM = 16;
export const PUSHABLE = 32;
export const MONSTER_CLIP = 64;
/** Boxes that are not part of a map: angles do not turn them, unless they place themselves. */
export const NEVER_TURNS = 128;
/** What traces may hit, and what may be touched. */
export const SOLID_BODY: number = MODEL_BODY | BOX_BODY;
export const ANY_BODY: number = SOLID_BODY | TRIGGER_BODY;

const SOLIDS: Readonly<Record<BodySolid, number>> = {
  model: MODEL_BODY,
  box: BOX_BODY,
  trigger: TRIGGER_BODY,
  none: 0,
};

/** How far bodies are linked beyond their own boxes, on all axes, in Quake units. */
export const LINK_MARGIN = 1;

/** Places of what a body is to be. */
const CONTENTS = 0;
const OWNER = 1;
const CLASS = 2;

/** The greatest float32. */
export const GREATEST_FLOAT: number = (2 - 2 ** -23) * 2 ** 127;
const FIRST_CAPACITY = 16;
/**
 * The greatest number that a body can be given: room is made for all lower numbers, so a wrong one must not use up all memory.
 */
const GREATEST_GIVEN = 0xffff;
const ZERO: Vec3 = [0, 0, 0];

/** The bodies of a scene by number, in flat arrays, with the tree of their bounds. Number 0 is the world's. */
export class Bodies {
  readonly world: Collider | undefined;
  readonly rules: SceneRules;
  readonly tree: BoundsTree = new BoundsTree();
  /** Turned bodies, in a tree of their own: corners of movers' boxes turn with these, so they are searched in a wider area. */
  readonly turned: BoundsTree = new BoundsTree();
  readonly colliders: (Collider | undefined)[] = [];
  /** The callers' own. */
  readonly data: unknown[] = [];
  contents: Int32Array = new Int32Array(0);
  /** Contents that a trace's mask is compared with: those of the body, 0 for a body that stops no trace. */
  stopping: Int32Array = new Int32Array(0);
  owners: Int32Array = new Int32Array(0);
  classes: Uint8Array = new Uint8Array(0);
  origins: Float32Array = new Float32Array(0);
  angles: Float32Array = new Float32Array(0);
  /** Bounds in the body's own frame: mins and maxs. */
  sizes: Float32Array = new Float32Array(0);
  /** Number of each body's latest change. No two are equal, so tracers recognise a pose by it, and rules an order. */
  changes: Float64Array = new Float64Array(0);
  /**
   * Number of the change that added a body, or removed the latest one of that number: under a reused number, it is another body.
   */
  swaps: Float64Array = new Float64Array(0);
  /** One number: the latest of `swaps`. Tracers that have not seen it yet look which bodies have come and gone. */
  readonly latestSwap: Float64Array = new Float64Array(1);
  /** One ring of numbers with `swaps`, in descending order of these. It begins and ends at 0, the world's. */
  readonly swapped: Rings = new Rings();
  /** Kinds of movers that tracers have been made for: every collider must have factories for them. */
  readonly kinds: Set<Mover['kind']> = new Set();
  /** By collider, kinds of movers for which it is known to make tracers that take any size. */
  readonly proven: WeakMap<Collider, Set<string>> = new WeakMap();
  readonly nesting: Nesting = new Nesting(this);
  capacity = 0;
  count = 0;
  readonly widest: Widest = new Widest(this);
  /** How many traces, changes and calls of colliders' factories are under way: bodies must not change meanwhile. */
  busy = 0;
  /** By body: 1 if its bounds were given, 0 if they are those of its collider. */
  private _given: Uint8Array = new Uint8Array(0);
  /** Colliders that are placed where their body is, and so cannot be in the scene twice. */
  private readonly _placed: Set<Collider> = new Set();
  private readonly _latest: Float64Array = new Float64Array(1);
  /** Where a body is to be: as it was read, which must be before anything changes, as numbers may be getters; and as it was given. */
  private readonly _target = createBodyPose();
  private readonly _pose: { origin: Vec3 | undefined; angles: Vec3 | undefined } = {
    origin: ZERO,
    angles: ZERO,
  };
  /** What a body is to be and have, until nothing can throw any more: contents, owner and class; its size, and its data. */
  private readonly _planned: Int32Array = new Int32Array(3);
  private readonly _size: Float32Array = new Float32Array(6);
  private _data: unknown;
  /** All numbers below this are taken. */
  private _lowest = 1;
  /**
   * What has one owner: place 2k is body k as what is owned, and 2k + 1 is k as an owner. An owner's number may be too high for a
   * place, until there is room for a body of that number.
   */
  private readonly _owned: Rings = new Rings();

  constructor(world: Collider | undefined, createRules: (bodies: Bodies) => SceneRules) {
    this.world = world;
    this.rules = createRules(this);
  }

  /** Adds a body and returns its number. Nothing changes when it throws. */
  add(collider: Collider, options: BodyOptions): number {
    this.checkIdle();
    for (const kind of this.kinds) checkFactory(collider, kind);
    // Options may have getters.
    this.busy++;
    try {
      return this._add(collider, options);
    } finally {
      this.busy--;
    }
  }

  move(body: number, changes: BodyChanges): void {
    this.checkIdle();
    this.check(body);
    this.busy++;
    try {
      this._move(body, changes);
    } finally {
      this.busy--;
    }
  }

  remove(body: number): void {
    this.checkIdle();
    this.check(body);
    const collider = this.colliders[body]!;
    this.treeOf(body).remove(body);
    this.widest.forget(body);
    this._placed.delete(collider);
    this.colliders[body] = undefined;
    if (isScene(collider)) noteNesting();
    this.data[body] = undefined;
    this._own(body, NO_ENTITY);
    // Its number will be used again, and what it owned does not belong to that body.
    const { next } = this._owned;
    const ring = 2 * body + 1;
    while (next[ring] !== ring) this._own(next[ring]! >> 1, NO_ENTITY);
    this._lowest = Math.min(this._lowest, body);
    this.count--;
    this._latest[0]! += 1;
    this._swap(body);
  }

  has(body: number): boolean {
    // To an array -1 is a name, which takes V8 far longer to look up than a number.
    return body >= 0 && this.colliders[body] !== undefined;
  }

  /** Whether a body has one of these contents. For all of them, -1, it need not have any. */
  shares(body: number, mask: number): boolean {
    return mask === -1 || (this.contents[body]! & mask) !== 0;
  }

  /** Throws `RangeError` unless there is a body with this number. */
  check(body: number): void {
    checkBodyNumber(body, 'body');
    if (!this.has(body)) throw new RangeError(`there is no body ${body} in this scene`);
  }

  /** Throws `Error` while anything is under way during which bodies must not change. */
  checkIdle(): void {
    if (this.busy === 0) return;
    throw new Error('bodies cannot be added, moved or removed while their scene is being traced or changed');
  }

  /** Whether a body's angles turn it. */
  isTurned(body: number): boolean {
    return (this.classes[body]! & NEVER_TURNS) === 0 && this.hasAngles(body);
  }

  hasAngles(body: number): boolean {
    const { angles } = this;
    const at = 3 * body;
    return angles[at] !== 0 || angles[at + 1] !== 0 || angles[at + 2] !== 0;
  }

  /** Writes where a body is, and the angles that it was given. */
  readPlace(body: number, { origin, angles }: BodyPose): void {
    for (let k = 0; k < 3; k++) {
      origin[k] = this.origins[3 * body + k]!;
      angles[k] = this.angles[3 * body + k]!;
    }
  }

  /** Writes where a body is, and how it is turned. */
  readPose(body: number, pose: BodyPose): void {
    this.readPlace(body, pose);
    if ((this.classes[body]! & NEVER_TURNS) !== 0) pose.angles.fill(0);
  }

  /**
   * Writes the box in the world to which a body is linked: one unit wider than itself, unless the rules have a box of their own.
   */
  readLinked(body: number, mins: Float32Array, maxs: Float32Array): void {
    const { boxes } = this.rules;
    const from = boxes ?? this.treeOf(body).bounds;
    const margin = boxes ? 0 : LINK_MARGIN;
    for (let k = 0; k < 3; k++) {
      // Clamped to the range of float32, as worlds take nothing else.
      mins[k] = Math.max(from[6 * body + k]! - margin, -GREATEST_FLOAT);
      maxs[k] = Math.min(from[6 * body + 3 + k]! + margin, GREATEST_FLOAT);
    }
  }

  /** The tree that a body is in. */
  treeOf(body: number): BoundsTree {
    return this.isTurned(body) ? this.turned : this.tree;
  }

  private _add(collider: Collider, options: BodyOptions): number {
    const { _pose: pose, _planned: planned } = this;
    const placeable = isPlaceable(collider);
    planned[CONTENTS] = -1;
    planned[OWNER] = NO_ENTITY;
    planned[CLASS] = !isResizable(collider) ? MODEL_BODY : placeable ? BOX_BODY : BOX_BODY | NEVER_TURNS;
    const given = this._read(options, BODY_OPTIONS, 'options');
    const { number } = options;
    if (number !== undefined) {
      checkWhole(number, 'number', 1, GREATEST_GIVEN);
      if (this.has(number)) throw new RangeError(`number must be free, but there is a body ${number}`);
    }
    const own = collider as Collider & Pose;
    if (collider === this.world || this._placed.has(collider)) {
      throw new RangeError('collider is already in this scene, and can only be in one place');
    }
    const bounds = given === undefined ? boundsOf(collider) : given;
    pose.origin ??= (placeable ? own.origin : undefined) ?? ZERO;
    pose.angles ??= (placeable ? own.angles : undefined) ?? ZERO;
    checkPlace(pose);
    this._readSize(bounds);
    // Both parts are given, so whose they were does not matter.
    this._readTarget(0);
    if (placeable) (collider as Placeable).place(this._target);
    // From here on nothing throws.
    const body = number ?? this._next();
    while (body >= this.capacity) this._grow();
    this.colliders[body] = collider;
    if (isScene(collider)) noteNesting();
    if (placeable) this._placed.add(collider);
    this.data[body] = undefined;
    this._given[body] = given === undefined ? 0 : 1;
    this.count++;
    this.sizes.set(this._size, 6 * body);
    this._become(body);
    this._place(body);
    this._swap(body);
    this.treeOf(body).insert(body);
    this.rules.link(body);
    this.widest.note(body);
    return body;
  }

  /** Notes that the latest change has added or removed a body. */
  private _swap(body: number): void {
    this.swapped.put(body, 0);
    this.swaps[body] = this._latest[0]!;
    this.latestSwap[0] = this._latest[0]!;
  }

  private _move(body: number, changes: BodyChanges): void {
    const { _planned: planned } = this;
    planned[CONTENTS] = this.contents[body]!;
    planned[OWNER] = this.owners[body]!;
    planned[CLASS] = this.classes[body]!;
    const given = this._read(changes, BODY_CHANGES, 'changes');
    const { link = true } = changes;
    checkFlag(link, 'link');
    const collider = this.colliders[body]!;
    // Those that were given before stay; those of the collider may be others now.
    const bounds = given === undefined && this._given[body] === 0 ? boundsOf(collider) : given;
    const isResized = given !== undefined || (bounds !== undefined && !this._hasSize(body, bounds));
    if (isResized) this._readSize(bounds!);
    this._readTarget(body);
    if (isPlaceable(collider)) collider.place(this._target);
    // From here on nothing throws.
    if (given !== undefined) this._given[body] = 1;
    if (isResized) this.sizes.set(this._size, 6 * body);
    this._become(body);
    const before = this.treeOf(body);
    this._place(body);
    const tree = this.treeOf(body);
    if (tree === before) tree.update(body);
    else {
      before.remove(body);
      tree.insert(body);
    }
    if (link) this.rules.link(body);
    this.widest.note(body);
  }

  /**
   * Reads what a body is to be, and where: each option once, since there may be getters, and before anything changes. Returns the
   * bounds; throws unless everything else is valid.
   */
  private _read(options: BodyChanges, known: readonly string[], name: string): Bounds | undefined {
    const { _pose: pose, _planned: planned } = this;
    checkOptions(options, known, name);
    const { origin, angles, bounds, contents, solid, owner, data } = options;
    const { monster, item, pushable, monsterClip } = options;
    checkFlag(monster, 'monster');
    checkFlag(item, 'item');
    checkFlag(pushable, 'pushable');
    checkFlag(monsterClip, 'monsterClip');
    if (contents !== undefined) {
      checkMask(contents, 'contents');
      planned[CONTENTS] = contents;
    }
    if (owner !== undefined) {
      checkBodyNumber(owner, 'owner');
      planned[OWNER] = owner;
    }
    let bits = planned[CLASS]!;
    if (solid !== undefined) {
      checkChoice(solid, 'solid', SOLID_NAMES);
      bits = (bits & ~ANY_BODY) | SOLIDS[solid];
    }
    bits = withBit(bits, MONSTER, monster);
    bits = withBit(bits, ITEM, item);
    bits = withBit(bits, PUSHABLE, pushable);
    planned[CLASS] = withBit(bits, MONSTER_CLIP, monsterClip);
    pose.origin = origin;
    pose.angles = angles;
    checkPlace(pose);
    this._data = data;
    return bounds;
  }

  /** Makes a body what it is to be, except for its place. */
  private _become(body: number): void {
    const { _planned: planned, _data: data } = this;
    const contents = planned[CONTENTS]!;
    const bits = planned[CLASS]!;
    this.contents[body] = contents;
    this._own(body, planned[OWNER]!);
    this.classes[body] = bits;
    this.stopping[body] = (bits & SOLID_BODY) !== 0 ? contents : 0;
    if (data !== undefined) this.data[body] = data;
    // Not kept for longer than the body is.
    this._data = undefined;
  }

  /** Gives a body an owner, or none. */
  private _own(body: number, owner: number): void {
    const hasPlace = owner >= 0 && owner < this.capacity;
    this._owned.put(2 * body, hasPlace ? 2 * owner + 1 : 2 * body);
    this.owners[body] = owner;
  }

  /** Whether a body's size is still that of its collider's bounds, which may have become anything since they were read. */
  private _hasSize(body: number, { mins, maxs }: Bounds): boolean {
    const { sizes } = this;
    for (let k = 0; k < 3; k++) {
      if (sizes[6 * body + k] !== mins?.[k] || sizes[6 * body + 3 + k] !== maxs?.[k]) return false;
    }
    return true;
  }

  /** Reads the size that a body is to have. Throws unless bounds are a box; those of a model from a map need not be one. */
  private _readSize(bounds: Bounds): void {
    checkObject(bounds, 'bounds');
    const { mins, maxs } = bounds;
    checkPoint(mins, 'bounds.mins');
    checkPoint(maxs, 'bounds.maxs');
    for (let k = 0; k < 3; k++) {
      const low = mins[k]!;
      const high = maxs[k]!;
      if (!(low <= high)) {
        throw new RangeError(`bounds.mins[${k}] must not be above bounds.maxs[${k}], got ${low} and ${high}`);
      }
      this._size[k] = low;
      this._size[3 + k] = high;
    }
  }

  /** Reads where a body is to be, after it has been checked. What is left out stays as that has it, whoever moved its collider. */
  private _readTarget(body: number): void {
    const { origin, angles } = this._pose;
    const { origin: newOrigin, angles: newAngles } = this._target;
    for (let k = 0; k < 3; k++) {
      newOrigin[k] = origin ? origin[k]! : this.origins[3 * body + k]!;
      newAngles[k] = angles ? angles[k]! : this.angles[3 * body + k]!;
    }
  }

  /** Puts a body where it is to be. */
  private _place(body: number): void {
    const { origin, angles } = this._target;
    for (let k = 0; k < 3; k++) {
      this.origins[3 * body + k] = origin[k]!;
      this.angles[3 * body + k] = angles[k]!;
    }
    this._latest[0]! += 1;
    this.changes[body] = this._latest[0]!;
    this._bound(body);
  }

  /** The box around a body where it is; if it is turned, the box around the sphere about its origin, as in the engines. */
  private _bound(body: number): void {
    const { origins, sizes } = this;
    const at = 3 * body;
    const turned = this.isTurned(body);
    // Zero as a double: a sum that begins with the whole number 0 may be boxed by V8.
    let radius = sizes[2 * at]! * 0;
    for (let k = 0; k < 3; k++) {
      const far = Math.max(Math.abs(sizes[2 * at + k]!), Math.abs(sizes[2 * at + 3 + k]!));
      radius += far * far;
    }
    radius = Math.sqrt(radius);
    const box = this.treeOf(body).bounds;
    for (let k = 0; k < 3; k++) {
      const origin = origins[at + k]!;
      box[2 * at + k] = origin + (turned ? -radius : sizes[2 * at + k]!);
      box[2 * at + 3 + k] = origin + (turned ? radius : sizes[2 * at + 3 + k]!);
    }
  }

  /** The lowest free number: it depends on the bodies that there are, not on those that there were. */
  private _next(): number {
    const free = this.colliders.indexOf(undefined, this._lowest);
    this._lowest = free < 0 ? Math.max(this.capacity, 1) : free;
    return this._lowest;
  }

  private _grow(): void {
    const capacity = Math.max(2 * this.capacity, FIRST_CAPACITY);
    this.contents = extended(this.contents, new Int32Array(capacity));
    this.stopping = extended(this.stopping, new Int32Array(capacity));
    this.owners = extended(this.owners, new Int32Array(capacity).fill(NO_ENTITY));
    this.classes = extended(this.classes, new Uint8Array(capacity));
    this._given = extended(this._given, new Uint8Array(capacity));
    this.origins = extended(this.origins, new Float32Array(3 * capacity));
    this.angles = extended(this.angles, new Float32Array(3 * capacity));
    this.sizes = extended(this.sizes, new Float32Array(6 * capacity));
    this.changes = extended(this.changes, new Float64Array(capacity));
    this.swaps = extended(this.swaps, new Float64Array(capacity));
    // Filled with `undefined`: V8 turns a list whose first index is high into a slow table.
    while (this.colliders.length < capacity) this.colliders.push(undefined);
    this.tree.grow(capacity);
    this.turned.grow(capacity);
    this.rules.grow(capacity);
    this.swapped.grow(capacity);
    this._owned.grow(2 * capacity);
    this.capacity = capacity;
    // There are places now for owners that had none.
    for (let body = 1; body < capacity; body++) this._own(body, this.owners[body]!);
  }
}

/** A collider's own bounds. Throws `TypeError` if it has none. */
function boundsOf({ bounds }: Collider): Bounds {
  if (!bounds) throw new TypeError('bounds must be given: this collider has none of its own');
  return bounds;
}

/** Some bits with one that is set or not; `undefined` leaves it as it is. */
const withBit = (bits: number, bit: number, value: boolean | undefined): number =>
  value === undefined ? bits : value ? bits | bit : bits & ~bit;

const BODY_OPTIONS: readonly string[] = [
  'origin',
  'angles',
  'contents',
  'bounds',
  'solid',
  'owner',
  'monster',
  'item',
  'pushable',
  'monsterClip',
  'data',
  'number',
] satisfies (keyof BodyOptions)[];
const BODY_CHANGES: readonly string[] = [...BODY_OPTIONS.filter((name) => name !== 'number'), 'link'];

const SOLID_NAMES: readonly string[] = Object.keys(SOLIDS);

/** How many bodies there are, in words. */
export const bodiesText = (count: number): string => `${count} ${count === 1 ? 'body' : 'bodies'}`;
