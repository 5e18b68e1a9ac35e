import {
  BOX,
  CAPSULE,
  type Kernel,
  POINT,
  Q_DIST,
  Q_END,
  Q_EPSILON,
  Q_FRACTION,
  Q_MAXS,
  Q_MINS,
  Q_NORMAL,
  Q_RADIUS,
  Q_REACH,
  Q_SIDE_END,
  Q_SIDE_GROW,
  Q_SIDE_START,
  Q_SPHERE,
  Q_START,
  ROUND,
  S_ALL_SOLID,
  S_ANY,
  S_BRUSH,
  S_CONTENTS,
  S_MASK,
  S_MODE,
  S_PATCH,
  S_SIDE,
  S_STAMP,
  S_START_SOLID,
  S_SURFACE_FLAGS,
} from './kernel.ts';
import { BRUSH_WORDS, REF_WORDS, SIDE_WORDS } from './layout.ts';
import { sweepRoundBrush, touchedSide, touchesRoundBrush } from './round-brushes.ts';
import { ALL_SOLID, HIT, START_SOLID } from './trace-rounded.ts';

const f = Math.fround;

/** Whether an any-hit trace has its answer. */
export function isDecided({ query, state }: Kernel): boolean {
  return state[S_ANY] !== 0 && (state[S_START_SOLID] !== 0 || query[Q_FRACTION]! < 1);
}

/**
 * Sweeps the shape against the brushes of a leaf or model, in their order, until the fraction is 0.
 * A brush is clipped at most once a trace. Bounds are tested first: they lie in the reference that is read anyway.
 */
export function sweepBrushes(kernel: Kernel, first: number, count: number): void {
  const { ints, floats, query, state, brushStamps } = kernel;
  const mask = state[S_MASK]!;
  const stamp = state[S_STAMP]!;
  const any = state[S_ANY] !== 0;
  const round = state[S_MODE] === ROUND;
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
      ((ints[ref + 6]! & mask) === 0 ||
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
    const brush = ints[ref + 7]!;
    if (brushStamps[brush] === stamp) continue;
    brushStamps[brush] = stamp;
    if (round) sweepRound(kernel, brush);
    else sweepBrush(kernel, brush, ref);
    if (query[Q_FRACTION] === 0 || (any && isDecided(kernel))) return;
  }
}

/**
 * Sweeps the shape against one brush (tutorial `CheckBrush`; order of operations and ties as in the engine). The axial
 * sides are taken from the bounds in its reference: their dot products come down to one coordinate, exactly.
 */
function sweepBrush({ ints, floats, places, query, state }: Kernel, brush: number, ref: number): void {
  const at = places.brushes.first + BRUSH_WORDS * brush;
  const firstSide = ints[at]!;
  const endSide = firstSide + SIDE_WORDS * ints[at + 1]!;
  if (endSide === firstSide) return;
  const mode = state[S_MODE]!;
  const epsilon = query[Q_EPSILON]!;
  const best = query[Q_FRACTION]!;
  const axialEnd = ints[at + 3] !== 0 ? firstSide + 6 * SIDE_WORDS : firstSide;
  let enter = -1;
  let leave = 1;
  let hitSide = -1;
  let startsOut = false;
  let endsOut = false;
  for (let side = firstSide, k = 0; side < endSide; side += SIDE_WORDS, k++) {
    let d1: number;
    let d2: number;
    if (side < axialEnd) {
      const dist = f(floats[ref + k]! + query[Q_SIDE_GROW + k]!);
      d1 = f(query[Q_SIDE_START + k]! - dist);
      d2 = f(query[Q_SIDE_END + k]! - dist);
    } else {
      const nx = floats[side]!;
      const ny = floats[side + 1]!;
      const nz = floats[side + 2]!;
      let dist = floats[side + 3]!;
      let sx = query[Q_START]!;
      let sy = query[Q_START + 1]!;
      let sz = query[Q_START + 2]!;
      let ex = query[Q_END]!;
      let ey = query[Q_END + 1]!;
      let ez = query[Q_END + 2]!;
      if (mode === BOX) {
        const cx = query[nx < 0 ? Q_MAXS : Q_MINS]!;
        const cy = query[ny < 0 ? Q_MAXS + 1 : Q_MINS + 1]!;
        const cz = query[nz < 0 ? Q_MAXS + 2 : Q_MINS + 2]!;
        dist = f(dist - f(f(f(cx * nx) + f(cy * ny)) + f(cz * nz)));
      } else if (mode === CAPSULE) {
        dist = f(dist + query[Q_RADIUS]!);
        const ox = query[Q_SPHERE]!;
        const oy = query[Q_SPHERE + 1]!;
        const oz = query[Q_SPHERE + 2]!;
        // The lower sphere comes first to a plane that faces up.
        const sign = f(f(f(nx * ox) + f(ny * oy)) + f(nz * oz)) > 0 ? -1 : 1;
        sx = f(sx + sign * ox);
        sy = f(sy + sign * oy);
        sz = f(sz + sign * oz);
        ex = f(ex + sign * ox);
        ey = f(ey + sign * oy);
        ez = f(ez + sign * oz);
      }
      d1 = f(f(f(f(sx * nx) + f(sy * ny)) + f(sz * nz)) - dist);
      d2 = f(f(f(f(ex * nx) + f(ey * ny)) + f(ez * nz)) - dist);
    }
    if (d1 > 0) {
      if (d2 >= epsilon || d2 >= d1) return;
      startsOut = true;
      if (d2 > 0) endsOut = true;
      let fraction = f((d1 - epsilon) / f(d1 - d2));
      if (fraction < 0) fraction = 0;
      if (fraction > enter) {
        // From here on the brush cannot be hit nearer than the best, and its start is outside: nothing can change.
        if (fraction >= best || fraction >= leave) return;
        enter = fraction;
        hitSide = side;
      }
    } else if (d2 > 0) {
      endsOut = true;
      const fraction = f((d1 + epsilon) / f(d1 - d2));
      if (fraction < leave) {
        if (startsOut && fraction <= enter) return;
        leave = fraction;
      }
    }
  }
  if (!startsOut) startInside(query, state, brush, ints[at + 2]!, !endsOut);
  else if (enter > -1 && enter < leave && enter < best) {
    query[Q_FRACTION] = enter;
    query[Q_NORMAL] = floats[hitSide]!;
    query[Q_NORMAL + 1] = floats[hitSide + 1]!;
    query[Q_NORMAL + 2] = floats[hitSide + 2]!;
    query[Q_DIST] = floats[hitSide + 3]!;
    state[S_SURFACE_FLAGS] = ints[places.shaders.first + 2 * ints[hitSide + 5]!]!;
    blame(state, brush, hitSide, ints[at + 2]!);
  }
}

