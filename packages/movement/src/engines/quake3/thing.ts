import type { Trace } from '@bspkit/core';
import { printAsString } from '@bspkit/core/format';
import {
  type BoxSource,
  type ContentsSource,
  checkBits,
  checkTracing,
  entityOf,
  MovedBox,
  startEntityOf,
} from '../../space.ts';
import { BY, checkEnd, clear, copy, DOT, dot, put, scale, take } from '../../vectors.ts';
import { MASK_SHOT } from './constants.ts';
import {
  checkThingState,
  checkTime,
  Quake3Bounce,
  Quake3Path,
  type Quake3ThingState,
  Quake3ThingType,
} from './thing-state.ts';
import {
  BASE,
  createPath,
  DELTA,
  FOUND,
  findPlace,
  findVelocity,
  loadThing,
  NORMAL,
  ORIGIN,
  type Path,
} from './trajectory.ts';

// What the game does with missiles and items. Written from what it is known to do (bg_misc.c, g_missile.c, g_items.c), and
// compared with rows recorded from ioquake3's server and its own game, compiled to native code.

const f = Math.fround;

/** A double, as in native code. */
const HALF_BOUNCE = 0.65;
/** A missile may lie on floors whose normal has more than this z, a double. */
const LEAST_FLOOR = 0.2;
/** What bounces off a floor with less than this, in units per second, lies there. */
const LEAST_BOUNCE = 40;

/** Makes a thing lie where it is. */
function rest(work: Path): void {
  const { floats: v } = work;
  copy(v, ORIGIN, BASE);
  clear(v, DELTA);
  work.path = Quake3Path.stationary;
  work.time = 0;
  work.duration = 0;
}

/**
 * Moves missiles and items as the game of Quake 3 does. Made by {@link createQuake3ThingMover}; one mover serves any number of
 * them in turn.
 */
export class Quake3ThingMover {
  /** What the last move met, unless that was of an item at rest: the game's own answer, with fraction 0 for a start in solid. */
  readonly trace: Trace;
  private readonly _box: MovedBox;
  /** What does not stop a thing that has a body of its own: whoever threw it, and that. */
  private readonly _ignored = { body: -1, also: -1 };
  private readonly _work: Path = createPath();
  private readonly _from: Float32Array = this._work.floats.subarray(ORIGIN, ORIGIN + 3);
  private readonly _to: Float32Array = this._work.floats.subarray(FOUND, FOUND + 3);
  /** The missile that the last move has stopped, and where. */
  private _stopped: Quake3ThingState | undefined;
  private readonly _place: Float32Array = new Float32Array(3);
  /** When the last move began and ended, and what it hit. */
  private _began = 0;
  private _ended = 0;
  private _entity = -1;
  private _isMoving = false;

  /** @internal */
  constructor(space: BoxSource) {
    this._box = new MovedBox(space, { mins: [0, 0, 0], maxs: [0, 0, 0] }, MASK_SHOT);
    this.trace = this._box.createTrace();
    printAsString(this);
  }

  /** What the last move has hit: 0 for the world, the number of a scene's body; -1 for nothing. */
  get entity(): number {
    return this._entity;
  }

  /**
   * Moves a thing along its path to a time, in place and without allocation, as the game does each frame: bit for bit. Items
   * bounce by themselves. A missile that hits something is where that happened, and the rest is up to you: it explodes; vanishes,
   * if `trace.surfaceFlags` has the bit `noImpact`, as the sky has; or bounces, if you call {@link Quake3ThingMover.bounce}, as
   * the game does for grenades that hit what cannot be hurt.
   *
   * @param time - in milliseconds, whole; not before the state's.
   * @returns whether it hit something.
   * @throws TypeError for a state that {@link createQuake3ThingState} has not made; RangeError naming the number that is wrong, or
   *   when the thing leaves what float32 can hold. The state does not change when it throws.
   */
  move(state: Quake3ThingState, time: number): boolean {
    if (this._isMoving) throw new Error('a mover cannot be used within its own move');
    checkThingState(state);
    checkTime(time, 'time');
    if (time < state.time) {
      throw new RangeError(`time must not be before state.time, which is ${state.time}, got ${time}`);
    }
    const { _work: work, trace } = this;
    const isItem = state.type === Quake3ThingType.item;
    loadThing(work, state);
    this._stopped = undefined;
    this._entity = -1;
    this._began = state.time;
    this._ended = time;
    // What it lay on is gone.
    if (isItem && work.ground === -1 && work.path !== Quake3Path.gravity) {
      work.path = Quake3Path.gravity;
      work.time = time;
    }
    if (!isItem || work.path !== Quake3Path.stationary) {
      this._isMoving = true;
      try {
        this._fly(state, isItem);
      } finally {
        this._isMoving = false;
      }
      if (trace.fraction !== 1) {
        const entity = entityOf(trace);
        // An item that gets out of what it begins in has hit nothing else.
        this._entity = Math.max(0, entity === -1 ? startEntityOf(trace) : entity);
      }
      if (isItem && trace.fraction !== 1) this._bounceItem(state);
    }
    this._store(state);
    if (this._entity === -1) return false;
    if (!isItem) {
      this._stopped = state;
      take(work.floats, ORIGIN, this._place);
    }
    return true;
  }

