import type { Plane, Vec3 } from '@bspkit/core';
import {
  clipBehindAll,
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
const OUTLINE = 128;

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

  /** A box around the origin as the slice cuts it: by its corners. */
  box(half: Vec3): Point2[] {
    const size = 2 * Math.hypot(...half);
    const sides = [0, 1, 2].flatMap((axis) =>
      [1, -1].map((sign) => ({
        normal: [0, 1, 2].map((k) => (k === axis ? sign : 0)),
        dist: half[axis]! + sign * this._origin[axis]!,
      })),
    );
    const cut = clipBehindAll(this.rectangle([-size, -size], [size, size]), sides, 0);
    return this.points(cut ?? []);
  }

  /** A direction as the slice shows it. */
  direction(way: Vec3): Point2 {
    return [dot(way, this._right), dot(way, this._up)];
  }

  /** An ellipsoid around the origin as the slice cuts it, point by point. */
  ellipsoid(radii: Vec3): Point2[] {
    const form: Form = (a, b) => a.reduce((sum, x, k) => sum + (x * b[k]!) / (radii[k]! * radii[k]!), 0);
    return this._around(form, (way) => 1 / Math.sqrt(form(way, way)));
  }

  /** A capsule around the origin as the slice cuts it, point by point: `line` leads to the middle of one of its ends. */
  capsule(line: Vec3, radius: number): Point2[] {
    const length = Math.hypot(...line);
    // An ellipsoid that is as long and as wide.
    const narrow = radius / (length + radius);
    const stretch = length > 0 ? (narrow * narrow - 1) / (length * length) : 0;
    const form: Form = (a, b) => dot(a, b) + stretch * dot(a, line) * dot(b, line);
    return this._around(form, (way) => {
      const along = Math.abs(dot(way, line));
      const aside = Math.sqrt(Math.max(0, length * length - along * along));
      const far = (radius * length) / aside;
      // Out through the side, or through an end.
      return far * along <= length * length
        ? far
        : along + Math.sqrt(Math.max(0, radius * radius - aside * aside));
    });
  }

  /**
   * The outline of something round by how far it reaches in each direction. `form` is that of an ellipsoid that is about as long and
   * wide: in the directions of that, points are as near to each other as the outline needs.
   */
  private _around(form: Form, reach: (way: Vec) => number): Point2[] {
    const { _right: right, _up: up } = this;
    // The ellipse that the slice cuts out of the ellipsoid is a circle that is stretched and slanted.
    const wide = Math.sqrt(form(right, right));
    const slant = form(right, up) / wide;
    const high = Math.sqrt(form(up, up) - slant * slant);
    return Array.from({ length: OUTLINE }, (_, k) => {
      const angle = (2 * Math.PI * k) / OUTLINE;
      const y = Math.sin(angle) / high;
      const x = (Math.cos(angle) - slant * y) / wide;
      const size = Math.hypot(x, y);
      const far = reach([0, 1, 2].map((k) => (x * right[k]! + y * up[k]!) / size) as Vec) / size;
      return [far * x, far * y];
    });
  }
}

/** A quadratic form of two vectors. */
type Form = (a: Vec, b: Vec) => number;

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
