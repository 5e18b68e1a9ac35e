import { addScaled, BY, clear, copy, DOT, dot, put } from '../../vectors.ts';
import { followCrease, turn } from '../clip.ts';
import {
  CREASE,
  END,
  FRAME_TIME,
  HIGH_WAY,
  LOW_ORIGIN,
  LOW_VELOCITY,
  LOW_WAY,
  MOST_TOUCHED,
  NUM_TOUCHED,
  ORIGIN,
  ORIGINAL,
  PLANES,
  PRIMAL,
  START,
  STEP_ORIGIN,
  STEP_VELOCITY,
  VELOCITY,
  WATER_JUMP_TIME,
  type Work,
} from './memory.ts';

const f = Math.fround;

const MOST_BUMPS = 4;
export const STEP_SIZE = 18;
/** Floors are planes whose normal has this z or more. A double. */
export const LEAST_FLOOR = 0.7;

/** Traces the player's hull from START to END into `work.trace`. */
export function traceMove({ probe, start, end, trace }: Work): void {
  probe.trace(start, end, trace);
}

/** Puts the player where the last trace ended. */
export function takeEnd({ floats, trace }: Work): void {
  put(floats, ORIGIN, trace.endPos);
}

/** Notes what the last trace hit as touched, even if it was before. */
export function touch({ ints, touched, probe }: Work): void {
  const count = ints[NUM_TOUCHED]!;
  if (count === MOST_TOUCHED) return;
  touched[count] = probe.entity;
  ints[NUM_TOUCHED] = count + 1;
}

/** Moves by the velocity for the command's time and slides along what is hit, up to four times. */
export function slideMove(work: Work): void {
  const { floats: v, trace } = work;
  copy(v, VELOCITY, PRIMAL);
  copy(v, VELOCITY, ORIGINAL);
  let left = v[FRAME_TIME]!;
  let count = 0;
  for (let bump = 0; bump < MOST_BUMPS; bump++) {
    copy(v, ORIGIN, START);
    v[BY] = left;
    addScaled(v, ORIGIN, VELOCITY, END);
    traceMove(work);
    if (trace.startSolid || trace.allSolid) {
      clear(v, VELOCITY);
      return;
    }
    const { fraction } = trace;
    if (fraction > 0) {
      takeEnd(work);
      count = 0;
    }
    if (fraction === 1) break;
    touch(work);
    left = f(left - f(left * fraction));
    put(v, PLANES + 3 * count++, trace.normal);
    if (!turn(v, ORIGINAL, VELOCITY, PLANES, count)) {
      if (count !== 2) {
        clear(v, VELOCITY);
        break;
      }
      followCrease(v, PLANES, CREASE, VELOCITY);
    }
    // Never backwards, which would jitter in corners.
    dot(v, VELOCITY, PRIMAL);
    if (v[DOT]! <= 0) {
      clear(v, VELOCITY);
      break;
    }
  }
  if (v[WATER_JUMP_TIME] !== 0) copy(v, PRIMAL, VELOCITY);
}

/** Moves on the ground. If the way is not free, tries it with a step up, which is used if it leads at least as far. */
export function groundMove(work: Work): void {
  const { floats: v, trace } = work;
  v[VELOCITY + 2] = 0;
  if (v[VELOCITY] === 0 && v[VELOCITY + 1] === 0) return;
  copy(v, ORIGIN, START);
  v[BY] = v[FRAME_TIME]!;
  addScaled(v, ORIGIN, VELOCITY, END);
  v[END + 2] = v[ORIGIN + 2]!;
  traceMove(work);
  if (trace.fraction === 1) {
    takeEnd(work);
    return;
  }
  copy(v, ORIGIN, STEP_ORIGIN);
  copy(v, VELOCITY, STEP_VELOCITY);
  slideMove(work);
  copy(v, ORIGIN, LOW_ORIGIN);
  copy(v, VELOCITY, LOW_VELOCITY);
  copy(v, STEP_ORIGIN, ORIGIN);
  copy(v, STEP_VELOCITY, VELOCITY);
  traceUp(work, STEP_SIZE);
  if (!(trace.startSolid || trace.allSolid)) takeEnd(work);
  slideMove(work);
  traceUp(work, -STEP_SIZE);
  if (trace.normal[2]! >= LEAST_FLOOR) {
    if (!(trace.startSolid || trace.allSolid)) takeEnd(work);
    measureWay(v, LOW_ORIGIN, LOW_WAY);
    measureWay(v, ORIGIN, HIGH_WAY);
    if (v[LOW_WAY]! <= v[HIGH_WAY]!) {
      v[VELOCITY + 2] = v[LOW_VELOCITY + 2]!;
      return;
    }
  }
  copy(v, LOW_ORIGIN, ORIGIN);
  copy(v, LOW_VELOCITY, VELOCITY);
}

/** Traces upwards from where the player is, by `by`. */
function traceUp(work: Work, by: number): void {
  const { floats: v } = work;
  copy(v, ORIGIN, START);
  copy(v, ORIGIN, END);
  v[END + 2] = v[END + 2]! + by;
  traceMove(work);
}

/** Leaves at `way` the squared horizontal distance from where a step began. */
function measureWay(v: Float32Array, to: number, way: number): void {
  const x = f(v[to]! - v[STEP_ORIGIN]!);
  const y = f(v[to + 1]! - v[STEP_ORIGIN + 1]!);
  v[way] = f(x * x) + f(y * y);
}
