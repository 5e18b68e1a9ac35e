import type { Vec3 } from '@bspkit/core';
import {
  checkArrayOf,
  checkBounds,
  checkChoice,
  checkFlag,
  checkMask,
  checkObject,
  checkOptions,
  checkPoint,
  checkRadius,
  checkWhole,
  printAsString,
} from '@bspkit/core/format';
import {
  type BoxSource,
  ContentsProbe,
  type ContentsSource,
  checkSpace,
  MovedBox,
  type PlayerSpace,
} from '../../space.ts';
import { RADIANS } from '../../turns.ts';
import { checkEnd, put, take } from '../../vectors.ts';
import { RADIANS_QVM } from './angles.ts';
import { STANDING } from './body.ts';
import { loadCommand, type Quake3Command } from './command.ts';
import { MASK_PLAYERSOLID } from './constants.ts';
import {
  COMMAND_TIME,
  createWork,
  FOOTSTEPS,
  FRAME_TIME,
  GRAVITY,
  GROUND_NORMAL,
  HAS_BOX,
  HAS_PLANE,
  IMPACT,
  KNOWS_GROUND,
  KNOWS_WATER,
  NUM_EVENTS,
  NUM_TOUCHED,
  ORIGIN,
  QVM,
  SERVER_TIME,
  TIMER,
  VELOCITY,
  WATER_LEVEL,
  WATER_TYPE,
  type Work,
} from './memory.ts';
import { MOST_TIME, runCommand } from './slice.ts';
import { slideMove, stepSlideMove } from './slide.ts';
import { loadState, type Quake3State, storeState } from './state.ts';

/** How players move. */
export interface Quake3MoverOptions {
  /**
   * Whose arithmetic: that of the game as native code, or as bytecode (QVM), which has no doubles. Most servers run bytecode;
   * about 1 command in 20 differs in its last bits.
   */
  readonly arithmetic?: 'native' | 'qvm' | undefined;
  /**
   * Length of the slices into which a command is divided, in milliseconds, 1 to 200: what servers call `pmove_msec`, 8 to 33, if
   * they have `pmove_fixed` set. Such servers also round a command's time up to whole slices. 66 by default, as the engine
   * divides commands without `pmove_fixed`.
   */
  readonly slice?: number | undefined;
  /** Whether running makes footsteps; true by default. */
  readonly footsteps?: boolean | undefined;
}

const OPTIONS: readonly string[] = [
  'arithmetic',
  'slice',
  'footsteps',
] satisfies (keyof Quake3MoverOptions)[];

/** The longest slice in milliseconds, where `pmove_fixed` is not set. */
const FREE_SLICE = 66;

/** The most events of a slice: a landing twice, a jump, a step, a footstep, two of water, and one to spare. */
const SLICE_EVENTS = 8;

/** A slide by itself: what it starts with, and its results. */
export interface Quake3Slide {
  /** Where it starts, and afterwards where it has ended, in Quake units. */
  readonly origin: Float32Array;
  /** In Quake units per second; changed by what is hit. */
  readonly velocity: Float32Array;
  /** Seconds, 0 or more. */
  frameTime: number;
  /** Whether gravity acts. */
  falls: boolean;
  /** Units per second squared. */
  gravity: number;
  /** The plane that it stands on, which it never slides into; none by default. */
  ground: Vec3 | undefined;
  /** While a timer runs (not 0), hits do not change the velocity. */
  timer: number;
  /** The lower corner of its box, relative to `origin`, in Quake units; a standing player's by default. */
  mins: Vec3;
  /** The upper corner of its box, relative to `origin`, in Quake units. */
  maxs: Vec3;
  /** Contents that stop it. */
  mask: number;
  /** Whether anything was hit. */
  bumped: boolean;
  /** The greatest speed at which a plane was entered, in units per second. */
  impactSpeed: number;
}

/** A slide of a standing player at 0 0 0, at rest. */
export function createQuake3Slide(): Quake3Slide {
  return {
    origin: new Float32Array(3),
    velocity: new Float32Array(3),
    frameTime: 0,
    falls: false,
    gravity: 800,
    ground: undefined,
    timer: 0,
    mins: Float32Array.from(STANDING.mins),
    maxs: Float32Array.from(STANDING.maxs),
    mask: MASK_PLAYERSOLID,
    bumped: false,
    impactSpeed: 0,
  };
}

/** Moves Quake 3 players. Made by {@link createQuake3Mover}; one mover serves any number of players in turn. */
export class Quake3Mover {
  /** Events of the last command or slide, in order: only the first `numEvents` are valid. See `Quake3Event`. */
  readonly events: Int32Array;
  /** Bodies that the last slice of the last command touched: only the first `numTouched` are valid. */
  readonly touched: Int32Array;
  private readonly _work: Work;
  private readonly _slice: number;
  private _isMoving = false;

  /** @internal */
  constructor({ trace, contents }: PlayerSpace, options: Quake3MoverOptions) {
    checkOptions(options, OPTIONS);
    const { arithmetic = 'native', slice = FREE_SLICE, footsteps = true } = options;
    checkChoice(arithmetic, 'arithmetic', ['native', 'qvm']);
    checkWhole(slice, 'slice', 1, 200);
    checkFlag(footsteps, 'footsteps');
    const box = new MovedBox(trace, STANDING, MASK_PLAYERSOLID);
    this._work = createWork(
      box,
      new ContentsProbe(contents),
      SLICE_EVENTS * Math.ceil(MOST_TIME / slice),
      arithmetic === 'qvm' ? RADIANS_QVM : RADIANS,
    );
    this._slice = slice;
    this.events = this._work.events;
    this.touched = this._work.touched;
    this._work.ints[QVM] = arithmetic === 'qvm' ? 1 : 0;
    this._work.ints[FOOTSTEPS] = footsteps ? 1 : 0;
    printAsString(this);
  }

