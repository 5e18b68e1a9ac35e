import type { Trace } from '@bspkit/core';
import { entityOf } from '../../space.ts';
import { addScaled, BY, clear, copy, DOT, dot, put, scale } from '../../vectors.ts';
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
  pushBy,
  START,
  serverSlide,
  TIME,
  touch,
  traceBox,
  VELOCITY,
} from '../server-slide.ts';
import { FRICTION, MASK_MONSTERSOLID, MASK_SOLID, MASK_WATER, STOP_SPEED } from './constants.ts';
import { findGround, standsWell } from './thing-ground.ts';
import { link, OLD_ORIGIN, SPEED, type ThingWork, useBox } from './thing-memory.ts';
import { Quake2MoveType, type Quake2ThingState } from './thing-state.ts';

// What a frame of the game does with things that fly, fall and bounce, and with monsters before they think.

const f = Math.fround;

/** How long a frame of the game is, in seconds. A double. */
const FRAME_TIME = 0.1;
const BOUNCE = 1.5;
/** What bounces off a floor with less than this, in units per second, lies there. */
const LEAST_BOUNCE = 60;
/** How long a monster has fallen, in seconds, when its landing is heard. A double. */
const HARD_FALL = 0.1;
/** Of what a monster flies and swims by, and what stops it in water. */
const FLY_FRICTION = 2;
const WATER_FRICTION = 1;

/** Moves a thing by a frame, as its `moveType` says. Returns whether it took part in the world again. */
export function moveThing(work: ThingWork, state: Quake2ThingState): boolean {
  switch (state.moveType) {
    case Quake2MoveType.none:
      return false;
    case Quake2MoveType.noclip:
      spin(work);
      addScaled(work.server.floats, ORIGIN, VELOCITY, ORIGIN);
      link(work);
      return true;
    case Quake2MoveType.step:
      return fall(work, state);
    default:
      return toss(work, state);
  }
}

/** Turns it for a frame; leaves the length of that in BY. */
function spin({ server: { floats: v } }: ThingWork): void {
  v[BY] = FRAME_TIME;
  addScaled(v, ANGLES, ANGULAR, ANGLES);
}

function toss(work: ThingWork, state: Quake2ThingState): boolean {
  const { server } = work;
  const { floats: v, trace } = server;
  const { moveType: type } = state;
  if (v[VELOCITY + 2]! > 0) server.ground = -1;
  if (server.ground >= 0) return false;
  limitVelocity(work);
  if (type !== Quake2MoveType.fly && type !== Quake2MoveType.missile) pull(work, state);
  spin(work);
  copy(v, VELOCITY, PUSH);
  scale(v, PUSH);
  const hit = push(work, state);
  if (trace.fraction < 1) {
    put(v, NORMAL, trace.normal);
    const bounces = type === Quake2MoveType.bounce;
    clip(v, VELOCITY, NORMAL, VELOCITY, bounces ? BOUNCE : 1);
    if (trace.normal[2]! > LEAST_FLOOR && (v[VELOCITY + 2]! < LEAST_BOUNCE || !bounces)) {
      server.ground = hit;
      clear(v, VELOCITY);
      clear(v, ANGULAR);
    }
  }
  const wasWet = work.waterType & MASK_WATER;
  work.waterType = work.contents.contents(work.origin);
  work.waterLevel = work.waterType & MASK_WATER ? 1 : 0;
  work.splashed = (wasWet !== 0) !== (work.waterLevel !== 0);
  return true;
}

/** Pushes it by PUSH, again where what it has hit is gone. Returns what it has hit, or -1. */
function push(work: ThingWork, state: Quake2ThingState): number {
  const { server } = work;
  const { floats: v, trace } = server;
  copy(v, ORIGIN, OLD_ORIGIN);
  for (let before = -1; ; ) {
    useBox(work, state, state.mask === 0 ? MASK_SOLID : state.mask | 0);
    pushBy(server);
    if (trace.startSolid) {
      // Out of whatever it is stuck in, as long as that is not the map.
      copy(v, OLD_ORIGIN, ORIGIN);
      useBox(work, state, MASK_SOLID);
      pushBy(server);
    }
    link(work);
    if (state.gib !== 0 && !isLevel(trace)) {
      for (let k = 0; k < 3; k++) v[ORIGIN + k] = v[ORIGIN + k]! + trace.normal[k]!;
    }
    if (trace.fraction === 1) return -1;
    const hit = entityOf(trace);
    if (!touch(server, hit)) return hit;
    // The world cannot.
    if (hit === before || hit === 0)
      throw new Error(`${hit} is still in the way, though breaks says that it is gone`);
    before = hit;
    copy(v, OLD_ORIGIN, ORIGIN);
  }
}

