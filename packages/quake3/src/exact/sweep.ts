import { PASSING } from '@bspkit/geometry';
import { EDGE, FACE, RIM, type Rounded } from './shapes.ts';

// A round sphere against a convex shape, in double: faces are pushed out by the radius, edges are cylinders, corners are spheres.
// The sphere's path enters the rounded shape where it first meets one of these.

/** A sphere's move against rounded shapes, and its answer. Numbers are here, not in arguments, as V8 would box those. */
export interface RoundedMove {
  /** Start xyz, displacement to the end xyz, radius, epsilon, and how far the look that is under way keeps the middle off. */
  readonly move: Float64Array;
  /**
   * Answer: fraction, normal xyz, dist of the touching plane. Then distance and direction of the latest `measure`, a
   * point to compare with a face, and the answer of the first look while the second is under way.
   */
  readonly hit: Float64Array;
}

export const MOVE_NUMBERS = 9;
export const HIT_NUMBERS = 16;

export const M_RADIUS = 6;
export const M_EPSILON = 7;
const M_KEEP = 8;
export const H_FRACTION = 0;
export const H_NORMAL = 1;
export const H_DIST = 4;
const H_NEAR = 5;
const H_TOWARD = 6;
const H_POINT = 9;
const H_FIRST = 12;

/** What a move does with one shape. */
export const MISSED = 0;
export const HIT = 1;
const START_SOLID = 2;
export const ALL_SOLID = 3;

/** Whether the sphere, where it starts, touches or overlaps a shape. */
export function touchesRounded(rounded: Rounded, state: RoundedMove): boolean {
  measure(rounded, state, 0);
  return state.hit[H_NEAR]! <= state.move[M_RADIUS]!;
}

/**
 * Sweeps the sphere against a shape: HIT where it comes nearer than the radius and epsilon, unless it would pass the shape if
 * it went on.
 */
export function sweepRounded(rounded: Rounded, state: RoundedMove): number {
  const { move, hit } = state;
  const radius = move[M_RADIUS]!;
  const keep = radius + move[M_EPSILON]!;
  measure(rounded, state, 0);
  const near = hit[H_NEAR]!;
  if (near <= radius) {
    if (rounded.flat) return MISSED;
    measure(rounded, state, 1);
    return hit[H_NEAR]! <= radius ? ALL_SOLID : START_SOLID;
  }
  if (near < keep) {
    // Nearer than we keep, but not touching: stopped at once if the move goes even nearer.
    const approach =
      move[3]! * hit[H_TOWARD]! + move[4]! * hit[H_TOWARD + 1]! + move[5]! * hit[H_TOWARD + 2]!;
    hit[H_FRACTION] = 0;
    if (approach >= 0 || (rounded.flat && isBehind(rounded, state))) return MISSED;
    for (let k = 0; k < 3; k++) hit[H_NORMAL + k] = hit[H_TOWARD + k]!;
  } else {
    move[M_KEEP] = keep;
    hit[H_FRACTION] = 2;
    meetAll(rounded, state);
    if (hit[H_FRACTION]! > 1) return MISSED;
    hit[H_NEAR] = keep;
  }
  move[M_KEEP] = radius + PASSING * move[M_EPSILON]!;
  if (near >= move[M_KEEP]! && passes(rounded, state)) return MISSED;
  putTouchDistance(state);
  return HIT;
}

/** Whether the sphere, if it went on for ever, would leave the shape what it must to pass. The answer so far is kept. */
function passes(rounded: Rounded, state: RoundedMove): boolean {
  const { hit } = state;
  for (let k = 0; k < 4; k++) hit[H_FIRST + k] = hit[k]!;
  hit[H_FRACTION] = Number.POSITIVE_INFINITY;
  meetAll(rounded, state);
  const isFree = hit[H_FRACTION] === Number.POSITIVE_INFINITY;
  for (let k = 0; k < 4; k++) hit[k] = hit[H_FIRST + k]!;
  return isFree;
}

/** Looks for the first part of the shape that the middle comes nearer to than it is kept off. */
function meetAll(rounded: Rounded, state: RoundedMove): void {
  meetFaces(rounded, state);
  meetEdges(rounded, state);
  meetCorners(rounded, state);
}

/** Writes the distance along the normal of the point that is touched into the answer. */
function putTouchDistance({ move, hit }: RoundedMove): void {
  let dist = -hit[H_NEAR]!;
  for (let k = 0; k < 3; k++) dist += hit[H_NORMAL + k]! * (move[k]! + hit[H_FRACTION]! * move[3 + k]!);
  hit[H_DIST] = dist;
}

