import type { Trace } from '@bspkit/core';
import { createTurns, type Turns } from '../../turns.ts';
import type { HullProbe } from './space.ts';

// A QuakeWorld player while it moves, as numbers in two arrays. Writing to `floats` rounds to float32, as the engine does
// at each step; what is not written there is rounded by hand.

/** Places in {@link Work.floats}: vectors of three. The state comes first, after what `vectors.ts` needs. */
export const ORIGIN = 2;
export const VELOCITY = 5;
export const ANGLES = 8;
export const FORWARD = 11;
export const RIGHT = 14;
/** The direction in which the player wants to go. */
export const WISH = 17;
/** Ends of the next trace. */
export const START = 20;
export const END = 23;
/** For a slide: the velocity at its start, the velocity when planes were last forgotten, and the direction of a crease. */
export const PRIMAL = 26;
export const ORIGINAL = 29;
export const CREASE = 32;
/** For a step: where it began, and where the move without it ended. */
export const STEP_ORIGIN = 35;
export const STEP_VELOCITY = 38;
export const LOW_ORIGIN = 41;
export const LOW_VELOCITY = 44;
export const POINT = 47;
/** Up to five planes of a slide. */
export const PLANES = 50;
/** Single numbers. */
export const FRAME_TIME = 65;
export const WATER_JUMP_TIME = 66;
/** A length, as {@link normalise} leaves it. */
export const LENGTH = 67;
/** The command's moves, in units per second. */
export const MOVE_FORWARD = 68;
export const MOVE_RIGHT = 69;
export const MOVE_UP = 70;
/** The server's variables. */
export const GRAVITY = 71;
export const STOP_SPEED = 72;
export const MAX_SPEED = 73;
export const SPECTATOR_MAX_SPEED = 74;
export const ACCELERATE = 75;
export const WATER_ACCELERATE = 76;
export const FRICTION = 77;
export const WATER_FRICTION = 78;
export const ENT_GRAVITY = 79;
/** Speeds: the player's, what it loses, what it wants, and how much it may gain. */
export const NOW = 80;
export const DROP = 81;
export const WANTED = 82;
export const AMOUNT = 83;
/** Squares of the two distances that are compared. */
export const LOW_WAY = 84;
export const HIGH_WAY = 85;
const FLOATS = 86;

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

/** As many as a command can touch that is split into eight parts: two slides of four each and, twice, the ground, in every part. */
export const MOST_TOUCHED = 80;

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
