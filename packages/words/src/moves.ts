import type { MoveExplanation, MoveRound, PolygonStep, StepVec, TraceStep } from '@bspkit/core';
import { count, show, showVec } from './numbers.ts';
import { featureName, planeText } from './steps.ts';

/** The polygon that stopped a trace among polygons, or that pushes: the last one that was hit. */
export function stopOf(steps: readonly TraceStep[]): PolygonStep | undefined {
  const isStop = (step: TraceStep): step is PolygonStep =>
    step.kind === 'polygon' && (step.outcome === 'hit' || step.outcome === 'allSolid');
  return steps.filter(isStop).at(-1);
}

/** What a round of a move touched or hit: `edge 2 of polygon 12`; empty for nothing. */
function touchedText({ steps, touched, body }: MoveRound): string {
  if (body !== undefined) return `body ${body}`;
  const stop = stopOf(steps);
  if (!stop) return '';
  const of = `polygon ${stop.polygon}`;
  return touched ? `${touched.feature === 'face' ? 'the face' : featureName(touched)} of ${of}` : of;
}

/**
 * What a round of a move is called. A method that pushes ends with one that pushes nothing: a check whether anything is still in
 * the way, which its limit of rounds does not count.
 */
export const roundName = (move: MoveExplanation, number: number): string =>
  isCheck(move, number) ? 'check' : `round ${number + 1}`;

/** Whether a round is the check that comes last by a method that pushes. */
export const isCheck = ({ kind, rounds }: MoveExplanation, number: number): boolean =>
  kind === 'push' && number === rounds.length - 1;

/**
 * What a round of a move did, as names and values: from where to where, what it touched, where it stopped, how it goes on.
 * @param brush - number of the brush that it touched; -1 if that is not known.
 * @param digits - of places, after the point.
 */
export function roundLines(
  move: MoveExplanation,
  number: number,
  brush = -1,
  digits = 4,
): [name: string, value: string][] {
  const round = move.rounds[number]!;
  const { start, end, stop, next, trace, steps } = round;
  const place = (at: StepVec): string => showVec(at, digits);
  const lines: [string, string][] = [[roundName(move, number), `from ${place(start)} to ${place(end)}`]];
  const touched = touchedText(round);
  const isSlide = move.kind === 'slide';
  if (touched) {
    const parts = [touched];
    if (brush >= 0) parts.push(`brush ${brush}`);
    const polygon = stopOf(steps);
    if (polygon) {
      parts.push(planeText(trace.normal, trace.dist), `at ${show(polygon.enter, 6)}`);
      if (!isSlide) parts.push(`facing ${show(polygon.facing)}`);
    }
    lines.push([isSlide ? 'touches' : 'hits', parts.join(', ')]);
    const way = `${show(wayLength(start, stop), 2)} of ${show(wayLength(start, end), 2)} units`;
    if (isSlide) lines.push(['stops', `after ${way}, at ${place(stop)}`]);
  }
  const isLast = number === move.rounds.length - 1;
  const where = isLast ? '' : `, to ${place(next)}`;
  lines.push([isLast ? 'ends' : 'then', nextText(move, number) + where]);
  return lines;
}

/** How long the way between two places is, in Quake units. */
const wayLength = (from: StepVec, to: StepVec): number =>
  Math.sqrt(from.reduce((sum, x, k) => sum + (to[k]! - x) * (to[k]! - x), 0));

/** How a move goes on after one of its rounds, or why it does not; without where it leads. */
function nextText({ kind, rounds, ended }: MoveExplanation, number: number): string {
  const { end, stop, next, along } = rounds[number]!;
  const isLast = number === rounds.length - 1;
  const others = along.slice(1).map((round) => `round ${round + 1}`);
  const between = others.length > 0 ? ` between it and what ${others.join(' and ')} touched` : '';
  if (isLast && ended !== 'limit') return ENDS[ended] + between;
  if (kind === 'push') return `its end is pushed out by ${show(wayLength(end, next), 2)} units`;
  const left = `${show(wayLength(stop, next), 2)} of the ${show(wayLength(stop, end), 2)} units left`;
  return `along ${between ? `the crease${between}` : 'it'}: ${left}${isLast ? `, but ${ENDS.limit}` : ''}`;
}

/** What came of a move, in a few words. */
export function moveText(move: MoveExplanation): string {
  const number = move.rounds.filter((_, k) => !isCheck(move, k)).length;
  return `${number > 0 ? `${count(number, 'round')}: ` : ''}${ENDS[move.ended]}`;
}

const ENDS: Readonly<Record<MoveExplanation['ended'], string>> = {
  free: 'nothing is in the way',
  straight: 'no way is left',
  corner: 'stuck in the corner',
  back: 'the only way left leads back',
  limit: 'that is the limit of rounds',
  returned: 'still in the way, so back to the start',
};
