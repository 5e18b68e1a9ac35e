import type { Vec3 } from '@bspkit/core';
import {
  checkChoice,
  checkFlag,
  checkOptions,
  checkPoint,
  failArgument,
  printAsString,
} from '@bspkit/core/format';
import { type BoxSource, type ContentsSource, checkSpace, MovedBox, type PlayerSpace } from '../../space.ts';
import { turnVectors } from '../../turns.ts';
import { copy } from '../../vectors.ts';
import { categorise, checkDuck, checkSpecialMove, clearTimer, keepBox, STANDING } from './body.ts';
import { loadCommand, type Quake2Command } from './command.ts';
import { ALL_TIMES, MASK_PLAYERSOLID, Quake2Flag, Quake2Type } from './constants.ts';
import {
  AIR_ACCELERATE,
  ANGLES,
  createWork,
  DELTAS,
  FALL,
  FLAGS,
  FORWARD,
  FRAME_TIME,
  GRAVITY,
  GROUND,
  GROUND_CONTENTS,
  GROUND_SURFACE,
  HAS_BOX,
  IS_SERVER,
  LEVEL_ANGLES,
  MOVE_FORWARD,
  MOVE_RIGHT,
  MOVE_UP,
  MSEC,
  NUM_TOUCHED,
  ON_LADDER,
  PLACE,
  RIGHT,
  TIMER,
  TURN,
  TYPE,
  VELOCITY,
  VIEW_HEIGHT,
  WATER_LEVEL,
  WATER_TYPE,
  type Work,
} from './memory.ts';
import { airMove, applyFriction, checkJump, deadMove, fall, flyMove, waterMove } from './moves.ts';
import { stepSlideMove } from './slide.ts';
import { snap, snapInitial, snapNear } from './snap.ts';
import { loadState, type Quake2State, storeState } from './state.ts';

// From a description of the game's published movement rules (`PMove` of Quake 2, as yquake2 runs it).

/** How players move. */
export interface Quake2MoverOptions {
  /** Whether the server's `sv_airaccelerate` is other than 0; false by default. */
  readonly airAccelerate?: boolean | undefined;
  /**
   * Whose trace rules: on the server, a trace that hits nothing still counts as touching the world, which matters to
   * players who are stuck; in the client's prediction it touches nothing. `server` by default. Contents are those of the space on
   * both sides: see "Water in scenes" in the guides.
   */
  readonly side?: 'server' | 'client' | undefined;
}

const OPTIONS: readonly string[] = ['airAccelerate', 'side'] satisfies (keyof Quake2MoverOptions)[];

/** Milliseconds to seconds. */
const SECONDS: number = Math.fround(0.001);
/** The greatest coordinate that a state can hold, in units. */
const MOST_PLACE = 4096;
/** Parts of a turn to degrees. */
const DEGREES = 360 / 65536;

/** Moves Quake 2 players. Made by {@link createQuake2Mover}; one mover serves any number of players in turn. */
export class Quake2Mover {
  /**
   * What the last command touched, in order of contact, with repetitions, the world (0) included. Only the first
   * `numTouched` are valid, at most 32 as in the engine.
   */
  readonly touched: Int32Array;
  private readonly _work: Work;
  private _isMoving = false;

  /** @internal */
  constructor({ trace, contents }: PlayerSpace, options: Quake2MoverOptions) {
    checkOptions(options, OPTIONS);
    const { airAccelerate = false, side = 'server' } = options;
    checkFlag(airAccelerate, 'airAccelerate');
    checkChoice(side, 'side', ['server', 'client']);
    const work = createWork(new MovedBox(trace, STANDING, MASK_PLAYERSOLID), contents);
    work.ints[AIR_ACCELERATE] = airAccelerate ? 1 : 0;
    work.ints[IS_SERVER] = side === 'server' ? 1 : 0;
    this._work = work;
    this.touched = work.touched;
    printAsString(this);
  }

  /** How many contacts the last command had. */
  get numTouched(): number {
    return this._work.ints[NUM_TOUCHED]!;
  }

  /**
   * Moves a player by a command, in place and without allocation, as the engine's server and client do: bit for bit.
   *
   * @throws TypeError for a state that {@link createQuake2State} has not made; RangeError naming the part of the state or
   *   the command that is wrong, or when the player leaves what float32 can hold. The state does not change when it
   *   throws.
   */
  move(state: Quake2State, command: Quake2Command): void {
    const work = this._work;
    if (this._isMoving) throw new Error('a mover cannot be used within its own move');
    this._isMoving = true;
    try {
      loadState(work, state);
      loadCommand(work, command);
      runCommand(work, state.snapInitial !== 0);
    } finally {
      this._isMoving = false;
    }
    storeState(work, state);
  }

