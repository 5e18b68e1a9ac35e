import { addScaled, BY, clear, DOT, dot, scale } from '../../vectors.ts';
import { checkWaterJump } from './body.ts';
import { ALL_TIMES, Quake3Event, Quake3Flag, Quake3Type, STOP_SPEED, SURF_SLICK, VIEW } from './constants.ts';
import { addEvent } from './events.ts';
import { noteJump } from './ground.ts';
import {
  DIRECTION,
  DROP,
  FLAGS,
  FLIGHT,
  FORWARD,
  FRAME_TIME,
  GRAPPLE,
  GRAVITY,
  GROUND,
  GROUND_NORMAL,
  HAS_PLANE,
  LENGTH,
  MOVE_FORWARD,
  MOVE_RIGHT,
  MOVE_UP,
  NOW,
  ORIGIN,
  QVM,
  RIGHT,
  SCALE,
  SPEED,
  SURFACE,
  TIMER,
  TYPE,
  VELOCITY,
  VIEW_HEIGHT,
  WALKING,
  WANTED,
  WATER_LEVEL,
  WISH,
  type Work,
} from './memory.ts';
import { slideMove, stepSlideMove } from './slide.ts';
import { clip, measure, normalise } from './vectors.ts';

const f = Math.fround;

const ACCELERATE = 10;
const AIR_ACCELERATE = 1;
const WATER_ACCELERATE = 4;
const FLY_ACCELERATE = 8;
const FRICTION = 6;
const FLIGHT_FRICTION = 3;
const SPECTATOR_FRICTION = 5;
const NOCLIP_FRICTION = 9;
const DUCK_SCALE = 0.25;
const SWIM_SCALE = 0.5;
const JUMP_SPEED = 270;
/** From this value of `up` on, the jump key is down. */
const LEAST_JUMP = 10;
const SINK_SPEED = -60;
const DEAD_SLOWING = 20;
const GRAPPLE_SPEED = 800;

const isSliding = (ints: Int32Array): boolean =>
  (ints[SURFACE]! & SURF_SLICK) !== 0 || (ints[FLAGS]! & Quake3Flag.timeKnockback) !== 0;

/** Walking. */
export function walkMove(work: Work): void {
  const { floats: v, ints } = work;
  if (checkJump(work)) {
    airMove(work);
    return;
  }
  applyFriction(work);
  setScale(work);
  setDirection(ints);
  // Forward and right follow the ground.
  v[FORWARD + 2] = 0;
  v[RIGHT + 2] = 0;
  clip(v, FORWARD, GROUND_NORMAL, FORWARD);
  clip(v, RIGHT, GROUND_NORMAL, RIGHT);
  normalise(v, FORWARD);
  normalise(v, RIGHT);
  setWish(work);
  normalise(v, WISH);
  let speed = f(v[LENGTH]! * v[SCALE]!);
  if ((ints[FLAGS]! & Quake3Flag.ducked) !== 0) speed = Math.min(speed, f(ints[SPEED]! * DUCK_SCALE));
  const level = ints[WATER_LEVEL]!;
  if (level > 0) {
    const wading = f(1 - (1 - SWIM_SCALE) * f(level / 3));
    speed = Math.min(speed, f(ints[SPEED]! * wading));
  }
  const slides = isSliding(ints);
  v[WANTED] = speed;
  accelerate(v, slides ? AIR_ACCELERATE : ACCELERATE);
  if (slides) v[VELOCITY + 2] = v[VELOCITY + 2]! - f(f(ints[GRAVITY]!) * v[FRAME_TIME]!);
  turnAlongGround(v);
  if (v[VELOCITY] !== 0 || v[VELOCITY + 1] !== 0) stepSlideMove(work, false);
}

/** Turns the velocity along the ground plane, and keeps its length. */
function turnAlongGround(v: Float32Array): void {
  measure(v, VELOCITY);
  v[BY] = v[LENGTH]!;
  clip(v, VELOCITY, GROUND_NORMAL, VELOCITY);
  normalise(v, VELOCITY);
  scale(v, VELOCITY);
}

/** Falling, or jumping. */
export function airMove(work: Work): void {
  const { floats: v, ints } = work;
  applyFriction(work);
  setScale(work);
  setDirection(ints);
  v[FORWARD + 2] = 0;
  v[RIGHT + 2] = 0;
  normalise(v, FORWARD);
  normalise(v, RIGHT);
  setWish(work);
  v[WISH + 2] = 0;
  normalise(v, WISH);
  v[WANTED] = v[LENGTH]! * v[SCALE]!;
  accelerate(v, AIR_ACCELERATE);
  // On a slope too steep to stand on.
  if (ints[HAS_PLANE] !== 0) clip(v, VELOCITY, GROUND_NORMAL, VELOCITY);
  stepSlideMove(work, true);
}

