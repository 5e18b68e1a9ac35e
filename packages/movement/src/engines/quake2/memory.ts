import type { Trace } from '@bspkit/core';
import type { ContentsSource, MovedBox } from '../../space.ts';
import { createTurns, type Turns } from '../../turns.ts';

// A player while it moves, as numbers in two arrays. Writing to `floats` rounds to float32, as the engine does at each
// step; what is not written there is rounded by hand.

/** Places in {@link Work.floats}: vectors of three, after what `vectors.ts` needs. */
export const ORIGIN = 2;
export const VELOCITY = 5;
/** Where the player looks, in degrees. */
export const ANGLES = 8;
/** The same with the pitch that walking and falling players move by. */
export const LEVEL_ANGLES = 11;
export const FORWARD = 14;
export const RIGHT = 17;
/** Where the player wants to go: as a velocity, and as a direction. */
export const WISH = 20;
export const DIRECTION = 23;
/** Ends of the next trace, and a point. */
export const START = 26;
export const END = 29;
export const POINT = 32;
/** The velocity at the start of a slide. */
export const PRIMAL = 35;
export const CREASE = 38;
/** For a step: what it began with, and the result of the slide without it. */
export const STEP_ORIGIN = 41;
export const STEP_VELOCITY = 44;
export const LOW_ORIGIN = 47;
export const LOW_VELOCITY = 50;
/** Up to five planes of a slide. */
export const PLANES = 53;
/** Single numbers. */
export const FRAME_TIME = 68;
export const LENGTH = 69;
/** The speed that is wanted. */
export const WANTED = 70;
/** The player's speed, and how much of it is lost. */
export const NOW = 71;
export const DROP = 72;
/** Speed that gravity adds during this command. */
export const FALL = 73;
/** Squares of the horizontal distances that a step's two slides have covered. */
export const LOW_WAY = 74;
export const HIGH_WAY = 75;
const FLOATS = 76;

/** Places in {@link Work.ints}. */
export const TYPE = 0;
export const FLAGS = 1;
export const TIMER = 2;
export const GRAVITY = 3;
/** Origin, velocity and the angles that are added to the command's, as the state has them. */
export const PLACE = 4;
export const SPEED = 7;
export const DELTAS = 10;
/** The origin to return to if there is no room at the end. */
export const PREVIOUS = 13;
/** The command. */
export const MSEC = 16;
export const TURN = 17;
export const MOVE_FORWARD = 20;
export const MOVE_RIGHT = 21;
export const MOVE_UP = 22;
/** Results. */
export const GROUND = 23;
export const VIEW_HEIGHT = 24;
export const WATER_LEVEL = 25;
export const WATER_TYPE = 26;
/** Surface flags and contents of the ground. */
export const GROUND_SURFACE = 27;
export const GROUND_CONTENTS = 28;
export const ON_LADDER = 29;
export const HAS_BOX = 30;
export const NUM_TOUCHED = 31;
/** Settings of the mover. */
export const AIR_ACCELERATE = 32;
/** Whether a trace that hits nothing counts as touching the world, as on the server. */
export const IS_SERVER = 33;
const INTS = 34;

/** The length of the engine's list of what was touched. */
export const MOST_TOUCHED = 32;

/** A player while it moves. */
export interface Work {
  readonly floats: Float32Array;
  readonly ints: Int32Array;
  /** Ends of the next trace, and a point, as views of `floats`. */
  readonly start: Float32Array;
  readonly end: Float32Array;
  readonly point: Float32Array;
  readonly box: MovedBox;
  readonly contents: ContentsSource;
  /** The latest trace. */
  readonly trace: Trace;
  /** What was touched, in order, the world (0) included, with repetitions. */
  readonly touched: Int32Array;
  /** Sines and cosines of the view, and of the view that walking players move by. */
  readonly turns: Turns;
  readonly levelTurns: Turns;
}

/** Room for one player at a time. */
export function createWork(box: MovedBox, contents: ContentsSource): Work {
  const floats = new Float32Array(FLOATS);
  return {
    floats,
    ints: new Int32Array(INTS),
    start: floats.subarray(START, START + 3),
    end: floats.subarray(END, END + 3),
    point: floats.subarray(POINT, POINT + 3),
    box,
    contents,
    trace: box.createTrace(),
    touched: new Int32Array(MOST_TOUCHED),
    turns: createTurns(),
    levelTurns: createTurns(),
  };
}