/** Whether the sphere's middle, at the fraction found, is behind a facet's surface. */
function isBehind({ numbers, faces }: Rounded, { move, hit }: RoundedMove): boolean {
  let d = -numbers[faces + 3]!;
  for (let k = 0; k < 3; k++) d += numbers[faces + k]! * (move[k]! + hit[H_FRACTION]! * move[3 + k]!);
  return d < 0;
}

function meetFaces(rounded: Rounded, { move, hit }: RoundedMove): void {
  const { numbers, faces, rims, flat } = rounded;
  const keep = move[M_KEEP]!;
  for (let face = faces; face < rims; face += FACE) {
    const nx = numbers[face]!;
    const ny = numbers[face + 1]!;
    const nz = numbers[face + 2]!;
    const closing = nx * move[3]! + ny * move[4]! + nz * move[5]!;
    if (closing >= 0) continue;
    const d = nx * move[0]! + ny * move[1]! + nz * move[2]! - numbers[face + 3]!;
    if (flat && d < 0) continue;
    const t = (keep - d) / closing;
    if (!(t >= 0 && t < hit[H_FRACTION]!)) continue;
    hit[H_POINT] = move[0]! + t * move[3]! - keep * nx;
    hit[H_POINT + 1] = move[1]! + t * move[4]! - keep * ny;
    hit[H_POINT + 2] = move[2]! + t * move[5]! - keep * nz;
    if (!isOnFace(rounded, face, hit)) continue;
    hit[H_FRACTION] = t;
    hit[H_NORMAL] = nx;
    hit[H_NORMAL + 1] = ny;
    hit[H_NORMAL + 2] = nz;
  }
}

/** Whether the point in the scratch, which is on a face's plane, is on the face. */
function isOnFace({ numbers, rims }: Rounded, face: number, hit: Float64Array): boolean {
  const x = hit[H_POINT]!;
  const y = hit[H_POINT + 1]!;
  const z = hit[H_POINT + 2]!;
  const first = rims + RIM * numbers[face + 5]!;
  const end = first + RIM * numbers[face + 6]!;
  for (let rim = first; rim < end; rim += RIM) {
    if (numbers[rim]! * x + numbers[rim + 1]! * y + numbers[rim + 2]! * z > numbers[rim + 3]!) return false;
  }
  return true;
}

function meetEdges(rounded: Rounded, state: RoundedMove): void {
  const { move, hit } = state;
  const { numbers, corners } = rounded;
  const keep = move[M_KEEP]!;
  for (let edge = rounded.edges; edge < corners; edge += EDGE) {
    const ux = numbers[edge + 3]!;
    const uy = numbers[edge + 4]!;
    const uz = numbers[edge + 5]!;
    const sx = move[0]! - numbers[edge]!;
    const sy = move[1]! - numbers[edge + 1]!;
    const sz = move[2]! - numbers[edge + 2]!;
    // The offset of the start, and the move, both without their part along the edge.
    const s = sx * ux + sy * uy + sz * uz;
    const m = move[3]! * ux + move[4]! * uy + move[5]! * uz;
    const px = sx - s * ux;
    const py = sy - s * uy;
    const pz = sz - s * uz;
    const dx = move[3]! - m * ux;
    const dy = move[4]! - m * uy;
    const dz = move[5]! - m * uz;
    const a = dx * dx + dy * dy + dz * dz;
    const b = px * dx + py * dy + pz * dz;
    const c = px * px + py * py + pz * pz - keep * keep;
    const discriminant = b * b - a * c;
    if (b >= 0 || discriminant < 0) continue;
    // The smaller root of a t² + 2 b t + c, where a path enters, written so that there is no cancellation.
    const t = c / (-b + Math.sqrt(discriminant));
    const place = s + t * m;
    if (!(t >= 0 && t < hit[H_FRACTION]!) || place < 0 || place > numbers[edge + 6]!) continue;
    const best = hit[H_FRACTION]!;
    hit[H_FRACTION] = t;
    if (rounded.flat && isBehind(rounded, state)) {
      hit[H_FRACTION] = best;
      continue;
    }
    hit[H_NORMAL] = px + t * dx;
    hit[H_NORMAL + 1] = py + t * dy;
    hit[H_NORMAL + 2] = pz + t * dz;
    makeUnit(hit);
  }
}

