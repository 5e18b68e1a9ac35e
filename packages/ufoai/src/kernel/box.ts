import {
  B_END,
  B_EXTENTS,
  B_MAXS,
  B_MINS,
  B_START,
  type BoxSettings,
  boundMove,
  checkReach,
  S_CULL,
  S_EVERY,
  S_MASK,
  S_POINT,
  S_REJECT,
  S_STILL,
  traceHead,
} from '@bspkit/brushes';
import { B_CENTER, B_GIVEN_MAXS, B_GIVEN_MINS } from './block.ts';
import type { WorldMemory } from './memory.ts';

const f = Math.fround;

/** Numbers closer to each other than this are equal to the engine: a float32. */
export const EQUAL_EPSILON: number = f(1e-10);

/** Sets what stops a box, and what lets it pass. For sweeps, the engine treats a mask of all bits as no filter at all. */
export function setFilter(boxState: Int32Array, mask: number, reject: number): void {
  boxState[S_MASK] = mask;
  boxState[S_REJECT] = reject;
  boxState[S_EVERY] = boxState[S_MASK] === -1 ? 1 : 0;
}

/** Takes the box's corners as given: centres them, and finds out whether the box is a point. */
export function prepareShape({ box, boxState }: BoxSettings): void {
  let isPoint = 1;
  for (let k = 0; k < 3; k++) {
    const mins = box[B_GIVEN_MINS + k]!;
    const maxs = box[B_GIVEN_MAXS + k]!;
    const center = f(f(mins + maxs) * 0.5);
    box[B_CENTER + k] = center;
    box[B_MINS + k] = mins - center;
    box[B_MAXS + k] = maxs - center;
    if (!(Math.abs(box[B_MINS + k]!) < EQUAL_EPSILON && Math.abs(box[B_MAXS + k]!) < EQUAL_EPSILON))
      isPoint = 0;
  }
  for (let k = 0; k < 3; k++) box[B_EXTENTS + k] = isPoint ? 0 : box[B_MAXS + k]!;
  boxState[S_POINT] = isPoint;
}

/** Brings the ends in `B_START` and `B_END` to the box's middle, and distinguishes a sweep from a position test. */
export function prepareMove(memory: WorldMemory): void {
  const { box, boxState } = memory;
  const ax = f(box[B_START]! + box[B_CENTER]!);
  const ay = f(box[B_START + 1]! + box[B_CENTER + 1]!);
  const az = f(box[B_START + 2]! + box[B_CENTER + 2]!);
  const bx = f(box[B_END]! + box[B_CENTER]!);
  const by = f(box[B_END + 1]! + box[B_CENTER + 1]!);
  const bz = f(box[B_END + 2]! + box[B_CENTER + 2]!);
  box[B_START] = ax;
  box[B_START + 1] = ay;
  box[B_START + 2] = az;
  box[B_END] = bx;
  box[B_END + 1] = by;
  box[B_END + 2] = bz;
  boxState[S_STILL] =
    Math.abs(f(ax - bx)) < EQUAL_EPSILON &&
    Math.abs(f(ay - by)) < EQUAL_EPSILON &&
    Math.abs(f(az - bz)) < EQUAL_EPSILON
      ? 1
      : 0;
  checkReach(memory);
}

/**
 * Traces the prepared box through the tree below a node with whichever kernel runs, as {@link traceHead} does. `tree` is its
 * number among those of all box heads and, after these, of all inline models.
 */
export function traceTree(memory: WorldMemory, node: number, tree: number): void {
  const { hotBoxes, boxState } = memory;
  if (hotBoxes && boxState[S_CULL] !== 0 && hotBoxes.traceTree(hotBoxes.trees[tree]!) === 0) return;
  boundMove(memory);
  traceHead(memory, node);
}
