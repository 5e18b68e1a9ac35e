import type { ClipOutcome, NodeStep } from '@bspkit/core';
import { leafNumber } from '../classify.ts';
import {
  BRUSH_WORDS,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  LIST_NUM_PATCHES,
  LIST_PATCHES,
  NODE_DIST,
  NODE_FRONT,
  NODE_NORMAL,
  NODE_WORDS,
  NUM_SIDES,
  REF_CONTENTS,
  REF_WORDS,
  ROOT_WORD,
  SHADER_WORDS,
  SIDE_DIST,
  SIDE_SHADER,
  SIDE_WORDS,
} from '../layout.ts';
import {
  brushOf,
  type Clip,
  clip,
  isApart,
  type MetPlane,
  meet,
  type ReferenceAnswer,
  type ReferenceTrace,
  recordHit,
  recordInside,
  skips,
} from './clip.ts';
import { checkPatch } from './patch.ts';
import { type Judged, judgeBrush } from './round.ts';
import { dot, lerp, type Point, three } from './vec.ts';

const f = Math.fround;

/** How far the engine widens slanted planes for everything but points: it ignores the box there. */
const OBLIQUE_OFFSET = 2048;

/** A piece of the move, and where in the tree it is. */
interface Piece {
  readonly start: Point;
  readonly end: Point;
  readonly startFraction: number;
  readonly endFraction: number;
  readonly depth: number;
}

/** Sweeps the shape through the world's tree. */
export function checkTree(trace: ReferenceTrace): void {
  const { memory, start, end } = trace;
  checkNode(trace, memory.ints[ROOT_WORD]!, { start, end, startFraction: 0, endFraction: 1, depth: 0 });
}

function checkNode(trace: ReferenceTrace, node: number, piece: Piece): void {
  const { memory, answer, isPoint, maxs } = trace;
  const { ints, floats, places } = memory;
  const { start, end, startFraction, endFraction, depth } = piece;
  if (answer.fraction <= startFraction) return;
  if (node < 0) {
    const contents = leafContents(trace, -node);
    const leaf = leafNumber(places, node);
    trace.record({ kind: 'leaf', leaf, depth, contents, startFraction, endFraction });
    checkList(trace, -node);
    return;
  }
  const axis = ints[node]!;
  const normal = three(floats, node + NODE_NORMAL);
  const dist = floats[node + NODE_DIST]!;
  const startDist = f((axis < 3 ? start[axis]! : dot(normal, start)) - dist);
  const endDist = f((axis < 3 ? end[axis]! : dot(normal, end)) - dist);
  // The tutorials use the box's or sphere's true reach here; the engine ignores it on slanted planes.
  const offset = isPoint ? 0 : axis < 3 ? maxs[axis]! : OBLIQUE_OFFSET;
  const clear = f(offset + 1);
  const inFront = startDist >= clear && endDist >= clear;
  const behind = startDist < -clear && endDist < -clear;
  const isWhole = inFront || behind;
  const { nearer, near, far } = splitFractions(startDist, endDist, offset, trace.epsilon);
  const first: 0 | 1 = isWhole ? (inFront ? 0 : 1) : nearer;
  const second: 0 | 1 = first === 0 ? 1 : 0;
  // In one literal: spreads take V8 many times as long, and there are many steps.
  const step: NodeStep = {
    kind: 'node',
    node: (node - places.nodes.first) / NODE_WORDS,
    start,
    end,
    startFraction,
    endFraction,
    depth,
    normal,
    dist,
    startDist,
    endDist,
    offset,
    children: isWhole ? [first] : [first, second],
  };
  trace.record(isWhole ? step : Object.assign(step, { split: { near, far } }));
  if (isWhole) {
    const below = { start, end, startFraction, endFraction, depth: depth + 1 };
    checkNode(trace, ints[node + NODE_FRONT + first]!, below);
    return;
  }
  const fractionAt = (t: number): number => f(startFraction + f(f(endFraction - startFraction) * t));
  checkNode(trace, ints[node + NODE_FRONT + first]!, {
    start,
    end: lerp(start, end, near),
    startFraction,
    endFraction: fractionAt(near),
    depth: depth + 1,
  });
  checkNode(trace, ints[node + NODE_FRONT + second]!, {
    start: lerp(start, end, far),
    end,
    startFraction: fractionAt(far),
    endFraction,
    depth: depth + 1,
  });
}

