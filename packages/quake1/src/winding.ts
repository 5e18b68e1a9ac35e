// Flat convex polygons as lists of coordinates, three a corner, for work that is not in a hurry.

/** Corners of a convex polygon, three numbers each, counter-clockwise seen from the side its normal points to. */
export type Winding = readonly number[];

/** How far from a plane a corner still counts as on it, in Quake units. */
const ON_PLANE = 1 / 128;

/** A plane as four numbers. */
export type WindingPlane = readonly [x: number, y: number, z: number, dist: number];

/** A square on the plane that reaches `size` to every side of the point nearest to the origin. */
export function planeWinding([x, y, z, dist]: WindingPlane, size: number): Winding {
  const length = Math.hypot(x, y, z);
  if (length === 0) return [];
  const n = [x / length, y / length, z / length] as const;
  // Any axis that is not along the normal gives two directions in the plane.
  const axis = Math.abs(n[2]) < 0.8 ? [0, 0, 1] : [1, 0, 0];
  const along = axis[0]! * n[0] + axis[1]! * n[1] + axis[2]! * n[2];
  const up = n.map((component, k) => axis[k]! - along * component);
  const scale = size / Math.hypot(up[0]!, up[1]!, up[2]!);
  const v = up.map((component) => component * scale);
  const u = [v[1]! * n[2] - v[2]! * n[1], v[2]! * n[0] - v[0]! * n[2], v[0]! * n[1] - v[1]! * n[0]];
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const;
  return corners.flatMap(([a, b]) => n.map((c, k) => (c * dist) / length + a * u[k]! + b * v[k]!));
}

/** What of a polygon lies in front of a plane and what behind; a polygon on the plane is in neither. */
export function splitWinding(
  winding: Winding,
  [x, y, z, dist]: WindingPlane,
): { front: Winding; back: Winding; on: boolean } {
  const count = winding.length / 3;
  const length = Math.hypot(x, y, z);
  const distances: number[] = [];
  let most = 0;
  let least = 0;
  for (let k = 0; k < count; k++) {
    const sum = x * winding[3 * k]! + y * winding[3 * k + 1]! + z * winding[3 * k + 2]! - dist;
    const distance = length > 0 ? sum / length : sum;
    distances.push(distance);
    most = Math.max(most, distance);
    least = Math.min(least, distance);
  }
  if (most <= ON_PLANE && least >= -ON_PLANE) return { front: [], back: [], on: true };
  if (least >= -ON_PLANE) return { front: winding, back: [], on: false };
  if (most <= ON_PLANE) return { front: [], back: winding, on: false };
  const front: number[] = [];
  const back: number[] = [];
  for (let k = 0; k < count; k++) {
    const next = (k + 1) % count;
    const [d, e] = [distances[k]!, distances[next]!];
    const corner = winding.slice(3 * k, 3 * k + 3);
    if (d >= -ON_PLANE) front.push(...corner);
    if (d <= ON_PLANE) back.push(...corner);
    if ((d > ON_PLANE && e < -ON_PLANE) || (d < -ON_PLANE && e > ON_PLANE)) {
      const t = d / (d - e);
      const cut = corner.map((c, axis) => c + t * (winding[3 * next + axis]! - c));
      front.push(...cut);
      back.push(...cut);
    }
  }
  return { front, back, on: false };
}

/** The polygon seen from its other side. */
export function flipWinding(winding: Winding): Winding {
  const flipped: number[] = [];
  for (let k = winding.length - 3; k >= 0; k -= 3) flipped.push(...winding.slice(k, k + 3));
  return flipped;
}
