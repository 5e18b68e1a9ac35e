import type {
  BrushStep,
  FacetStep,
  FeatureStep,
  PolygonStep,
  Shape,
  StepVec,
  TraceStep,
  Vec3,
} from '@bspkit/core';
import { show, showVec } from './numbers.ts';

/** A plane as an equation: `x = 128`, or with its whole normal. Nodes that join two trees have none. */
export function planeText(normal: StepVec | Vec3, dist: number): string {
  const axis = Array.from(normal).findIndex((n) => Math.abs(n) === 1);
  if (Array.from(normal).every((n) => n === 0)) return 'no plane';
  if (axis < 0) return `(${showVec(normal, 3)}) · p = ${show(dist, 2)}`;
  const name = 'xyz'[axis]!;
  return normal[axis]! > 0 ? `${name} = ${show(dist, 2)}` : `${name} = ${show(-dist, 2)} (faces -${name})`;
}

/** The ends of a whole move, by the first of its steps that has any; `undefined` if none has. */
export function moveEnds(
  steps: Iterable<TraceStep>,
): { readonly start: StepVec; readonly end: StepVec } | undefined {
  for (const step of steps) {
    if (!('start' in step)) continue;
    const { start, end } = step;
    if (step.kind !== 'node' || step.endFraction > 0) return { start, end };
    // In a position test, two opposite corners of the shape may be in place of the ends.
    const middle = (k: number): number => (start[k]! + end[k]!) / 2;
    const at: StepVec = [middle(0), middle(1), middle(2)];
    return { start: at, end: at };
  }
  return undefined;
}

/** The name of a node: of one that is not in the file, no number. */
export const nodeName = (node: number): string => (node < 0 ? 'node' : `node ${node}`);

/** The name of a leaf. */
export const leafName = (leaf: number): string => (leaf < 0 ? 'leaf' : `leaf ${leaf}`);

/** What outcomes mean for a brush or facet, and most of them for a polygon. */
const OUTCOMES: Readonly<Record<BrushStep['outcome'], string>> = {
  again: 'seen before',
  masked: 'not in the mask',
  apart: 'its bounds are clear of the move',
  missed: 'missed',
  startSolid: 'the move starts in it and leaves',
  allSolid: 'the move stays in it',
  hit: 'hit',
  farther: 'would be hit, but something before it is no farther',
  passed: 'as near as would stop it, but it would pass if it went on',
  outfaced: 'would be hit, but one before it faces the move no less',
};

/** Outcomes of what was not tested further; there are many, and they say little. */
export const SKIPPED: ReadonlySet<string> = new Set(['again', 'masked', 'apart']);

/** What some outcomes mean for a polygon, which is no solid. */
const POLYGON_OUTCOMES: Readonly<Partial<typeof OUTCOMES>> = {
  apart: 'the move does not come to its plane',
  startSolid: 'overlapped at the start, but the move leads no deeper',
  allSolid: 'overlapped at the start, and the move leads deeper',
};

/** The name of a face, an edge or a corner: a polygon or facet has only one face, and those of brushes go by their sides. */
export const featureName = ({
  feature,
  number,
  side,
}: Pick<FeatureStep, 'feature' | 'number' | 'side'>): string => {
  if (feature !== 'face') return `${feature} ${number}`;
  return side === undefined ? feature : `face of side ${side}`;
};

/** Whether a move comes to touch a face, an edge or a corner, and where. */
export const featureOutcome = ({ enter }: Pick<FeatureStep, 'enter'>): string =>
  enter < 0 ? 'not touched' : `touched at ${show(enter, 6)}`;

type ClipStep = BrushStep | FacetStep | PolygonStep;

/** What became of a brush, facet or polygon. */
export const outcomeName = ({ kind, outcome }: Pick<ClipStep, 'kind' | 'outcome'>): string =>
  (kind === 'polygon' && POLYGON_OUTCOMES[outcome]) || OUTCOMES[outcome];

/** {@link outcomeName}, and where a move that hits it enters it. */
export const clipOutcome = (step: Pick<ClipStep, 'kind' | 'outcome' | 'enter'>): string =>
  outcomeName(step).replace(/\bhit\b/, (hit) => `${hit} at ${show(step.enter, 6)}`);

/** Why an explanation has no steps, by the shape that moves: some games walk no tree that the move stays away from. */
export const noSteps = ({ kind }: Shape): string =>
  kind === 'ellipsoid'
    ? 'there are no polygons near the move'
    : 'the move has length zero, or comes near nothing that may stop it';
