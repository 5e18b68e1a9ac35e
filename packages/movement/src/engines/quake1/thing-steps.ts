import { copy, put } from '../../vectors.ts';
import { hasBottom } from '../bottom.ts';
import { facesAway, isClose, turnToIdeal } from '../chase.ts';
import {
  END,
  GOAL_HEIGHT,
  IDEAL_YAW,
  ORIGIN,
  PUSH,
  START,
  STEP_SIZE,
  STEP_YAW,
  traceBox,
} from '../server-slide.ts';
import { aimStep, traceStep } from '../steps.ts';
import { CONTENTS_EMPTY, contentsAt, hitOf, OLD_ORIGIN, type ThingWork, useBox } from './thing-memory.ts';
import type { QuakeThingState } from './thing-state.ts';

// The steps that monsters take when they think.

const f = Math.fround;

/** Heights above an enemy between which flying monsters stay, and how quickly they come there. */
const HIGHEST_ABOVE = 40;
const LEAST_ABOVE = 30;
const RISE = 8;

/** Steps along STEP_YAW by STEP_LENGTH. Returns whether it could. */
export function walk(work: ThingWork, state: QuakeThingState): boolean {
  const { server } = work;
  const { floats: v, trace } = server;
  const isFloating = state.flies !== 0 || state.swims !== 0;
  if (!server.onGround && !isFloating) return false;
  aimStep(v);
  copy(v, ORIGIN, OLD_ORIGIN);
  useBox(work, work.usual, state);
  if (isFloating) return float(work, state);
  if (!traceStep(server, STEP_SIZE)) return false;
  const isOnEdge = work.partialGround !== 0;
  if (trace.fraction === 1) {
    if (!isOnEdge) return false;
    for (let k = 0; k < 3; k++) v[ORIGIN + k] = v[ORIGIN + k]! + v[PUSH + k]!;
    server.onGround = false;
    return true;
  }
  put(v, ORIGIN, trace.endPos);
  const ground = hitOf(trace);
  if (!standsWell(work, state)) {
    if (!isOnEdge) copy(v, OLD_ORIGIN, ORIGIN);
    return isOnEdge;
  }
  work.partialGround = 0;
  server.ground = ground;
  return true;
}

/** A step of a monster that flies or swims: tried up or down to its enemy's height first, then level. */
function float(work: ThingWork, state: QuakeThingState): boolean {
  const { server } = work;
  const { floats: v, end, trace } = server;
  for (let level = work.fights ? 0 : 1; level < 2; level++) {
    copy(v, ORIGIN, START);
    for (let k = 0; k < 3; k++) v[END + k] = v[ORIGIN + k]! + v[PUSH + k]!;
    if (level === 0) {
      const above = f(v[ORIGIN + 2]! - v[GOAL_HEIGHT]!);
      if (above > HIGHEST_ABOVE) v[END + 2] = v[END + 2]! - RISE;
      if (above < LEAST_ABOVE) v[END + 2] = v[END + 2]! + RISE;
    }
    traceBox(server);
    if (trace.fraction !== 1) continue;
    put(v, END, trace.endPos);
    if (state.swims !== 0 && contentsAt(work.contents, end) === CONTENTS_EMPTY) return false;
    copy(v, END, ORIGIN);
    return true;
  }
  return false;
}

/** Steps by STEP_LENGTH towards the goal at GOAL. Returns whether it took part in the world again. */
export function chase(work: ThingWork, state: QuakeThingState, random: () => number): boolean {
  const { server } = work;
  const { floats: v } = server;
  if (!server.onGround && state.flies === 0 && state.swims === 0) return false;
  if (work.fights && isClose(v, ORIGIN, state.mins, state.maxs)) return false;
  if (work.ways.step(v, random, stepOn, work, state)) return true;
  // What it stood on may have gone.
  if (!standsWell(work, state)) work.partialGround = 1;
  return true;
}

/** Turns to its ideal yaw and steps there, if it can. */
function stepOn(work: ThingWork, state: QuakeThingState): boolean {
  const { floats: v } = work.server;
  turnToIdeal(v);
  v[STEP_YAW] = v[IDEAL_YAW]!;
  if (!walk(work, state)) return false;
  if (facesAway(v)) copy(v, OLD_ORIGIN, ORIGIN);
  return true;
}

/** Whether there is floor enough below a monster to stand on. */
export function standsWell({ server, feeler, isSolid }: ThingWork, state: QuakeThingState): boolean {
  feeler.ignore = state.entity;
  server.box = feeler;
  return hasBottom(server, ORIGIN, state.mins, state.maxs, isSolid);
}
