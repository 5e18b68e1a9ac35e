import { lengthOf, type Vec } from './vec.ts';

/**
 * A flat convex polygon: corners as triples in one list, clockwise seen from the front of its plane, as all formats
 * store faces. Windings are never changed once made, so pieces may share them.
 */
export type Winding = readonly number[];

/** Points this close to a plane, in Quake units, are on it. */
export const ON_EPSILON = 0.01;

/** Half the side of a winding that stands for a whole plane; farther out than the engines' maps reach. */
export const HUGE = 131072;

/** The same where maps reach farther: float32 has no halves of units beyond half of this. */
const FARTHEST = 0x2000000;

/**
 * Half the side of windings that stand for a body's planes, given by their distances: wide enough for all of its faces, unless it is
 * farther out than any map can be.
 */
export function halfAround(dists: Iterable<number>): number {
  let half = HUGE;
  for (const dist of dists) half = widenHalf(half, dist);
  return Math.min(half, FARTHEST);
}

/** The least power of two times `half` that is at least twice a distance. */
export function widenHalf(half: number, dist: number): number {
  let wide = half;
  while (wide < 2 * Math.abs(dist)) wide *= 2;
  return wide;
}

/** A square on the plane, larger than any map by default; the normal has unit length. */
export function planeWinding(nx: number, ny: number, nz: number, dist: number, half: number = HUGE): Winding {
  const ax = Math.abs(nx);
  const ay = Math.abs(ny);
  const az = Math.abs(nz);
  const flat = az > ax && az > ay;
  // `up` is the z axis, or the x axis on floors, made perpendicular to the normal.
  const v = flat ? nx : nz;
  let ux = (flat ? 1 : 0) - v * nx;
  let uy = -v * ny;
  let uz = (flat ? 0 : 1) - v * nz;
  const scale = half / lengthOf(ux, uy, uz);
  ux *= scale;
  uy *= scale;
  uz *= scale;
  const rx = uy * nz - uz * ny;
  const ry = uz * nx - ux * nz;
  const rz = ux * ny - uy * nx;
  const ox = nx * dist;
  const oy = ny * dist;
  const oz = nz * dist;
  return [
    ox - rx + ux,
    oy - ry + uy,
    oz - rz + uz,
    ox + rx + ux,
    oy + ry + uy,
    oz + rz + uz,
    ox + rx - ux,
    oy + ry - uy,
    oz + rz - uz,
    ox - rx - ux,
    oy - ry - uy,
    oz - rz - uz,
  ];
}

/** Whether what is left of a {@link planeWinding} still reaches one of its edges, so that the face it stands for is infinite. */
export function isEndless(
  winding: Winding,
  nx: number,
  ny: number,
  nz: number,
  dist: number,
  half: number = HUGE,
): boolean {
  // Normals are of unit length within 1e-6 only.
  const most = (1 - 1e-5) * half * half;
  for (let i = 0; i < winding.length; i += 3) {
    const x = winding[i]! - nx * dist;
    const y = winding[i + 1]! - ny * dist;
    const z = winding[i + 2]! - nz * dist;
    if (x * x + y * y + z * z >= most) return true;
  }
  return false;
}

/** The two parts of a cut winding; a part that does not exist is `undefined`. */
export interface WindingCut {
  readonly front: Winding | undefined;
  readonly back: Winding | undefined;
}

const cutSides: number[] = [];

/**
 * Where a winding is: {@link IN_FRONT} of a plane, {@link BEHIND} it, both if it crosses the plane, 0 if it is on it. Keeps the
 * distances of its corners for {@link measuredPartBehind} and {@link cutMeasured}.
 */
export function measureCorners(
  winding: Winding,
  nx: number,
  ny: number,
  nz: number,
  dist: number,
  epsilon: number,
): number {
  let sides = 0;
  const length = winding.length;
  for (let i = 0, k = 0; i < length; i += 3, k++) {
    const d = winding[i]! * nx + winding[i + 1]! * ny + winding[i + 2]! * nz - dist;
    cutSides[k] = d;
    if (d > epsilon) sides |= IN_FRONT;
    else if (d < -epsilon) sides |= BEHIND;
  }
  return sides;
}

/** Bits of {@link measureCorners}. */
export const IN_FRONT = 1;
export const BEHIND = 2;

/** The part behind the plane, or within `epsilon` of it, of the winding that was measured last, which must cross the plane. */
export function measuredPartBehind(winding: Winding, epsilon: number): Winding {
  const back: number[] = [];
  addParts(winding, epsilon, back);
  return back;
}

/** Adds the corners of both parts of a winding that has been measured; `front` can be left out. */
function addParts(winding: Winding, epsilon: number, back: number[], front?: number[]): void {
  const sides = cutSides;
  const length = winding.length;
  for (let i = 0, k = 0; i < length; i += 3, k++) {
    const x = winding[i]!;
    const y = winding[i + 1]!;
    const z = winding[i + 2]!;
    const d = sides[k]!;
    if (front && d >= -epsilon) front.push(x, y, z);
    if (d <= epsilon) back.push(x, y, z);
    const last = i + 3 === length;
    const e = sides[last ? 0 : k + 1]!;
    if (!((d > epsilon && e < -epsilon) || (d < -epsilon && e > epsilon))) continue;
    const j = last ? 0 : i + 3;
    // Always from front to back, so that two windings that share this edge get the very same point.
    const t = d > 0 ? d / (d - e) : e / (e - d);
    const sx = d > 0 ? x : winding[j]!;
    const sy = d > 0 ? y : winding[j + 1]!;
    const sz = d > 0 ? z : winding[j + 2]!;
    const px = sx + t * ((d > 0 ? winding[j]! : x) - sx);
    const py = sy + t * ((d > 0 ? winding[j + 1]! : y) - sy);
    const pz = sz + t * ((d > 0 ? winding[j + 2]! : z) - sz);
    if (front) front.push(px, py, pz);
    back.push(px, py, pz);
  }
}

