import {
  B_END,
  B_GIVEN_END,
  B_GIVEN_START,
  B_HEAD,
  B_LIMIT,
  B_START,
  clearRecord,
  R_MODEL,
  R_TILE,
  S_HEAD,
  type WorldMemory,
} from './kernel.ts';
import { MODEL_ROOT, SECTIONS, TILE_SHIFT } from './layout.ts';
import type { UfoaiModel } from './model.ts';
import { isZero, P_BACK_ROWS, P_ORIGIN, P_ROWS, turn, turnBack } from './pose.ts';
import { boundMove, prepareMove, traceHead } from './trace-box.ts';

const f = Math.fround;

/** What of a tile's shift a model's trace adds. Its planes moved with the tile, while it may be built around 0, 0, 0. */
export const SHIFT_NONE = 0;
/** The engine's rule: where the model's origin is not zero. */
export const SHIFT_ENGINE = 1;
/** What that rule is for: where the model was built around its own origin. */
export const SHIFT_OWN_FRAME = 2;

/** Brings the ends as given into a model's frame, and makes ready to trace there. */
export function placeInModel(memory: WorldMemory, model: UfoaiModel, shiftRule: number): void {
  const { floats, places, box } = memory;
  const { _pose: pose } = model;
  const shift = places.tiles.first + SECTIONS.tiles * model.tile + TILE_SHIFT;
  const shifted =
    shiftRule === SHIFT_ENGINE
      ? !isZero(pose.floats, P_ORIGIN)
      : shiftRule === SHIFT_OWN_FRAME && model._ownFrame;
  for (let k = 0; k < 3; k++) {
    box[B_START + k] = box[B_GIVEN_START + k]! - pose.floats[P_ORIGIN + k]!;
    box[B_END + k] = box[B_GIVEN_END + k]! - pose.floats[P_ORIGIN + k]!;
  }
  if (pose.rotated) {
    turn(pose.floats, P_ROWS, box, B_START);
    turn(pose.floats, P_ROWS, box, B_END);
  }
  if (shifted) {
    for (let k = 0; k < 3; k++) {
      box[B_START + k]! += floats[shift + k]!;
      box[B_END + k]! += floats[shift + k]!;
    }
  }
  prepareMove(memory);
}

/**
 * Traces the box against a model where it stands, up to the fraction in `B_LIMIT`: the head's record is the answer.
 * @param exact - turn the normal back exactly, not as the engine does, which is right for one angle only.
 */
export function traceModel(memory: WorldMemory, model: UfoaiModel, shiftRule: number, exact: boolean): void {
  const { ints, box, boxState } = memory;
  const { _pose: pose, _place: place } = model;
  placeInModel(memory, model, shiftRule);
  clearRecord(memory, B_HEAD, S_HEAD, Math.min(box[B_LIMIT]!, 1));
  boxState[S_HEAD + R_TILE] = model.tile;
  boxState[S_HEAD + R_MODEL] = model.number;
  const root = ints[place + MODEL_ROOT]!;
  if (root >= 0) {
    boundMove(memory);
    traceHead(memory, root);
  }
  if (pose.rotated && box[B_HEAD] !== 1) {
    if (exact) turnBack(pose.floats, P_ROWS, box, B_HEAD + 1);
    else turn(pose.floats, P_BACK_ROWS, box, B_HEAD + 1);
  }
}

/** Whether a line lies wholly beyond one side of what a model reaches, strictly. */
export function lineMisses({ _reach: reach }: UfoaiModel, line: Float64Array): boolean {
  for (let k = 0; k < 3; k++) {
    const a = line[k]!;
    const b = line[3 + k]!;
    if ((a < reach[k]! && b < reach[k]!) || (a > reach[3 + k]! && b > reach[3 + k]!)) return true;
  }
  return false;
}

/** Where a trace stopped, on the way as given: what the engine answers for models, whether they were hit or not. */
export function copyStop(
  box: Float32Array,
  record: number,
  out: Float32Array | Float64Array,
  at: number,
): void {
  const fraction = box[record]!;
  for (let k = 0; k < 3; k++) {
    const start = box[B_GIVEN_START + k]!;
    out[at + k] = f(start + f(fraction * f(box[B_GIVEN_END + k]! - start)));
  }
}
