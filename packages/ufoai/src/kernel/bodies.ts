import { B_HEAD, B_HIGH, B_LOW } from '@bspkit/brushes';
import { LEVEL_COUNT, LEVEL_HEIGHT, WITH_ACTORCLIP } from '../constants.ts';
import { B_GIVEN_END, B_GIVEN_MAXS, B_GIVEN_MINS, B_GIVEN_START, B_LIMIT } from './block.ts';
import { type Body, SHIFT_ENGINE, SHIFT_OWN_FRAME, traceBody } from './body.ts';
import { copyRecord, type WorldMemory } from './memory.ts';
import { rememberSolid } from './tiles.ts';

/** The box around the whole move of the shape as given, into `box` at `B_LOW` and `B_HIGH`. */
function boundGiven(box: Float32Array): void {
  for (let k = 0; k < 3; k++) {
    const start = box[B_GIVEN_START + k]!;
    const end = box[B_GIVEN_END + k]!;
    box[B_LOW + k] = Math.min(start + box[B_GIVEN_MINS + k]!, end + box[B_GIVEN_MINS + k]!);
    box[B_HIGH + k] = Math.max(start + box[B_GIVEN_MAXS + k]!, end + box[B_GIVEN_MAXS + k]!);
  }
}

/** The levels that a move's heights touch; the engine's traces with entities take these and keep only the clip bit. */
export function levelsOfSweep(box: Float32Array, mask: number): number {
  boundGiven(box);
  let levels = mask & WITH_ACTORCLIP;
  for (let k = 0; k < LEVEL_COUNT; k++) {
    if (box[B_HIGH + 2]! >= LEVEL_HEIGHT * k && box[B_LOW + 2]! <= LEVEL_HEIGHT * (k + 1)) levels |= 1 << k;
  }
  return levels;
}

/** Whether a move comes near a body's reach; touching counts. */
function comesNear(box: Float32Array, { reach }: Body): boolean {
  boundGiven(box);
  for (let k = 0; k < 3; k++) {
    if (box[B_HIGH + k]! < reach[k]! || box[B_LOW + k]! > reach[3 + k]!) return false;
  }
  return true;
}

/** Carries on from the record at `best` through bodies, in order: the nearest hit stays, the first of equal ones. */
export function traceBodies(
  memory: WorldMemory,
  bodies: readonly Body[],
  best: number,
  engine: boolean,
): void {
  const { box, boxState } = memory;
  for (let k = 0; k < bodies.length && box[best] !== 0; k++) {
    const body = bodies[k]!;
    if (!comesNear(box, body)) continue;
    box[B_LIMIT] = box[best]!;
    traceBody(memory, body, engine ? SHIFT_ENGINE : SHIFT_OWN_FRAME, !engine);
    rememberSolid(boxState);
    if (box[B_HEAD]! < box[best]!) copyRecord(memory, B_HEAD, best);
  }
}