function meetCorners(rounded: Rounded, state: RoundedMove): void {
  const { move, hit } = state;
  const { numbers, end } = rounded;
  const keep = move[M_KEEP]!;
  const a = move[3]! * move[3]! + move[4]! * move[4]! + move[5]! * move[5]!;
  for (let corner = rounded.corners; corner < end; corner += 3) {
    const px = move[0]! - numbers[corner]!;
    const py = move[1]! - numbers[corner + 1]!;
    const pz = move[2]! - numbers[corner + 2]!;
    const b = px * move[3]! + py * move[4]! + pz * move[5]!;
    const c = px * px + py * py + pz * pz - keep * keep;
    const discriminant = b * b - a * c;
    if (b >= 0 || discriminant < 0) continue;
    const t = c / (-b + Math.sqrt(discriminant));
    if (!(t >= 0 && t < hit[H_FRACTION]!)) continue;
    const best = hit[H_FRACTION]!;
    hit[H_FRACTION] = t;
    if (rounded.flat && isBehind(rounded, state)) {
      hit[H_FRACTION] = best;
      continue;
    }
    hit[H_NORMAL] = px + t * move[3]!;
    hit[H_NORMAL + 1] = py + t * move[4]!;
    hit[H_NORMAL + 2] = pz + t * move[5]!;
    makeUnit(hit);
  }
}

/**
 * Gives the normal unit length. But for rounding, it is as long as the distance that is kept; rounding matters if that distance
 * is tiny, or if the move begins very far away. A normal without length is left as it is.
 */
function makeUnit(hit: Float64Array): void {
  const x = hit[H_NORMAL]!;
  const y = hit[H_NORMAL + 1]!;
  const z = hit[H_NORMAL + 2]!;
  const inverse = 1 / Math.max(Math.sqrt(x * x + y * y + z * z), 1e-300);
  hit[H_NORMAL] = x * inverse;
  hit[H_NORMAL + 1] = y * inverse;
  hit[H_NORMAL + 2] = z * inverse;
}

/** Distance of the sphere's middle from a shape at an end of the move, 0 inside, and the direction from it. */
function measure(rounded: Rounded, { move, hit }: RoundedMove, t: 0 | 1): void {
  const { numbers, faces, rims, edges, corners, end } = rounded;
  const x = move[0]! + t * move[3]!;
  const y = move[1]! + t * move[4]!;
  const z = move[2]! + t * move[5]!;
  // Nothing is inside a shape without faces: a brush without sides, or one that is too thin.
  let inside = rims > faces;
  hit[H_NEAR] = Number.POSITIVE_INFINITY;
  for (let face = faces; face < rims; face += FACE) {
    const d = numbers[face]! * x + numbers[face + 1]! * y + numbers[face + 2]! * z - numbers[face + 3]!;
    if (d > 0) inside = false;
    const distance = Math.abs(d);
    if (distance >= hit[H_NEAR]!) continue;
    hit[H_POINT] = x - d * numbers[face]!;
    hit[H_POINT + 1] = y - d * numbers[face + 1]!;
    hit[H_POINT + 2] = z - d * numbers[face + 2]!;
    if (!isOnFace(rounded, face, hit)) continue;
    hit[H_NEAR] = distance;
    const sign = d < 0 ? -1 : 1;
    for (let k = 0; k < 3; k++) hit[H_TOWARD + k] = sign * numbers[face + k]!;
  }
  // What is behind all faces of something flat may be far beside it, where its other sides are too narrow to have faces.
  if (inside && !rounded.flat && hit[H_NEAR]! < Number.POSITIVE_INFINITY) {
    hit[H_NEAR] = 0;
    return;
  }
  for (let edge = edges; edge < corners; edge += EDGE) {
    const px = x - numbers[edge]!;
    const py = y - numbers[edge + 1]!;
    const pz = z - numbers[edge + 2]!;
    const s = px * numbers[edge + 3]! + py * numbers[edge + 4]! + pz * numbers[edge + 5]!;
    // Not a choice between a constant and numbers, which V8 would box.
    const place = Math.min(Math.max(s, 0), numbers[edge + 6]!);
    const dx = px - place * numbers[edge + 3]!;
    const dy = py - place * numbers[edge + 4]!;
    const dz = pz - place * numbers[edge + 5]!;
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (distance >= hit[H_NEAR]!) continue;
    hit[H_NEAR] = distance;
    const inverse = 1 / Math.max(distance, 1e-300);
    hit[H_TOWARD] = dx * inverse;
    hit[H_TOWARD + 1] = dy * inverse;
    hit[H_TOWARD + 2] = dz * inverse;
  }
  // Corners are ends of edges, except for that of a shape without any extent.
  if (edges < corners) return;
  for (let corner = corners; corner < end; corner += 3) {
    const dx = x - numbers[corner]!;
    const dy = y - numbers[corner + 1]!;
    const dz = z - numbers[corner + 2]!;
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (distance >= hit[H_NEAR]!) continue;
    hit[H_NEAR] = distance;
    const inverse = 1 / Math.max(distance, 1e-300);
    hit[H_TOWARD] = dx * inverse;
    hit[H_TOWARD + 1] = dy * inverse;
    hit[H_TOWARD + 2] = dz * inverse;
  }
}
