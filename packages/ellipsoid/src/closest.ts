import type { Vec3 } from '@bspkit/core';
import { checkPoint, failArgument } from '@bspkit/core/format';
import { lengthOf } from '@bspkit/geometry';
import { nearestTo, reachIn } from './ellipsoids.ts';
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

/** Where something comes nearest to the polygons. */
export interface ContactPoint {
  /** In Quake units. */
  readonly distance: number;
  /** The nearest point of the polygons. */
  readonly point: readonly [number, number, number];
  /** The nearest point of what was asked about. */
  readonly from: readonly [number, number, number];
  /** Polygon that the point is on, to be looked up with `world.polygon`. */
  readonly polygon: number;
}

type Point = [number, number, number];

/** A point of the polygons, and the nearest point of what was asked about. */
interface Pair {
  readonly distance: number;
  readonly from: Point;
  readonly point: Point;
}

/** Steps in which the nearest point of an edge is halved upon: a double has no more bits. */
const HALVINGS = 60;

const ORIGIN: Point = [0, 0, 0];

/** Answers questions about distances in a world. */
export class NearestFinder {
  private readonly _memory: Memory;
  private readonly _query = new Float64Array(QUERY_NUMBERS);
  private readonly _stack = new Int32Array(MOST_DEPTH + 1);

  constructor(memory: Memory) {
    this._memory = memory;
  }

  closest(point: Vec3, most: number): ContactPoint | undefined {
    checkPoint(point, 'point');
    this._ask(point, ORIGIN, most);
    const { _memory: memory, _query: query } = this;
    let found: ContactPoint | undefined;
    this._walk(most, (piece, best) => {
      // With radii of 1 scaled space is space itself; the boxes are not widened by them.
      for (let k = 0; k < 3; k++) query[Q_RADII + k] = 1;
      nearestOnPiece(memory, piece, query);
      const distance = query[Q_DISTANCE]!;
      for (let k = 0; k < 3; k++) query[Q_RADII + k] = 0;
      if (!(distance < best || (found === undefined && distance <= best))) return best;
      const from: Point = [query[Q_START]!, query[Q_START + 1]!, query[Q_START + 2]!];
      const on = from.map((x, k) => x + query[Q_NEAREST + k]!) as Point;
      found = { distance, point: on, from, polygon: this._polygonOf(piece) };
      return distance;
    });
    return found;
  }

  distance(center: Vec3, radii: Vec3, most: number): ContactPoint | undefined {
    checkPoint(center, 'center');
    checkRadii(radii);
    this._ask(center, radii, most);
    const { _memory: memory, _query: query } = this;
    let found: ContactPoint | undefined;
    /** Of pieces that overlap, the one that reaches deepest into the ellipsoid. */
    let least = 1;
    this._walk(most, (piece, best) => {
      nearestOnPiece(memory, piece, query);
      const scaled = query[Q_DISTANCE]!;
      if (scaled < 1) {
        if (scaled >= least) return best;
        least = scaled;
        const point = [0, 1, 2].map(
          (k) => query[Q_START + k]! + query[Q_NEAREST + k]! * query[Q_RADII + k]!,
        ) as Point;
        found = { distance: 0, point, from: point, polygon: this._polygonOf(piece) };
        return 0;
      }
      if (least < 1) return best;
      const near = this._between(piece);
      if (!(near.distance < best || (found === undefined && near.distance <= best))) return best;
      found = { ...near, polygon: this._polygonOf(piece) };
      return near.distance;
    });
    return found;
  }

  private _ask(center: Vec3, radii: Vec3, most: number): void {
    if (!(typeof most === 'number' && most >= 0)) failArgument('most', '0 or more', most);
    const query = this._query;
    for (let k = 0; k < 3; k++) {
      query[Q_START + k] = center[k]!;
      query[Q_RADII + k] = radii[k]!;
      query[Q_SCALE + k] = radii[k] === 0 ? 1 : 1 / radii[k]!;
    }
  }