  /**
   * Lets a missile bounce off what it has hit, as its `bounce` says: right after the move that hit it.
   *
   * @returns whether it lies there now: its path is `stationary`, until you change that.
   * @throws Error for any other state than that of the last move, or if that has not hit anything; otherwise as
   *   {@link Quake3ThingMover.move}.
   */
  bounce(state: Quake3ThingState): boolean {
    checkThingState(state);
    if (!this._isStopped(state))
      throw new Error('a missile bounces only right after the move that hit something');
    const { _work: work, trace } = this;
    const { floats: v } = work;
    loadThing(work, state);
    this._reflect();
    let lies = false;
    if (state.bounce === Quake3Bounce.half) {
      for (let k = DELTA; k < DELTA + 3; k++) v[k] = v[k]! * HALF_BOUNCE;
      dot(v, DELTA, DELTA);
      lies = trace.normal[2]! > LEAST_FLOOR && f(Math.sqrt(v[DOT]!)) < LEAST_BOUNCE;
    }
    if (lies) rest(work);
    else this._leave();
    this._store(state);
    this._stopped = undefined;
    return lies;
  }

  /** Whether the last move has stopped this missile, and it has not been anywhere else since. */
  private _isStopped(state: Quake3ThingState): boolean {
    const { _place: place } = this;
    const { origin, time } = state;
    return (
      this._stopped === state &&
      time === this._ended &&
      origin[0] === place[0] &&
      origin[1] === place[1] &&
      origin[2] === place[2]
    );
  }

  /** Traces the way, and goes to its end. */
  private _fly({ mins, maxs, mask, owner, entity }: Quake3ThingState, isItem: boolean): void {
    const { _box: box, _work: work, _ignored: ignored, trace } = this;
    const { floats: v } = work;
    findPlace(work, this._ended);
    box.resize(mins, maxs);
    box.mask = mask | 0;
    box.ignore = owner;
    if (entity >= 0) {
      ignored.body = owner;
      ignored.also = entity;
      // A number comes before it: the object is the same one each time.
      box.ignore = ignored;
    }
    box.trace(this._from, this._to, trace);
    const { startSolid, allSolid } = trace;
    // Among bodies that overlap, only the second may be said of a missile that is stuck, and only in the first trace.
    const isStuck = startSolid || (allSolid && !isItem);
    if (isItem || !isStuck) put(v, ORIGIN, trace.endPos);
    // What a missile is stuck in is what it has hit.
    else box.trace(this._from, this._from, trace);
    if (isStuck) trace.fraction = 0;
  }

  /** Turns the speed at which the path has hit a plane around. */
  private _reflect(): void {
    const { _work: work, trace } = this;
    const { floats: v } = work;
    const passed = f(f(this._ended - this._began) * f(trace.fraction));
    findVelocity(work, f(f(this._began) + passed) | 0);
    put(v, NORMAL, trace.normal);
    dot(v, FOUND, NORMAL);
    const twice = -2 * v[DOT]!;
    for (let k = 0; k < 3; k++) v[DELTA + k] = v[FOUND + k]! + f(v[NORMAL + k]! * twice);
  }

  /** Begins a path beside what was hit. */
  private _leave(): void {
    const { _work: work } = this;
    const { floats: v } = work;
    for (let k = 0; k < 3; k++) v[BASE + k] = v[ORIGIN + k] = v[ORIGIN + k]! + v[NORMAL + k]!;
    work.time = this._ended;
  }

  private _bounceItem({ bounceFactor }: Quake3ThingState): void {
    const { _work: work, trace } = this;
    const { floats: v } = work;
    this._reflect();
    v[BY] = bounceFactor;
    scale(v, DELTA);
    if (trace.normal[2]! > 0 && v[DELTA + 2]! < LEAST_BOUNCE) {
      const { endPos } = trace;
      endPos[2] = endPos[2]! + 1;
      // By way of integers, which have no -0.
      for (let k = 0; k < 3; k++) v[ORIGIN + k] = Math.trunc(endPos[k]!) + 0;
      rest(work);
      work.ground = this._entity;
    } else this._leave();
  }

  private _store(state: Quake3ThingState): void {
    const work = this._work;
    const { floats: v } = work;
    checkEnd(v, ORIGIN, DELTA, 'origin', 'delta');
    // Single numbers are written as they are first: one that is read-only throws, before anything has changed.
    const { time, path, pathTime, pathDuration, ground } = state;
    state.time = time;
    state.path = path;
    state.pathTime = pathTime;
    state.pathDuration = pathDuration;
    state.ground = ground;
    state.time = this._ended;
    state.path = work.path;
    state.pathTime = work.time;
    state.pathDuration = work.duration;
    state.ground = work.ground;
    take(v, ORIGIN, state.origin);
    take(v, BASE, state.base);
    take(v, DELTA, state.delta);
  }

  /** @internal */
  toString(): string {
    return `Quake3ThingMover { entity: ${this._entity} }`;
  }
}

/**
 * Makes a mover of missiles and items through a world or scene, or the first half of `{ trace, contents }`.
 *
 * @throws TypeError for anything that cannot trace boxes, or for a world whose contents are no bits.
 */
export function createQuake3ThingMover(space: BoxSource | { readonly trace: BoxSource }): Quake3ThingMover {
  const source = checkTracing(space);
  checkBits(source as BoxSource & Partial<ContentsSource>);
  return new Quake3ThingMover(source);
}
