import { addScaled, BY, clear, copy, DOT, dot, scale } from '../../vectors.ts';
import {
  ACCELERATE,
  CONTENTS_CURRENT_0,
  CONTENTS_CURRENT_90,
  CONTENTS_CURRENT_180,
  CONTENTS_CURRENT_270,
  CONTENTS_CURRENT_DOWN,
  CONTENTS_CURRENT_UP,
  CONTENTS_SLIME,
  CONTENTS_WATER,
  DUCK_SPEED,
  FRICTION,
  MAX_SPEED,
  Quake2Flag,
  Quake2Type,
  STOP_SPEED,
  SURF_SLICK,
  VIEW,
  WATER_SPEED,
} from './constants.ts';
import {
  AIR_ACCELERATE,
  ANGLES,
  DIRECTION,
  DROP,
  FALL,
  FLAGS,
  FORWARD,
  FRAME_TIME,
  GRAVITY,
  GROUND,
  GROUND_CONTENTS,
  GROUND_SURFACE,
  LENGTH,
  MOVE_FORWARD,
  MOVE_RIGHT,
  MOVE_UP,
  NOW,
  ON_LADDER,
  ORIGIN,
  RIGHT,
  TYPE,
  VELOCITY,
  VIEW_HEIGHT,
  WANTED,
  WATER_LEVEL,
  WATER_TYPE,
  WISH,
  type Work,
} from './memory.ts';
import { stepSlideMove } from './slide.ts';
import { measure, normalise } from './vectors.ts';

const f = Math.fround;

const FLY_FRICTION = 9;
const JUMP_SPEED = 270;
/** From this value of `up` on, the jump key is down. */
const LEAST_JUMP = 10;
/** A player that sinks faster does not swim up. */
const SINKING = -300;
const DRIFT = -60;
const DEAD_SLOWING = 20;
const LADDER_SPEED = 200;
/** The greatest speed sideways on a ladder. */
const LADDER_SIDE = 25;
/** A player that looks at least this far up or down climbs that way. */
const LADDER_PITCH = 15;
const GROUND_CURRENT = 100;
const MOST_AIR_WISH = 30;

/** Applies gravity to the velocity. */
export function fall({ floats: v }: Work): void {
  v[VELOCITY + 2] = v[VELOCITY + 2]! - v[FALL]!;
}

/** Jumps, and swims up, if the key was not down before. */
export function checkJump({ floats: v, ints }: Work): void {
  if ((ints[FLAGS]! & Quake2Flag.timeLand) !== 0) return;
  if (ints[MOVE_UP]! < LEAST_JUMP) {
    ints[FLAGS] = ints[FLAGS]! & ~Quake2Flag.jumpHeld;
    return;
  }
  if ((ints[FLAGS]! & Quake2Flag.jumpHeld) !== 0 || ints[TYPE] === Quake2Type.dead) return;
  if (ints[WATER_LEVEL]! >= 2) {
    ints[GROUND] = -1;
    if (v[VELOCITY + 2]! <= SINKING) return;
    // Compared as a whole: contents of water and something else, such as detail water, match none of these.
    const water = ints[WATER_TYPE];
    v[VELOCITY + 2] = water === CONTENTS_WATER ? 100 : water === CONTENTS_SLIME ? 80 : 50;
    return;
  }
  if (ints[GROUND]! < 0) return;
  ints[FLAGS] = ints[FLAGS]! | Quake2Flag.jumpHeld;
  ints[GROUND] = -1;
  v[VELOCITY + 2] = Math.max(f(v[VELOCITY + 2]! + JUMP_SPEED), JUMP_SPEED);
}

