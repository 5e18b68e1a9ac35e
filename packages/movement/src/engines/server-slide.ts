import type { Trace } from '@bspkit/core';
import { entityOf, type MovedBox } from '../space.ts';
import { addScaled, BY, clear, copy, DOT, dot, put } from '../vectors.ts';
import { followCrease, turn } from './clip.ts';

// What the moves of servers share: a box that is pushed, and slides. Writing to `floats` rounds to float32, as the engines do at
// each step; what is not written there is rounded by hand.

const f = Math.fround;

/** Places in {@link ServerWork.floats}: vectors of three, after what `vectors.ts` needs. */
export const ORIGIN = 2;
export const VELOCITY = 5;
export const ANGLES = 8;
/** Ends of the next trace. */
export const START = 11;
export const END = 14;
const PRIMAL = 17;
const ORIGINAL = 20;
const TURNED = 23;
const CREASE = 26;
const PLANES = 29;
/** Normal of the last wall. */
export const WALL = 44;
/** How far a push goes, and how long a slide takes. */
export const PUSH = 47;
export const TIME = 50;
/** Lowest and highest corner of the box where it stands, and a point. */
export const LOW = 51;
export const HIGH = 54;
export const POINT = 57;
/** The yaw to which a monster turns, and by how much at a time. */
export const IDEAL_YAW = 60;
export const YAW_SPEED = 61;
/** In which direction a monster steps, and how far. */
export const STEP_YAW = 62;
export const STEP_LENGTH = 63;
/** Where a monster goes, and the height that one that flies or swims comes to. */
export const GOAL = 64;
export const GOAL_HEIGHT = 67;
/** Lowest and highest corner of the box that a monster stays near. */
export const NEAR_LOW = 68;
export const NEAR_HIGH = 71;
/** A server's variables for things. */
export const GRAVITY = 74;
export const MAX_VELOCITY = 75;
/** How fast a thing turns, and the plane that it has hit. */
export const ANGULAR = 76;
export const NORMAL = 79;
/** From here on, each mover has places of its own. */
export const OWN = 82;
const OWN_SIZE = 24;

const MOST_BUMPS = 4;
export const STEP_SIZE = 18;
/** A double. */
export const LEAST_FLOOR = 0.7;

/** Bits for what a slide hit: a floor, a wall. All three bits: it is stuck. */
const HIT_FLOOR = 1;
export const HIT_WALL = 2;
export const STUCK_BETWEEN = 7;

/** A player, a monster or a thing while it moves. */
export interface ServerWork {
  readonly floats: Float32Array;
  /** Ends of the next trace, as views of `floats`. */
  readonly start: Float32Array;
  readonly end: Float32Array;
  /** The point at POINT. */
  readonly point: Float32Array;
  readonly trace: Trace;
  /** What is traced. */
  box: MovedBox;
  onGround: boolean;
  ground: number;
  /** What was touched, in order of contact; what does not fit is left out. */
  readonly touched: Int32Array;
  numTouched: number;
  /** Says whether what was touched is gone now. */
  readonly breaks: ((entity: number) => boolean) | undefined;
}

/** @param mostTouched - how many contacts to note. */
export function createServerWork(
  box: MovedBox,
  mostTouched: number,
  breaks?: (entity: number) => boolean,
): ServerWork {
  const floats = new Float32Array(OWN + OWN_SIZE);
  return {
    floats,
    start: floats.subarray(START, START + 3),
    end: floats.subarray(END, END + 3),
    point: floats.subarray(POINT, POINT + 3),
    trace: box.createTrace(),
    box,
    onGround: false,
    ground: -1,
    touched: new Int32Array(mostTouched),
    numTouched: 0,
    breaks,
  };
}

/** Traces the box from START to END. */
export function traceBox({ box, start, end, trace }: ServerWork): void {
  box.trace(start, end, trace);
}

/** Pushes it by PUSH, and puts it wherever that trace ends. */
export function pushBy(work: ServerWork): void {
  const { floats: v } = work;
  copy(v, ORIGIN, START);
  for (let k = 0; k < 3; k++) v[END + k] = v[ORIGIN + k]! + v[PUSH + k]!;
  traceBox(work);
  put(v, ORIGIN, work.trace.endPos);
}

/** Notes what was touched: 0 for the world, or a body's number. Returns whether that is gone now. */
export function touch(work: ServerWork, entity: number): boolean {
  const { touched, numTouched, breaks } = work;
  if (numTouched < touched.length) {
    touched[numTouched] = entity;
    work.numTouched = numTouched + 1;
  }
  return breaks?.(entity) ?? false;
}

/**
 * Moves by the velocity for TIME and slides along what is hit, up to four times. Returns the bits of what was hit.
 *
 * @param isLater - as later engines do: a plane that is hit twice is no corner, and what stands still is traced too, as it may be
 *   stuck.
 */
export function serverSlide(work: ServerWork, isLater = false): number {
  const { floats: v, trace } = work;
  copy(v, VELOCITY, PRIMAL);
  copy(v, VELOCITY, ORIGINAL);
  let left = v[TIME]!;
  let count = 0;
  let hit = 0;
  for (let bump = 0; bump < MOST_BUMPS; bump++) {
    if (!isLater && v[VELOCITY] === 0 && v[VELOCITY + 1] === 0 && v[VELOCITY + 2] === 0) break;
    v[BY] = left;
    addScaled(v, ORIGIN, VELOCITY, END);
    copy(v, ORIGIN, START);
    traceBox(work);
    if (trace.allSolid) {
      clear(v, VELOCITY);
      return HIT_FLOOR | HIT_WALL;
    }
    const { fraction, normal } = trace;
    if (fraction > 0) {
      put(v, ORIGIN, trace.endPos);
      copy(v, VELOCITY, ORIGINAL);
      count = 0;
    }
    if (fraction === 1) break;
    hit |= noteHit(work, isLater);
    left = f(left - f(left * fraction));
    put(v, PLANES + 3 * count++, normal);
    if (turn(v, ORIGINAL, TURNED, PLANES, count, isLater)) copy(v, TURNED, VELOCITY);
    else if (count === 2) followCrease(v, PLANES, CREASE, VELOCITY);
    else {
      clear(v, VELOCITY);
      return STUCK_BETWEEN;
    }
    // Never backwards, which would jitter in corners.
    dot(v, VELOCITY, PRIMAL);
    if (v[DOT]! <= 0) {
      clear(v, VELOCITY);
      return hit;
    }
  }
  return hit;
}

/**
 * Notes what the last trace hit: a floor, which is ground if it belongs to the world or a model, or a wall, which is
 * remembered. In later engines a box has a model's number too, but no plane of a map's.
 */
function noteHit(work: ServerWork, isLater: boolean): number {
  const { trace, floats: v } = work;
  const z = trace.normal[2]!;
  const entity = entityOf(trace);
  touch(work, entity);
  if (z > LEAST_FLOOR) {
    if (trace.model >= 0 && !(isLater && trace.plane < 0)) {
      work.onGround = true;
      work.ground = entity;
    }
    return HIT_FLOOR;
  }
  if (z !== 0) return 0;
  put(v, WALL, trace.normal);
  return HIT_WALL;
}
