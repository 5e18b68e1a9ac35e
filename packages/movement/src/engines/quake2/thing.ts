import type { Trace, Vec3 } from '@bspkit/core';
import {
  checkCallback,
  checkFinite,
  checkFlag,
  checkObject,
  checkOptions,
  checkPoint,
  printAsString,
} from '@bspkit/core/format';
import {
  type BoxSource,
  ContentsProbe,
  type ContentsSource,
  checkSpace,
  entityOf,
  MovedBox,
  type PlayerSpace,
} from '../../space.ts';
import { addScaled, BY, checkEnd, clear, copy, DOT, dot, put, scale, take } from '../../vectors.ts';
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
  POINT,
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
import {
  CONTENTS_SOLID,
  FRICTION,
  MASK_MONSTERSOLID,
  MASK_SOLID,
  MASK_WATER,
  STOP_SPEED,
} from './constants.ts';
import { checkThingState, Quake2MoveType, type Quake2ThingState } from './thing-state.ts';

// What the game does with things that fly, fall and bounce, and with monsters. Written from what it is known to do (g_phys.c,
// m_move.c, g_monster.c), and compared with rows recorded from Yamagi Quake II's own game on its dedicated server.

const f = Math.fround;

// Places in the array of floats.
const ANGULAR: number = OWN;
const NORMAL: number = OWN + 3;
/** Where a push, a fall or a step began. */
const OLD_ORIGIN: number = OWN + 6;
/** Where it took part in the world last. */
const LINKED: number = OWN + 9;
const GRAVITY: number = OWN + 12;
const MAX_VELOCITY: number = OWN + 13;
/** A speed, and the factor that friction leaves of it. */
const SPEED: number = OWN + 14;
/** How high a monster is above its goal. */
const ABOVE: number = OWN + 15;

/** How long a frame of the game is, in seconds. A double. */
const FRAME_TIME = 0.1;
/** More than there are bumps in a slide, and bodies that are gone when they are touched in one move. */
const MOST_TOUCHED = 16;
const BOUNCE = 1.5;
/** What bounces off a floor with less than this, in units per second, lies there. */
const LEAST_BOUNCE = 60;
/** How long a monster has fallen, in seconds, when its landing is heard. A double. */
const HARD_FALL = 0.1;
/** What rises with more than this does not stand. */
const HIGHEST_RISE = 100;
/** How high monsters step that take no steps. */
const LEAST_STEP = 1;
/** How far below it a monster looks for ground, and where it is dropped. */
const REACH = 0.25;
const DROP = 256;
/** Of what a monster flies and swims by, and what stops it in water. */
const FLY_FRICTION = 2;
const WATER_FRICTION = 1;
/** Heights above a player between which flying monsters stay, and how quickly they come there. */
const HIGHEST_ABOVE = 40;
const LEAST_ABOVE = 30;
const RISE = 8;
/** Heights of a monster's feet, waist and eyes, each above the one before. */
const FEET = 2;
const WAIST = 26;
const EYES = 22;

/** What a monster goes to, as {@link Quake2ThingMover.moveToGoal} takes it. */
export interface Quake2Goal {
  /** In Quake units. */
  readonly origin: Vec3;
  /** Whether it is a player, which is what it counts as by default. */
  readonly isPlayer?: boolean | undefined;
}

/** What a monster fights. */
export interface Quake2Enemy {
  /** Where it took part in the world last, in Quake units. */
  readonly origin: Vec3;
  /** Its box, relative to `origin`. */
  readonly mins: Vec3;
  readonly maxs: Vec3;
  /** Whether it has no part in the world, as what is gone: nothing is left of that in the game but a point at 0 0 0. */
  readonly unlinked?: boolean | undefined;
}

/** Variables of the game, as float32. Those left out stay as they are. */
export interface Quake2ThingVariables {
  /** `sv_gravity`, in units per second squared: 800 by default. */
  readonly gravity?: number | undefined;
  /** `sv_maxvelocity`, the highest speed, in units per second: 2,000 by default. */
  readonly maxVelocity?: number | undefined;
}

