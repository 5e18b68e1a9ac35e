import { BRUSH_AXIAL, BRUSH_WORDS, NUM_SIDES, SIDE_DIST, SIDE_PLANE, SIDE_WORDS } from '../layout.ts';
import {
  BOX,
  CAPSULE,
  type Kernel,
  Q_DIST,
  Q_END,
  Q_ENTER,
  Q_EPSILON,
  Q_FRACTION,
  Q_MAXS,
  Q_MINS,
  Q_MIRROR_MAXS,
  Q_MIRROR_MINS,
  Q_NORMAL,
  Q_RADIUS,
  Q_SIDE_END,
  Q_SIDE_GROW,
  Q_SIDE_START,
  Q_SPHERE,
  Q_START,
  Q_WIDENED,
  ROUND,
  S_MODE,
} from './memory.ts';
import { recordInside, recordSide } from './record.ts';

// A solid is what lies behind all of its sides: a brush, or a facet, which boxes and capsules treat as a brush of its
// surface, its borders and its back. Against a side whose plane is listed turned round (a number below 0) the engine
// picks the box's corner by the plane as listed; that comes to the corner of the box in a mirror.

const f = Math.fround;

/** Stands for the brush in {@link sweepSolid} where the solid is a facet. */
export const FACET = -1;

/**
 * Sweeps the shape against a brush, whose bounds lie at `at`, or against the facet at `at` (tutorial `CheckBrush`; order
 * of operations and ties as in the engine). The first six sides of a brush that are axial are taken from its bounds:
 * their dot products come down to one coordinate, exactly. What it means for a brush goes into the answer at once.
 *
 * @returns the place of the side that was hit, nearer than anything so far, with the fraction in Q_ENTER; 0 for none.
 */
