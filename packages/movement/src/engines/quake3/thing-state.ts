import { checkBounds, checkFinite, checkMask, checkWhole } from '@bspkit/core/format';
import { checkOneOf, failState, isVector } from '../../checks.ts';
import { areFloats, isWhole, putThree, type StateFields, takeThree } from '../../fields.ts';
import type { PlayerState } from '../../state.ts';
import { CONTENTS_BODY, CONTENTS_SOLID, MASK_PLAYERSOLID, MASK_SHOT } from './constants.ts';

/** What a thing is: values of `state.type`, by the engine's numbers. */
export const Quake3ThingType = {
  /** Falls, bounces off everything, and lies where it lands: what players drop. */
  item: 2,
  /** Flies or falls, and stops at what it hits, until {@link Quake3ThingMover.bounce} is called: rockets, plasma, grenades. */
  missile: 3,
} as const;

/** How a thing moves: values of `state.path`, by the engine's numbers. Times are in milliseconds. */
export const Quake3Path = {
  /** It stays at `base`. */
  stationary: 0,
  /** The same: positions come from elsewhere. */
  interpolate: 1,
  /** From `base` at `pathTime`, with the velocity `delta`. */
  linear: 2,
  /** The same, for `pathDuration` only. */
  linearStop: 3,
  /** To and fro about `base`, as far as `delta`, once in `pathDuration`: some movers, but no things. */
  sine: 4,
  /** The same as `linear`, and falls, by 800 units per second squared. */
  gravity: 5,
} as const;

/** Those of things. */
const THING_PATHS: Readonly<Record<string, number>> = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(Quake3Path).filter(([name]) => name !== 'sine'),
);

/** How a missile bounces: values of `state.bounce`. */
export const Quake3Bounce = {
  /** As far as it fell. */
  full: 1,
  /** With 0.65 of its speed: grenades. */
  half: 2,
} as const;

/**
 * A thing that flies or falls in Quake 3. Made by {@link createQuake3ThingState}. Vectors are float32, in Quake units and units
 * per second; single numbers are whole, except for `bounceFactor`, and times are in milliseconds.
 */
export interface Quake3ThingState extends PlayerState {
  readonly kind: 'quake3-thing';
  /** Time of the last move, or before any of the frame before the first. */
  time: number;
  /** One of {@link Quake3ThingType}. */
  type: number;
  /** One of {@link Quake3Path}. */
  path: number;
  /** When its path begins. Just fired missiles of the game are on their way for 50 ms. */
  pathTime: number;
  /** How long a path of the kind `linearStop` is. */
  pathDuration: number;
  /** Where its path begins. */
  readonly base: Float32Array;
  /** Velocity at the beginning of its path. */
  readonly delta: Float32Array;
  /** Where it is, as of the last move: from there, the next one is traced. */
  readonly origin: Float32Array;
  /** Its box, relative to `origin`: a point by default. */
  readonly mins: Float32Array;
  readonly maxs: Float32Array;
  /** Contents that stop it. */
  mask: number;
  /** One of {@link Quake3Bounce}: how a missile bounces. */
  bounce: number;
  /** The factor for an item's speed when it bounces, a float32: 0.5 in the game. */
  bounceFactor: number;
  /** The body in a scene that threw it, which never stops it, as what it owns does not; -1 for none. */
  owner: number;
  /** What an item lies on: 0 for the world, the number of a scene's body; -1 for nothing. Set to -1, it falls again. */
  ground: number;
  /** Its own body in a scene, which never stops it, and which {@link Quake3Pusher} moves; -1 for none. */
  entity: number;
  /**
   * Contents that a pusher must not leave it in: solid by default, as for items of the game. What is left of players there is not
   * left in player clips either.
   */
  pushMask: number;
}

/** From the middle of an item to each side of its box, in Quake units. */
const ITEM_RADIUS = 15;

/**
 * A thing at rest at 0 0 0, at time 0, that falls: a missile that is a point and bounces by half, as a grenade, or an item, with
 * the game's box of 30 units, which players do not stop. Change what you like.
 *
 * @param type - one of {@link Quake3ThingType}.
 */
export function createQuake3ThingState(type: number = Quake3ThingType.missile): Quake3ThingState {
  checkOneOf(type, 'type', Quake3ThingType, 'Quake3ThingType');
  const isItem = type === Quake3ThingType.item;
  return {
    kind: 'quake3-thing',
    time: 0,
    type,
    path: Quake3Path.gravity,
    pathTime: 0,
    pathDuration: 0,
    base: new Float32Array(3),
    delta: new Float32Array(3),
    origin: new Float32Array(3),
    mins: new Float32Array(3).fill(isItem ? -ITEM_RADIUS : 0),
    maxs: new Float32Array(3).fill(isItem ? ITEM_RADIUS : 0),
    mask: isItem ? MASK_PLAYERSOLID & ~CONTENTS_BODY : MASK_SHOT,
    bounce: Quake3Bounce.half,
    bounceFactor: 0.5,
    owner: -1,
    ground: -1,
    entity: -1,
    pushMask: CONTENTS_SOLID,
  };
}

