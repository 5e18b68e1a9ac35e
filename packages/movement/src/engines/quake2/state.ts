import { checkMask, checkWhole } from '@bspkit/core/format';
import { failState, isInts, isVector } from '../../checks.ts';
import { areFloats, areInts, isWhole, putThree, type StateFields, takeThree } from '../../fields.ts';
import type { PlayerState } from '../../state.ts';
import { take } from '../../vectors.ts';
import { enterShort } from './command.ts';
import { CONTENTS_MONSTER, EIGHTH, MASK_PLAYERSOLID, Quake2Type, VIEW } from './constants.ts';
import {
  ANGLES,
  DELTAS,
  FLAGS,
  GRAVITY,
  GROUND,
  HAS_BOX,
  ORIGIN,
  PLACE,
  PREVIOUS,
  SPEED,
  TIMER,
  TYPE,
  VELOCITY,
  VIEW_HEIGHT,
  WATER_LEVEL,
  WATER_TYPE,
  type Work,
} from './memory.ts';

/**
 * A Quake 2 player: everything that one command leaves for the next, and the results of the last one. Made by {@link
 * createQuake2State}. Between commands the game keeps positions and speeds in whole eighths of a unit, and so does this:
 * `origin[0] / 8` is x in Quake units.
 */
export interface Quake2State extends PlayerState {
  readonly kind: 'quake2';
  /** One of `Quake2Type`. */
  type: number;
  /** Bits of `Quake2Flag`. */
  flags: number;
  /** Time that is left for one of the timed flags, in units of 8 milliseconds, 0 to 255. */
  timer: number;
  /** In eighths of a unit, -32,768 to 32,767: no player gets farther than 4,096 units from 0 0 0. */
  readonly origin: Int32Array;
  /** In eighths of a unit per second, -32,768 to 32,767. */
  readonly velocity: Int32Array;
  /** Added to a command's angles, in 65,536 parts of a turn; a teleporter sets it to turn the player's view. */
  readonly deltaAngles: Int32Array;
  /** In units per second squared: 800 by default. */
  gravity: number;
  /** Contents that stop the player; by default solid, windows, player clip and monsters. The dead and gibs pass monsters. */
  mask: number;
  /** The player's own body in a scene, which never stops it; -1 for none. */
  entity: number;
  /**
   * 1 if something other than a command has changed the state, such as a teleporter or a shot: the next command then
   * begins where there is room, up to an eighth of a unit away, and sets this to 0.
   */
  snapInitial: number;
  /** View angles in degrees: pitch, yaw, roll. */
  readonly angles: Float32Array;
  /** What the player stands on: 0 for the world, the number of a scene's body, -1 for nothing. */
  ground: number;
  /** Height of the eyes above `origin`, in units. */
  viewHeight: number;
  /** The player's box around `origin` in units, as the last command set it; zero if it did not. */
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  /** How deep in water the last command found the player: 0 dry, 1 feet, 2 waist, 3 eyes. */
  waterLevel: number;
  /** Contents at the feet, if they are in water, slime or lava. */
  waterType: number;
}

/** A player at rest at 0 0 0. Change what you like. */
export function createQuake2State(): Quake2State {
  return {
    kind: 'quake2',
    type: Quake2Type.normal,
    flags: 0,
    timer: 0,
    origin: new Int32Array(3),
    velocity: new Int32Array(3),
    deltaAngles: new Int32Array(3),
    gravity: 800,
    mask: MASK_PLAYERSOLID,
    entity: -1,
    snapInitial: 0,
    angles: new Float32Array(3),
    ground: -1,
    viewHeight: VIEW,
    mins: new Float32Array(3),
    maxs: new Float32Array(3),
    waterLevel: 0,
    waterType: 0,
  };
}

/** The fields of {@link Quake2State}, in the order of a fresh one. */
export const quake2StateFields: StateFields<Quake2State> = {
  fit: (state) =>
    isWhole(state.type) &&
    isWhole(state.flags) &&
    isWhole(state.timer) &&
    areInts(state.origin) &&
    areInts(state.velocity) &&
    areInts(state.deltaAngles) &&
    isWhole(state.gravity) &&
    isWhole(state.mask) &&
    isWhole(state.entity) &&
    isWhole(state.snapInitial) &&
    areFloats(state.angles) &&
    isWhole(state.ground) &&
    isWhole(state.viewHeight) &&
    areFloats(state.mins) &&
    areFloats(state.maxs) &&
    isWhole(state.waterLevel) &&
    isWhole(state.waterType),
  read(state, to) {
    to[0] = state.type;
    to[1] = state.flags;
    to[2] = state.timer;
    putThree(to, 3, state.origin);
    putThree(to, 6, state.velocity);
    putThree(to, 9, state.deltaAngles);
    to[12] = state.gravity;
    to[13] = state.mask;
    to[14] = state.entity;
    to[15] = state.snapInitial;
    putThree(to, 16, state.angles);
    to[19] = state.ground;
    to[20] = state.viewHeight;
    putThree(to, 21, state.mins);
    putThree(to, 24, state.maxs);
    to[27] = state.waterLevel;
    to[28] = state.waterType;
  },
  write(from, state) {
    state.type = from[0]! | 0;
    state.flags = from[1]! | 0;
    state.timer = from[2]! | 0;
    state.gravity = from[12]! | 0;
    state.mask = from[13]! | 0;
    state.entity = from[14]! | 0;
    state.snapInitial = from[15]! | 0;
    state.ground = from[19]! | 0;
    state.viewHeight = from[20]! | 0;
    state.waterLevel = from[27]! | 0;
    state.waterType = from[28]! | 0;
    takeThree(from, 3, state.origin);
    takeThree(from, 6, state.velocity);
    takeThree(from, 9, state.deltaAngles);
    takeThree(from, 16, state.angles);
    takeThree(from, 21, state.mins);
    takeThree(from, 24, state.maxs);
  },
};

