import {
  areaSize,
  BEHIND,
  cutMeasured,
  IN_FRONT,
  isTiny,
  lengthOf,
  measureCorners,
  measuredPartBehind,
  ON_EPSILON,
  planeWinding,
  reverseWinding,
  type Vec,
  type Winding,
  windingArea,
} from '@bspkit/geometry';
import { type Box, boxAround } from './box.ts';
import type { PlaneSet } from './planes.ts';

/** A convex body: its planes, which face outward, and the winding on each of them. */
export interface Solid {
  readonly planes: readonly number[];
  readonly windings: readonly Winding[];
}

/**
 * The part of a plane that bounds the body behind `others`; `undefined` if nothing noticeable is left. If planes are the same
 * within rounding, the first of them in `others` gets the side.
 */
function sideWinding(
  planes: PlaneSet,
  plane: number,
  others: readonly number[],
  epsilon: number = ON_EPSILON,
  keeps: (winding: Winding) => boolean = isNoticeable,
): Winding | undefined {
  const { nx, ny, nz, dist } = planes;
  // Float32 normals are of unit length only within rounding, which would tilt a winding whose edge is that far away.
  const scale = epsilon === EXACT ? 1 / lengthOf(nx[plane]!, ny[plane]!, nz[plane]!) : 1;
  let winding: Winding = planeWinding(
    scale * nx[plane]!,
    scale * ny[plane]!,
    scale * nz[plane]!,
    scale * dist[plane]!,
  );
  // Whether the other planes so far come before this one.
  let early = true;
  for (const other of others) {
    if (other === plane) {
      early = false;
      continue;
    }
    if (other === (plane ^ 1)) return undefined;
    // PERF: brushes with many sides spend their time here, so the part in front is not made.
    const where = measureCorners(winding, nx[other]!, ny[other]!, nz[other]!, dist[other]!, epsilon);
    if (where === BEHIND) continue;
    if (where === (IN_FRONT | BEHIND)) winding = measuredPartBehind(winding, epsilon);
    else if (where === IN_FRONT || early) return undefined;
    else if (nx[other]! * nx[plane]! + ny[other]! * ny[plane]! + nz[other]! * nz[plane]! < 0)
      return undefined;
  }
  return keeps(winding) ? winding : undefined;
}

const isNoticeable = (winding: Winding): boolean => !isTiny(winding);

/** The epsilon if nothing is rounded: just above the rounding of doubles. */
const EXACT = 1e-6;

/** How far apart, on average, the sides of a closed body may be where they meet. */
const OPEN = 0.001;

/** Sides whose normals have a cosine of less than this below 1 are nearly in one plane. */
const TWINS = 1e-6;

/** The body behind all `planes`; sides that do not show are left out, so it may have none at all. */
export function createSolid(planes: PlaneSet, sides: readonly number[]): Solid {
  const all = [...new Set(sides)];
  const windingsOf = (epsilon: number): readonly (Winding | undefined)[] =>
    all.map((side) => sideWinding(planes, side, all, epsilon));
  let windings = windingsOf(ON_EPSILON);
  // If planes meet at so small an angle that what is within rounding of one is far from where they meet, no side is rounded: if
  // only one were not, there would be gaps between it and its neighbours.
  if (isOpen(windings) || (hasTwins(planes, all) && overlap(windings, windingsOf(EXACT))))
    windings = windingsOf(EXACT);
  const kept = all.flatMap((plane, k) => (windings[k] ? [{ plane, winding: windings[k] }] : []));
  return { planes: kept.map(({ plane }) => plane), windings: kept.map(({ winding }) => winding) };
}

/** Whether some sides are so nearly in one plane that rounding may give the same place to several. */
function hasTwins({ nx, ny, nz }: PlaneSet, sides: readonly number[]): boolean {
  return sides.some((a, k) =>
    sides.some((b, m) => m < k && nx[a]! * nx[b]! + ny[a]! * ny[b]! + nz[a]! * nz[b]! > 1 - TWINS),
  );
}

/** Whether the sides of a body cover more than they do without rounding. */
function overlap(
  windings: readonly (Winding | undefined)[],
  exact: readonly (Winding | undefined)[],
): boolean {
  const sizeOf = (all: typeof windings): number =>
    all.reduce((sum, winding) => sum + (winding ? areaSize(winding) : 0), 0);
  const length = windings.reduce((sum, winding) => sum + (winding ? lengthAround(winding) : 0), 0);
  return sizeOf(windings) > sizeOf(exact) + OPEN * length;
}

