// Float32 vector arithmetic as the engine's patch builder does it: every product, sum and quotient is rounded.
// Sums run left to right. Vectors are plain arrays of three numbers that already are float32. They are read by index: this runs
// once, before any JavaScript engine has compiled it, when iterators and destructuring take longer than the arithmetic.

export type V3 = [number, number, number];

const f = Math.fround;

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  f(f(f(a[0]! * b[0]!) + f(a[1]! * b[1]!)) + f(a[2]! * b[2]!));

export const add = (a: V3, b: V3): V3 => [f(a[0] + b[0]), f(a[1] + b[1]), f(a[2] + b[2])];

export const subtract = (a: V3, b: V3): V3 => [f(a[0] - b[0]), f(a[1] - b[1]), f(a[2] - b[2])];

export const scaled = (a: ArrayLike<number>, scale: number): V3 => [
  f(a[0]! * scale),
  f(a[1]! * scale),
  f(a[2]! * scale),
];

const cross = (a: V3, b: V3): V3 => crossInto([0, 0, 0], a, b);

export function crossInto(out: V3, a: Readonly<V3>, b: Readonly<V3>): V3 {
  out[0] = f(f(a[1] * b[2]) - f(a[2] * b[1]));
  out[1] = f(f(a[2] * b[0]) - f(a[0] * b[2]));
  out[2] = f(f(a[0] * b[1]) - f(a[1] * b[0]));
  return out;
}

/** Makes `a` a unit vector in place. Returns the length it had, as the engine computes it: 0 for a zero vector. */
export function normalize(a: V3): number {
  const squared = dot(a, a);
  if (squared === 0) return 0;
  const inverse = f(1 / f(Math.sqrt(squared)));
  for (let k = 0; k < 3; k++) a[k] = f(a[k]! * inverse);
  return f(squared * inverse);
}

/** A plane of a patch: normal and distance. */
export type Plane4 = readonly [nx: number, ny: number, nz: number, dist: number];

/** The plane through three points, facing the side from which they run clockwise; null when they are in a line. */
export function planeThrough(a: V3, b: V3, c: V3): Plane4 | null {
  const normal = cross(subtract(c, a), subtract(b, a));
  return normalize(normal) === 0 ? null : [normal[0], normal[1], normal[2], dot(a, normal)];
}

/** The same plane facing the other way. `0 - x` and not `-x`, for the sake of the sign of zeros. */
export const flipped = (plane: Plane4): Plane4 => [0 - plane[0], 0 - plane[1], 0 - plane[2], -plane[3]];

/** Distance of a point from a plane. */
export const distance = (a: V3, plane: Plane4): number =>
  f(f(f(f(a[0] * plane[0]) + f(a[1] * plane[1])) + f(a[2] * plane[2])) - plane[3]);

/** A convex polygon. */
export type Winding = V3[];

/** Half the side of the square that stands for an infinite plane. */
const WORLD_SIZE = 65535;

/** A float in the engine, unlike the other epsilons of patches. */
const CHOP_EPSILON = f(0.1);

/** A square on a plane, larger than any map. */
export function baseWinding(plane: Plane4): Winding {
  const axis: V3 =
    Math.abs(plane[2]) > Math.max(Math.abs(plane[0]), Math.abs(plane[1])) ? [1, 0, 0] : [0, 0, 1];
  let up = add(axis, scaled(plane, -dot(axis, plane)));
  normalize(up);
  const origin = scaled(plane, plane[3]);
  const right = scaled(cross(up, scaled(plane, 1)), WORLD_SIZE);
  up = scaled(up, WORLD_SIZE);
  const [left, rightward] = [subtract(origin, right), add(origin, right)];
  return [add(left, up), add(rightward, up), subtract(rightward, up), subtract(left, up)];
}

/** The part of a winding in front of a plane; null when there is none. Points within 0.1 of the plane stay. */
export function chop(winding: Winding, plane: Plane4): Winding | null {
  const count = winding.length;
  let isInFront = false;
  let isBehind = false;
  const distances: number[] = [];
  for (let i = 0; i < count; i++) {
    const d = distance(winding[i]!, plane);
    distances.push(d);
    isInFront ||= d > CHOP_EPSILON;
    isBehind ||= d < -CHOP_EPSILON;
  }
  if (!isInFront) return null;
  if (!isBehind) return winding;
  const front: Winding = [];
  for (let i = 0; i < count; i++) {
    const next = (i + 1) % count;
    const from = winding[i]!;
    const to = winding[next]!;
    const d = distances[i]!;
    const e = distances[next]!;
    if (d >= -CHOP_EPSILON) front.push(from);
    const isCut = d > CHOP_EPSILON ? e < -CHOP_EPSILON : d < -CHOP_EPSILON && e > CHOP_EPSILON;
    if (!isCut) continue;
    const t = f(d / f(d - e));
    front.push([cut(from, to, t, plane, 0), cut(from, to, t, plane, 1), cut(from, to, t, plane, 2)]);
  }
  return front;
}

/** One coordinate of the point where an edge meets a plane: on an axial plane the plane's own, exactly. */
function cut(from: V3, to: V3, t: number, plane: Plane4, k: 0 | 1 | 2): number {
  return Math.abs(plane[k]) === 1 ? plane[k] * plane[3] : f(from[k] + f(t * f(to[k] - from[k])));
}

/** Corners of the box around points, all of them within the limit. */
export function boundsOf(points: readonly V3[], limit: number = WORLD_SIZE): { mins: V3; maxs: V3 } {
  const mins: V3 = [limit, limit, limit];
  const maxs: V3 = [-limit, -limit, -limit];
  for (let n = 0; n < points.length; n++) {
    const point = points[n]!;
    for (let k = 0; k < 3; k++) {
      // Not Math.min, which distinguishes 0 and -0.
      if (point[k]! < mins[k]!) mins[k] = point[k]!;
      if (point[k]! > maxs[k]!) maxs[k] = point[k]!;
    }
  }
  return { mins, maxs };
}

/** Whether a winding is of a size that a map can hold. */
export function isBounded(winding: Winding): boolean {
  const { mins, maxs } = boundsOf(winding);
  for (let k = 0; k < 3; k++) {
    const min = mins[k]!;
    const max = maxs[k]!;
    if (f(max - min) > WORLD_SIZE || min >= WORLD_SIZE || max <= -WORLD_SIZE) return false;
  }
  return true;
}
