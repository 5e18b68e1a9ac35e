// Float32 vector arithmetic as the engine's patch builder does it: every product, sum and quotient is rounded.
// Sums run left to right. Vectors are plain arrays of three numbers that already are float32.

export type V3 = [number, number, number];

const f = Math.fround;

/** A vector made axis by axis. */
export const each = (make: (axis: number) => number): V3 => [make(0), make(1), make(2)];

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  f(f(f(a[0]! * b[0]!) + f(a[1]! * b[1]!)) + f(a[2]! * b[2]!));

export const add = (a: V3, b: V3): V3 => each((k) => f(a[k]! + b[k]!));

export const subtract = (a: V3, b: V3): V3 => each((k) => f(a[k]! - b[k]!));

export const scaled = (a: ArrayLike<number>, scale: number): V3 => each((k) => f(a[k]! * scale));

export const cross = (a: V3, b: V3): V3 =>
  each((k) => {
    const [m, n] = [(k + 1) % 3, (k + 2) % 3];
    return f(f(a[m]! * b[n]!) - f(a[n]! * b[m]!));
  });

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
  return normalize(normal) === 0 ? null : [...normal, dot(a, normal)];
}

/** The same plane facing the other way. `0 - x` and not `-x`, for the sake of the sign of zeros. */
export const flipped = (plane: Plane4): Plane4 => [0 - plane[0], 0 - plane[1], 0 - plane[2], -plane[3]];

/** Distance of a point from a plane. */
export const distance = (point: ArrayLike<number>, plane: Plane4): number => f(dot(point, plane) - plane[3]);

/** A convex polygon. */
export type Winding = V3[];

/** Half the side of the square that stands for an endless plane. */
const WORLD_SIZE = 65535;

/** A float in the engine, unlike the other epsilons of patches. */
const CHOP_EPSILON = f(0.1);

/** A square on a plane, larger than any map. */
export function baseWinding(plane: Plane4): Winding {
  const [x, y, z] = each((k) => Math.abs(plane[k]!));
  const axis: V3 = z! > Math.max(x!, y!) ? [1, 0, 0] : [0, 0, 1];
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
  const distances = winding.map((point) => distance(point, plane));
  const sides = distances.map((d) => (d > CHOP_EPSILON ? 1 : d < -CHOP_EPSILON ? -1 : 0));
  if (!sides.includes(1)) return null;
  if (!sides.includes(-1)) return winding;
  const front: Winding = [];
  for (const [i, point] of winding.entries()) {
    const next = (i + 1) % winding.length;
    if (sides[i]! >= 0) front.push(point);
    if (sides[i]! * sides[next]! >= 0) continue;
    const t = f(distances[i]! / f(distances[i]! - distances[next]!));
    const to = winding[next]!;
    front.push(
      each((k) => {
        // On an axial plane the coordinate is the plane's, exactly.
        if (Math.abs(plane[k]!) === 1) return plane[k]! * plane[3];
        return f(point[k]! + f(t * f(to[k]! - point[k]!)));
      }),
    );
  }
  return front;
}

/** Corners of the box around points, all of them within the limit. */
export function boundsOf(points: readonly V3[], limit: number = WORLD_SIZE): { mins: V3; maxs: V3 } {
  // Not Math.min, which tells 0 and -0 apart.
  const mins = each((k) => points.reduce((min, point) => (point[k]! < min ? point[k]! : min), limit));
  const maxs = each((k) => points.reduce((max, point) => (point[k]! > max ? point[k]! : max), -limit));
  return { mins, maxs };
}

/** Whether a winding is of a size that a map can hold. */
export function isBounded(winding: Winding): boolean {
  const { mins, maxs } = boundsOf(winding);
  return !mins.some((min, k) => {
    const max = maxs[k]!;
    return f(max - min) > WORLD_SIZE || min >= WORLD_SIZE || max <= -WORLD_SIZE;
  });
}
