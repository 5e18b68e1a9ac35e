import type { Trace, Vec3 } from '@bspkit/core';
import {
  checkCallback,
  checkFinite,
  checkFlag,
  checkOptions,
  checkPoint,
  checkRadius,
  printAsString,
} from '@bspkit/core/format';
import { type BoxSource, checkHalves, MovedBox } from '../../space.ts';
import { addScaled, BY, checkEnd, clear, copy, put, scale, take } from '../../vectors.ts';
import { hasBottom } from '../bottom.ts';
import { checkChased, facesAway, isClose, noteChased, turnToIdeal, Ways } from '../chase.ts';
import { clip } from '../clip.ts';
import {
  ANGLES,
  createServerWork,
  END,
  GOAL,
  GOAL_HEIGHT,
  IDEAL_YAW,
  LEAST_FLOOR,
  ORIGIN,
  OWN,
  PUSH,
  pushBy,
  type ServerWork,
  START,
  STEP_LENGTH,
  STEP_SIZE,
  STEP_YAW,
  serverSlide,
  TIME,
  touch,
  traceBox,
  VELOCITY,
  YAW_SPEED,
} from '../server-slide.ts';
import { aimStep, traceStep } from '../steps.ts';
import type { HullContents } from './space.ts';
import { checkThingState, QuakeMoveType, type QuakeThingState } from './thing-state.ts';

// What the server of single-player Quake does with things that fly, fall and bounce, and with monsters. Written from what its
// server is known to do (sv_phys.c, sv_move.c, world.c), and compared with rows recorded from QuakeSpasm's.

const f = Math.fround;

// Places in the array of floats.
const ANGULAR: number = OWN;
const NORMAL: number = OWN + 3;
/** Where a step began. */
const OLD_ORIGIN: number = OWN + 6;
const GRAVITY: number = OWN + 9;
const MAX_VELOCITY: number = OWN + 10;

/** Of four bumps in a slide. */
const MOST_TOUCHED = 4;
const BOUNCE = 1.5;
/** What bounces off a floor with less than this, in units per second, lies there. */
const LEAST_BOUNCE = 60;
/** How long a monster has fallen, in seconds, when its landing is heard. A double. */
const HARD_FALL = 0.1;
const DROP = 256;
/** Heights above an enemy between which flying monsters stay, and how quickly they come there. */
const HIGHEST_ABOVE = 40;
const LEAST_ABOVE = 30;
const RISE = 8;

const CONTENTS_EMPTY = -1;
const CONTENTS_SOLID = -2;
const CONTENTS_WATER = -3;
/** Six currents. */
const CONTENTS_CURRENT_0 = -9;
const CONTENTS_CURRENT_DOWN = -14;

/** What things move in, if it consists of two objects: a scene and its world. */
export interface QuakeThingSpace {
  readonly trace: BoxSource;
  readonly contents: Pick<HullContents, 'hullContents'>;
}

/** What a monster goes to, as {@link QuakeThingMover.moveToGoal} takes it. States of things are such. */
export interface QuakeGoal {
  /** In Quake units. */
  readonly origin: Vec3;
  /** Its box, relative to `origin`. */
  readonly mins: Vec3;
  readonly maxs: Vec3;
  /** Whether it is an item, whose box reaches further. */
  readonly item?: boolean | undefined;
  /**
   * Whether it has no part in the world, as the world itself, at 0 0 0, the goal of monsters without one: its box does not reach
   * further.
   */
  readonly unlinked?: boolean | undefined;
}

/** Variables of a server, as float32. Those left out stay as they are. */
export interface QuakeThingVariables {
  /** `sv_gravity`, in units per second squared: 800 by default. */
  readonly gravity?: number | undefined;
  /** `sv_maxvelocity`, the highest speed along each axis, in units per second: 2,000 by default. */
  readonly maxVelocity?: number | undefined;
}

const NAMES = ['gravity', 'maxVelocity'] as const;
const GOAL_NAMES = ['goal', 'goal.origin', 'goal.mins', 'goal.maxs', 'goal.unlinked'] as const;

/**
 * Moves things that fly, fall and bounce, and monsters, as the server of single-player Quake does. Made by
 * {@link createQuakeThingMover}; one mover serves any number of them in turn.
 */
