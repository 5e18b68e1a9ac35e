// Convex shapes with their faces, edges and corners, in double: what a round sphere can touch. Made from the planes of
// a brush or facet on first need and kept.

/** Numbers a face: normal xyz, dist, place of its side (or its plane's number), first of its rims, how many. */
export const FACE = 7;
/** Numbers a rim, the line that bounds a face on one side: direction away from the face xyz, dist. */
export const RIM = 4;
/** Numbers an edge: one end xyz, unit direction xyz, length. */
export const EDGE = 7;

/** A convex shape to round. Planes face outward. */
export interface Rounded {
  readonly faces: Float64Array;
  readonly rims: Float64Array;
  readonly edges: Float64Array;
  /** Three numbers a corner. */
  readonly corners: Float64Array;
  /** Flat: a facet, which is met from its front only. */
  readonly flat: boolean;
}

type Point = [number, number, number];

/** A side of a convex shape: outward normal, dist, and the number to know it by. */
export interface RoundedSide {
  readonly normal: Point;
  readonly dist: number;
  readonly id: number;
}

/** Half the width of the square that a face is cut from. */
const WORLD_SIZE = 1 << 17;
/** Points nearer than this are one, in Quake units. */
const SAME = 1e-3;

/** The shape behind all sides; sides that only touch it, as bevels do, have no face. */
export function roundSolid(sides: readonly RoundedSide[]): Rounded {
  const faces = sides.map((side, k) => ({
    side,
    points: cutFace(
      side,
      sides.filter((_, other) => other !== k),
    ),
  }));
  return assemble(faces, false);
}

/** The flat shape on a surface, inside its borders. */
export function roundFacet(surface: RoundedSide, borders: readonly RoundedSide[]): Rounded {
  return assemble([{ side: surface, points: cutFace(surface, borders) }], true);
}

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const along = (a: Point, b: Point, t: number): Point => [a[0] + b[0] * t, a[1] + b[1] * t, a[2] + b[2] * t];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Point): Point => along([0, 0, 0], a, 1 / Math.hypot(...a));

/** Corners of a face, counter-clockwise seen from outside; none when the face is not part of the shape. */
function cutFace(side: RoundedSide, others: readonly RoundedSide[]): Point[] {
  const { normal, dist } = side;
  const helper: Point = Math.abs(normal[2]) > 0.7 ? [1, 0, 0] : [0, 0, 1];
  const right = unit(cross(helper, normal));
  const up = cross(normal, right);
  const middle = along([0, 0, 0], normal, dist / dot(normal, normal));
  let points = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([x, y]) => along(along(middle, right, x! * WORLD_SIZE), up, y! * WORLD_SIZE));
  for (const other of others) {
    // A side turned against this one bounds the other end of the shape, or is this one's own back.
    if (dot(other.normal, normal) < -0.9999999) continue;
    points = cutBehind(points, other);
  }
  const distinct = points.filter((point, k) => {
    const next = points[(k + 1) % points.length]!;
    return Math.hypot(...subtract(point, next)) > SAME;
  });
  return distinct.length >= 3 ? distinct : [];
}

/** The part of a polygon behind a plane. */
function cutBehind(points: readonly Point[], { normal, dist }: RoundedSide): Point[] {
  const kept: Point[] = [];
  for (const [k, point] of points.entries()) {
    const next = points[(k + 1) % points.length]!;
    const [d1, d2] = [dot(point, normal) - dist, dot(next, normal) - dist];
    if (d1 <= 0) kept.push(point);
    if ((d1 < 0 && d2 > 0) || (d1 > 0 && d2 < 0))
      kept.push(along(point, subtract(next, point), d1 / (d1 - d2)));
  }
  return kept;
}

function assemble(cut: readonly { side: RoundedSide; points: Point[] }[], flat: boolean): Rounded {
  const faces: number[] = [];
  const rims: number[] = [];
  const edges: number[] = [];
  const corners: Point[] = [];
  const cornerOf = (point: Point): number => {
    const known = corners.findIndex((corner) => Math.hypot(...subtract(corner, point)) <= SAME);
    return known >= 0 ? known : corners.push(point) - 1;
  };
  const seen = new Set<string>();
  for (const { side, points } of cut) {
    if (points.length === 0) continue;
    faces.push(...side.normal, side.dist, side.id, rims.length / RIM, points.length);
    const ring = points.map(cornerOf);
    for (const [k, point] of points.entries()) {
      const direction = unit(subtract(points[(k + 1) % points.length]!, point));
      const outward = cross(direction, side.normal);
      rims.push(...outward, dot(outward, point));
      const [a, b] = [ring[k]!, ring[(k + 1) % ring.length]!].sort((x, y) => x - y) as [number, number];
      if (a === b || seen.has(`${a} ${b}`)) continue;
      seen.add(`${a} ${b}`);
      const span = subtract(corners[b]!, corners[a]!);
      edges.push(...corners[a]!, ...unit(span), Math.hypot(...span));
    }
  }
  return {
    faces: Float64Array.from(faces),
    rims: Float64Array.from(rims),
    edges: Float64Array.from(edges),
    corners: Float64Array.from(corners.flat()),
    flat,
  };
}
