import type { Bounds, Plane, Vec3 } from '@bspkit/core';

/** A point of a slice: along its first and second axis, in Quake units. */
export type Point2 = readonly [number, number];

/** A convex polygon of a slice, its corners in order. Empty when nothing is left of it. */
export type Polygon2 = readonly Point2[];

type Vec = readonly [number, number, number];

const dot = (a: Vec3, b: Vec3): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function normalize(v: Vec): Vec {
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
}

/** Moves that go down or up steeper than this are looked at from the side. */
const STEEP = 0.5;

/** A flat cut through the world that a move lies in: from above, or upright where the move is steep. */
export class Slice {
  /** What the picture shows: `top` has x to the right, or nearly so, `side` the move's heading; up is y or z. */
  readonly view: 'top' | 'side';
  private readonly _origin: Vec;
  private readonly _right: Vec;
  private readonly _up: Vec;

  constructor(start: Vec3, end: Vec3) {
    const way: Vec = [end[0]! - start[0]!, end[1]! - start[1]!, end[2]! - start[2]!];
    const ahead = Math.hypot(way[0], way[1]);
    this._origin = [start[0]!, start[1]!, start[2]!];
    this.view = Math.abs(way[2]) > STEEP * ahead ? 'side' : 'top';
    if (this.view === 'side') {
      this._right = ahead > 0 ? [way[0] / ahead, way[1] / ahead, 0] : [1, 0, 0];
      this._up = [0, 0, 1];
      return;
    }
    // The cut holds the move and the level line across it; its first axis is as near to x as can be.
    const across: Vec = [-way[1] / ahead, way[0] / ahead, 0];
    const normal = cross(normalize(way), across);
    const [nx, ny, nz] = normal;
    this._right = normalize([1 - nx * nx, -nx * ny, -nx * nz]);
    this._up = cross(normal, this._right);
  }

  project(point: Vec3): Point2 {
    const from = [0, 1, 2].map((k) => point[k]! - this._origin[k]!);
    return [dot(from, this._right), dot(from, this._up)];
  }

  /** How far a box reaches to the left, right, down and up of its traced point. */
  extents({ mins, maxs }: Bounds): { low: Point2; high: Point2 } {
    const reach = (axis: Vec, corner: (n: number, k: number) => number): number =>
      [0, 1, 2].reduce((sum, k) => sum + axis[k]! * corner(axis[k]!, k), 0);
    const least = (axis: Vec): number => reach(axis, (n, k) => (n < 0 ? maxs : mins)[k]!);
    const most = (axis: Vec): number => reach(axis, (n, k) => (n < 0 ? mins : maxs)[k]!);
    return { low: [least(this._right), least(this._up)], high: [most(this._right), most(this._up)] };
  }

  /** What is left of a polygon behind a plane (or in front of it). */
  clip(polygon: Polygon2, { normal, dist }: Plane, inFront = false): Polygon2 {
    const sign = inFront ? -1 : 1;
    const [a, b] = [sign * dot(normal, this._right), sign * dot(normal, this._up)];
    const c = sign * (dist - dot(normal, this._origin));
    return clipPolygon(polygon, ([x, y]) => a * x + b * y - c);
  }

  /** Where a plane crosses a polygon: the ends of a line, or undefined when it does not. */
  cut(polygon: Polygon2, { normal, dist }: Plane): readonly [Point2, Point2] | undefined {
    const [a, b] = [dot(normal, this._right), dot(normal, this._up)];
    const c = dist - dot(normal, this._origin);
    const ends: Point2[] = [];
    for (const [k, from] of polygon.entries()) {
      const to = polygon[(k + 1) % polygon.length]!;
      const [d, e] = [a * from[0] + b * from[1] - c, a * to[0] + b * to[1] - c];
      if (d < 0 !== e < 0) ends.push(between(from, to, d / (d - e)));
    }
    return ends.length === 2 ? [ends[0]!, ends[1]!] : undefined;
  }
}

const between = (from: Point2, to: Point2, part: number): Point2 => [
  from[0] + part * (to[0] - from[0]),
  from[1] + part * (to[1] - from[1]),
];

/** The part of a convex polygon where `distance` is 0 or less. */
function clipPolygon(polygon: Polygon2, distance: (point: Point2) => number): Polygon2 {
  const kept: Point2[] = [];
  for (const [k, from] of polygon.entries()) {
    const to = polygon[(k + 1) % polygon.length]!;
    const [d, e] = [distance(from), distance(to)];
    if (d <= 0) kept.push(from);
    if (d <= 0 !== e <= 0) kept.push(between(from, to, d / (d - e)));
  }
  return kept.length < 3 ? [] : kept;
}
