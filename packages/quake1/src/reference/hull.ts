import type { NodeStep, Recorder, StepVec, Vec3 } from '@bspkit/core';
import { CONTENTS_EMPTY, CONTENTS_SOLID, CONTENTS_TRANSLUCENT, SURFACE_EPSILON } from '../constants.ts';
import type { HullRules } from '../tracer.ts';
import { type ReferencePlane, type ReferenceTree, vec } from './tree.ts';

// The engine's algorithms as they are: by recursion, one step at a time, slow.

/** What the engine's hull check finds, in the hull's own frame. */
export interface HullCheck {
  fraction: number;
  endPos: StepVec;
  startSolid: boolean;
  allSolid: boolean;
  inOpen: boolean;
  inWater: boolean;
  /** Plane that stopped the move; side 1 when the move came from behind it. */
  plane: ReferencePlane | undefined;
  side: number;
}

/**
 * The end of a hull's tree that contains a point, as the engine has it: a point on a plane is in front. `visit` is told of each
 * node on the way.
 */
function hullPoint(
  tree: ReferenceTree,
  point: Vec3,
  from: number = tree.head,
  visit?: (node: number, distance: number) => void,
): number {
  let node = from;
  while (node >= 0) {
    const distance = engineDistance(point, tree.plane(node));
    visit?.(node, distance);
    node = tree.child(node, distance < 0 ? 1 : 0);
  }
  return node;
}

/** Distance from a plane with every operation rounded to float32; axial planes by one subtraction. */
function engineDistance(point: Vec3, { normal, dist, type }: ReferencePlane): number {
  const f = Math.fround;
  if (type < 3) return f(point[type]! - dist);
  const xy = f(f(normal[0] * point[0]!) + f(normal[1] * point[1]!));
  return f(f(xy + f(normal[2] * point[2]!)) - dist);
}

/** The part of the piece that each engine backs off by when it stopped in solid. */
const BACK_OFF: Readonly<Record<HullRules, number>> = {
  quake1: 0.1,
  quakeworld: 0.1,
  halflife: Math.fround(0.1),
  'halflife-player': 0.05,
};

/** The engine's recursive hull check, with its back-off loop, in float32. */
export function hullCheck(
  tree: ReferenceTree,
  rules: HullRules,
  start: Vec3,
  end: Vec3,
  record?: Recorder,
): HullCheck {
  const f = Math.fround;
  const found: HullCheck = {
    ...{ fraction: 1, endPos: vec(end), startSolid: false, allSolid: true, inOpen: false, inWater: false },
    ...{ plane: undefined, side: 0 },
  };
  check(tree.head, 0, 1, vec(start), vec(end), 0);
  return found;

  /** Whether the move may continue behind this piece. */
  function check(node: number, f1: number, f2: number, p1: StepVec, p2: StepVec, depth: number): boolean {
    if (node < 0) {
      const contents = tree.contents(node);
      const leaf = tree.leaf(node);
      record?.({ kind: 'leaf', leaf, depth, contents, startFraction: f1, endFraction: f2 });
      if (contents === CONTENTS_SOLID) {
        found.startSolid = true;
      } else {
        found.allSolid = false;
        if (contents === CONTENTS_EMPTY) found.inOpen = true;
        else if (contents !== CONTENTS_TRANSLUCENT || rules !== 'halflife') found.inWater = true;
      }
      return true;
    }
    const plane = tree.plane(node);
    const d1 = engineDistance(p1, plane);
    const d2 = engineDistance(p2, plane);
    // In one literal: spreads take V8 many times as long, and there are many steps.
    const shown = (children: readonly (0 | 1)[]): NodeStep => ({
      kind: 'node',
      node: tree.number(node),
      depth,
      normal: plane.normal,
      dist: plane.dist,
      start: p1,
      end: p2,
      startFraction: f1,
      endFraction: f2,
      startDist: d1,
      endDist: d2,
      offset: 0,
      children,
    });
    if ((d1 >= 0 && d2 >= 0) || (d1 < 0 && d2 < 0)) {
      const side = d1 < 0 ? 1 : 0;
      record?.(shown([side]));
      return check(tree.child(node, side), f1, f2, p1, p2, depth + 1);
    }
    // The piece is cut 1/32 before the plane.
    let fraction = f((d1 < 0 ? d1 + SURFACE_EPSILON : d1 - SURFACE_EPSILON) / f(d1 - d2));
    if (fraction < 0) fraction = 0;
    if (fraction > 1) fraction = 1;
    // Coordinates so large that float32 overflows.
    if (Number.isNaN(fraction) && rules === 'halflife') return false;
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
    record?.(Object.assign(shown([side, far]), { split: { near: fraction, far: fraction } }));
    if (!check(tree.child(node, side), f1, midFraction, p1, mid, depth + 1)) return false;
    const behind = hullPoint(tree, mid, tree.child(node, far));
    if (tree.contents(behind) !== CONTENTS_SOLID) {
      return check(tree.child(node, far), midFraction, f2, mid, p2, depth + 1);
    }
    if (record) {
      // The way to the solid, as of a piece that is a point: without it, all behind the node would seem to be solid.
      let below = depth + 1;
      hullPoint(tree, mid, tree.child(node, far), (each, distance) => {
        const { normal, dist } = tree.plane(each);
        record({
          ...{ kind: 'node', node: tree.number(each), depth: below++, normal, dist, offset: 0 },
          ...{ start: mid, end: mid, startFraction: midFraction, endFraction: midFraction },
          ...{ startDist: distance, endDist: distance, children: [distance < 0 ? 1 : 0] },
        });
      });
      const solid = { leaf: tree.leaf(behind), depth: below, contents: CONTENTS_SOLID };
      record({ kind: 'leaf', ...solid, startFraction: midFraction, endFraction: midFraction });
    }
    if (found.allSolid) return false;
    found.plane = plane;
    found.side = side;
    while (tree.contents(hullPoint(tree, mid)) === CONTENTS_SOLID) {
      fraction = f(fraction - BACK_OFF[rules]);
      // Fixed: ends for NaN too.
      if (!(fraction >= 0)) break;
      midFraction = fractionAt(fraction);
      mid = pointAt(fraction);
    }
    found.fraction = midFraction;
    found.endPos = mid;
    return false;
  }
}
