import { MASK_SOLID, TUTORIAL_EPSILON } from '../constants.ts';
import type { WorldMemory } from '../kernel/memory.ts';
import {
  BRUSH_WORDS,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  NODE_DIST,
  NODE_FRONT,
  NODE_NORMAL,
  NUM_SIDES,
  REF_BRUSH,
  REF_CONTENTS,
  REF_WORDS,
  ROOT_WORD,
  SIDE_DIST,
  SIDE_WORDS,
} from '../layout.ts';
import { add, dot, each, lerp, type Point, three } from './vec.ts';

// "Quake 3 BSP Collision Detection" as printed: `Trace`, `CheckNode` and `CheckBrush` with what sections 5 and 6 make of them.
// The normal is that of the first document, `CandidateToHitNormal`. Floats are float32, as in C.

const f = Math.fround;

/** What the document's `traceType` decides between. */
export interface PrintedShape {
  /** How far from a node's plane the shape reaches: `offset`. */
  reach(normal: Point): number;
  /** How far a place of the shape is in front of the plane of a side. */
  distance(at: Point, normal: Point, dist: number): number;
}

export const printedRay: PrintedShape = {
  reach: () => 0,
  distance: (at, normal, dist) => f(dot(at, normal) - dist),
};

export const printedSphere = (radius: number): PrintedShape => ({
  reach: () => f(radius),
  distance: (at, normal, dist) => f(dot(at, normal) - f(dist + f(radius))),
});

export function printedBox(mins: Point, maxs: Point): PrintedShape {
  const extents = each((k) => Math.max(-mins[k], maxs[k]));
  return {
    reach: (normal) => {
      const [x, y, z] = each((k) => Math.abs(f(extents[k] * normal[k])));
      return f(f(x + y) + z);
    },
    distance: (at, normal, dist) => {
      const corner = each((k) => (normal[k] < 0 ? maxs[k] : mins[k]));
      return f(dot(add(at, corner), normal) - dist);
    },
  };
}

/** A move of the document under way, and what is known of it. */
interface Move {
  readonly memory: WorldMemory;
  readonly shape: PrintedShape;
  readonly start: Point;
  readonly end: Point;
  fraction: number;
  normal: Point;
  startOut: boolean;
  allSolid: boolean;
}

/** `Trace`. */
export function printedTrace(memory: WorldMemory, shape: PrintedShape, start: Point, end: Point): Move {
  const move: Move = {
    ...{ memory, shape, start, end },
    ...{ fraction: 1, normal: [0, 0, 0], startOut: true, allSolid: false },
  };
  checkNode(move, memory.ints[ROOT_WORD]!, start, end);
  return move;
}

/** Without `startFraction` and `endFraction`, which the document passes on but never uses. */
function checkNode(move: Move, node: number, start: Point, end: Point): void {
  const { ints, floats } = move.memory;
  if (node < 0) {
    for (let k = 0; k < ints[LIST_NUM_BRUSHES - node]!; k++) {
      const ref = ints[LIST_BRUSHES - node]! + REF_WORDS * k;
      if (ints[ref + REF_CONTENTS]! & MASK_SOLID) checkBrush(move, ints[ref + REF_BRUSH]!);
    }
    return;
  }
  const normal = three(floats, node + NODE_NORMAL);
  const startDistance = f(dot(start, normal) - floats[node + NODE_DIST]!);
  const endDistance = f(dot(end, normal) - floats[node + NODE_DIST]!);
  const offset = move.shape.reach(normal);
  const child = (side: number): number => ints[node + NODE_FRONT + side]!;
  if (startDistance >= offset && endDistance >= offset) {
    checkNode(move, child(0), start, end);
    return;
  }
  if (startDistance < -offset && endDistance < -offset) {
    checkNode(move, child(1), start, end);
    return;
  }
  const side = startDistance < endDistance ? 1 : 0;
  let [fraction1, fraction2] = [1, 0];
  if (startDistance !== endDistance) {
    const inverse = f(1 / f(startDistance - endDistance));
    const sign = side === 1 ? -1 : 1;
    const [nearer, farther] = [f(startDistance + sign * offset), f(startDistance - sign * offset)];
    fraction1 = clamped(f(f(nearer + TUTORIAL_EPSILON) * inverse));
    fraction2 = clamped(f(f(farther - sign * TUTORIAL_EPSILON) * inverse));
  }
  checkNode(move, child(side), start, lerp(start, end, fraction1));
  checkNode(move, child(1 - side), lerp(start, end, fraction2), end);
}

/** Within 0..1; NaN stays NaN, as in C. */
const clamped = (t: number): number => (t < 0 ? 0 : t > 1 ? 1 : t);

function checkBrush(move: Move, brush: number): void {
  const { ints, floats, places } = move.memory;
  const { shape, start, end } = move;
  const at = places.brushes.first + BRUSH_WORDS * brush;
  const numSides = ints[at + NUM_SIDES]!;
  if (numSides === 0) return;
  let [startFraction, endFraction] = [-1, 1];
  let [startsOut, endsOut] = [false, false];
  let candidate: Point = [0, 0, 0];
  for (let k = 0; k < numSides; k++) {
    const side = ints[at]! + SIDE_WORDS * k;
    const normal = three(floats, side);
    const startDistance = shape.distance(start, normal, floats[side + SIDE_DIST]!);
    const endDistance = shape.distance(end, normal, floats[side + SIDE_DIST]!);
    if (startDistance > 0) startsOut = true;
    if (endDistance > 0) endsOut = true;
    if (startDistance > 0 && endDistance > 0) return;
    if (startDistance <= 0 && endDistance <= 0) continue;
    const length = f(startDistance - endDistance);
    if (startDistance > endDistance) {
      const fraction = f(f(startDistance - TUTORIAL_EPSILON) / length);
      if (fraction > startFraction) [startFraction, candidate] = [fraction, normal];
    } else {
      const fraction = f(f(startDistance + TUTORIAL_EPSILON) / length);
      if (fraction < endFraction) endFraction = fraction;
    }
  }
  if (!startsOut) {
    move.startOut = false;
    if (!endsOut) move.allSolid = true;
    return;
  }
  if (startFraction < endFraction && startFraction > -1 && startFraction < move.fraction) {
    move.fraction = Math.max(startFraction, 0);
    move.normal = candidate;
  }
}
