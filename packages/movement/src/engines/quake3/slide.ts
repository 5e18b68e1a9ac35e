import { entityOf } from '../../space.ts';
import { BY, clear, copy, cross, DOT, dot, put, scale } from '../../vectors.ts';
import { Quake3Event, STEP_SIZE } from './constants.ts';
import { addEvent } from './events.ts';
import {
  CLIPPED,
  CREASE,
  END,
  FINAL,
  FINAL_CLIPPED,
  FRAME_TIME,
  GRAVITY,
  GROUND_NORMAL,
  HAS_PLANE,
  IMPACT,
  LENGTH,
  MOST_TOUCHED,
  NUM_TOUCHED,
  ORIGIN,
  PLANES,
  PRIMAL,
  QVM,
  START,
  STEP_ORIGIN,
  STEP_VELOCITY,
  TIMER,
  VELOCITY,
  type Work,
} from './memory.ts';
import { clip, normalise } from './vectors.ts';

const f = Math.fround;

const MOST_BUMPS = 4;
const MOST_PLANES = 5;

/** Planes this similar count as one; velocities that leave a plane this fast are not clipped. In native code, doubles. */
const SAME_PLANE = 0.99;
const SAME_PLANE_QVM: number = f(0.99);
const LEAVING = 0.1;
const LEAVING_QVM: number = f(0.1);
const STEP_FLOOR = 0.7;
const STEP_FLOOR_QVM: number = f(0.7);

/** Traces the player's box from START to END into `work.trace`. */
export function traceMove({ box, start, end, trace }: Work): void {
  box.trace(start, end, trace);
}

/** Notes that a body was touched: each body once, the world never. */
export function touch({ ints, touched }: Work, entity: number): void {
  const count = ints[NUM_TOUCHED]!;
  if (entity <= 0 || count === MOST_TOUCHED) return;
  for (let k = 0; k < count; k++) if (touched[k] === entity) return;
  touched[count] = entity;
  ints[NUM_TOUCHED] = count + 1;
}

/** Puts the player where the last trace ended. */
function takeEnd({ floats, trace }: Work): void {
  put(floats, ORIGIN, trace.endPos);
}

/**
 * Moves by the velocity for a slice's time and slides along what is hit, up to four times, with or without gravity.
 * Returns whether anything was hit.
 */
export function slideMove(work: Work, gravity: boolean): boolean {
  const { floats: v, ints, trace } = work;
  copy(v, VELOCITY, PRIMAL);
  if (gravity) fall(work);
  let count = 0;
  const samePlane = ints[QVM] !== 0 ? SAME_PLANE_QVM : SAME_PLANE;
  let left = v[FRAME_TIME]!;
  let bump = 0;
  for (; bump < MOST_BUMPS; bump++) {
    const x = v[ORIGIN]!;
    const y = v[ORIGIN + 1]!;
    const z = v[ORIGIN + 2]!;
    v[START] = x;
    v[START + 1] = y;
    v[START + 2] = z;
    v[END] = x + f(v[VELOCITY]! * left);
    v[END + 1] = y + f(v[VELOCITY + 1]! * left);
    v[END + 2] = z + f(v[VELOCITY + 2]! * left);
    traceMove(work);
    if (trace.allSolid) {
      // Stuck: no falling speed builds up, but the horizontal parts may lead the player out.
      v[VELOCITY + 2] = 0;
      return true;
    }
    const { fraction } = trace;
    if (fraction > 0) takeEnd(work);
    if (fraction === 1) break;
    touch(work, entityOf(trace));
    left = f(left - f(left * fraction));
    if (bump === 0) {
      // Never into the ground, and never backwards. Until something is hit, these planes are not used and the velocity stays.
      if (ints[HAS_PLANE] !== 0) copy(v, GROUND_NORMAL, PLANES + 3 * count++);
      const back = PLANES + 3 * count++;
      copy(v, VELOCITY, back);
      normalise(v, back);
      // Zeros without a sign.
      if (v[LENGTH] === 0) clear(v, back);
    }
    if (count >= MOST_PLANES) {
      clear(v, VELOCITY);
      return true;
    }
    const next = PLANES + 3 * count;
    put(v, next, trace.normal);
    // A plane that is hit again, through rounding: nudged away from it.
    let isKnown = false;
    for (let k = 0; k < count && !isKnown; k++) {
      dot(v, next, PLANES + 3 * k);
      isKnown = v[DOT]! > samePlane;
    }
    if (isKnown) {
      v[VELOCITY] = v[next]! + v[VELOCITY]!;
      v[VELOCITY + 1] = v[next + 1]! + v[VELOCITY + 1]!;
      v[VELOCITY + 2] = v[next + 2]! + v[VELOCITY + 2]!;
      continue;
    }
    count++;
    if (!turn(work, count, gravity)) {
      clear(v, VELOCITY);
      return true;
    }
  }
  if (gravity) copy(v, FINAL, VELOCITY);
  // While a timer runs, hits do not change the velocity.
  if (ints[TIMER] !== 0) copy(v, PRIMAL, VELOCITY);
  return bump !== 0;
}

