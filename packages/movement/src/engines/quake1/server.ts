import { checkRadius, printAsString, showVec } from '@bspkit/core/format';
import { type BoxSource, checkTracing, MovedBox } from '../../space.ts';
import { createTurns, turnVectors } from '../../turns.ts';
import { checkEnd, clear, copy, DOT, dot, put, take } from '../../vectors.ts';
import {
  ANGLES,
  createServerWork,
  HIT_WALL,
  LEAST_FLOOR,
  ORIGIN,
  OWN,
  PUSH,
  type ServerWork,
  STEP_SIZE,
  STUCK_BETWEEN,
  serverSlide,
  TIME,
  VELOCITY,
  WALL,
} from '../server-slide.ts';
import { checkQuakeState, type QuakeState } from './server-state.ts';
import { touchBy } from './thing-memory.ts';

// The moves of players on single-player Quake's server.

const f = Math.fround;

// Places in the array of floats.
/** What a walk and its first slide began with, and where that slide ended. */
const OLD_ORIGIN: number = OWN;
const OLD_VELOCITY: number = OWN + 3;
const LOW_ORIGIN: number = OWN + 6;
const LOW_VELOCITY: number = OWN + 9;
/** Where the player is stuck. */
const STUCK: number = OWN + 12;
const FORWARD: number = OWN + 15;
const RIGHT: number = OWN + 18;
/** The last wall before an attempt to get free. */
const OLD_WALL: number = OWN + 21;

/** A player that moves less than this on both axes is stuck. */
const STUCK_WAY = 0.03125;
const FREE_WAY = 4;
const FREE_TIME: number = f(0.1);
/** Eight pushes, by x and y. */
const FREE_PUSHES: readonly number[] = [2, 0, 0, 2, -2, 0, 0, -2, 2, 2, -2, 2, 2, -2, -2, -2];

/** Two slides of four bumps each, eight pushes to get free with a slide each, and the pushes up and down. */
const MOST_TOUCHED = 50;

/**
 * Moves players as the server of single-player Quake does. Made by {@link createQuakeMover}; one mover serves any number of them
 * in turn.
 */
export class QuakeMover {
  /** Normal of the last wall that the last move hit; zero when it hit none. */
  readonly wall: Float32Array;
  /**
   * What the last move hit, in order of contact, with repetitions: 0 for the world, or a body's number. Only the first `numTouched`
   * are valid. What then happens is up to the game.
   */
  readonly touched: Int32Array;
  private readonly _work: ServerWork;
  private readonly _turns = createTurns();
  private _isMoving = false;

  /** @internal */
  constructor(source: BoxSource) {
    const box = new MovedBox(source, { mins: [-16, -16, -24], maxs: [16, 16, 32] });
    this._work = createServerWork(box, MOST_TOUCHED);
    this.wall = this._work.floats.subarray(WALL, WALL + 3);
    this.touched = this._work.touched;
    printAsString(this);
  }

  /** How many contacts the last move had. */
  get numTouched(): number {
    return this._work.numTouched;
  }

  /**
   * Moves by the velocity for this many seconds (a float32, 0 or more) and slides along what is hit, as the engine's fly move
   * does, in place and without allocation. Gravity is up to the caller.
   *
   * @returns what was hit, combined with OR: 1 a floor, 2 a wall; 7 when it is stuck between three planes, 3 also in solid.
   * @throws TypeError for a state that {@link createQuakeState} has not made; RangeError naming the number that is wrong. The
   *   state does not change when it throws.
   */
  fly(state: QuakeState, time: number): number {
    this._begin(state, time, 'time');
    let hit: number;
    try {
      this._work.floats[TIME] = time;
      hit = serverSlide(this._work);
    } finally {
      this._isMoving = false;
    }
    this._store(state);
    return hit;
  }

  /**
   * Moves a walking or falling player by the velocity for this many seconds (a double, 0 or more): a slide and, where a wall is
   * hit, another one from a step higher. Bit for bit the engine's walk move. Gravity, friction and the velocity that
   * commands give are up to the caller.
   *
   * @throws as {@link QuakeMover.fly}.
   */
  walk(state: QuakeState, frameTime: number): void {
    this._begin(state, frameTime, 'frameTime');
    try {
      this._walk(state, frameTime);
    } finally {
      this._isMoving = false;
    }
    this._store(state);
  }

  private _begin(state: QuakeState, time: number, name: string): void {
    if (this._isMoving) throw new Error('a mover cannot be used within its own move');
    const work = this._work;
    const { floats: v, box } = work;
    checkQuakeState(state);
    checkRadius(time, name);
    put(v, ORIGIN, state.origin);
    put(v, VELOCITY, state.velocity);
    put(v, ANGLES, state.angles);
    clear(v, WALL);
    work.numTouched = 0;
    box.resize(state.mins, state.maxs);
    box.ignore = state.entity;
    work.onGround = state.onGround !== 0;
    work.ground = state.ground;
    this._isMoving = true;
  }

