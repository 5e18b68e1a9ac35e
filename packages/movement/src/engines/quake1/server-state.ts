import { checkBounds, checkWhole } from '@bspkit/core/format';
import { checkInt, checkVectors, failState, isVector } from '../../checks.ts';
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
