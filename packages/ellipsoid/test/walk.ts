import type { PolygonSource, Vec3 } from '@bspkit/core';
import { between, createRandom, direction } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { type Triangle, triangleDistance, trianglesOf, useTriangle } from './brute.ts';

/** Moves by one frame: writes the new centre to `position`, and returns the normals that it met, three numbers each. */
export type MoveFrame = (
  position: Float32Array,
  to: Vec3,
) => { contacts: number; normals: ArrayLike<number> };

export interface WalkReport {
  readonly frames: number;
  /** Distance covered, in Quake units. */
  readonly path: number;
  /** Frames on the ground. */
  readonly grounded: number;
  /** How often the centre crossed a polygon, from either side. */
  readonly crossed: number;
  /** Deepest overlap seen, in scaled units. */
  readonly deepest: number;
  /** Lowest centre. */
  readonly lowest: number;
}

const FRAME = 1 / 60;
const GRAVITY = 800;
const SPEED = 320;
const JUMP = 270;

/**
 * Walks about with gravity: runs this way and that, and jumps now and then. The result is checked against all triangles, without
 * the package.
 */
export function walk(
  source: PolygonSource,
  start: Vec3,
  radii: Vec3,
  frames: number,
  seed: number,
  moveFrame: MoveFrame,
): WalkReport {
  const random = createRandom(seedOf(seed));
  const polygons = source.polygons().filter((polygon) => source.isSolid(polygon));
  const triangles = trianglesOf(polygons);
  const boxes = boxesOf(triangles);
  const position = Float32Array.from([start[0]!, start[1]!, start[2]!]);
  const before = new Float32Array(3);
  const to = new Float64Array(3);
  let way: readonly number[] = direction(random, true);
  let velocity = 0;
  let ground = false;
  let [path, grounded, crossed, deepest, lowest] = [0, 0, 0, 0, Infinity];
  for (let frame = 0; frame < frames; frame++) {
    if (random() < FRAME) way = direction(random, true);
    velocity -= GRAVITY * FRAME;
    if (ground && random() < FRAME / 2) velocity = JUMP;
    before.set(position);
    for (let k = 0; k < 2; k++) to[k] = position[k]! + SPEED * FRAME * way[k]!;
    to[2] = position[2]! + velocity * FRAME;
    const { contacts, normals } = moveFrame(position, to);
    ground = false;
    for (let k = 0; k < contacts; k++) {
      const up = normals[3 * k + 2]!;
      if (up > 0.7) ground = true;
      if (up > 0.7 || (up < -0.7 && velocity > 0)) velocity = Math.max(-1, Math.min(1, velocity));
    }
    if (ground) grounded++;
    path += Math.hypot(position[0]! - before[0]!, position[1]! - before[1]!, position[2]! - before[2]!);
    lowest = Math.min(lowest, position[2]!);
    if (crosses(triangles, boxes, before, position)) crossed++;
    if (frame % 60 === 0) deepest = Math.max(deepest, 1 - scaledDistance(triangles, boxes, position, radii));
  }
  return { frames, path, grounded, crossed, deepest, lowest };
}

export function boxesOf(triangles: readonly Triangle[]): Float64Array {
  const boxes = new Float64Array(6 * triangles.length);
  for (const [i, { corners }] of triangles.entries()) {
    for (let k = 0; k < 3; k++) {
      boxes[6 * i + k] = Math.min(corners[k]!, corners[k + 3]!, corners[k + 6]!);
      boxes[6 * i + 3 + k] = Math.max(corners[k]!, corners[k + 3]!, corners[k + 6]!);
    }
  }
  return boxes;
}

/** Whether the path of a point goes through any triangle. */
export function crosses(triangles: readonly Triangle[], boxes: Float64Array, from: Vec3, to: Vec3): boolean {
  for (let i = 0; i < triangles.length; i++) {
    if (!touchesBox(boxes, 6 * i, from, to, 0, 0, 0)) continue;
    const c = triangles[i]!.corners;
    const at = (point: Vec3, k: number): number => point[k]! - c[k]!;
    const [ux, uy, uz] = [c[3]! - c[0]!, c[4]! - c[1]!, c[5]! - c[2]!];
    const [vx, vy, vz] = [c[6]! - c[0]!, c[7]! - c[1]!, c[8]! - c[2]!];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const a = nx * at(from, 0) + ny * at(from, 1) + nz * at(from, 2);
    const b = nx * at(to, 0) + ny * at(to, 1) + nz * at(to, 2);
    if (!(a * b < 0)) continue;
    const t = a / (a - b);
    const [wx, wy, wz] = [0, 1, 2].map((k) => at(from, k) + t * (to[k]! - from[k]!)) as [
      number,
      number,
      number,
    ];
    const square = nx * nx + ny * ny + nz * nz;
    const p = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / square;
    const q = ((uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz) / square;
    if (p >= 0 && q >= 0 && p + q <= 1) return true;
  }
  return false;
}

function touchesBox(
  boxes: Float64Array,
  at: number,
  from: Vec3,
  to: Vec3,
  rx: number,
  ry: number,
  rz: number,
): boolean {
  return !(
    Math.min(from[0]!, to[0]!) - rx > boxes[at + 3]! ||
    Math.max(from[0]!, to[0]!) + rx < boxes[at]! ||
    Math.min(from[1]!, to[1]!) - ry > boxes[at + 4]! ||
    Math.max(from[1]!, to[1]!) + ry < boxes[at + 1]! ||
    Math.min(from[2]!, to[2]!) - rz > boxes[at + 5]! ||
    Math.max(from[2]!, to[2]!) + rz < boxes[at + 2]!
  );
}

/** The scaled distance of a centre from the triangles near it; 2 if there are none. */
function scaledDistance(
  triangles: readonly Triangle[],
  boxes: Float64Array,
  center: Vec3,
  radii: Vec3,
): number {
  let least = 2;
  for (let i = 0; i < triangles.length; i++) {
    if (!touchesBox(boxes, 6 * i, center, center, radii[0]!, radii[1]!, radii[2]!)) continue;
    useTriangle(triangles[i]!, radii);
    const [x, y, z] = [center[0]! / radii[0]!, center[1]! / radii[1]!, center[2]! / radii[2]!];
    least = Math.min(least, triangleDistance(x, y, z));
  }
  return least;
}

/** Random moves of a length at which a fast object would go through walls. */
export function* fastMoves(
  starts: readonly Vec3[],
  length: number,
  count: number,
  seed: number,
): Generator<readonly [Vec3, Vec3]> {
  const random = createRandom(seedOf(seed));
  for (let k = 0; k < count; k++) {
    const start = starts[Math.floor(between(random, 0, starts.length))]!;
    const way = direction(random);
    yield [start, way.map((x, i) => Math.fround(start[i]! + length * x))];
  }
}
