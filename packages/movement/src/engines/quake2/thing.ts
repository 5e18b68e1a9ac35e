import type { Vec3 } from '@bspkit/core';
import {
  checkCallback,
  checkFinite,
  checkFlag,
  checkObject,
  checkOptions,
  checkPoint,
  printAsString,
} from '@bspkit/core/format';
import { type BoxSource, type ContentsSource, checkSpace, type PlayerSpace } from '../../space.ts';
import { put } from '../../vectors.ts';
import { checkChased, noteChased, turnToIdeal } from '../chase.ts';
import { GOAL, GOAL_HEIGHT, STEP_LENGTH, STEP_YAW } from '../server-slide.ts';
import { loadThing, storeThing } from '../thing-memory.ts';
import { DEFAULT_VARIABLES, setVariables, VARIABLES } from '../thing-variables.ts';
import { dropToFloor, findGround, findWater, standsWell } from './thing-ground.ts';
import { createThingWork, LINKED, type ThingWork } from './thing-memory.ts';
import { moveThing } from './thing-moves.ts';
import { checkThingState, type Quake2ThingState } from './thing-state.ts';
import { chase, walk } from './thing-steps.ts';

// What the game does with things that fly, fall and bounce, and with monsters. Written from what it is known to do (g_phys.c,
// m_move.c, g_monster.c), and compared with rows recorded from Yamagi Quake II's own game on its dedicated server.

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
  /** Its box, relative to `origin`; of a turned model the cube around that in which it is however it turns. */
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
  private readonly _work: ThingWork;
  private _isMoving = false;

  /** @internal */
  constructor(space: PlayerSpace, options: Quake2ThingOptions) {
    const { breaks } = options;
    if (breaks !== undefined) checkCallback(breaks, 'options.breaks');
    this._work = createThingWork(space, breaks);
    const { floats, touched } = this._work.server;
    this.touched = touched;
    this.linked = floats.subarray(LINKED, LINKED + 3);
    setVariables(floats, DEFAULT_VARIABLES);
    setVariables(floats, options);
    printAsString(this);
  }

  /** How many contacts the last call had. */
  get numTouched(): number {
    return this._work.server.numTouched;
  }

  /** Whether the last call led into a liquid or out of one, where the engine plays a sound. */
  get splashed(): boolean {
    return this._work.splashed;
  }

  /** Whether the last call was the landing of a monster that had fallen for a while, where the engine plays a sound. */
  get landed(): boolean {
    return this._work.landed;
  }

  /**
   * Changes variables in place. If it throws, nothing has changed.
   * @throws RangeError for a variable that is not finite; TypeError for anything but a variable.
   */
  set(variables: Quake2ThingVariables): this {
    checkOptions(variables, VARIABLES, 'variables');
    setVariables(this._work.server.floats, variables);
    return this;
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
      moves = moveThing(this._work, state);
    } finally {
      this._isMoving = false;
    }
    storeThing(this._work, state, false);
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
    const { floats: v } = this._work.server;
    v[STEP_YAW] = yaw;
    v[STEP_LENGTH] = distance;
    let moves: boolean;
    try {
      if (goal) v[GOAL_HEIGHT] = goal[2]!;
      this._work.fights = goal !== undefined;
      this._work.isPlayer = isPlayer;
      moves = walk(this._work, state);
    } finally {
      this._isMoving = false;
    }
    storeThing(this._work, state, false);
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
    const { floats: v } = this._work.server;
    v[STEP_LENGTH] = distance;
    let moves: boolean;
    try {
      // All that is read before anything is drawn, which may change it.
      put(v, GOAL, origin);
      v[GOAL_HEIGHT] = v[GOAL + 2]!;
      if (enemy) noteChased(v, enemy, false);
      this._work.fights = enemy !== undefined;
      this._work.isPlayer = isPlayer;
      moves = chase(this._work, state, random);
    } finally {
      this._isMoving = false;
    }
    storeThing(this._work, state, true);
    return moves;
  }

  /**
   * Turns a monster's yaw, `angles[1]`, to its `idealYaw` by `yawSpeed` at most, as the game's `M_ChangeYaw` does.
   *
   * @throws as {@link Quake2ThingMover.move}.
   */
  changeYaw(state: Quake2ThingState): void {
    this._begin(state);
    turnToIdeal(this._work.server.floats);
    this._isMoving = false;
    storeThing(this._work, state, false);
  }

  /**
   * Puts a monster onto the floor, at most 256 units below it, and looks for ground and water there, as the game's
   * `M_droptofloor` does. It begins a unit higher, and stays there if there is no floor.
   *
   * @returns whether there is a floor, and so took part in the world again. Move its body in the scene in any case, if there is none
   *   with `link: false`.
   * @throws as {@link Quake2ThingMover.move}.
   */
  dropToFloor(state: Quake2ThingState): boolean {
    this._begin(state);
    let drops: boolean;
    try {
      drops = dropToFloor(this._work, state);
    } finally {
      this._isMoving = false;
    }
    storeThing(this._work, state, false);
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
      return standsWell(this._work, state);
    } finally {
      this._isMoving = false;
    }
  }

  /**
   * Looks whether a monster stands on something, a quarter of a unit below it at most, as the game's `M_CheckGround` does: after
   * it has thought, if it has taken part in the world since that was asked last. It may sink onto that: move its body in the scene
   * then, with `link: false`.
   *
   * @throws as {@link Quake2ThingMover.move}.
   */
  checkGround(state: Quake2ThingState): void {
    this._begin(state);
    try {
      findGround(this._work, state);
    } finally {
      this._isMoving = false;
    }
    storeThing(this._work, state, false);
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
      const { server } = this._work;
      if (server.ground >= 0) {
        server.ground = -1;
        if (state.monster !== 0) findGround(this._work, state);
      }
    } finally {
      this._isMoving = false;
    }
    storeThing(this._work, state, false);
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
      findWater(this._work, state);
    } finally {
      this._isMoving = false;
    }
    storeThing(this._work, state, false);
  }

  private _begin(state: Quake2ThingState, linked: Vec3 = state?.origin): void {
    if (this._isMoving) throw new Error('a mover cannot be used within its own move');
    checkThingState(state);
    checkPoint(linked, 'linked');
    const { _work: work } = this;
    loadThing(work, state);
    // Which may be the mover's own array.
    put(work.server.floats, LINKED, linked);
    work.contents.ignore = state.entity;
    this._isMoving = true;
  }

  /** @internal */
  toString(): string {
    return `Quake2ThingMover { touched: ${this.numTouched} }`;
  }
}

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
  checkOptions(options, [...VARIABLES, 'breaks'], 'options');
  return new Quake2ThingMover(checkSpace(space), options);
}
