import type { Vec3 } from '@bspkit/core';
import { checkPoint, failArgument } from '@bspkit/core/format';
import { AWAY, DISTANCE, findDistance, MULTIPLIER, POINT, SCALED_NUMBERS, SIZE } from './ellipsoids.ts';
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

/** Two points and how far they are apart, as a run of doubles: the nearest of the query, and one of the polygons. */
const APART = 0;
const FROM = 1;
const ON = 4;
const PAIR_NUMBERS = 7;

/**
 * Newton's steps to the nearest point of an edge, of which a few are usually enough; then halvings, as many as a double has bits.
 */
const NEWTON_STEPS = 16;
const MOST_STEPS = 80;
/** Shares that make no difference: of an edge, and of a distance. */
const PRECISION = 1e-14;

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
  /** The pair of the piece that was looked at last, and the nearest of all. */
  private readonly _pair = new Float64Array(PAIR_NUMBERS);
  private readonly _nearest = new Float64Array(PAIR_NUMBERS);
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
    const { _query: query, _scaled: scaled, _stack: stack, _bounds: bounds, _pair: pair } = this;
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
    let on = -1;
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
        const own = this._boxBound(first);
        const other = this._boxBound(link);
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
        if (reach > 0 && bound > 0) this._pairWith(piece, center, radii);
        else this._pairHere(center);
        const next = bound < 0 ? bound : pair[APART]!;
        if (on >= 0 ? next >= least : next > least) continue;
        least = next;
        // From far away, all bounds are equal except for this.
        limit = least - PRECISION * Math.abs(least);
        this._nearest.set(pair);
        on = ints[piece + PIECE_POLYGON]!;
      }
    }
    if (on < 0) return undefined;
    const nearest = this._nearest;
    return {
      distance: nearest[APART]!,
      from: [nearest[FROM]!, nearest[FROM + 1]!, nearest[FROM + 2]!],
      point: [nearest[ON]!, nearest[ON + 1]!, nearest[ON + 2]!],
      polygon: (on - places.polygons.first) / POLYGON_WORDS,
    };
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

  /** Makes the pair of the query's nearest point, if it is a point or overlaps: then both points are the same. */
  private _pairHere(center: Vec3): void {
    const { _query: query, _pair: pair } = this;
    const overlaps = this._reach > 0;
    pair[APART] = overlaps ? 0 : query[Q_DISTANCE]!;
    for (let k = 0; k < 3; k++) {
      const on = center[k]! + query[Q_NEAREST + k]! * query[Q_RADII + k]!;
      pair[FROM + k] = overlaps ? on : center[k]!;
      pair[ON + k] = on;
    }
  }

  /** Makes the pair of the nearest points of an ellipsoid and a piece that it does not overlap. */
  private _pairWith(piece: number, center: Vec3, radii: Vec3): void {
    const { _scaled: scaled, _pair: pair } = this;
    const { ints, floats, doubles } = this._memory;
    const plane = piece >> 1;
    const nx = doubles[plane]!;
    const ny = doubles[plane + 1]!;
    const nz = doubles[plane + 2]!;
    const side = nx * center[0]! + ny * center[1]! + nz * center[2]! - doubles[plane + 3]!;
    const rx = radii[0]! * nx;
    const ry = radii[1]! * ny;
    const rz = radii[2]! * nz;
    const radius = Math.sqrt(rx * rx + ry * ry + rz * rz);
    // Where the ellipsoid is nearest to the plane or, if it reaches through it, a point of both.
    const share = Math.max(-1, Math.min(1, side / radius)) / radius;
    const fx = center[0]! - share * nx * radii[0]! * radii[0]!;
    const fy = center[1]! - share * ny * radii[1]! * radii[1]!;
    const fz = center[2]! - share * nz * radii[2]! * radii[2]!;
    let isBeside = false;
    const first = ints[piece + PIECE_CORNERS]!;
    const count = ints[piece + PIECE_NUM_CORNERS]!;
    let a = first + 3 * (count - 1);
    for (let b = first; b < first + 3 * count; a = b, b += 3) {
      const ux = floats[b]! - floats[a]!;
      const uy = floats[b + 1]! - floats[a + 1]!;
      const uz = floats[b + 2]! - floats[a + 2]!;
      const x = floats[a]! - fx;
      const y = floats[a + 1]! - fy;
      const z = floats[a + 2]! - fz;
      // The distance in the plane is convex: unless that place is in the piece, the nearest point is on an edge whose outside it
      // is on.
      if (!(nx * (y * uz - z * uy) + ny * (z * ux - x * uz) + nz * (x * uy - y * ux) < 0)) continue;
      const along = this._alongEdge(a, b);
      const distance = scaled[DISTANCE]!;
      if (isBeside && distance >= pair[APART]!) continue;
      isBeside = true;
      pair[APART] = distance;
      for (let k = 0; k < 3; k++) {
        const on = floats[a + k]! + along * (floats[b + k]! - floats[a + k]!);
        pair[ON + k] = on;
        pair[FROM + k] = on - scaled[AWAY + k]!;
      }
    }
    if (isBeside) return;
    const distance = Math.max(0, Math.abs(side) - radius);
    const away = Math.sign(side) * distance;
    pair[APART] = distance;
    pair[FROM] = fx;
    pair[FROM + 1] = fy;
    pair[FROM + 2] = fz;
    pair[ON] = fx - away * nx;
    pair[ON + 1] = fy - away * ny;
    pair[ON + 2] = fz - away * nz;
  }

  /**
   * How far along the edge from corner a to b, from 0 to 1, the point nearest to the ellipsoid is. The distance is convex:
   * Newton's method finds where the slope of its square is 0, between ends that close in.
   */
  private _alongEdge(a: number, b: number): number {
    const { _query: query, _scaled: scaled } = this;
    const { floats } = this._memory;
    let low = -1;
    let high = 2;
    let along = 0.5;
    for (let step = 0; ; step++) {
      for (let k = 0; k < 3; k++) {
        const edge = floats[b + k]! - floats[a + k]!;
        scaled[POINT + k] = floats[a + k]! - query[Q_START + k]! + along * edge;
      }
      findDistance(scaled);
      const lambda = scaled[MULTIPLIER]!;
      let slope = 0.5 - 0.5;
      let bend = 0.5 - 0.5;
      let turn = 0.5 - 0.5;
      let speed = 0.5 - 0.5;
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