/** The move starts in a brush, and perhaps stays in it. */
function startInside(
  query: Float64Array,
  state: Int32Array,
  brush: number,
  contents: number,
  stays: boolean,
): void {
  state[S_START_SOLID] = 1;
  if (!stays) return;
  state[S_ALL_SOLID] = 1;
  query[Q_FRACTION] = 0;
  blame(state, brush, -1, contents);
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

/** Sweeps an exact sphere against one brush. */
function sweepRound(kernel: Kernel, brush: number): void {
  const { ints, places, query, state } = kernel;
  const contents = ints[places.brushes.first + BRUSH_WORDS * brush + 2]!;
  const outcome = sweepRoundBrush(kernel, brush);
  if (outcome === START_SOLID || outcome === ALL_SOLID) {
    startInside(query, state, brush, contents, outcome === ALL_SOLID);
  } else if (outcome === HIT) {
    const side = touchedSide(kernel, brush);
    state[S_SURFACE_FLAGS] = ints[places.shaders.first + 2 * ints[side + 5]!]!;
    blame(state, brush, side, contents);
  }
}

function blame(state: Int32Array, brush: number, side: number, contents: number): void {
  state[S_CONTENTS] = contents;
  state[S_BRUSH] = brush;
  state[S_SIDE] = side;
  state[S_PATCH] = -1;
}

/** Whether the shape, where it starts, touches a brush of a leaf or model: the engine's position test. */
export function touchBrushes(kernel: Kernel, first: number, count: number): boolean {
  const { ints, floats, query, state, brushStamps } = kernel;
  const end = first + REF_WORDS * count;
  for (let ref = first; ref < end; ref += REF_WORDS) {
    const brush = ints[ref + 7]!;
    if ((ints[ref + 6]! & state[S_MASK]!) === 0 || brushStamps[brush] === state[S_STAMP]) continue;
    brushStamps[brush] = state[S_STAMP]!;
    if (isApart(floats, ref, query) || !touchesBrush(kernel, brush)) continue;
    startInside(query, state, brush, ints[ref + 6]!, true);
    return true;
  }
  return false;
}

/** The sides after the six axial ones, which the bounds stand for. A brush without sides is never touched. */
function touchesBrush(kernel: Kernel, brush: number): boolean {
  const { ints, floats, places, query, state } = kernel;
  const at = places.brushes.first + BRUSH_WORDS * brush;
  const endSide = ints[at]! + SIDE_WORDS * ints[at + 1]!;
  if (ints[at + 1] === 0) return false;
  if (state[S_MODE] === ROUND) return touchesRoundBrush(kernel, brush);
  for (let side = ints[at]! + 6 * SIDE_WORDS; side < endSide; side += SIDE_WORDS) {
    if (startsInFront(query, state[S_MODE]!, floats, side)) return false;
  }
  return true;
}

/** Whether the shape, where it starts, is wholly in front of the plane at `at`: a sweep's arithmetic for one end. */
function startsInFront(query: Float64Array, mode: number, floats: Float32Array, at: number): boolean {
  const nx = floats[at]!;
  const ny = floats[at + 1]!;
  const nz = floats[at + 2]!;
  let dist = floats[at + 3]!;
  let sx = query[Q_START]!;
  let sy = query[Q_START + 1]!;
  let sz = query[Q_START + 2]!;
  if (mode === CAPSULE) {
    const ox = query[Q_SPHERE]!;
    const oy = query[Q_SPHERE + 1]!;
    const oz = query[Q_SPHERE + 2]!;
    const sign = f(f(f(nx * ox) + f(ny * oy)) + f(nz * oz)) > 0 ? -1 : 1;
    dist = f(dist + query[Q_RADIUS]!);
    sx = f(sx + sign * ox);
    sy = f(sy + sign * oy);
    sz = f(sz + sign * oz);
  } else if (mode !== POINT) {
    const cx = query[nx < 0 ? Q_MAXS : Q_MINS]!;
    const cy = query[ny < 0 ? Q_MAXS + 1 : Q_MINS + 1]!;
    const cz = query[nz < 0 ? Q_MAXS + 2 : Q_MINS + 2]!;
    dist = f(dist - f(f(f(cx * nx) + f(cy * ny)) + f(cz * nz)));
  }
  return f(f(f(f(sx * nx) + f(sy * ny)) + f(sz * nz)) - dist) > 0;
}