export function sweepSolid(kernel: Kernel, brush: number, at: number): number {
  const { ints, floats, places, query, state } = kernel;
  const record = brush === FACET ? at : places.brushes.first + BRUSH_WORDS * brush;
  const first = ints[record]!;
  const end = first + SIDE_WORDS * ints[record + NUM_SIDES]!;
  // A brush without sides is nowhere.
  if (end === first) return 0;
  const axialEnd = brush !== FACET && ints[record + BRUSH_AXIAL] !== 0 ? first + 6 * SIDE_WORDS : first;
  const mode = state[S_MODE]!;
  const epsilon = query[Q_EPSILON]!;
  if (axialEnd === first && brush !== FACET && isApartAsWritten(kernel, at)) return 0;
  const best = query[Q_FRACTION]!;
  // The outer loop never comes round: see `sweepWorld` on deep loops.
  for (;;) {
    let enter = -1;
    let leave = 1;
    let hit = 0;
    let startsOut = false;
    let endsOut = false;
    for (let side = first, k = 0; side < end; side += SIDE_WORDS, k++) {
      let d1: number;
      let d2: number;
      if (side < axialEnd) {
        const dist = f(floats[at + k]! + query[Q_SIDE_GROW + k]!);
        d1 = f(query[Q_SIDE_START + k]! - dist);
        d2 = f(query[Q_SIDE_END + k]! - dist);
      } else {
        const nx = floats[side]!;
        const ny = floats[side + 1]!;
        const nz = floats[side + 2]!;
        let dist = floats[side + SIDE_DIST]!;
        let sx = query[Q_START]!;
        let sy = query[Q_START + 1]!;
        let sz = query[Q_START + 2]!;
        let ex = query[Q_END]!;
        let ey = query[Q_END + 1]!;
        let ez = query[Q_END + 2]!;
        if (mode === BOX) {
          const mirrored = ints[side + SIDE_PLANE]! < 0;
          const low = mirrored ? Q_MIRROR_MINS : Q_MINS;
          const high = mirrored ? Q_MIRROR_MAXS : Q_MAXS;
          const cx = query[nx < 0 ? high : low]!;
          const cy = query[ny < 0 ? high + 1 : low + 1]!;
          const cz = query[nz < 0 ? high + 2 : low + 2]!;
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
        if (d2 >= epsilon || d2 >= d1) return 0;
        startsOut = true;
        if (d2 > 0) endsOut = true;
        let fraction = f((d1 - epsilon) / f(d1 - d2));
        if (fraction < 0) fraction = 0;
        if (fraction > enter) {
          // From here on the solid cannot be hit nearer than the best, and its start is outside: nothing can change.
          if (fraction >= best || fraction >= leave) return 0;
          enter = fraction;
          hit = side;
        }
      } else if (d2 > 0) {
        endsOut = true;
        const fraction = f((d1 + epsilon) / f(d1 - d2));
        if (fraction < leave) {
          if (startsOut && fraction <= enter) return 0;
          leave = fraction;
        }
      }
    }
    if (brush === FACET) {
      query[Q_ENTER] = enter;
      return hit;
    }
    if (!startsOut) recordInside(kernel, brush, !endsOut);
    else if (hit !== 0) {
      // Else no fraction was a number: so far out that float32 overflows, the engine meets nothing either.
      query[Q_FRACTION] = enter;
      query[Q_NORMAL] = floats[hit]!;
      query[Q_NORMAL + 1] = floats[hit + 1]!;
      query[Q_NORMAL + 2] = floats[hit + 2]!;
      query[Q_DIST] = floats[hit + SIDE_DIST]!;
      recordSide(kernel, brush, hit);
    }
    return hit;
  }
}

/**
 * Whether the bounds at `at` are clear of the whole sweep, in the engine's own words. That matters where a brush's bounds are not
 * its own sides; where they are, its sides give the same answer.
 */
function isApartAsWritten({ floats, query, state }: Kernel, at: number): boolean {
  const epsilon = query[Q_EPSILON]!;
  const mode = state[S_MODE]!;
  const isRound = mode === CAPSULE || mode === ROUND;
  const radius = query[Q_RADIUS]!;
  for (let k = 0; k < 3; k++) {
    const s = query[Q_START + k]!;
    const e = query[Q_END + k]!;
    const least = s < e ? s : e;
    const most = s < e ? e : s;
    const sphere = Math.abs(query[Q_SPHERE + k]!);
    const back = -f(isRound ? most + sphere + radius : most + query[Q_MAXS + k]!);
    const front = f(isRound ? least - sphere - radius : least + query[Q_MINS + k]!);
    // As `boundMove` and `boundRound` have them, but with the epsilon on the other side.
    if (back > floats[at + 2 * k]! + epsilon || front > floats[at + 2 * k + 1]! + epsilon) return true;
  }
  return false;
}

/**
 * Leaves in Q_WIDENED the distance of a side as the shape meets it: widened by a box or capsule. The loop above has the
 * same arithmetic.
 */
export function widenDist({ ints, floats, query, state }: Kernel, side: number): void {
  let dist = floats[side + SIDE_DIST]!;
  if (state[S_MODE] === CAPSULE) dist = f(dist + query[Q_RADIUS]!);
  else if (state[S_MODE] === BOX) {
    const nx = floats[side]!;
    const ny = floats[side + 1]!;
    const nz = floats[side + 2]!;
    const mirrored = ints[side + SIDE_PLANE]! < 0;
    const low = mirrored ? Q_MIRROR_MINS : Q_MINS;
    const high = mirrored ? Q_MIRROR_MAXS : Q_MAXS;
    const cx = query[nx < 0 ? high : low]!;
    const cy = query[ny < 0 ? high + 1 : low + 1]!;
    const cz = query[nz < 0 ? high + 2 : low + 2]!;
    dist = f(dist - f(f(f(cx * nx) + f(cy * ny)) + f(cz * nz)));
  }
  query[Q_WIDENED] = dist;
}

/**
 * Position test: whether the shape, where it starts, is in front of no side of the brush or facet at `at`, the first
 * `skipped` of them left out.
 */
export function touchesSolid(kernel: Kernel, at: number, skipped: number): boolean {
  const { ints, floats, query, state } = kernel;
  const isCapsule = state[S_MODE] === CAPSULE;
  const end = ints[at]! + SIDE_WORDS * ints[at + NUM_SIDES]!;
  for (let side = ints[at]! + SIDE_WORDS * skipped; side < end; side += SIDE_WORDS) {
    const nx = floats[side]!;
    const ny = floats[side + 1]!;
    const nz = floats[side + 2]!;
    let sx = query[Q_START]!;
    let sy = query[Q_START + 1]!;
    let sz = query[Q_START + 2]!;
    if (isCapsule) {
      const ox = query[Q_SPHERE]!;
      const oy = query[Q_SPHERE + 1]!;
      const oz = query[Q_SPHERE + 2]!;
      const sign = f(f(f(nx * ox) + f(ny * oy)) + f(nz * oz)) > 0 ? -1 : 1;
      sx = f(sx + sign * ox);
      sy = f(sy + sign * oy);
      sz = f(sz + sign * oz);
    }
    widenDist(kernel, side);
    if (f(f(f(f(sx * nx) + f(sy * ny)) + f(sz * nz)) - query[Q_WIDENED]!) > 0) return false;
  }
  return true;
}