/** Whether the sides of a body leave gaps: the areas of sides that close it, as vectors, add up to 0. */
function isOpen(windings: readonly (Winding | undefined)[]): boolean {
  const sum: Vec = [0, 0, 0];
  let length = 0;
  for (const winding of windings) {
    if (!winding) continue;
    const area = windingArea(winding);
    for (let k = 0; k < 3; k++) sum[k]! += area[k]!;
    length += lengthAround(winding);
  }
  return lengthOf(...sum) > OPEN * length;
}

function lengthAround(winding: Winding): number {
  let length = 0;
  for (let i = 0, j = winding.length - 3; i < winding.length; j = i, i += 3) {
    length += lengthOf(
      winding[i]! - winding[j]!,
      winding[i + 1]! - winding[j + 1]!,
      winding[i + 2]! - winding[j + 2]!,
    );
  }
  return length;
}

/** The six axial planes around a box in the order -x, +x, -y, +y, -z, +z. */
export function axialPlanes(planes: PlaneSet, { mins, maxs }: Box): number[] {
  return [
    planes.find(-1, 0, 0, -mins[0]),
    planes.find(1, 0, 0, maxs[0]),
    planes.find(0, -1, 0, -mins[1]),
    planes.find(0, 1, 0, maxs[1]),
    planes.find(0, 0, -1, -mins[2]),
    planes.find(0, 0, 1, maxs[2]),
  ];
}

/** An axis-aligned box as a body. */
export const createBoxSolid = (planes: PlaneSet, box: Box): Solid =>
  createSolid(planes, axialPlanes(planes, box));

/** Bounds of a body. */
export const solidBox = ({ windings }: Solid): Box => boxAround(windings);

/** How far a body reaches along a plane's normal, as `[least, greatest]` distance from the plane. */
export function solidReach(planes: PlaneSet, solid: Solid, plane: number): [number, number] {
  const nx = planes.nx[plane]!;
  const ny = planes.ny[plane]!;
  const nz = planes.nz[plane]!;
  const dist = planes.dist[plane]!;
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const winding of solid.windings) {
    for (let i = 0; i < winding.length; i += 3) {
      const d = winding[i]! * nx + winding[i + 1]! * ny + winding[i + 2]! * nz - dist;
      if (d < least) least = d;
      if (d > greatest) greatest = d;
    }
  }
  return [least, greatest];
}

/** Corners of a body, each once, although it is on three windings or more. */
export function cornersOf({ windings }: Solid): Float64Array {
  const corners: number[] = [];
  for (const winding of windings) {
    for (let i = 0; i < winding.length; i += 3) {
      const x = winding[i]!;
      const y = winding[i + 1]!;
      const z = winding[i + 2]!;
      let k = 0;
      while (k < corners.length && (corners[k] !== x || corners[k + 1] !== y || corners[k + 2] !== z)) k += 3;
      if (k === corners.length) corners.push(x, y, z);
    }
  }
  return Float64Array.from(corners);
}

/** Bits for the sides of a plane. */
export const FRONT = 1;
export const BACK = 2;

/** The sides of a plane on which a body reaches farther than `slack`, which may be negative. */
export function solidSides(planes: PlaneSet, { windings }: Solid, plane: number, slack: number): number {
  const nx = planes.nx[plane]!;
  const ny = planes.ny[plane]!;
  const nz = planes.nz[plane]!;
  const dist = planes.dist[plane]!;
  let sides = 0;
  for (const winding of windings) {
    for (let i = 0; i < winding.length; i += 3) {
      const d = winding[i]! * nx + winding[i + 1]! * ny + winding[i + 2]! * nz - dist;
      if (d > slack) sides |= FRONT;
      if (d < -slack) sides |= BACK;
    }
    if (sides === (FRONT | BACK)) return sides;
  }
  return sides;
}

