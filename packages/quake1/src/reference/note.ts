import type { NodeStep, Recorder, StepVec, Vec3 } from '@bspkit/core';
import { CONTENTS_SOLID } from '../constants.ts';
import type { ReferencePlane, ReferenceTree } from './tree.ts';

// The algorithms as the "Note on Quake BSP Algorithms" has them: by recursion, one step at a time, slow. Tests compare the
// kernels with them, and `explain` records them. What a literal copy would get wrong is fixed, and marked.

/** Whether contents count as outside the map. */
export type IsOutside = (contents: number) => boolean;

/** What is outside by default. */
const isSolid: IsOutside = (contents) => contents === CONTENTS_SOLID;

const dot = (a: Vec3, b: Vec3): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;

/** The note's point_to_plane_distance, in double precision. */
function pointToPlane(point: Vec3, { normal, dist }: ReferencePlane): number {
  return dot(point, normal) - dist;
}

/** The note's point_locate: the end of the tree that contains a point. Fixed: the recursive calls pass the point on. */
function pointLocate(tree: ReferenceTree, point: Vec3, node: number = tree.head): number {
  if (node < 0) return node;
  const front = pointToPlane(point, tree.plane(node)) > 0;
  return pointLocate(tree, point, tree.child(node, front ? 0 : 1));
}

/** The note's point_is_inside. Fixed: contents decide what is outside, as leaf 0 need not be the only solid leaf. */
export function pointIsInside(tree: ReferenceTree, point: Vec3): boolean {
  return !isSolid(tree.contents(pointLocate(tree, point)));
}

/** The note's sphere_is_inside. Fixed: >= and <= where it has > and <, and the normal's length is taken into account. */
export function sphereIsInside(
  tree: ReferenceTree,
  center: Vec3,
  radius: number,
  outside: IsOutside = isSolid,
  node: number = tree.head,
): boolean {
  if (node < 0) return !outside(tree.contents(node));
  const plane = tree.plane(node);
  const dist = pointToPlane(center, plane);
  const reach = radius * Math.sqrt(dot(plane.normal, plane.normal));
  const inChild = (side: number): boolean =>
    sphereIsInside(tree, center, radius, outside, tree.child(node, side));
  if (dist >= -reach && !inChild(0)) return false;
  if (dist <= reach && !inChild(1)) return false;
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
  tree: ReferenceTree,
  start: Vec3,
  end: Vec3,
  outside: IsOutside = isSolid,
  record?: Recorder,
): ReferenceRay {
  const direction = [0, 1, 2].map((k) => end[k]! - start[k]!);
  const at = (time: number): StepVec => [
    start[0]! + time * direction[0]!,
    start[1]! + time * direction[1]!,
    start[2]! + time * direction[2]!,
  ];
  const ray: ReferenceRay = { time: 1, plane: -1, startsOutside: false };
  ray.time = intersect(tree.head, 0, 1, 0);
  return ray;

  function intersect(node: number, min: number, max: number, depth: number): number {
    if (node < 0) {
      const contents = tree.contents(node);
      const leaf = tree.leaf(node);
      record?.({ kind: 'leaf', leaf, depth, contents, startFraction: min, endFraction: max });
      if (!outside(contents)) return max;
      // Fixed: a start outside is distinguished from a hit at time 0.
      if (min === 0) ray.startsOutside = true;
      return min;
    }
    const plane = tree.plane(node);
    const dist = pointToPlane(start, plane);
    const scale = -dot(plane.normal, direction);
    const time = dist / scale;
    // Fixed: from a point on the plane, the near side is the one that the ray goes to.
    const near = (dist !== 0 ? dist : -scale) > 0 ? 0 : 1;
    // Fixed: the times are compared so that an interval of no length is never entered, and at one end only.
    const crosses = scale !== 0 && dist !== 0 && time > 0;
    let children: (0 | 1)[] = [near];
    if (crosses && time <= min) children = [near === 0 ? 1 : 0];
    else if (crosses && time < max) children = [near, near === 0 ? 1 : 0];
    const step: NodeStep = {
      kind: 'node',
      node: tree.number(node),
      depth,
      normal: plane.normal,
      dist: plane.dist,
      start: at(min),
      end: at(max),
      startFraction: min,
      endFraction: max,
      offset: 0,
      children,
      startDist: dist - scale * min,
      endDist: dist - scale * max,
    };
    const [first, second] = children;
    const split = (time - min) / (max - min);
    // Not by a spread, which takes V8 many times as long: there are many steps.
    record?.(second === undefined ? step : Object.assign(step, { split: { near: split, far: split } }));
    if (second === undefined) return intersect(tree.child(node, first!), min, max, depth + 1);
    // Fixed: the note's `if (min = ... != dist)` binds the wrong way.
    const found = intersect(tree.child(node, first!), min, time, depth + 1);
    if (found !== time) return found;
    const beyond = intersect(tree.child(node, second), time, max, depth + 1);
    if (beyond === time) ray.plane = plane.number;
    return beyond;
  }
}

/** The note's path_unblocked: whether nothing outside lies between two points. */
export function pathUnblocked(tree: ReferenceTree, start: Vec3, end: Vec3): boolean {
  const { time, startsOutside } = rayIntersect(tree, start, end);
  return time === 1 && !startsOutside;
}
