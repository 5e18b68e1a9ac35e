import type { Bounds } from '@bspkit/core';
import { copy } from '../../vectors.ts';
import {
  ALL_TIMES,
  CONTENTS_LADDER,
  CONTENTS_SOLID,
  DUCKED_VIEW,
  GIB_VIEW,
  LEAST_FLOOR,
  MASK_WATER,
  Quake2Flag,
  Quake2Type,
  VIEW,
} from './constants.ts';
import {
  DIRECTION,
  END,
  FLAGS,
  FORWARD,
  GROUND,
  GROUND_CONTENTS,
  GROUND_SURFACE,
  HAS_BOX,
  MOVE_UP,
  ON_LADDER,
  ORIGIN,
  POINT,
  START,
  TIMER,
  TYPE,
  VELOCITY,
  VIEW_HEIGHT,
  WATER_LEVEL,
  WATER_TYPE,
  type Work,
} from './memory.ts';
import { fits, hitOf, touch, traceMove } from './slide.ts';
import { normalise } from './vectors.ts';

const f = Math.fround;

/** A player that rises faster than this stands on nothing. */
const RISING = 180;
/** How far below the player ground is looked for. */
const GROUND_DEPTH = 0.25;
/** A landing at this falling speed or faster lasts a while, in units of 8 ms. */
const HARD_LANDING = -200;
const HARDEST_LANDING = -400;
const LAND_TIME = 18;
const LONG_LAND_TIME = 25;

const WATER_JUMP_REACH = 30;
const WATER_JUMP_SPEED = 50;
const WATER_JUMP_RISE = 350;
const WATER_JUMP_TIME = 255;

const boxOf = (feet: number, top: number): Bounds => ({
  mins: Float32Array.of(-16, -16, feet),
  maxs: Float32Array.of(16, 16, top),
});

export const STANDING: Bounds = /* @__PURE__ */ boxOf(-24, 32);
const CROUCHING: Bounds = /* @__PURE__ */ boxOf(-24, 4);
const GIB: Bounds = /* @__PURE__ */ boxOf(0, 16);

function setBox({ ints, box }: Work, { mins, maxs }: Bounds): void {
  ints[HAS_BOX] = 1;
  box.resize(mins, maxs);
}

/** Sets the box of a player that can neither crouch nor stand up now. */
export function keepBox(work: Work): void {
  const { ints } = work;
  if (ints[TYPE] === Quake2Type.gib) setBox(work, GIB);
  else setBox(work, (ints[FLAGS]! & Quake2Flag.ducked) !== 0 ? CROUCHING : STANDING);
}

/** Clears the flags that the timer serves, and the timer. */
export function clearTimer(ints: Int32Array): void {
  ints[FLAGS] = ints[FLAGS]! & ~ALL_TIMES;
  ints[TIMER] = 0;
}

/** Crouches and stands up, at once; without room to stand up, the player stays down. Sets the box and the view's height. */
export function checkDuck(work: Work): void {
  const { floats: v, ints, point } = work;
  const type = ints[TYPE];
  if (type === Quake2Type.gib) {
    setBox(work, GIB);
    ints[VIEW_HEIGHT] = GIB_VIEW;
    return;
  }
  if (type === Quake2Type.dead || (ints[MOVE_UP]! < 0 && (ints[FLAGS]! & Quake2Flag.onGround) !== 0)) {
    ints[FLAGS] = ints[FLAGS]! | Quake2Flag.ducked;
  } else if ((ints[FLAGS]! & Quake2Flag.ducked) !== 0) {
    setBox(work, STANDING);
    copy(v, ORIGIN, POINT);
    if (fits(work, point)) ints[FLAGS] = ints[FLAGS]! & ~Quake2Flag.ducked;
  }
  keepBox(work);
  ints[VIEW_HEIGHT] = (ints[FLAGS]! & Quake2Flag.ducked) !== 0 ? DUCKED_VIEW : VIEW;
}

/** Finds what the player stands on, and how deep in water it is. */
export function categorise(work: Work): void {
  findGround(work);
  findWater(work);
}

