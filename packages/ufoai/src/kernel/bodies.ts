import { LEVEL_COUNT, LEVEL_HEIGHT, WITH_ACTORCLIP } from '../constants.ts';
import { type Body, SHIFT_ENGINE, SHIFT_OWN_FRAME, traceBody } from './body.ts';
import {
  B_GIVEN_END,
  B_GIVEN_MAXS,
  B_GIVEN_MINS,
  B_GIVEN_START,
  B_HEAD,
  B_HIGH,
  B_LIMIT,
  B_LOW,
  B_WORLD,
  copyRecord,
  S_HEAD,
  S_WORLD,
  type WorldMemory,
} from './memory.ts';
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

/** Carries on from the world's record through bodies, in order: the nearest hit stays, the first of equal ones. */
export function traceBodies(memory: WorldMemory, bodies: readonly Body[], engine: boolean): void {
  const { box, boxState } = memory;
  for (let k = 0; k < bodies.length && box[B_WORLD] !== 0; k++) {
    const body = bodies[k]!;
    if (!comesNear(box, body)) continue;
    box[B_LIMIT] = box[B_WORLD]!;
    traceBody(memory, body, engine ? SHIFT_ENGINE : SHIFT_OWN_FRAME, !engine);
    rememberSolid(boxState);
    if (box[B_HEAD]! < box[B_WORLD]!) copyRecord(memory, B_HEAD, S_HEAD, B_WORLD, S_WORLD);
  }
}