/** Options of {@link createQuake2ThingMover}. */
export interface Quake2ThingOptions extends Quake2ThingVariables {
  /**
   * Called in the middle of a move, with what the thing has just hit: 0 for the world, or a body's number. Returns whether that
   * is gone, as glass that breaks: take the body out of the scene then. A thing that flies or falls goes on in its place. Do not
   * use the mover meanwhile.
   */
  readonly breaks?: ((entity: number) => boolean) | undefined;
}

const NAMES = ['gravity', 'maxVelocity'] as const;
const ENEMY_NAMES = ['enemy', 'enemy.origin', 'enemy.mins', 'enemy.maxs', 'enemy.unlinked'] as const;

/**
 * Moves things that fly, fall and bounce, and monsters, as the game of Quake 2 does. Made by {@link createQuake2ThingMover}; one
 * mover serves any number of them in turn.
 */
export class Quake2ThingMover {
  /**
   * What the last call hit, in order of contact: 0 for the world, or a body's number. Only the first `numTouched` are valid. What
   * then happens is up to the game. Only `move` hits anything; every other call clears it.
   */
  readonly touched: Int32Array;
  /**
   * Where a thing that took part in the world again with the last call was when it did. How deep a monster is in water depends on
   * that, and whether {@link Quake2ThingMover.moveToGoal} finds it near its enemy. Its origin may be elsewhere by now: gibs are put
   * off walls after that, and a monster sinks by a quarter of a unit at most when it looks for ground. Every call overwrites it:
   * copy it to keep it, or to pass it as anything but `linked`.
   */
  readonly linked: Float32Array;
  private readonly _contents: ContentsProbe;
  private readonly _work: ServerWork;
  private readonly _box: MovedBox;
  /** A point, to feel for floors. */
  private readonly _feeler: MovedBox;
  private readonly _origin: Float32Array;
  private readonly _ways: Ways = new Ways(true);
  private readonly _isSolid = (point: Vec3): boolean => this._contents.contents(point) === CONTENTS_SOLID;
  private _partialGround = 0;
  private _waterType = 0;
  private _waterLevel = 0;
  private _splashed = false;
  private _landed = false;
  /** Whether it fights what is at GOAL_HEIGHT, and whether that is a player. */
  private _fights = false;
  private _isPlayer = false;
  private _isMoving = false;

  /** @internal */
  constructor({ trace, contents }: PlayerSpace, options: Quake2ThingOptions) {
    const { breaks } = options;
    if (breaks !== undefined) checkCallback(breaks, 'options.breaks');
    const none = { mins: [0, 0, 0], maxs: [0, 0, 0] } as const;
    this._box = new MovedBox(trace, none, MASK_SOLID);
    this._feeler = new MovedBox(trace, none, MASK_MONSTERSOLID);
    this._contents = new ContentsProbe(contents);
    this._work = createServerWork(this._box, MOST_TOUCHED, breaks);
    const { floats, touched } = this._work;
    this.touched = touched;
    this.linked = floats.subarray(LINKED, LINKED + 3);
    this._origin = floats.subarray(ORIGIN, ORIGIN + 3);
    floats[GRAVITY] = 800;
    floats[MAX_VELOCITY] = 2000;
    this._apply(options);
    printAsString(this);
  }

  /** How many contacts the last call had. */
  get numTouched(): number {
    return this._work.numTouched;
  }

  /** Whether the last call led into a liquid or out of one, where the engine plays a sound. */
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
  set(variables: Quake2ThingVariables): this {
    checkOptions(variables, NAMES, 'variables');
    this._apply(variables);
    return this;
  }

  private _apply(variables: Quake2ThingVariables): void {
    // Each is read once, as there may be getters.
    const { gravity, maxVelocity } = variables;
    if (gravity !== undefined) checkFinite(gravity, 'gravity');
    if (maxVelocity !== undefined) checkFinite(maxVelocity, 'maxVelocity');
    if (maxVelocity! < 0) throw new RangeError(`maxVelocity must not be negative, got ${maxVelocity}`);
    const { floats: v } = this._work;
    if (gravity !== undefined) v[GRAVITY] = gravity;
    if (maxVelocity !== undefined) v[MAX_VELOCITY] = maxVelocity;
  }

