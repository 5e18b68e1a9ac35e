/** A plane in doubles; the brush is behind it. */
export interface BrushPlane {
  readonly normal: readonly [number, number, number];
  readonly dist: number;
}

/** A flat convex polygon: corners, three numbers each, counter-clockwise seen from its front. */
export type Winding = number[];

/** How near a plane a corner counts as on it, in Quake units: well below what a map is drawn to. */
const ON_PLANE = 1e-5;

/** Half the side of the square that a side's polygon is cut from: more than twice any map. */
const FAR = 1 << 18;

/** Polygons smaller than this, in square units, are bevels: planes that touch the brush in an edge or corner. */
const LEAST_AREA = 1e-3;

const cross = (a: readonly number[], b: readonly number[]): [number, number, number] => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];

/** A great square on the plane. */
function planeSquare({ normal, dist }: BrushPlane): Winding {
  const axis = Math.abs(normal[2]) > 0.7 ? [1, 0, 0] : [0, 0, 1];
  const right = cross(axis, normal);
  const length = Math.hypot(...right);
  const u = right.map((x) => (x / length) * FAR);
  const v = cross(normal, u);
  const corner = (a: number, b: number): number[] => normal.map((n, k) => n * dist + a * u[k]! + b * v[k]!);
  return [...corner(-1, -1), ...corner(1, -1), ...corner(1, 1), ...corner(-1, 1)];
}

/** The part of a polygon that lies behind the plane; empty when there is none. */
function clipBehind(winding: Winding, { normal, dist }: BrushPlane): Winding {
  const count = winding.length / 3;
  const distances = Array.from({ length: count }, (_, i) => {
    const [x, y, z] = [winding[3 * i]!, winding[3 * i + 1]!, winding[3 * i + 2]!];
    return normal[0] * x + normal[1] * y + normal[2] * z - dist;
  });
  if (distances.every((d) => d <= ON_PLANE)) return winding;
  const out: Winding = [];
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    const [d, e] = [distances[i]!, distances[j]!];
    if (d <= ON_PLANE) out.push(winding[3 * i]!, winding[3 * i + 1]!, winding[3 * i + 2]!);
    if ((d < -ON_PLANE && e > ON_PLANE) || (d > ON_PLANE && e < -ON_PLANE)) {
      const part = d / (d - e);
      for (let k = 0; k < 3; k++) {
        const a = winding[3 * i + k]!;
        out.push(a + part * (winding[3 * j + k]! - a));
      }
    }
  }
  return out;
}

/** Twice the area as a vector along the normal. */
function doubleArea(winding: Winding): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  const origin = winding.slice(0, 3);
  for (let i = 3; i + 5 < winding.length; i += 3) {
    const a = origin.map((o, k) => winding[i + k]! - o);
    const b = origin.map((o, k) => winding[i + 3 + k]! - o);
    for (const [k, c] of cross(a, b).entries()) sum[k]! += c;
  }
  return sum;
}

/** Area in square units. */
export function windingArea(winding: Winding): number {
  return Math.hypot(...doubleArea(winding)) / 2;
}

/** The polygon in a plane that lies behind all of others; empty where they leave nothing worth a triangle. */
export function polygonIn(plane: BrushPlane, others: Iterable<BrushPlane>): Winding {
  let winding = planeSquare(plane);
  for (const other of others) {
    winding = clipBehind(winding, other);
    if (winding.length < 9) return [];
  }
  return windingArea(winding) < LEAST_AREA ? [] : winding;
}

/**
 * The faces of a convex brush: for each of its planes the polygon in it, in doubles. Planes that only touch the brush
 * (bevels) and planes given twice have an empty polygon.
 */
export function brushFaces(planes: readonly BrushPlane[]): Winding[] {
  return planes.map((plane, number) => {
    const same = planes.map((other) => isSamePlane(plane, other));
    if (same.indexOf(true) < number) return [];
    return polygonIn(
      plane,
      planes.filter((_, k) => !same[k]),
    );
  });
}

function isSamePlane(a: BrushPlane, b: BrushPlane): boolean {
  return a.normal.every((n, k) => Math.abs(n - b.normal[k]!) < 1e-6) && Math.abs(a.dist - b.dist) < 1e-4;
}

/** Volume enclosed by faces that look outward, in cubic units. */
export function enclosedVolume(faces: readonly Winding[]): number {
  let volume = 0;
  for (const face of faces) {
    if (face.length < 9) continue;
    const area = doubleArea(face);
    volume += (face[0]! * area[0] + face[1]! * area[1] + face[2]! * area[2]) / 6;
  }
  return volume;
}
