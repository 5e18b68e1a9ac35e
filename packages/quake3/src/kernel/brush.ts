import { BRUSH_WORDS, NUM_SIDES, REF_BRUSH, REF_CONTENTS, REF_WORDS } from '../layout.ts';
import {
  type Kernel,
  Q_FRACTION,
  Q_REACH,
  ROUND,
  S_ANY,
  S_MASK,
  S_MODE,
  S_STAMP,
  S_START_SOLID,
  S_STILL,
} from './memory.ts';
import { recordInside } from './record.ts';
import { sweepSolid, touchesSolid } from './solid.ts';

/** Whether an any-hit trace has its answer. */
export function isDecided({ query, state }: Kernel): boolean {
  return state[S_ANY] !== 0 && (state[S_START_SOLID] !== 0 || query[Q_FRACTION]! < 1);
}

/**
 * Sweeps the shape against the brushes of a leaf or model, in their order, until the fraction is 0; a position test ends
 * so too. A brush is met at most once per trace. Bounds are tested first: they lie in the reference that is read anyway.
 */
export function sweepBrushes(kernel: Kernel, first: number, count: number): void {
  const { ints, floats, query, state, brushStamps } = kernel;
  const mask = state[S_MASK]!;
  const stamp = state[S_STAMP]!;
  const any = state[S_ANY] !== 0;
  const still = state[S_STILL] !== 0;
  const round = state[S_MODE] === ROUND ? kernel.round : undefined;
  // The outer loop never comes round: see `sweepWorld` on deep loops.
  for (;;) {
    const end = first + REF_WORDS * count;
    for (let ref = first; ; ref += REF_WORDS) {
      const reach0 = query[Q_REACH]!;
      const reach1 = query[Q_REACH + 1]!;
      const reach2 = query[Q_REACH + 2]!;
      const reach3 = query[Q_REACH + 3]!;
      const reach4 = query[Q_REACH + 4]!;
      const reach5 = query[Q_REACH + 5]!;
      // Most references end here, so this loop has no call in it: V8 then keeps the arrays in registers.
      while (
        ref < end &&
        ((ints[ref + REF_CONTENTS]! & mask) === 0 ||
          reach0 > floats[ref]! ||
          reach1 > floats[ref + 1]! ||
          reach2 > floats[ref + 2]! ||
          reach3 > floats[ref + 3]! ||
          reach4 > floats[ref + 4]! ||
          reach5 > floats[ref + 5]!)
      ) {
        ref += REF_WORDS;
      }
      if (ref >= end) return;
      const brush = ints[ref + REF_BRUSH]!;
      if (brushStamps[brush] === stamp) continue;
      brushStamps[brush] = stamp;
      if (still) touchBrush(kernel, brush);
      else if (round) round.sweepBrush(kernel, brush);
      else sweepSolid(kernel, brush, ref);
      if (query[Q_FRACTION] === 0 || (any && isDecided(kernel))) return;
    }
  }
}

/** Position test against one brush: the sides after the six axial ones, which the bounds stand for. */
function touchBrush(kernel: Kernel, brush: number): void {
  const { ints, places, state } = kernel;
  const at = places.brushes.first + BRUSH_WORDS * brush;
  // A brush without sides is nowhere.
  if (ints[at + NUM_SIDES] === 0) return;
  const isRound = state[S_MODE] === ROUND;
  const touched = isRound ? kernel.round!.touchesBrush(kernel, brush) : touchesSolid(kernel, at, 6);
  if (touched) recordInside(kernel, brush, true);
}

/** Whether the bounds at `at` are clear of the whole move. */
export function isApart(floats: Float32Array, at: number, query: Float64Array): boolean {
  return (
    query[Q_REACH]! > floats[at]! ||
    query[Q_REACH + 1]! > floats[at + 1]! ||
    query[Q_REACH + 2]! > floats[at + 2]! ||
    query[Q_REACH + 3]! > floats[at + 3]! ||
    query[Q_REACH + 4]! > floats[at + 4]! ||
    query[Q_REACH + 5]! > floats[at + 5]!
  );
}
