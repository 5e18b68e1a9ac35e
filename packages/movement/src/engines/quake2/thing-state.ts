import { checkMask, checkWhole } from '@bspkit/core/format';
import { checkInt, checkThing } from '../../checks.ts';
import { areFloats, isWhole, putThree, type StateFields, takeThree } from '../../fields.ts';
import type { PlayerState } from '../../state.ts';
import { MASK_SHOT } from './constants.ts';

/** How things move: values of `state.moveType`, by the engine's numbers. */
export const Quake2MoveType = {
  /** It stays where it is. */
  none: 0,
  /** Goes through everything, without gravity. */
  noclip: 1,
  /** Monsters: they fall, slide along what they hit, and go where `walkMove` and `moveToGoal` of the mover lead them. */
  step: 5,
  /** Flies without gravity. */
  fly: 6,
  /** Falls, and lies where it lands: items. */
  toss: 7,
  /** Flies without gravity: rockets, and bolts of blasters. */
  missile: 8,
  /** Falls and bounces: grenades and gibs. */
  bounce: 9,
} as const;

/**
 * A thing that flies, falls or bounces, or a monster, as the game of Quake 2 moves it. Made by {@link createQuake2ThingState}.
 * Vectors are float32, in Quake units and units per second.
 */
export interface Quake2ThingState extends PlayerState {
  readonly kind: 'quake2-thing';
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
  /** One of {@link Quake2MoveType}. */
  moveType: number;
  /** Factor for its own gravity, a float32. */
  gravityFactor: number;
  /** Contents that stop it, unless it moves by steps, and where it is pushed; 0 stands for solid and windows. */
  mask: number;
  /** Whether it is a monster, which others' boxes and monster clip stop when it falls: 1 or 0. */
  monster: number;
  /** Whether it is a monster that flies or swims: 1 or 0. */
  flies: number;
  swims: number;
  /** Whether it is a monster that may stand with a part of its box over an edge: 1 or 0. */
  partialGround: number;
  /** Whether it is a monster that climbs and descends a unit only, not steps of 18: 1 or 0. */
  noStep: number;
  /** Where a monster wants to go, as a yaw in degrees: {@link Quake2ThingMover.moveToGoal} reads and changes it. */
  idealYaw: number;
  /** By how many degrees at most a monster turns at a time. */
  yawSpeed: number;
  /** Whether it is a dead monster, which slides without friction where it does not lie well: 1 or 0. */
  dead: number;
  /** Whether it is put a unit off walls and slopes that it hits, as gibs, debris and dead monsters are: 1 or 0. */
  gib: number;
  /** What it lies or stands on: 0 for the world, the number of a scene's body; -1 for nothing. Things that do are not moved. */
  ground: number;
  /** Contents where it was when it was last asked for them; 0 for a monster that is not in a liquid. */
  waterType: number;
  /** 0 outside of liquids, 1 in one; monsters have 2 where it comes up to their waist, and 3 over their head. */
  waterLevel: number;
  /** Its own body in a scene, which never stops it, as what it owns and its owner do not; -1 for none. */
  entity: number;
}

/** A grenade at rest at 0 0 0: a point that bounces, also off monsters. Change what you like. */
export function createQuake2ThingState(): Quake2ThingState {
  return {
    kind: 'quake2-thing',
    origin: new Float32Array(3),
    velocity: new Float32Array(3),
    angles: new Float32Array(3),
    angularVelocity: new Float32Array(3),
    mins: new Float32Array(3),
    maxs: new Float32Array(3),
    moveType: Quake2MoveType.bounce,
    gravityFactor: 1,
    mask: MASK_SHOT,
    monster: 0,
    flies: 0,
    swims: 0,
    partialGround: 0,
    noStep: 0,
    idealYaw: 0,
    yawSpeed: 20,
    dead: 0,
    gib: 0,
    ground: -1,
    waterType: 0,
    waterLevel: 0,
    entity: -1,
  };
}

/** The fields of {@link Quake2ThingState}, in the order of a fresh one. */
export const quake2ThingStateFields: StateFields<Quake2ThingState> = {
  fit: (state) =>
    areFloats(state.origin) &&
    areFloats(state.velocity) &&
    areFloats(state.angles) &&
    areFloats(state.angularVelocity) &&
    areFloats(state.mins) &&
    areFloats(state.maxs) &&
    isWhole(state.moveType) &&
    typeof state.gravityFactor === 'number' &&
    isWhole(state.mask) &&
    isWhole(state.monster) &&
    isWhole(state.flies) &&
    isWhole(state.swims) &&
    isWhole(state.partialGround) &&
    isWhole(state.noStep) &&
    typeof state.idealYaw === 'number' &&
    typeof state.yawSpeed === 'number' &&
    isWhole(state.dead) &&
    isWhole(state.gib) &&
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
    to[20] = state.mask;
    to[21] = state.monster;
    to[22] = state.flies;
    to[23] = state.swims;
    to[24] = state.partialGround;
    to[25] = state.noStep;
    to[26] = state.idealYaw;
    to[27] = state.yawSpeed;
    to[28] = state.dead;
    to[29] = state.gib;
    to[30] = state.ground;
    to[31] = state.waterType;
    to[32] = state.waterLevel;
    to[33] = state.entity;
  },
  write(from, state) {
    state.moveType = from[18]! | 0;
    state.gravityFactor = from[19]!;
    state.mask = from[20]! | 0;
    state.monster = from[21]! | 0;
    state.flies = from[22]! | 0;
    state.swims = from[23]! | 0;
    state.partialGround = from[24]! | 0;
    state.noStep = from[25]! | 0;
    state.idealYaw = from[26]!;
    state.yawSpeed = from[27]!;
    state.dead = from[28]! | 0;
    state.gib = from[29]! | 0;
    state.ground = from[30]! | 0;
    state.waterType = from[31]! | 0;
    state.waterLevel = from[32]! | 0;
    state.entity = from[33]! | 0;
    takeThree(from, 0, state.origin);
    takeThree(from, 3, state.velocity);
    takeThree(from, 6, state.angles);
    takeThree(from, 9, state.angularVelocity);
    takeThree(from, 12, state.mins);
    takeThree(from, 15, state.maxs);
  },
};

/** Throws unless a state was made by {@link createQuake2ThingState}, and its numbers are possible. */
export function checkThingState(state: Quake2ThingState): void {
  checkThing(
    state,
    'quake2-thing',
    'createQuake2ThingState',
    createQuake2ThingState,
    Quake2MoveType,
    'Quake2MoveType',
  );
  checkMask(state.mask, 'state.mask');
  checkInt(state.monster, 'state.monster');
  checkInt(state.flies, 'state.flies');
  checkInt(state.swims, 'state.swims');
  checkInt(state.partialGround, 'state.partialGround');
  checkInt(state.noStep, 'state.noStep');
  checkInt(state.dead, 'state.dead');
  checkInt(state.gib, 'state.gib');
  checkInt(state.waterType, 'state.waterType');
  checkInt(state.waterLevel, 'state.waterLevel');
  checkWhole(state.ground, 'state.ground', -1, 0x7fffffff);
  checkWhole(state.entity, 'state.entity', -1, 0x7fffffff);
}