export class QuakeThingMover {
  /**
   * What the last call hit, in order of contact: 0 for the world, or a body's number. Only the first `numTouched` are valid. What
   * then happens is up to the game. Only `move` hits anything; every other call clears it.
   */
  readonly touched: Int32Array;
  private readonly _contents: QuakeThingSpace['contents'];
  private readonly _work: ServerWork;
  /** Boxes by what stops them: everything, only models, and everything with larger monsters. */
  private readonly _usual: MovedBox;
  private readonly _bodiless: MovedBox;
  private readonly _missile: MovedBox;
  private readonly _feeler: MovedBox;
  private readonly _origin: Float32Array;
  private readonly _end: Float32Array;
  private readonly _isSolid = (point: Vec3): boolean => this._contentsAt(point) === CONTENTS_SOLID;
  private readonly _ways: Ways = new Ways(false);
  private _partialGround = 0;
  private _waterType = 0;
  private _waterLevel = 0;
  private _splashed = false;
  private _landed = false;
  /** Whether GOAL_HEIGHT is that of an enemy. */
  private _fights = false;
  private _isMoving = false;

  /** @internal */
  constructor({ trace, contents }: QuakeThingSpace, variables: QuakeThingVariables) {
    const none = { mins: [0, 0, 0], maxs: [0, 0, 0] } as const;
    this._usual = new MovedBox(trace, none);
    // Without bodies, all moves are of one kind.
    const only = (move: string): object => (this._usual.ignores ? { move } : {});
    this._bodiless = new MovedBox(trace, none, undefined, only('no-monsters'));
    this._feeler = new MovedBox(trace, none, undefined, only('no-monsters'));
    this._missile = new MovedBox(trace, none, undefined, only('missile'));
    this._contents = contents;
    this._work = createServerWork(this._usual, MOST_TOUCHED);
    const { floats, touched } = this._work;
    this.touched = touched;
    this._origin = floats.subarray(ORIGIN, ORIGIN + 3);
    this._end = floats.subarray(END, END + 3);
    floats[GRAVITY] = 800;
    floats[MAX_VELOCITY] = 2000;
    this.set(variables);
    printAsString(this);
  }

  /** How many contacts the last call had. */
  get numTouched(): number {
    return this._work.numTouched;
  }

  /** Whether the last call found that it went into a liquid or came out of one, where the engine plays a sound. */
  get splashed(): boolean {
    return this._splashed;
  }

  /** Whether the last call was the landing of a monster that had fallen for a while, where the engine plays a sound. */
  get landed(): boolean {
    return this._landed;
  }

  /**
   * Changes variables in place. If it throws, nothing has changed.
   * @throws RangeError for a variable that is not finite; TypeError for anything but a variable.
   */
  set(variables: QuakeThingVariables): this {
    checkOptions(variables, NAMES, 'variables');
    // Each is read once, as there may be getters.
    const { gravity, maxVelocity } = variables;
    if (gravity !== undefined) checkFinite(gravity, 'gravity');
    if (maxVelocity !== undefined) checkFinite(maxVelocity, 'maxVelocity');
    if (maxVelocity! < 0) throw new RangeError(`maxVelocity must not be negative, got ${maxVelocity}`);
    const { floats: v } = this._work;
    if (gravity !== undefined) v[GRAVITY] = gravity;
    if (maxVelocity !== undefined) v[MAX_VELOCITY] = maxVelocity;
    return this;
  }

  /**
   * Moves a thing by one frame of this many seconds (a double, 0 or more), as its `moveType` says, in place and without
   * allocation. For monsters that is the fall alone: after it, the engine lets them think, which may call
   * {@link QuakeThingMover.walkMove} or {@link QuakeThingMover.moveToGoal}, and looks for water: {@link QuakeThingMover.checkWater}.
   *
   * @returns whether it took part in the world again: then move its body in the scene, even if it is where it was, as the order of
   *   bodies depends on that. Things that lie on something do not move.
   * @throws TypeError for a state that {@link createQuakeThingState} has not made; RangeError naming the number that is wrong, or
   *   when the thing leaves what float32 can hold. The state does not change when it throws.
   */
  move(state: QuakeThingState, frameTime: number): boolean {
    checkRadius(frameTime, 'frameTime');
    this._begin(state);
    let moves: boolean;
    try {
      moves = this._move(state, frameTime);
    } finally {
      this._isMoving = false;
    }
    this._store(state);
    return moves;
  }

