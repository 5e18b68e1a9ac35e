import { ON_EPSILON, type Winding } from '@bspkit/geometry';
import { type Box, boxArea } from './box.ts';
import type { PlaneSet } from './planes.ts';
import { type Solid, solidReach } from './solid.ts';

/** A face on its way down the tree. */
export interface SplitFace {
  readonly plane: number;
  readonly winding: Winding;
  /** Middle of the face's bounds, and how far they reach from there. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly halfX: number;
  readonly halfY: number;
  readonly halfZ: number;
}

/** A brush's part in a piece of space. */
export interface BrushPiece {
  readonly brush: number;
  readonly solid: Solid;
  readonly box: Box;
}

/** How planes are weighed against each other. */
export interface SplitCosts {
  /**
   * How likely a query that meets an oblique split goes down both sides whatever its size, 0 to 1: some engines send
   * every box down both.
   */
  readonly oblique: number;
  /** Leafs with more brushes than this are split further, if it pays. */
  readonly crowd: number;
}

// More candidates than this are thinned out: the choice hardly gets better, and time grows with the square.
const CANDIDATES = 256;

/**
 * The plane of a face that splits a cell best, or -1 when there are no faces. Best is the least expected work of a
 * query that crosses the cell: the share of queries that reach each side, by its surface, times the faces left there.
 * Cut faces count on both sides, so cutting costs; planes that face each other out balance.
 */
export function chooseFacePlane(
  planes: PlaneSet,
  costs: SplitCosts,
  faces: readonly SplitFace[],
  box: Box,
): number {
  let best = -1;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const plane of candidates(faces)) {
    const { front, back, cuts } = countSides(planes, plane, faces);
    const cost = splitCost(planes, costs, plane, box, front, back) + 0.5 * cuts;
    if (cost < bestCost || (cost === bestCost && plane < best)) {
      best = plane;
      bestCost = cost;
    }
  }
  return best;
}

/** How many faces lie in front of a plane and behind it, those that it cuts counted on both sides; not those on it. */
function countSides(
  planes: PlaneSet,
  plane: number,
  faces: readonly SplitFace[],
): { front: number; back: number; cuts: number } {
  const nx = planes.nx[plane]!;
  const ny = planes.ny[plane]!;
  const nz = planes.nz[plane]!;
  const dist = planes.dist[plane]!;
  const [ax, ay, az] = [Math.abs(nx), Math.abs(ny), Math.abs(nz)];
  const isAxial = planes.type(plane) < 3;
  let front = 0;
  let back = 0;
  let cuts = 0;
  // PERF: nearly all of the compiler's time is spent here; boxes settle most faces without a look at their corners.
  for (let i = 0; i < faces.length; i++) {
    const face = faces[i]!;
    if (face.plane >> 1 === plane >> 1) continue;
    const middle = nx * face.x + ny * face.y + nz * face.z - dist;
    const reach = ax * face.halfX + ay * face.halfY + az * face.halfZ;
    let inFront = middle + reach > ON_EPSILON;
    let behind = middle - reach < -ON_EPSILON;
    if (inFront && behind && !isAxial) {
      inFront = false;
      behind = false;
      const { winding } = face;
      for (let k = 0; k < winding.length; k += 3) {
        const d = winding[k]! * nx + winding[k + 1]! * ny + winding[k + 2]! * nz - dist;
        if (d > ON_EPSILON) inFront = true;
        else if (d < -ON_EPSILON) behind = true;
      }
    }
    if (inFront || !behind) front++;
    if (behind) back++;
    if (inFront && behind) cuts++;
  }
  return { front, back, cuts };
}

/** The planes of faces, even ones, each once; where there are many, those of the largest faces and a sample. */
function candidates(faces: readonly SplitFace[]): number[] {
  const areas = new Map<number, number>();
  for (const { plane, halfX, halfY, halfZ } of faces) {
    const area = halfX * halfY + halfY * halfZ + halfZ * halfX;
    areas.set(plane & ~1, (areas.get(plane & ~1) ?? 0) + area);
  }
  const all = [...areas.keys()].sort((a, b) => a - b);
  if (all.length <= CANDIDATES) return all;
  const large = [...all].sort((a, b) => areas.get(b)! - areas.get(a)! || a - b).slice(0, CANDIDATES / 2);
  const step = all.length / (CANDIDATES / 2);
  const sample = Array.from({ length: CANDIDATES / 2 }, (_, i) => all[Math.floor(i * step)]!);
  return [...new Set([...large, ...sample])];
}

