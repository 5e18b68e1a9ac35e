import { entityOf } from '../../space.ts';
import { copy, put } from '../../vectors.ts';
import { hasBottom } from '../bottom.ts';
import { END, LEAST_FLOOR, ORIGIN, POINT, START, traceBox, VELOCITY } from '../server-slide.ts';
import { MASK_MONSTERSOLID, MASK_WATER } from './constants.ts';
import { LINKED, link, type ThingWork, useBox } from './thing-memory.ts';
import type { Quake2ThingState } from './thing-state.ts';

// What monsters stand on, and what they stand in.

const f = Math.fround;

/** What rises with more than this does not stand. */
const HIGHEST_RISE = 100;
/** How far below it a monster looks for ground, and where it is dropped. */
const REACH = 0.25;
const DROP = 256;
/** Heights of a monster's feet, waist and eyes, each above the one before. */
const FEET = 2;
const WAIST = 26;
const EYES = 22;

/** Looks for ground just below a monster, onto which it then sinks. */
export function findGround(work: ThingWork, state: Quake2ThingState): void {
  const { server } = work;
  const { floats: v, trace } = server;
  if (state.flies !== 0 || state.swims !== 0) return;
  if (v[VELOCITY + 2]! > HIGHEST_RISE) {
    server.ground = -1;
    return;
  }
  useBox(work, state, MASK_MONSTERSOLID);
  copy(v, ORIGIN, START);
  copy(v, ORIGIN, END);
  v[END + 2] = v[END + 2]! - REACH;
  traceBox(server);
  if (trace.startSolid) return;
  server.ground = -1;
  if (trace.normal[2]! < LEAST_FLOOR) return;
  put(v, ORIGIN, trace.endPos);
  server.ground = entityOf(trace);
  v[VELOCITY + 2] = 0;
}

/** Writes where the feet of a monster are that is linked at a place. */
export function findFeet(
  from: Float32Array,
  linked: number,
  { mins, maxs }: Quake2ThingState,
  to: Float32Array,
  feet: number,
): void {
  for (let k = 0; k < 3; k++) {
    const low = f(f(from[linked + k]! + mins[k]!) - 1);
    const high = f(f(from[linked + k]! + maxs[k]!) + 1);
    to[feet + k] = k === 2 ? low + FEET : f(high + low) / 2;
  }
}

/** Looks for water at the feet, the waist and the eyes of its box where that is linked. */
export function findWater(work: ThingWork, state: Quake2ThingState): void {
  const { floats: v, point } = work.server;
  findFeet(v, LINKED, state, v, POINT);
  const contents = work.contents.contents(point);
  const isWet = (contents & MASK_WATER) !== 0;
  work.waterType = isWet ? contents : 0;
  work.waterLevel = isWet ? 1 : 0;
  for (let level = 2; level <= 3 && work.waterLevel === level - 1; level++) {
    v[POINT + 2] = v[POINT + 2]! + (level === 2 ? WAIST : EYES);
    if ((work.contents.contents(point) & MASK_WATER) !== 0) work.waterLevel = level;
  }
}

/** Puts a monster onto the floor. Returns whether there is one, and so took part in the world again. */
export function dropToFloor(work: ThingWork, state: Quake2ThingState): boolean {
  const { server } = work;
  const { floats: v, trace } = server;
  useBox(work, state, MASK_MONSTERSOLID);
  v[ORIGIN + 2] = v[ORIGIN + 2]! + 1;
  copy(v, ORIGIN, START);
  copy(v, ORIGIN, END);
  v[END + 2] = v[END + 2]! - DROP;
  traceBox(server);
  if (trace.fraction === 1 || trace.allSolid) return false;
  put(v, ORIGIN, trace.endPos);
  link(work);
  findGround(work, state);
  findWater(work, state);
  return true;
}

/** Whether there is floor enough below a monster to stand on. */
export function standsWell({ server, feeler, isSolid }: ThingWork, state: Quake2ThingState): boolean {
  feeler.ignore = state.entity;
  server.box = feeler;
  return hasBottom(server, ORIGIN, state.mins, state.maxs, isSolid);
}
