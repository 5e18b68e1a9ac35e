import { entityOf } from '../../space.ts';
import { copy, DOT, dot, put } from '../../vectors.ts';
import { fits } from './body.ts';
import { LEAST_FLOOR, Quake3Event, Quake3Flag, SURF_NODAMAGE } from './constants.ts';
import { addEvent, footstep } from './events.ts';
import {
  BOB,
  END,
  FLAGS,
  GRAVITY,
  GROUND,
  GROUND_FROM,
  GROUND_NORMAL,
  GROUND_TOP,
  HAS_PLANE,
  HEALTH,
  KNOWN_ENTITY,
  KNOWN_FALL,
  KNOWN_NORMAL,
  KNOWN_SOLID,
  KNOWN_SURFACE,
  KNOWS_GROUND,
  MOVE_FORWARD,
  OLD_ORIGIN,
  OLD_VELOCITY,
  ORIGIN,
  POINT,
  QVM,
  START,
  SURFACE,
  TIMER,
  VELOCITY,
  WALKING,
  WATER_LEVEL,
  type Work,
} from './memory.ts';
import { touch, traceMove } from './slide.ts';

const f = Math.fround;

/** How far below the player ground is looked for, and how far below a player that walks off it. */
const REACH = 0.25;
const FAR_REACH = 64;
/** A player that is thrown off the ground faster than this does not stand on it. */
const KICK_OFF = 10;
/** A player that lands faster than this needs some time. */
const HARD_LANDING = -200;
const LANDING_TIME = 250;

/** Damage grows with the square of the speed. In native code this is a double. */
const HARM = 0.0001;
const HARM_QVM: number = f(0.0001);

/** Traces to what is below. A slice often starts where the previous one has looked already. */
function lookForGround({ floats: v, ints, box, start, end, trace }: Work): void {
  const isKnown =
    ints[KNOWS_GROUND] !== 0 &&
    v[GROUND_TOP] === box.maxs[2] &&
    v[GROUND_FROM] === v[ORIGIN] &&
    v[GROUND_FROM + 1] === v[ORIGIN + 1] &&
    v[GROUND_FROM + 2] === v[ORIGIN + 2];
  if (isKnown) return;
  copy(v, ORIGIN, START);
  copy(v, ORIGIN, END);
  v[END + 2] = v[END + 2]! - REACH;
  box.trace(start, end, trace);
  put(v, KNOWN_NORMAL, trace.normal);
  ints[KNOWN_SURFACE] = trace.surfaceFlags;
  ints[KNOWN_ENTITY] = entityOf(trace);
  ints[KNOWN_FALL] = trace.fraction === 1 ? 1 : 0;
  ints[KNOWN_SOLID] = trace.allSolid ? 1 : 0;
  copy(v, ORIGIN, GROUND_FROM);
  v[GROUND_TOP] = box.maxs[2]!;
  ints[KNOWS_GROUND] = 1;
}

/** Finds what the player stands on, and whether it can walk there. */
export function traceGround(work: Work): void {
  const { floats: v, ints } = work;
  lookForGround(work);
  copy(v, KNOWN_NORMAL, GROUND_NORMAL);
  ints[SURFACE] = ints[KNOWN_SURFACE]!;
  // The engine looks for a free place nearby, but then continues from where the player was.
  if (ints[KNOWN_SOLID] !== 0 && !hasFreePlace(work)) {
    leaveGround(ints, 0);
    return;
  }
  if (ints[KNOWN_FALL] !== 0) {
    missGround(work);
    return;
  }
  if (isThrownOff(v)) {
    noteJump(ints);
    leaveGround(ints, 0);
    return;
  }
  if (v[GROUND_NORMAL + 2]! < LEAST_FLOOR) {
    leaveGround(ints, 1);
    return;
  }
  const entity = ints[KNOWN_ENTITY]!;
  ints[HAS_PLANE] = 1;
  ints[WALKING] = 1;
  if ((ints[FLAGS]! & Quake3Flag.timeWaterJump) !== 0) {
    ints[FLAGS] = ints[FLAGS]! & ~(Quake3Flag.timeWaterJump | Quake3Flag.timeLand);
    ints[TIMER] = 0;
  }
  if (ints[GROUND]! < 0) {
    land(work);
    if (v[OLD_VELOCITY + 2]! < HARD_LANDING) {
      ints[FLAGS] = ints[FLAGS]! | Quake3Flag.timeLand;
      ints[TIMER] = LANDING_TIME;
    }
  }
  ints[GROUND] = entity;
  touch(work, entity);
}

