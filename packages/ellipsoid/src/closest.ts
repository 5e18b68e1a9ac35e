import type { Vec3 } from '@bspkit/core';
import { checkPoint, failArgument } from '@bspkit/core/format';
import {
  AWAY,
  DISTANCE,
  findDistance,
  MULTIPLIER,
  POINT,
  reachIn,
  SCALED_NUMBERS,
  SIZE,
} from './ellipsoids.ts';
import { type Memory, MOST_DEPTH } from './kernel/memory.ts';
import { nearestOnPiece } from './kernel/nearest.ts';
import { Q_DISTANCE, Q_NEAREST, Q_RADII, Q_SCALE, Q_START, QUERY_NUMBERS } from './kernel/query.ts';
import {
  NODE_COUNT,
  NODE_LINK,
  NODE_WORDS,
  PIECE_CORNERS,
  PIECE_NUM_CORNERS,
  PIECE_POLYGON,
  PIECE_WORDS,
  POLYGON_WORDS,
} from './layout.ts';
import { checkRadii } from './radii.ts';

/** Where something is nearest to the polygons. */
export interface ContactPoint {
  /** In Quake units. */
  readonly distance: number;
  /** The nearest point of the polygons; seen from far away, only as exact as coordinates are there. */
  readonly point: readonly [number, number, number];
  /** The nearest point of the query. */
  readonly from: readonly [number, number, number];
  /** Polygon that the point is on, to be looked up with `world.polygon`. */
  readonly polygon: number;
}

type Point = [number, number, number];

/** A point of the polygons, and the nearest point of the query. */
interface Pair {
  readonly distance: number;
  readonly from: Point;
  readonly point: Point;
}

/**
 * Newton's steps to the nearest point of an edge, of which a few are usually enough; then halvings, as many as a double has bits.
 */
const NEWTON_STEPS = 16;
const MOST_STEPS = 80;
/** Shares that make no difference: of an edge, and of a distance. */
const PRECISION = 1e-14;

const AXES = [0, 1, 2] as const;

/** With these radii, scaled space is space itself. */
const UNIT: Vec3 = [1, 1, 1];

/** Read before a search begins, as reading it may run a getter that searches. */
const copyOf = (vector: Vec3): Point => [vector[0]!, vector[1]!, vector[2]!];

/** Answers questions about distances in a world. */
export class NearestFinder {
  private readonly _memory: Memory;
  private readonly _query = new Float64Array(QUERY_NUMBERS);
  private readonly _scaled = new Float64Array(SCALED_NUMBERS);
  private readonly _stack = new Int32Array(MOST_DEPTH + 1);
  private readonly _bounds = new Float64Array(MOST_DEPTH + 1);
  /** How far the query reaches in scaled space: 1 for an ellipsoid, 0 for a point. */
  private _reach = 0;

  constructor(memory: Memory) {
    this._memory = memory;
  }

  closest(point: Vec3, most: number): ContactPoint | undefined {
    checkPoint(point, 'point');
    return this._find(copyOf(point), UNIT, 0, most);
  }

  distance(center: Vec3, radii: Vec3, most: number): ContactPoint | undefined {
    checkPoint(center, 'center');
    checkRadii(radii);
    return this._find(copyOf(center), copyOf(radii), 1, most);
  }

