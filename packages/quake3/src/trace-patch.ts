import {
  BOX,
  CAPSULE,
  type Kernel,
  Q_CROSSING,
  Q_DIST,
  Q_END,
  Q_EPSILON,
  Q_FRACTION,
  Q_MAXS,
  Q_MINS,
  Q_NORMAL,
  Q_PLANE,
  Q_PLANE_DIST,
  Q_RADIUS,
  Q_REACH,
  Q_SHIFT,
  Q_SPHERE,
  Q_START,
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
  S_SURFACE_FLAGS,
} from './kernel.ts';
import { FACET_WORDS } from './layout.ts';
import { sweepRoundFacet, touchesRoundFacet } from './round-brushes.ts';
import { isApart, isDecided } from './trace-brush.ts';

const f = Math.fround;

// Words of a patch.
const CONTENTS = 6;
const SURFACE_FLAGS = 7;
const FIRST_PLANE = 8;
const FIRST_FACET = 10;
const NUM_FACETS = 11;
const NUMBER = 14;

/** Sweeps the shape against the patches of a leaf or model, after its brushes. */
export function sweepPatches(kernel: Kernel, first: number, count: number): void {
  const { ints, query, state, patchStamps } = kernel;
  if (state[S_CURVES] === 0) return;
  for (let ref = first; ref < first + count; ref++) {
    const patch = ints[ref]!;
    const number = ints[patch + NUMBER]!;
    if ((ints[patch + CONTENTS]! & state[S_MASK]!) === 0 || patchStamps[number] === state[S_STAMP]) continue;
    patchStamps[number] = state[S_STAMP]!;
    if (isApart(kernel.floats, patch, query)) continue;
    const before = query[Q_FRACTION]!;
    if (state[S_POINT] !== 0) sweepPoint(kernel, patch);
    else sweepVolume(kernel, patch);
    if (query[Q_FRACTION]! < before) {
      state[S_SURFACE_FLAGS] = ints[patch + SURFACE_FLAGS]!;
      blamePatch(state, patch, ints[patch + CONTENTS]!);
      if (query[Q_FRACTION] === 0 || isDecided(kernel)) return;
    }
  }
}

