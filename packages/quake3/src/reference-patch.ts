import type { ClipOutcome } from '@bspkit/core';
import { BOX, S_MODE, S_POINT } from './kernel.ts';
import { FACET_WORDS } from './layout.ts';
import { clip, dot, type MetPlane, meet, type Point, passes, type ReferenceTrace } from './reference-clip.ts';

// Curved patches, which the tutorials leave out: facets as the engine tests them.

const f = Math.fround;

/** One plane of a facet: as stored, and whether its facet lies in front of it. */
interface FacetPlane {
  readonly number: number;
  readonly normal: Point;
  readonly dist: number;
  readonly inward: boolean;
}

/** How testing a facet ended. */
interface Judged {
  readonly outcome: ClipOutcome;
  readonly enter: number;
  readonly leave: number;
}

/** Tests a patch (given by its place) and all its facets, in order. */
export function checkPatch(trace: ReferenceTrace, patch: number): void {
  const { ints, state } = trace.kernel;
  const { answer } = trace;
  const contents = ints[patch + 6]!;
  const number = ints[patch + 12]!;
  const outcome = passes(trace, `patch ${number}`, contents, patch);
  if (outcome) {
    trace.record({ kind: 'facet', patch: number, facet: -1, outcome, enter: -1, leave: 1 });
    return;
  }
  const before = answer.fraction;
  for (let facet = 0; facet < ints[patch + 11]!; facet++) {
    const planes = facetPlanes(trace, patch, ints[patch + 10]! + FACET_WORDS * facet);
    const judged = state[S_POINT] ? judgePoint(trace, planes) : judgeVolume(trace, planes);
    trace.record({ kind: 'facet', patch: number, facet, ...judged });
  }
  if (answer.fraction < before) {
    answer.contents = contents;
    answer.surfaceFlags = ints[patch + 7]!;
  }
}

/** The surface plane, then the borders. */
function facetPlanes({ kernel }: ReferenceTrace, patch: number, facet: number): FacetPlane[] {
  const { ints, floats } = kernel;
  const borders = ints.subarray(ints[facet + 1]!, ints[facet + 1]! + ints[facet + 2]!);
  return [2 * ints[facet]!, ...borders].map((word, number) => {
    const at = ints[patch + 8]! + 4 * (word >> 1);
    const normal: Point = [floats[at]!, floats[at + 1]!, floats[at + 2]!];
    return { number, normal, dist: floats[at + 3]!, inward: (word & 1) !== 0 };
  });
}

/** A point is stopped by the front of a facet whose borders all let its crossing through. */
function judgePoint(trace: ReferenceTrace, planes: FacetPlane[]): Judged {
  const { start, end, epsilon, answer } = trace;
  const measured = planes.map(({ normal, dist, inward }) => {
    const startDist = f(dot(start, normal) - dist);
    const endDist = f(dot(end, normal) - dist);
    const crossing = startDist === endDist ? 99999 : f(startDist / f(startDist - endDist));
    const inFront = !(startDist <= 0);
    return {
      startDist,
      endDist,
      inFront,
      outside: inFront !== inward,
      crossing: crossing <= 0 ? 99999 : crossing,
    };
  });
  for (const [number, { startDist, endDist, crossing }] of measured.entries()) {
    const { normal, dist } = planes[number]!;
    const stretch = { enter: crossing, leave: 1 };
    trace.record({ kind: 'side', side: number, normal, dist, startDist, endDist, ...stretch });
  }
  const [surface, ...borders] = measured as [(typeof measured)[0], ...typeof measured];
  const enter = surface.crossing;
  if (!surface.inFront) return { outcome: 'missed', enter: -1, leave: 1 };
  if (enter > answer.fraction) return { outcome: 'farther', enter, leave: 1 };
  const inside = borders.every(({ outside, crossing }) =>
    outside ? !(crossing > enter) : !(crossing < enter),
  );
  if (!inside) return { outcome: 'missed', enter, leave: 1 };
  const fraction = f((surface.startDist - epsilon) / f(surface.startDist - surface.endDist));
  answer.fraction = fraction < 0 ? 0 : fraction;
  answer.normal = planes[0]!.normal;
  answer.dist = planes[0]!.dist;
  return { outcome: 'hit', enter, leave: 1 };
}

/** Boxes and capsules treat a facet as a brush, which cannot be entered through its last plane, its back. */
function judgeVolume(trace: ReferenceTrace, planes: FacetPlane[]): Judged {
  const { kernel, answer } = trace;
  const met = planes.map(({ number, normal, dist, inward }): MetPlane => {
    const turned = inward ? (normal.map((n) => -n) as unknown as Point) : normal;
    const plane = meet(kernel, number, turned, inward ? -dist : dist, normal);
    if (kernel.state[S_MODE] !== BOX || number === 0) return plane;
    const reach = Math.abs(f(meet(kernel, number, turned, 0, normal).dist));
    return { ...plane, dist: f((inward ? -dist : dist) + reach) };
  });
  const { missed, enter, leave, hit } = clip(trace, met);
  const fromBehind = hit === planes.length - 1;
  if (missed || fromBehind || !(enter >= 0 && enter < leave)) return { outcome: 'missed', enter, leave };
  if (!(enter < answer.fraction)) return { outcome: 'farther', enter, leave };
  answer.fraction = enter;
  answer.normal = met[hit]!.normal;
  answer.dist = met[hit]!.dist;
  return { outcome: 'hit', enter, leave };
}