  /**
   * Walks through the tree, the nearer child first. Boxes and pieces are ordered by {@link _bound}, so that of those that overlap
   * the query the deepest comes first, and none is looked at that is no nearer than what was found.
   */
  private _find(center: Vec3, radii: Vec3, reach: number, most: number): ContactPoint | undefined {
    if (!(typeof most === 'number' && most >= 0)) failArgument('most', '0 or more', most);
    const { _query: query, _scaled: scaled, _stack: stack, _bounds: bounds } = this;
    const { ints, places } = this._memory;
    this._reach = reach;
    for (let k = 0; k < 3; k++) {
      query[Q_START + k] = center[k]!;
      query[Q_RADII + k] = radii[k]!;
      query[Q_SCALE + k] = 1 / radii[k]!;
      scaled[SIZE + k] = radii[k]!;
    }
    let least = most;
    // Bounds are rounded, so the search goes a little farther than `most`.
    let limit = most * 1.001 + 0.001;
    let found: Pair | undefined;
    let on = 0;
    let top = 0;
    stack[top] = places.nodes.first;
    bounds[top++] = this._boxBound(places.nodes.first);
    while (top > 0) {
      const node = stack[--top]!;
      if (bounds[top]! > limit) continue;
      const count = ints[node + NODE_COUNT]!;
      const link = ints[node + NODE_LINK]!;
      if (count === 0) {
        const first = node + NODE_WORDS;
        const [own, other] = [this._boxBound(first), this._boxBound(link)];
        const isFirst = own < other ? 1 : 0;
        stack[top + isFirst] = first;
        bounds[top + isFirst] = own;
        stack[top + 1 - isFirst] = link;
        bounds[top + 1 - isFirst] = other;
        top += 2;
      }
      for (let piece = link; piece < link + count * PIECE_WORDS; piece += PIECE_WORDS) {
        nearestOnPiece(this._memory, piece, query);
        const bound = this._bound();
        if (bound > limit) continue;
        const near = reach > 0 && bound > 0 ? this._between(piece, center, radii) : this._nearest(center);
        const next = bound < 0 ? bound : near.distance;
        if (found ? next >= least : next > least) continue;
        least = next;
        // From far away, all bounds are equal except for this.
        limit = least - PRECISION * Math.abs(least);
        found = near;
        on = ints[piece + PIECE_POLYGON]!;
      }
    }
    return found && { ...found, polygon: (on - places.polygons.first) / POLYGON_WORDS };
  }

  /**
   * The least distance that something beyond the query's nearest point in scaled space can have: for an ellipsoid, that of the
   * plane through the point, perpendicular to the way there; for a point, the distance itself. If they overlap, below 0: how deep
   * it reaches in scaled space.
   */
  private _bound(): number {
    const query = this._query;
    const distance = query[Q_DISTANCE]!;
    const outside = distance - this._reach;
    if (outside <= 0) return outside;
    const x = query[Q_NEAREST]! * query[Q_SCALE]!;
    const y = query[Q_NEAREST + 1]! * query[Q_SCALE + 1]!;
    const z = query[Q_NEAREST + 2]! * query[Q_SCALE + 2]!;
    return (outside * distance) / Math.sqrt(x * x + y * y + z * z);
  }

  private _boxBound(node: number): number {
    const query = this._query;
    const { floats } = this._memory;
    let square = 0.5 - 0.5;
    let apart = 0.5 - 0.5;
    for (let k = 0; k < 3; k++) {
      const center = query[Q_START + k]!;
      const gap = Math.max(floats[node + k]! - center, center - floats[node + 3 + k]!, 0);
      const scaled = gap * query[Q_SCALE + k]!;
      const beyond = Math.max(0, gap - this._reach * query[Q_RADII + k]!);
      query[Q_NEAREST + k] = scaled;
      square += scaled * scaled;
      apart += beyond * beyond;
    }
    query[Q_DISTANCE] = Math.sqrt(square);
    const bound = this._bound();
    // Boxes are axial, so a long ellipsoid's own box gives a better bound.
    return bound > 0 ? Math.max(bound, Math.sqrt(apart)) : bound;
  }

  /** The query's nearest point, if it is a point or overlaps: then both points are the same. */
  private _nearest(center: Vec3): Pair {
    const query = this._query;
    const point = AXES.map((k) => center[k]! + query[Q_NEAREST + k]! * query[Q_RADII + k]!) as Point;
    if (this._reach > 0) return { distance: 0, from: point, point };
    return { distance: query[Q_DISTANCE]!, from: AXES.map((k) => center[k]!) as Point, point };
  }

