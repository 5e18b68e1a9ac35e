import type { Polygon } from '@bspkit/core';
import { checkKind, checkObject } from '@bspkit/core/format';

/** How far a corner may lie outside another edge of its polygon, in Quake units: compilers round corners by as much. */
const CONVEX_TOLERANCE = 0.125;
/** A polygon with less area than this, in square Quake units, has no normal to speak of. */
const LEAST_AREA = 1e-6;
/** How far a normal's length may be off 1, and how far a corner from its polygon's plane, in Quake units. */
const NORMAL_TOLERANCE = 1e-3;
const PLANE_TOLERANCE = 0.5;

/** What is wrong with a polygon that cannot be collided with. */
export type PolygonFault = 'degenerate' | 'not convex';

/**
 * What is wrong with a polygon, if anything: degenerate (fewer than three corners, or no area to speak of), or not
 * convex, which includes corners in the wrong order and corners far from the plane.
 * @throws TypeError for anything but a polygon; RangeError for a number that is not finite, or a normal not of unit length.
 */
export function polygonFault(polygon: Polygon, number: number): PolygonFault | undefined {
  const name = `polygons()[${number}]`;
  checkObject(polygon, name, 'a polygon');
  const { vertices, normal, dist } = polygon;
  checkKind(vertices instanceof Float32Array, vertices, `${name}.vertices`, 'a Float32Array');
  checkKind(normal?.length === 3, normal, `${name}.normal`, 'three numbers');
  if (vertices.length % 3 !== 0) throw new RangeError(`${name}.vertices must hold three numbers per corner`);
  for (const [what, numbers] of [
    ['vertices', vertices],
    ['normal', normal],
    ['dist', [dist]],
  ] as const) {
    const wrong = numbers.findIndex((x) => !Number.isFinite(x));
    if (wrong >= 0) throw new RangeError(`${name}.${what} holds ${numbers[wrong]}, which is not finite`);
  }
  const [nx, ny, nz] = normal as unknown as [number, number, number];
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (Math.abs(length - 1) > NORMAL_TOLERANCE) {
    throw new RangeError(`${name}.normal must be of unit length, but its length is ${length}`);
  }
  const area = areaVector(vertices);
  if (vertices.length < 9 || areaLength(area) / 2 < LEAST_AREA) return 'degenerate';
  return isConvex(vertices, normal, dist) ? undefined : 'not convex';
}

function isConvex(vertices: Float32Array, normal: ArrayLike<number>, dist: number): boolean {
  const [nx, ny, nz] = [normal[0]!, normal[1]!, normal[2]!];
  const count = vertices.length / 3;
  for (let k = 0; k < count; k++) {
    const a = 3 * k;
    const b = 3 * ((k + 1) % count);
    const height = nx * vertices[a]! + ny * vertices[a + 1]! + nz * vertices[a + 2]! - dist;
    if (Math.abs(height) > PLANE_TOLERANCE) return false;
    const ex = vertices[b]! - vertices[a]!;
    const ey = vertices[b + 1]! - vertices[a + 1]!;
    const ez = vertices[b + 2]! - vertices[a + 2]!;
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    for (let c = 0; c < vertices.length; c += 3) {
      const px = vertices[c]! - vertices[a]!;
      const py = vertices[c + 1]! - vertices[a + 1]!;
      const pz = vertices[c + 2]! - vertices[a + 2]!;
      const inwards = nx * (ey * pz - ez * py) + ny * (ez * px - ex * pz) + nz * (ex * py - ey * px);
      if (inwards < -CONVEX_TOLERANCE * length) return false;
    }
  }
  // What winds the other way has all its corners outside, unless it is too thin to tell.
  const area = areaVector(vertices);
  return area[0] * nx + area[1] * ny + area[2] * nz > 0;
}

type Vec = [number, number, number];

