import { turnVectors } from '../../turns.ts';
import { addScaled, BY, clear, copy, DOT, dot, scale } from '../../vectors.ts';
import {
  ACCELERATE,
  AMOUNT,
  ANGLES,
  BUTTONS,
  DEAD,
  DROP,
  END,
  ENT_GRAVITY,
  FORWARD,
  FRAME_TIME,
  FRICTION,
  GRAVITY,
  GROUND,
  LENGTH,
  MAX_SPEED,
  MOVE_FORWARD,
  MOVE_RIGHT,
  MOVE_UP,
  MSEC,
  NOW,
  OLD_BUTTONS,
  ORIGIN,
  POINT,
  RIGHT,
  SPECTATOR,
  SPECTATOR_MAX_SPEED,
  START,
  STOP_SPEED,
  VELOCITY,
  WANTED,
  WATER_ACCELERATE,
  WATER_FRICTION,
  WATER_JUMP_TIME,
  WATER_LEVEL,
  WATER_TYPE,
  WISH,
  type Work,
} from './memory.ts';
import { groundMove, LEAST_FLOOR, STEP_SIZE, slideMove, takeEnd, touch, traceMove } from './slide.ts';
import { normalise } from './vectors.ts';

const f = Math.fround;

/** Milliseconds to seconds: a double. */
const SECONDS = 0.001;

/** The bit of the jump button. */
const JUMP = 2;

// Contents, as the format codes them.
const EMPTY = -1;
const SOLID = -2;
const WATER = -3;
const SLIME = -4;

/** The height above the origin at which water is looked for last, after the feet and the waist. */
const EYES = 22;

const JUMP_SPEED = 270;
/** A player that rises faster than this is not on the ground. */
const LEAVING = 180;
/** In the air, the wanted speed counts as at most this when the speed still missing is computed. */
const AIR_SPEED = 30;
/** A player that does nothing sinks at this speed. */
const SINK_SPEED = 60;
const SWIM_SCALE = 0.7;
const SPECTATOR_FRICTION = 1.5;

/** Positions to try for a player that is stuck: as it is, and 1/8 to either side. */
const NUDGES: readonly number[] = [0, -0.125, 0.125];

/** Runs a command of any length without splitting it. The directions forward and right have been computed. */
export function runCommand(work: Work): void {
  const { floats: v, ints } = work;
  v[FRAME_TIME] = ints[MSEC]! * SECONDS;
  if (ints[SPECTATOR] !== 0) {
    spectatorMove(work);
    return;
  }
  nudge(work);
  categorise(work);
  if (ints[WATER_LEVEL] === 2) checkWaterJump(work);
  if (v[VELOCITY + 2]! < 0) v[WATER_JUMP_TIME] = 0;
  if ((ints[BUTTONS]! & JUMP) !== 0) pressJump(work);
  else ints[OLD_BUTTONS] = ints[OLD_BUTTONS]! & ~JUMP;
  applyFriction(work);
  if (ints[WATER_LEVEL]! >= 2) swim(work);
  else walk(work);
  categorise(work);
}

/** Computes the directions forward and right. */
export function turnView({ floats, turns }: Work): void {
  turnVectors(turns, floats, ANGLES, FORWARD, RIGHT);
}

/** Moves a player that is stuck to a free place up to 1/8 away: transmitted origins are less precise than that. */
function nudge({ floats: v, point, probe }: Work): void {
  for (let z = 0; z < 3; z++) {
    for (let x = 0; x < 3; x++) {
      for (let y = 0; y < 3; y++) {
        v[POINT] = v[ORIGIN]! + NUDGES[x]!;
        v[POINT + 1] = v[ORIGIN + 1]! + NUDGES[y]!;
        v[POINT + 2] = v[ORIGIN + 2]! + NUDGES[z]!;
        if (!probe.isFree(point)) continue;
        copy(v, POINT, ORIGIN);
        return;
      }
    }
  }
}

/** Finds what the player stands on, puts it down on that, and finds how deep in water it is. */
function categorise(work: Work): void {
  const { floats: v, ints, point, probe, trace } = work;
  // Water is looked for below where the player was before it is put down.
  v[POINT] = v[ORIGIN]!;
  v[POINT + 1] = v[ORIGIN + 1]!;
  ints[GROUND] = -1;
  if (v[VELOCITY + 2]! <= LEAVING) {
    copy(v, ORIGIN, START);
    copy(v, ORIGIN, END);
    v[END + 2] = v[END + 2]! - 1;
    traceMove(work);
    if (trace.normal[2]! >= LEAST_FLOOR) {
      ints[GROUND] = probe.entity;
      if (probe.entity >= 0) {
        v[WATER_JUMP_TIME] = 0;
        if (!(trace.startSolid || trace.allSolid)) takeEnd(work);
      }
    }
    if (probe.entity > 0) touch(work);
  }
  ints[WATER_LEVEL] = 0;
  ints[WATER_TYPE] = EMPTY;
  v[POINT + 2] = f(v[ORIGIN + 2]! + probe.feet) + 1;
  const found = probe.contents(point);
  if (found > WATER) return;
  ints[WATER_TYPE] = found;
  ints[WATER_LEVEL] = 1;
  v[POINT + 2] = v[ORIGIN + 2]! + probe.waist;
  if (probe.contents(point) > WATER) return;
  ints[WATER_LEVEL] = 2;
  v[POINT + 2] = v[ORIGIN + 2]! + EYES;
  if (probe.contents(point) <= WATER) ints[WATER_LEVEL] = 3;
}

