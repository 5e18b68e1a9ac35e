import { entityOf } from '../../space.ts';
import { copy, put } from '../../vectors.ts';
import { facesAway, isClose, turnToIdeal } from '../chase.ts';
import {
  END,
  GOAL_HEIGHT,
  IDEAL_YAW,
  ORIGIN,
  POINT,
  PUSH,
  START,
  STEP_SIZE,
  STEP_YAW,
  traceBox,
} from '../server-slide.ts';
import { aimStep, traceStep } from '../steps.ts';
import { MASK_MONSTERSOLID, MASK_WATER } from './constants.ts';
import { standsWell } from './thing-ground.ts';
import { ABOVE, LINKED, link, OLD_ORIGIN, type ThingWork, useBox } from './thing-memory.ts';
import type { Quake2ThingState } from './thing-state.ts';

// The steps that monsters take when they think.

const f = Math.fround;

/** How high monsters step that take no steps. */
const LEAST_STEP = 1;
/** Heights above a player between which flying monsters stay, and how quickly they come there. */
const HIGHEST_ABOVE = 40;
const LEAST_ABOVE = 30;
const RISE = 8;

/** Steps along STEP_YAW by STEP_LENGTH. Returns whether it could. */
export function walk(work: ThingWork, state: Quake2ThingState): boolean {
  const { server } = work;
  const { floats: v, trace } = server;
  const isFloating = state.flies !== 0 || state.swims !== 0;
  if (server.ground < 0 && !isFloating) return false;
  aimStep(v);
  useBox(work, state, MASK_MONSTERSOLID);
  copy(v, ORIGIN, OLD_ORIGIN);
  if (isFloating) return float(work, state);
  if (!traceStep(server, state.noStep === 0 ? STEP_SIZE : LEAST_STEP)) return false;
  if (work.waterLevel === 0 && endsInWater(work, state)) return false;
  const isOnEdge = work.partialGround !== 0;
  if (trace.fraction === 1) {
    if (!isOnEdge) return false;
    for (let k = 0; k < 3; k++) v[ORIGIN + k] = v[ORIGIN + k]! + v[PUSH + k]!;
    link(work);
    server.ground = -1;
    return true;
  }
  put(v, ORIGIN, trace.endPos);
  const ground = entityOf(trace);
  if (!standsWell(work, state)) {
    if (isOnEdge) link(work);
    else copy(v, OLD_ORIGIN, ORIGIN);
    return isOnEdge;
  }
  work.partialGround = 0;
  server.ground = ground;
  link(work);
  return true;
}

/** A step of a monster that flies or swims: tried up or down to its goal's height first, then level. */
function float(work: ThingWork, state: Quake2ThingState): boolean {
  const { server } = work;
  const { flies, swims } = state;
  const { floats: v, trace } = server;
  for (let level = work.fights ? 0 : 1; level < 2; level++) {
    copy(v, ORIGIN, START);
    for (let k = 0; k < 3; k++) v[END + k] = v[ORIGIN + k]! + v[PUSH + k]!;
    if (level === 0) {
      v[ABOVE] = v[ORIGIN + 2]! - v[GOAL_HEIGHT]!;
      aimAtHeight(work, swims !== 0);
    }
    traceBox(server);
    if (flies !== 0 && work.waterLevel === 0 && endsInWater(work, state)) return false;
    if (swims !== 0 && work.waterLevel < 2 && !endsInWater(work, state)) return false;
    if (trace.fraction !== 1) continue;
    put(v, ORIGIN, trace.endPos);
    link(work);
    return true;
  }
  return false;
}

/** Leads a step up or down, towards the height of the goal. */
function aimAtHeight({ server: { floats: v }, isPlayer, waterLevel }: ThingWork, swims: boolean): void {
  const above = v[ABOVE]!;
  const z = v[END + 2]!;
  if (!isPlayer) v[END + 2] = above > 0 ? z - Math.min(above, RISE) : z + (above < -RISE ? RISE : above);
  else if (above > HIGHEST_ABOVE) v[END + 2] = z - RISE;
  else if (above < LEAST_ABOVE && !(swims && waterLevel < 2)) v[END + 2] = z + RISE;
}

/** Whether the last trace ends with its feet in water. */
function endsInWater({ server, contents }: ThingWork, { mins }: Quake2ThingState): boolean {
  const { floats: v, point, trace } = server;
  put(v, POINT, trace.endPos);
  v[POINT + 2] = f(v[POINT + 2]! + mins[2]!) + 1;
  return (contents.contents(point) & MASK_WATER) !== 0;
}

/** Steps by STEP_LENGTH towards the goal at GOAL. Returns whether it took part in the world again. */
export function chase(work: ThingWork, state: Quake2ThingState, random: () => number): boolean {
  const { server } = work;
  const { floats: v } = server;
  if (server.ground < 0 && state.flies === 0 && state.swims === 0) return false;
  if (work.fights && isClose(v, LINKED, state.mins, state.maxs)) return false;
  if (work.ways.step(v, random, stepOn, work, state)) return true;
  // What it stood on may have gone.
  if (!standsWell(work, state)) work.partialGround = 1;
  return true;
}

/** Turns to its ideal yaw and steps there, if it can. */
function stepOn(work: ThingWork, state: Quake2ThingState): boolean {
  const { floats: v } = work.server;
  turnToIdeal(v);
  v[STEP_YAW] = v[IDEAL_YAW]!;
  const moved = walk(work, state);
  if (moved && facesAway(v)) copy(v, OLD_ORIGIN, ORIGIN);
  link(work);
  return moved;
}