/** The fields of {@link Quake3ThingState}, in the order of a fresh one. */
export const quake3ThingStateFields: StateFields<Quake3ThingState> = {
  fit: (state) =>
    isWhole(state.time) &&
    isWhole(state.type) &&
    isWhole(state.path) &&
    isWhole(state.pathTime) &&
    isWhole(state.pathDuration) &&
    areFloats(state.base) &&
    areFloats(state.delta) &&
    areFloats(state.origin) &&
    areFloats(state.mins) &&
    areFloats(state.maxs) &&
    isWhole(state.mask) &&
    isWhole(state.bounce) &&
    typeof state.bounceFactor === 'number' &&
    isWhole(state.owner) &&
    isWhole(state.ground) &&
    isWhole(state.entity) &&
    isWhole(state.pushMask),
  read(state, to) {
    to[0] = state.time;
    to[1] = state.type;
    to[2] = state.path;
    to[3] = state.pathTime;
    to[4] = state.pathDuration;
    putThree(to, 5, state.base);
    putThree(to, 8, state.delta);
    putThree(to, 11, state.origin);
    putThree(to, 14, state.mins);
    putThree(to, 17, state.maxs);
    to[20] = state.mask;
    to[21] = state.bounce;
    to[22] = state.bounceFactor;
    to[23] = state.owner;
    to[24] = state.ground;
    to[25] = state.entity;
    to[26] = state.pushMask;
  },
  write(from, state) {
    state.time = from[0]! | 0;
    state.type = from[1]! | 0;
    state.path = from[2]! | 0;
    state.pathTime = from[3]! | 0;
    state.pathDuration = from[4]! | 0;
    state.mask = from[20]! | 0;
    state.bounce = from[21]! | 0;
    state.bounceFactor = from[22]!;
    state.owner = from[23]! | 0;
    state.ground = from[24]! | 0;
    state.entity = from[25]! | 0;
    state.pushMask = from[26]! | 0;
    takeThree(from, 5, state.base);
    takeThree(from, 8, state.delta);
    takeThree(from, 11, state.origin);
    takeThree(from, 14, state.mins);
    takeThree(from, 17, state.maxs);
  },
};

/** Throws `TypeError` unless a state was made by {@link createQuake3ThingState}, `RangeError` where its numbers are impossible. */
export function checkThingState(state: Quake3ThingState): void {
  const { base, delta, origin, mins, maxs } = state ?? {};
  if (
    state?.kind !== 'quake3-thing' ||
    !isVector(base) ||
    !isVector(delta) ||
    !isVector(origin) ||
    !isVector(mins) ||
    !isVector(maxs)
  ) {
    failState(state, 'createQuake3ThingState', createQuake3ThingState);
  }
  const from = base[0]! + base[1]! + base[2]!;
  const speed = delta[0]! + delta[1]! + delta[2]!;
  const place = origin[0]! + origin[1]! + origin[2]!;
  // x - x is 0 only for finite numbers; which one is wrong is looked up only when one is.
  if (from - from + (speed - speed) + (place - place) !== 0) {
    for (const name of ['base', 'delta', 'origin'] as const) {
      for (let k = 0; k < 3; k++) checkFinite(state[name][k]!, `state.${name}[${k}]`);
    }
  }
  checkBounds(mins, maxs);
  const { type, bounce, bounceFactor } = state;
  checkOneOf(type, 'state.type', Quake3ThingType, 'Quake3ThingType');
  checkOneOf(bounce, 'state.bounce', Quake3Bounce, 'Quake3Bounce');
  // Not passed on unless it is wrong: the argument would be boxed.
  if (typeof bounceFactor !== 'number' || Math.fround(bounceFactor) - Math.fround(bounceFactor) !== 0) {
    checkFinite(bounceFactor, 'state.bounceFactor');
  }
  checkTime(state.time, 'state.time');
  checkTime(state.pathTime, 'state.pathTime');
  checkTime(state.pathDuration, 'state.pathDuration');
  checkOneOf(state.path, 'state.path', THING_PATHS, 'Quake3Path');
  checkMask(state.mask, 'state.mask');
  checkWhole(state.owner, 'state.owner', -1, 0x7fffffff);
  checkWhole(state.ground, 'state.ground', -1, 0x7fffffff);
  checkWhole(state.entity, 'state.entity', -1, 0x7fffffff);
  checkMask(state.pushMask, 'state.pushMask');
}

/** Throws unless a time is whole, and has 31 bits: differences of two of them have 32. */
export function checkTime(time: number, name: string): void {
  if (typeof time !== 'number' || (time | 0) !== time || Math.abs(time) > 0x3fffffff) {
    checkWhole(time, name, -0x3fffffff, 0x3fffffff);
  }
}
