import type { Recorder, StepVec, Vec3 } from '@bspkit/core';
import { isOutside, type TreeView } from './classify.ts';
import { CONTENTS_EMPTY, CONTENTS_SOLID, DIST_EPSILON } from './constants.ts';
import { nodeWords, PLANE_WORDS, packedContents, packedLeaf } from './layout.ts';

// The algorithms as the documents write them: by recursion, one step at a time, slow. Tests hold the kernels against
// them, and `explain` records them. What a literal copy would get wrong is mended, and marked.

interface ReferencePlane {
  readonly normal: StepVec;
  readonly dist: number;
  readonly type: number;
}

function planeOf({ ints, floats, planes }: TreeView, node: number): ReferencePlane {
  const at = planes + PLANE_WORDS * (ints[node]! >> 3);
  return {
    normal: [floats[at]!, floats[at + 1]!, floats[at + 2]!],
    dist: floats[at + 3]!,
    type: ints[at + 4]!,
  };
}

const childOf = (tree: TreeView, node: number, side: number): number => tree.ints[node + 2 + side]!;

/** A node's number in the file, where nodes stand in this order too. */
function numberOf({ ints, first }: TreeView, node: number): number {
  let number = 0;
  for (let at = first; at < node; at += nodeWords(ints[at]! & 7)) number++;
  return number;
}

const vec = (point: Vec3): StepVec => [point[0]!, point[1]!, point[2]!];
const dot = (a: Vec3, b: Vec3): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

/** The note's point_to_plane_distance, in double precision. */
function pointToPlane(point: Vec3, { normal, dist }: ReferencePlane): number {
  return dot(point, normal) - dist;
}

/** The note's point_locate: the packed leaf that holds a point. Mended: the recursive calls hand the point on. */
export function pointLocate(tree: TreeView, node: number, point: Vec3): number {
  if (node < 0) return node;
  const front = pointToPlane(point, planeOf(tree, node)) > 0;
  return pointLocate(tree, childOf(tree, node, front ? 0 : 1), point);
}

/** The note's point_is_inside. Mended: `mask` says what is outside, as leaf 0 need not be the only solid leaf. */
export function pointIsInside(tree: TreeView, node: number, point: Vec3, mask: number): boolean {
  return !isOutside(pointLocate(tree, node, point), mask);
}

/** The note's sphere_is_inside. Mended: >= and <= where it has > and <, and the normal's length counts. */
export function sphereIsInside(
  tree: TreeView,
  node: number,
  center: Vec3,
  radius: number,
  mask: number,
): boolean {
  if (node < 0) return !isOutside(node, mask);
  const plane = planeOf(tree, node);
  const dist = pointToPlane(center, plane);
  const reach = radius * Math.sqrt(dot(plane.normal, plane.normal));
  if (dist >= -reach && !sphereIsInside(tree, childOf(tree, node, 0), center, radius, mask)) return false;
  if (dist <= reach && !sphereIsInside(tree, childOf(tree, node, 1), center, radius, mask)) return false;
  return true;
}

/** What the note's ray_intersect finds: a time, and the plane that the note describes how to find. */
export interface ReferenceRay {
  time: number;
  /** Plane, by its number in the file; -1 for a miss and for a start outside. */
  plane: number;
  startsOutside: boolean;
}

/** The note's ray_intersect, from time 0 to 1 along `end - start`. */
export function rayIntersect(
  tree: TreeView,
  head: number,
  start: Vec3,
  end: Vec3,
  mask: number,
  record?: Recorder,
): ReferenceRay {
  const direction = [0, 1, 2].map((k) => end[k]! - start[k]!);
  const at = (time: number): StepVec => [
    start[0]! + time * direction[0]!,
    start[1]! + time * direction[1]!,
    start[2]! + time * direction[2]!,
  ];
  const ray: ReferenceRay = { time: 1, plane: -1, startsOutside: false };
  ray.time = intersect(head, 0, 1, 0);
  return ray;

  function intersect(node: number, min: number, max: number, depth: number): number {
    if (node < 0) {
      const outside = isOutside(node, mask);
      const [leaf, contents] = [packedLeaf(node), packedContents(node)];
      record?.({ kind: 'leaf', leaf, depth, contents, startFraction: min, endFraction: max });
      // Mended: a start outside is told apart from a hit at time 0.
      if (outside && min === 0) ray.startsOutside = true;
      return outside ? min : max;
    }
    const plane = planeOf(tree, node);
    const dist = pointToPlane(start, plane);
    const scale = -dot(plane.normal, direction);
    const time = dist / scale;
    // Mended: from a point on the plane, the near side is the one that the ray goes to.
    const near = (dist !== 0 ? dist : -scale) > 0 ? 0 : 1;
    // Mended: the times are compared so that a stretch of no length is never entered, and at one end only.
    const crosses = scale !== 0 && dist !== 0 && time > 0;
    let children: (0 | 1)[] = [near];
    if (crosses && time <= min) children = [near === 0 ? 1 : 0];
    else if (crosses && time < max) children = [near, near === 0 ? 1 : 0];
    record?.({
      kind: 'node',
      node: numberOf(tree, node),
      depth,
      ...{ normal: plane.normal, dist: plane.dist, start: at(min), end: at(max) },
      ...{ startFraction: min, endFraction: max, offset: 0, children },
      startDist: dist - scale * min,
      endDist: dist - scale * max,
      ...(children.length === 2 && {
        split: { near: (time - min) / (max - min), far: (time - min) / (max - min) },
      }),
    });
    const [first, second] = children;
    if (second === undefined) return intersect(childOf(tree, node, first!), min, max, depth + 1);
    // Mended: the note's `if (min = ... != dist)` binds the wrong way.
    const found = intersect(childOf(tree, node, first!), min, time, depth + 1);
    if (found !== time) return found;
    const beyond = intersect(childOf(tree, node, second), time, max, depth + 1);
    if (beyond === time) ray.plane = tree.ints[node]! >> 3;
    return beyond;
  }
}

