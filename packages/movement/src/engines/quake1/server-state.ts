import { checkBounds, checkWhole } from '@bspkit/core/format';
import { checkInt, checkVectors, failState, isVector } from '../../checks.ts';
import { areFloats, isWhole, putThree, type StateFields, takeThree } from '../../fields.ts';
import type { PlayerState } from '../../state.ts';

/**
 * A player of single-player Quake, as its server moves it. Made by {@link createQuakeState}.
 * Vectors are float32, in Quake units and units per second.
 */
export interface QuakeState extends PlayerState {
  readonly kind: 'quake';
  /** In Quake units. */
  readonly origin: Float32Array;
  /** In Quake units per second. */
  readonly velocity: Float32Array;
  /** View angles in degrees: pitch, yaw, roll. How much a wall slows the player down depends on them. */
  readonly angles: Float32Array;
  /** Its box, relative to `origin`: a player's by default. */
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  /** Whether it stands on something: 1 or 0. */
  onGround: number;
  /** What it stood on last: 0 for the world, the number of a scene's body; -1 for nothing so far. */
  ground: number;
  /** In water (1 to 3) it may climb steps while in the air. */
  waterLevel: number;
  /** While it jumps out of water (1) it climbs no steps. */
  waterJump: number;
  /** Its own body in a scene, which never stops it; -1 for none. */
  entity: number;
}

/** A player at rest at 0 0 0. Change what you like. */
export function createQuakeState(): QuakeState {
  return {
    kind: 'quake',
    origin: new Float32Array(3),
    velocity: new Float32Array(3),
    angles: new Float32Array(3),
    mins: Float32Array.of(-16, -16, -24),
    maxs: Float32Array.of(16, 16, 32),
    onGround: 0,
    ground: -1,
    waterLevel: 0,
    waterJump: 0,
    entity: -1,
  };
}

/** The fields of {@link QuakeState}, in the order of a fresh one. */
export const quakeStateFields: StateFields<QuakeState> = {
  fit: (state) =>
    areFloats(state.origin) &&
    areFloats(state.velocity) &&
    areFloats(state.angles) &&
    areFloats(state.mins) &&
    areFloats(state.maxs) &&
    isWhole(state.onGround) &&
    isWhole(state.ground) &&
    isWhole(state.waterLevel) &&
    isWhole(state.waterJump) &&
    isWhole(state.entity),
  read(state, to) {
    putThree(to, 0, state.origin);
    putThree(to, 3, state.velocity);
    putThree(to, 6, state.angles);
    putThree(to, 9, state.mins);
    putThree(to, 12, state.maxs);
    to[15] = state.onGround;
    to[16] = state.ground;
    to[17] = state.waterLevel;
    to[18] = state.waterJump;
    to[19] = state.entity;
  },
  write(from, state) {
    state.onGround = from[15]! | 0;
    state.ground = from[16]! | 0;
    state.waterLevel = from[17]! | 0;
    state.waterJump = from[18]! | 0;
    state.entity = from[19]! | 0;
    takeThree(from, 0, state.origin);
    takeThree(from, 3, state.velocity);
    takeThree(from, 6, state.angles);
    takeThree(from, 9, state.mins);
    takeThree(from, 12, state.maxs);
  },
};

/** Throws unless a state was made by {@link createQuakeState}, and its numbers are possible. */
export function checkQuakeState(state: QuakeState): void {
  const { origin, velocity, angles, mins, maxs } = state ?? {};
  if (
    state?.kind !== 'quake' ||
    !isVector(origin) ||
    !isVector(velocity) ||
    !isVector(angles) ||
    !isVector(mins) ||
    !isVector(maxs)
  ) {
    failState(state, 'createQuakeState', createQuakeState);
  }
  checkVectors(state, origin, velocity, angles);
  checkBounds(mins, maxs);
  checkInt(state.onGround, 'state.onGround');
  checkInt(state.ground, 'state.ground');
  checkInt(state.waterLevel, 'state.waterLevel');
  checkInt(state.waterJump, 'state.waterJump');
  checkWhole(state.entity, 'state.entity', -1, 0x7fffffff);
}
