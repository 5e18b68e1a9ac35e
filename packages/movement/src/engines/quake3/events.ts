import { Quake3Button, Quake3Event, Quake3Flag, SURF_METALSTEPS, SURF_NOSTEPS } from './constants.ts';
import {
  BOB,
  BUTTONS,
  EVENTS,
  FLAGS,
  FOOTSTEPS,
  GROUND,
  MOVE_FORWARD,
  MOVE_RIGHT,
  MS,
  NUM_EVENTS,
  OLD_LEVEL,
  SEQUENCE,
  SURFACE,
  VELOCITY,
  WATER_LEVEL,
  type Work,
} from './memory.ts';

const f = Math.fround;

/** How far the head bobs per millisecond. */
const BOB_DUCKED = 0.5;
const BOB_RUNNING: number = f(0.4);
const BOB_WALKING: number = f(0.3);

/** Adds an event to the two that the state keeps, and to those of the command. */
export function addEvent({ ints, events }: Work, event: number): void {
  ints[EVENTS + (ints[SEQUENCE]! & 1)] = event;
  ints[SEQUENCE] = ints[SEQUENCE]! + 1;
  events[ints[NUM_EVENTS]!] = event;
  ints[NUM_EVENTS] = ints[NUM_EVENTS]! + 1;
}

/** The event of a foot on the ground; on a surface without footsteps it is none, which is counted all the same. */
export function footstep({ ints }: Work): number {
  const flags = ints[SURFACE]!;
  if ((flags & SURF_NOSTEPS) !== 0) return Quake3Event.none;
  return (flags & SURF_METALSTEPS) !== 0 ? Quake3Event.metalFootstep : Quake3Event.footstep;
}

/** Advances the bob cycle, in which a foot comes down twice. */
export function bob(work: Work): void {
  const { floats: v, ints } = work;
  if (ints[GROUND]! < 0) return;
  if (ints[MOVE_FORWARD] === 0 && ints[MOVE_RIGHT] === 0) {
    const speed = f(Math.sqrt(f(f(v[VELOCITY]! * v[VELOCITY]!) + f(v[VELOCITY + 1]! * v[VELOCITY + 1]!))));
    if (speed < 5) ints[BOB] = 0;
    return;
  }
  const isDucked = (ints[FLAGS]! & Quake3Flag.ducked) !== 0;
  const isWalking = (ints[BUTTONS]! & Quake3Button.walking) !== 0;
  const pace = isDucked ? BOB_DUCKED : isWalking ? BOB_WALKING : BOB_RUNNING;
  const before = ints[BOB]!;
  const after = Math.trunc(f(before + f(pace * ints[MS]!))) & 255;
  ints[BOB] = after;
  if ((((before + 64) ^ (after + 64)) & 128) === 0) return;
  const level = ints[WATER_LEVEL]!;
  if (level === 1) addEvent(work, Quake3Event.footSplash);
  else if (level === 2) addEvent(work, Quake3Event.swim);
  else if (level === 0 && !isDucked && !isWalking && ints[FOOTSTEPS] !== 0) addEvent(work, footstep(work));
}

/** Events of going into water and out of it. */
export function waterEvents(work: Work): void {
  const before = work.ints[OLD_LEVEL]!;
  const after = work.ints[WATER_LEVEL]!;
  if (before === 0 && after !== 0) addEvent(work, Quake3Event.waterTouch);
  if (before !== 0 && after === 0) addEvent(work, Quake3Event.waterLeave);
  if (before !== 3 && after === 3) addEvent(work, Quake3Event.waterUnder);
  if (before === 3 && after !== 3) addEvent(work, Quake3Event.waterClear);
}