  /** The nearest points of an ellipsoid and a piece that it does not overlap. */
  private _between(piece: number, center: Vec3, radii: Vec3): Pair {
    const scaled = this._scaled;
    const { ints, floats, doubles } = this._memory;
    const plane = piece >> 1;
    const [nx, ny, nz] = [doubles[plane]!, doubles[plane + 1]!, doubles[plane + 2]!];
    const normal: Point = [nx, ny, nz];
    const side = nx * center[0]! + ny * center[1]! + nz * center[2]! - doubles[plane + 3]!;
    const radius = reachIn(radii, normal);
    // Where the ellipsoid is nearest to the plane or, if it reaches through it, a point of both.
    const share = Math.max(-1, Math.min(1, side / radius)) / radius;
    const from = AXES.map((k) => center[k]! - share * normal[k]! * radii[k]! * radii[k]!) as Point;
    let best: Pair | undefined;
    const first = ints[piece + PIECE_CORNERS]!;
    const count = ints[piece + PIECE_NUM_CORNERS]!;
    let a = first + 3 * (count - 1);
    for (let b = first; b < first + 3 * count; a = b, b += 3) {
      const [ux, uy, uz] = AXES.map((k) => floats[b + k]! - floats[a + k]!) as Point;
      const [x, y, z] = AXES.map((k) => floats[a + k]! - from[k]!) as Point;
      // The distance in the plane is convex: unless that place is in the piece, the nearest point is on an edge whose outside it
      // is on.
      if (!(nx * (y * uz - z * uy) + ny * (z * ux - x * uz) + nz * (x * uy - y * ux) < 0)) continue;
      const along = this._alongEdge(a, b);
      const distance = scaled[DISTANCE]!;
      if (best && distance >= best.distance) continue;
      const point = AXES.map((k) => floats[a + k]! + along * (floats[b + k]! - floats[a + k]!)) as Point;
      best = { distance, from: point.map((x, k) => x - scaled[AWAY + k]!) as Point, point };
    }
    if (best) return best;
    const distance = Math.max(0, Math.abs(side) - radius);
    return {
      distance,
      from,
      point: from.map((x, k) => x - Math.sign(side) * distance * normal[k]!) as Point,
    };
  }

  /**
   * How far along the edge from corner a to b, from 0 to 1, the point nearest to the ellipsoid is. The distance is convex:
   * Newton's method finds where the slope of its square is 0, between ends that close in.
   */
  private _alongEdge(a: number, b: number): number {
    const { _query: query, _scaled: scaled } = this;
    const { floats } = this._memory;
    let [low, high, along] = [-1, 2, 0.5];
    for (let step = 0; ; step++) {
      for (let k = 0; k < 3; k++) {
        const edge = floats[b + k]! - floats[a + k]!;
        scaled[POINT + k] = floats[a + k]! - query[Q_START + k]! + along * edge;
      }
      findDistance(scaled);
      const lambda = scaled[MULTIPLIER]!;
      let [slope, bend, turn, speed] = [0, 0, 0, 0];
      for (let k = 0; k < 3; k++) {
        const edge = floats[b + k]! - floats[a + k]!;
        const size = scaled[SIZE + k]! * scaled[SIZE + k]!;
        const share = 1 / (size + lambda);
        const part = size * scaled[POINT + k]! * share * share;
        slope += edge * scaled[AWAY + k]!;
        bend += lambda * edge * edge * share;
        turn += edge * part;
        speed += scaled[POINT + k]! * part * share;
      }
      if (slope < 0) low = along;
      else high = along;
      let next = Math.max(0, Math.min(1, along - slope / (bend + (turn * turn) / speed)));
      if (step > NEWTON_STEPS || !(next > low && next < high)) {
        next = (Math.max(0, low) + Math.min(1, high)) / 2;
      }
      if (Math.abs(next - along) < PRECISION || step > MOST_STEPS) return along;
      along = next;
    }
  }
}
