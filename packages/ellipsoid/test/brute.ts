import type { Polygon, Vec3 } from '@bspkit/core';

// The sweep by brute force: the distance of every triangle from the moving centre, in space divided by the radii. The distance
// from a convex body is convex in time, so its minimum is found by narrowing an interval, and then the first time at which it is
// 1. Nothing of the package is used: no tree, no pieces, no contact formula.

/** A triangle: the polygon that it is a part of, and its corners, nine numbers. */
export interface Triangle {
  readonly polygon: number;
  readonly corners: Float64Array;
}

export function trianglesOf(polygons: readonly Polygon[]): Triangle[] {
  const triangles: Triangle[] = [];
  for (const [polygon, { vertices }] of polygons.entries()) {
    for (let k = 3; k + 5 < vertices.length; k += 3) {
      const corners = Float64Array.of(...vertices.subarray(0, 3), ...vertices.subarray(k, k + 6));
      triangles.push({ polygon, corners });
    }
  }
  return triangles;
}

export interface BruteAnswer {
  /** First contact; 1 if there is none. */
  readonly time: number;
  /**
   * The same if other parts of polygons overlapped at the start count, as they do when the polygon is stored in pieces: either
   * answer is right.
   */
  readonly inPieces: number;
  /** The move glides past something so closely that a last bit decides, or begins at a surface. */
  readonly close: boolean;
  /** The ellipsoid overlaps something at the start. */
  readonly overlaps: boolean;
}

/** So close to touching that either answer is right, in scaled units. */
const CLOSE = 1e-9;
const NARROWINGS = 60;
const GOLD: number = (Math.sqrt(5) - 1) / 2;

const t: Float64Array = new Float64Array(9);

export function bruteSweep(triangles: readonly Triangle[], start: Vec3, end: Vec3, radii: Vec3): BruteAnswer {
  const at = [0, 1, 2].map((k) => start[k]! / radii[k]!) as [number, number, number];
  const move = [0, 1, 2].map((k) => (end[k]! - start[k]!) / radii[k]!) as [number, number, number];
  const speed = Math.sqrt(move[0] ** 2 + move[1] ** 2 + move[2] ** 2);
  const distance = (time: number): number =>
    triangleDistance(at[0] + time * move[0], at[1] + time * move[1], at[2] + time * move[2]);
  const step = 1e-6 / Math.max(speed, 1e-6);
  let close = false;
  let deeper = false;
  /** Distances of overlapped polygons, at the start and a little later. */
  const overlapped = new Map<number, [number, number]>();
  const ahead: Triangle[] = [];
  for (const triangle of triangles) {
    useTriangle(triangle, radii);
    if (isFar(...at, ...move, 1)) continue;
    const first = distance(0);
    if (Math.abs(first - 1) < CLOSE) close = true;
    if (first > 1) {
      ahead.push(triangle);
      continue;
    }
    const later = distance(step);
    if (Math.abs(later - first) < 1e-12) close = true;
    if (later < first) deeper = true;
    const [least, next] = overlapped.get(triangle.polygon) ?? [Infinity, Infinity];
    overlapped.set(triangle.polygon, [Math.min(least, first), Math.min(next, later)]);
  }
  const overlaps = overlapped.size > 0;
  // The move goes deeper into a polygon as a whole if it goes deeper into the nearest triangle.
  for (const [least, next] of overlapped.values()) {
    if (next < least) return { time: 0, inPieces: 0, close, overlaps };
  }
  let time = 1;
  let inPieces = deeper ? 0 : 1;
  for (const triangle of ahead) {
    const isPart = overlapped.has(triangle.polygon);
    const best = isPart ? inPieces : Math.max(time, inPieces);
    useTriangle(triangle, radii);
    if (isFar(...at, ...move, best)) continue;
    const least = leastOf(distance, best);
    if (Math.abs(distance(least) - 1) < CLOSE) close = true;
    if (distance(least) > 1) continue;
    let [outside, inside] = [0, least];
    for (let k = 0; k < NARROWINGS; k++) {
      const middle = (outside + inside) / 2;
      if (distance(middle) > 1) outside = middle;
      else inside = middle;
    }
    inPieces = Math.min(inPieces, inside);
    if (!isPart) time = Math.min(time, inside);
  }
  return { time, inPieces, close, overlaps };
}

