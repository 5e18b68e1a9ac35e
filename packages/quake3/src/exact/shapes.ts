import {
  clipBehind,
  cross,
  dot,
  HUGE,
  IN_FRONT,
  lengthOf,
  measureCorners,
  measuredPartBehind,
  normalize,
  planeWinding,
  reverseWinding,
  type Vec,
  type Winding,
  widenHalf,
} from '@bspkit/geometry';
import type { Room } from './room.ts';

// Convex shapes with their faces, edges and corners, in double: what a round sphere can touch. Made from the planes of
// a brush or facet when first needed, and kept.

/** Numbers per face: normal xyz, dist, place of its side (or its plane's number), first of its rims, how many. */
export const FACE = 7;
/** Numbers per rim, the line that bounds a face on one side: direction away from the face xyz, dist. */
export const RIM = 4;
/** Numbers per edge: one end xyz, unit direction xyz, length. */
export const EDGE = 7;

/** A convex shape to round. Planes face outward. */
export interface Rounded {
  /** Its faces, rims, edges and corners, which are three numbers each; other shapes are before and after them. */
  readonly numbers: Float64Array;
  /** Where the faces begin, the rims, the edges and the corners, and where the corners end. */
  readonly faces: number;
  readonly rims: number;
  readonly edges: number;
  readonly corners: number;
  readonly end: number;
  /** Flat: a facet, which is only met from its front. */
  readonly flat: boolean;
}

/** A side of a convex shape: outward normal, dist, and the number that identifies it. */
export interface RoundedSide {
  readonly normal: Vec;
  readonly dist: number;
  readonly id: number;
}

/** Points closer than this are the same, in Quake units. */
const SAME = 1e-3;
/** How far from a plane a point on it may be, relative to the squares that stand for planes: more than doubles lose. */
const ROUNDING = 1e-11;

/** The shape behind all sides; sides that only touch it, as bevels do, have no face. */
export function roundSolid(sides: readonly RoundedSide[], room: Room): Rounded {
  parts.clear();
  for (const side of sides) parts.addFace(side, cutFace(side, sides));
  if (parts.isEmpty) addThin(sides);
  return parts.assemble(room, false);
}

/**
 * A solid that has hardly any extent along two axes, or along none, has no faces: what there is of it are edges along it, or a
 * corner. These are what all planes leave of each, also where they only touch: planes that face each other may be the same.
 */
function addThin(sides: readonly RoundedSide[]): void {
  const half = halfOf(sides);
  const onPlane = half * ROUNDING;
  for (const { normal, dist } of sides) {
    let points = planeWinding(normal[0], normal[1], normal[2], dist, half);
    for (const { normal: n, dist: d } of sides) {
      if (measureCorners(points, n[0], n[1], n[2], d, onPlane) & IN_FRONT)
        points = measuredPartBehind(points, onPlane);
    }
    for (let k = 0; k < points.length; k += 3) parts.addLine(points, k, k + 3 === points.length ? 0 : k + 3);
  }
}

/** The flat shape on a surface, inside its borders. */
export function roundFacet(surface: RoundedSide, borders: readonly RoundedSide[], room: Room): Rounded {
  parts.clear();
  parts.addFace(surface, cutFace(surface, borders));
  return parts.assemble(room, true);
}

/** Corners of a face, counter-clockwise seen from outside; none if the face is not part of the shape. */
export function cutFace(side: RoundedSide, others: readonly RoundedSide[]): Winding {
  const { normal, dist } = side;
  let winding: Winding | undefined = planeWinding(normal[0], normal[1], normal[2], dist, halfOf(others));
  for (const other of others) {
    if (other === side || !winding) continue;
    // A side that faces the opposite way bounds the other end of the shape, or is this one's own back.
    if (dot(other.normal, normal) < -0.9999999) continue;
    // A brush may have a plane twice: rounding would cut either face away by the other.
    if (isSamePlane(other, side)) continue;
    const n = other.normal;
    winding = clipBehind(winding, n[0], n[1], n[2], other.dist, 0);
  }
  return winding ? apartFromNext(reverseWinding(winding)) : [];
}

/** Half the side of a square that stands for a plane. Box entities may be larger than any map, or farther out. */
function halfOf(sides: readonly RoundedSide[]): number {
  let half = HUGE;
  for (const { dist } of sides) half = widenHalf(half, dist);
  return half;
}

/** Whether two sides are on one plane, but for rounding in double. */
const isSamePlane = (a: RoundedSide, b: RoundedSide): boolean =>
  Math.abs(a.dist - b.dist) < 1e-9 && a.normal.every((x, k) => Math.abs(x - b.normal[k]!) < 1e-12);

/** The corners of a polygon that are not the same as the next; none if there are fewer than three. */
function apartFromNext(points: Winding): Winding {
  const apart: number[] = [];
  const { length } = points;
  for (let k = 0; k < length; k += 3) {
    const next = k + 3 === length ? 0 : k + 3;
    if (!isSame(points, k, points, next)) apart.push(points[k]!, points[k + 1]!, points[k + 2]!);
  }
  return apart.length >= 9 ? apart : [];
}

