import type { Vec3 } from '@bspkit/core';
import { checkPoint, checkRoomOf } from '@bspkit/core/format';
import { createTurns, type Turns, turnAxes } from './turns.ts';

const FORWARD = 3;
const RIGHT = 6;
const UP = 9;

/** The angles, and the directions behind them. Made when first needed. */
let work: { readonly turns: Turns; readonly floats: Float32Array } | undefined;

/**
 * Writes the directions ahead, to the right and up of somebody who is turned by these angles: the games' `AngleVectors`, with the
 * same bits in every JavaScript engine, which `Math.sin` does not promise. Allocates nothing.
 *
 * @param angles - pitch, yaw and roll in degrees; a positive pitch looks down.
 * @param forward - gets a vector of length 1, as do the others.
 * @returns `forward`.
 * @throws TypeError and RangeError naming the argument that is wrong; then nothing is written.
 */
export function angleVectors(
  angles: Vec3,
  forward: Float32Array,
  right?: Float32Array | undefined,
  up?: Float32Array | undefined,
): Float32Array {
  checkPoint(angles, 'angles');
  checkRoomOf(forward, Float32Array, 3, 'forward');
  if (right !== undefined) checkRoomOf(right, Float32Array, 3, 'right');
  if (up !== undefined) checkRoomOf(up, Float32Array, 3, 'up');
  work ??= { turns: createTurns(), floats: new Float32Array(12) };
  const { turns, floats } = work;
  for (let k = 0; k < 3; k++) floats[k] = angles[k]!;
  turnAxes(turns, floats, 0, FORWARD, RIGHT, UP);
  for (let k = 0; k < 3; k++) {
    forward[k] = floats[FORWARD + k]!;
    if (right) right[k] = floats[RIGHT + k]!;
    if (up) up[k] = floats[UP + k]!;
  }
  return forward;
}