/** Spectators, and those who fly. */
export function flyMove(work: Work): void {
  const { floats: v } = work;
  applyFriction(work);
  setScale(work);
  setFreeWish(work, 0);
  normalise(v, WISH);
  v[WANTED] = v[LENGTH]!;
  accelerate(v, FLY_ACCELERATE);
  stepSlideMove(work, false);
}

/** Swimming. */
export function waterMove(work: Work): void {
  const { floats: v, ints } = work;
  if (checkWaterJump(work)) {
    waterJumpMove(work);
    return;
  }
  applyFriction(work);
  setScale(work);
  setFreeWish(work, SINK_SPEED);
  normalise(v, WISH);
  v[WANTED] = Math.min(v[LENGTH]!, f(ints[SPEED]! * SWIM_SCALE));
  accelerate(v, WATER_ACCELERATE);
  dot(v, VELOCITY, GROUND_NORMAL);
  if (ints[HAS_PLANE] !== 0 && v[DOT]! < 0) turnAlongGround(v);
  slideMove(work, false);
}

/** On the way out of water: no control until the fall begins. */
export function waterJumpMove(work: Work): void {
  const { floats: v, ints } = work;
  stepSlideMove(work, true);
  v[VELOCITY + 2] = v[VELOCITY + 2]! - f(f(ints[GRAVITY]!) * v[FRAME_TIME]!);
  if (v[VELOCITY + 2]! >= 0) return;
  ints[FLAGS] = ints[FLAGS]! & ~ALL_TIMES;
  ints[TIMER] = 0;
}

/** Moving through walls. */
export function noclipMove(work: Work): void {
  const { floats: v, ints } = work;
  ints[VIEW_HEIGHT] = VIEW;
  measure(v, VELOCITY);
  v[NOW] = v[LENGTH]!;
  if (v[NOW]! < 1) clear(v, VELOCITY);
  else {
    v[DROP] = f(Math.max(v[NOW]!, STOP_SPEED) * NOCLIP_FRICTION) * v[FRAME_TIME]!;
    slow(v);
  }
  setScale(work);
  setWish(work);
  v[WISH + 2] = v[WISH + 2]! + ints[MOVE_UP]!;
  normalise(v, WISH);
  v[WANTED] = v[LENGTH]! * v[SCALE]!;
  accelerate(v, ACCELERATE);
  v[BY] = v[FRAME_TIME]!;
  addScaled(v, ORIGIN, VELOCITY, ORIGIN);
}

/** The dead come to a stop. */
export function deadMove({ floats: v, ints }: Work): void {
  if (ints[WALKING] === 0) return;
  measure(v, VELOCITY);
  const speed = f(v[LENGTH]! - DEAD_SLOWING);
  if (speed <= 0) clear(v, VELOCITY);
  else {
    normalise(v, VELOCITY);
    v[BY] = speed;
    scale(v, VELOCITY);
  }
}

/** Pulled by the grapple towards its hook, which counts as 16 units nearer. */
export function grappleMove({ floats: v, ints }: Work): void {
  for (let k = 0; k < 3; k++) {
    v[VELOCITY + k] = f(v[GRAPPLE + k]! + f(v[FORWARD + k]! * -16)) - v[ORIGIN + k]!;
  }
  measure(v, VELOCITY);
  const distance = v[LENGTH]!;
  normalise(v, VELOCITY);
  v[BY] = distance <= 100 ? 10 * distance : GRAPPLE_SPEED;
  scale(v, VELOCITY);
  ints[HAS_PLANE] = 0;
}

/** Jumps if the key was not down before. Returns whether it does. */
function checkJump(work: Work): boolean {
  const { floats: v, ints } = work;
  if ((ints[FLAGS]! & Quake3Flag.respawned) !== 0 || ints[MOVE_UP]! < LEAST_JUMP) return false;
  if ((ints[FLAGS]! & Quake3Flag.jumpHeld) !== 0) {
    ints[MOVE_UP] = 0;
    return false;
  }
  ints[HAS_PLANE] = 0;
  ints[WALKING] = 0;
  ints[FLAGS] = ints[FLAGS]! | Quake3Flag.jumpHeld;
  ints[GROUND] = -1;
  v[VELOCITY + 2] = JUMP_SPEED;
  addEvent(work, Quake3Event.jump);
  noteJump(ints);
  return true;
}

