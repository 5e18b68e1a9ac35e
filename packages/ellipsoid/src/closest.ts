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

/** Answers questions about distances. */
export interface NearestFinder {
  closest(point: Vec3, most: number): ContactPoint | undefined;
  distance(center: Vec3, radii: Vec3, most: number): ContactPoint | undefined;
}

type Point = [number, number, number];

/** Steps in which the nearest point of an edge is halved upon: a double has no more bits. */
const HALVINGS = 60;

/** What answers questions about distances in a world. */
export function createNearest(memory: Memory): NearestFinder {
  const { ints, floats, doubles, places } = memory;
  const query = new Float64Array(QUERY_NUMBERS);
  const stack = new Int32Array(MOST_DEPTH + 1);

  /** Visits the pieces whose boxes are nearer than the best distance so far, which `visit` gives back. */
  function walk(most: number, visit: (piece: number, best: number) => number): void {
    let best = most;
    let top = 0;
    stack[top++] = places.nodes.first;
    while (top > 0) {
      const node = stack[--top]!;
      if (boxDistance(node) > best) continue;
      const count = ints[node + NODE_COUNT]!;
      const link = ints[node + NODE_LINK]!;
      if (count === 0) {
        const first = node + NODE_WORDS;
        const isFirstNearer = boxDistance(first) < boxDistance(link);
        stack[top++] = isFirstNearer ? link : first;
        stack[top++] = isFirstNearer ? first : link;
      }
      for (let k = 0; k < count; k++) best = visit(link + k * PIECE_WORDS, best);
    }
  }

  /** How far the ellipsoid's box is from a node's: never more than the ellipsoid from anything in it. */
  function boxDistance(node: number): number {
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

  function ask(center: Vec3, radii: Vec3, most: number): void {
    if (!(typeof most === 'number' && most >= 0)) failArgument('most', '0 or more', most);
    for (let k = 0; k < 3; k++) {
      query[Q_START + k] = center[k]!;
      query[Q_RADII + k] = radii[k]!;
      query[Q_SCALE + k] = radii[k] === 0 ? 1 : 1 / radii[k]!;
    }
  }

  const polygonOf = (piece: number): number =>
    (ints[piece + PIECE_POLYGON]! - places.polygons.first) / POLYGON_WORDS;

  /** The nearest points of an ellipsoid and a piece that it does not overlap. */
  function between(piece: number): { distance: number; from: Point; point: Point } {
    const [cx, cy, cz] = [query[Q_START]!, query[Q_START + 1]!, query[Q_START + 2]!];
    const radii: Point = [query[Q_RADII]!, query[Q_RADII + 1]!, query[Q_RADII + 2]!];
    const plane = piece >> 1;
    let normal: Point = [doubles[plane]!, doubles[plane + 1]!, doubles[plane + 2]!];
    let side = normal[0] * cx + normal[1] * cy + normal[2] * cz - doubles[plane + 3]!;
    if (side < 0) {
      side = -side;
      normal = [-normal[0], -normal[1], -normal[2]];
    }
    const radius = reachIn(radii, normal);
    const center: Point = [cx, cy, cz];
    const from = center.map((x, k) => x - (normal[k]! * radii[k]! * radii[k]!) / radius) as Point;
    const distance = side - radius;
    const point = from.map((x, k) => x - distance * normal[k]!) as Point;
    if (distance >= 0 && holds(piece, point)) return { distance, from, point };

    let best = { distance: Infinity, from, point };
    const first = ints[piece + PIECE_CORNERS]!;
    const count = ints[piece + PIECE_NUM_CORNERS]!;
    for (let k = 0; k < count; k++) {
      const a = first + 3 * ((k + count - 1) % count);
      const b = first + 3 * k;
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
      for (const along of [low, high, 0, 1]) {
        const p = at(along);
        const q = nearestTo(center, radii, p);
        const far = lengthOf(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
        if (far < best.distance) best = { distance: far, from: q, point: p };
      }
    }
    return best;
  }

  function holds(piece: number, point: Point): boolean {
    const saved = query.slice();
    for (let k = 0; k < 3; k++) query[Q_START + k] = point[k]!;
    nearestOnPiece(memory, piece, query);
    const distance = query[Q_DISTANCE]!;
    query.set(saved);
    return distance < 1e-9;
  }

  const ORIGIN: Point = [0, 0, 0];
  return {
    closest(point, most) {
      checkPoint(point, 'point');
      ask(point, ORIGIN, most);
      let found: ContactPoint | undefined;
      walk(most, (piece, best) => {
        // With radii of 1 scaled space is space itself; the boxes are not widened by them.
        for (let k = 0; k < 3; k++) query[Q_RADII + k] = 1;
        nearestOnPiece(memory, piece, query);
        const distance = query[Q_DISTANCE]!;
        for (let k = 0; k < 3; k++) query[Q_RADII + k] = 0;
        if (!(distance < best || (found === undefined && distance <= best))) return best;
        const from: Point = [query[Q_START]!, query[Q_START + 1]!, query[Q_START + 2]!];
        const on = from.map((x, k) => x + query[Q_NEAREST + k]!) as Point;
        found = { distance, point: on, from, polygon: polygonOf(piece) };
        return distance;
      });
      return found;
    },
    distance(center, radii, most) {
      checkPoint(center, 'center');
      checkRadii(radii);
      ask(center, radii, most);
      let found: ContactPoint | undefined;
      /** Of pieces that overlap, the one that reaches deepest into the ellipsoid. */
      let least = 1;
      walk(most, (piece, best) => {
        nearestOnPiece(memory, piece, query);
        const scaled = query[Q_DISTANCE]!;
        if (scaled < 1) {
          if (scaled >= least) return best;
          least = scaled;
          const point = [0, 1, 2].map(
            (k) => query[Q_START + k]! + query[Q_NEAREST + k]! * query[Q_RADII + k]!,
          ) as Point;
          found = { distance: 0, point, from: point, polygon: polygonOf(piece) };
          return 0;
        }
        if (least < 1) return best;
        const near = between(piece);
        if (!(near.distance < best || (found === undefined && near.distance <= best))) return best;
        found = { ...near, polygon: polygonOf(piece) };
        return near.distance;
      });
      return found;
    },
  };
}
