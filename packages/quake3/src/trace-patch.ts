import {
  BOX,
  CAPSULE,
  type Kernel,
  Q_DIST,
  Q_END,
  Q_EPSILON,
  Q_FRACTION,
  Q_HIGH,
  Q_LOW,
  Q_MAXS,
  Q_MINS,
  Q_NORMAL,
  Q_PLANE,
  Q_PLANE_DIST,
  Q_RADIUS,
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
import { sweepRoundFacet, touchesRoundFacet } from './round-brushes.ts';
import { isDecided } from './trace-brush.ts';

const f = Math.fround;

/** Stands for "never crossed" among the crossings of a point trace, as in the engine. */
const NEVER = 99999;

// Words of a patch.
const CONTENTS = 6;
const SURFACE_FLAGS = 7;
const FIRST_PLANE = 8;
const NUM_PLANES = 9;
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
    if (isApart(kernel, patch)) continue;
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

function isApart({ floats, query }: Kernel, patch: number): boolean {
  const slack = query[Q_EPSILON]!;
  return (
    query[Q_HIGH]! < floats[patch]! - slack ||
    query[Q_HIGH + 1]! < floats[patch + 1]! - slack ||
    query[Q_HIGH + 2]! < floats[patch + 2]! - slack ||
    query[Q_LOW]! > floats[patch + 3]! + slack ||
    query[Q_LOW + 1]! > floats[patch + 4]! + slack ||
    query[Q_LOW + 2]! > floats[patch + 5]! + slack
  );
}

/** A point is stopped by the front of a facet whose borders all let its crossing through. */
function sweepPoint(kernel: Kernel, patch: number): void {
  const { ints, query, crossings, inFront } = kernel;
  crossPlanes(kernel, patch);
  const firstPlane = ints[patch + FIRST_PLANE]!;
  const endFacet = ints[patch + FIRST_FACET]! + 3 * ints[patch + NUM_FACETS]!;
  for (let facet = ints[patch + FIRST_FACET]!; facet < endFacet; facet += 3) {
    const plane = ints[facet]!;
    const crossing = crossings[plane]!;
    // The best fraction has the epsilon taken off and the crossing has not, so an equal one may still replace it.
    if (inFront[plane] === 0 || crossing < 0 || crossing > query[Q_FRACTION]!) continue;
    const endBorder = ints[facet + 1]! + ints[facet + 2]!;
    let border = ints[facet + 1]!;
    for (; border < endBorder; border++) {
      const word = ints[border]!;
      const other = crossings[word >> 1]!;
      const outside = inFront[word >> 1] !== (word & 1);
      if (outside ? other > crossing : other < crossing) break;
    }
    if (border === endBorder) hitFacet(kernel, firstPlane + 4 * plane);
  }
}

/** For every plane of a patch, whether the move starts in front of it and which fraction of it lies before it. */
function crossPlanes({ ints, floats, query, crossings, inFront }: Kernel, patch: number): void {
  const sx = query[Q_START]!;
  const sy = query[Q_START + 1]!;
  const sz = query[Q_START + 2]!;
  const ex = query[Q_END]!;
  const ey = query[Q_END + 1]!;
  const ez = query[Q_END + 2]!;
  const count = ints[patch + NUM_PLANES]!;
  for (let k = 0, at = ints[patch + FIRST_PLANE]!; k < count; k++, at += 4) {
    const nx = floats[at]!;
    const ny = floats[at + 1]!;
    const nz = floats[at + 2]!;
    const dist = floats[at + 3]!;
    const d1 = f(f(f(f(sx * nx) + f(sy * ny)) + f(sz * nz)) - dist);
    const d2 = f(f(f(f(ex * nx) + f(ey * ny)) + f(ez * nz)) - dist);
    inFront[k] = d1 <= 0 ? 0 : 1;
    const crossing = d1 === d2 ? NEVER : f(d1 / f(d1 - d2));
    crossings[k] = crossing <= 0 ? NEVER : crossing;
  }
}

function hitFacet({ floats, query }: Kernel, plane: number): void {
  const d1 = planeDistance(query, Q_START, floats, plane);
  const d2 = planeDistance(query, Q_END, floats, plane);
  const fraction = f((d1 - query[Q_EPSILON]!) / f(d1 - d2));
  query[Q_FRACTION] = fraction < 0 ? 0 : fraction;
  query[Q_NORMAL] = floats[plane]!;
  query[Q_NORMAL + 1] = floats[plane + 1]!;
  query[Q_NORMAL + 2] = floats[plane + 2]!;
  query[Q_DIST] = floats[plane + 3]!;
}

function planeDistance(query: Float32Array, point: number, floats: Float32Array, plane: number): number {
  const x = f(query[point]! * floats[plane]!);
  const y = f(query[point + 1]! * floats[plane + 1]!);
  const z = f(query[point + 2]! * floats[plane + 2]!);
  return f(f(f(x + y) + z) - floats[plane + 3]!);
}

/** Boxes and capsules treat a facet as a brush of its surface plane, its borders and its back. */
function sweepVolume(kernel: Kernel, patch: number): void {
  const { ints, state } = kernel;
  const endFacet = ints[patch + FIRST_FACET]! + 3 * ints[patch + NUM_FACETS]!;
  for (let facet = ints[patch + FIRST_FACET]!; facet < endFacet; facet += 3) {
    if (state[S_MODE] === ROUND) sweepRoundFacet(kernel, ints[patch + FIRST_PLANE]!, facet);
    else sweepFacet(kernel, ints[patch + FIRST_PLANE]!, facet);
  }
}

function sweepFacet(kernel: Kernel, firstPlane: number, facet: number): void {
  const { ints, query } = kernel;
  const epsilon = query[Q_EPSILON]!;
  const sx = query[Q_START]!;
  const sy = query[Q_START + 1]!;
  const sz = query[Q_START + 2]!;
  const ex = query[Q_END]!;
  const ey = query[Q_END + 1]!;
  const ez = query[Q_END + 2]!;
  const numBorders = ints[facet + 2]!;
  let enter = -1;
  let leave = 1;
  let hit = -1;
  for (let k = -1; k < numBorders; k++) {
    meetPlane(kernel, firstPlane, facet, k);
    const nx = query[Q_PLANE]!;
    const ny = query[Q_PLANE + 1]!;
    const nz = query[Q_PLANE + 2]!;
    const dist = query[Q_PLANE_DIST]!;
    const ox = query[Q_SHIFT]!;
    const oy = query[Q_SHIFT + 1]!;
    const oz = query[Q_SHIFT + 2]!;
    const d1 = f(f(f(f(f(sx + ox) * nx) + f(f(sy + oy) * ny)) + f(f(sz + oz) * nz)) - dist);
    const d2 = f(f(f(f(f(ex + ox) * nx) + f(f(ey + oy) * ny)) + f(f(ez + oz) * nz)) - dist);
    if (d1 > 0) {
      if (d2 >= epsilon || d2 >= d1) return;
    } else if (d2 <= 0) continue;
    if (d1 > d2) {
      let fraction = f((d1 - epsilon) / f(d1 - d2));
      if (fraction < 0) fraction = 0;
      if (fraction > enter) {
        // Nothing later can make this facet the nearest, and facets set no other marks.
        if (fraction >= query[Q_FRACTION]! || fraction >= leave) return;
        enter = fraction;
        hit = k;
      }
    } else {
      const fraction = f((d1 + epsilon) / f(d1 - d2));
      if (fraction < leave) {
        if (fraction <= enter) return;
        leave = fraction;
      }
    }
  }
  // A facet is not hit from behind: its last border is its back.
  if (enter < 0 || hit === numBorders - 1) return;
  meetPlane(kernel, firstPlane, facet, hit);
  query[Q_FRACTION] = enter;
  query[Q_NORMAL] = query[Q_PLANE]!;
  query[Q_NORMAL + 1] = query[Q_PLANE + 1]!;
  query[Q_NORMAL + 2] = query[Q_PLANE + 2]!;
  query[Q_DIST] = query[Q_PLANE_DIST]!;
}

/**
 * Puts a plane of a facet into the scratch as the shape meets it: turned outward, widened by the shape, and with the
 * way to the capsule's sphere that comes to it first. Border -1 is the surface plane.
 */
function meetPlane(
  { ints, floats, query, state }: Kernel,
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
  const endFacet = ints[patch + FIRST_FACET]! + 3 * ints[patch + NUM_FACETS]!;
  for (let facet = ints[patch + FIRST_FACET]!; facet < endFacet; facet += 3) {
    if (touchesFacet(kernel, ints[patch + FIRST_PLANE]!, facet)) return true;
  }
  return false;
}

function touchesFacet(kernel: Kernel, firstPlane: number, facet: number): boolean {
  const { ints, query, state } = kernel;
  if (state[S_MODE] === ROUND) return touchesRoundFacet(kernel, firstPlane, facet);
  for (let k = -1; k < ints[facet + 2]!; k++) {
    meetPlane(kernel, firstPlane, facet, k);
    const x = f(f(query[Q_START]! + query[Q_SHIFT]!) * query[Q_PLANE]!);
    const y = f(f(query[Q_START + 1]! + query[Q_SHIFT + 1]!) * query[Q_PLANE + 1]!);
    const z = f(f(query[Q_START + 2]! + query[Q_SHIFT + 2]!) * query[Q_PLANE + 2]!);
    if (f(f(f(x + y) + z) - query[Q_PLANE_DIST]!) > 0) return false;
  }
  return true;
}
