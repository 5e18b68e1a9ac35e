import {
  clipBehind,
  cross,
  dot,
  lengthOf,
  normalize,
  planeWinding,
  reverseWinding,
  subtract,
  type Vec,
  type Winding,
} from '@bspkit/geometry';

// Convex shapes with their faces, edges and corners, in double: what a round sphere can touch. Made from the planes of
// a brush or facet when first needed, and kept.

/** Numbers per face: normal xyz, dist, place of its side (or its plane's number), first of its rims, how many. */
export const FACE = 7;
/** Numbers per rim, the line that bounds a face on one side: direction away from the face xyz, dist. */
export const RIM = 4;
/** Numbers per edge: one end xyz, unit direction xyz, length. */
export const EDGE = 7;

/** More than a shape has corners: two of their numbers make one. */
const EDGE_KEY = 2 ** 24;

/** A convex shape to round. Planes face outward. */
export interface Rounded {
  readonly faces: Float64Array;
  readonly rims: Float64Array;
  readonly edges: Float64Array;
  /** Three numbers per corner. */
  readonly corners: Float64Array;
  /** Flat: a facet, which is met from its front only. */
  readonly flat: boolean;
}

/** A side of a convex shape: outward normal, dist, and the number to know it by. */
export interface RoundedSide {
  readonly normal: Vec;
  readonly dist: number;
  readonly id: number;
}

/** Points nearer than this are one, in Quake units. */
const SAME = 1e-3;

/** The shape behind all sides; sides that only touch it, as bevels do, have no face. */
export function roundSolid(sides: readonly RoundedSide[]): Rounded {
  return assemble(
    sides.map((side) => ({ side, points: cutFace(side, sides) })),
    false,
  );
}

/** The flat shape on a surface, inside its borders. */
export function roundFacet(surface: RoundedSide, borders: readonly RoundedSide[]): Rounded {
  return assemble([{ side: surface, points: cutFace(surface, borders) }], true);
}

const gap = (a: Vec, b: Vec): number => lengthOf(...subtract(a, b));

/** Corners of a face, counter-clockwise seen from outside; none when the face is not part of the shape. */
function cutFace(side: RoundedSide, others: readonly RoundedSide[]): Vec[] {
  const { normal, dist } = side;
  let winding: Winding | undefined = planeWinding(...normal, dist);
  for (const other of others) {
    if (other === side || !winding) continue;
    // A side turned against this one bounds the other end of the shape, or is this one's own back.
    if (dot(other.normal, normal) < -0.9999999) continue;
    const [x, y, z] = other.normal;
    winding = clipBehind(winding, x, y, z, other.dist, 0);
  }
  const around = reverseWinding(winding ?? []);
  const points = Array.from({ length: around.length / 3 }, (_, k) => around.slice(3 * k, 3 * k + 3) as Vec);
  const distinct = points.filter((point, k) => gap(point, points[(k + 1) % points.length]!) > SAME);
  return distinct.length >= 3 ? distinct : [];
}

function assemble(cut: readonly { side: RoundedSide; points: Vec[] }[], flat: boolean): Rounded {
  const faces: number[] = [];
  const rims: number[] = [];
  const edges: number[] = [];
  const corners: Vec[] = [];
  const cornerOf = (point: Vec): number => {
    // Most are told apart by one coordinate, which spares what takes time by the square of the sides.
    const known = corners.findIndex(
      (corner) => Math.abs(corner[0] - point[0]) <= SAME && gap(corner, point) <= SAME,
    );
    return known >= 0 ? known : corners.push(point) - 1;
  };
  const seen = new Set<number>();
  for (const { side, points } of cut) {
    if (points.length === 0) continue;
    faces.push(...side.normal, side.dist, side.id, rims.length / RIM, points.length);
    const ring = points.map(cornerOf);
    for (const [k, point] of points.entries()) {
      const direction = normalize(subtract(points[(k + 1) % points.length]!, point)) ?? [0, 0, 0];
      const outward = cross(direction, side.normal);
      rims.push(...outward, dot(outward, point));
      const [a, b] = [ring[k]!, ring[(k + 1) % ring.length]!].sort((x, y) => x - y) as [number, number];
      const edge = a * EDGE_KEY + b;
      if (a === b || seen.has(edge)) continue;
      seen.add(edge);
      const span = subtract(corners[b]!, corners[a]!);
      // Corners are apart, so there is a direction.
      edges.push(...corners[a]!, ...normalize(span)!, lengthOf(...span));
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