  /**
   * Moves a monster by one step, as QuakeC's `walkmove` does: up and down steps of 18 units, but not over edges, nor, if it swims,
   * out of the water. Nothing is touched by that.
   *
   * @param yaw - where to, in degrees.
   * @param distance - how far, in units.
   * @param enemy - where its enemy is, if it has one: a flying or swimming monster keeps 30 to 40 units above that.
   * @returns whether it moved; if so, move its body in the scene. One that neither flies, swims nor stands on something does not.
   * @throws as {@link QuakeThingMover.move}.
   */
  walkMove(state: QuakeThingState, yaw: number, distance: number, enemy?: Vec3): boolean {
    checkFinite(yaw, 'yaw');
    checkFinite(distance, 'distance');
    if (enemy !== undefined) checkPoint(enemy, 'enemy');
    this._begin(state);
    const { floats: v } = this._work;
    v[STEP_YAW] = yaw;
    v[STEP_LENGTH] = distance;
    let moves: boolean;
    try {
      this._noteEnemy(enemy);
      moves = this._walk(state);
    } finally {
      this._isMoving = false;
    }
    this._store(state);
    return moves;
  }

  /**
   * Moves a monster by one step towards a goal, as QuakeC's `movetogoal` does: on in the direction of its `idealYaw`, to which it
   * turns first, or where that is not possible, and sometimes without reason, in another direction, which is its `idealYaw` from
   * then on. It only turns where its yaw is then above its `idealYaw` by more than 45 and less than 315 degrees; where it is below,
   * it steps however it faces, as in the engine.
   *
   * @param distance - how far, in units.
   * @param random - gives a whole number from 0 to 2,147,483,647, of which only the lowest two bits count, as C's `rand` does
   *   for the engine. It is called up to three times: first for whether to go on; then, if it does not go on, for which of two axes
   *   to try first; and where neither is free, for which way around to look. If it changes the goal or the enemy, that counts from
   *   the next call on; it must not change the state.
   * @param enemy - where its enemy is, if it has one: then it does not move if it comes to the goal by going so far. A flying or
   *   swimming monster keeps 30 to 40 units above its enemy.
   * @returns whether it took part in the world again: then move its body in the scene, even if it is where it was. Otherwise it
   *   has neither moved nor turned: it is near its goal, or neither flies, swims nor stands on something.
   * @throws as {@link QuakeThingMover.move}, and RangeError for any other number from `random`.
   */
  moveToGoal(
    state: QuakeThingState,
    distance: number,
    goal: QuakeGoal,
    random: () => number,
    enemy?: Vec3,
  ): boolean {
    checkFinite(distance, 'distance');
    checkChased(goal, GOAL_NAMES);
    const { item = false } = goal;
    checkFlag(item, 'goal.item');
    checkCallback(random, 'random');
    if (enemy !== undefined) checkPoint(enemy, 'enemy');
    this._begin(state);
    const { floats: v } = this._work;
    v[STEP_LENGTH] = distance;
    let moves: boolean;
    try {
      // All that is read before anything is drawn, which may change it.
      put(v, GOAL, goal.origin);
      noteChased(v, goal, item);
      this._noteEnemy(enemy);
      moves = this._chase(state, random);
    } finally {
      this._isMoving = false;
    }
    this._store(state, true);
    return moves;
  }

  /**
   * Turns a monster's yaw, `angles[1]`, to its `idealYaw` by `yawSpeed` at most, as QuakeC's `changeyaw` does.
   *
   * @throws as {@link QuakeThingMover.move}.
   */
  changeYaw(state: QuakeThingState): void {
    this._begin(state);
    turnToIdeal(this._work.floats);
    this._isMoving = false;
    this._store(state);
  }

  /**
   * Puts a thing onto the floor, at most 256 units below it, as QuakeC's `droptofloor` does.
   *
   * @returns whether there is a floor; if so, move its body in the scene.
   * @throws as {@link QuakeThingMover.move}.
   */
  dropToFloor(state: QuakeThingState): boolean {
    this._begin(state);
    let drops: boolean;
    try {
      drops = this._drop(state);
    } finally {
      this._isMoving = false;
    }
    this._store(state);
    return drops;
  }

