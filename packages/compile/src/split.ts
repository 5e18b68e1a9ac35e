import { ON_EPSILON } from '@bspkit/geometry';
import type { Box } from './box.ts';
import type { FaceTable } from './face-table.ts';
import type { PlaneSet } from './planes.ts';
import { BACK, boxSide, cornersOf, FRONT, type Solid, solidReach } from './solid.ts';

/** The part of a brush in a piece of space. */
export interface BrushPiece {
  readonly brush: number;
  readonly solid: Solid;
  readonly box: Box;
  /** Its corners, each once; set when they are first needed. */
  corners?: Float64Array;
}

/** How candidate planes are compared. */
export interface SplitCosts {
  /**
   * The probability, 0 to 1, that a query at an oblique split goes down both sides whatever its size: some engines send every box
   * down both.
   */
  readonly oblique: number;
  /** Leafs with more brushes than this are split further, if that pays off. */
  readonly crowd: number;
  /** For a tree that is used only a few times: quick to build, at the cost of some more nodes. */
  readonly draft?: boolean | undefined;
}

/** The most candidates for a split: with more, the choice hardly gets better, and time grows with the square. */
const MOST_CANDIDATES = 256;
/** Candidates are never reduced to fewer than this. */
const FEWEST_CANDIDATES = 32;
/** If there are many faces, the number of candidates is chosen to give about this many tests of faces. */
const TESTS = 0x20000;
/** Candidates for a split of a draft. */
const DRAFT_CANDIDATES = 16;

/**
 * The plane of a face that splits a cell best: with the least expected work for a query that crosses the cell. That is the share
 * of queries that reach each side, by its surface, times the number of faces left there. Cut faces count on both sides, so
 * cutting costs.
 */
export function chooseFacePlane(planes: PlaneSet, costs: SplitCosts, faces: FaceTable, box: Box): number {
  let best = -1;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const plane of candidates(faces, costs.draft ?? false)) {
    const [frontWeight, backWeight] = weights(planes, costs, plane, box);
    const cost = faces.cost(planes, plane, frontWeight, backWeight, bestCost);
    if (cost < bestCost || (cost === bestCost && plane < best)) {
      best = plane;
      bestCost = cost;
    }
  }
  return best;
}

/** The planes of faces, even ones, each once; if there are many, those of the largest faces and a sample. */
function candidates(faces: FaceTable, draft: boolean): Iterable<number> {
  const all = faces.planes();
  const affordable = 2 * Math.floor(TESTS / 2 / faces.list.length);
  const most = draft ? DRAFT_CANDIDATES : Math.min(Math.max(affordable, FEWEST_CANDIDATES), MOST_CANDIDATES);
  if (all.length <= most) return all;
  const large = faces.largest(most / 2);
  const step = all.length / (most / 2);
  const sample = Array.from({ length: most / 2 }, (_, i) => all[Math.floor(i * step)]!);
  return [...new Set([...large, ...sample])];
}

/** How much a face in front of a plane costs, and one behind it, by the share of queries that reach each side. */
function weights(planes: PlaneSet, costs: SplitCosts, plane: number, { mins, maxs }: Box): [number, number] {
  const type = planes.type(plane);
  const dist = planes.dist[plane]!;
  if (type < 3) {
    const x = maxs[0] - mins[0];
    const y = maxs[1] - mins[1];
    const z = maxs[2] - mins[2];
    const at = Math.min(Math.max(dist, mins[type]!), maxs[type]!);
    const whole = area(x, y, z);
    const front = maxs[type]! - at;
    const back = at - mins[type]!;
    if (type === 0) return [area(front, y, z) / whole, area(back, y, z) / whole];
    if (type === 1) return [area(x, front, z) / whole, area(x, back, z) / whole];
    return [area(x, y, front) / whole, area(x, y, back) / whole];
  }
  const nx = planes.nx[plane]!;
  const ny = planes.ny[plane]!;
  const nz = planes.nz[plane]!;
  const least =
    -dist +
    nx * (nx > 0 ? mins[0] : maxs[0]) +
    ny * (ny > 0 ? mins[1] : maxs[1]) +
    nz * (nz > 0 ? mins[2] : maxs[2]);
  const greatest =
    -dist +
    nx * (nx > 0 ? maxs[0] : mins[0]) +
    ny * (ny > 0 ? maxs[1] : mins[1]) +
    nz * (nz > 0 ? maxs[2] : mins[2]);
  // Half of a box has about 0.7 of its surface, however it is cut.
  const part = Math.min(Math.max(greatest / (greatest - least), 0), 1);
  const both = costs.oblique;
  return [both + (1 - both) * Math.sqrt(part), both + (1 - both) * Math.sqrt(1 - part)];
}

/** Half the surface of a box of this size. */
const area = (x: number, y: number, z: number): number => x * y + y * z + z * x;

/**
 * The plane that best divides the brushes of a crowded leaf, or -1 when none reduces the expected work. The sides of
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
  // One more node costs about as much as a brush; the gain must be worth it.
  let bestCost = pieces.length - 1;
  for (const plane of pieceCandidates(planes, pieces, box)) {
    if (tried.has(plane)) continue;
    tried.add(plane);
    const [least, greatest] = solidReach(planes, cell, plane);
    if (least > -1 || greatest < 1) continue;
    const [frontWeight, backWeight] = weights(planes, costs, plane, box);
    let front = 0;
    let back = 0;
    let cost = 0;
    // PERF: with many overlapping brushes, most of the time is spent here.
    for (const piece of pieces) {
      const sides = pieceSides(planes, plane, piece);
      if (sides & FRONT) front++;
      if (sides & BACK) back++;
      cost = frontWeight * front + backWeight * back;
      if (cost >= bestCost) break;
    }
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

/** The sides of a plane on which a piece is by more than rounding. */
function pieceSides(planes: PlaneSet, plane: number, piece: BrushPiece): number {
  const { mins, maxs } = piece.box;
  const type = planes.type(plane);
  const dist = planes.dist[plane]!;
  if (type < 3) {
    return (maxs[type]! - dist > ON_EPSILON ? FRONT : 0) | (mins[type]! - dist < -ON_EPSILON ? BACK : 0);
  }
  // Bounds must be clear of the plane by more than corners, whatever the rounding.
  const side = boxSide(planes, plane, mins, maxs);
  if (side !== 0) return side > 0 ? FRONT : BACK;
  piece.corners ??= cornersOf(piece.solid);
  const { corners } = piece;
  const nx = planes.nx[plane]!;
  const ny = planes.ny[plane]!;
  const nz = planes.nz[plane]!;
  let sides = 0;
  for (let i = 0; i < corners.length && sides !== (FRONT | BACK); i += 3) {
    const d = corners[i]! * nx + corners[i + 1]! * ny + corners[i + 2]! * nz - dist;
    if (d > ON_EPSILON) sides |= FRONT;
    else if (d < -ON_EPSILON) sides |= BACK;
  }
  return sides;
}
