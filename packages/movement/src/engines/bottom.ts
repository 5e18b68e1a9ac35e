import type { Vec3 } from '@bspkit/core';
import { copy } from '../vectors.ts';
import { END, HIGH, LOW, POINT, type ServerWork, START, STEP_SIZE, traceBox } from './server-slide.ts';

// Whether there is floor enough below a monster to stand on.

const f = Math.fround;

/**
 * Whether there is floor enough below where a box is now: solid below all four corners; or a floor at most two steps below its
 * middle, and at each corner, there at most one step lower. `work.box` must be a point.
 */
export function hasBottom(
  work: ServerWork,
  origin: number,
  mins: Float32Array,
  maxs: Float32Array,
  isSolid: (point: Vec3) => boolean,
): boolean {
  const { floats: v, point, trace } = work;
  for (let k = 0; k < 3; k++) {
    v[LOW + k] = v[origin + k]! + mins[k]!;
    v[HIGH + k] = v[origin + k]! + maxs[k]!;
  }
  v[POINT + 2] = v[LOW + 2]! - 1;
  let isOpen = false;
  for (let corner = 0; corner < 4 && !isOpen; corner++) {
    goTo(v, corner, POINT);
    isOpen = !isSolid(point);
  }
  if (!isOpen) return true;
  v[START] = f(v[LOW]! + v[HIGH]!) * 0.5;
  v[START + 1] = f(v[LOW + 1]! + v[HIGH + 1]!) * 0.5;
  if (!feel(work)) return false;
  const { endPos } = trace;
  const middle = endPos[2]!;
  for (let corner = 0; corner < 4; corner++) {
    goTo(v, corner, START);
    if (!feel(work) || f(middle - endPos[2]!) > STEP_SIZE) return false;
  }
  return true;
}

/** Writes x and y of a corner of the box to a place: y first, then x, each from low to high. */
function goTo(v: Float32Array, corner: number, place: number): void {
  v[place] = v[corner & 2 ? HIGH : LOW]!;
  v[place + 1] = v[(corner & 1 ? HIGH : LOW) + 1]!;
}

/** Whether there is a floor within two steps below START, which it puts at the height of the box's bottom. */
function feel(work: ServerWork): boolean {
  const { floats: v } = work;
  v[START + 2] = v[LOW + 2]!;
  copy(v, START, END);
  v[END + 2] = v[START + 2]! - 2 * STEP_SIZE;
  traceBox(work);
  return work.trace.fraction !== 1;
}