/** 1 for a box that is entirely in front of a plane, -1 for one behind it, else 0. */
export function boxSide(planes: PlaneSet, plane: number, mins: Vec, maxs: Vec): number {
  const nx = planes.nx[plane]!;
  const ny = planes.ny[plane]!;
  const nz = planes.nz[plane]!;
  const dist = planes.dist[plane]!;
  const least =
    nx * (nx > 0 ? mins[0] : maxs[0]) + ny * (ny > 0 ? mins[1] : maxs[1]) + nz * (nz > 0 ? mins[2] : maxs[2]);
  if (least - dist > 2 * ON_EPSILON) return 1;
  const greatest =
    nx * (nx > 0 ? maxs[0] : mins[0]) + ny * (ny > 0 ? maxs[1] : mins[1]) + nz * (nz > 0 ? maxs[2] : mins[2]);
  return greatest - dist < -2 * ON_EPSILON ? -1 : 0;
}

/** The epsilon where bodies are cut. */
const CUT = 0.001;

/** The two parts of a cut body; a part that does not exist is `undefined`. */
export interface SolidCut {
  readonly front: Solid | undefined;
  readonly back: Solid | undefined;
}

/**
 * Cuts a body at a plane. A body stays whole if it does not reach beyond the plane by more than `noticeable`, and if `cuts`
 * rejects its section there; by default if the section is too small.
 */
export function cutSolid(
  planes: PlaneSet,
  solid: Solid,
  plane: number,
  noticeable: number = ON_EPSILON,
  cuts?: (section: Winding) => boolean,
): SolidCut {
  const [least, greatest] = solidReach(planes, solid, plane);
  const whole: SolidCut =
    greatest + least > 0 ? { front: solid, back: undefined } : { front: undefined, back: solid };
  if (least > -noticeable || greatest < noticeable) return whole;
  const cap = sideWinding(planes, plane, solid.planes, CUT, cuts);
  if (!cap) return whole;
  const { nx, ny, nz, dist } = planes;
  const front = { planes: [] as number[], windings: [] as Winding[] };
  const back = { planes: [] as number[], windings: [] as Winding[] };
  for (let i = 0; i < solid.planes.length; i++) {
    const winding = solid.windings[i]!;
    const where = measureCorners(winding, nx[plane]!, ny[plane]!, nz[plane]!, dist[plane]!, CUT);
    // PERF: most sides are not cut, and those on the plane have no part.
    const cut = where === (IN_FRONT | BEHIND) ? cutMeasured(winding, CUT) : undefined;
    if (where & IN_FRONT) {
      front.planes.push(solid.planes[i]!);
      front.windings.push(cut ? cut.front : winding);
    }
    if (where & BEHIND) {
      back.planes.push(solid.planes[i]!);
      back.windings.push(cut ? cut.back : winding);
    }
  }
  front.planes.push(plane ^ 1);
  front.windings.push(reverseWinding(cap));
  back.planes.push(plane);
  back.windings.push(cap);
  return { front, back };
}

/** Volume of a body and the middle of it. A body with no volume has its middle at the mean of its corners. */
export function solidCenter(solid: Solid): { volume: number; center: Vec } {
  const base = meanCorner(solid);
  let volume = 0;
  const sum: Vec = [0, 0, 0];
  for (const w of solid.windings) {
    for (let i = 3; i + 3 < w.length; i += 3) {
      const ax = w[0]! - base[0];
      const ay = w[1]! - base[1];
      const az = w[2]! - base[2];
      const bx = w[i]! - base[0];
      const by = w[i + 1]! - base[1];
      const bz = w[i + 2]! - base[2];
      const cx = w[i + 3]! - base[0];
      const cy = w[i + 4]! - base[1];
      const cz = w[i + 5]! - base[2];
      // Negative triple product, as windings run clockwise seen from outside.
      const v = -(ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
      volume += v;
      sum[0] += v * (ax + bx + cx);
      sum[1] += v * (ay + by + cy);
      sum[2] += v * (az + bz + cz);
    }
  }
  if (!(volume > 1e-6)) return { volume: Math.max(volume, 0), center: base };
  const scale = 1 / (4 * volume);
  return {
    volume,
    center: [base[0] + sum[0] * scale, base[1] + sum[1] * scale, base[2] + sum[2] * scale],
  };
}

function meanCorner(solid: Solid): Vec {
  const sum: Vec = [0, 0, 0];
  let corners = 0;
  for (const w of solid.windings) {
    for (let i = 0; i < w.length; i += 3) {
      sum[0] += w[i]!;
      sum[1] += w[i + 1]!;
      sum[2] += w[i + 2]!;
    }
    corners += w.length / 3;
  }
  return [sum[0] / corners, sum[1] / corners, sum[2] / corners];
}