/** Where the first child's piece ends (`near`) and the second one's begins (`far`), and which is nearer. */
function splitFractions(
  startDist: number,
  endDist: number,
  offset: number,
  epsilon: number,
): { nearer: 0 | 1; near: number; far: number } {
  // Zero times the inverse of a length below 2 ** -128, which is infinite, is no number. Debian's ioquake3 takes it for 0.
  const clamp = (t: number): number => (t > 1 ? 1 : t >= 0 ? t : 0);
  const inverse = f(1 / f(startDist - endDist));
  const ahead = f(startDist + offset);
  const behind = f(startDist - offset);
  if (startDist < endDist) {
    const near = clamp(f((behind + epsilon) * inverse));
    return { nearer: 1, near, far: clamp(f((ahead + epsilon) * inverse)) };
  }
  if (startDist > endDist) {
    const near = clamp(f((ahead + epsilon) * inverse));
    return { nearer: 0, near, far: clamp(f((behind - epsilon) * inverse)) };
  }
  return { nearer: 0, near: 1, far: 0 };
}

function leafContents({ memory: { ints } }: ReferenceTrace, list: number): number {
  let contents = 0;
  for (let k = 0; k < ints[list + LIST_NUM_BRUSHES]!; k++) {
    contents |= ints[ints[list + LIST_BRUSHES]! + REF_WORDS * k + REF_CONTENTS]!;
  }
  return contents;
}

/** Sweeps the shape against what the list of a leaf or model holds: brushes, then patches. */
export function checkList(trace: ReferenceTrace, list: number): void {
  const { ints } = trace.memory;
  for (let k = 0; k < ints[list + LIST_NUM_BRUSHES]!; k++) {
    checkBrush(trace, ints[list + LIST_BRUSHES]! + REF_WORDS * k);
    if (trace.answer.fraction === 0) return;
  }
  if (!trace.curves) return;
  for (let k = 0; k < ints[list + LIST_NUM_PATCHES]!; k++) {
    checkPatch(trace, ints[ints[list + LIST_PATCHES]! + k]!);
    if (trace.answer.fraction === 0) return;
  }
}

/** The sides of a brush as the shape meets them, except those before `first`. */
export function brushPlanes(trace: ReferenceTrace, brush: number, first = 0): MetPlane[] {
  const { ints, floats, places } = trace.memory;
  const at = places.brushes.first + BRUSH_WORDS * brush;
  return Array.from({ length: Math.max(0, ints[at + NUM_SIDES]! - first) }, (_, k) => {
    const side = ints[at]! + SIDE_WORDS * (first + k);
    const number = (side - places.sides.first) / SIDE_WORDS;
    return meet(trace, number, three(floats, side), floats[side + SIDE_DIST]!);
  });
}

function checkBrush(trace: ReferenceTrace, ref: number): void {
  const { answer, epsilon, memory } = trace;
  const { brush, contents } = brushOf(trace, ref);
  const skipped =
    skips(trace, `brush ${brush}`, contents) ?? (isApart(trace, ref, epsilon) ? 'apart' : undefined);
  if (skipped) {
    trace.record({ kind: 'brush', brush, contents, outcome: skipped, enter: -1, leave: 1, side: -1 });
    return;
  }
  const judged = trace.round ? judgeBrush(trace, brush) : clipBrush(trace, brush);
  const { outcome, enter, leave, side } = judged;
  if (outcome === 'startSolid') answer.startSolid = true;
  if (outcome === 'allSolid') recordInside(answer, { contents, brush });
  if (outcome === 'hit') {
    const { ints, places } = memory;
    const shader = ints[places.sides.first + SIDE_WORDS * side + SIDE_SHADER]!;
    answer.surfaceFlags = ints[places.shaders.first + SHADER_WORDS * shader]!;
    recordHit(answer, { contents, brush, side });
  }
  trace.record({ kind: 'brush', brush, contents, outcome, enter, leave, side });
}

/** Clips the move against the sides of a brush. If that is hit, fraction, normal and distance are in the answer. */
function clipBrush(trace: ReferenceTrace, brush: number): Judged {
  const { answer, memory } = trace;
  const planes = brushPlanes(trace, brush);
  const clipped = clip(trace, planes);
  const { enter, leave, hit } = clipped;
  const side = planes[hit]?.side ?? -1;
  const outcome = planes.length === 0 ? 'missed' : judge(answer, clipped);
  if (outcome === 'hit') {
    answer.fraction = enter;
    answer.normal = planes[hit]!.normal;
    answer.dist = memory.floats[memory.places.sides.first + SIDE_WORDS * side + SIDE_DIST]!;
  }
  return { outcome, enter, leave, side };
}

/** What a clipped brush means for the answer. */
function judge(
  { fraction }: ReferenceAnswer,
  { missed, startsOut, endsOut, enter, leave }: Clip,
): ClipOutcome {
  if (missed) return 'missed';
  if (!startsOut) return endsOut ? 'startSolid' : 'allSolid';
  if (!(enter > -1 && enter < leave)) return 'missed';
  return enter < fraction ? 'hit' : 'farther';
}