  /**
   * Whether there is floor enough below a monster's box to stand on, as QuakeC's `checkbottom` says: at most 36 units below its
   * middle, and at each corner at most 18 units lower than there.
   *
   * @throws as {@link QuakeThingMover.move}.
   */
  checkBottom(state: QuakeThingState): boolean {
    this._begin(state);
    try {
      return this._hasBottom(state);
    } finally {
      this._isMoving = false;
    }
  }

  /**
   * Looks whether a monster is in water, which the engine does after it has thought; for all others, {@link QuakeThingMover.move}
   * does, but only where they hit something. Sets `waterType` and `waterLevel`.
   *
   * @returns whether it has just gone into a liquid or come out of one: {@link QuakeThingMover.splashed}.
   * @throws as {@link QuakeThingMover.move}.
   */
  checkWater(state: QuakeThingState): boolean {
    this._begin(state);
    try {
      this._lookForWater();
    } finally {
      this._isMoving = false;
    }
    this._store(state);
    return this._splashed;
  }

  private _begin(state: QuakeThingState): void {
    if (this._isMoving) throw new Error('a mover cannot be used within its own move');
    checkThingState(state);
    const work = this._work;
    const { floats: v } = work;
    put(v, ORIGIN, state.origin);
    put(v, VELOCITY, state.velocity);
    put(v, ANGLES, state.angles);
    put(v, ANGULAR, state.angularVelocity);
    v[IDEAL_YAW] = state.idealYaw;
    v[YAW_SPEED] = state.yawSpeed;
    work.onGround = state.onGround !== 0;
    work.ground = state.ground;
    work.numTouched = 0;
    this._partialGround = state.partialGround;
    this._waterType = state.waterType;
    this._waterLevel = state.waterLevel;
    this._splashed = false;
    this._landed = false;
    this._isMoving = true;
  }

  private _store(state: QuakeThingState, hasChased = false): void {
    const work = this._work;
    const { floats: v } = work;
    checkEnd(v, ORIGIN, VELOCITY);
    for (let k = 0; k < 3; k++) {
      const angle = v[ANGLES + k]!;
      if (angle - angle !== 0) checkFinite(angle, `angles[${k}] at the end of the move`);
    }
    // Single numbers are written as they are first: one that is read-only throws, before anything has changed.
    const { partialGround, onGround, ground, waterType, waterLevel } = state;
    state.partialGround = partialGround;
    state.onGround = onGround;
    state.ground = ground;
    state.waterType = waterType;
    state.waterLevel = waterLevel;
    if (hasChased) state.idealYaw = v[IDEAL_YAW]!;
    state.partialGround = this._partialGround;
    state.onGround = work.onGround ? 1 : 0;
    state.ground = work.ground;
    state.waterType = this._waterType;
    state.waterLevel = this._waterLevel;
    take(v, ORIGIN, state.origin);
    take(v, VELOCITY, state.velocity);
    take(v, ANGLES, state.angles);
    take(v, ANGULAR, state.angularVelocity);
  }

  /** Makes a box that of the state, and traces that from now on. */
  private _use(box: MovedBox, { mins, maxs, entity }: QuakeThingState): void {
    box.resize(mins, maxs);
    box.ignore = entity;
    this._work.box = box;
  }

  private _move(state: QuakeThingState, frameTime: number): boolean {
    switch (state.moveType) {
      case QuakeMoveType.none:
        return false;
      case QuakeMoveType.noclip: {
        const { floats: v } = this._work;
        v[BY] = frameTime;
        addScaled(v, ANGLES, ANGULAR, ANGLES);
        addScaled(v, ORIGIN, VELOCITY, ORIGIN);
        return true;
      }
      case QuakeMoveType.step:
        return this._fall(state, frameTime);
      default:
        return this._toss(state, frameTime);
    }
  }

