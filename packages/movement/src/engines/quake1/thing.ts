import type { Vec3 } from '@bspkit/core';
import {
  checkCallback,
  checkFinite,
  checkFlag,
  checkOptions,
  checkPoint,
  checkRadius,
  printAsString,
} from '@bspkit/core/format';
import { type BoxSource, checkHalves } from '../../space.ts';
import { put } from '../../vectors.ts';
import { checkChased, noteChased, turnToIdeal } from '../chase.ts';
import { GOAL, GOAL_HEIGHT, STEP_LENGTH, STEP_YAW } from '../server-slide.ts';
import { loadThing, storeThing } from '../thing-memory.ts';
import { DEFAULT_VARIABLES, setVariables, VARIABLES } from '../thing-variables.ts';
import type { QuakeThingSpace } from './space.ts';
import { createThingWork, type ThingWork } from './thing-memory.ts';
import { dropToFloor, findWater, moveThing } from './thing-moves.ts';
import { checkThingState, type QuakeThingState } from './thing-state.ts';
import { chase, standsWell, walk } from './thing-steps.ts';

// What the server of single-player Quake does with things that fly, fall and bounce, and with monsters. Written from what its
// server is known to do (sv_phys.c, sv_move.c, world.c), and compared with rows recorded from QuakeSpasm's.

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
  private readonly _work: ThingWork;
  private _isMoving = false;

  /** @internal */
  constructor(space: QuakeThingSpace, variables: QuakeThingVariables) {
    this._work = createThingWork(space);
    const { floats, touched } = this._work.server;
    this.touched = touched;
    setVariables(floats, DEFAULT_VARIABLES);
    this.set(variables);
    printAsString(this);
  }

  /** How many contacts the last call had. */
  get numTouched(): number {
    return this._work.server.numTouched;
  }

  /** Whether the last call found that it went into a liquid or came out of one, where the engine plays a sound. */
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
  set(variables: QuakeThingVariables): this {
    checkOptions(variables, VARIABLES, 'variables');
    setVariables(this._work.server.floats, variables);
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
      moves = moveThing(this._work, state, frameTime);
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
    const { floats: v } = this._work.server;
    v[STEP_YAW] = yaw;
    v[STEP_LENGTH] = distance;
    let moves: boolean;
    try {
      this._noteEnemy(enemy);
      moves = walk(this._work, state);
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
    const { floats: v } = this._work.server;
    v[STEP_LENGTH] = distance;
    let moves: boolean;
    try {
      // All that is read before anything is drawn, which may change it.
      put(v, GOAL, goal.origin);
      noteChased(v, goal, item);
      this._noteEnemy(enemy);
      moves = chase(this._work, state, random);
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
    turnToIdeal(this._work.server.floats);
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
      drops = dropToFloor(this._work, state);
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
      return standsWell(this._work, state);
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
      findWater(this._work);
    } finally {
      this._isMoving = false;
    }
    this._store(state);
    return this._work.splashed;
  }

  private _begin(state: QuakeThingState): void {
    if (this._isMoving) throw new Error('a mover cannot be used within its own move');
    checkThingState(state);
    const { _work: work } = this;
    loadThing(work, state);
    work.server.onGround = state.onGround !== 0;
    this._isMoving = true;
  }

  private _store(state: QuakeThingState, hasChased = false): void {
    const { _work: work } = this;
    // Written as it is first, since nothing is to change where it is read-only.
    const { onGround } = state;
    state.onGround = onGround;
    storeThing(work, state, hasChased);
    state.onGround = work.server.onGround ? 1 : 0;
  }

  private _noteEnemy(enemy: Vec3 | undefined): void {
    const { _work: work } = this;
    work.fights = enemy !== undefined;
    if (enemy) work.server.floats[GOAL_HEIGHT] = enemy[2]!;
  }

  /** @internal */
  toString(): string {
    return `QuakeThingMover { touched: ${this.numTouched} }`;
  }
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
