import type { Bounds, Plane, Vec3 } from '@bspkit/core';
import {
  cross,
  cutWinding,
  dot,
  normalize,
  ON_EPSILON,
  subtract,
  type Vec,
  type Winding,
} from '@bspkit/geometry';

/** A point of a slice: along its first and second axis, in Quake units. */
export type Point2 = readonly [number, number];

/** Moves that are steeper than this, up or down, are seen from the side. */
const STEEP = 0.5;
/** Moves of which less than this share is level are upright: rounding may have turned them anywhere. */
const LEVEL = 1e-6;
/** Corners of the outline of something round. */
const OUTLINE = 64;

/** A flat cut through the world that contains a move: from above, or upright if the move is steep. */
export class Slice {
  /** What the picture shows: in `top`, x is to the right, or nearly so; in `side`, the move's heading is. Up is y or z. */
  readonly view: 'top' | 'side';
  private readonly _origin: Vec;
  private readonly _right: Vec;
  private readonly _up: Vec;

  /** @param view - the one to use where the move allows both. */
  constructor(start: Vec3, end: Vec3, view?: Slice['view']) {
    const way = subtract(end, start);
    const ahead = Math.hypot(way[0], way[1]);
    this._origin = [start[0]!, start[1]!, start[2]!];
    // Undefined for a move that is too short to have a direction.
    const heading = normalize(way);
    const isSteep = !heading || Math.abs(way[2]) > STEEP * ahead;
    const isUpright = !heading || Math.hypot(heading[0], heading[1]) < LEVEL;
    this.view = view && !isUpright ? view : isSteep ? 'side' : 'top';
    if (!heading || this.view === 'side') {
      this._right = ahead > 0 ? [way[0] / ahead, way[1] / ahead, 0] : [1, 0, 0];
      this._up = [0, 0, 1];
      return;
    }
    // The cut contains the move and the level line across it; its first axis is as close to x as possible.
    const normal = cross(heading, [-way[1] / ahead, way[0] / ahead, 0]);
    const [nx, ny, nz] = normal;
    this._right = normalize([1 - nx * nx, -nx * ny, -nx * nz])!;
    this._up = cross(normal, this._right);
  }

  /** The slice along a move that some points are nearest to. */
  static through(start: Vec3, end: Vec3, points: readonly Vec3[]): Slice {
    const usual = new Slice(start, end);
    const other = new Slice(start, end, usual.view === 'top' ? 'side' : 'top');
    return other.farthest(points) < usual.farthest(points) ? other : usual;
  }

  /** The plane that it is in. */
  get plane(): Plane {
    const normal = cross(this._right, this._up);
    return { normal, dist: dot(this._origin, normal) };
  }

  /** How far away the farthest of some points is, in Quake units. */
  farthest(points: readonly Vec3[]): number {
    const { normal, dist } = this.plane;
    return Math.max(...points.map((point) => Math.abs(dot(point, normal) - dist)));
  }

  project(point: Vec3): Point2 {
    const from = subtract(point, this._origin);
    return [dot(from, this._right), dot(from, this._up)];
  }

  /** Corners of a winding that is in the slice. */
  points(winding: Winding): Point2[] {
    return Array.from({ length: winding.length / 3 }, (_, k) =>
      this.project(winding.slice(3 * k, 3 * k + 3)),
    );
  }

  /** A rectangle of the slice, by its corners. */
  rectangle([left, bottom]: Point2, [right, top]: Point2): Winding {
    const at = (x: number, y: number): number[] =>
      this._origin.map((origin, k) => origin + x * this._right[k]! + y * this._up[k]!);
    return [...at(left, bottom), ...at(right, bottom), ...at(right, top), ...at(left, top)];
  }

  /** How far a box reaches to the left and down, and to the right and up, from its traced point. */
  extents({ mins, maxs }: Bounds): { low: Point2; high: Point2 } {
    const reach = (axis: Vec, corner: (n: number, k: number) => number): number =>
      [0, 1, 2].reduce((sum, k) => sum + axis[k]! * corner(axis[k]!, k), 0);
    const least = (axis: Vec): number => reach(axis, (n, k) => (n < 0 ? maxs : mins)[k]!);
    const most = (axis: Vec): number => reach(axis, (n, k) => (n < 0 ? mins : maxs)[k]!);
    return { low: [least(this._right), least(this._up)], high: [most(this._right), most(this._up)] };
  }

  /** A direction as the slice shows it. */
  direction(way: Vec3): Point2 {
    return [dot(way, this._right), dot(way, this._up)];
  }

  /** An ellipsoid around the origin as the slice cuts it, point by point. */
  ellipsoid(radii: Vec3): Point2[] {
    return around(([x, y]) => {
      const scaled = [0, 1, 2].map((axis) => (x * this._right[axis]! + y * this._up[axis]!) / radii[axis]!);
      const radius = 1 / Math.hypot(...scaled);
      return [radius * x, radius * y];
    });
  }

  /** A capsule around the origin as it is seen, point by point: the outer of its spheres are as far away as the ends of a line. */
  capsule(line: Vec3, radius: number): Point2[] {
    const [a, b] = this.direction(line);
    return around(([x, y]) => {
      const end = Math.sign(a * x + b * y);
      return [end * a + radius * x, end * b + radius * y];
    });
  }
}

/** A point of an outline in each direction. */
function around(point: (direction: Point2) => Point2): Point2[] {
  return Array.from({ length: OUTLINE }, (_, k) => {
    const angle = (2 * Math.PI * k) / OUTLINE;
    return point([Math.cos(angle), Math.sin(angle)]);
  });
}

/** Where a plane crosses a winding: the ends of a line, or `undefined` if it does not. */
export function crossing(winding: Winding, { normal, dist }: Plane): readonly [Vec, Vec] | undefined {
  const { front, back } = cutWinding(winding, normal[0]!, normal[1]!, normal[2]!, dist);
  if (!front || !back) return undefined;
  const ends: Vec[] = [];
  for (let i = 0; i < back.length; i += 3) {
    const point: Vec = [back[i]!, back[i + 1]!, back[i + 2]!];
    if (Math.abs(dot(point, normal) - dist) <= ON_EPSILON) ends.push(point);
  }
  return ends.length < 2 ? undefined : [ends[0]!, ends.at(-1)!];
}
