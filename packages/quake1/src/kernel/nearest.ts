import type { Vec3 } from '@bspkit/core';
import { PLANE_WORDS } from '../layout.ts';
import { isOutside, type TreeView } from './tree.ts';

// A leaf is the intersection of the half-spaces on the way down to it. A point's distance from everything outside is the least of
// its distances to these convex regions. The walk carries the nearest point of the region of the current node: entering the side
// that contains it changes nothing, entering the other side moves it onto the node's plane.

/** Memory for {@link distanceToOutside}. One per opener of a world. */
export interface NearestWalk {
  /** The way down, four numbers per half-space: unit normal n and dist; the region is where n.p <= dist. */
  readonly halfSpaces: Float64Array;
  /** Sides still to enter, three words each: node, which child, number of half-spaces that lead to the node. */
  readonly waiting: Int32Array;
  /** [0..2] the region's nearest point, [3..5] the centre. */
  readonly point: Float64Array;
  /** How many half-spaces may still be looked at. */
  readonly left: Float64Array;
}

export function createNearestWalk(depth: number): NearestWalk {
  return {
    halfSpaces: new Float64Array(4 * (depth + 1)),
    waiting: new Int32Array(3 * (depth + 1)),
    point: new Float64Array(6),
    left: new Float64Array(1),
  };
}

/** Where the walk's point, and its centre, begin in `point`. */
const NEAREST = 0;
const CENTER = 3;

/** How far a point may be outside a half-space and still count as in it, in Quake units: far below any map's grid. */
const TOLERANCE = 1e-9;
/** Square of the sine below which two planes count as parallel. */
const PARALLEL = 1e-16;

/**
 * The most half-spaces that are looked at for one distance, and how many more for every word of the world: far more than compiled
 * maps take. In a tree deeper than any compiler makes, each region can take as many as the square of its depth.
 */
const MOST_LOOKS = 1 << 24;
const MOST_LOOKS_PER_WORD = 64;

/**
 * Distance from a point to the nearest leaf that is outside, in double precision; 0 in such a leaf, and `Infinity`
 * when there is none within `max`. NaN for a tree that takes far more work than that of any real map.
 */
export function distanceToOutside(
  tree: TreeView,
  root: number,
  center: Vec3,
  max: number,
  mask: number,
  walk: NearestWalk,
): number {
  const { ints } = tree;
  const { waiting, point, left } = walk;
  // All three are read before the first is written: reading them may run a getter that asks.
  const x = center[0]!;
  const y = center[1]!;
  const z = center[2]!;
  point[NEAREST] = x;
  point[NEAREST + 1] = y;
  point[NEAREST + 2] = z;
  for (let k = 0; k < 3; k++) point[CENTER + k] = point[NEAREST + k]!;
  left[0] = MOST_LOOKS + MOST_LOOKS_PER_WORD * ints.length;
  let best = max;
  let found = false;
  let top = 0;
  let count = 0;
  let node = root;
  for (;;) {
    while (node >= 0) {
      // The side that contains the nearest point comes first: what it finds saves work on the other side.
      writeHalfSpace(tree, walk, node, count, 1);
      const held = excess(walk, count, NEAREST) > 0 ? 0 : 1;
      if (held === 0) flip(walk, count);
      if (-excess(walk, count, CENTER) <= best) {
        waiting[top] = node;
        waiting[top + 1] = 1 - held;
        waiting[top + 2] = count;
        top += 3;
      }
      node = ints[node + 2 + held]!;
      count++;
    }
    if (isOutside(node, mask)) {
      best = distance(point);
      found = true;
    }
    let side: number;
    do {
      if (top === 0) return found ? best : Number.POSITIVE_INFINITY;
      if (left[0]! < 0) return Number.NaN;
      top -= 3;
      node = waiting[top]!;
      side = waiting[top + 1]!;
      count = waiting[top + 2]!;
      writeHalfSpace(tree, walk, node, count, side);
    } while (!moveToPlane(walk, count) || distance(point) > best);
    node = ints[node + 2 + side]!;
    count++;
  }
}