function isSame(a: ArrayLike<number>, i: number, b: Winding, k: number): boolean {
  const x = a[i]! - b[k]!;
  const y = a[i + 1]! - b[k + 1]!;
  const z = a[i + 2]! - b[k + 2]!;
  // Most differ in one coordinate.
  return Math.abs(x) <= SAME && lengthOf(x, y, z) <= SAME;
}

/** A growing list of numbers; its memory is reused. */
class Numbers {
  values: Float64Array = new Float64Array(256);
  count = 0;

  /** Makes room for more, and returns where they go. */
  add(count: number): number {
    const at = this.count;
    this.count += count;
    if (this.count > this.values.length) {
      const grown = new Float64Array(2 * this.count);
      grown.set(this.values);
      this.values = grown;
    }
    return at;
  }
}

/**
 * A shape that is being put together. There may be tens of thousands of brushes where a sphere passes, so nothing is allocated
 * but the shape.
 */
class Parts {
  private readonly _faces = new Numbers();
  private readonly _rims = new Numbers();
  private readonly _edges = new Numbers();
  private readonly _corners = new Numbers();
  /** Two corners per edge, the one with the lower number first. */
  private readonly _ends = new Numbers();

  addFace({ normal, dist, id }: RoundedSide, points: Winding): void {
    const { length } = points;
    if (length === 0) return;
    const at = this._faces.add(FACE);
    const { values } = this._faces;
    for (let k = 0; k < 3; k++) values[at + k] = normal[k]!;
    values[at + 3] = dist;
    values[at + 4] = id;
    values[at + 5] = this._rims.count / RIM;
    values[at + 6] = length / 3;
    const first = this._cornerOf(points, 0);
    let corner = first;
    for (let k = 0; k < length; k += 3) {
      const isLast = k + 3 === length;
      this._addRim(points, k, isLast ? 0 : k + 3, normal);
      const next = isLast ? first : this._cornerOf(points, k + 3);
      this._addEdge(Math.min(corner, next), Math.max(corner, next));
      corner = next;
    }
  }

  /** Adds the edge between two of some points, with its ends, or a corner if these are the same. */
  addLine(points: Winding, from: number, to: number): void {
    const a = this._cornerOf(points, from);
    const b = this._cornerOf(points, to);
    this._addEdge(Math.min(a, b), Math.max(a, b));
  }

  get isEmpty(): boolean {
    return this._faces.count === 0;
  }

  assemble(room: Room, flat: boolean): Rounded {
    room.take(this._faces.count + this._rims.count + this._edges.count + this._corners.count);
    const { numbers, at: faces } = room;
    const rims = faces + this._faces.count;
    const edges = rims + this._rims.count;
    const corners = edges + this._edges.count;
    let end = faces;
    for (const { values, count } of [this._faces, this._rims, this._edges, this._corners]) {
      for (let k = 0; k < count; k++) numbers[end++] = values[k]!;
    }
    return { numbers, faces, rims, edges, corners, end, flat };
  }

  /** Starts again with nothing. */
  clear(): void {
    for (const list of [this._faces, this._rims, this._edges, this._corners, this._ends]) list.count = 0;
  }

  /** Number of the corner at a point. */
  private _cornerOf(points: Winding, k: number): number {
    const { values, count } = this._corners;
    for (let known = 0; known < count; known += 3) if (isSame(values, known, points, k)) return known / 3;
    const at = this._corners.add(3);
    for (let axis = 0; axis < 3; axis++) this._corners.values[at + axis] = points[k + axis]!;
    return at / 3;
  }

  private _addRim(points: Winding, from: number, to: number, normal: Vec): void {
    const x = points[to]! - points[from]!;
    const y = points[to + 1]! - points[from + 1]!;
    const z = points[to + 2]! - points[from + 2]!;
    const direction = normalize([x, y, z]) ?? [0, 0, 0];
    const outward = cross(direction, normal);
    const dist = outward[0] * points[from]! + outward[1] * points[from + 1]! + outward[2] * points[from + 2]!;
    const at = this._rims.add(RIM);
    const { values } = this._rims;
    for (let k = 0; k < 3; k++) values[at + k] = outward[k]!;
    values[at + 3] = dist;
  }

  private _addEdge(a: number, b: number): void {
    if (a === b) return;
    const { values: ends, count } = this._ends;
    for (let k = 0; k < count; k += 2) if (ends[k] === a && ends[k + 1] === b) return;
    const end = this._ends.add(2);
    this._ends.values[end] = a;
    this._ends.values[end + 1] = b;
    const corners = this._corners.values;
    const at = this._edges.add(EDGE);
    const { values } = this._edges;
    const x = corners[3 * b]! - corners[3 * a]!;
    const y = corners[3 * b + 1]! - corners[3 * a + 1]!;
    const z = corners[3 * b + 2]! - corners[3 * a + 2]!;
    // Corners are apart, so there is a direction.
    const length = lengthOf(x, y, z);
    for (let k = 0; k < 3; k++) values[at + k] = corners[3 * a + k]!;
    values[at + 3] = x / length;
    values[at + 4] = y / length;
    values[at + 5] = z / length;
    values[at + 6] = length;
  }
}

/** All shapes are put together here, one after the other. */
const parts = /* @__PURE__ */ new Parts();
