import type { Bounds } from '@bspkit/core';
import { copy } from '../../vectors.ts';
import {
  CONTENTS_BODY,
  CONTENTS_PLAYERCLIP,
  CONTENTS_SOLID,
  DEAD_VIEW,
  DUCKED_VIEW,
  FEET,
  MASK_WATER,
  Quake3Flag,
  Quake3Type,
  VIEW,
} from './constants.ts';
import {
  FLAGS,
  FORWARD,
  HAS_BOX,
  KNOWN_EYES,
  KNOWN_LEVEL,
  KNOWN_TYPE,
  KNOWS_WATER,
  MOVE_UP,
  ORIGIN,
  POINT,
  TIMER,
  TYPE,
  VELOCITY,
  VIEW_HEIGHT,
  WATER_FROM,
  WATER_LEVEL,
  WATER_TYPE,
  WISH,
  type Work,
} from './memory.ts';
import { normalise } from './vectors.ts';

const f = Math.fround;

/** How fast a player jumps out of water, and for how long. */
const WATER_JUMP_SPEED = 200;
const WATER_JUMP_RISE = 350;
const WATER_JUMP_TIME = 2000;

/** The player's box, by its top. */
const boxUpTo = (top: number): Bounds => ({
  mins: Float32Array.of(-15, -15, FEET),
  maxs: Float32Array.of(15, 15, top),
});

export const STANDING: Bounds = /* @__PURE__ */ boxUpTo(32);
const CROUCHING: Bounds = /* @__PURE__ */ boxUpTo(16);
const LYING: Bounds = /* @__PURE__ */ boxUpTo(-8);

function setBox({ ints, box }: Work, { mins, maxs }: Bounds): void {
  ints[HAS_BOX] = 1;
  box.resize(mins, maxs);
}

/** Whether the box fits at a point: not if a position test there is all solid. */
export function fits({ box, trace }: Work, place: Float32Array): boolean {
  box.trace(place, place, trace);
  return !trace.allSolid;
}

/** Crouches and stands up, at once; without room to stand up, the player stays down. Sets the box and the view's height. */
export function checkDuck(work: Work): void {
  const { floats: v, ints, point } = work;
  ints[FLAGS] = ints[FLAGS]! & ~Quake3Flag.invulnerabilityExpand;
  if (ints[TYPE] === Quake3Type.dead) {
    setBox(work, LYING);
    ints[VIEW_HEIGHT] = DEAD_VIEW;
    return;
  }
  if (ints[MOVE_UP]! < 0) ints[FLAGS] = ints[FLAGS]! | Quake3Flag.ducked;
  else if ((ints[FLAGS]! & Quake3Flag.ducked) !== 0) {
    setBox(work, STANDING);
    for (let k = 0; k < 3; k++) v[POINT + k] = v[ORIGIN + k]!;
    if (fits(work, point)) ints[FLAGS] = ints[FLAGS]! & ~Quake3Flag.ducked;
  }
  const isDucked = (ints[FLAGS]! & Quake3Flag.ducked) !== 0;
  setBox(work, isDucked ? CROUCHING : STANDING);
  ints[VIEW_HEIGHT] = isDucked ? DUCKED_VIEW : VIEW;
}

/**
 * Sets how deep the player is in water: 0 not at all, 1 the feet, 2 half of what is below the eyes, 3 the eyes. A slice often
 * starts where the previous one has looked already.
 */
export function setWaterLevel(work: Work): void {
  const { floats: v, ints } = work;
  const eyes = ints[VIEW_HEIGHT]!;
  const isKnown =
    ints[KNOWS_WATER] !== 0 &&
    ints[KNOWN_EYES] === eyes &&
    v[WATER_FROM] === v[ORIGIN] &&
    v[WATER_FROM + 1] === v[ORIGIN + 1] &&
    v[WATER_FROM + 2] === v[ORIGIN + 2];
  if (!isKnown) {
    lookForWater(work, eyes - FEET);
    ints[KNOWS_WATER] = 1;
    ints[KNOWN_EYES] = eyes;
    copy(v, ORIGIN, WATER_FROM);
  }
  ints[WATER_LEVEL] = ints[KNOWN_LEVEL]!;
  ints[WATER_TYPE] = ints[KNOWN_TYPE]!;
}

/** @param eyes - how high the eyes are above the feet. */
function lookForWater({ floats: v, ints, point, contents }: Work, eyes: number): void {
  ints[KNOWN_LEVEL] = 0;
  ints[KNOWN_TYPE] = 0;
  const feet = f(v[ORIGIN + 2]! + FEET);
  v[POINT] = v[ORIGIN]!;
  v[POINT + 1] = v[ORIGIN + 1]!;
  v[POINT + 2] = feet + 1;
  const found = contents.contents(point);
  if ((found & MASK_WATER) === 0) return;
  ints[KNOWN_TYPE] = found;
  ints[KNOWN_LEVEL] = 1;
  v[POINT + 2] = feet + Math.trunc(eyes / 2);
  if ((contents.contents(point) & MASK_WATER) === 0) return;
  ints[KNOWN_LEVEL] = 2;
  v[POINT + 2] = feet + eyes;
  if ((contents.contents(point) & MASK_WATER) !== 0) ints[KNOWN_LEVEL] = 3;
}

/** Jumps out of water if there is a ledge ahead. Returns whether it does. */
export function checkWaterJump(work: Work): boolean {
  const { floats: v, ints, point, contents } = work;
  if (ints[TIMER] !== 0 || ints[WATER_LEVEL] !== 2) return false;
  v[WISH] = v[FORWARD]!;
  v[WISH + 1] = v[FORWARD + 1]!;
  v[WISH + 2] = 0;
  normalise(v, WISH);
  for (let k = 0; k < 3; k++) v[POINT + k] = v[ORIGIN + k]! + f(v[WISH + k]! * 30);
  v[POINT + 2] = v[POINT + 2]! + 4;
  if ((contents.contents(point) & CONTENTS_SOLID) === 0) return false;
  v[POINT + 2] = v[POINT + 2]! + 16;
  const blocking = CONTENTS_SOLID | CONTENTS_PLAYERCLIP | CONTENTS_BODY;
  if ((contents.contents(point) & blocking) !== 0) return false;
  for (let k = 0; k < 3; k++) v[VELOCITY + k] = v[FORWARD + k]! * WATER_JUMP_SPEED;
  v[VELOCITY + 2] = WATER_JUMP_RISE;
  ints[FLAGS] = ints[FLAGS]! | Quake3Flag.timeWaterJump;
  ints[TIMER] = WATER_JUMP_TIME;
  return true;
}
