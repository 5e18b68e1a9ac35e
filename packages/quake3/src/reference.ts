import type { ClipOutcome, Recorder } from '@bspkit/core';
import { leafNumber } from './classify.ts';
import { type Kernel, Q_END, Q_EPSILON, Q_EXTENTS, Q_START, S_CURVES } from './kernel.ts';
import { BRUSH_WORDS, MODEL_WORDS, REF_WORDS, ROOT_WORD, SIDE_WORDS } from './layout.ts';
import {
  type Clip,
  clip,
  dot,
  type MetPlane,
  meet,
  type Point,
  passes,
  type ReferenceAnswer,
  type ReferenceTrace,
  three,
} from './reference-clip.ts';
import { checkPatch } from './reference-patch.ts';

// The two tutorials' algorithm (`CheckNode`, `CheckBrush`), written out recursively and without any shortcut, with the
// engine's rules where the tutorials differ. It is slow. The kernels are tested against it, and its recorded steps are
// what `explain` gives.

const f = Math.fround;

function lerp(a: Point, b: Point, t: number): Point {
  return [0, 1, 2].map((k) => f(a[k]! + f(t * f(b[k]! - a[k]!)))) as unknown as Point;
}

/** Sweeps the shape that a kernel was last set up for, through the world (`model` 0) or an inline model. */
export function referenceSweep(kernel: Kernel, model: number, record: Recorder): ReferenceAnswer {
  const { ints, places, query } = kernel;
  const trace: ReferenceTrace = {
    kernel,
    start: three(query, Q_START),
    end: three(query, Q_END),
    epsilon: query[Q_EPSILON]!,
    record,
    answer: {
      fraction: 1,
      normal: [0, 0, 0],
      dist: 0,
      startSolid: false,
      allSolid: false,
      contents: 0,
      surfaceFlags: 0,
    },
    seen: new Set(),
  };
  if (model === 0) checkNode(trace, ints[ROOT_WORD]!, 0, 1, trace.start, trace.end, 0);
  else checkContent(trace, places.models.first + MODEL_WORDS * model + 6);
  return trace.answer;
}

function checkNode(
  trace: ReferenceTrace,
  node: number,
  startFraction: number,
  endFraction: number,
  start: Point,
  end: Point,
  depth: number,
): void {
  const { ints, floats, places, query } = trace.kernel;
  if (trace.answer.fraction <= startFraction) return;
  if (node < 0) {
    const place = -node;
    const contents = leafContents(trace.kernel, place);
    trace.record({
      kind: 'leaf',
      leaf: leafNumber(places, node),
      depth,
      contents,
      startFraction,
      endFraction,
    });
    checkContent(trace, place);
    return;
  }
  const axis = ints[node]!;
  const normal = three(floats, node + 1);
  const dist = floats[node + 4]!;
  const startDist = f((axis < 3 ? start[axis]! : dot(normal, start)) - dist);
  const endDist = f((axis < 3 ? end[axis]! : dot(normal, end)) - dist);
  // The tutorials take the box's or sphere's true reach here; the engine does not look at it on slanted planes.
  const offset = query[Q_EXTENTS + axis]!;
  const shown = { kind: 'node', node: ints[node + 7]!, depth, normal, dist, start, end } as const;
  const measured = { ...shown, startFraction, endFraction, startDist, endDist, offset };
  const clear = f(offset + 1);
  for (const side of [0, 1] as const) {
    const [d1, d2] = [startDist, endDist];
    if (side === 0 ? d1 >= clear && d2 >= clear : d1 < -clear && d2 < -clear) {
      trace.record({ ...measured, children: [side] });
      checkNode(trace, ints[node + 5 + side]!, startFraction, endFraction, start, end, depth + 1);
      return;
    }
  }
  const { first, near, far } = splitFractions(startDist, endDist, offset, trace.epsilon);
  const second = first === 0 ? 1 : 0;
  trace.record({ ...measured, children: [first, second], split: { near, far } });
  const middleOf = (t: number): number => f(startFraction + f(f(endFraction - startFraction) * t));
  checkNode(
    trace,
    ints[node + 5 + first]!,
    startFraction,
    middleOf(near),
    start,
    lerp(start, end, near),
    depth + 1,
  );
  checkNode(
    trace,
    ints[node + 5 + second]!,
    middleOf(far),
    endFraction,
    lerp(start, end, far),
    end,
    depth + 1,
  );
}