function blamePatch(state: Int32Array, patch: number, contents: number): void {
  state[S_CONTENTS] = contents;
  state[S_BRUSH] = -1;
  state[S_SIDE] = -1;
  state[S_PATCH] = patch;
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
  const firstPlane = ints[patch + FIRST_PLANE]!;
  const endFacet = ints[patch + FIRST_FACET]! + FACET_WORDS * ints[patch + NUM_FACETS]!;
  for (let facet = ints[patch + FIRST_FACET]!; facet < endFacet; facet += FACET_WORDS) {
    const surface = firstPlane + 4 * ints[facet]!;
    const nx = floats[surface]!;
    const ny = floats[surface + 1]!;
    const nz = floats[surface + 2]!;
    const dist = floats[surface + 3]!;
    const d1 = f(f(f(f(sx * nx) + f(sy * ny)) + f(sz * nz)) - dist);
    const d2 = f(f(f(f(ex * nx) + f(ey * ny)) + f(ez * nz)) - dist);
    if (d1 <= 0 || d1 === d2) continue;
    const crossing = f(d1 / f(d1 - d2));
    // The best fraction has the epsilon taken off and the crossing has not, so an equal one may still replace it.
    if (crossing <= 0 || crossing > query[Q_FRACTION]!) continue;
    query[Q_CROSSING] = crossing;
    if (!isWithinBorders(ints, floats, query, firstPlane, facet)) continue;
    const fraction = f((d1 - epsilon) / f(d1 - d2));
    query[Q_FRACTION] = Math.max(fraction, 0);
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
  firstPlane: number,
  facet: number,
): boolean {
  const crossing = query[Q_CROSSING]!;
  const sx = query[Q_START]!;
  const sy = query[Q_START + 1]!;
  const sz = query[Q_START + 2]!;
  const ex = query[Q_END]!;
  const ey = query[Q_END + 1]!;
  const ez = query[Q_END + 2]!;
  const end = ints[facet + 1]! + ints[facet + 2]!;
  for (let border = ints[facet + 1]!; border < end; border++) {
    const word = ints[border]!;
    const at = firstPlane + 4 * (word >> 1);
    const nx = floats[at]!;
    const ny = floats[at + 1]!;
    const nz = floats[at + 2]!;
    const dist = floats[at + 3]!;
    const d1 = f(f(f(f(sx * nx) + f(sy * ny)) + f(sz * nz)) - dist);
    const d2 = f(f(f(f(ex * nx) + f(ey * ny)) + f(ez * nz)) - dist);
    const other = f(d1 / f(d1 - d2));
    // A plane that is not crossed ahead counts as crossed too late for any move.
    const never = d1 === d2 || other <= 0;
    const outside = (d1 <= 0 ? 0 : 1) !== (word & 1);
    if (outside ? never || other > crossing : !never && other < crossing) return false;
  }
  return true;
}

/** Boxes and capsules treat a facet as a brush of its surface plane, its borders and its back. */
function sweepVolume(kernel: Kernel, patch: number): void {
  const { ints, floats, query, state } = kernel;
  const firstPlane = ints[patch + FIRST_PLANE]!;
  const endFacet = ints[patch + FIRST_FACET]! + FACET_WORDS * ints[patch + NUM_FACETS]!;
  const round = state[S_MODE] === ROUND;
  for (let facet = ints[patch + FIRST_FACET]!; facet < endFacet; facet += FACET_WORDS) {
    // An axial border alone lets the move pass by, with a unit to spare for rounding.
    if (
      query[Q_REACH]! - 1 > floats[facet + 3]! ||
      query[Q_REACH + 1]! - 1 > floats[facet + 4]! ||
      query[Q_REACH + 2]! - 1 > floats[facet + 5]! ||
      query[Q_REACH + 3]! - 1 > floats[facet + 6]! ||
      query[Q_REACH + 4]! - 1 > floats[facet + 7]! ||
      query[Q_REACH + 5]! - 1 > floats[facet + 8]!
    ) {
      continue;
    }
    if (round) sweepRoundFacet(kernel, firstPlane, facet);
    else sweepFacet(kernel, firstPlane, facet);
  }
}

/** Sweeps a box or capsule against one facet. The surface plane is border -1. */
function sweepFacet({ ints, floats, query, state }: Kernel, firstPlane: number, facet: number): void {
  const epsilon = query[Q_EPSILON]!;
  const best = query[Q_FRACTION]!;
  const isBox = state[S_MODE] === BOX;
  const firstBorder = ints[facet + 1]!;
  const numBorders = ints[facet + 2]!;
  let enter = -1;
  let leave = 1;
  let hit = -1;
  for (let k = -1; k < numBorders; k++) {
    const word = k < 0 ? 2 * ints[facet]! : ints[firstBorder + k]!;
    const at = firstPlane + 4 * (word >> 1);
    const turn = word & 1 ? -1 : 1;
    const nx = turn * floats[at]!;
    const ny = turn * floats[at + 1]!;
    const nz = turn * floats[at + 2]!;
    let dist = turn * floats[at + 3]!;
    let sx = query[Q_START]!;
    let sy = query[Q_START + 1]!;
    let sz = query[Q_START + 2]!;
    let ex = query[Q_END]!;
    let ey = query[Q_END + 1]!;
    let ez = query[Q_END + 2]!;
    if (isBox) {
      // The corner is picked by the plane as stored, whichever way it is turned here.
      const cx = query[turn * nx < 0 ? Q_MAXS : Q_MINS]!;
      const cy = query[turn * ny < 0 ? Q_MAXS + 1 : Q_MINS + 1]!;
      const cz = query[turn * nz < 0 ? Q_MAXS + 2 : Q_MINS + 2]!;
      const corner = f(f(f(cx * nx) + f(cy * ny)) + f(cz * nz));
      dist = k < 0 ? f(dist - corner) : f(dist + Math.abs(corner));
    } else {
      dist = f(dist + query[Q_RADIUS]!);
      const ox = query[Q_SPHERE]!;
      const oy = query[Q_SPHERE + 1]!;
      const oz = query[Q_SPHERE + 2]!;
      const sign = f(f(f(nx * ox) + f(ny * oy)) + f(nz * oz)) > 0 ? -1 : 1;
      sx = f(sx + sign * ox);
      sy = f(sy + sign * oy);
      sz = f(sz + sign * oz);
      ex = f(ex + sign * ox);
      ey = f(ey + sign * oy);
      ez = f(ez + sign * oz);
    }
    const d1 = f(f(f(f(sx * nx) + f(sy * ny)) + f(sz * nz)) - dist);
    const d2 = f(f(f(f(ex * nx) + f(ey * ny)) + f(ez * nz)) - dist);
    if (d1 > 0) {
      if (d2 >= epsilon || d2 >= d1) return;
      let fraction = f((d1 - epsilon) / f(d1 - d2));
      if (fraction < 0) fraction = 0;
      if (fraction > enter) {
        // Nothing later can make this facet the nearest, and facets set no other marks.
        if (fraction >= best || fraction >= leave) return;
        enter = fraction;
        hit = k;
      }
    } else if (d2 > 0) {
      const fraction = f((d1 + epsilon) / f(d1 - d2));
      if (fraction < leave) {
        if (fraction <= enter) return;
        leave = fraction;
      }
    }
  }
  // A facet is not hit from behind: its last border is its back.
  if (enter < 0 || hit === numBorders - 1) return;
  meetPlane(ints, floats, query, state, firstPlane, facet, hit);
  query[Q_FRACTION] = enter;
  query[Q_NORMAL] = query[Q_PLANE]!;
  query[Q_NORMAL + 1] = query[Q_PLANE + 1]!;
  query[Q_NORMAL + 2] = query[Q_PLANE + 2]!;
  query[Q_DIST] = query[Q_PLANE_DIST]!;
}

/**
 * Puts a plane of a facet into the scratch as the shape meets it: turned outward, widened by the shape, and with the
 * way to the capsule's sphere that comes to it first. Border -1 is the surface plane. Not for the inner loop of sweeps,
 * which has the same arithmetic inline.
 */
function meetPlane(
  ints: Int32Array,
  floats: Float32Array,
  query: Float64Array,
  state: Int32Array,
  firstPlane: number,
  facet: number,
  border: number,
): void {
  const word = border < 0 ? 2 * ints[facet]! : ints[ints[facet + 1]! + border]!;
  const at = firstPlane + 4 * (word >> 1);
  const inward = (word & 1) !== 0;
  const nx = inward ? -floats[at]! : floats[at]!;
  const ny = inward ? -floats[at + 1]! : floats[at + 1]!;
  const nz = inward ? -floats[at + 2]! : floats[at + 2]!;
  let dist = inward ? -floats[at + 3]! : floats[at + 3]!;
  if (state[S_MODE] === CAPSULE) {
    const ox = query[Q_SPHERE]!;
    const oy = query[Q_SPHERE + 1]!;
    const oz = query[Q_SPHERE + 2]!;
    const lower = f(f(f(nx * ox) + f(ny * oy)) + f(nz * oz)) > 0;
    query[Q_SHIFT] = lower ? -ox : ox;
    query[Q_SHIFT + 1] = lower ? -oy : oy;
    query[Q_SHIFT + 2] = lower ? -oz : oz;
    dist = f(dist + query[Q_RADIUS]!);
  } else if (state[S_MODE] === BOX) {
    // The corner is picked by the plane as stored, whichever way it is turned here.
    const cx = query[floats[at]! < 0 ? Q_MAXS : Q_MINS]!;
    const cy = query[floats[at + 1]! < 0 ? Q_MAXS + 1 : Q_MINS + 1]!;
    const cz = query[floats[at + 2]! < 0 ? Q_MAXS + 2 : Q_MINS + 2]!;
    const corner = f(f(f(cx * nx) + f(cy * ny)) + f(cz * nz));
    dist = border < 0 ? f(dist - corner) : f(dist + Math.abs(corner));
  }
  query[Q_PLANE] = nx;
  query[Q_PLANE + 1] = ny;
  query[Q_PLANE + 2] = nz;
  query[Q_PLANE_DIST] = dist;
}

/** Whether the shape, where it starts, lies across a facet of a leaf's or model's patches: the position test. */
export function touchPatches(kernel: Kernel, first: number, count: number): boolean {
  const { ints, query, state, patchStamps } = kernel;
  if (state[S_CURVES] === 0) return false;
  for (let ref = first; ref < first + count; ref++) {
    const patch = ints[ref]!;
    const number = ints[patch + NUMBER]!;
    if ((ints[patch + CONTENTS]! & state[S_MASK]!) === 0 || patchStamps[number] === state[S_STAMP]) continue;
    patchStamps[number] = state[S_STAMP]!;
    if (!touchesPatch(kernel, patch)) continue;
    state[S_START_SOLID] = 1;
    state[S_ALL_SOLID] = 1;
    query[Q_FRACTION] = 0;
    blamePatch(state, patch, ints[patch + CONTENTS]!);
    return true;
  }
  return false;
}

function touchesPatch(kernel: Kernel, patch: number): boolean {
  const { ints } = kernel;
  const endFacet = ints[patch + FIRST_FACET]! + FACET_WORDS * ints[patch + NUM_FACETS]!;
  for (let facet = ints[patch + FIRST_FACET]!; facet < endFacet; facet += FACET_WORDS) {
    if (touchesFacet(kernel, ints[patch + FIRST_PLANE]!, facet)) return true;
  }
  return false;
}

function touchesFacet(kernel: Kernel, firstPlane: number, facet: number): boolean {
  const { ints, floats, query, state } = kernel;
  if (state[S_MODE] === ROUND) return touchesRoundFacet(kernel, firstPlane, facet);
  for (let k = -1; k < ints[facet + 2]!; k++) {
    meetPlane(ints, floats, query, state, firstPlane, facet, k);
    const x = f(f(query[Q_START]! + query[Q_SHIFT]!) * query[Q_PLANE]!);
    const y = f(f(query[Q_START + 1]! + query[Q_SHIFT + 1]!) * query[Q_PLANE + 1]!);
    const z = f(f(query[Q_START + 2]! + query[Q_SHIFT + 2]!) * query[Q_PLANE + 2]!);
    if (f(f(f(x + y) + z) - query[Q_PLANE_DIST]!) > 0) return false;
  }
  return true;
}
