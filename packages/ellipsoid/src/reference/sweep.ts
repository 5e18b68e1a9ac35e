import type { FeatureStep, Vec3 } from '@bspkit/core';
import { GRAZING } from '../kernel/sweep.ts';

// What the exact sweep is, feature by feature: when a ball of radius 1, in space divided by the radii, comes to a face, an edge or
// a corner. The kernel finds only the first of all, and leaves out what cannot be it.

type Point = readonly [number, number, number];

/** A piece of a polygon: flat and convex, its corners counter-clockwise seen from where its normal points to. */
export interface Piece {
  readonly normal: Point;
  readonly dist: number;
  readonly corners: readonly Point[];
}

/** A move of an ellipsoid's middle, in Quake units. */
export interface Move {
  readonly start: Point;
  readonly move: Point;
  readonly radii: Point;
}

const dot = (a: Vec3, b: Vec3): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const along = (a: Point, time: number, b: Point): Point => [
  a[0] + time * b[0],
  a[1] + time * b[1],
  a[2] + time * b[2],
];
const over = (a: Point, b: Point): Point => [a[0] / b[0], a[1] / b[1], a[2] / b[2]];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** How far an ellipsoid reaches towards a plane with this normal. */
export const reachTowards = (radii: Point, normal: Point): number =>
  Math.sqrt(normal.reduce((sum, n, k) => sum + n * radii[k]! * n * radii[k]!, 0));

/** When the ellipsoid comes to the plane of a piece, as a fraction of the move; 0 if it starts there, -1 if it does not. */
export function planeTime({ start, move, radii }: Move, { normal, dist }: Piece): number {
  const side = dot(normal, start) - dist;
  const speed = side < 0 ? -dot(normal, move) : dot(normal, move);
  const gap = Math.abs(side) - reachTowards(radii, normal);
  if (gap < 0) return 0;
  return speed < 0 && gap < -speed ? gap / -speed : -1;
}

/** All features of a piece that the ellipsoid does not overlap at the start, and when it comes to touch each. */
export function featuresOf(move: Move, piece: Piece): FeatureStep[] {
  const { corners } = piece;
  const next = (k: number): Point => corners[(k + 1) % corners.length]!;
  return [
    feature('face', 0, corners, faceTime(move, piece)),
    ...corners.map((corner, k) => feature('edge', k, [corner, next(k)], edgeTime(move, corner, next(k)))),
    ...corners.map((corner, k) => feature('corner', k, [corner], cornerTime(move, corner))),
  ];
}

const feature = (
  name: FeatureStep['feature'],
  number: number,
  points: readonly Point[],
  enter: number,
): FeatureStep => ({
  kind: 'feature',
  feature: name,
  number,
  points: points.map(([...point]) => point),
  enter,
});

/** The plane is touched at one point: the face is met where that is within it. */
function faceTime(move: Move, piece: Piece): number {
  const { start, radii } = move;
  const { normal, dist, corners } = piece;
  const time = planeTime(move, piece);
  // What begins beside the face, between both sides of its plane, comes to an edge first.
  const reach = reachTowards(radii, normal);
  if (time < 0 || Math.abs(dot(normal, start) - dist) < reach) return -1;
  const side = dot(normal, start) < dist ? -1 : 1;
  const towards: Point = [0, 1, 2].map(
    (k) => (-side * normal[k]! * radii[k]! * radii[k]!) / reach,
  ) as unknown as Point;
  const touched = along(along(start, time, move.move), 1, towards);
  const isWithin = corners.every((corner, k) => {
    const before = corners[(k + corners.length - 1) % corners.length]!;
    return dot(normal, cross(minus(before, touched), minus(corner, touched))) >= 0;
  });
  return isWithin ? time : -1;
}

/** The line through an edge is met where the ball, seen along it, comes within 1; the edge if that is between its ends. */
function edgeTime({ start, move, radii }: Move, a: Point, b: Point): number {
  const from = over(minus(start, a), radii);
  const way = over(move, radii);
  const edge = over(minus(b, a), radii);
  const part = (p: Point): number => dot(p, edge) / dot(edge, edge);
  const time = timeWithin(along(from, -part(from), edge), along(way, -part(way), edge), move, radii);
  const place = part(along(from, time, way));
  return time >= 0 && place >= 0 && place <= 1 ? time : -1;
}

function cornerTime({ start, move, radii }: Move, corner: Point): number {
  const way = over(move, radii);
  return timeWithin(over(minus(start, corner), radii), way, move, radii);
}

/**
 * When |from + time · way| falls to 1; -1 if it does not before time 1, or if the ellipsoid, which moves by `move` in space, only
 * grazes.
 */
function timeWithin(from: Point, way: Point, move: Point, radii: Point): number {
  const approach = -dot(from, way);
  const rest = dot(from, from) - 1;
  const nearest = along(from, approach / dot(way, way), way);
  const root = Math.sqrt(dot(way, way) * (1 - dot(nearest, nearest)));
  if (!(approach > 0 && root > 0)) return -1;
  const time = rest > 0 ? rest / (approach + root) : 0;
  const normal = over(along(from, time, way), radii);
  return time < 1 && root > GRAZING * Math.sqrt(dot(move, move) * dot(normal, normal)) ? time : -1;
}
