import { checkWhole } from '@bspkit/core/format';
import { checkInt, checkThing } from '../../checks.ts';
import { areFloats, isWhole, putThree, type StateFields, takeThree } from '../../fields.ts';
import type { PlayerState } from '../../state.ts';

/** How things move: values of `state.moveType`, by the engine's numbers. */
export const QuakeMoveType = {
  /** It stays where it is. */
  none: 0,
  /** Monsters: they fall, slide along what they hit, and go where `walkMove` and `moveToGoal` of the mover lead them. */
  step: 4,
  /** Flies without gravity. */
  fly: 5,
  /** Falls, and lies where it lands: backpacks. */
  toss: 6,
  /** Goes through everything, without gravity. */
  noclip: 8,
  /** Flies without gravity, and to monsters is a box of 30 units: rockets. */
  missile: 9,
  /** Falls and bounces: grenades and gibs. */
  bounce: 10,
} as const;

/**
 * A thing that flies, falls or bounces, or a monster, on the server of single-player Quake. Made by {@link createQuakeThingState}.
 * Vectors are float32, in Quake units and units per second.
 */
export interface QuakeThingState extends PlayerState {
  readonly kind: 'quake-thing';
  /** In Quake units. */
  readonly origin: Float32Array;
  /** In Quake units per second. */
  readonly velocity: Float32Array;
  /**
   * In degrees: pitch, yaw, roll. They turn by `angularVelocity`, a monster's yaw also to its `idealYaw`; nothing else depends on
   * them.
   */
  readonly angles: Float32Array;
  /** In degrees per second. */
  readonly angularVelocity: Float32Array;
  /** Its box, relative to `origin`: a point by default. */
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  /** One of {@link QuakeMoveType}. */
  moveType: number;
  /** Factor for its own gravity, a float32; 0 counts as 1, as in the engine. */
  gravityFactor: number;
  /** 1 if it is solid; 0 for gibs, triggers and things to pick up, which pass through the boxes of bodies. */
  solid: number;
  /** Whether it is a monster that flies or swims, and so does not fall: 1 or 0. */
  flies: number;
  swims: number;
  /** Whether it is a monster that may stand with a part of its box over an edge: 1 or 0. */
  partialGround: number;
  /** Where a monster wants to go, as a yaw in degrees: {@link QuakeThingMover.moveToGoal} reads and changes it. */
  idealYaw: number;
  /** By how many degrees at most a monster turns at a time. */
  yawSpeed: number;
  /** Whether it lies or stands on something: 1 or 0. Things that do are not moved, even if what is below goes away. */
  onGround: number;
  /** What it lay or stood on last: 0 for the world, the number of a scene's body; -1 for nothing so far. */
  ground: number;
  /** Contents at its origin when it was last asked for them: -1 for air, -3 and so on for liquids; 0 at first. */
  waterType: number;
  /** 1 in a liquid and at first, 0 before; elsewhere the engine sets it to the contents: -1 for air. */
  waterLevel: number;
  /** Its own body in a scene, which never stops it, as what it owns and its owner do not; -1 for none. */
  entity: number;
}

/** A grenade at rest at 0 0 0: a solid point that bounces. Change what you like. */
export function createQuakeThingState(): QuakeThingState {
  return {
    kind: 'quake-thing',
    origin: new Float32Array(3),
    velocity: new Float32Array(3),
    angles: new Float32Array(3),
    angularVelocity: new Float32Array(3),
    mins: new Float32Array(3),
    maxs: new Float32Array(3),
    moveType: QuakeMoveType.bounce,
    gravityFactor: 1,
    solid: 1,
    flies: 0,
    swims: 0,
    partialGround: 0,
    idealYaw: 0,
    yawSpeed: 20,
    onGround: 0,
    ground: -1,
    waterType: 0,
    waterLevel: 0,
    entity: -1,
  };
}

/** The fields of {@link QuakeThingState}, in the order of a fresh one. */
export const quakeThingStateFields: StateFields<QuakeThingState> = {
  fit: (state) =>
    areFloats(state.origin) &&
    areFloats(state.velocity) &&
    areFloats(state.angles) &&
    areFloats(state.angularVelocity) &&
    areFloats(state.mins) &&
    areFloats(state.maxs) &&
    isWhole(state.moveType) &&
    typeof state.gravityFactor === 'number' &&
    isWhole(state.solid) &&
    isWhole(state.flies) &&
    isWhole(state.swims) &&
    isWhole(state.partialGround) &&
    typeof state.idealYaw === 'number' &&
    typeof state.yawSpeed === 'number' &&
    isWhole(state.onGround) &&
    isWhole(state.ground) &&
    isWhole(state.waterType) &&
    isWhole(state.waterLevel) &&
    isWhole(state.entity),
  read(state, to) {
    putThree(to, 0, state.origin);
    putThree(to, 3, state.velocity);
    putThree(to, 6, state.angles);
    putThree(to, 9, state.angularVelocity);
    putThree(to, 12, state.mins);
    putThree(to, 15, state.maxs);
    to[18] = state.moveType;
    to[19] = state.gravityFactor;
    to[20] = state.solid;
    to[21] = state.flies;
    to[22] = state.swims;
    to[23] = state.partialGround;
    to[24] = state.idealYaw;
    to[25] = state.yawSpeed;
    to[26] = state.onGround;
    to[27] = state.ground;
    to[28] = state.waterType;
    to[29] = state.waterLevel;
    to[30] = state.entity;
  },
  write(from, state) {
    state.moveType = from[18]! | 0;
    state.gravityFactor = from[19]!;
    state.solid = from[20]! | 0;
    state.flies = from[21]! | 0;
    state.swims = from[22]! | 0;
    state.partialGround = from[23]! | 0;
    state.idealYaw = from[24]!;
    state.yawSpeed = from[25]!;
    state.onGround = from[26]! | 0;
    state.ground = from[27]! | 0;
    state.waterType = from[28]! | 0;
    state.waterLevel = from[29]! | 0;
    state.entity = from[30]! | 0;
    takeThree(from, 0, state.origin);
    takeThree(from, 3, state.velocity);
    takeThree(from, 6, state.angles);
    takeThree(from, 9, state.angularVelocity);
    takeThree(from, 12, state.mins);
    takeThree(from, 15, state.maxs);
  },
};

/** Throws unless a state was made by {@link createQuakeThingState}, and its numbers are possible. */
export function checkThingState(state: QuakeThingState): void {
  checkThing(
    state,
    'quake-thing',
    'createQuakeThingState',
    createQuakeThingState,
    QuakeMoveType,
    'QuakeMoveType',
  );
  checkInt(state.solid, 'state.solid');
  checkInt(state.flies, 'state.flies');
  checkInt(state.swims, 'state.swims');
  checkInt(state.partialGround, 'state.partialGround');
  checkInt(state.onGround, 'state.onGround');
  checkInt(state.ground, 'state.ground');
  checkInt(state.waterType, 'state.waterType');
  checkInt(state.waterLevel, 'state.waterLevel');
  checkWhole(state.entity, 'state.entity', -1, 0x7fffffff);
}
