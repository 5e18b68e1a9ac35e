import type { Trace } from '@bspkit/core';
import type { ContentsProbe, MovedBox } from '../../space.ts';
import { createTurns, type Turns } from '../../turns.ts';

// A player while it moves: its state, the command and the engine's intermediate results, as numbers in two arrays. Writing to
// `floats` rounds to float32, as the engine does at each step; what is not written there is rounded by hand.

/** Places in {@link Work.floats}: vectors of three. The state comes first, after what `vectors.ts` needs. */
export const ORIGIN = 2;
export const VELOCITY = 5;
export const ANGLES = 8;
export const GRAPPLE = 11;
/** What the slice started with. */
export const OLD_ORIGIN = 14;
export const OLD_VELOCITY = 17;
export const FORWARD = 20;
export const RIGHT = 23;
/** Where the player wants to go. */
export const WISH = 26;
export const GROUND_NORMAL = 29;
/** Ends of the next trace. */
export const START = 32;
export const END = 35;
/** For a slide: the velocity at its start, and with all of the slide's gravity. */
export const PRIMAL = 38;
export const FINAL = 41;
/** For a slide: both velocities clipped, and the direction of a crease. */
export const CLIPPED = 44;
export const FINAL_CLIPPED = 47;
export const CREASE = 50;
/** For a step: what it started with. */
export const STEP_ORIGIN = 53;
export const STEP_VELOCITY = 56;
export const POINT = 59;
/** Up to five planes of a slide. */
export const PLANES = 62;
/** Single numbers. */
export const FRAME_TIME = 77;
export const IMPACT = 78;
/** Results of {@link normalise} and similar functions. */
export const LENGTH = 79;
export const SCALE = 80;
/** Where the ground, and where water, was last looked for in this command. */
export const GROUND_FROM = 81;
export const WATER_FROM = 84;
/** Top of the box that the ground was looked for with. */
export const GROUND_TOP = 87;
/** Speeds: the player's, what it loses, what it wants. */
export const NOW = 88;
export const DROP = 89;
export const WANTED = 90;
/** Normal of the ground that was found. */
export const KNOWN_NORMAL = 91;
const FLOATS = 94;

/** Places in {@link Work.ints}. The state comes first. */
export const COMMAND_TIME = 0;
export const TYPE = 1;
export const FLAGS = 2;
export const TIMER = 3;
export const DELTAS = 4;
export const GRAVITY = 7;
export const SPEED = 8;
export const HEALTH = 9;
export const FLIGHT = 10;
export const MASK = 11;
export const GROUND = 12;
export const VIEW_HEIGHT = 13;
export const BOB = 14;
export const DIRECTION = 15;
export const FRAME = 16;
export const SEQUENCE = 17;
export const EVENTS = 18;
export const WATER_LEVEL = 20;
export const WATER_TYPE = 21;
/** The command. */
export const SERVER_TIME = 22;
export const TURN = 23;
export const MOVE_FORWARD = 26;
export const MOVE_RIGHT = 27;
export const MOVE_UP = 28;
export const BUTTONS = 29;
/** The slice. */
export const MS = 30;
export const WALKING = 31;
export const HAS_PLANE = 32;
/** Surface flags of the ground. */
export const SURFACE = 33;
export const OLD_LEVEL = 34;
/** Whether the player's box was set in this command: its x and y never change. */
export const HAS_BOX = 35;
export const NUM_TOUCHED = 36;
export const NUM_EVENTS = 37;
/** Whether these are known, and what was found of water for which height of the eyes. */
export const KNOWS_GROUND = 38;
export const KNOWS_WATER = 39;
export const KNOWN_LEVEL = 40;
export const KNOWN_TYPE = 41;
export const KNOWN_EYES = 42;
/** Settings of the mover. */
export const QVM = 43;
export const FOOTSTEPS = 44;
/** What was found of the ground: its surface flags, its entity, and whether there is none, or the player is all in solid. */
export const KNOWN_SURFACE = 45;
export const KNOWN_ENTITY = 46;
export const KNOWN_FALL = 47;
export const KNOWN_SOLID = 48;
const INTS = 49;

/** The most bodies that are noted as touched in a slice. */
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
  readonly contents: ContentsProbe;
  /** The latest trace: always the same object, since tracers check one that they have not seen before. */
  readonly trace: Trace;
  /** Events of the command, in order. */
  readonly events: Int32Array;
  /** Bodies that the last slice touched. */
  readonly touched: Int32Array;
  readonly turns: Turns;
}

/**
 * Room for one player at a time.
 *
 * @param events - how many a command may have.
 * @param radians - the factor from degrees to radians.
 */
export function createWork(box: MovedBox, contents: ContentsProbe, events: number, radians: number): Work {
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
    events: new Int32Array(events),
    touched: new Int32Array(MOST_TOUCHED),
    turns: createTurns(radians),
  };
}
