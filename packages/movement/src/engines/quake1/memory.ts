import type { Trace } from '@bspkit/core';
import type { Turns } from '../../turns.ts';
import { createTurns } from '../../turns.ts';
import type { HullProbe } from './space.ts';

// A QuakeWorld player while it moves, as numbers in two arrays. Writing to `floats` rounds to float32, as the engine does
// at each step; what is not written there is rounded by hand.

/** Places in {@link Work.floats}: vectors of three. The state comes first. */
export const ORIGIN = 0;
export const VELOCITY = 3;
export const ANGLES = 6;
export const FORWARD = 9;
export const RIGHT = 12;
/** Where the player wants to go. */
export const WISH = 15;
/** Ends of the next trace. */
export const START = 18;
export const END = 21;
/** Of a slide: velocities at its beginning and since planes were forgotten, and the way along a crease. */
export const PRIMAL = 24;
export const ORIGINAL = 27;
export const CREASE = 30;
/** Of a step: where it began, and where the way without it ended. */
export const STEP_ORIGIN = 33;
export const STEP_VELOCITY = 36;
export const LOW_ORIGIN = 39;
export const LOW_VELOCITY = 42;
export const POINT = 45;
/** Up to five planes of a slide. */
export const PLANES = 48;
/** Single numbers. */
export const FRAME_TIME = 63;
export const WATER_JUMP_TIME = 64;
/** A length, as {@link normalise} leaves it. */
export const LENGTH = 65;
/** The command's moves, in units per second. */
export const MOVE_FORWARD = 66;
export const MOVE_SIDE = 67;
export const MOVE_UP = 68;
/** Variables of the server. */
export const GRAVITY = 69;
export const STOP_SPEED = 70;
export const MAX_SPEED = 71;
export const SPECTATOR_MAX_SPEED = 72;
export const ACCELERATE = 73;
export const WATER_ACCELERATE = 74;
export const FRICTION = 75;
export const WATER_FRICTION = 76;
export const ENT_GRAVITY = 77;
const FLOATS = 78;

/** Places in {@link Work.ints}. */
export const GROUND = 0;
export const WATER_LEVEL = 1;
export const WATER_TYPE = 2;
export const OLD_BUTTONS = 3;
export const DEAD = 4;
export const SPECTATOR = 5;
export const BUTTONS = 6;
export const MSEC = 7;
export const NUM_TOUCHED = 8;
const INTS = 9;

/** More than two slides can touch in a command that is not split, many times over. */
export const MOST_TOUCHED = 64;

/** A player while it moves. */
export interface Work {
  readonly floats: Float32Array;
  readonly ints: Int32Array;
  /** Ends of the next trace, and a point, as views of `floats`. */
  readonly start: Float32Array;
  readonly end: Float32Array;
  readonly point: Float32Array;
  readonly probe: HullProbe;
  readonly trace: Trace;
  /** What was touched, in order of contact. */
  readonly touched: Int32Array;
  readonly turns: Turns;
}

export function createWork(probe: HullProbe): Work {
  const floats = new Float32Array(FLOATS);
  return {
    floats,
    ints: new Int32Array(INTS),
    start: floats.subarray(START, START + 3),
    end: floats.subarray(END, END + 3),
    point: floats.subarray(POINT, POINT + 3),
    probe,
    trace: probe.createTrace(),
    touched: new Int32Array(MOST_TOUCHED),
    turns: createTurns(),
  };
}
