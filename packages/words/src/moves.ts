import type { MoveExplanation, MoveRound, PolygonStep, StepVec, TraceStep } from '@bspkit/core';
import { count, show } from './numbers.ts';
import { featureName } from './steps.ts';

/** The polygon that stopped a trace among polygons, or that pushes: the last one that was hit. */
export function stopOf(steps: readonly TraceStep[]): PolygonStep | undefined {
  const isStop = (step: TraceStep): step is PolygonStep =>
    step.kind === 'polygon' && (step.outcome === 'hit' || step.outcome === 'allSolid');
  return steps.filter(isStop).at(-1);
}

/** What a round of a move touched or hit: `edge 2 of polygon 12`; empty for nothing. */
export function touchedText({ steps, touched, body }: MoveRound): string {
  if (body !== undefined) return `body ${body}`;
  const stop = stopOf(steps);
  if (!stop) return '';
  const of = `polygon ${stop.polygon}`;
  return touched ? `${touched.feature === 'face' ? 'the face' : featureName(touched)} of ${of}` : of;
}

/** How long the way between two places is, in Quake units. */
export const wayLength = (from: StepVec, to: StepVec): number =>
  Math.sqrt(from.reduce((sum, x, k) => sum + (to[k]! - x) * (to[k]! - x), 0));

/** How a move goes on after one of its rounds, or why it does not; without where it leads. */
export function nextText({ kind, rounds, ended }: MoveExplanation, number: number): string {
  const { end, stop, next, along } = rounds[number]!;
  const isLast = number === rounds.length - 1;
  if (along.length === 0) return 'nothing is in the way';
  if (kind === 'push') {
    if (!isLast) return `its end is pushed out by ${show(wayLength(end, next), 2)} units`;
    return `still in the way after ${count(number, 'push', 'pushes')}: back to the start`;
  }
  const others = along.slice(1).map((round) => `round ${round + 1}`);
  const surface = others.length === 0 ? 'it' : `the crease with what ${others[0]} touched`;
  if (isLast && ended === 'straight') return `nothing is left: it leads straight into ${surface}`;
  if (isLast && ended === 'corner') return `stuck in the corner with what ${others.join(' and ')} touched`;
  if (isLast && ended === 'back') return `what is left along ${surface} would lead back`;
  const left = `${show(wayLength(stop, next), 2)} of the ${show(wayLength(stop, end), 2)} units left`;
  const on = `along ${surface}: ${left}`;
  return isLast ? `${on}, but for the limit of ${count(rounds.length, 'round')}` : on;
}

/** What came of a move, in a few words. */
export function moveText({ rounds, ended }: MoveExplanation): string {
  return `${count(rounds.length, 'round')}: ${rounds.length === 1 && ended === 'free' ? 'nothing in the way' : ENDS[ended]}`;
}

const ENDS: Readonly<Record<MoveExplanation['ended'], string>> = {
  free: 'nothing in the way of the rest',
  straight: 'nothing left of the move',
  corner: 'stuck in a corner',
  back: 'what was left would lead back',
  limit: 'as many as there may be',
  returned: 'still in the way, so back to the start',
};
