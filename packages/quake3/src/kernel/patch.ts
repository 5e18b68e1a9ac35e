import {
  FACET_BOUNDS,
  FACET_WORDS,
  NUM_SIDES,
  PATCH_CONTENTS,
  PATCH_FACETS,
  PATCH_FLAGS,
  PATCH_NUM_FACETS,
  PATCH_NUMBER,
  SIDE_DIST,
  SIDE_PLANE,
  SIDE_WORDS,
} from '../layout.ts';
import { isApart, isDecided } from './brush.ts';
import {
  type Kernel,
  Q_CROSSING,
  Q_DIST,
  Q_END,
  Q_ENTER,
  Q_EPSILON,
  Q_FRACTION,
  Q_NORMAL,
  Q_REACH,
  Q_SPARE,
  Q_START,
  Q_WIDENED,
  ROUND,
  S_ALL_SOLID,
  S_BRUSH,
  S_CONTENTS,
  S_CURVES,
  S_MASK,
  S_MODE,
  S_PATCH,
  S_POINT,
  S_SIDE,
  S_STAMP,
  S_START_SOLID,
  S_STILL,
  S_SURFACE_FLAGS,
} from './memory.ts';
import { FACET, sweepSolid, touchesSolid, widenDist } from './solid.ts';

const f = Math.fround;

/** Sweeps the shape against the patches of a leaf or model, after its brushes, or tests its position against them. */
export function sweepPatches(kernel: Kernel, first: number, count: number): void {
  const { ints, query, state, patchStamps } = kernel;
  if (state[S_CURVES] === 0) return;
  const still = state[S_STILL] !== 0;
  for (let ref = first; ref < first + count; ref++) {
    const patch = ints[ref]!;
    const number = ints[patch + PATCH_NUMBER]!;
    if ((ints[patch + PATCH_CONTENTS]! & state[S_MASK]!) === 0 || patchStamps[number] === state[S_STAMP])
      continue;
    patchStamps[number] = state[S_STAMP]!;
    // The engine's position test does not look at the bounds.
    if (!still && isApart(kernel.floats, patch, query)) continue;
    const before = query[Q_FRACTION]!;
    if (still) touchFacets(kernel, patch);
    else if (state[S_POINT] !== 0) sweepPoint(kernel, patch);
    else sweepFacets(kernel, patch);
    if (query[Q_FRACTION]! < before) {
      if (!still) state[S_SURFACE_FLAGS] = ints[patch + PATCH_FLAGS]!;
      state[S_CONTENTS] = ints[patch + PATCH_CONTENTS]!;
      state[S_BRUSH] = -1;
      state[S_SIDE] = -1;
      state[S_PATCH] = patch;
      if (query[Q_FRACTION] === 0 || isDecided(kernel)) return;
    }
  }
}

/**
 * A point is stopped by the front of a facet whose borders all let its crossing through. The engine measures all planes
 * of the patch first; here a facet's surface comes first, which settles most of them.
 */
function sweepPoint({ ints, floats, query }: Kernel, patch: number): void {
  const epsilon = query[Q_EPSILON]!;
  const sx = query[Q_START]!;
  const sy = query[Q_START + 1]!;
  const sz = query[Q_START + 2]!;
  const ex = query[Q_END]!;
  const ey = query[Q_END + 1]!;
  const ez = query[Q_END + 2]!;
  const endFacet = ints[patch + PATCH_FACETS]! + FACET_WORDS * ints[patch + PATCH_NUM_FACETS]!;
  for (let facet = ints[patch + PATCH_FACETS]!; facet < endFacet; facet += FACET_WORDS) {
    const surface = ints[facet]!;
    const nx = floats[surface]!;
    const ny = floats[surface + 1]!;
    const nz = floats[surface + 2]!;
    const dist = floats[surface + SIDE_DIST]!;
    const d1 = f(f(f(f(sx * nx) + f(sy * ny)) + f(sz * nz)) - dist);
    const d2 = f(f(f(f(ex * nx) + f(ey * ny)) + f(ez * nz)) - dist);
    if (d1 <= 0 || d1 === d2) continue;
    const crossing = f(d1 / f(d1 - d2));
    // The best fraction has the epsilon taken off and the crossing has not, so an equal one may still replace it. One that is
    // NaN, so far out that float32 overflows, is none.
    if (!(crossing > 0 && crossing <= query[Q_FRACTION]!)) continue;
    query[Q_CROSSING] = crossing;
    if (!isWithinBorders(ints, floats, query, facet)) continue;
    const fraction = f((d1 - epsilon) / f(d1 - d2));
    query[Q_FRACTION] = fraction < 0 ? 0 : fraction;
    query[Q_NORMAL] = nx;
    query[Q_NORMAL + 1] = ny;
    query[Q_NORMAL + 2] = nz;
    query[Q_DIST] = dist;
  }
}