/** Moves with the mean of the velocities before and after gravity. */
function fall({ floats: v, ints }: Work): void {
  copy(v, VELOCITY, FINAL);
  v[FINAL + 2] = v[FINAL + 2]! - f(f(ints[GRAVITY]!) * v[FRAME_TIME]!);
  v[VELOCITY + 2] = f(v[VELOCITY + 2]! + v[FINAL + 2]!) * 0.5;
  v[PRIMAL + 2] = v[FINAL + 2]!;
  if (ints[HAS_PLANE] !== 0) clip(v, VELOCITY, GROUND_NORMAL, VELOCITY);
}

/** Turns the velocity along all planes, or along the crease of two. Returns false in a corner of three. */
function turn({ floats: v, ints }: Work, count: number, gravity: boolean): boolean {
  const leaving = ints[QVM] !== 0 ? LEAVING_QVM : LEAVING;
  for (let i = 0; i < count; i++) {
    const first = PLANES + 3 * i;
    dot(v, VELOCITY, first);
    const into = v[DOT]!;
    if (into >= leaving) continue;
    if (-into > v[IMPACT]!) v[IMPACT] = -into;
    clip(v, VELOCITY, first, CLIPPED);
    if (gravity) clip(v, FINAL, first, FINAL_CLIPPED);
    for (let j = 0; j < count; j++) {
      if (j === i) continue;
      const second = PLANES + 3 * j;
      dot(v, CLIPPED, second);
      if (v[DOT]! >= leaving) continue;
      clip(v, CLIPPED, second, CLIPPED);
      if (gravity) clip(v, FINAL_CLIPPED, second, FINAL_CLIPPED);
      dot(v, CLIPPED, first);
      if (v[DOT]! >= 0) continue;
      followCrease(v, first, second, gravity);
      for (let k = 0; k < count; k++) {
        if (k === i || k === j) continue;
        dot(v, CLIPPED, PLANES + 3 * k);
        if (v[DOT]! < leaving) return false;
      }
    }
    // Only the first plane that the velocity goes into matters.
    copy(v, CLIPPED, VELOCITY);
    if (gravity) copy(v, FINAL_CLIPPED, FINAL);
    return true;
  }
  return true;
}

function followCrease(v: Float32Array, a: number, b: number, gravity: boolean): void {
  cross(v, a, b, CREASE);
  normalise(v, CREASE);
  alongCrease(v, VELOCITY, CLIPPED);
  if (gravity) alongCrease(v, FINAL, FINAL_CLIPPED);
}

/** Writes the part of a velocity along the crease to `to`. */
function alongCrease(v: Float32Array, velocity: number, to: number): void {
  dot(v, CREASE, velocity);
  v[BY] = v[DOT]!;
  copy(v, CREASE, to);
  scale(v, to);
}

/** A slide that is tried again from 18 units higher, and set down, if it hits something. Returns whether anything was hit. */
export function stepSlideMove(work: Work, gravity: boolean): boolean {
  const { floats: v, ints, trace } = work;
  copy(v, ORIGIN, STEP_ORIGIN);
  copy(v, VELOCITY, STEP_VELOCITY);
  if (!slideMove(work, gravity)) return false;
  copy(v, STEP_ORIGIN, START);
  copy(v, STEP_ORIGIN, END);
  v[END + 2] = v[END + 2]! - STEP_SIZE;
  traceMove(work);
  const floor = ints[QVM] !== 0 ? STEP_FLOOR_QVM : STEP_FLOOR;
  // No step while rising, unless there is a floor below.
  if (v[VELOCITY + 2]! > 0 && (trace.fraction === 1 || trace.normal[2]! < floor)) return true;
  v[END + 2] = v[STEP_ORIGIN + 2]! + STEP_SIZE;
  traceMove(work);
  if (trace.allSolid) return true;
  const size = f(trace.endPos[2]! - v[STEP_ORIGIN + 2]!);
  takeEnd(work);
  copy(v, STEP_VELOCITY, VELOCITY);
  slideMove(work, gravity);
  copy(v, ORIGIN, START);
  copy(v, ORIGIN, END);
  v[END + 2] = v[END + 2]! - size;
  traceMove(work);
  if (!trace.allSolid) takeEnd(work);
  if (trace.fraction < 1) {
    // CREASE is free: no slide follows.
    put(v, CREASE, trace.normal);
    clip(v, VELOCITY, CREASE, VELOCITY);
  }
  const rise = f(v[ORIGIN + 2]! - v[STEP_ORIGIN + 2]!);
  if (rise <= 2) return true;
  const { step4, step8, step12, step16 } = Quake3Event;
  addEvent(work, rise < 7 ? step4 : rise < 11 ? step8 : rise < 15 ? step12 : step16);
  return true;
}