/** Slows the player down, on the ground and in water. */
export function applyFriction({ floats: v, ints }: Work): void {
  measure(v, VELOCITY);
  const speed = v[LENGTH]!;
  if (speed < 1) {
    v[VELOCITY] = 0;
    v[VELOCITY + 1] = 0;
    return;
  }
  const time = v[FRAME_TIME]!;
  const isOnLadder = ints[ON_LADDER] !== 0;
  const level = ints[WATER_LEVEL]!;
  let drop = 0;
  if (isOnLadder || (ints[GROUND]! >= 0 && (ints[GROUND_SURFACE]! & SURF_SLICK) === 0)) {
    drop = f(f(Math.max(speed, STOP_SPEED) * FRICTION) * time);
  }
  if (level !== 0 && !isOnLadder) drop = f(drop + f(f(speed * level) * time));
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

/** Accelerates by what is missing of the wanted speed, within the limit that `by` sets. Returns whether any is missing. */
function accelerate(v: Float32Array, by: number): boolean {
  dot(v, VELOCITY, DIRECTION);
  const missing = f(v[WANTED]! - v[DOT]!);
  if (missing <= 0) return false;
  const most = f(f(by * v[FRAME_TIME]!) * v[WANTED]!);
  v[BY] = most > missing ? missing : most;
  addScaled(v, VELOCITY, DIRECTION, VELOCITY);
  return true;
}

/** The same in the air if the server's `sv_airaccelerate` is not 0: only a little can be missing, but much may be added. */
function airAccelerate(v: Float32Array): void {
  dot(v, VELOCITY, DIRECTION);
  const wanted = v[WANTED]!;
  const missing = f((wanted > MOST_AIR_WISH ? MOST_AIR_WISH : wanted) - v[DOT]!);
  if (missing <= 0) return;
  const most = f(f(ACCELERATE * wanted) * v[FRAME_TIME]!);
  v[BY] = most > missing ? missing : most;
  addScaled(v, VELOCITY, DIRECTION, VELOCITY);
}

/** Leaves in WISH where the command leads, from the directions forward and right. */
function setWish({ floats: v, ints }: Work): void {
  const forward = ints[MOVE_FORWARD]!;
  const right = ints[MOVE_RIGHT]!;
  for (let k = 0; k < 3; k++) {
    v[WISH + k] = f(v[FORWARD + k]! * forward) + f(v[RIGHT + k]! * right);
  }
}

/** Leaves the direction of WISH in DIRECTION and its speed, limited to `most`, in WANTED. */
function setWanted(v: Float32Array, most: number): void {
  copy(v, WISH, DIRECTION);
  normalise(v, DIRECTION);
  const speed = v[LENGTH]!;
  v[WANTED] = speed;
  if (speed <= most) return;
  v[BY] = most / speed;
  scale(v, WISH);
  v[WANTED] = most;
}

/** Adds the currents in these contents to WISH, at a speed. */
function addCurrent(v: Float32Array, contents: number, speed: number): void {
  v[WISH] = v[WISH]! + speed * flow(contents, CONTENTS_CURRENT_0, CONTENTS_CURRENT_180);
  v[WISH + 1] = v[WISH + 1]! + speed * flow(contents, CONTENTS_CURRENT_90, CONTENTS_CURRENT_270);
  v[WISH + 2] = v[WISH + 2]! + speed * flow(contents, CONTENTS_CURRENT_UP, CONTENTS_CURRENT_DOWN);
}

const flow = (contents: number, there: number, back: number): number =>
  ((contents & there) !== 0 ? 1 : 0) - ((contents & back) !== 0 ? 1 : 0);

const CURRENTS: number =
  CONTENTS_CURRENT_0 |
  CONTENTS_CURRENT_90 |
  CONTENTS_CURRENT_180 |
  CONTENTS_CURRENT_270 |
  CONTENTS_CURRENT_UP |
  CONTENTS_CURRENT_DOWN;

/** Adds to WISH what ladders, flowing water and conveyor belts do. */
function addCurrents(work: Work): void {
  const { floats: v, ints } = work;
  if (ints[ON_LADDER] !== 0 && Math.abs(v[VELOCITY + 2]!) <= LADDER_SPEED) climb(work);
  const isOnGround = ints[GROUND]! >= 0;
  if ((ints[WATER_TYPE]! & CURRENTS) !== 0) {
    const isWading = ints[WATER_LEVEL] === 1 && isOnGround;
    addCurrent(v, ints[WATER_TYPE]!, isWading ? WATER_SPEED / 2 : WATER_SPEED);
  }
  if (isOnGround) addCurrent(v, ints[GROUND_CONTENTS]!, GROUND_CURRENT);
}

function climb({ floats: v, ints }: Work): void {
  const pitch = v[ANGLES]!;
  const up = ints[MOVE_UP]!;
  const goes = ints[MOVE_FORWARD]! > 0;
  let speed = 0;
  if (pitch <= -LADDER_PITCH && goes) speed = LADDER_SPEED;
  else if (pitch >= LADDER_PITCH && goes) speed = -LADDER_SPEED;
  else if (up > 0) speed = LADDER_SPEED;
  else if (up < 0) speed = -LADDER_SPEED;
  v[WISH] = Math.min(Math.max(v[WISH]!, -LADDER_SIDE), LADDER_SIDE);
  v[WISH + 1] = Math.min(Math.max(v[WISH + 1]!, -LADDER_SIDE), LADDER_SIDE);
  v[WISH + 2] = speed;
}

/** Swimming. */
export function waterMove(work: Work): void {
  const { floats: v, ints } = work;
  setWish(work);
  const rests = ints[MOVE_FORWARD] === 0 && ints[MOVE_RIGHT] === 0 && ints[MOVE_UP] === 0;
  v[WISH + 2] = v[WISH + 2]! + (rests ? DRIFT : ints[MOVE_UP]!);
  addCurrents(work);
  setWanted(v, MAX_SPEED);
  v[WANTED] = v[WANTED]! * 0.5;
  accelerate(v, ACCELERATE);
  stepSlideMove(work);
}

/** Walking, climbing and falling. */
export function airMove(work: Work): void {
  const { floats: v, ints } = work;
  setWish(work);
  v[WISH + 2] = 0;
  addCurrents(work);
  setWanted(v, (ints[FLAGS]! & Quake2Flag.ducked) !== 0 ? DUCK_SPEED : MAX_SPEED);
  if (ints[ON_LADDER] !== 0) {
    accelerate(v, ACCELERATE);
    if (v[WISH + 2] === 0) holdLadder(work);
    stepSlideMove(work);
  } else if (ints[GROUND]! >= 0) {
    v[VELOCITY + 2] = 0;
    accelerate(v, ACCELERATE);
    if (ints[GRAVITY]! > 0) v[VELOCITY + 2] = 0;
    else fall(work);
    if (v[VELOCITY] !== 0 || v[VELOCITY + 1] !== 0) stepSlideMove(work);
  } else {
    if (ints[AIR_ACCELERATE] !== 0) airAccelerate(v);
    else accelerate(v, 1);
    fall(work);
    stepSlideMove(work);
  }
}

/** Comes to a stop on a ladder, as quickly as gravity accelerates. */
function holdLadder({ floats: v }: Work): void {
  const speed = v[VELOCITY + 2]!;
  const change = v[FALL]!;
  if (speed > 0) v[VELOCITY + 2] = Math.max(f(speed - change), 0);
  else v[VELOCITY + 2] = Math.min(f(speed + change), 0);
}

/** The dead come to a stop. */
export function deadMove({ floats: v, ints }: Work): void {
  if (ints[GROUND]! < 0) return;
  measure(v, VELOCITY);
  const speed = f(v[LENGTH]! - DEAD_SLOWING);
  if (speed <= 0) clear(v, VELOCITY);
  else {
    normalise(v, VELOCITY);
    v[BY] = speed;
    scale(v, VELOCITY);
  }
}

/** Spectators, through walls. */
export function flyMove(work: Work): void {
  const { floats: v, ints } = work;
  ints[VIEW_HEIGHT] = VIEW;
  measure(v, VELOCITY);
  const speed = v[LENGTH]!;
  if (speed < 1) clear(v, VELOCITY);
  else {
    v[NOW] = speed;
    v[DROP] = f(Math.max(speed, STOP_SPEED) * FLY_FRICTION) * v[FRAME_TIME]!;
    slow(v);
  }
  normalise(v, FORWARD);
  normalise(v, RIGHT);
  setWish(work);
  v[WISH + 2] = v[WISH + 2]! + ints[MOVE_UP]!;
  setWanted(v, MAX_SPEED);
  // A spectator that is already fast enough does not move at all.
  if (!accelerate(v, ACCELERATE)) return;
  v[BY] = v[FRAME_TIME]!;
  addScaled(v, ORIGIN, VELOCITY, ORIGIN);
}