/** Twice the area, along the normal, in double precision. */
function areaVector(vertices: ArrayLike<number>): Vec {
  let [x, y, z] = [0, 0, 0];
  for (let k = 3; k + 5 < vertices.length; k += 3) {
    const ax = vertices[k]! - vertices[0]!;
    const ay = vertices[k + 1]! - vertices[1]!;
    const az = vertices[k + 2]! - vertices[2]!;
    const bx = vertices[k + 3]! - vertices[0]!;
    const by = vertices[k + 4]! - vertices[1]!;
    const bz = vertices[k + 5]! - vertices[2]!;
    x += ay * bz - az * by;
    y += az * bx - ax * bz;
    z += ax * by - ay * bx;
  }
  return [x, y, z];
}

const areaLength = ([x, y, z]: Vec): number => Math.sqrt(x * x + y * y + z * z);

/** How far corners may lie beside a piece's plane, in Quake units. */
const FLAT_TOLERANCE = 1e-9;
/** Triangles thinner than this, in Quake units, are covered by their neighbours. */
const THIN = 1e-7;

/** A flat convex piece: its corners and its plane in double precision. */
export interface Piece {
  readonly corners: ArrayLike<number>;
  readonly normal: Vec;
  readonly dist: number;
}

/** A polygon's pieces: itself where it is flat and convex to the last bits, else a fan of triangles. */
export function piecesOf({ vertices }: Polygon): Piece[] {
  const whole = pieceOf(vertices);
  if (whole && isExact(whole)) return [whole];
  const pieces: Piece[] = [];
  for (let k = 3; k + 5 < vertices.length; k += 3) {
    const piece = pieceOf([...vertices.subarray(0, 3), ...vertices.subarray(k, k + 6)]);
    if (piece) pieces.push(piece);
  }
  return pieces;
}

function pieceOf(corners: ArrayLike<number>): Piece | undefined {
  const area = areaVector(corners);
  const length = areaLength(area);
  let longest = 0;
  for (let k = 0; k < corners.length; k += 3) {
    const next = (k + 3) % corners.length;
    const x = corners[next]! - corners[k]!;
    const y = corners[next + 1]! - corners[k + 1]!;
    const z = corners[next + 2]! - corners[k + 2]!;
    longest = Math.max(longest, x * x + y * y + z * z);
  }
  if (!(length > THIN * Math.sqrt(longest))) return undefined;
  const normal: Vec = [area[0] / length, area[1] / length, area[2] / length];
  const dist = normal[0] * corners[0]! + normal[1] * corners[1]! + normal[2] * corners[2]!;
  return { corners, normal, dist };
}

function isExact({ corners, normal, dist }: Piece): boolean {
  const [nx, ny, nz] = normal;
  for (let k = 0; k < corners.length; k += 3) {
    const a = k === 0 ? corners.length - 3 : k - 3;
    const c = (k + 3) % corners.length;
    const height = nx * corners[k]! + ny * corners[k + 1]! + nz * corners[k + 2]! - dist;
    if (Math.abs(height) > FLAT_TOLERANCE) return false;
    const [ex, ey, ez] = [0, 1, 2].map((i) => corners[k + i]! - corners[a + i]!) as Vec;
    const [px, py, pz] = [0, 1, 2].map((i) => corners[c + i]! - corners[k + i]!) as Vec;
    const turn = nx * (ey * pz - ez * py) + ny * (ez * px - ex * pz) + nz * (ex * py - ey * px);
    // Corners in line are wanted; the same corner twice would be an edge without direction.
    if (turn < 0 || (ex === 0 && ey === 0 && ez === 0)) return false;
  }
  return true;
}

/** Numbers that go into a key at a time. */
const KEY_NUMBERS = 1024;
const numbers: Float32Array = /* @__PURE__ */ new Float32Array(KEY_NUMBERS);
const halves: Uint16Array = /* @__PURE__ */ new Uint16Array(numbers.buffer);

/**
 * How polygons are distinguished: sources may create new objects every time. Corners by their bits, because to write
 * numbers out took most of the time that a world takes to be made.
 */
export function keyOf({ surface, vertices }: Polygon): string {
  let key = `${surface} `;
  for (let at = 0; at < vertices.length; at += KEY_NUMBERS) {
    const count = Math.min(KEY_NUMBERS, vertices.length - at);
    // Both zeros are one.
    for (let k = 0; k < count; k++) numbers[k] = vertices[at + k]! + 0;
    key += String.fromCharCode(...halves.subarray(0, 2 * count));
  }
  return key;
}
