import { entityOf } from '../../space.ts';
import { BY, clear, copy, cross, DOT, dot, put, scale } from '../../vectors.ts';
import { LEAST_FLOOR, OVERCLIP, STEP_SIZE } from './constants.ts';
import {
  CREASE,
  END,
  FRAME_TIME,
  HIGH_WAY,
  IS_SERVER,
  LOW_ORIGIN,
  LOW_VELOCITY,
  LOW_WAY,
  MOST_TOUCHED,
  NUM_TOUCHED,
  ORIGIN,
  PLANES,
  PRIMAL,
  START,
  STEP_ORIGIN,
  STEP_VELOCITY,
  TIMER,
  VELOCITY,
  type Work,
} from './memory.ts';

const f = Math.fround;

const MOST_BUMPS = 4;
const MOST_PLANES = 5;

/** A velocity that is slower than this along an axis after clipping becomes 0 along it. */
const STOP = 0.1;

/** Traces the player's box from START to END into `work.trace`. */
export function traceMove({ box, start, end, trace }: Work): void {
  box.trace(start, end, trace);
}

/** Whether the player's box fits at a point: not if a position test there is all solid. */
export function fits({ box, trace }: Work, place: Float32Array): boolean {
  box.trace(place, place, trace);
  return !trace.allSolid;
}

/** What the last trace hit: on the server the world even if it hit nothing; -1 for nothing. */
export function hitOf({ ints, trace }: Work): number {
  const hit = entityOf(trace);
  if (ints[IS_SERVER] !== 0) return Math.max(hit, 0);
  // With the server's rules, a scene names the world for a move that starts in solid and reaches its end.
  return hit === 0 && trace.fraction === 1 ? -1 : hit;
}

/** Notes what was touched. */
export function touch({ ints, touched }: Work, entity: number): void {
  const count = ints[NUM_TOUCHED]!;
  if (entity < 0 || count === MOST_TOUCHED) return;
  touched[count] = entity;
  ints[NUM_TOUCHED] = count + 1;
}

/** Puts the player where the last trace ended. */
function takeEnd({ floats, trace }: Work): void {
  put(floats, ORIGIN, trace.endPos);
}

/** Removes the part of the velocity that goes into the plane at a place. */
function clip(v: Float32Array, plane: number): void {
  dot(v, VELOCITY, plane);
  const back = f(v[DOT]! * OVERCLIP);
  for (let k = 0; k < 3; k++) {
    const speed = f(v[VELOCITY + k]! - f(v[plane + k]! * back));
    v[VELOCITY + k] = speed > -STOP && speed < STOP ? 0 : speed;
  }
}

/** Turns the velocity along all planes, or along the crease of two; stops it in a corner of three. */
function turn(v: Float32Array, count: number): boolean {
  for (let i = 0; i < count; i++) {
    clip(v, PLANES + 3 * i);
    let j = 0;
    for (; j < count; j++) {
      if (j === i) continue;
      dot(v, VELOCITY, PLANES + 3 * j);
      if (v[DOT]! < 0) break;
    }
    if (j === count) return true;
  }
  if (count !== 2) return false;
  cross(v, PLANES, PLANES + 3, CREASE);
  dot(v, CREASE, VELOCITY);
  v[BY] = v[DOT]!;
  copy(v, CREASE, VELOCITY);
  scale(v, VELOCITY);
  return true;
}

/** Moves by the velocity for the command's time, and slides along what is hit, up to four times. */
function slideMove(work: Work): void {
  const { floats: v, ints, trace } = work;
  copy(v, VELOCITY, PRIMAL);
  let left = v[FRAME_TIME]!;
  let count = 0;
  for (let bump = 0; bump < MOST_BUMPS; bump++) {
    copy(v, ORIGIN, START);
    for (let k = 0; k < 3; k++) v[END + k] = v[ORIGIN + k]! + f(left * v[VELOCITY + k]!);
    traceMove(work);
    if (trace.allSolid) {
      // Stuck: no falling speed builds up. Unlike below, a running timer does not restore the velocity.
      v[VELOCITY + 2] = 0;
      return;
    }
    const { fraction } = trace;
    if (fraction > 0) {
      takeEnd(work);
      count = 0;
    }
    if (fraction === 1) break;
    touch(work, hitOf(work));
    left = f(left - f(left * fraction));
    if (count === MOST_PLANES) {
      clear(v, VELOCITY);
      break;
    }
    put(v, PLANES + 3 * count++, trace.normal);
    if (!turn(v, count)) {
      clear(v, VELOCITY);
      break;
    }
    // Never backwards, which would shake in corners.
    dot(v, VELOCITY, PRIMAL);
    if (v[DOT]! <= 0) {
      clear(v, VELOCITY);
      break;
    }
  }
  if (ints[TIMER] !== 0) copy(v, PRIMAL, VELOCITY);
}

/** Leaves at `to` the squared horizontal distance of a place from where the step began. */
function measureWay(v: Float32Array, end: number, to: number): void {
  const x = f(v[end]! - v[STEP_ORIGIN]!);
  const y = f(v[end + 1]! - v[STEP_ORIGIN + 1]!);
  v[to] = f(x * x) + f(y * y);
}

/** A slide, and another from 18 units higher that is set down: the one that gets farther is used. */
export function stepSlideMove(work: Work): void {
  const { floats: v, trace, start } = work;
  copy(v, ORIGIN, STEP_ORIGIN);
  copy(v, VELOCITY, STEP_VELOCITY);
  slideMove(work);
  copy(v, ORIGIN, LOW_ORIGIN);
  copy(v, VELOCITY, LOW_VELOCITY);
  copy(v, STEP_ORIGIN, START);
  v[START + 2] = v[START + 2]! + STEP_SIZE;
  if (!fits(work, start)) return;
  copy(v, START, ORIGIN);
  copy(v, STEP_VELOCITY, VELOCITY);
  slideMove(work);
  copy(v, ORIGIN, START);
  copy(v, ORIGIN, END);
  v[END + 2] = v[END + 2]! - STEP_SIZE;
  traceMove(work);
  if (!trace.allSolid) takeEnd(work);
  measureWay(v, LOW_ORIGIN, LOW_WAY);
  measureWay(v, ORIGIN, HIGH_WAY);
  if (v[LOW_WAY]! > v[HIGH_WAY]! || trace.normal[2]! < LEAST_FLOOR) {
    copy(v, LOW_ORIGIN, ORIGIN);
    copy(v, LOW_VELOCITY, VELOCITY);
  } else v[VELOCITY + 2] = v[LOW_VELOCITY + 2]!;
}
