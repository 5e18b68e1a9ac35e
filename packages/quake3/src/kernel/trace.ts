import type { Trace, Vec3 } from '@bspkit/core';
import { checkMove } from '@bspkit/core/format';
import { PATCH_SHADER, PATCH_SURFACE, SIDE_PLANE, SIDE_SHADER, SIDE_WORDS } from '../layout.ts';
import { intoFrame, rotateOut } from './frame.ts';
import {
  beginTrace,
  CAPSULE,
  type Kernel,
  Q_CENTER,
  Q_DIST,
  Q_END,
  Q_EPSILON,
  Q_FRACTION,
  Q_FROM,
  Q_MAXS,
  Q_MINS,
  Q_NORMAL,
  Q_RADIUS,
  Q_REACH,
  Q_RESIDUE,
  Q_SIDE_END,
  Q_SIDE_START,
  Q_SPHERE,
  Q_START,
  Q_TO,
  ROUND,
  S_ALL_SOLID,
  S_ANY,
  S_BRUSH,
  S_CONTENTS,
  S_MODE,
  S_PATCH,
  S_SIDE,
  S_START_SOLID,
  S_STILL,
  S_SURFACE_FLAGS,
} from './memory.ts';
import { sweepModel, sweepWorld, touchWorld } from './walk.ts';

const f = Math.fround;

/**
 * Traces a move with the shape that was prepared; `any` 1 ends it at the first hit of any kind. The answer stays in the
 * kernel. Throws `RangeError` for coordinates that are not finite, `TypeError` for what is not three numbers.
 */
export function traceMove(kernel: Kernel, start: Vec3, end: Vec3, any: 0 | 1): void {
  const { query, state, target } = kernel;
  // Such arrays hold numbers alone; which one is wrong is only looked up when one is.
  if (!(start instanceof Float32Array && end instanceof Float32Array)) checkMove(start, end);
  // Each number is read once: callers mix kinds of arrays, which makes reading slow.
  const sx = f(start[0]!);
  const sy = f(start[1]!);
  const sz = f(start[2]!);
  const ex = f(end[0]!);
  const ey = f(end[1]!);
  const ez = f(end[2]!);
  // x - x is 0 for finite numbers alone.
  if (sx - sx + (sy - sy) + (sz - sz) + (ex - ex) + (ey - ey) + (ez - ez) !== 0) checkMove(start, end);
  query[Q_FROM] = sx;
  query[Q_FROM + 1] = sy;
  query[Q_FROM + 2] = sz;
  query[Q_TO] = ex;
  query[Q_TO + 1] = ey;
  query[Q_TO + 2] = ez;
  beginTrace(kernel);
  state[S_ANY] = any;
  placeMove(kernel);
  boundMove(kernel);
  kernel.round?.begin(kernel);
  if (target.model !== 0) sweepModel(kernel, target.model);
  else if (state[S_STILL] !== 0) touchWorld(kernel);
  else sweepWorld(kernel);
}

/**
 * Brings both ends to the middle of the shape's box, and into the model's frame. Whether they are equal decides on a
 * position test: as given in the world, in its frame for a model.
 */
function placeMove({ query, state, target, frame }: Kernel): void {
  for (let k = 0; k < 3; k++) {
    query[Q_START + k] = f(query[Q_FROM + k]! + query[Q_CENTER + k]!);
    query[Q_END + k] = f(query[Q_TO + k]! + query[Q_CENTER + k]!);
  }
  let from = Q_FROM;
  let to = Q_TO;
  if (target.moves) {
    intoFrame(frame, query, Q_START);
    intoFrame(frame, query, Q_END);
    from = Q_START;
    to = Q_END;
  }
  let still = 1;
  for (let k = 0; k < 3; k++) if (query[from + k] !== query[to + k]) still = 0;
  state[S_STILL] = still;
  if (!target.moves) return;
  for (let k = 0; k < 3; k++) {
    query[Q_START + k] = f(query[Q_START + k]! + query[Q_RESIDUE + k]!);
    query[Q_END + k] = f(query[Q_END + k]! + query[Q_RESIDUE + k]!);
  }
}

/**
 * How the whole move lies to bounds and axial sides. The box around it is computed in double for round shapes and
 * rounded once, as in the engine; a sweep has the epsilon to spare around it, a position test has not.
 */
function boundMove({ query, state }: Kernel): void {
  const round = state[S_MODE] === CAPSULE || state[S_MODE] === ROUND;
  const radius = query[Q_RADIUS]!;
  const slack = state[S_STILL] !== 0 ? 0 : query[Q_EPSILON]!;
  for (let k = 0; k < 3; k++) {
    const s = query[Q_START + k]!;
    const e = query[Q_END + k]!;
    const least = s < e ? s : e;
    const most = s < e ? e : s;
    const sphere = Math.abs(query[Q_SPHERE + k]!);
    const low = f(round ? least - sphere - radius : least + query[Q_MINS + k]!);
    const high = f(round ? most + sphere + radius : most + query[Q_MAXS + k]!);
    const back = 2 * k;
    const front = back + 1;
    query[Q_REACH + back] = -high - slack;
    query[Q_REACH + front] = low - slack;
    // A capsule meets an axial side with the nearer end of its middle line.
    const shift = round ? sphere : 0;
    query[Q_SIDE_START + back] = -f(s + shift);
    query[Q_SIDE_END + back] = -f(e + shift);
    query[Q_SIDE_START + front] = f(s - shift);
    query[Q_SIDE_END + front] = f(e - shift);
  }
}

/** Puts the answer of the latest trace into `out`: every field of it. */
export function writeAnswer({ ints, places, query, state, target, frame }: Kernel, out: Trace): void {
  const fraction = query[Q_FRACTION]!;
  const whole = fraction === 1;
  if (frame.rotated && !whole) rotateOut(frame, query, Q_NORMAL);
  out.fraction = fraction;
  for (let k = 0; k < 3; k++) {
    const s = query[Q_FROM + k]!;
    const e = query[Q_TO + k]!;
    // Against a model the engine computes the end even of an unhindered move, which may differ by rounding.
    out.endPos[k] = whole && !target.moves ? e : s + f(fraction * f(e - s));
    out.normal[k] = query[Q_NORMAL + k]!;
  }
  out.dist = query[Q_DIST]!;
  out.startSolid = state[S_START_SOLID] !== 0;
  out.allSolid = state[S_ALL_SOLID] !== 0;
  out.contents = state[S_CONTENTS]!;
  out.surfaceFlags = state[S_SURFACE_FLAGS]!;
  const brush = state[S_BRUSH]!;
  const side = state[S_SIDE]!;
  const patch = state[S_PATCH]!;
  out.model = brush >= 0 || patch >= 0 ? target.number : -1;
  out.brush = brush;
  out.side = side < 0 ? -1 : (side - places.sides.first) / SIDE_WORDS;
  out.plane = side < 0 || !target.inFile ? -1 : ints[side + SIDE_PLANE]!;
  out.patch = patch < 0 ? -1 : ints[patch + PATCH_SURFACE]!;
  out.texture =
    patch >= 0 ? ints[patch + PATCH_SHADER]! : side >= 0 && target.inFile ? ints[side + SIDE_SHADER]! : -1;
}