  private _store(state: QuakeState): void {
    const work = this._work;
    const { floats: v } = work;
    checkEnd(v, ORIGIN, VELOCITY);
    // Single numbers are written as they are first: one that is read-only throws, before anything has changed.
    const { onGround, ground } = state;
    state.onGround = onGround;
    state.ground = ground;
    state.onGround = work.onGround ? 1 : 0;
    state.ground = work.ground;
    take(v, ORIGIN, state.origin);
    take(v, VELOCITY, state.velocity);
  }

  private _walk(state: QuakeState, frameTime: number): void {
    const work = this._work;
    const { floats: v, trace } = work;
    const wasOnGround = work.onGround;
    v[TIME] = frameTime;
    work.onGround = false;
    copy(v, ORIGIN, OLD_ORIGIN);
    copy(v, VELOCITY, OLD_VELOCITY);
    if ((serverSlide(work) & HIT_WALL) === 0) return;
    if ((!wasOnGround && state.waterLevel === 0) || state.waterJump !== 0) return;
    copy(v, ORIGIN, LOW_ORIGIN);
    copy(v, VELOCITY, LOW_VELOCITY);
    copy(v, OLD_ORIGIN, ORIGIN);
    v[PUSH] = 0;
    v[PUSH + 1] = 0;
    v[PUSH + 2] = STEP_SIZE;
    touchBy(work);
    this._restart();
    let hit = serverSlide(work);
    if (hit !== 0 && this._isNear(OLD_ORIGIN)) hit = this._getFree();
    if ((hit & HIT_WALL) !== 0) this._rubWall();
    v[PUSH] = 0;
    v[PUSH + 1] = 0;
    v[PUSH + 2] = -STEP_SIZE + v[OLD_VELOCITY + 2]! * frameTime;
    touchBy(work);
    if (trace.normal[2]! > LEAST_FLOOR) return;
    copy(v, LOW_ORIGIN, ORIGIN);
    copy(v, LOW_VELOCITY, VELOCITY);
  }

  /** Restores the velocity that the walk began with, without its vertical part. */
  private _restart(): void {
    const v = this._work.floats;
    copy(v, OLD_VELOCITY, VELOCITY);
    v[VELOCITY + 2] = 0;
  }

  private _isNear(place: number): boolean {
    const v = this._work.floats;
    return (
      Math.abs(f(v[place + 1]! - v[ORIGIN + 1]!)) < STUCK_WAY &&
      Math.abs(f(v[place]! - v[ORIGIN]!)) < STUCK_WAY
    );
  }

  /** Tries to push a player that hardly moves to eight sides. */
  private _getFree(): number {
    const work = this._work;
    const v = work.floats;
    copy(v, ORIGIN, STUCK);
    copy(v, WALL, OLD_WALL);
    for (let k = 0; k < FREE_PUSHES.length; k += 2) {
      const x = FREE_PUSHES[k]!;
      const y = FREE_PUSHES[k + 1]!;
      v[PUSH] = x;
      v[PUSH + 1] = y;
      v[PUSH + 2] = 0;
      touchBy(work);
      this._restart();
      v[TIME] = FREE_TIME;
      const hit = serverSlide(work);
      const isFree =
        Math.abs(f(v[STUCK + 1]! - v[ORIGIN + 1]!)) > FREE_WAY ||
        Math.abs(f(v[STUCK]! - v[ORIGIN]!)) > FREE_WAY;
      if (isFree) {
        copy(v, OLD_WALL, WALL);
        return hit;
      }
      copy(v, STUCK, ORIGIN);
    }
    copy(v, OLD_WALL, WALL);
    clear(v, VELOCITY);
    return STUCK_BETWEEN;
  }

  /** Looking at a wall slows a player down. */
  private _rubWall(): void {
    const v = this._work.floats;
    turnVectors(this._turns, v, ANGLES, FORWARD, RIGHT);
    dot(v, WALL, FORWARD);
    const facing = f(v[DOT]! + 0.5);
    if (facing >= 0) return;
    dot(v, WALL, VELOCITY);
    const into = v[DOT]!;
    const left = f(1 + facing);
    v[VELOCITY] = f(v[VELOCITY]! - f(v[WALL]! * into)) * left;
    v[VELOCITY + 1] = f(v[VELOCITY + 1]! - f(v[WALL + 1]! * into)) * left;
  }

  /** @internal */
  toString(): string {
    return `QuakeMover { wall: ${showVec(this.wall)} }`;
  }
}

/**
 * Makes a mover of single-player Quake's players. Monsters and things that fly are moved by {@link createQuakeThingMover}.
 *
 * @param space - a world, a scene with rules 'quake1', or the first half of `{ trace, contents }`.
 * @throws TypeError for anything that makes no tracers of boxes.
 */
export function createQuakeMover(space: BoxSource | { readonly trace: BoxSource }): QuakeMover {
  return new QuakeMover(checkTracing(space));
}