function isThrownOff(v: Float32Array): boolean {
  if (!(v[VELOCITY + 2]! > 0)) return false;
  dot(v, VELOCITY, GROUND_NORMAL);
  return v[DOT]! > KICK_OFF;
}

/** The player stands on nothing; but a slope too steep to stand on still counts as a plane. */
function leaveGround(ints: Int32Array, hasPlane: number): void {
  ints[GROUND] = -1;
  ints[HAS_PLANE] = hasPlane;
}

/** Notes the direction in which the player jumps. */
export function noteJump(ints: Int32Array): void {
  const flags = ints[FLAGS]!;
  ints[FLAGS] =
    ints[MOVE_FORWARD]! >= 0 ? flags & ~Quake3Flag.backwardsJump : flags | Quake3Flag.backwardsJump;
}

function missGround(work: Work): void {
  const { floats: v, ints, trace } = work;
  if (ints[GROUND]! >= 0) {
    copy(v, ORIGIN, START);
    copy(v, ORIGIN, END);
    v[END + 2] = v[END + 2]! - FAR_REACH;
    traceMove(work);
    if (trace.fraction === 1) noteJump(ints);
  }
  leaveGround(ints, 0);
}

/** Whether the player would fit one unit away in any direction, or where it is. */
function hasFreePlace(work: Work): boolean {
  const { floats: v, point } = work;
  for (let i = -1; i <= 1; i++) {
    for (let j = -1; j <= 1; j++) {
      for (let k = -1; k <= 1; k++) {
        v[POINT] = v[ORIGIN]! + i;
        v[POINT + 1] = v[ORIGIN + 1]! + j;
        v[POINT + 2] = v[ORIGIN + 2]! + k;
        if (fits(work, point)) return true;
      }
    }
  }
  return false;
}

/** Ends a fall: how hard the landing is follows from the speed, computed from the distance covered. */
function land(work: Work): void {
  const { floats: v, ints } = work;
  const isQvm = ints[QVM] !== 0;
  const distance = f(v[ORIGIN + 2]! - v[OLD_ORIGIN + 2]!);
  const speed = v[OLD_VELOCITY + 2]!;
  const acceleration = -f(ints[GRAVITY]!);
  const a = f(acceleration / 2);
  const root = f(f(speed * speed) - f(f(4 * a) * -distance));
  if (root < 0) return;
  const time = isQvm ? f(f(-speed - f(Math.sqrt(root))) / f(2 * a)) : f((-speed - Math.sqrt(root)) / (2 * a));
  let harm = f(speed + f(time * acceleration));
  harm = f(f(harm * harm) * (isQvm ? HARM_QVM : HARM));
  if ((ints[FLAGS]! & Quake3Flag.ducked) !== 0) harm = f(harm * 2);
  const level = ints[WATER_LEVEL]!;
  if (level === 3) return;
  if (level === 2) harm = f(harm * 0.25);
  else if (level === 1) harm = f(harm * 0.5);
  // Without gravity this is NaN, which compares as less than 1 in bytecode, but not in native code.
  if (harm < 1 || (isQvm && Number.isNaN(harm))) return;
  if ((ints[SURFACE]! & SURF_NODAMAGE) === 0) {
    if (harm > 60) addEvent(work, Quake3Event.fallFar);
    else if (harm > 40) {
      if (ints[HEALTH]! > 0) addEvent(work, Quake3Event.fallMedium);
    } else addEvent(work, harm > 7 ? Quake3Event.fallShort : footstep(work));
  }
  ints[BOB] = 0;
}