  /** Visits the pieces whose boxes are nearer than the best distance so far, which `visit` gives back. */
  private _walk(most: number, visit: (piece: number, best: number) => number): void {
    const { _stack: stack } = this;
    const { ints, places } = this._memory;
    let best = most;
    let top = 0;
    stack[top++] = places.nodes.first;
    while (top > 0) {
      const node = stack[--top]!;
      if (this._boxDistance(node) > best) continue;
      const count = ints[node + NODE_COUNT]!;
      const link = ints[node + NODE_LINK]!;
      if (count === 0) {
        const first = node + NODE_WORDS;
        const isFirstNearer = this._boxDistance(first) < this._boxDistance(link);
        stack[top++] = isFirstNearer ? link : first;
        stack[top++] = isFirstNearer ? first : link;
      }
      for (let k = 0; k < count; k++) best = visit(link + k * PIECE_WORDS, best);
    }
  }

  /** How far the ellipsoid's box is from a node's: never more than the ellipsoid from anything in it. */
  private _boxDistance(node: number): number {
    const query = this._query;
    const { floats } = this._memory;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const center = query[Q_START + k]!;
      const low = floats[node + k]! - query[Q_RADII + k]! - center;
      const high = center - query[Q_RADII + k]! - floats[node + 3 + k]!;
      const gap = Math.max(low, high, 0);
      square += gap * gap;
    }
    return Math.sqrt(square);
  }

  /** The nearest points of an ellipsoid and a piece that it does not overlap. */
  private _between(piece: number): Pair {
    const query = this._query;
    const { ints, floats, doubles } = this._memory;
    const center: Point = [query[Q_START]!, query[Q_START + 1]!, query[Q_START + 2]!];
    const radii: Point = [query[Q_RADII]!, query[Q_RADII + 1]!, query[Q_RADII + 2]!];
    const plane = piece >> 1;
    let normal: Point = [doubles[plane]!, doubles[plane + 1]!, doubles[plane + 2]!];
    let side = normal[0] * center[0] + normal[1] * center[1] + normal[2] * center[2] - doubles[plane + 3]!;
    if (side < 0) {
      side = -side;
      normal = [-normal[0], -normal[1], -normal[2]];
    }
    const radius = reachIn(radii, normal);
    const from = center.map((x, k) => x - (normal[k]! * radii[k]! * radii[k]!) / radius) as Point;
    const distance = side - radius;
    const point = from.map((x, k) => x - distance * normal[k]!) as Point;
    if (distance >= 0 && this._holds(piece, point)) return { distance, from, point };

    let best: Pair = { distance: Infinity, from, point };
    const first = ints[piece + PIECE_CORNERS]!;
    const count = ints[piece + PIECE_NUM_CORNERS]!;
    for (let k = 0; k < count; k++) {
      const a = first + 3 * ((k + count - 1) % count);
      const near = nearestOnEdge(center, radii, floats, a, first + 3 * k);
      if (near.distance < best.distance) best = near;
    }
    return best;
  }

  private _holds(piece: number, point: Point): boolean {
    const query = this._query;
    const saved = query.slice();
    for (let k = 0; k < 3; k++) query[Q_START + k] = point[k]!;
    nearestOnPiece(this._memory, piece, query);
    const distance = query[Q_DISTANCE]!;
    query.set(saved);
    return distance < 1e-9;
  }

  private _polygonOf(piece: number): number {
    const { ints, places } = this._memory;
    return (ints[piece + PIECE_POLYGON]! - places.polygons.first) / POLYGON_WORDS;
  }
}

/** The nearest points of an ellipsoid and the edge between two corners, which it does not overlap. */
function nearestOnEdge(center: Point, radii: Point, floats: Float32Array, a: number, b: number): Pair {
  const edge = [0, 1, 2].map((axis) => floats[b + axis]! - floats[a + axis]!) as Point;
  const at = (along: number): Point =>
    [0, 1, 2].map((axis) => floats[a + axis]! + along * edge[axis]!) as Point;
  // The distance is convex along the edge: halve upon the place where it stops falling.
  let [low, high] = [0, 1];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    const p = at(middle);
    const q = nearestTo(center, radii, p);
    const slope = edge.reduce((sum, x, axis) => sum + x * (p[axis]! - q[axis]!), 0);
    if (slope < 0) low = middle;
    else high = middle;
  }
  const [first, ...others] = [low, high, 0, 1].map((along): Pair => {
    const point = at(along);
    const from = nearestTo(center, radii, point);
    const distance = lengthOf(point[0] - from[0], point[1] - from[1], point[2] - from[2]);
    return { distance, from, point };
  });
  return others.reduce((best, near) => (near.distance < best.distance ? near : best), first!);
}