/** Jumps out of water if there is a ledge ahead. */
function checkWaterJump({ floats: v, ints, point, probe }: Work): void {
  if (v[WATER_JUMP_TIME] !== 0 || v[VELOCITY + 2]! < -180) return;
  v[WISH] = v[FORWARD]!;
  v[WISH + 1] = v[FORWARD + 1]!;
  v[WISH + 2] = 0;
  normalise(v, WISH, LENGTH);
  v[BY] = 24;
  addScaled(v, ORIGIN, WISH, POINT);
  v[POINT + 2] = v[POINT + 2]! + 8;
  if (probe.contents(point) !== SOLID) return;
  v[POINT + 2] = v[POINT + 2]! + 24;
  if (probe.contents(point) !== EMPTY) return;
  copy(v, WISH, VELOCITY);
  v[BY] = 50;
  scale(v, VELOCITY);
  v[VELOCITY + 2] = 310;
  v[WATER_JUMP_TIME] = 2;
  ints[OLD_BUTTONS] = ints[OLD_BUTTONS]! | JUMP;
}

/** Called while the jump button is down: swims up, or jumps if it was not down before. */
function pressJump({ floats: v, ints }: Work): void {
  if (ints[DEAD] !== 0) {
    ints[OLD_BUTTONS] = ints[OLD_BUTTONS]! | JUMP;
    return;
  }
  if (v[WATER_JUMP_TIME] !== 0) {
    const left = f(v[WATER_JUMP_TIME]! - v[FRAME_TIME]!);
    v[WATER_JUMP_TIME] = left < 0 ? 0 : left;
    return;
  }
  if (ints[WATER_LEVEL]! >= 2) {
    ints[GROUND] = -1;
    const type = ints[WATER_TYPE]!;
    v[VELOCITY + 2] = type === WATER ? 100 : type === SLIME ? 80 : 50;
    return;
  }
  if (ints[GROUND]! < 0 || (ints[OLD_BUTTONS]! & JUMP) !== 0) return;
  ints[GROUND] = -1;
  v[VELOCITY + 2] = v[VELOCITY + 2]! + JUMP_SPEED;
  ints[OLD_BUTTONS] = ints[OLD_BUTTONS]! | JUMP;
}

/** Slows the player down: in water, and on the ground, more so at edges. */
function applyFriction(work: Work): void {
  const { floats: v, ints, probe, trace } = work;
  if (v[WATER_JUMP_TIME] !== 0) return;
  dot(v, VELOCITY, VELOCITY);
  const speed = f(Math.sqrt(v[DOT]!));
  v[NOW] = speed;
  if (speed < 1) {
    v[VELOCITY] = 0;
    v[VELOCITY + 1] = 0;
    return;
  }
  v[DROP] = 0;
  if (ints[WATER_LEVEL]! >= 2) {
    v[DROP] = f(f(speed * v[WATER_FRICTION]!) * ints[WATER_LEVEL]!) * v[FRAME_TIME]!;
  } else if (ints[GROUND]! >= 0) {
    v[START] = v[ORIGIN]! + f(f(v[VELOCITY]! / speed) * 16);
    v[START + 1] = v[ORIGIN + 1]! + f(f(v[VELOCITY + 1]! / speed) * 16);
    v[START + 2] = v[ORIGIN + 2]! + probe.feet;
    copy(v, START, END);
    v[END + 2] = v[END + 2]! - 34;
    traceMove(work);
    setDrop(v, trace.fraction === 1 ? 2 : 1);
  }
  slow(v);
}

/** Leaves in DROP how much of the speed NOW friction takes; `times` multiplies the friction. */
function setDrop(v: Float32Array, times: number): void {
  const control = Math.max(v[NOW]!, v[STOP_SPEED]!);
  v[DROP] = f(control * f(v[FRICTION]! * times)) * v[FRAME_TIME]!;
}

