import type { Trace } from '@bspkit/core';
import { checkFinite, checkObject, printAsString, showVec } from '@bspkit/core/format';
import { type BoxSource, entityOf, MovedBox } from '../../space.ts';
import { createTurns, turnVectors } from '../../turns.ts';
import { addScaled, BY, checkEnd, clear, copy, DOT, dot, put, take } from '../../vectors.ts';
import { checkQuakeState, type QuakeState } from './server-state.ts';
import { followCrease, turn } from './vectors.ts';

// The moves of single-player Quake's server: things that fly, players and monsters that walk.

const f = Math.fround;

// Places in the array of floats.
const ORIGIN = 2;
const VELOCITY = 5;
const ANGLES = 8;
const START = 11;
const END = 14;
const PRIMAL = 17;
const ORIGINAL = 20;
const TURNED = 23;
const CREASE = 26;
/** What a walk and its first slide began with, and where that slide ended. */
const OLD_ORIGIN = 29;
const OLD_VELOCITY = 32;
const LOW_ORIGIN = 35;
const LOW_VELOCITY = 38;
/** Where the player is stuck. */
const STUCK = 41;
const FORWARD = 44;
const RIGHT = 47;
/** Normal of the last wall. */
const WALL = 50;
/** The last wall before an attempt to get free. */
const OLD_WALL = 53;
const PLANES = 56;
/** How long a slide takes, and how far a push goes. */
const TIME = 71;
const PUSH = 72;
const FLOATS = 75;

const MOST_BUMPS = 4;
const STEP_SIZE = 18;
/** A double. */
const LEAST_FLOOR = 0.7;
/** A player that moves less than this on both axes is stuck. */
const STUCK_WAY = 0.03125;
const FREE_WAY = 4;
const FREE_TIME: number = f(0.1);
/** Eight pushes, by x and y. */
const FREE_PUSHES: readonly number[] = [2, 0, 0, 2, -2, 0, 0, -2, 2, 2, -2, 2, 2, -2, -2, -2];

/** Bits for what a slide hit: a floor, a wall. All three bits: it is stuck. */
const HIT_FLOOR = 1;
const HIT_WALL = 2;
const STUCK_BETWEEN = 7;

/**
 * Moves what the server of single-player Quake moves. Made by {@link createQuakeMover}; one mover serves any number of players,
 * monsters and things in turn.
 */
export class QuakeMover {
  /** Normal of the last wall that the last move hit; zero when it hit none. */
  readonly wall: Float32Array;
  private readonly _box: MovedBox;
  private readonly _trace: Trace;
  private readonly _floats: Float32Array = new Float32Array(FLOATS);
  private readonly _start: Float32Array = this._floats.subarray(START, START + 3);
  private readonly _end: Float32Array = this._floats.subarray(END, END + 3);
  private readonly _turns = createTurns();
  private _onGround = false;
  private _ground = -1;
  private _isMoving = false;

  /** @internal */
  constructor(source: BoxSource) {
    this._box = new MovedBox(source, { mins: [-16, -16, -24], maxs: [16, 16, 32] });
    this._trace = this._box.createTrace();
    this.wall = this._floats.subarray(WALL, WALL + 3);
    printAsString(this);
  }

  /**
   * Moves by the velocity for this many seconds (a float32) and slides along what is hit, as the engine's fly move does, in place
   * and without allocation. Gravity is up to the caller.
   *
   * @returns what was hit, combined with OR: 1 a floor, 2 a wall; 7 when it is stuck between three planes, 3 also in solid.
   * @throws TypeError for a state that {@link createQuakeState} has not made; RangeError naming the number that is wrong. The
   *   state does not change when it throws.
   */
  fly(state: QuakeState, time: number): number {
    this._begin(state, time, 'time');
    let hit: number;
    try {
      this._floats[TIME] = time;
      hit = this._slide();
    } finally {
      this._isMoving = false;
    }
    this._store(state);
    return hit;
  }

  /**
   * Moves a walking or falling object by the velocity for this many seconds (a double): a slide and, where a wall is
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
    const { _floats: v, _box: box } = this;
    checkQuakeState(state);
    checkFinite(time, name);
    put(v, ORIGIN, state.origin);
    put(v, VELOCITY, state.velocity);
    put(v, ANGLES, state.angles);
    clear(v, WALL);
    box.resize(state.mins, state.maxs);
    box.ignore = state.entity;
    this._onGround = state.onGround !== 0;
    this._ground = state.ground;
    this._isMoving = true;
  }

  private _store(state: QuakeState): void {
    checkEnd(this._floats, ORIGIN, VELOCITY);
    // Assigning to a frozen state throws here, which writing to its arrays would not.
    state.onGround = this._onGround ? 1 : 0;
    state.ground = this._ground;
    take(this._floats, ORIGIN, state.origin);
    take(this._floats, VELOCITY, state.velocity);
  }

  private _walk(state: QuakeState, frameTime: number): void {
    const { _floats: v, _trace: trace } = this;
    const wasOnGround = this._onGround;
    v[TIME] = frameTime;
    this._onGround = false;
    copy(v, ORIGIN, OLD_ORIGIN);
    copy(v, VELOCITY, OLD_VELOCITY);
    if ((this._slide() & HIT_WALL) === 0) return;
    if ((!wasOnGround && state.waterLevel === 0) || state.waterJump !== 0) return;
    copy(v, ORIGIN, LOW_ORIGIN);
    copy(v, VELOCITY, LOW_VELOCITY);
    copy(v, OLD_ORIGIN, ORIGIN);
    v[PUSH] = 0;
    v[PUSH + 1] = 0;
    v[PUSH + 2] = STEP_SIZE;
    this._push();
    this._restart();
    let hit = this._slide();
    if (hit !== 0 && this._isNear(OLD_ORIGIN)) hit = this._getFree();
    if ((hit & HIT_WALL) !== 0) this._rubWall();
    v[PUSH] = 0;
    v[PUSH + 1] = 0;
    v[PUSH + 2] = -STEP_SIZE + v[OLD_VELOCITY + 2]! * frameTime;
    this._push();
    if (trace.normal[2]! > LEAST_FLOOR) return;
    copy(v, LOW_ORIGIN, ORIGIN);
    copy(v, LOW_VELOCITY, VELOCITY);
  }

  /** Restores the velocity that the walk began with, without its vertical part. */
  private _restart(): void {
    const v = this._floats;
    copy(v, OLD_VELOCITY, VELOCITY);
    v[VELOCITY + 2] = 0;
  }