  private _toss(state: QuakeThingState, frameTime: number): boolean {
    const work = this._work;
    const { floats: v, trace } = work;
    const { moveType: type } = state;
    if (work.onGround) return false;
    this._limit();
    if (type !== QuakeMoveType.fly && type !== QuakeMoveType.missile) this._pull(state, frameTime);
    v[BY] = frameTime;
    addScaled(v, ANGLES, ANGULAR, ANGLES);
    copy(v, VELOCITY, PUSH);
    scale(v, PUSH);
    const solid = state.solid === 0 ? this._bodiless : this._usual;
    this._use(type === QuakeMoveType.missile ? this._missile : solid, state);
    pushBy(work);
    const hit = hitOf(trace);
    if (hit >= 0) touch(work, hit);
    if (trace.fraction === 1) return true;
    put(v, NORMAL, trace.normal);
    const bounces = type === QuakeMoveType.bounce;
    clip(v, VELOCITY, NORMAL, VELOCITY, bounces ? BOUNCE : 1);
    if (trace.normal[2]! > LEAST_FLOOR && (v[VELOCITY + 2]! < LEAST_BOUNCE || !bounces)) {
      work.onGround = true;
      work.ground = hit;
      clear(v, VELOCITY);
      clear(v, ANGULAR);
    }
    this._lookForWater();
    return true;
  }

  /** The fall of a monster. */
  private _fall(state: QuakeThingState, frameTime: number): boolean {
    const work = this._work;
    const { floats: v } = work;
    if (work.onGround || state.flies !== 0 || state.swims !== 0) return false;
    const isHard = v[VELOCITY + 2]! < v[GRAVITY]! * -HARD_FALL;
    this._pull(state, frameTime);
    this._limit();
    this._use(this._usual, state);
    v[TIME] = frameTime;
    serverSlide(work);
    this._landed = isHard && work.onGround;
    return true;
  }

  /** Gravity, with the time as a double. */
  private _pull({ gravityFactor }: QuakeThingState, frameTime: number): void {
    const { floats: v } = this._work;
    const factor = f(gravityFactor);
    const gravity = f((factor === 0 ? 1 : factor) * v[GRAVITY]!);
    v[VELOCITY + 2] = v[VELOCITY + 2]! - gravity * frameTime;
  }

  /** Keeps the velocity within the server's limit. */
  private _limit(): void {
    const { floats: v } = this._work;
    const most = v[MAX_VELOCITY]!;
    for (let k = VELOCITY; k < VELOCITY + 3; k++) {
      if (v[k]! > most) v[k] = most;
      else if (v[k]! < -most) v[k] = -most;
    }
  }

  private _lookForWater(): void {
    const contents = this._contentsAt(this._origin);
    const before = this._waterType;
    if (before === 0) {
      this._waterType = contents;
      this._waterLevel = 1;
      return;
    }
    const isWet = contents <= CONTENTS_WATER;
    // The engine compares with air alone: in solid, it is as wet as before.
    this._splashed = isWet === (before === CONTENTS_EMPTY);
    this._waterType = isWet ? contents : CONTENTS_EMPTY;
    this._waterLevel = isWet ? 1 : contents;
  }

  /** Contents of the world at a point; currents are water. */
  private _contentsAt(point: Vec3): number {
    const contents = this._contents.hullContents(0, point);
    return contents <= CONTENTS_CURRENT_0 && contents >= CONTENTS_CURRENT_DOWN ? CONTENTS_WATER : contents;
  }

  private _drop(state: QuakeThingState): boolean {
    const work = this._work;
    const { floats: v, trace } = work;
    this._use(this._usual, state);
    copy(v, ORIGIN, START);
    copy(v, ORIGIN, END);
    v[END + 2] = v[END + 2]! - DROP;
    traceBox(work);
    if (trace.fraction === 1 || trace.allSolid) return false;
    put(v, ORIGIN, trace.endPos);
    work.onGround = true;
    work.ground = hitOf(trace);
    return true;
  }

  private _noteEnemy(enemy: Vec3 | undefined): void {
    this._fights = enemy !== undefined;
    if (enemy) this._work.floats[GOAL_HEIGHT] = enemy[2]!;
  }

