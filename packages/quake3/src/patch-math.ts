// Float32 vector arithmetic as the engine's patch builder does it: every product, sum and quotient is rounded.
// Sums run left to right. Vectors are plain arrays of three numbers that already are float32.

export type V3 = [number, number, number];

const f = Math.fround;

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return f(f(f(a[0]! * b[0]!) + f(a[1]! * b[1]!)) + f(a[2]! * b[2]!));
}

export function add(a: V3, b: V3): V3 {
  return [f(a[0] + b[0]), f(a[1] + b[1]), f(a[2] + b[2])];
}

export function subtract(a: V3, b: V3): V3 {
  return [f(a[0] - b[0]), f(a[1] - b[1]), f(a[2] - b[2])];
}

/** a + b * scale */
export function addScaled(a: V3, b: V3, scale: number): V3 {
  return [f(a[0] + f(b[0] * scale)), f(a[1] + f(b[1] * scale)), f(a[2] + f(b[2] * scale))];
}

export function scaled(a: V3, scale: number): V3 {
  return [f(a[0] * scale), f(a[1] * scale), f(a[2] * scale)];
}

export function cross(a: V3, b: V3): V3 {
  return [
    f(f(a[1] * b[2]) - f(a[2] * b[1])),
    f(f(a[2] * b[0]) - f(a[0] * b[2])),
    f(f(a[0] * b[1]) - f(a[1] * b[0])),
  ];
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
  if (normalize(normal) === 0) return null;
  return [...normal, dot(a, normal)];
}

/** The same plane facing the other way. `0 - x` and not `-x`, for the sake of the sign of zeros. */
export function flipped(plane: Plane4): Plane4 {
  return [0 - plane[0], 0 - plane[1], 0 - plane[2], -plane[3]];
}

/** Distance of a point from a plane. */
export function distance(point: ArrayLike<number>, plane: Plane4): number {
  return f(dot(point, plane) - plane[3]);
}

/** A convex polygon. */
export type Winding = V3[];

/** Half the side of the square that stands for an endless plane. */
const WORLD_SIZE = 65535;

/** A float in the engine, unlike the other epsilons of patches. */
const CHOP_EPSILON = f(0.1);

/** A square on a plane, larger than any map. */
export function baseWinding(plane: Plane4): Winding {
  const normal: V3 = [plane[0], plane[1], plane[2]];
  let major = 0;
  for (let k = 1; k < 3; k++) if (Math.abs(normal[k]!) > Math.abs(normal[major]!)) major = k;
  let up: V3 = major === 2 ? [1, 0, 0] : [0, 0, 1];
  up = addScaled(up, normal, -dot(up, normal));
  normalize(up);
  const origin = scaled(normal, plane[3]);
  const right = scaled(cross(up, normal), WORLD_SIZE);
  up = scaled(up, WORLD_SIZE);
  const [left, rightward] = [subtract(origin, right), add(origin, right)];
  return [add(left, up), add(rightward, up), subtract(rightward, up), subtract(left, up)];
}

/** The part of a winding in front of a plane; null when there is none. Points within 0.1 of the plane stay. */
export function chop(winding: Winding, plane: Plane4): Winding | null {
  const count = winding.length;
  const distances = winding.map((point) => distance(point, plane));
  const sides = distances.map((d) => (d > CHOP_EPSILON ? 1 : d < -CHOP_EPSILON ? -1 : 0));
  if (!sides.includes(1)) return null;
  if (!sides.includes(-1)) return winding;
  const front: Winding = [];
  for (let i = 0; i < count; i++) {
    const next = (i + 1) % count;
    const point = winding[i]!;
    if (sides[i]! >= 0) front.push(point);
    if (sides[i] === 0 || sides[next] === 0 || sides[next] === sides[i]) continue;
    const t = f(distances[i]! / f(distances[i]! - distances[next]!));
    front.push(splitPoint(point, winding[next]!, t, plane));
  }
  return front;
}

/** The point at `t` between two points; on an axial plane its coordinate is the plane's, exactly. */
function splitPoint(from: V3, to: V3, t: number, plane: Plane4): V3 {
  const point: V3 = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    if (plane[k] === 1) point[k] = plane[3];
    else if (plane[k] === -1) point[k] = -plane[3];
    else point[k] = f(from[k]! + f(t * f(to[k]! - from[k]!)));
  }
  return point;
}

/** Corners of the box around a winding. */
export function windingBounds(winding: Winding): { mins: V3; maxs: V3 } {
  const mins: V3 = [WORLD_SIZE, WORLD_SIZE, WORLD_SIZE];
  const maxs: V3 = [-WORLD_SIZE, -WORLD_SIZE, -WORLD_SIZE];
  for (const point of winding) {
    for (let k = 0; k < 3; k++) {
      if (point[k]! < mins[k]!) mins[k] = point[k]!;
      if (point[k]! > maxs[k]!) maxs[k] = point[k]!;
    }
  }
  return { mins, maxs };
}

/** Whether a winding is of a size that a map can hold. */
export function isBounded(winding: Winding): boolean {
  const { mins, maxs } = windingBounds(winding);
  for (let k = 0; k < 3; k++) {
    if (f(maxs[k]! - mins[k]!) > WORLD_SIZE || mins[k]! >= WORLD_SIZE || maxs[k]! <= -WORLD_SIZE)
      return false;
  }
  return true;
}