function checkState(state: Quake2State): void {
  const { origin, velocity, deltaAngles, angles, mins, maxs } = state ?? {};
  if (
    state?.kind !== 'quake2' ||
    !isInts(origin) ||
    !isInts(velocity) ||
    !isInts(deltaAngles) ||
    !isVector(angles) ||
    !isVector(mins) ||
    !isVector(maxs)
  ) {
    failState(state, 'createQuake2State', createQuake2State);
  }
}

/** Throws `RangeError` unless numbers have 16 bits. Their names are put together only when they do not. */
function checkShorts(numbers: Int32Array, name: string): void {
  for (let k = 0; k < 3; k++) {
    const number = numbers[k]!;
    if ((number << 16) >> 16 !== number) checkWhole(number, `${name}[${k}]`, -32768, 32767);
  }
}

/** Throws `TypeError` or `RangeError` for a state that was not made, or is broken, but for its gravity. */
export function checkQuake2State(state: Quake2State): void {
  checkState(state);
  const { type, flags, timer, origin, velocity, deltaAngles, mask, entity } = state;
  if (typeof type !== 'number' || type >>> 0 !== type || type > Quake2Type.freeze) {
    checkWhole(type, 'state.type', 0, Quake2Type.freeze);
  }
  if (typeof flags !== 'number' || (flags & 255) !== flags) checkWhole(flags, 'state.flags', 0, 255);
  if (typeof timer !== 'number' || (timer & 255) !== timer) checkWhole(timer, 'state.timer', 0, 255);
  if (state.snapInitial !== 0 && state.snapInitial !== 1)
    checkWhole(state.snapInitial, 'state.snapInitial', 0, 1);
  if (typeof entity !== 'number' || (entity | 0) !== entity || entity < -1) {
    checkWhole(entity, 'state.entity', -1, 0x7fffffff);
  }
  if (typeof mask !== 'number' || (mask | 0) !== mask) checkMask(mask, 'state.mask');
  checkShorts(origin, 'state.origin');
  checkShorts(velocity, 'state.velocity');
  checkShorts(deltaAngles, 'state.deltaAngles');
}

/** Loads a state. Throws `TypeError` or `RangeError` for one that was not made, or is broken. */
export function loadState({ floats, ints, box }: Work, state: Quake2State): void {
  checkQuake2State(state);
  const { type, flags, timer, origin, velocity, deltaAngles, gravity, mask, entity } = state;
  enterShort(ints, GRAVITY, gravity, 'state.gravity');
  for (let k = 0; k < 3; k++) {
    ints[PLACE + k] = origin[k]!;
    ints[SPEED + k] = velocity[k]!;
    ints[DELTAS + k] = deltaAngles[k]!;
    ints[PREVIOUS + k] = origin[k]!;
    floats[ORIGIN + k] = origin[k]! * EIGHTH;
    floats[VELOCITY + k] = velocity[k]! * EIGHTH;
  }
  ints[TYPE] = type;
  ints[FLAGS] = flags;
  ints[TIMER] = timer;
  // The dead are not stopped by monsters.
  const isDead = type === Quake2Type.dead || type === Quake2Type.gib;
  box.mask = isDead ? mask & ~CONTENTS_MONSTER : mask | 0;
  box.ignore = entity;
}

/**
 * Writes the results back to a state. Single numbers are written as they are first: one that is read-only throws, before anything
 * has changed. Writing to arrays never does.
 */
export function storeState({ floats, ints, box }: Work, state: Quake2State): void {
  const { flags, timer, snapInitial, ground, viewHeight, waterLevel, waterType } = state;
  state.flags = flags;
  state.timer = timer;
  state.snapInitial = snapInitial;
  state.ground = ground;
  state.viewHeight = viewHeight;
  state.waterLevel = waterLevel;
  state.waterType = waterType;
  state.flags = ints[FLAGS]!;
  state.timer = ints[TIMER]!;
  state.snapInitial = 0;
  state.ground = ints[GROUND]!;
  state.viewHeight = ints[VIEW_HEIGHT]!;
  state.waterLevel = ints[WATER_LEVEL]!;
  state.waterType = ints[WATER_TYPE]!;
  const { origin, velocity, angles, mins, maxs } = state;
  const hasBox = ints[HAS_BOX] !== 0;
  for (let k = 0; k < 3; k++) {
    origin[k] = ints[PLACE + k]!;
    velocity[k] = ints[SPEED + k]!;
    mins[k] = hasBox ? box.mins[k]! : 0;
    maxs[k] = hasBox ? box.maxs[k]! : 0;
  }
  take(floats, ANGLES, angles);
}