/** Cuts a winding at a plane. A winding that is entirely on the plane has neither part. */
export function cutWinding(
  winding: Winding,
  nx: number,
  ny: number,
  nz: number,
  dist: number,
  epsilon: number = ON_EPSILON,
): WindingCut {
  const sides = measureCorners(winding, nx, ny, nz, dist, epsilon);
  if (sides !== (IN_FRONT | BEHIND)) {
    return { front: sides === IN_FRONT ? winding : undefined, back: sides === BEHIND ? winding : undefined };
  }
  return cutMeasured(winding, epsilon);
}

/** Both parts of the winding that was measured last, which must cross the plane. */
export function cutMeasured(winding: Winding, epsilon: number): { front: Winding; back: Winding } {
  const front: number[] = [];
  const back: number[] = [];
  addParts(winding, epsilon, back, front);
  return { front, back };
}

/**
 * The part of a winding behind a plane, or within `epsilon` of it; `undefined` if there is none. A winding on the plane is kept
 * whole.
 */
export function clipBehind(
  winding: Winding,
  nx: number,
  ny: number,
  nz: number,
  dist: number,
  epsilon: number = ON_EPSILON,
): Winding | undefined {
  const sides = measureCorners(winding, nx, ny, nz, dist, epsilon);
  if (sides !== (IN_FRONT | BEHIND)) return sides === IN_FRONT ? undefined : winding;
  return measuredPartBehind(winding, epsilon);
}

/** A plane: the points p with `dot(p, normal) === dist`. */
interface Plane {
  readonly normal: ArrayLike<number>;
  readonly dist: number;
}

/** The same plane, facing the other way. */
export const flipPlane = ({ normal, dist }: Plane): { normal: Vec; dist: number } => ({
  normal: [0 - normal[0]!, 0 - normal[1]!, 0 - normal[2]!],
  dist: 0 - dist,
});

/** {@link clipBehind} for several planes: the part of a winding behind all of them. */
export function clipBehindAll(
  winding: Winding,
  planes: Iterable<Plane>,
  epsilon: number = ON_EPSILON,
): Winding | undefined {
  let left: Winding | undefined = winding;
  for (const { normal, dist } of planes) {
    left = clipBehind(left, normal[0]!, normal[1]!, normal[2]!, dist, epsilon);
    if (!left) return undefined;
  }
  return left;
}

/** The same polygon seen from the other side. */
export function reverseWinding(winding: Winding): Winding {
  const out: number[] = [];
  for (let i = winding.length - 3; i >= 0; i -= 3) out.push(winding[i]!, winding[i + 1]!, winding[i + 2]!);
  return out;
}

/** Whether too little is left of a winding to matter: fewer than three sides of noticeable length. */
export function isTiny(winding: Winding, noticeable: number = 2 * ON_EPSILON): boolean {
  let edges = 0;
  const length = winding.length;
  let x = winding[length - 3]!;
  let y = winding[length - 2]!;
  let z = winding[length - 1]!;
  for (let i = 0; i < length; i += 3) {
    const dx = winding[i]! - x;
    const dy = winding[i + 1]! - y;
    const dz = winding[i + 2]! - z;
    if (dx * dx + dy * dy + dz * dz > noticeable * noticeable && ++edges === 3) return false;
    x = winding[i]!;
    y = winding[i + 1]!;
    z = winding[i + 2]!;
  }
  return true;
}

/** Area vector: along the normal (seen clockwise from its tip), as long as the area is large. */
export function windingArea(winding: Winding): Vec {
  const out: Vec = [0, 0, 0];
  const [ox, oy, oz] = winding as unknown as Vec;
  for (let i = 3; i + 3 < winding.length; i += 3) {
    const ax = winding[i]! - ox;
    const ay = winding[i + 1]! - oy;
    const az = winding[i + 2]! - oz;
    const bx = winding[i + 3]! - ox;
    const by = winding[i + 4]! - oy;
    const bz = winding[i + 5]! - oz;
    out[0] -= 0.5 * (ay * bz - az * by);
    out[1] -= 0.5 * (az * bx - ax * bz);
    out[2] -= 0.5 * (ax * by - ay * bx);
  }
  return out;
}

/** Size of the area, in square units. */
export function areaSize(winding: Winding): number {
  const [x, y, z] = windingArea(winding);
  return lengthOf(x, y, z);
}

/** The mean of the corners. */
export function windingCenter(winding: Winding): Vec {
  const out: Vec = [0, 0, 0];
  for (let i = 0; i < winding.length; i++) out[i % 3]! += winding[i]!;
  const corners = winding.length / 3;
  return [out[0] / corners, out[1] / corners, out[2] / corners];
}
