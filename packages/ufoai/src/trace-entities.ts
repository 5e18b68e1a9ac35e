import { LEVEL_COUNT, LEVEL_HEIGHT } from './constants.ts';
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
} from './kernel.ts';
import type { UfoaiModel } from './model.ts';
import { SHIFT_ENGINE, SHIFT_OWN_FRAME, traceModel } from './trace-model.ts';
import { rememberSolid } from './trace-tiles.ts';

/** Bit of a box's mask that the engine keeps when it makes the rest anew. */
const KEPT_BIT = 0x100;

/** The box around the whole way with the shape's corners as given, into `box` at `B_LOW` and `B_HIGH`. */
function boundGiven(box: Float32Array): void {
  for (let k = 0; k < 3; k++) {
    const start = box[B_GIVEN_START + k]!;
    const end = box[B_GIVEN_END + k]!;
    box[B_LOW + k] = Math.min(start + box[B_GIVEN_MINS + k]!, end + box[B_GIVEN_MINS + k]!);
    box[B_HIGH + k] = Math.max(start + box[B_GIVEN_MAXS + k]!, end + box[B_GIVEN_MAXS + k]!);
  }
}

/** The levels that a move's heights touch, as the engine's traces with entities take them. */
export function levelsOfSweep(box: Float32Array, mask: number): number {
  boundGiven(box);
  let levels = mask & KEPT_BIT;
  for (let k = 0; k < LEVEL_COUNT; k++) {
    if (box[B_HIGH + 2]! >= LEVEL_HEIGHT * k && box[B_LOW + 2]! <= LEVEL_HEIGHT * (k + 1)) levels |= 1 << k;
  }
  return levels;
}

/** Whether a move comes near what a model reaches; touching counts. */
function comesNear(box: Float32Array, { _reach: reach }: UfoaiModel): boolean {
  boundGiven(box);
  for (let k = 0; k < 3; k++) {
    if (box[B_HIGH + k]! < reach[k]! || box[B_LOW + k]! > reach[3 + k]!) return false;
  }
  return true;
}

/** Goes on from the world's record through models, in order: the nearest hit stays, of equal ones the first. */
export function traceModels(memory: WorldMemory, models: readonly UfoaiModel[], engine: boolean): void {
  const { box, boxState } = memory;
  for (let k = 0; k < models.length && box[B_WORLD] !== 0; k++) {
    const model = models[k]!;
    if (!comesNear(box, model)) continue;
    box[B_LIMIT] = box[B_WORLD]!;
    traceModel(memory, model, engine ? SHIFT_ENGINE : SHIFT_OWN_FRAME, !engine);
    rememberSolid(boxState);
    if (box[B_HEAD]! < box[B_WORLD]!) copyRecord(memory, B_HEAD, S_HEAD, B_WORLD, S_WORLD);
  }
}
