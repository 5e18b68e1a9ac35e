import type { Polygon } from '@bspkit/core';
import { checkArrayOf, checkKind, checkMask, checkObject } from '@bspkit/core/format';

/** How far a corner may be outside another edge of its polygon, in Quake units: compilers round corners by as much. */
const CONVEX_TOLERANCE = 0.125;
/** A polygon with less area than this, in square Quake units, has no reliable normal. */
const LEAST_AREA = 1e-6;
/** The most corners of a polygon: each is compared with every edge. Compilers write a few dozen. */
const MOST_CORNERS = 1024;
/** How far a normal's length may be from 1, and a corner from its polygon's plane, in Quake units. */
const NORMAL_TOLERANCE = 1e-3;
const PLANE_TOLERANCE = 0.5;

/** Numbers that traces report, 32 bits each. */
const NUMBERS = ['texture', 'contents', 'surface'] as const satisfies readonly (keyof Polygon)[];

/** What is wrong with a polygon that cannot be collided with. */
export type PolygonFault = 'degenerate' | 'not convex';

/**
 * What is wrong with a polygon, if anything: degenerate (fewer than three corners, or almost no area), or not convex, which
 * includes corners in the wrong order and corners far from the plane.
 * @throws TypeError for anything but a polygon; RangeError for a number that is not finite or, if it is one that traces report,
 *   not of 32 bits, for a normal not of unit length, and for more than 1,024 corners.
 */
export function polygonFault(polygon: Polygon, number: number): PolygonFault | undefined {
  const name = `polygons()[${number}]`;
  checkObject(polygon, name, 'a polygon');
  const { vertices, normal, dist } = polygon;
  checkArrayOf(vertices, Float32Array, `${name}.vertices`);
  checkKind(normal?.length === 3, normal, `${name}.normal`, 'three numbers');
  if (vertices.length % 3 !== 0) throw new RangeError(`${name}.vertices must hold three numbers per corner`);
  if (vertices.length > 3 * MOST_CORNERS) {
    throw new RangeError(`${name} has ${vertices.length / 3} corners; at most ${MOST_CORNERS} are accepted`);
  }
  checkNumbers(vertices, name, 'vertices');
  checkNumbers(normal, name, 'normal');
  if (!Number.isFinite(dist)) throw new RangeError(`${name}.dist holds ${dist}, which is not finite`);
  const [nx, ny, nz] = [normal[0]!, normal[1]!, normal[2]!];
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (Math.abs(length - 1) > NORMAL_TOLERANCE) {
    throw new RangeError(`${name}.normal must be of unit length, but its length is ${length}`);
  }
  for (const field of NUMBERS) checkMask(polygon[field], `${name}.${field}`);
  const area = areaVector(vertices);
  if (vertices.length < 9 || areaLength(area) / 2 < LEAST_AREA) return 'degenerate';
  return isConvex(vertices, normal, dist) ? undefined : 'not convex';
}

function checkNumbers(numbers: ArrayLike<number>, name: string, what: string): void {
  for (let k = 0; k < numbers.length; k++) {
    const x = numbers[k]!;
    if (!Number.isFinite(x)) throw new RangeError(`${name}.${what} holds ${x}, which is not finite`);
  }
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
  // A polygon that winds the other way has all its corners outside, unless it is too thin to tell.
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

/** How far corners may be from a piece's plane, in Quake units. */
const FLAT_TOLERANCE = 1e-9;
/** Triangles thinner than this, in Quake units, are covered by their neighbours. */
const THIN = 1e-7;

/** In place of where a piece's second corner begins: all corners. */
const WHOLE = 0;

/** A flat convex piece of a polygon: its corners and its plane in double precision. */
export interface Piece {
  readonly corners: Float32Array;
  readonly normal: Vec;
  readonly dist: number;
}

/** Numbers that {@link addPieces} writes per piece: that of the polygon, and {@link pieceOf}'s `second`. */
export const PIECE_NUMBERS = 2;

/**
 * Adds a polygon's pieces: itself if it is flat and convex to the last bits, else a fan of triangles. Numbers, as that many objects
 * would take more memory than the world that is made of them. A long polygon may be too thin to have any: then it is
 * degenerate.
 */
export function addPieces(pieces: number[], { vertices }: Polygon, number: number): PolygonFault | undefined {
  const before = pieces.length;
  const whole = pieceOf(vertices, WHOLE);
  if (whole && isExact(whole)) pieces.push(number, WHOLE);
  else for (let k = 3; k + 5 < vertices.length; k += 3) if (pieceOf(vertices, k)) pieces.push(number, k);
  return pieces.length > before ? undefined : 'degenerate';
}

/** Coordinates of a triangle. */
export const TRIANGLE_NUMBERS = 9;

/** Whether a piece is all of its polygon, by {@link pieceOf}'s `second`. */
export const isWhole = (second: number): boolean => second === WHOLE;

/**
 * A piece of a polygon: the triangle of the polygon's first corner, the one that begins at `second`, and the next, or all of it.
 * Nothing if it is too thin.
 */
export function pieceOf(vertices: Float32Array, second: number): Piece | undefined {
  let corners = vertices;
  if (second !== WHOLE) {
    corners = new Float32Array(TRIANGLE_NUMBERS);
    for (let i = 0; i < TRIANGLE_NUMBERS; i++) corners[i] = vertices[i < 3 ? i : second + i - 3]!;
  }
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
    const ex = corners[k]! - corners[a]!;
    const ey = corners[k + 1]! - corners[a + 1]!;
    const ez = corners[k + 2]! - corners[a + 2]!;
    const px = corners[c]! - corners[k]!;
    const py = corners[c + 1]! - corners[k + 1]!;
    const pz = corners[c + 2]! - corners[k + 2]!;
    const turn = nx * (ey * pz - ez * py) + ny * (ez * px - ex * pz) + nz * (ex * py - ey * px);
    // Corners in line are fine; the same corner twice would be an edge without direction.
    if (turn < 0 || (ex === 0 && ey === 0 && ez === 0)) return false;
  }
  return true;
}
