import { checkFinite, checkWhole } from '@bspkit/core/format';
import { checkInt, checkVectors, failState, isVector } from '../../checks.ts';
import { areFloats, isWhole, putThree, type StateFields, takeThree } from '../../fields.ts';
import type { PlayerState } from '../../state.ts';
import { checkEnd, put, take } from '../../vectors.ts';
import {
  ANGLES,
  DEAD,
  GROUND,
  OLD_BUTTONS,
  ORIGIN,
  SPECTATOR,
  VELOCITY,
  WATER_JUMP_TIME,
  WATER_LEVEL,
  WATER_TYPE,
  type Work,
} from './memory.ts';

/**
 * A QuakeWorld player: everything that one command leaves for the next, as plain numbers. Made by {@link createQuakeWorldState}.
 * Vectors are float32, in Quake units and units per second.
 */
export interface QuakeWorldState extends PlayerState {
  readonly kind: 'quakeworld';
  /** In Quake units. */
  readonly origin: Float32Array;
  /** In Quake units per second. */
  readonly velocity: Float32Array;
  /** View angles in degrees: pitch (down is positive), yaw, roll. */
  readonly angles: Float32Array;
  /** Bits of buttons, of which only that of value 2 changes: it stays set while the jump key is held after a jump. */
  oldButtons: number;
  /** Seconds that are left of a jump out of water, as float32: any other number is taken as the nearest float32. */
  waterJumpTime: number;
  /** 1 if the player is dead, and neither accelerates nor jumps; else 0. */
  dead: number;
  /** 1 if the player is a spectator, who flies through walls; else 0. */
  spectator: number;
  /** The player's own body in a scene, which never stops it; -1 for none. */
  entity: number;
  /** What the player stands on: 0 for the world, else the number of an obstacle or body; -1 for nothing. */
  ground: number;
  /** 0 dry, 1 feet, 2 waist, 3 eyes in a liquid. */
  waterLevel: number;
  /** Contents at the feet, if they are in a liquid; -1 otherwise. */
  waterType: number;
}

/** A player at rest at 0 0 0. Change what you like. */
export function createQuakeWorldState(): QuakeWorldState {
  return {
    kind: 'quakeworld',
    origin: new Float32Array(3),
    velocity: new Float32Array(3),
    angles: new Float32Array(3),
    oldButtons: 0,
    waterJumpTime: 0,
    dead: 0,
    spectator: 0,
    entity: -1,
    ground: -1,
    waterLevel: 0,
    waterType: -1,
  };
}

/** The fields of {@link QuakeWorldState}, in the order of a fresh one. */
export const quakeWorldStateFields: StateFields<QuakeWorldState> = {
  fit: (state) =>
    areFloats(state.origin) &&
    areFloats(state.velocity) &&
    areFloats(state.angles) &&
    isWhole(state.oldButtons) &&
    typeof state.waterJumpTime === 'number' &&
    isWhole(state.dead) &&
    isWhole(state.spectator) &&
    isWhole(state.entity) &&
    isWhole(state.ground) &&
    isWhole(state.waterLevel) &&
    isWhole(state.waterType),
  read(state, to) {
    putThree(to, 0, state.origin);
    putThree(to, 3, state.velocity);
    putThree(to, 6, state.angles);
    to[9] = state.oldButtons;
    to[10] = state.waterJumpTime;
    to[11] = state.dead;
    to[12] = state.spectator;
    to[13] = state.entity;
    to[14] = state.ground;
    to[15] = state.waterLevel;
    to[16] = state.waterType;
  },
  write(from, state) {
    state.oldButtons = from[9]! | 0;
    state.waterJumpTime = from[10]!;
    state.dead = from[11]! | 0;
    state.spectator = from[12]! | 0;
    state.entity = from[13]! | 0;
    state.ground = from[14]! | 0;
    state.waterLevel = from[15]! | 0;
    state.waterType = from[16]! | 0;
    takeThree(from, 0, state.origin);
    takeThree(from, 3, state.velocity);
    takeThree(from, 6, state.angles);
  },
};

/** Throws unless a state was made by {@link createQuakeWorldState}, and its numbers are possible. */
function checkState(state: QuakeWorldState): void {
  const { origin, velocity, angles } = state ?? {};
  if (state?.kind !== 'quakeworld' || !isVector(origin) || !isVector(velocity) || !isVector(angles)) {
    failState(state, 'createQuakeWorldState', createQuakeWorldState);
  }
  checkVectors(state, origin, velocity, angles);
  const { oldButtons, dead, spectator, entity, ground, waterLevel, waterType } = state;
  checkInt(oldButtons, 'state.oldButtons');
  if (dead !== 0 && dead !== 1) checkWhole(dead, 'state.dead', 0, 1);
  if (spectator !== 0 && spectator !== 1) checkWhole(spectator, 'state.spectator', 0, 1);
  checkInt(ground, 'state.ground');
  checkInt(waterLevel, 'state.waterLevel');
  checkInt(waterType, 'state.waterType');
  if (typeof entity !== 'number' || (entity | 0) !== entity || entity < -1)
    checkWhole(entity, 'state.entity', -1, 0x7fffffff);
  const { waterJumpTime: time } = state;
  if (typeof time !== 'number' || Math.fround(time) - Math.fround(time) !== 0)
    checkFinite(time, 'state.waterJumpTime');
}

/** Loads a state. Throws `TypeError` or `RangeError` for one that was not made, or is broken. */
export function loadState({ floats, ints, probe }: Work, state: QuakeWorldState): void {
  checkState(state);
  put(floats, ORIGIN, state.origin);
  put(floats, VELOCITY, state.velocity);
  put(floats, ANGLES, state.angles);
  floats[WATER_JUMP_TIME] = state.waterJumpTime;
  ints[OLD_BUTTONS] = state.oldButtons;
  ints[DEAD] = state.dead;
  ints[SPECTATOR] = state.spectator;
  ints[GROUND] = state.ground;
  ints[WATER_LEVEL] = state.waterLevel;
  ints[WATER_TYPE] = state.waterType;
  probe.ignore = state.entity;
}

/**
 * Writes the results back to a state. Single numbers are written as they are first: one that is read-only throws, before anything
 * has changed. Writing to arrays never does.
 */
export function storeState({ floats, ints }: Work, state: QuakeWorldState): void {
  checkEnd(floats, ORIGIN, VELOCITY);
  const { oldButtons, ground, waterLevel, waterType } = state;
  state.oldButtons = oldButtons;
  state.ground = ground;
  state.waterLevel = waterLevel;
  state.waterType = waterType;
  state.waterJumpTime = floats[WATER_JUMP_TIME]!;
  state.oldButtons = ints[OLD_BUTTONS]!;
  state.ground = ints[GROUND]!;
  state.waterLevel = ints[WATER_LEVEL]!;
  state.waterType = ints[WATER_TYPE]!;
  take(floats, ORIGIN, state.origin);
  take(floats, VELOCITY, state.velocity);
  take(floats, ANGLES, state.angles);
}