/** Writes a child's half-space of a node's plane: side 1 is the back, where n.p <= dist as the plane has it. */
function writeHalfSpace(
  { ints, floats, planes }: TreeView,
  walk: NearestWalk,
  node: number,
  index: number,
  side: number,
): void {
  const { halfSpaces } = walk;
  const at = planes + PLANE_WORDS * (ints[node]! >> 3);
  const x = floats[at]!;
  const y = floats[at + 1]!;
  const z = floats[at + 2]!;
  const length = Math.sqrt(x * x + y * y + z * z);
  // A plane without direction has everything on one side: the half-space 0.p <= dist is all or nothing.
  const scale = length > 0 ? 1 / length : 1;
  halfSpaces[4 * index] = x * scale;
  halfSpaces[4 * index + 1] = y * scale;
  halfSpaces[4 * index + 2] = z * scale;
  halfSpaces[4 * index + 3] = floats[at + 3]! * scale;
  if (side === 0) flip(walk, index);
}

function flip({ halfSpaces }: NearestWalk, index: number): void {
  for (let k = 4 * index; k < 4 * index + 4; k++) halfSpaces[k] = -halfSpaces[k]!;
}

/** How far a point of the walk is outside a half-space; below 0 inside. */
function excess({ halfSpaces, point }: NearestWalk, index: number, at: number): number {
  const h = 4 * index;
  const sum = halfSpaces[h]! * point[at]! + halfSpaces[h + 1]! * point[at + 1]!;
  return sum + halfSpaces[h + 2]! * point[at + 2]! - halfSpaces[h + 3]!;
}

function distance(point: Float64Array): number {
  const x = point[0]! - point[3]!;
  const y = point[1]! - point[4]!;
  const z = point[2]! - point[5]!;
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * Moves the nearest point onto the plane of half-space `last`, as near to the centre as half-spaces 0 to `last - 1` allow. They
 * are taken one by one: as long as the point satisfies them it stays; for one that it does not satisfy, the new point is on that
 * one's plane too, and so on a line, of which the earlier ones leave an interval. Returns false if nothing is left.
 */
function moveToPlane(walk: NearestWalk, last: number): boolean {
  const { halfSpaces, point, left } = walk;
  left[0]! -= last;
  const nx = halfSpaces[4 * last]!;
  const ny = halfSpaces[4 * last + 1]!;
  const nz = halfSpaces[4 * last + 2]!;
  const out = excess(walk, last, CENTER);
  const cx = point[3]! - out * nx;
  const cy = point[4]! - out * ny;
  const cz = point[5]! - out * nz;
  point[0] = cx;
  point[1] = cy;
  point[2] = cz;
  // A plane without direction: there is nothing to move to. Its side was all or nothing.
  if (nx === 0 && ny === 0 && nz === 0 && out > 0) return false;
  for (let i = 0; i < last; i++) {
    if (excess(walk, i, NEAREST) <= TOLERANCE) continue;
    left[0]! -= i;
    const mx = halfSpaces[4 * i]!;
    const my = halfSpaces[4 * i + 1]!;
    const mz = halfSpaces[4 * i + 2]!;
    const cosine = nx * mx + ny * my + nz * mz;
    let ux = ny * mz - nz * my;
    let uy = nz * mx - nx * mz;
    let uz = nx * my - ny * mx;
    const sine2 = ux * ux + uy * uy + uz * uz;
    if (sine2 < PARALLEL) return false;
    const sine = Math.sqrt(sine2);
    ux /= sine;
    uy /= sine;
    uz /= sine;
    // From the point on the plane straight to the line, along the plane.
    const step = (mx * cx + my * cy + mz * cz - halfSpaces[4 * i + 3]!) / sine2;
    const px = cx - step * (mx - cosine * nx);
    const py = cy - step * (my - cosine * ny);
    const pz = cz - step * (mz - cosine * nz);
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    for (let j = 0; j < 4 * i; j += 4) {
      const along = halfSpaces[j]! * ux + halfSpaces[j + 1]! * uy + halfSpaces[j + 2]! * uz;
      const room =
        halfSpaces[j + 3]! - (halfSpaces[j]! * px + halfSpaces[j + 1]! * py + halfSpaces[j + 2]! * pz);
      if (Math.abs(along) < TOLERANCE) {
        if (room < -TOLERANCE) return false;
      } else if (along > 0) high = Math.min(high, room / along);
      else low = Math.max(low, room / along);
    }
    if (low > high + TOLERANCE) return false;
    const t = low > 0 ? low : high < 0 ? high : 0;
    point[0] = px + t * ux;
    point[1] = py + t * uy;
    point[2] = pz + t * uz;
  }
  return true;
}