  private _isNear(place: number): boolean {
    const v = this._floats;
    return (
      Math.abs(f(v[place + 1]! - v[ORIGIN + 1]!)) < STUCK_WAY &&
      Math.abs(f(v[place]! - v[ORIGIN]!)) < STUCK_WAY
    );
  }

  /** Traces to END. */
  private _move(): void {
    copy(this._floats, ORIGIN, START);
    this._box.trace(this._start, this._end, this._trace);
  }

  /** Pushes it by PUSH, and puts it wherever that trace ends. */
  private _push(): void {
    const v = this._floats;
    for (let k = 0; k < 3; k++) v[END + k] = v[ORIGIN + k]! + v[PUSH + k]!;
    this._move();
    put(v, ORIGIN, this._trace.endPos);
  }

  private _slide(): number {
    const { _floats: v, _trace: trace } = this;
    copy(v, VELOCITY, PRIMAL);
    copy(v, VELOCITY, ORIGINAL);
    let left = v[TIME]!;
    let count = 0;
    let hit = 0;
    for (let bump = 0; bump < MOST_BUMPS; bump++) {
      if (v[VELOCITY] === 0 && v[VELOCITY + 1] === 0 && v[VELOCITY + 2] === 0) break;
      v[BY] = left;
      addScaled(v, ORIGIN, VELOCITY, END);
      this._move();
      if (trace.allSolid) {
        clear(v, VELOCITY);
        return HIT_FLOOR | HIT_WALL;
      }
      const { fraction, normal } = trace;
      if (fraction > 0) {
        put(v, ORIGIN, trace.endPos);
        copy(v, VELOCITY, ORIGINAL);
        count = 0;
      }
      if (fraction === 1) break;
      hit |= this._noteHit();
      left = f(left - f(left * fraction));
      put(v, PLANES + 3 * count++, normal);
      if (turn(v, ORIGINAL, TURNED, PLANES, count)) copy(v, TURNED, VELOCITY);
      else if (count === 2) followCrease(v, PLANES, CREASE, VELOCITY);
      else {
        clear(v, VELOCITY);
        return STUCK_BETWEEN;
      }
      // Never backwards, which would jitter in corners.
      dot(v, VELOCITY, PRIMAL);
      if (v[DOT]! <= 0) {
        clear(v, VELOCITY);
        return hit;
      }
    }
    return hit;
  }

  /**
   * Notes what the last trace hit: a floor, which is ground if it belongs to the world or a model, or a wall, which is
   * remembered.
   */
  private _noteHit(): number {
    const { _trace: trace, _floats: v } = this;
    const z = trace.normal[2]!;
    if (z > LEAST_FLOOR) {
      if (trace.model >= 0) {
        this._onGround = true;
        this._ground = entityOf(trace);
      }
      return HIT_FLOOR;
    }
    if (z !== 0) return 0;
    put(v, WALL, trace.normal);
    return HIT_WALL;
  }

  /** Tries to push a player that hardly moves to eight sides. */
  private _getFree(): number {
    const v = this._floats;
    copy(v, ORIGIN, STUCK);
    copy(v, WALL, OLD_WALL);
    for (let k = 0; k < FREE_PUSHES.length; k += 2) {
      const x = FREE_PUSHES[k]!;
      const y = FREE_PUSHES[k + 1]!;
      v[PUSH] = x;
      v[PUSH + 1] = y;
      v[PUSH + 2] = 0;
      this._push();
      this._restart();
      v[TIME] = FREE_TIME;
      const hit = this._slide();
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
    const v = this._floats;
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
 * Makes a mover of what single-player Quake's server moves: players and monsters that walk, and things that fly.
 *
 * @param space - a world, or a scene with rules 'quake1'.
 * @throws TypeError for anything that makes no tracers of boxes.
 */
export function createQuakeMover(space: BoxSource): QuakeMover {
  checkObject(space, 'space', 'a world or scene');
  if (typeof space.box !== 'function')
    throw new TypeError('space has no box(): pass a world, as openBsp opens it, or a scene');
  return new QuakeMover(space);
}