function findGround(work: Work): void {
  const { floats: v, ints, trace } = work;
  if (v[VELOCITY + 2]! > RISING) {
    ints[FLAGS] = ints[FLAGS]! & ~Quake2Flag.onGround;
    ints[GROUND] = -1;
    return;
  }
  copy(v, ORIGIN, START);
  copy(v, ORIGIN, END);
  v[END + 2] = v[END + 2]! - GROUND_DEPTH;
  traceMove(work);
  ints[GROUND_SURFACE] = trace.surfaceFlags;
  ints[GROUND_CONTENTS] = trace.contents;
  const hit = hitOf(work);
  if (hit < 0 || (trace.normal[2]! < LEAST_FLOOR && !trace.startSolid)) {
    ints[GROUND] = -1;
    ints[FLAGS] = ints[FLAGS]! & ~Quake2Flag.onGround;
  } else {
    ints[GROUND] = hit;
    if ((ints[FLAGS]! & Quake2Flag.timeWaterJump) !== 0) clearTimer(ints);
    if ((ints[FLAGS]! & Quake2Flag.onGround) === 0) land(work);
  }
  touch(work, hit);
}

function land({ floats: v, ints }: Work): void {
  ints[FLAGS] = ints[FLAGS]! | Quake2Flag.onGround;
  const speed = v[VELOCITY + 2]!;
  if (speed >= HARD_LANDING) return;
  ints[FLAGS] = ints[FLAGS]! | Quake2Flag.timeLand;
  ints[TIMER] = speed < HARDEST_LANDING ? LONG_LAND_TIME : LAND_TIME;
}

/** How deep the player is in water: 0 not at all, 1 the feet, 2 half of what is below the eyes, 3 the eyes. */
function findWater({ floats: v, ints, point, contents, box }: Work): void {
  ints[WATER_LEVEL] = 0;
  ints[WATER_TYPE] = 0;
  const feet = f(v[ORIGIN + 2]! + box.mins[2]!);
  const eyes = ints[VIEW_HEIGHT]! - box.mins[2]!;
  v[POINT] = v[ORIGIN]!;
  v[POINT + 1] = v[ORIGIN + 1]!;
  v[POINT + 2] = feet + 1;
  const found = contents.contents(point);
  if ((found & MASK_WATER) === 0) return;
  ints[WATER_TYPE] = found;
  ints[WATER_LEVEL] = 1;
  v[POINT + 2] = feet + eyes / 2;
  if ((contents.contents(point) & MASK_WATER) === 0) return;
  ints[WATER_LEVEL] = 2;
  v[POINT + 2] = feet + eyes;
  if ((contents.contents(point) & MASK_WATER) !== 0) ints[WATER_LEVEL] = 3;
}

/** Takes hold of ladders ahead, and jumps out of water if there is a ledge ahead. */
export function checkSpecialMove(work: Work): void {
  const { floats: v, ints, point, contents, trace } = work;
  if (ints[TIMER] !== 0) return;
  // DIRECTION is free here: the wish is computed later.
  v[DIRECTION] = v[FORWARD]!;
  v[DIRECTION + 1] = v[FORWARD + 1]!;
  v[DIRECTION + 2] = 0;
  normalise(v, DIRECTION);
  copy(v, ORIGIN, START);
  for (let k = 0; k < 3; k++) v[END + k] = v[ORIGIN + k]! + v[DIRECTION + k]!;
  traceMove(work);
  if (trace.fraction < 1 && (trace.contents & CONTENTS_LADDER) !== 0) ints[ON_LADDER] = 1;
  if (ints[WATER_LEVEL] !== 2) return;
  for (let k = 0; k < 3; k++) v[POINT + k] = v[ORIGIN + k]! + f(WATER_JUMP_REACH * v[DIRECTION + k]!);
  v[POINT + 2] = v[POINT + 2]! + 4;
  if ((contents.contents(point) & CONTENTS_SOLID) === 0) return;
  v[POINT + 2] = v[POINT + 2]! + 16;
  if (contents.contents(point) !== 0) return;
  for (let k = 0; k < 3; k++) v[VELOCITY + k] = v[DIRECTION + k]! * WATER_JUMP_SPEED;
  v[VELOCITY + 2] = WATER_JUMP_RISE;
  ints[FLAGS] = ints[FLAGS]! | Quake2Flag.timeWaterJump;
  ints[TIMER] = WATER_JUMP_TIME;
}