  /**
   * Moves a thing by one frame of the game, which is 100 milliseconds, as its `moveType` says, in place and without allocation. For
   * monsters that is the fall alone: after it, the game lets them think, which may call {@link Quake2ThingMover.walkMove} or
   * {@link Quake2ThingMover.moveToGoal}.
   *
   * @returns whether it took part in the world again: then move its body in the scene, even if it is where it was, as the order of
   *   bodies depends on that. Things that lie on something do not move.
   * @throws TypeError for a state that {@link createQuake2ThingState} has not made; RangeError naming the number that is wrong, or
   *   when the thing leaves what float32 can hold; Error for a body that is gone, as `breaks` says, but still stops it. The state
   *   does not change when it throws.
   */
  move(state: Quake2ThingState): boolean {
    this._begin(state);
    let moves: boolean;
    try {
      moves = this._move(state);
    } finally {
      this._isMoving = false;
    }
    this._store(state);
    return moves;
  }

  /**
   * Moves a monster by one step, as the game's `M_walkmove` does: up and down steps of 18 units, but not over edges, nor into
   * water or, if it swims, out of it. Nothing is touched by that.
   *
   * @param yaw - where to, in degrees.
   * @param distance - how far, in units.
   * @param goal - where what it fights is, if it fights: a flying or swimming monster comes to the height of that.
   * @param isPlayer - whether that is a player, above whom it stays 30 to 40 units.
   * @returns whether it moved; if so, move its body in the scene. One that neither flies, swims nor stands on something does not.
   * @throws as {@link Quake2ThingMover.move}.
   */
  walkMove(state: Quake2ThingState, yaw: number, distance: number, goal?: Vec3, isPlayer = true): boolean {
    checkFinite(yaw, 'yaw');
    checkFinite(distance, 'distance');
    if (goal !== undefined) checkPoint(goal, 'goal');
    checkFlag(isPlayer, 'isPlayer');
    this._begin(state);
    const { floats: v } = this._work;
    v[STEP_YAW] = yaw;
    v[STEP_LENGTH] = distance;
    let moves: boolean;
    try {
      if (goal) v[GOAL_HEIGHT] = goal[2]!;
      this._fights = goal !== undefined;
      this._isPlayer = isPlayer;
      moves = this._walk(state);
    } finally {
      this._isMoving = false;
    }
    this._store(state);
    return moves;
  }

  /**
   * Moves a monster by one step towards a goal, as the game's `M_MoveToGoal` does: on in the direction of its `idealYaw`, to which
   * it turns first, or where that is not possible, and sometimes without reason, in another direction, which is its `idealYaw`
   * from then on. It only turns where its yaw is then above its `idealYaw` by more than 45 and less than 315 degrees; where it is
   * below, it steps however it faces, as in the engine.
   *
   * @param distance - how far, in units.
   * @param goal - where it goes, which may be what it fights. Fighting, a flying or swimming monster comes to the height of that,
   *   or stays 30 to 40 units above it, if that is a player.
   * @param random - gives a whole number from 0 to 2,147,483,647, of which only the lowest two bits count. It is called up to three
   *   times: first for whether to go on; then, if it does not go on, for which of two axes to try first; and where neither is
   *   free, for which way around to look. If it changes the goal or the enemy, that counts from the next call on; it must not
   *   change the state.
   * @param enemy - what it fights, if it fights: it does not move if it comes to that by going so far.
   * @param linked - where it took part in the world last, if not at its origin: {@link Quake2ThingMover.linked} of that call.
   * @returns whether it took part in the world again: then move its body in the scene, even if it is where it was. Otherwise it
   *   has neither moved nor turned: it is near its enemy, or neither flies, swims nor stands on something.
   * @throws as {@link Quake2ThingMover.move}, and RangeError for any other number from `random`.
   */
  moveToGoal(
    state: Quake2ThingState,
    distance: number,
    goal: Quake2Goal,
    random: () => number,
    enemy?: Quake2Enemy,
    linked: Vec3 = state?.origin,
  ): boolean {
    checkFinite(distance, 'distance');
    checkObject(goal, 'goal');
    const { origin, isPlayer = true } = goal;
    checkPoint(origin, 'goal.origin');
    checkFlag(isPlayer, 'goal.isPlayer');
    checkCallback(random, 'random');
    if (enemy !== undefined) checkChased(enemy, ENEMY_NAMES);
    this._begin(state, linked);
    const { floats: v } = this._work;
    v[STEP_LENGTH] = distance;
    let moves: boolean;
    try {
      // All that is read before anything is drawn, which may change it.
      put(v, GOAL, origin);
      v[GOAL_HEIGHT] = v[GOAL + 2]!;
      if (enemy) noteChased(v, enemy, false);
      this._fights = enemy !== undefined;
      this._isPlayer = isPlayer;
      moves = this._chase(state, random);
    } finally {
      this._isMoving = false;
    }
    this._store(state, true);
    return moves;
  }

