import { sinCos } from '@bspkit/core/format';
import {
  END,
  ORIGIN,
  PUSH,
  type ServerWork,
  START,
  STEP_LENGTH,
  STEP_YAW,
  traceBox,
} from './server-slide.ts';

// The steps of monsters, as far as both games make them alike.

/** The angle of the step that is aimed; then its sine and cosine. */
const turn: Float64Array = /* @__PURE__ */ new Float64Array(2);

/** Writes to PUSH how far a step leads, from its direction and length. */
export function aimStep(v: Float32Array): void {
  turn[0] = Math.fround((v[STEP_YAW]! * Math.PI * 2) / 360);
  sinCos(turn);
  v[PUSH] = turn[1]! * v[STEP_LENGTH]!;
  v[PUSH + 1] = turn[0]! * v[STEP_LENGTH]!;
  v[PUSH + 2] = 0;
}

/**
 * Traces the box down to where a step leads: from this height above to as far below; or, if it is stuck up there, from no higher
 * than it is. Returns whether there is room for it.
 */
export function traceStep(work: ServerWork, height: number): boolean {
  const { floats: v, trace } = work;
  for (let k = 0; k < 3; k++) {
    v[START + k] = v[ORIGIN + k]! + v[PUSH + k]!;
    v[END + k] = v[START + k]!;
  }
  v[START + 2] = v[START + 2]! + height;
  v[END + 2] = v[START + 2]! - 2 * height;
  traceBox(work);
  if (trace.allSolid) return false;
  if (!trace.startSolid) return true;
  v[START + 2] = v[START + 2]! - height;
  traceBox(work);
  return !trace.startSolid && !trace.allSolid;
}