/** Where the first child's piece ends (`near`) and the second one's begins (`far`), and which is first. */
function splitFractions(
  startDist: number,
  endDist: number,
  offset: number,
  epsilon: number,
): { first: 0 | 1; near: number; far: number } {
  const clamp = (t: number): number => (t < 0 ? 0 : t > 1 ? 1 : t);
  const inverse = f(1 / f(startDist - endDist));
  const ahead = f(startDist + offset);
  const behind = f(startDist - offset);
  if (startDist < endDist) {
    const near = clamp(f((behind + epsilon) * inverse));
    return { first: 1, near, far: clamp(f((ahead + epsilon) * inverse)) };
  }
  if (startDist > endDist) {
    const near = clamp(f((ahead + epsilon) * inverse));
    return { first: 0, near, far: clamp(f((behind - epsilon) * inverse)) };
  }
  return { first: 0, near: 1, far: 0 };
}

function leafContents({ ints }: Kernel, place: number): number {
  let contents = 0;
  for (let k = 0; k < ints[place + 1]!; k++) contents |= ints[ints[place]! + REF_WORDS * k + 6]!;
  return contents;
}

/** What a leaf or model holds: brush references (place, count), then patch references (place, count). */
function checkContent(trace: ReferenceTrace, at: number): void {
  const { ints, state } = trace.kernel;
  for (let k = 0; k < ints[at + 1]!; k++) {
    checkReference(trace, ints[at]! + REF_WORDS * k);
    if (trace.answer.fraction === 0) return;
  }
  if (state[S_CURVES] === 0) return;
  for (let k = 0; k < ints[at + 3]!; k++) {
    checkPatch(trace, ints[ints[at + 2]! + k]!);
    if (trace.answer.fraction === 0) return;
  }
}

function checkReference(trace: ReferenceTrace, ref: number): void {
  const { ints } = trace.kernel;
  const brush = ints[ref + 7]!;
  const contents = ints[ref + 6]!;
  const outcome = passes(trace, `brush ${brush}`, contents, ref);
  if (outcome) trace.record({ kind: 'brush', brush, contents, outcome, enter: -1, leave: 1, side: -1 });
  else checkBrush(trace, brush, contents);
}

function checkBrush(trace: ReferenceTrace, brush: number, contents: number): void {
  const { kernel, answer } = trace;
  const { ints, floats, places } = kernel;
  const at = places.brushes.first + BRUSH_WORDS * brush;
  const numSides = ints[at + 1]!;
  const sideAt = (k: number): number => ints[at]! + SIDE_WORDS * k;
  const planes = Array.from({ length: numSides }, (_, k): MetPlane => {
    const normal = three(floats, sideAt(k));
    const number = (sideAt(k) - places.sides.first) / SIDE_WORDS;
    return meet(kernel, number, normal, floats[sideAt(k) + 3]!, normal);
  });
  const clipped = clip(trace, planes);
  const { enter, leave, hit } = clipped;
  const outcome = numSides === 0 ? 'missed' : judge(answer, clipped);
  if (outcome === 'allSolid') answer.contents = contents;
  if (outcome === 'hit') {
    answer.normal = planes[hit]!.normal;
    answer.dist = floats[sideAt(hit) + 3]!;
    answer.contents = contents;
    answer.surfaceFlags = ints[places.shaders.first + 2 * ints[sideAt(hit) + 5]!]!;
  }
  const side = hit < 0 ? -1 : planes[hit]!.side;
  trace.record({ kind: 'brush', brush, contents, outcome, enter, leave, side });
}

/** What a clipped brush means for the answer, and puts the fraction and the solid marks into it. */
function judge(answer: ReferenceAnswer, { missed, startsOut, endsOut, enter, leave }: Clip): ClipOutcome {
  if (missed) return 'missed';
  if (!startsOut) {
    answer.startSolid = true;
    if (endsOut) return 'startSolid';
    answer.allSolid = true;
    answer.fraction = 0;
    return 'allSolid';
  }
  if (!(enter > -1 && enter < leave)) return 'missed';
  if (!(enter < answer.fraction)) return 'farther';
  answer.fraction = enter;
  return 'hit';
}