  /**
   * Turns a monster's yaw, `angles[1]`, to its `idealYaw` by `yawSpeed` at most, as the game's `M_ChangeYaw` does.
   *
   * @throws as {@link Quake2ThingMover.move}.
   */
  changeYaw(state: Quake2ThingState): void {
    this._begin(state);
    turnToIdeal(this._work.floats);
    this._isMoving = false;
    this._store(state);
  }

  /**
   * Puts a monster onto the floor, at most 256 units below it, and looks for ground and water there, as the game's
   * `M_droptofloor` does. It begins a unit higher, and stays there if there is no floor.
   *
   * @returns whether there is a floor, and so took part in the world again. Move its body in the scene in any case.
   * @throws as {@link Quake2ThingMover.move}.
   */
  dropToFloor(state: Quake2ThingState): boolean {
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
   * Whether there is floor enough below a monster's box to stand on, as the game's `M_CheckBottom` says: at most 36 units below
   * its middle, and at each corner at most 18 units lower than there.
   *
   * @throws as {@link Quake2ThingMover.move}.
   */
  checkBottom(state: Quake2ThingState): boolean {
    this._begin(state);
    try {
      return this._hasBottom(state);
    } finally {
      this._isMoving = false;
    }
  }

  /**
   * Looks whether a monster stands on something, a quarter of a unit below it at most, as the game's `M_CheckGround` does: after
   * it has thought, if it has taken part in the world since that was asked last. It may sink onto that: move its body in the scene
   * then.
   *
   * @throws as {@link Quake2ThingMover.move}.
   */
  checkGround(state: Quake2ThingState): void {
    this._begin(state);
    try {
      this._findGround(state);
    } finally {
      this._isMoving = false;
    }
    this._store(state);
  }

  /**
   * Says that what a thing lies or stands on has moved, changed or gone since it was moved last: to be called before it is moved
   * again. It falls then, unless it is a monster that still finds ground there, as {@link Quake2ThingMover.checkGround} says.
   *
   * @throws as {@link Quake2ThingMover.move}.
   */
  loseGround(state: Quake2ThingState): void {
    this._begin(state);
    try {
      if (this._work.ground >= 0) {
        this._work.ground = -1;
        if (state.monster !== 0) this._findGround(state);
      }
    } finally {
      this._isMoving = false;
    }
    this._store(state);
  }

  /**
   * Looks how deep a monster is in water, which the game does after it has thought; for all others, {@link Quake2ThingMover.move}
   * does. Sets `waterType` and `waterLevel`.
   *
   * @param linked - where it took part in the world last, if not at its origin: {@link Quake2ThingMover.linked} of that call.
   * @throws as {@link Quake2ThingMover.move}.
   */
  checkWater(state: Quake2ThingState, linked: Vec3 = state?.origin): void {
    this._begin(state, linked);
    try {
      this._findWater(state);
    } finally {
      this._isMoving = false;
    }
    this._store(state);
  }

  private _begin(state: Quake2ThingState, linked: Vec3 = state?.origin): void {
    if (this._isMoving) throw new Error('a mover cannot be used within its own move');
    checkThingState(state);
    checkPoint(linked, 'linked');
    const work = this._work;
    const { floats: v } = work;
    put(v, ORIGIN, state.origin);
    put(v, VELOCITY, state.velocity);
    put(v, ANGLES, state.angles);
    put(v, ANGULAR, state.angularVelocity);
    v[IDEAL_YAW] = state.idealYaw;
    v[YAW_SPEED] = state.yawSpeed;
    // Which may be the mover's own array.
    put(v, LINKED, linked);
    work.ground = state.ground;
    work.numTouched = 0;
    this._partialGround = state.partialGround;
    this._waterType = state.waterType;
    this._waterLevel = state.waterLevel;
    this._splashed = false;
    this._landed = false;
    this._contents.ignore = state.entity;
    this._isMoving = true;
  }

  private _store(state: Quake2ThingState, hasChased = false): void {
    const work = this._work;
    const { floats: v } = work;
    checkEnd(v, ORIGIN, VELOCITY);
    checkEnd(v, ANGLES, ANGULAR, 'angles', 'angularVelocity');
    // Single numbers are written as they are first: one that is read-only throws, before anything has changed.
    const { partialGround, ground, waterType, waterLevel } = state;
    state.partialGround = partialGround;
    state.ground = ground;
    state.waterType = waterType;
    state.waterLevel = waterLevel;
    if (hasChased) state.idealYaw = v[IDEAL_YAW]!;
    state.partialGround = this._partialGround;
    state.ground = work.ground;
    state.waterType = this._waterType;
    state.waterLevel = this._waterLevel;
    take(v, ORIGIN, state.origin);
    take(v, VELOCITY, state.velocity);
    take(v, ANGLES, state.angles);
    take(v, ANGULAR, state.angularVelocity);
  }

  /** Makes the box that of the state, and traces that from now on. */
  private _use({ mins, maxs, entity }: Quake2ThingState, mask: number): void {
    const { _box: box } = this;
    box.resize(mins, maxs);
    box.ignore = entity;
    box.mask = mask;
    this._work.box = box;
  }

  private _link(): void {
    copy(this._work.floats, ORIGIN, LINKED);
  }

  private _move(state: Quake2ThingState): boolean {
    switch (state.moveType) {
      case Quake2MoveType.none:
        return false;
      case Quake2MoveType.noclip:
        this._spin();
        addScaled(this._work.floats, ORIGIN, VELOCITY, ORIGIN);
        this._link();
        return true;
      case Quake2MoveType.step:
        return this._fall(state);
      default:
        return this._toss(state);
    }
  }

  /** Turns it for a frame; leaves the length of that in BY. */
  private _spin(): void {
    const { floats: v } = this._work;
    v[BY] = FRAME_TIME;
    addScaled(v, ANGLES, ANGULAR, ANGLES);
  }

  private _toss(state: Quake2ThingState): boolean {
    const work = this._work;
    const { floats: v, trace } = work;
    const { moveType: type } = state;
    if (v[VELOCITY + 2]! > 0) work.ground = -1;
    if (work.ground >= 0) return false;
    this._limit();
    if (type !== Quake2MoveType.fly && type !== Quake2MoveType.missile) this._pull(state);
    this._spin();
    copy(v, VELOCITY, PUSH);
    scale(v, PUSH);
    const hit = this._push(state);
    if (trace.fraction < 1) {
      put(v, NORMAL, trace.normal);
      const bounces = type === Quake2MoveType.bounce;
      clip(v, VELOCITY, NORMAL, VELOCITY, bounces ? BOUNCE : 1);
      if (trace.normal[2]! > LEAST_FLOOR && (v[VELOCITY + 2]! < LEAST_BOUNCE || !bounces)) {
        work.ground = hit;
        clear(v, VELOCITY);
        clear(v, ANGULAR);
      }
    }
    const wasWet = this._waterType & MASK_WATER;
    this._waterType = this._contents.contents(this._origin);
    this._waterLevel = this._waterType & MASK_WATER ? 1 : 0;
    this._splashed = (wasWet !== 0) !== (this._waterLevel !== 0);
    return true;
  }

  /** Pushes it by PUSH, again where what it has hit is gone. Returns what it has hit, or -1. */
  private _push(state: Quake2ThingState): number {
    const work = this._work;
    const { floats: v, trace } = work;
    copy(v, ORIGIN, OLD_ORIGIN);
    for (let before = -1; ; ) {
      this._use(state, state.mask === 0 ? MASK_SOLID : state.mask | 0);
      pushBy(work);
      if (trace.startSolid) {
        // Out of whatever it is stuck in, as long as that is not the map.
        copy(v, OLD_ORIGIN, ORIGIN);
        this._use(state, MASK_SOLID);
        pushBy(work);
      }
      this._link();
      if (state.gib !== 0 && !isLevel(trace)) {
        for (let k = 0; k < 3; k++) v[ORIGIN + k] = v[ORIGIN + k]! + trace.normal[k]!;
      }
      if (trace.fraction === 1) return -1;
      const hit = entityOf(trace);
      if (!touch(work, hit)) return hit;
      // The world cannot.
      if (hit === before || hit === 0)
        throw new Error(`${hit} is gone, as breaks says, but still in the way`);
      before = hit;
      copy(v, OLD_ORIGIN, ORIGIN);
    }
  }

  /** The fall of a monster. */
  private _fall(state: Quake2ThingState): boolean {
    const work = this._work;
    const { floats: v, trace } = work;
    const flies = state.flies !== 0;
    const swims = state.swims !== 0;
    if (work.ground < 0) this._findGround(state);
    const stood = work.ground >= 0;
    this._limit();
    if (v[ANGULAR] !== 0 || v[ANGULAR + 1] !== 0 || v[ANGULAR + 2] !== 0) this._slowSpin();
    let isHard = false;
    if (!stood && !flies && !(swims && this._waterLevel > 2)) {
      isHard = v[VELOCITY + 2]! < v[GRAVITY]! * -HARD_FALL;
      if (this._waterLevel === 0) this._pull(state);
    }
    if (flies && v[VELOCITY + 2] !== 0) this._slowRise(FLY_FRICTION, 1);
    if (swims && v[VELOCITY + 2] !== 0) this._slowRise(WATER_FRICTION, this._waterLevel);
    if (v[VELOCITY] === 0 && v[VELOCITY + 1] === 0 && v[VELOCITY + 2] === 0) return false;
    if ((stood || swims || flies) && !(state.dead !== 0 && !this._hasBottom(state))) this._slow();
    copy(v, ORIGIN, OLD_ORIGIN);
    this._use(state, state.monster !== 0 ? MASK_MONSTERSOLID : MASK_SOLID);
    v[TIME] = FRAME_TIME;
    work.ground = -1;
    serverSlide(work, true);
    if (
      v[ORIGIN] !== v[OLD_ORIGIN] ||
      v[ORIGIN + 1] !== v[OLD_ORIGIN + 1] ||
      v[ORIGIN + 2] !== v[OLD_ORIGIN + 2]
    ) {
      // Not out of the map.
      copy(v, ORIGIN, START);
      copy(v, ORIGIN, END);
      traceBox(work);
      if (trace.startSolid) copy(v, OLD_ORIGIN, ORIGIN);
    }
    this._link();
    this._landed = isHard && work.ground >= 0 && !stood;
    return true;
  }

  /** Turns it for a frame, and less in the next. */
  private _slowSpin(): void {
    const { floats: v } = this._work;
    this._spin();
    const less = f(FRAME_TIME * STOP_SPEED * FRICTION);
    for (let k = ANGULAR; k < ANGULAR + 3; k++) {
      v[k] = v[k]! > 0 ? Math.max(0, f(v[k]! - less)) : Math.min(0, f(v[k]! + less));
    }
  }

  /** Slows down how it rises or sinks; for swimmers by how deep they are in water. */
  private _slowRise(friction: number, level: number): void {
    const { floats: v } = this._work;
    v[SPEED] = Math.abs(v[VELOCITY + 2]!);
    this._keep(friction, level);
    v[VELOCITY + 2] = v[VELOCITY + 2]! * v[SPEED]!;
  }

  /** Slows down how it moves level. */
  private _slow(): void {
    const { floats: v } = this._work;
    v[SPEED] = Math.sqrt(f(f(v[VELOCITY]! * v[VELOCITY]!) + f(v[VELOCITY + 1]! * v[VELOCITY + 1]!)));
    if (v[SPEED] === 0) return;
    this._keep(FRICTION, 1);
    v[VELOCITY] = v[VELOCITY]! * v[SPEED]!;
    v[VELOCITY + 1] = v[VELOCITY + 1]! * v[SPEED]!;
  }

  /** Leaves the factor by which a speed is slowed down in its place. The speed is lost as a double. */
  private _keep(friction: number, level: number): void {
    const { floats: v } = this._work;
    const speed = v[SPEED]!;
    const control = speed < STOP_SPEED ? STOP_SPEED : speed;
    const left = f(speed - FRAME_TIME * control * friction * level);
    v[SPEED] = f(left < 0 ? 0 : left) / speed;
  }

  /** Gravity, with the time as a double. */
  private _pull({ gravityFactor }: Quake2ThingState): void {
    const { floats: v } = this._work;
    v[VELOCITY + 2] = v[VELOCITY + 2]! - f(f(gravityFactor) * v[GRAVITY]!) * FRAME_TIME;
  }

  /** Keeps the velocity within the game's limit. */
  private _limit(): void {
    const { floats: v } = this._work;
    dot(v, VELOCITY, VELOCITY);
    const speed = f(Math.sqrt(v[DOT]!));
    if (!(speed > v[MAX_VELOCITY]!)) return;
    v[BY] = 1 / speed;
    scale(v, VELOCITY);
    v[BY] = v[MAX_VELOCITY]!;
    scale(v, VELOCITY);
  }

  private _findGround(state: Quake2ThingState): void {
    const work = this._work;
    const { floats: v, trace } = work;
    if (state.flies !== 0 || state.swims !== 0) return;
    if (v[VELOCITY + 2]! > HIGHEST_RISE) {
      work.ground = -1;
      return;
    }
    this._use(state, MASK_MONSTERSOLID);
    copy(v, ORIGIN, START);
    copy(v, ORIGIN, END);
    v[END + 2] = v[END + 2]! - REACH;
    traceBox(work);
    if (trace.startSolid) return;
    work.ground = -1;
    if (trace.normal[2]! < LEAST_FLOOR) return;
    put(v, ORIGIN, trace.endPos);
    work.ground = entityOf(trace);
    v[VELOCITY + 2] = 0;
  }

  /** Looks for water at the feet, the waist and the eyes of its box where that is linked. */
  private _findWater({ mins, maxs }: Quake2ThingState): void {
    const { floats: v, point } = this._work;
    for (let k = 0; k < 3; k++) {
      const low = f(f(v[LINKED + k]! + mins[k]!) - 1);
      const high = f(f(v[LINKED + k]! + maxs[k]!) + 1);
      v[POINT + k] = k === 2 ? low + FEET : f(high + low) / 2;
    }
    const contents = this._contents.contents(point);
    const isWet = (contents & MASK_WATER) !== 0;
    this._waterType = isWet ? contents : 0;
    this._waterLevel = isWet ? 1 : 0;
    for (let level = 2; level <= 3 && this._waterLevel === level - 1; level++) {
      v[POINT + 2] = v[POINT + 2]! + (level === 2 ? WAIST : EYES);
      if ((this._contents.contents(point) & MASK_WATER) !== 0) this._waterLevel = level;
    }
  }

  private _drop(state: Quake2ThingState): boolean {
    const work = this._work;
    const { floats: v, trace } = work;
    this._use(state, MASK_MONSTERSOLID);
    v[ORIGIN + 2] = v[ORIGIN + 2]! + 1;
    copy(v, ORIGIN, START);
    copy(v, ORIGIN, END);
    v[END + 2] = v[END + 2]! - DROP;
    traceBox(work);
    if (trace.fraction === 1 || trace.allSolid) return false;
    put(v, ORIGIN, trace.endPos);
    this._link();
    this._findGround(state);
    this._findWater(state);
    return true;
  }

  private _walk(state: Quake2ThingState): boolean {
    const work = this._work;
    const { floats: v, trace } = work;
    const floats = state.flies !== 0 || state.swims !== 0;
    if (work.ground < 0 && !floats) return false;
    aimStep(v);
    this._use(state, MASK_MONSTERSOLID);
    copy(v, ORIGIN, OLD_ORIGIN);
    if (floats) return this._float(state);
    if (!traceStep(work, state.noStep === 0 ? STEP_SIZE : LEAST_STEP)) return false;
    if (this._waterLevel === 0 && this._endsInWater(state)) return false;
    const isOnEdge = this._partialGround !== 0;
    if (trace.fraction === 1) {
      if (!isOnEdge) return false;
      for (let k = 0; k < 3; k++) v[ORIGIN + k] = v[ORIGIN + k]! + v[PUSH + k]!;
      this._link();
      work.ground = -1;
      return true;
    }
    put(v, ORIGIN, trace.endPos);
    const ground = entityOf(trace);
    if (!this._hasBottom(state)) {
      if (isOnEdge) this._link();
      else copy(v, OLD_ORIGIN, ORIGIN);
      return isOnEdge;
    }
    this._partialGround = 0;
    work.ground = ground;
    this._link();
    return true;
  }

  /** A step of a monster that flies or swims: tried up or down to its goal's height first, then level. */
  private _float(state: Quake2ThingState): boolean {
    const work = this._work;
    const { flies, swims } = state;
    const { floats: v, trace } = work;
    for (let level = this._fights ? 0 : 1; level < 2; level++) {
      copy(v, ORIGIN, START);
      for (let k = 0; k < 3; k++) v[END + k] = v[ORIGIN + k]! + v[PUSH + k]!;
      if (level === 0) {
        v[ABOVE] = v[ORIGIN + 2]! - v[GOAL_HEIGHT]!;
        this._aim(swims !== 0);
      }
      traceBox(work);
      if (flies !== 0 && this._waterLevel === 0 && this._endsInWater(state)) return false;
      if (swims !== 0 && this._waterLevel < 2 && !this._endsInWater(state)) return false;
      if (trace.fraction !== 1) continue;
      put(v, ORIGIN, trace.endPos);
      this._link();
      return true;
    }
    return false;
  }

  /** Leads a step up or down, towards the height of the goal. */
  private _aim(swims: boolean): void {
    const { floats: v } = this._work;
    const above = v[ABOVE]!;
    const z = v[END + 2]!;
    if (!this._isPlayer)
      v[END + 2] = above > 0 ? z - Math.min(above, RISE) : z + (above < -RISE ? RISE : above);
    else if (above > HIGHEST_ABOVE) v[END + 2] = z - RISE;
    else if (above < LEAST_ABOVE && !(swims && this._waterLevel < 2)) v[END + 2] = z + RISE;
  }

  /** Whether the last trace ends with its feet in water. */
  private _endsInWater({ mins }: Quake2ThingState): boolean {
    const { floats: v, point, trace } = this._work;
    put(v, POINT, trace.endPos);
    v[POINT + 2] = f(v[POINT + 2]! + mins[2]!) + 1;
    return (this._contents.contents(point) & MASK_WATER) !== 0;
  }

  private _chase(state: Quake2ThingState, random: () => number): boolean {
    const work = this._work;
    const { floats: v } = work;
    if (work.ground < 0 && state.flies === 0 && state.swims === 0) return false;
    if (this._fights && isClose(v, LINKED, state.mins, state.maxs)) return false;
    if (this._ways.step(v, random, this, state)) return true;
    // What it stood on may have gone.
    if (!this._hasBottom(state)) this._partialGround = 1;
    return true;
  }

  /** Turns to its ideal yaw and steps there, if it can. @internal */
  _stepOn(state: Quake2ThingState): boolean {
    const { floats: v } = this._work;
    turnToIdeal(v);
    v[STEP_YAW] = v[IDEAL_YAW]!;
    const moved = this._walk(state);
    if (moved && facesAway(v)) copy(v, OLD_ORIGIN, ORIGIN);
    this._link();
    return moved;
  }

  private _hasBottom({ entity, mins, maxs }: Quake2ThingState): boolean {
    this._feeler.ignore = entity;
    this._work.box = this._feeler;
    return hasBottom(this._work, ORIGIN, mins, maxs, this._isSolid);
  }

  /** @internal */
  toString(): string {
    return `Quake2ThingMover { touched: ${this.numTouched} }`;
  }
}

/** Whether a trace has hit a level plane, as the engine types them: the bottom of a box is none. */
const isLevel = ({ normal, plane }: Trace): boolean => normal[2] === 1 || (normal[2] === -1 && plane >= 0);

/**
 * Makes a mover of what the game of Quake 2 moves: things that fly, fall and bounce, and monsters. Players are moved by {@link
 * createQuake2Mover}.
 *
 * @param space - a world, a scene with rules 'quake2', or the two halves of one.
 * @throws TypeError if it makes no tracers of boxes or gives no contents as bits, and for unknown options; RangeError for a
 *   variable that is not finite.
 */
export function createQuake2ThingMover(
  space: PlayerSpace | (BoxSource & ContentsSource),
  options: Quake2ThingOptions = {},
): Quake2ThingMover {
  checkOptions(options, [...NAMES, 'breaks'], 'options');
  return new Quake2ThingMover(checkSpace(space), options);
}
