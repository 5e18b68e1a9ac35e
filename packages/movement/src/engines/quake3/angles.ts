import { RADIANS, turnVectors } from '../../turns.ts';
import { Quake3Type } from './constants.ts';
import { ANGLES, DELTAS, FORWARD, HEALTH, RIGHT, TURN, TYPE, type Work } from './memory.ts';

const f = Math.fround;

/** Degrees to radians in bytecode: a float32. */
export const RADIANS_QVM: number = f(RADIANS);

/** The farthest that a player can look up or down, in 65,536 parts of a turn: just short of vertical. */
const STEEPEST = 16000;

/** Turns the view as the command says, unless the player is dead or watches an intermission. */
export function updateAngles({ floats: v, ints }: Work): void {
  const type = ints[TYPE]!;
  if (type === Quake3Type.intermission || type === Quake3Type.soloIntermission) return;
  if (type !== Quake3Type.spectator && ints[HEALTH]! <= 0) return;
  for (let k = 0; k < 3; k++) {
    const turn = ints[TURN + k]!;
    // The low 16 bits, with a sign.
    let angle = ((turn + ints[DELTAS + k]!) << 16) >> 16;
    if (k === 0 && (angle > STEEPEST || angle < -STEEPEST)) {
      angle = angle > 0 ? STEEPEST : -STEEPEST;
      ints[DELTAS] = angle - turn;
    }
    v[ANGLES + k] = (angle * 360) / 65536;
  }
}

/** Computes the directions forward and right. */
export function turnView({ floats, turns }: Work): void {
  turnVectors(turns, floats, ANGLES, FORWARD, RIGHT);
}
