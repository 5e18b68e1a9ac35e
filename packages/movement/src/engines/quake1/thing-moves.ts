import { addScaled, BY, clear, copy, put, scale } from '../../vectors.ts';
import { clip } from '../clip.ts';
import {
  ANGLES,
  ANGULAR,
  END,
  GRAVITY,
  LEAST_FLOOR,
  MAX_VELOCITY,
  NORMAL,
  ORIGIN,
  PUSH,
  START,
  serverSlide,
  TIME,
  traceBox,
  VELOCITY,
} from '../server-slide.ts';
import {
  CONTENTS_EMPTY,
  CONTENTS_WATER,
  contentsAt,
  hitOf,
  type ThingWork,
  touchBy,
  useBox,
} from './thing-memory.ts';
import { QuakeMoveType, type QuakeThingState } from './thing-state.ts';

// What a frame of the server does with things that fly, fall and bounce, and with monsters before they think.

const f = Math.fround;

const BOUNCE = 1.5;
/** What bounces off a floor with less than this, in units per second, lies there. */
const LEAST_BOUNCE = 60;
/** How long a monster has fallen, in seconds, when its landing is heard. A double. */
const HARD_FALL = 0.1;
/** How far below it a thing is put onto the floor. */
const DROP = 256;

/** Moves a thing by a frame, as its `moveType` says. Returns whether it took part in the world again. */
export function moveThing(work: ThingWork, state: QuakeThingState, frameTime: number): boolean {
  switch (state.moveType) {
    case QuakeMoveType.none:
      return false;
    case QuakeMoveType.noclip: {
      const { floats: v } = work.server;
      v[BY] = frameTime;
      addScaled(v, ANGLES, ANGULAR, ANGLES);
      addScaled(v, ORIGIN, VELOCITY, ORIGIN);
      return true;
    }
    case QuakeMoveType.step:
      return fall(work, state, frameTime);
    default:
      return toss(work, state, frameTime);
  }
}

function toss(work: ThingWork, state: QuakeThingState, frameTime: number): boolean {
  const { server } = work;
  const { floats: v, trace } = server;
  const { moveType: type } = state;
  if (server.onGround) return false;
  limitVelocity(work);
  if (type !== QuakeMoveType.fly && type !== QuakeMoveType.missile) pull(work, state, frameTime);
  v[BY] = frameTime;
  addScaled(v, ANGLES, ANGULAR, ANGLES);
  copy(v, VELOCITY, PUSH);
  scale(v, PUSH);
  const solid = state.solid === 0 ? work.bodiless : work.usual;
  useBox(work, type === QuakeMoveType.missile ? work.missile : solid, state);
  const hit = touchBy(server);
  if (trace.fraction === 1) return true;
  put(v, NORMAL, trace.normal);
  const bounces = type === QuakeMoveType.bounce;
  clip(v, VELOCITY, NORMAL, VELOCITY, bounces ? BOUNCE : 1);
  if (trace.normal[2]! > LEAST_FLOOR && (v[VELOCITY + 2]! < LEAST_BOUNCE || !bounces)) {
    server.onGround = true;
    server.ground = hit;
    clear(v, VELOCITY);
    clear(v, ANGULAR);
  }
  findWater(work);
  return true;
}

/** The fall of a monster. */
function fall(work: ThingWork, state: QuakeThingState, frameTime: number): boolean {
  const { server } = work;
  const { floats: v } = server;
  if (server.onGround || state.flies !== 0 || state.swims !== 0) return false;
  const isHard = v[VELOCITY + 2]! < v[GRAVITY]! * -HARD_FALL;
  pull(work, state, frameTime);
  limitVelocity(work);
  useBox(work, work.usual, state);
  v[TIME] = frameTime;
  serverSlide(server);
  work.landed = isHard && server.onGround;
  return true;
}

/** Gravity, with the time as a double. */
function pull(
  { server: { floats: v } }: ThingWork,
  { gravityFactor }: QuakeThingState,
  frameTime: number,
): void {
  const factor = f(gravityFactor);
  const gravity = f((factor === 0 ? 1 : factor) * v[GRAVITY]!);
  v[VELOCITY + 2] = v[VELOCITY + 2]! - gravity * frameTime;
}

/** Keeps the velocity within the server's limit. */
function limitVelocity({ server: { floats: v } }: ThingWork): void {
  const most = v[MAX_VELOCITY]!;
  for (let k = VELOCITY; k < VELOCITY + 3; k++) {
    if (v[k]! > most) v[k] = most;
    else if (v[k]! < -most) v[k] = -most;
  }
}

/** Looks whether it is in a liquid, and has just gone into it or come out. */
export function findWater(work: ThingWork): void {
  const contents = contentsAt(work.contents, work.origin);
  const before = work.waterType;
  if (before === 0) {
    work.waterType = contents;
    work.waterLevel = 1;
    return;
  }
  const isWet = contents <= CONTENTS_WATER;
  // The engine compares with air alone: in solid, it is as wet as before.
  work.splashed = isWet === (before === CONTENTS_EMPTY);
  work.waterType = isWet ? contents : CONTENTS_EMPTY;
  work.waterLevel = isWet ? 1 : contents;
}

/** Puts a thing onto the floor. Returns whether there is one. */
export function dropToFloor(work: ThingWork, state: QuakeThingState): boolean {
  const { server } = work;
  const { floats: v, trace } = server;
  useBox(work, work.usual, state);
  copy(v, ORIGIN, START);
  copy(v, ORIGIN, END);
  v[END + 2] = v[END + 2]! - DROP;
  traceBox(server);
  if (trace.fraction === 1 || trace.allSolid) return false;
  put(v, ORIGIN, trace.endPos);
  server.onGround = true;
  server.ground = hitOf(trace);
  return true;
}
