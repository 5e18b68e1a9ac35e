import { checkFinite, checkMask, checkWhole } from '@bspkit/core/format';
import { failState, isInts, isVector } from '../../checks.ts';
import { areFloats, areInts, isWhole, putThree, type StateFields, takeThree } from '../../fields.ts';
import type { PlayerState } from '../../state.ts';
import { checkEnd, put, take } from '../../vectors.ts';
import { CONTENTS_BODY, MASK_PLAYERSOLID, VIEW } from './constants.ts';
import {
  ANGLES,
  BOB,
  COMMAND_TIME,
  DELTAS,
  DIRECTION,
  EVENTS,
  FLAGS,
  FLIGHT,
  FRAME,
  GRAPPLE,
  GRAVITY,
  GROUND,
  HAS_BOX,
  HEALTH,
  MASK,
  ORIGIN,
  SEQUENCE,
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
 * A Quake 3 player: everything that one command leaves for the next, as plain numbers, and the results of the last one. Made by
 * {@link createQuake3State}. Vectors are float32, in Quake units and units per second; single numbers are whole.
 */
export interface Quake3State extends PlayerState {
  readonly kind: 'quake3';
  /** Time of the last command, in milliseconds. */
  commandTime: number;
  /** One of `Quake3Type`. */
  type: number;
  /** Bits of `Quake3Flag`. */
  flags: number;
  /** Milliseconds that are left for one of the timed flags. */
  timer: number;
  /** In Quake units. */
  readonly origin: Float32Array;
  /** In Quake units per second. */
  readonly velocity: Float32Array;
  /** View angles in degrees: pitch, yaw, roll. */
  readonly angles: Float32Array;
  /** Added to a command's angles, in 65,536 parts of a turn; a teleporter sets it to turn the player's view. */
  readonly deltaAngles: Int32Array;
  /** In units per second squared: 800 by default. */
  gravity: number;
  /** In units per second: 320 by default. */
  speed: number;
  /**
   * A player without health does not turn, unless it is a spectator, and is not stopped by bodies. It still walks, unless `type` says
   * that it is dead.
   */
  health: number;
  /** Whether the player can fly: 1 or 0. */
  flight: number;
  /** Where the grapple is hooked, if the flag `grapplePull` is set. */
  readonly grapple: Float32Array;
  /** Contents that stop the player; by default solid, player clip and bodies. */
  mask: number;
  /** The player's own body in a scene, which never stops it; -1 for none. */
  entity: number;
  /** What the player stands on: 0 for the world, the number of a scene's body, -1 for nothing. */
  ground: number;
  /** Height of the eyes above `origin`, in units. */
  viewHeight: number;
  /** Phase of the head's bobbing, 0 to 255. */
  bobCycle: number;
  /** Direction of the legs: 0 forward, then counter-clockwise to 7. */
  direction: number;
  /** Counts commands, 0 to 63. */
  frame: number;
  /** Counts events. The last two are kept in `events`, each at the place given by its number's lowest bit. */
  eventSequence: number;
  /** The last two events, `Quake3Event`. */
  readonly events: Int32Array;
  /** The player's box around `origin`, as the last command set it; zero if it did not. */
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  /** How deep in water the last command found the player: 0 dry, 1 feet, 2 waist, 3 eyes. */
  waterLevel: number;
  /** Contents at the feet, if they are in water, slime or lava. */
  waterType: number;
}

/** A player at rest at 0 0 0, with full health and normal speed. Change what you like. */
export function createQuake3State(): Quake3State {
  return {
    kind: 'quake3',
    commandTime: 0,
    type: 0,
    flags: 0,
    timer: 0,
    origin: new Float32Array(3),
    velocity: new Float32Array(3),
    angles: new Float32Array(3),
    deltaAngles: new Int32Array(3),
    gravity: 800,
    speed: 320,
    health: 100,
    flight: 0,
    grapple: new Float32Array(3),
    mask: MASK_PLAYERSOLID,
    entity: -1,
    ground: -1,
    viewHeight: VIEW,
    bobCycle: 0,
    direction: 0,
    frame: 0,
    eventSequence: 0,
    events: new Int32Array(2),
    mins: new Float32Array(3),
    maxs: new Float32Array(3),
    waterLevel: 0,
    waterType: 0,
  };
}

/** The fields of {@link Quake3State}, in the order of a fresh one. */
export const quake3StateFields: StateFields<Quake3State> = {
  fit: (state) =>
    isWhole(state.commandTime) &&
    isWhole(state.type) &&
    isWhole(state.flags) &&
    isWhole(state.timer) &&
    areFloats(state.origin) &&
    areFloats(state.velocity) &&
    areFloats(state.angles) &&
    areInts(state.deltaAngles) &&
    isWhole(state.gravity) &&
    isWhole(state.speed) &&
    isWhole(state.health) &&
    isWhole(state.flight) &&
    areFloats(state.grapple) &&
    isWhole(state.mask) &&
    isWhole(state.entity) &&
    isWhole(state.ground) &&
    isWhole(state.viewHeight) &&
    isWhole(state.bobCycle) &&
    isWhole(state.direction) &&
    isWhole(state.frame) &&
    isWhole(state.eventSequence) &&
    areInts(state.events, 2) &&
    areFloats(state.mins) &&
    areFloats(state.maxs) &&
    isWhole(state.waterLevel) &&
    isWhole(state.waterType),
  read(state, to) {
    const { events } = state;
    to[0] = state.commandTime;
    to[1] = state.type;
    to[2] = state.flags;
    to[3] = state.timer;
    putThree(to, 4, state.origin);
    putThree(to, 7, state.velocity);
    putThree(to, 10, state.angles);
    putThree(to, 13, state.deltaAngles);
    to[16] = state.gravity;
    to[17] = state.speed;
    to[18] = state.health;
    to[19] = state.flight;
    putThree(to, 20, state.grapple);
    to[23] = state.mask;
    to[24] = state.entity;
    to[25] = state.ground;
    to[26] = state.viewHeight;
    to[27] = state.bobCycle;
    to[28] = state.direction;
    to[29] = state.frame;
    to[30] = state.eventSequence;
    to[31] = events[0]!;
    to[32] = events[1]!;
    putThree(to, 33, state.mins);
    putThree(to, 36, state.maxs);
    to[39] = state.waterLevel;
    to[40] = state.waterType;
  },
  write(from, state) {
    const { events } = state;
    state.commandTime = from[0]! | 0;
    state.type = from[1]! | 0;
    state.flags = from[2]! | 0;
    state.timer = from[3]! | 0;
    state.gravity = from[16]! | 0;
    state.speed = from[17]! | 0;
    state.health = from[18]! | 0;
    state.flight = from[19]! | 0;
    state.mask = from[23]! | 0;
    state.entity = from[24]! | 0;
    state.ground = from[25]! | 0;
    state.viewHeight = from[26]! | 0;
    state.bobCycle = from[27]! | 0;
    state.direction = from[28]! | 0;
    state.frame = from[29]! | 0;
    state.eventSequence = from[30]! | 0;
    state.waterLevel = from[39]! | 0;
    state.waterType = from[40]! | 0;
    takeThree(from, 4, state.origin);
    takeThree(from, 7, state.velocity);
    takeThree(from, 10, state.angles);
    takeThree(from, 13, state.deltaAngles);
    takeThree(from, 20, state.grapple);
    events[0] = from[31]!;
    events[1] = from[32]!;
    takeThree(from, 33, state.mins);
    takeThree(from, 36, state.maxs);
  },
};

/** Throws unless a state was made by {@link createQuake3State}, and its vectors are finite. */
export function checkState(state: Quake3State): void {
  const { origin, velocity, angles, deltaAngles, grapple, events, mins, maxs } = state ?? {};
  if (
    state?.kind !== 'quake3' ||
    !isVector(origin) ||
    !isVector(velocity) ||
    !isVector(angles) ||
    !isVector(grapple) ||
    !isInts(deltaAngles) ||
    !isInts(events, 2) ||
    !isVector(mins) ||
    !isVector(maxs)
  ) {
    failState(state, 'createQuake3State', createQuake3State);
  }
  const place = origin[0]! + origin[1]! + origin[2]!;
  const speed = velocity[0]! + velocity[1]! + velocity[2]!;
  const view = angles[0]! + angles[1]! + angles[2]!;
  const hold = grapple[0]! + grapple[1]! + grapple[2]!;
  // x - x is 0 only for finite numbers; which one is wrong is looked up only when one is.
  if (place - place + (speed - speed) + (view - view) + (hold - hold) === 0) return;
  for (const name of ['origin', 'velocity', 'angles', 'grapple'] as const) {
    for (let k = 0; k < 3; k++) checkFinite(state[name][k]!, `state.${name}[${k}]`);
  }
}

/** Loads a whole number of the state. Throws `RangeError` or `TypeError` for anything else. */
function enter(ints: Int32Array, at: number, value: number, name: string): void {
  if (typeof value !== 'number' || (value | 0) !== value)
    checkWhole(value, `state.${name}`, -0x80000000, 0x7fffffff);
  ints[at] = value;
}

/** Loads a state. Throws `TypeError` or `RangeError` for one that was not made, or is broken. */
export function loadState({ floats, ints, box, contents }: Work, state: Quake3State): void {
  checkState(state);
  const { origin, velocity, angles, deltaAngles, grapple, events } = state;
  put(floats, ORIGIN, origin);
  put(floats, VELOCITY, velocity);
  put(floats, ANGLES, angles);
  put(floats, GRAPPLE, grapple);
  for (let k = 0; k < 3; k++) ints[DELTAS + k] = deltaAngles[k]!;
  ints[EVENTS] = events[0]!;
  ints[EVENTS + 1] = events[1]!;
  enter(ints, COMMAND_TIME, state.commandTime, 'commandTime');
  enter(ints, TYPE, state.type, 'type');
  if (ints[TYPE]! >>> 0 > 6) checkWhole(state.type, 'state.type', 0, 6);
  enter(ints, FLAGS, state.flags, 'flags');
  enter(ints, TIMER, state.timer, 'timer');
  enter(ints, GRAVITY, state.gravity, 'gravity');
  enter(ints, SPEED, state.speed, 'speed');
  enter(ints, HEALTH, state.health, 'health');
  enter(ints, FLIGHT, state.flight, 'flight');
  enter(ints, GROUND, state.ground, 'ground');
  enter(ints, VIEW_HEIGHT, state.viewHeight, 'viewHeight');
  enter(ints, BOB, state.bobCycle, 'bobCycle');
  enter(ints, DIRECTION, state.direction, 'direction');
  enter(ints, FRAME, state.frame, 'frame');
  enter(ints, SEQUENCE, state.eventSequence, 'eventSequence');
  const { mask, entity } = state;
  // A mask may be written without a sign.
  if (typeof mask !== 'number' || (mask | 0) !== mask) checkMask(mask, 'state.mask');
  if (typeof entity !== 'number' || (entity | 0) !== entity || entity < -1) {
    checkWhole(entity, 'state.entity', -1, 0x7fffffff);
  }
  ints[MASK] = mask;
  // The dead are not stopped by bodies.
  box.mask = ints[HEALTH]! > 0 ? ints[MASK]! : ints[MASK]! & ~CONTENTS_BODY;
  box.ignore = entity;
  contents.ignore = entity;
}

/**
 * Writes the results back to a state. Single numbers are written as they are first: one that is read-only throws, before anything
 * has changed. Writing to arrays never does.
 */
export function storeState({ floats, ints, box }: Work, state: Quake3State): void {
  checkEnd(floats, ORIGIN, VELOCITY);
  const {
    commandTime,
    flags,
    timer,
    ground,
    viewHeight,
    bobCycle,
    direction,
    frame,
    eventSequence,
    waterLevel,
    waterType,
  } = state;
  state.commandTime = commandTime;
  state.flags = flags;
  state.timer = timer;
  state.ground = ground;
  state.viewHeight = viewHeight;
  state.bobCycle = bobCycle;
  state.direction = direction;
  state.frame = frame;
  state.eventSequence = eventSequence;
  state.waterLevel = waterLevel;
  state.waterType = waterType;
  state.commandTime = ints[COMMAND_TIME]!;
  state.flags = ints[FLAGS]!;
  state.timer = ints[TIMER]!;
  state.ground = ints[GROUND]!;
  state.viewHeight = ints[VIEW_HEIGHT]!;
  state.bobCycle = ints[BOB]!;
  state.direction = ints[DIRECTION]!;
  state.frame = ints[FRAME]!;
  state.eventSequence = ints[SEQUENCE]!;
  state.waterLevel = ints[WATER_LEVEL]!;
  state.waterType = ints[WATER_TYPE]!;
  const { origin, velocity, angles, deltaAngles, events, mins, maxs } = state;
  const hasBox = ints[HAS_BOX] !== 0;
  take(floats, ORIGIN, origin);
  take(floats, VELOCITY, velocity);
  take(floats, ANGLES, angles);
  for (let k = 0; k < 3; k++) {
    deltaAngles[k] = ints[DELTAS + k]!;
    mins[k] = hasBox ? box.mins[k]! : 0;
    maxs[k] = hasBox ? box.maxs[k]! : 0;
  }
  events[0] = ints[EVENTS]!;
  events[1] = ints[EVENTS + 1]!;
}