  /** How many events the last command or slide had. */
  get numEvents(): number {
    return this._work.ints[NUM_EVENTS]!;
  }

  /** How many bodies the last slice touched. */
  get numTouched(): number {
    return this._work.ints[NUM_TOUCHED]!;
  }

  /**
   * Moves a player by a command, in place and without allocation, as the engine's server and client do: bit for bit. A command
   * that is not later than the state's time does not move the player: it clears `mins`, `maxs`, `waterLevel` and `waterType`, and
   * `frame` counts it if it is not earlier either. If a command is more than a second later, only the last second counts.
   *
   * @throws TypeError for a state that {@link createQuake3State} has not made; RangeError naming the part of the state or the
   *   command that is wrong, or when the player leaves what float32 can hold. The state does not change when it throws.
   */
  move(state: Quake3State, command: Quake3Command): void {
    const work = this._work;
    const { ints } = work;
    this._begin();
    try {
      loadState(work, state);
      loadCommand(work, command);
      ints[HAS_BOX] = 0;
      ints[KNOWS_GROUND] = 0;
      ints[KNOWS_WATER] = 0;
      ints[WATER_LEVEL] = 0;
      ints[WATER_TYPE] = 0;
      if (ints[SERVER_TIME]! >= ints[COMMAND_TIME]!) runCommand(work, this._slice);
    } finally {
      this._isMoving = false;
    }
    storeState(work, state);
  }

  /**
   * A single slide: moves by the velocity for some time, and along what is in the way.
   * @throws RangeError or TypeError naming the part of the slide that is wrong. It does not change when it throws.
   */
  slideMove(slide: Quake3Slide): void {
    this._slide(slide, false);
  }

  /**
   * A slide that climbs steps up to 18 units high: what the engine does for players who walk, fall and fly.
   * @throws RangeError or TypeError naming the part of the slide that is wrong. It does not change when it throws.
   */
  stepSlideMove(slide: Quake3Slide): void {
    this._slide(slide, true);
  }

  private _begin(): void {
    if (this._isMoving) throw new Error('a mover cannot be used within its own move');
    this._isMoving = true;
    this._work.ints[NUM_EVENTS] = 0;
    this._work.ints[NUM_TOUCHED] = 0;
  }

  private _slide(slide: Quake3Slide, steps: boolean): void {
    const work = this._work;
    const { floats } = work;
    checkSlide(slide);
    this._begin();
    let bumped: boolean;
    try {
      loadSlide(work, slide);
      bumped = steps ? stepSlideMove(work, slide.falls) : slideMove(work, slide.falls);
    } finally {
      this._isMoving = false;
    }
    checkEnd(floats, ORIGIN, VELOCITY);
    // Written as it is first: one that is read-only throws, before anything has changed.
    const { bumped: before } = slide;
    slide.bumped = before;
    slide.impactSpeed = floats[IMPACT]!;
    slide.bumped = bumped;
    take(floats, ORIGIN, slide.origin);
    take(floats, VELOCITY, slide.velocity);
  }

  /** @internal */
  toString(): string {
    return `Quake3Mover { events: ${this.numEvents}, touched: ${this.numTouched} }`;
  }
}

/** Throws unless a slide is valid; allocates nothing if it is. */
function checkSlide(slide: Quake3Slide): void {
  checkObject(slide, 'slide');
  const { origin, velocity, frameTime, gravity, timer, falls, ground, mins, maxs, mask } = slide;
  checkArrayOf(origin, Float32Array, 'slide.origin');
  checkArrayOf(velocity, Float32Array, 'slide.velocity');
  checkPoint(origin, 'slide.origin');
  checkPoint(velocity, 'slide.velocity');
  const time = Math.fround(frameTime);
  if (typeof frameTime !== 'number' || frameTime < 0 || time - time !== 0) {
    checkRadius(frameTime, 'slide.frameTime');
  }
  checkWhole(gravity, 'slide.gravity', -0x80000000, 0x7fffffff);
  checkWhole(timer, 'slide.timer', -0x80000000, 0x7fffffff);
  checkFlag(falls, 'slide.falls');
  if (ground !== undefined) checkPoint(ground, 'slide.ground');
  checkBounds(mins, maxs);
  checkMask(mask, 'slide.mask');
}

/** Loads a slide that has been checked. */
function loadSlide({ floats, ints, box }: Work, slide: Quake3Slide): void {
  const { origin, velocity, ground } = slide;
  put(floats, ORIGIN, origin);
  put(floats, VELOCITY, velocity);
  if (ground !== undefined) put(floats, GROUND_NORMAL, ground);
  box.resize(slide.mins, slide.maxs);
  floats[FRAME_TIME] = slide.frameTime;
  floats[IMPACT] = 0;
  ints[GRAVITY] = slide.gravity;
  ints[TIMER] = slide.timer;
  ints[HAS_PLANE] = ground === undefined ? 0 : 1;
  box.mask = slide.mask | 0;
  box.ignore = -1;
}

/**
 * Makes a mover of Quake 3 players. Traces and contents come from a world, or from `{ trace, contents }`, such as a scene and its
 * world.
 *
 * @throws TypeError for anything that cannot trace boxes or give contents, and for unknown options; RangeError for options out
 *   of range.
 */
export function createQuake3Mover(
  space: (BoxSource & ContentsSource) | PlayerSpace,
  options: Quake3MoverOptions = {},
): Quake3Mover {
  return new Quake3Mover(checkSpace(space), options);
}
