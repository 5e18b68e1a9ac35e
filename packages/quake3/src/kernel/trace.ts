import type { Trace } from '@bspkit/core';
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

/** More than rounding in double precision takes off an epsilon. */
const SLIGHTLY_MORE = 1 + 2 ** -50;

/**
 * Traces a move with the shape that was prepared; `any` 1 ends it at the first hit of any kind. The answer stays in the
 * kernel. Throws `RangeError` for coordinates that are not finite.
 */
export function traceMove(kernel: Kernel, start: Float32Array, end: Float32Array, any: 0 | 1): void {
  const { query, state, target } = kernel;
  const sx = start[0]!;
  const sy = start[1]!;
  const sz = start[2]!;
  const ex = end[0]!;
  const ey = end[1]!;
  const ez = end[2]!;
  // x - x is 0 for finite numbers alone. Which one is wrong is only looked up when one is.
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
  const sx = query[Q_FROM]!;
  const sy = query[Q_FROM + 1]!;
  const sz = query[Q_FROM + 2]!;
  const ex = query[Q_TO]!;
  const ey = query[Q_TO + 1]!;
  const ez = query[Q_TO + 2]!;
  const cx = query[Q_CENTER]!;
  const cy = query[Q_CENTER + 1]!;
  const cz = query[Q_CENTER + 2]!;
  query[Q_START] = f(sx + cx);
  query[Q_START + 1] = f(sy + cy);
  query[Q_START + 2] = f(sz + cz);
  query[Q_END] = f(ex + cx);
  query[Q_END + 1] = f(ey + cy);
  query[Q_END + 2] = f(ez + cz);
  if (!target.moves) {
    state[S_STILL] = sx === ex && sy === ey && sz === ez ? 1 : 0;
    return;
  }
  intoFrame(frame, query, Q_START);
  intoFrame(frame, query, Q_END);
  let still = 1;
  for (let k = 0; k < 3; k++) {
    if (query[Q_START + k] !== query[Q_END + k]) still = 0;
    query[Q_START + k] = f(query[Q_START + k]! + query[Q_RESIDUE + k]!);
    query[Q_END + k] = f(query[Q_END + k]! + query[Q_RESIDUE + k]!);
  }
  state[S_STILL] = still;
}

/**
 * How the whole move lies to bounds and axial sides. The box around it is computed in double for round shapes and
 * rounded once, as in the engine; a sweep has the epsilon to spare around it, a position test has not.
 */
function boundMove(kernel: Kernel): void {
  const { query, state } = kernel;
  const mode = state[S_MODE]!;
  if (mode === CAPSULE || mode === ROUND) {
    boundRound(kernel);
    return;
  }
  const slack = state[S_STILL] !== 0 ? 0 : query[Q_EPSILON]! * SLIGHTLY_MORE;
  const sx = query[Q_START]!;
  const sy = query[Q_START + 1]!;
  const sz = query[Q_START + 2]!;
  const ex = query[Q_END]!;
  const ey = query[Q_END + 1]!;
  const ez = query[Q_END + 2]!;
  query[Q_REACH] = -f((sx < ex ? ex : sx) + query[Q_MAXS]!) - slack;
  query[Q_REACH + 1] = f((sx < ex ? sx : ex) + query[Q_MINS]!) - slack;
  query[Q_REACH + 2] = -f((sy < ey ? ey : sy) + query[Q_MAXS + 1]!) - slack;
  query[Q_REACH + 3] = f((sy < ey ? sy : ey) + query[Q_MINS + 1]!) - slack;
  query[Q_REACH + 4] = -f((sz < ez ? ez : sz) + query[Q_MAXS + 2]!) - slack;
  query[Q_REACH + 5] = f((sz < ez ? sz : ez) + query[Q_MINS + 2]!) - slack;
  query[Q_SIDE_START] = -sx;
  query[Q_SIDE_START + 1] = sx;
  query[Q_SIDE_START + 2] = -sy;
  query[Q_SIDE_START + 3] = sy;
  query[Q_SIDE_START + 4] = -sz;
  query[Q_SIDE_START + 5] = sz;
  query[Q_SIDE_END] = -ex;
  query[Q_SIDE_END + 1] = ex;
  query[Q_SIDE_END + 2] = -ey;
  query[Q_SIDE_END + 3] = ey;
  query[Q_SIDE_END + 4] = -ez;
  query[Q_SIDE_END + 5] = ez;
}

function boundRound({ query, state }: Kernel): void {
  const slack = state[S_STILL] !== 0 ? 0 : query[Q_EPSILON]! * SLIGHTLY_MORE;
  const radius = query[Q_RADIUS]!;
  for (let k = 0; k < 3; k++) {
    const s = query[Q_START + k]!;
    const e = query[Q_END + k]!;
    const least = s < e ? s : e;
    const most = s < e ? e : s;
    const sphere = Math.abs(query[Q_SPHERE + k]!);
    const back = 2 * k;
    const front = back + 1;
    query[Q_REACH + back] = -f(most + sphere + radius) - slack;
    query[Q_REACH + front] = f(least - sphere - radius) - slack;
    // A capsule meets an axial side with the nearer end of its middle line.
    query[Q_SIDE_START + back] = -f(s + sphere);
    query[Q_SIDE_END + back] = -f(e + sphere);
    query[Q_SIDE_START + front] = f(s - sphere);
    query[Q_SIDE_END + front] = f(e - sphere);
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