  private _walk(state: QuakeThingState): boolean {
    const work = this._work;
    const { floats: v, trace } = work;
    const floats = state.flies !== 0 || state.swims !== 0;
    if (!work.onGround && !floats) return false;
    aimStep(v);
    copy(v, ORIGIN, OLD_ORIGIN);
    this._use(this._usual, state);
    if (floats) return this._swim(state);
    if (!traceStep(work, STEP_SIZE)) return false;
    const isOnEdge = this._partialGround !== 0;
    if (trace.fraction === 1) {
      if (!isOnEdge) return false;
      for (let k = 0; k < 3; k++) v[ORIGIN + k] = v[ORIGIN + k]! + v[PUSH + k]!;
      work.onGround = false;
      return true;
    }
    put(v, ORIGIN, trace.endPos);
    const ground = hitOf(trace);
    if (!this._hasBottom(state)) {
      if (!isOnEdge) copy(v, OLD_ORIGIN, ORIGIN);
      return isOnEdge;
    }
    this._partialGround = 0;
    work.ground = ground;
    return true;
  }

  /** A step of a monster that flies or swims: tried up or down to its enemy's height first, then level. */
  private _swim(state: QuakeThingState): boolean {
    const work = this._work;
    const { floats: v, trace } = work;
    for (let level = this._fights ? 0 : 1; level < 2; level++) {
      copy(v, ORIGIN, START);
      for (let k = 0; k < 3; k++) v[END + k] = v[ORIGIN + k]! + v[PUSH + k]!;
      if (level === 0) {
        const above = f(v[ORIGIN + 2]! - v[GOAL_HEIGHT]!);
        if (above > HIGHEST_ABOVE) v[END + 2] = v[END + 2]! - RISE;
        if (above < LEAST_ABOVE) v[END + 2] = v[END + 2]! + RISE;
      }
      traceBox(work);
      if (trace.fraction !== 1) continue;
      put(v, END, trace.endPos);
      if (state.swims !== 0 && this._contentsAt(this._end) === CONTENTS_EMPTY) return false;
      copy(v, END, ORIGIN);
      return true;
    }
    return false;
  }

  private _chase(state: QuakeThingState, random: () => number): boolean {
    const work = this._work;
    const { floats: v } = work;
    if (!work.onGround && state.flies === 0 && state.swims === 0) return false;
    if (this._fights && isClose(v, ORIGIN, state.mins, state.maxs)) return false;
    if (this._ways.step(v, random, this, state)) return true;
    // What it stood on may have gone.
    if (!this._hasBottom(state)) this._partialGround = 1;
    return true;
  }

  /** Turns to its ideal yaw and steps there, if it can. @internal */
  _stepOn(state: QuakeThingState): boolean {
    const { floats: v } = this._work;
    turnToIdeal(v);
    v[STEP_YAW] = v[IDEAL_YAW]!;
    if (!this._walk(state)) return false;
    if (facesAway(v)) copy(v, OLD_ORIGIN, ORIGIN);
    return true;
  }

  private _hasBottom({ entity, mins, maxs }: QuakeThingState): boolean {
    this._feeler.ignore = entity;
    this._work.box = this._feeler;
    return hasBottom(this._work, ORIGIN, mins, maxs, this._isSolid);
  }

  /** @internal */
  toString(): string {
    return `QuakeThingMover { touched: ${this.numTouched} }`;
  }
}

/**
 * What a trace hit or started in: 0 for the world, a body's number, -1 for nothing. A move that stays in solid has hit that, though
 * its fraction is 1.
 */
function hitOf({ entity, fraction, startSolid }: Trace & { readonly entity?: number }): number {
  return fraction === 1 && !startSolid ? -1 : (entity ?? 0);
}

/**
 * Makes a mover of what single-player Quake's server moves by itself: things that fly, fall and bounce, and monsters. Players are
 * moved by {@link createQuakeMover}.
 *
 * @param space - a world with hulls, or `{ trace, contents }`, such as a scene with rules 'quake1' and its world.
 * @throws TypeError if it makes no tracers of boxes or gives no contents of hulls, for a scene with other rules than Quake's, and
 *   for unknown options; RangeError for a variable that is not finite.
 */
export function createQuakeThingMover(
  space: (BoxSource & QuakeThingSpace['contents']) | QuakeThingSpace,
  variables: QuakeThingVariables = {},
): QuakeThingMover {
  return new QuakeThingMover(checkHalves(space, 'a world with hulls', 'box', 'hullContents'), variables);
}
