import { type Turns, turnAxes } from '../../turns.ts';

// How a push moves and turns, as numbers in one array. Writing there rounds to float32, as the game does at each step; what is not
// written there is rounded by hand.

const f = Math.fround;

/** Places in the floats of a push: three numbers each. */
export const ANGLES = 0;
export const FORWARD = 3;
export const RIGHT = 6;
export const UP = 9;
export const MOVE = 12;
export const WAY = 15;
export const LED = 18;
export const FLOATS = 21;

/** Rounds the distances at MOVE to whole eighths, as the game does. */
export function roundMove(v: Float32Array): void {
  for (let k = MOVE; k < MOVE + 3; k++) {
    const scaled = f(v[k]! * 8);
    v[k] = 0.125 * Math.trunc(f(scaled > 0 ? scaled + 0.5 : scaled - 0.5)) + 0;
  }
}

/** Turns WAY by the directions, and writes how far that leads to LED. */
export function turnWay(v: Float32Array): void {
  for (let k = 0; k < 3; k++) {
    const at = FORWARD + 3 * k;
    v[LED + k] = f(f(v[WAY]! * v[at]!) + f(v[WAY + 1]! * v[at + 1]!)) + f(v[WAY + 2]! * v[at + 2]!);
  }
  v[LED] = v[LED]! - v[WAY]!;
  v[LED + 1] = -v[LED + 1]! - v[WAY + 1]!;
  v[LED + 2] = v[LED + 2]! - v[WAY + 2]!;
}

/** Writes the directions forward, right and up for the angles at ANGLES, with the engine's rounding. */
export const turnAll = (turns: Turns, v: Float32Array): void =>
  turnAxes(turns, v, ANGLES, FORWARD, RIGHT, UP);