  /**
   * Puts a player where something other than a command, such as a lift, has moved it: at the nearest eighth of a unit at which
   * the player is in nothing, at most two eighths from the rounded position along each axis. Rounded in any other way, the player
   * may end up in the lift, and stay there.
   *
   * @param position - in Quake units, within the 4,096 around the origin of the map.
   * @returns whether there is such a place; if not, the state is as it was.
   * @throws TypeError for a state that {@link createQuake2State} has not made; RangeError naming the part of it that is wrong,
   *   and for a position that is not finite or too far away.
   */
  putAt(state: Quake2State, position: Vec3): boolean {
    const work = this._work;
    if (this._isMoving) throw new Error('a mover cannot be used within its own move');
    checkPoint(position, 'position');
    for (let k = 0; k < 3; k++) {
      if (!(Math.abs(position[k]!) <= MOST_PLACE))
        failArgument(`position[${k}]`, `within ${MOST_PLACE} units`, position[k]);
    }
    this._isMoving = true;
    try {
      loadState(work, state);
      keepBox(work);
      if (!snapNear(work, 8 * position[0]!, 8 * position[1]!, 8 * position[2]!)) return false;
    } finally {
      this._isMoving = false;
    }
    for (let k = 0; k < 3; k++) state.origin[k] = work.ints[PLACE + k]!;
    return true;
  }

  /** @internal */
  toString(): string {
    return `Quake2Mover { touched: ${this.numTouched} }`;
  }
}

function runCommand(work: Work, isPlaced: boolean): void {
  const { floats: v, ints } = work;
  clearResults(ints);
  v[FRAME_TIME] = ints[MSEC]! * SECONDS;
  v[FALL] = ints[GRAVITY]! * v[FRAME_TIME]!;
  setAngles(work);
  turnVectors(work.turns, v, ANGLES, FORWARD, RIGHT);
  const type = ints[TYPE]!;
  if (type === Quake2Type.spectator) {
    flyMove(work);
    snap(work);
    return;
  }
  if (type >= Quake2Type.dead) {
    ints[MOVE_FORWARD] = 0;
    ints[MOVE_RIGHT] = 0;
    ints[MOVE_UP] = 0;
  }
  if (type === Quake2Type.freeze) return;
  checkDuck(work);
  if (isPlaced) snapInitial(work);
  categorise(work);
  if (type === Quake2Type.dead) deadMove(work);
  checkSpecialMove(work);
  dropTimer(ints);
  movePlayer(work);
  categorise(work);
  snap(work);
}

function clearResults(ints: Int32Array): void {
  ints[HAS_BOX] = 0;
  ints[NUM_TOUCHED] = 0;
  ints[GROUND] = -1;
  ints[GROUND_SURFACE] = 0;
  ints[GROUND_CONTENTS] = 0;
  ints[ON_LADDER] = 0;
  ints[VIEW_HEIGHT] = 0;
  ints[WATER_LEVEL] = 0;
  ints[WATER_TYPE] = 0;
}

/** Where the player looks; straight ahead just after a teleport. */
function setAngles({ floats: v, ints }: Work): void {
  if ((ints[FLAGS]! & Quake2Flag.timeTeleport) !== 0) {
    v[ANGLES] = 0;
    // Here, the engine does not truncate the sum to 16 bits.
    v[ANGLES + 1] = (ints[TURN + 1]! + ints[DELTAS + 1]!) * DEGREES;
    v[ANGLES + 2] = 0;
    return;
  }
  for (let k = 0; k < 3; k++) v[ANGLES + k] = (((ints[TURN + k]! + ints[DELTAS + k]!) << 16) >> 16) * DEGREES;
  // Only downwards: after truncation no angle is above 180, and the engine's limit for looking up is.
  if (v[ANGLES]! > 89 && v[ANGLES]! < 180) v[ANGLES] = 89;
}

function dropTimer(ints: Int32Array): void {
  if (ints[TIMER] === 0) return;
  const passed = Math.max(ints[MSEC]! >> 3, 1);
  if (passed >= ints[TIMER]!) clearTimer(ints);
  else ints[TIMER] = ints[TIMER]! - passed;
}

function movePlayer(work: Work): void {
  const { floats: v, ints } = work;
  const flags = ints[FLAGS]! & ALL_TIMES;
  if ((flags & Quake2Flag.timeTeleport) !== 0) return;
  if ((flags & Quake2Flag.timeWaterJump) !== 0) {
    fall(work);
    if (v[VELOCITY + 2]! < 0) clearTimer(ints);
    stepSlideMove(work);
    return;
  }
  checkJump(work);
  applyFriction(work);
  if (ints[WATER_LEVEL]! >= 2) {
    waterMove(work);
    return;
  }
  // Looking down does not make the player walk slower.
  copy(v, ANGLES, LEVEL_ANGLES);
  const pitch = v[ANGLES]!;
  v[LEVEL_ANGLES] = (pitch > 180 ? Math.fround(pitch - 360) : pitch) / 3;
  turnVectors(work.levelTurns, v, LEVEL_ANGLES, FORWARD, RIGHT);
  airMove(work);
}

/**
 * Makes a mover of Quake 2 players. Traces and contents come from a world, or from `{ trace, contents }`, such as a scene and its
 * world.
 *
 * @throws TypeError for anything that cannot trace boxes or give contents, and for unknown options; RangeError for options out
 *   of range.
 */
export function createQuake2Mover(
  space: (BoxSource & ContentsSource) | PlayerSpace,
  options: Quake2MoverOptions = {},
): Quake2Mover {
  return new Quake2Mover(checkSpace(space), options);
}