/** Where a convex function has its minimum, from 0 to `most`, or any place where it is `enough` or less: by golden section. */
export function leastOf(distance: (time: number) => number, most: number, enough = 1): number {
  let [low, high] = [0, most];
  let [p, q] = [high - GOLD * (high - low), low + GOLD * (high - low)];
  let [dp, dq] = [distance(p), distance(q)];
  for (let k = 0; k < NARROWINGS && Math.min(dp, dq) > enough; k++) {
    if (dp < dq) {
      [high, q, dq] = [q, p, dp];
      p = high - GOLD * (high - low);
      dp = distance(p);
    } else {
      [low, p, dp] = [p, q, dq];
      q = low + GOLD * (high - low);
      dq = distance(q);
    }
  }
  const least = dp < dq ? p : q;
  return distance(most) < distance(least) ? most : least;
}

/** Stores a triangle, divided by the radii, where the functions below look for it. */
export function useTriangle({ corners }: Triangle, radii: Vec3): void {
  for (let k = 0; k < 9; k++) t[k] = corners[k]! / radii[k % 3]!;
}

/** Whether the bounding ball of a triangle stays clear of the path, so that the triangle can be skipped. */
function isFar(
  ax: number,
  ay: number,
  az: number,
  mx: number,
  my: number,
  mz: number,
  best: number,
): boolean {
  const x = (t[0]! + t[3]! + t[6]!) / 3 - ax;
  const y = (t[1]! + t[4]! + t[7]!) / 3 - ay;
  const z = (t[2]! + t[5]! + t[8]!) / 3 - az;
  let square = 0;
  for (let k = 0; k < 9; k += 3) {
    square = Math.max(square, (t[k]! - ax - x) ** 2 + (t[k + 1]! - ay - y) ** 2 + (t[k + 2]! - az - z) ** 2);
  }
  const mm = mx * mx + my * my + mz * mz;
  const along = mm > 0 ? Math.min(best, Math.max(0, (x * mx + y * my + z * mz) / mm)) : 0;
  const away = (x - along * mx) ** 2 + (y - along * my) ** 2 + (z - along * mz) ** 2;
  return Math.sqrt(away) > Math.sqrt(square) + 1.001;
}

/** How far a point is from the triangle `t`: from its face if it projects onto that, else from the nearest edge. */
export function triangleDistance(px: number, py: number, pz: number): number {
  const ux = t[3]! - t[0]!;
  const uy = t[4]! - t[1]!;
  const uz = t[5]! - t[2]!;
  const vx = t[6]! - t[0]!;
  const vy = t[7]! - t[1]!;
  const vz = t[8]! - t[2]!;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const square = nx * nx + ny * ny + nz * nz;
  const wx = px - t[0]!;
  const wy = py - t[1]!;
  const wz = pz - t[2]!;
  // Barycentric coordinates of the foot of the perpendicular.
  const b = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / square;
  const c = ((uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz) / square;
  if (b >= 0 && c >= 0 && b + c <= 1) return Math.abs(wx * nx + wy * ny + wz * nz) / Math.sqrt(square);
  return Math.min(side(0, 3, px, py, pz), side(3, 6, px, py, pz), side(6, 0, px, py, pz));
}

function side(a: number, b: number, px: number, py: number, pz: number): number {
  const ex = t[b]! - t[a]!;
  const ey = t[b + 1]! - t[a + 1]!;
  const ez = t[b + 2]! - t[a + 2]!;
  const wx = px - t[a]!;
  const wy = py - t[a + 1]!;
  const wz = pz - t[a + 2]!;
  const along = Math.min(1, Math.max(0, (ex * wx + ey * wy + ez * wz) / (ex * ex + ey * ey + ez * ez)));
  return Math.sqrt((wx - along * ex) ** 2 + (wy - along * ey) ** 2 + (wz - along * ez) ** 2);
}