/** Whether a move, where it crosses a facet's surface, is inside all its borders. */
function isWithinBorders(
  ints: Int32Array,
  floats: Float32Array,
  query: Float64Array,
  facet: number,
): boolean {
  const crossing = query[Q_CROSSING]!;
  const sx = query[Q_START]!;
  const sy = query[Q_START + 1]!;
  const sz = query[Q_START + 2]!;
  const ex = query[Q_END]!;
  const ey = query[Q_END + 1]!;
  const ez = query[Q_END + 2]!;
  const end = ints[facet]! + SIDE_WORDS * ints[facet + NUM_SIDES]!;
  for (let side = ints[facet]! + SIDE_WORDS; side < end; side += SIDE_WORDS) {
    const nx = floats[side]!;
    const ny = floats[side + 1]!;
    const nz = floats[side + 2]!;
    const dist = floats[side + SIDE_DIST]!;
    const d1 = f(f(f(f(sx * nx) + f(sy * ny)) + f(sz * nz)) - dist);
    const d2 = f(f(f(f(ex * nx) + f(ey * ny)) + f(ez * nz)) - dist);
    const other = f(d1 / f(d1 - d2));
    // A plane that is not crossed ahead counts as crossed too late for any move.
    const never = d1 === d2 || other <= 0;
    // A start on a border counts as behind its plane as listed: outside, where that is turned round.
    const outside = d1 > 0 || (d1 === 0 && ints[side + SIDE_PLANE]! < 0);
    if (outside ? never || other > crossing : !never && other < crossing) return false;
  }
  return true;
}

/** Sweeps a box, capsule or exact sphere against the facets of a patch. */
function sweepFacets(kernel: Kernel, patch: number): void {
  const { ints, floats, query, state } = kernel;
  const endFacet = ints[patch + PATCH_FACETS]! + FACET_WORDS * ints[patch + PATCH_NUM_FACETS]!;
  const round = state[S_MODE] === ROUND ? kernel.round : undefined;
  const spare = query[Q_SPARE]!;
  for (let facet = ints[patch + PATCH_FACETS]!; facet < endFacet; facet += FACET_WORDS) {
    // The move misses an axial border, with something to spare for rounding.
    if (
      query[Q_REACH]! - spare > floats[facet + FACET_BOUNDS]! ||
      query[Q_REACH + 1]! - spare > floats[facet + FACET_BOUNDS + 1]! ||
      query[Q_REACH + 2]! - spare > floats[facet + FACET_BOUNDS + 2]! ||
      query[Q_REACH + 3]! - spare > floats[facet + FACET_BOUNDS + 3]! ||
      query[Q_REACH + 4]! - spare > floats[facet + FACET_BOUNDS + 4]! ||
      query[Q_REACH + 5]! - spare > floats[facet + FACET_BOUNDS + 5]!
    ) {
      continue;
    }
    if (round) {
      round.sweepFacet(kernel, facet);
      continue;
    }
    const hit = sweepSolid(kernel, FACET, facet);
    // A facet is not hit from behind: its last side is its back. Starting in it is nothing either.
    if (hit === 0 || hit === ints[facet]! + SIDE_WORDS * (ints[facet + NUM_SIDES]! - 1)) continue;
    query[Q_FRACTION] = query[Q_ENTER]!;
    query[Q_NORMAL] = floats[hit]!;
    query[Q_NORMAL + 1] = floats[hit + 1]!;
    query[Q_NORMAL + 2] = floats[hit + 2]!;
    widenDist(kernel, hit);
    query[Q_DIST] = query[Q_WIDENED]!;
  }
}

/** Position test: whether the shape, where it starts, lies across a facet of a patch. */
function touchFacets(kernel: Kernel, patch: number): void {
  const { ints, query, state } = kernel;
  const endFacet = ints[patch + PATCH_FACETS]! + FACET_WORDS * ints[patch + PATCH_NUM_FACETS]!;
  for (let facet = ints[patch + PATCH_FACETS]!; facet < endFacet; facet += FACET_WORDS) {
    const isRound = state[S_MODE] === ROUND;
    const touched = isRound ? kernel.round!.touchesFacet(kernel, facet) : touchesSolid(kernel, facet, 0);
    if (!touched) continue;
    state[S_START_SOLID] = 1;
    state[S_ALL_SOLID] = 1;
    query[Q_FRACTION] = 0;
    return;
  }
}