/** Slows the player down. On the ground, vertical speed does not count, but is slowed down too. */
function applyFriction({ floats: v, ints }: Work): void {
  const x = f(v[VELOCITY]! * v[VELOCITY]!);
  const y = f(v[VELOCITY + 1]! * v[VELOCITY + 1]!);
  const up = ints[WALKING] !== 0 ? 0 : v[VELOCITY + 2]!;
  const speed = f(Math.sqrt(f(f(x + y) + f(up * up))));
  if (speed < 1) {
    v[VELOCITY] = 0;
    v[VELOCITY + 1] = 0;
    return;
  }
  const time = v[FRAME_TIME]!;
  const level = ints[WATER_LEVEL]!;
  let drop = 0;
  if (level <= 1 && ints[WALKING] !== 0 && !isSliding(ints)) {
    drop = f(f(Math.max(speed, STOP_SPEED) * FRICTION) * time);
  }
  if (level > 0) drop = f(drop + f(f(speed * level) * time));
  if (ints[FLIGHT] !== 0) drop = f(drop + f(f(speed * FLIGHT_FRICTION) * time));
  if (ints[TYPE] === Quake3Type.spectator) drop = f(drop + f(f(speed * SPECTATOR_FRICTION) * time));
  v[NOW] = speed;
  v[DROP] = drop;
  slow(v);
}

/** Reduces the velocity, whose speed is NOW, by DROP. */
function slow(v: Float32Array): void {
  const left = f(v[NOW]! - v[DROP]!);
  v[BY] = (left < 0 ? 0 : left) / v[NOW]!;
  scale(v, VELOCITY);
}

/**
 * Accelerates towards WISH, but only up to the speed WANTED in that direction, which makes strafe jumps fast.
 *
 * @param by - a whole number.
 */
function accelerate(v: Float32Array, by: number): void {
  const x = v[VELOCITY]!;
  const y = v[VELOCITY + 1]!;
  const z = v[VELOCITY + 2]!;
  const wx = v[WISH]!;
  const wy = v[WISH + 1]!;
  const wz = v[WISH + 2]!;
  const wanted = v[WANTED]!;
  const missing = f(wanted - f(f(f(x * wx) + f(y * wy)) + f(z * wz)));
  if (missing <= 0) return;
  const most = f(f(by * v[FRAME_TIME]!) * wanted);
  const amount = most > missing ? missing : most;
  v[VELOCITY] = x + f(wx * amount);
  v[VELOCITY + 1] = y + f(wy * amount);
  v[VELOCITY + 2] = z + f(wz * amount);
}

/** Leaves in SCALE the factor from a command's parts, up to 127 each, to a speed that is the same in all directions. */
function setScale({ floats: v, ints }: Work): void {
  const forward = ints[MOVE_FORWARD]!;
  const right = ints[MOVE_RIGHT]!;
  const up = ints[MOVE_UP]!;
  const most = Math.max(Math.abs(forward), Math.abs(right), Math.abs(up));
  if (most === 0) {
    v[SCALE] = 0;
    return;
  }
  const total = f(Math.sqrt(forward * forward + right * right + up * up));
  const whole = 127 * total;
  const speed = f(f(ints[SPEED]!) * most);
  // Not a choice between a double and its rounding: V8 14 boxes what is chosen.
  if (ints[QVM] !== 0) v[SCALE] = speed / f(whole);
  else v[SCALE] = speed / whole;
}

/** Leaves in WISH where the command leads, from the directions forward and right. */
function setWish({ floats: v, ints }: Work): void {
  const forward = ints[MOVE_FORWARD]!;
  const right = ints[MOVE_RIGHT]!;
  v[WISH] = f(v[FORWARD]! * forward) + f(v[RIGHT]! * right);
  v[WISH + 1] = f(v[FORWARD + 1]! * forward) + f(v[RIGHT + 1]! * right);
  v[WISH + 2] = f(v[FORWARD + 2]! * forward) + f(v[RIGHT + 2]! * right);
}

/** The same in three dimensions, as a velocity; `rest` is the vertical velocity of a player that does nothing. */
function setFreeWish({ floats: v, ints }: Work, rest: number): void {
  const by = v[SCALE]!;
  if (by === 0) {
    clear(v, WISH);
    v[WISH + 2] = rest;
    return;
  }
  const forward = ints[MOVE_FORWARD]!;
  const right = ints[MOVE_RIGHT]!;
  for (let k = 0; k < 3; k++) {
    v[WISH + k] = f(f(by * v[FORWARD + k]!) * forward) + f(f(by * v[RIGHT + k]!) * right);
  }
  v[WISH + 2] = v[WISH + 2]! + f(by * ints[MOVE_UP]!);
}

/** Sets which of eight directions the legs take, for others who see the player. */
function setDirection(ints: Int32Array): void {
  const forward = ints[MOVE_FORWARD]!;
  const right = ints[MOVE_RIGHT]!;
  if (forward > 0) ints[DIRECTION] = right === 0 ? 0 : right < 0 ? 1 : 7;
  else if (forward < 0) ints[DIRECTION] = right === 0 ? 4 : right < 0 ? 3 : 5;
  else if (right !== 0) ints[DIRECTION] = right < 0 ? 2 : 6;
  else if (ints[DIRECTION] === 2) ints[DIRECTION] = 1;
  else if (ints[DIRECTION] === 6) ints[DIRECTION] = 7;
}
