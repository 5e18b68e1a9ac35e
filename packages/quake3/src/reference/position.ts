import {
  BRUSH_WORDS,
  LIST_BRUSHES,
  LIST_NUM_BRUSHES,
  LIST_NUM_PATCHES,
  LIST_PATCHES,
  NODE_BACK,
  NODE_DIST,
  NODE_FRONT,
  NODE_NORMAL,
  NUM_SIDES,
  REF_WORDS,
  ROOT_WORD,
} from '../layout.ts';
import { brushOf, distanceTo, isApart, type ReferenceTrace, recordInside, skips } from './clip.ts';
import { facets, meetFacet, patchOf } from './patch.ts';
import * as round from './round.ts';
import { brushPlanes } from './sweep.ts';
import { add, each, type Point, three } from './vec.ts';

// The position test, which the engine makes if both ends of a move are equal. It is not a sweep: it has no steps.

const f = Math.fround;

/** The most leafs that are looked at. */
const MAX_LEAFS = 1024;

/** Tests the start against what a model lists, or against the world. */
export function testPosition(trace: ReferenceTrace, list: number | undefined): void {
  if (list !== undefined) {
    testList(trace, list);
    return;
  }
  const { start, mins, maxs } = trace;
  const low = each((k) => f(add(start, mins)[k] - 1));
  const high = each((k) => f(add(start, maxs)[k] + 1));
  const leafs = leafsTouched(trace, trace.memory.ints[ROOT_WORD]!, low, high);
  for (const leaf of leafs.slice(0, MAX_LEAFS)) {
    testList(trace, leaf);
    if (trace.answer.allSolid) return;
  }
}

/** Places of the leafs that a box touches, front before back. */
function leafsTouched(trace: ReferenceTrace, node: number, low: Point, high: Point): number[] {
  if (node < 0) return [-node];
  const { ints, floats } = trace.memory;
  const type = ints[node]!;
  const normal = three(floats, node + NODE_NORMAL);
  const dist = floats[node + NODE_DIST]!;
  // The box's corners that are farthest along the normal and against it.
  let [most, least] = [0, 0];
  for (const k of [0, 1, 2] as const) {
    most = f(most + f(normal[k] * (normal[k] < 0 ? low[k] : high[k])));
    least = f(least + f(normal[k] * (normal[k] < 0 ? high[k] : low[k])));
  }
  const onlyFront = type < 3 ? dist <= low[type]! : most >= dist && !(least < dist);
  const onlyBack = type < 3 ? !onlyFront && dist >= high[type]! : !(most >= dist) && least < dist;
  return [
    ...(onlyBack ? [] : leafsTouched(trace, ints[node + NODE_FRONT]!, low, high)),
    ...(onlyFront ? [] : leafsTouched(trace, ints[node + NODE_BACK]!, low, high)),
  ];
}

function testList(trace: ReferenceTrace, list: number): void {
  const { memory, answer, curves } = trace;
  const { ints } = memory;
  for (let k = 0; k < ints[list + LIST_NUM_BRUSHES]!; k++) {
    const ref = ints[list + LIST_BRUSHES]! + REF_WORDS * k;
    const { brush, contents } = brushOf(trace, ref);
    if (skips(trace, `brush ${brush}`, contents)) continue;
    if (!touchesBrush(trace, ref, brush)) continue;
    recordInside(answer, { contents, brush });
    return;
  }
  if (!curves) return;
  for (let k = 0; k < ints[list + LIST_NUM_PATCHES]!; k++) {
    const at = ints[ints[list + LIST_PATCHES]! + k]!;
    const { patch, contents } = patchOf(trace, at);
    if (skips(trace, `patch ${patch}`, contents)) continue;
    const touched = facets(trace, at).some(({ place, planes }) =>
      trace.round
        ? round.touchesFacet(trace, place)
        : meetFacet(trace, planes).every((plane) => !(distanceTo(plane, trace.start) > 0)),
    );
    if (!touched) continue;
    recordInside(answer, { contents, patch });
    return;
  }
}

/** The first six sides are assumed to be the bounds. */
function touchesBrush(trace: ReferenceTrace, ref: number, brush: number): boolean {
  const { ints, places } = trace.memory;
  if (ints[places.brushes.first + BRUSH_WORDS * brush + NUM_SIDES] === 0) return false;
  if (isApart(trace, ref, 0)) return false;
  if (trace.round) return round.touchesBrush(trace, brush);
  return brushPlanes(trace, brush, 6).every((plane) => !(distanceTo(plane, trace.start) > 0));
}