function splitCost(
  planes: PlaneSet,
  costs: SplitCosts,
  plane: number,
  box: Box,
  front: number,
  back: number,
): number {
  const [inFront, behind] = shares(planes, plane, box);
  const type = planes.type(plane);
  if (type < 3) return inFront * front + behind * back;
  const both = costs.oblique;
  return (both + (1 - both) * inFront) * front + (both + (1 - both) * behind) * back;
}

/** How much of the queries through a box reach its part in front of a plane, and its part behind it. */
function shares(planes: PlaneSet, plane: number, { mins, maxs }: Box): [number, number] {
  const type = planes.type(plane);
  const dist = planes.dist[plane]!;
  if (type < 3) {
    const whole = boxArea(mins, maxs);
    const low = [...mins];
    const high = [...maxs];
    low[type] = Math.min(Math.max(dist, mins[type]!), maxs[type]!);
    high[type] = low[type]!;
    return [boxArea(low, maxs) / whole, boxArea(mins, high) / whole];
  }
  let least = -dist;
  let greatest = -dist;
  const normal = [planes.nx[plane]!, planes.ny[plane]!, planes.nz[plane]!];
  for (let k = 0; k < 3; k++) {
    least += normal[k]! * (normal[k]! > 0 ? mins[k]! : maxs[k]!);
    greatest += normal[k]! * (normal[k]! > 0 ? maxs[k]! : mins[k]!);
  }
  // A half of a box has about 0.7 of its surface, whichever way it is cut.
  const part = Math.min(Math.max(greatest / (greatest - least), 0), 1);
  return [Math.sqrt(part), Math.sqrt(1 - part)];
}

/**
 * The plane that parts the brushes of a crowded leaf best, or -1 when none makes the expected work less. The sides of
 * the brushes and of the boxes around them are tried.
 */
export function choosePiecePlane(
  planes: PlaneSet,
  costs: SplitCosts,
  pieces: readonly BrushPiece[],
  cell: Solid,
  box: Box,
): number {
  if (pieces.length <= costs.crowd) return -1;
  const tried = new Set<number>();
  let best = -1;
  // Going through one more node costs about as much as a brush; what is won must be worth it.
  let bestCost = pieces.length - 1;
  for (const plane of pieceCandidates(planes, pieces, box)) {
    if (tried.has(plane)) continue;
    tried.add(plane);
    const [least, greatest] = solidReach(planes, cell, plane);
    if (least > -1 || greatest < 1) continue;
    let front = 0;
    let back = 0;
    for (const piece of pieces) {
      const [near, far] = pieceReach(planes, plane, piece);
      if (far > ON_EPSILON) front++;
      if (near < -ON_EPSILON) back++;
    }
    const cost = splitCost(planes, costs, plane, box, front, back);
    if (cost < bestCost) {
      best = plane;
      bestCost = cost;
    }
  }
  return best;
}

function* pieceCandidates(planes: PlaneSet, pieces: readonly BrushPiece[], box: Box): Generator<number> {
  const step = Math.max(1, Math.floor(pieces.length / 64));
  for (let i = 0; i < pieces.length; i += step) {
    const piece = pieces[i]!;
    for (let axis = 0; axis < 3; axis++) {
      for (const dist of [piece.box.mins[axis]!, piece.box.maxs[axis]!]) {
        if (dist < box.mins[axis]! + 1 || dist > box.maxs[axis]! - 1) continue;
        yield planes.find(axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0, dist);
      }
    }
    for (const plane of piece.solid.planes) yield plane & ~1;
  }
}

function pieceReach(planes: PlaneSet, plane: number, piece: BrushPiece): [number, number] {
  const type = planes.type(plane);
  if (type > 2) return solidReach(planes, piece.solid, plane);
  return [piece.box.mins[type]! - planes.dist[plane]!, piece.box.maxs[type]! - planes.dist[plane]!];
}