/** The note's path_unblocked: whether nothing outside lies between two points. */
export function pathUnblocked(tree: TreeView, head: number, start: Vec3, end: Vec3, mask: number): boolean {
  const { time, startsOutside } = rayIntersect(tree, head, start, end, mask);
  return time === 1 && !startsOutside;
}

/** What the engine's hull check finds, in the hull's own frame. */
export interface ReferenceHull {
  fraction: number;
  endPos: StepVec;
  startSolid: boolean;
  allSolid: boolean;
  inOpen: boolean;
  inWater: boolean;
  /** Plane that stopped the move, by its number in the file, -1 for none; side 1 when the move came from behind it. */
  plane: number;
  side: number;
}

/** Contents of a point in a hull, as the engine has it: a point on a plane is in front. */
export function hullPointContents(tree: TreeView, head: number, point: Vec3): number {
  let node = head;
  while (node >= 0) node = childOf(tree, node, engineDistance(point, planeOf(tree, node)) < 0 ? 1 : 0);
  return packedContents(node);
}

/** Distance from a plane with every operation rounded to float32; axial planes by one subtraction. */
function engineDistance(point: Vec3, { normal, dist, type }: ReferencePlane): number {
  const f = Math.fround;
  if (type < 3) return f(point[type]! - dist);
  const xy = f(f(normal[0] * point[0]!) + f(normal[1] * point[1]!));
  return f(f(xy + f(normal[2] * point[2]!)) - dist);
}

/** The engine's recursive hull check, with its back-off loop, in float32. */
export function hullCheck(
  tree: TreeView,
  head: number,
  start: Vec3,
  end: Vec3,
  record?: Recorder,
): ReferenceHull {
  const f = Math.fround;
  const found: ReferenceHull = {
    ...{ fraction: 1, endPos: vec(end), startSolid: false, allSolid: true, inOpen: false, inWater: false },
    ...{ plane: -1, side: 0 },
  };
  check(head, 0, 1, vec(start), vec(end), 0);
  return found;

  /** Whether the move may go on behind this piece. */
  function check(node: number, f1: number, f2: number, p1: StepVec, p2: StepVec, depth: number): boolean {
    if (node < 0) {
      const contents = packedContents(node);
      const leaf = packedLeaf(node);
      record?.({ kind: 'leaf', leaf, depth, contents, startFraction: f1, endFraction: f2 });
      if (contents === CONTENTS_SOLID) {
        found.startSolid = true;
      } else {
        found.allSolid = false;
        if (contents === CONTENTS_EMPTY) found.inOpen = true;
        else found.inWater = true;
      }
      return true;
    }
    const plane = planeOf(tree, node);
    const d1 = engineDistance(p1, plane);
    const d2 = engineDistance(p2, plane);
    const step = (children: readonly (0 | 1)[], fraction?: number): void =>
      record?.({
        kind: 'node',
        node: numberOf(tree, node),
        depth,
        ...{ normal: plane.normal, dist: plane.dist, start: p1, end: p2, startFraction: f1, endFraction: f2 },
        ...{ startDist: d1, endDist: d2, offset: 0, children },
        ...(fraction !== undefined && { split: { near: fraction, far: fraction } }),
      });
    if ((d1 >= 0 && d2 >= 0) || (d1 < 0 && d2 < 0)) {
      const side = d1 < 0 ? 1 : 0;
      step([side]);
      return check(childOf(tree, node, side), f1, f2, p1, p2, depth + 1);
    }
    // The piece is cut 1/32 before the plane.
    let fraction = f((d1 < 0 ? d1 + DIST_EPSILON : d1 - DIST_EPSILON) / f(d1 - d2));
    if (fraction < 0) fraction = 0;
    if (fraction > 1) fraction = 1;
    const pointAt = (t: number): StepVec => [
      f(p1[0] + f(t * f(p2[0] - p1[0]))),
      f(p1[1] + f(t * f(p2[1] - p1[1]))),
      f(p1[2] + f(t * f(p2[2] - p1[2]))),
    ];
    const fractionAt = (t: number): number => f(f1 + f(f(f2 - f1) * t));
    let mid = pointAt(fraction);
    let midFraction = fractionAt(fraction);
    const side = d1 < 0 ? 1 : 0;
    const far = side === 0 ? 1 : 0;
    step([side, far], fraction);
    if (!check(childOf(tree, node, side), f1, midFraction, p1, mid, depth + 1)) return false;
    if (hullPointContents(tree, childOf(tree, node, far), mid) !== CONTENTS_SOLID) {
      return check(childOf(tree, node, far), midFraction, f2, mid, p2, depth + 1);
    }
    const solid = { leaf: 0, depth: depth + 1, contents: CONTENTS_SOLID };
    record?.({ kind: 'leaf', ...solid, startFraction: midFraction, endFraction: f2 });
    if (found.allSolid) return false;
    found.plane = tree.ints[node]! >> 3;
    found.side = side;
    while (hullPointContents(tree, head, mid) === CONTENTS_SOLID) {
      fraction = f(fraction - 0.1);
      // Mended: ends for what is not a number too.
      if (!(fraction >= 0)) break;
      midFraction = fractionAt(fraction);
      mid = pointAt(fraction);
    }
    found.fraction = midFraction;
    found.endPos = mid;
    return false;
  }
}