/** Whether a trace has hit a level plane, as the engine types them: the bottom of a box is none. */
const isLevel = ({ normal, plane }: Trace): boolean => normal[2] === 1 || (normal[2] === -1 && plane >= 0);

/** The fall of a monster. */
function fall(work: ThingWork, state: Quake2ThingState): boolean {
  const { server } = work;
  const { floats: v, trace } = server;
  const flies = state.flies !== 0;
  const swims = state.swims !== 0;
  if (server.ground < 0) findGround(work, state);
  const stood = server.ground >= 0;
  limitVelocity(work);
  if (v[ANGULAR] !== 0 || v[ANGULAR + 1] !== 0 || v[ANGULAR + 2] !== 0) slowSpin(work);
  let isHard = false;
  if (!stood && !flies && !(swims && work.waterLevel > 2)) {
    isHard = v[VELOCITY + 2]! < v[GRAVITY]! * -HARD_FALL;
    if (work.waterLevel === 0) pull(work, state);
  }
  if (flies && v[VELOCITY + 2] !== 0) slowRise(work, FLY_FRICTION, 1);
  if (swims && v[VELOCITY + 2] !== 0) slowRise(work, WATER_FRICTION, work.waterLevel);
  if (v[VELOCITY] === 0 && v[VELOCITY + 1] === 0 && v[VELOCITY + 2] === 0) return false;
  if ((stood || swims || flies) && !(state.dead !== 0 && !standsWell(work, state))) slowLevel(work);
  copy(v, ORIGIN, OLD_ORIGIN);
  useBox(work, state, state.monster !== 0 ? MASK_MONSTERSOLID : MASK_SOLID);
  v[TIME] = FRAME_TIME;
  server.ground = -1;
  serverSlide(server, true);
  if (
    v[ORIGIN] !== v[OLD_ORIGIN] ||
    v[ORIGIN + 1] !== v[OLD_ORIGIN + 1] ||
    v[ORIGIN + 2] !== v[OLD_ORIGIN + 2]
  ) {
    // Not out of the map.
    copy(v, ORIGIN, START);
    copy(v, ORIGIN, END);
    traceBox(server);
    if (trace.startSolid) copy(v, OLD_ORIGIN, ORIGIN);
  }
  link(work);
  work.landed = isHard && server.ground >= 0 && !stood;
  return true;
}

/** Turns it for a frame, and less in the next. */
function slowSpin(work: ThingWork): void {
  const { floats: v } = work.server;
  spin(work);
  const less = f(FRAME_TIME * STOP_SPEED * FRICTION);
  for (let k = ANGULAR; k < ANGULAR + 3; k++) {
    v[k] = v[k]! > 0 ? Math.max(0, f(v[k]! - less)) : Math.min(0, f(v[k]! + less));
  }
}

/** Slows down how it rises or sinks; for swimmers by how deep they are in water. */
function slowRise({ server: { floats: v } }: ThingWork, friction: number, level: number): void {
  v[SPEED] = Math.abs(v[VELOCITY + 2]!);
  applyFriction(v, friction, level);
  v[VELOCITY + 2] = v[VELOCITY + 2]! * v[SPEED]!;
}

/** Slows down how it moves level. */
function slowLevel({ server: { floats: v } }: ThingWork): void {
  v[SPEED] = Math.sqrt(f(f(v[VELOCITY]! * v[VELOCITY]!) + f(v[VELOCITY + 1]! * v[VELOCITY + 1]!)));
  if (v[SPEED] === 0) return;
  applyFriction(v, FRICTION, 1);
  v[VELOCITY] = v[VELOCITY]! * v[SPEED]!;
  v[VELOCITY + 1] = v[VELOCITY + 1]! * v[SPEED]!;
}

/** Leaves the factor by which the speed in SPEED is slowed down in its place. The speed is lost as a double. */
function applyFriction(v: Float32Array, friction: number, level: number): void {
  const speed = v[SPEED]!;
  const control = speed < STOP_SPEED ? STOP_SPEED : speed;
  const left = f(speed - FRAME_TIME * control * friction * level);
  v[SPEED] = f(left < 0 ? 0 : left) / speed;
}

/** Gravity, with the time as a double. */
function pull({ server: { floats: v } }: ThingWork, { gravityFactor }: Quake2ThingState): void {
  v[VELOCITY + 2] = v[VELOCITY + 2]! - f(f(gravityFactor) * v[GRAVITY]!) * FRAME_TIME;
}

/** Keeps the velocity within the game's limit. */
function limitVelocity({ server: { floats: v } }: ThingWork): void {
  dot(v, VELOCITY, VELOCITY);
  const speed = f(Math.sqrt(v[DOT]!));
  if (!(speed > v[MAX_VELOCITY]!)) return;
  v[BY] = 1 / speed;
  scale(v, VELOCITY);
  v[BY] = v[MAX_VELOCITY]!;
  scale(v, VELOCITY);
}
