import type { ClipOutcome } from '@bspkit/core';
import {
  FACET_WORDS,
  NUM_SIDES,
  PATCH_CONTENTS,
  PATCH_FACETS,
  PATCH_FLAGS,
  PATCH_NUM_FACETS,
  PATCH_PLANES,
  PATCH_SURFACE,
  PLANE_WORDS,
  SIDE_PLANE,
  SIDE_WORDS,
} from '../layout.ts';
import {
  clip,
  cornerReach,
  isApart,
  type MetPlane,
  meet,
  type ReferenceTrace,
  recordHit,
  skips,
} from './clip.ts';
import { judgeFacet } from './round.ts';
import { dot, negate, type Point, three } from './vec.ts';

// Curved patches, which the tutorials leave out: facets as the engine tests them.

const f = Math.fround;

/** The crossing of a plane that the move does not cross ahead: later than any other. */
const NEVER = 99999;

/** One plane of a facet: as stored, and whether its facet is in front of it. */
export interface FacetPlane {
  /** Its place among the facet's planes, the surface being 0. */
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

/** The surface that a patch comes from, and its contents. `at` is the patch's place. */
export function patchOf({ memory }: ReferenceTrace, at: number): { patch: number; contents: number } {
  return { patch: memory.ints[at + PATCH_SURFACE]!, contents: memory.ints[at + PATCH_CONTENTS]! };
}

/** Tests a patch (given by its place) and all its facets, in order. */
export function checkPatch(trace: ReferenceTrace, at: number): void {
  const { answer, memory, epsilon } = trace;
  const { patch, contents } = patchOf(trace, at);
  const skipped =
    skips(trace, `patch ${patch}`, contents) ?? (isApart(trace, at, epsilon) ? 'apart' : undefined);
  if (skipped) {
    trace.record({ kind: 'facet', patch, facet: -1, outcome: skipped, enter: -1, leave: 1 });
    return;
  }
  const before = answer.fraction;
  for (const [facet, { place, planes }] of facets(trace, at).entries()) {
    const { outcome, enter, leave } = trace.isPoint
      ? judgePoint(trace, planes)
      : trace.round
        ? judgeFacet(trace, place)
        : judgeVolume(trace, planes);
    trace.record({ kind: 'facet', patch, facet, outcome, enter, leave });
  }
  if (answer.fraction < before) {
    answer.surfaceFlags = memory.ints[at + PATCH_FLAGS]!;
    recordHit(answer, { contents, patch });
  }
}

/** The facets of a patch: their places, and their planes, the surface before the borders. */
export function facets(
  { memory }: ReferenceTrace,
  patch: number,
): { readonly place: number; readonly planes: FacetPlane[] }[] {
  const { ints, floats } = memory;
  return Array.from({ length: ints[patch + PATCH_NUM_FACETS]! }, (_, k) => {
    const place = ints[patch + PATCH_FACETS]! + FACET_WORDS * k;
    const planes = Array.from({ length: ints[place + NUM_SIDES]! }, (_, number) => {
      const named = ints[ints[place]! + SIDE_WORDS * number + SIDE_PLANE]!;
      const inward = named < 0;
      const at = ints[patch + PATCH_PLANES]! + PLANE_WORDS * (inward ? -1 - named : named);
      return { number, normal: three(floats, at), dist: floats[at + 3]!, inward };
    });
    return { place, planes };
  });
}

/** A point is stopped by the front of a facet if its crossing is inside all borders. */
function judgePoint(trace: ReferenceTrace, planes: readonly FacetPlane[]): Judged {
  const { start, end, epsilon, answer } = trace;
  const measured = planes.map(({ normal, dist, inward }) => {
    const startDist = f(dot(start, normal) - dist);
    const endDist = f(dot(end, normal) - dist);
    const crossing = startDist === endDist ? NEVER : f(startDist / f(startDist - endDist));
    const inFront = !(startDist <= 0);
    const outside = inFront !== inward;
    return { startDist, endDist, inFront, outside, crossing: crossing <= 0 ? NEVER : crossing };
  });
  for (const [side, { startDist, endDist, crossing }] of measured.entries()) {
    const { normal, dist } = planes[side]!;
    trace.record({ kind: 'side', side, normal, dist, startDist, endDist, enter: crossing, leave: 1 });
  }
  const [surface, ...borders] = measured as [(typeof measured)[0], ...typeof measured];
  const enter = surface.crossing;
  // A crossing that is NaN, so far out that float32 overflows, is none: the engine's fraction would be NaN.
  if (!surface.inFront || Number.isNaN(enter)) return { outcome: 'missed', enter: -1, leave: 1 };
  if (enter > answer.fraction) return { outcome: 'farther', enter, leave: 1 };
  const inside = borders.every(({ outside, crossing }) =>
    outside ? !(crossing > enter) : !(crossing < enter),
  );
  if (!inside) return { outcome: 'missed', enter, leave: 1 };
  const fraction = f((surface.startDist - epsilon) / f(surface.startDist - surface.endDist));
  answer.fraction = fraction < 0 ? 0 : fraction;
  answer.normal = planes[0]!.normal;
  answer.dist = planes[0]!.dist;
  return { outcome: 'hit', enter: answer.fraction, leave: 1 };
}

/** The planes of a facet as a box or capsule meets them: turned outward and widened. */
export function meetFacet(trace: ReferenceTrace, planes: readonly FacetPlane[]): MetPlane[] {
  return planes.map((plane) => {
    const { number, inward } = plane;
    const normal = inward ? negate(plane.normal) : plane.normal;
    const dist = inward ? -plane.dist : plane.dist;
    if (trace.capsule || number === 0) return meet(trace, number, normal, dist);
    // On borders the corner is picked by the plane as stored, and its distance counts without its sign.
    const reach = Math.abs(cornerReach(trace, normal, plane.normal));
    return { side: number, normal, dist: f(dist + reach), shift: [0, 0, 0] };
  });
}

/** Boxes and capsules treat a facet as a brush, which cannot be entered through its last plane, its back. */
function judgeVolume(trace: ReferenceTrace, planes: readonly FacetPlane[]): Judged {
  const { answer } = trace;
  const met = meetFacet(trace, planes);
  const { missed, enter, leave, hit } = clip(trace, met);
  const fromBehind = hit === planes.length - 1;
  if (missed || fromBehind || !(enter >= 0 && enter < leave)) return { outcome: 'missed', enter, leave };
  if (!(enter < answer.fraction)) return { outcome: 'farther', enter, leave };
  answer.fraction = enter;
  answer.normal = met[hit]!.normal;
  answer.dist = met[hit]!.dist;
  return { outcome: 'hit', enter, leave };
}