/** Reduces the velocity, whose speed is NOW, by DROP. */
function slow(v: Float32Array): void {
  const left = f(v[NOW]! - v[DROP]!);
  v[BY] = (left < 0 ? 0 : left) / v[NOW]!;
  scale(v, VELOCITY);
}

/** Leaves in WISH where the command leads, from the directions forward and right. */
function setWish(v: Float32Array): void {
  const forward = v[MOVE_FORWARD]!;
  const right = v[MOVE_RIGHT]!;
  for (let k = 0; k < 3; k++) v[WISH + k] = f(v[FORWARD + k]! * forward) + f(v[RIGHT + k]! * right);
}

/** Leaves the direction in WISH, and the speed, limited to the one at `most`, in WANTED. */
function limitWish(v: Float32Array, most: number): void {
  normalise(v, WISH, WANTED);
  if (v[WANTED]! > v[most]!) v[WANTED] = v[most]!;
}

/**
 * Accelerates towards WISH by AMOUNT, or by as much as the speed in that direction is below WANTED. Returns whether it is below.
 */
function speedUp(v: Float32Array): boolean {
  dot(v, VELOCITY, WISH);
  const missing = f(v[WANTED]! - v[DOT]!);
  if (missing <= 0) return false;
  v[BY] = v[AMOUNT]! > missing ? missing : v[AMOUNT]!;
  addScaled(v, VELOCITY, WISH, VELOCITY);
  return true;
}

/** {@link speedUp} for those who are alive and not jumping out of water. */
function accelerate({ floats: v, ints }: Work): void {
  if (ints[DEAD] === 0 && v[WATER_JUMP_TIME] === 0) speedUp(v);
}

/** Walking, and moving in the air, where AMOUNT is based on the same acceleration as on the ground. */
function walk(work: Work): void {
  const { floats: v, ints } = work;
  v[FORWARD + 2] = 0;
  v[RIGHT + 2] = 0;
  normalise(v, FORWARD, LENGTH);
  normalise(v, RIGHT, LENGTH);
  setWish(v);
  v[WISH + 2] = 0;
  limitWish(v, MAX_SPEED);
  const speed = v[WANTED]!;
  const by = v[ACCELERATE]!;
  const time = v[FRAME_TIME]!;
  const isOnGround = ints[GROUND]! >= 0;
  if (isOnGround) {
    v[VELOCITY + 2] = 0;
    v[AMOUNT] = f(by * time) * speed;
  } else {
    v[AMOUNT] = f(by * speed) * time;
    if (speed > AIR_SPEED) v[WANTED] = AIR_SPEED;
  }
  accelerate(work);
  v[VELOCITY + 2] = v[VELOCITY + 2]! - f(f(v[ENT_GRAVITY]! * v[GRAVITY]!) * time);
  if (isOnGround) groundMove(work);
  else slideMove(work);
}

function swim(work: Work): void {
  const { floats: v, trace } = work;
  setWish(v);
  const isIdle = v[MOVE_FORWARD] === 0 && v[MOVE_RIGHT] === 0 && v[MOVE_UP] === 0;
  v[WISH + 2] = isIdle ? v[WISH + 2]! - SINK_SPEED : v[WISH + 2]! + v[MOVE_UP]!;
  limitWish(v, MAX_SPEED);
  v[WANTED] = v[WANTED]! * SWIM_SCALE;
  v[AMOUNT] = f(v[WATER_ACCELERATE]! * v[FRAME_TIME]!) * v[WANTED]!;
  accelerate(work);
  // Straight to the end, down from a step above it, whatever is in between.
  v[BY] = v[FRAME_TIME]!;
  addScaled(v, ORIGIN, VELOCITY, END);
  copy(v, END, START);
  v[START + 2] = v[START + 2]! + (STEP_SIZE + 1);
  traceMove(work);
  if (trace.startSolid || trace.allSolid) slideMove(work);
  else takeEnd(work);
}

/** Spectators, through walls. */
function spectatorMove({ floats: v }: Work): void {
  dot(v, VELOCITY, VELOCITY);
  v[NOW] = Math.sqrt(v[DOT]!);
  if (v[NOW]! < 1) clear(v, VELOCITY);
  else {
    setDrop(v, SPECTATOR_FRICTION);
    slow(v);
  }
  normalise(v, FORWARD, LENGTH);
  normalise(v, RIGHT, LENGTH);
  setWish(v);
  v[WISH + 2] = v[WISH + 2]! + v[MOVE_UP]!;
  limitWish(v, SPECTATOR_MAX_SPEED);
  v[AMOUNT] = f(v[ACCELERATE]! * v[FRAME_TIME]!) * v[WANTED]!;
  // A spectator that is already fast enough does not move at all.
  if (!speedUp(v)) return;
  v[BY] = v[FRAME_TIME]!;
  addScaled(v, ORIGIN, VELOCITY, ORIGIN);
}
