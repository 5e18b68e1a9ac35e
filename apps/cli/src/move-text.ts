import type { MoveExplanation, MoveRound, Trace } from '@bspkit/core';
import {
  moveText,
  nextText,
  noSteps,
  planeText,
  show,
  showVec,
  stopOf,
  touchedText,
  wayLength,
} from '@bspkit/words';
import { brushBehind, type Solids } from './explain-svg.ts';
import { explainSummary, explainText } from './explain-text.ts';
import { cells } from './numbers.ts';
import type { OpenMap } from './open-map.ts';
import type { Page } from './page.ts';
import { answerObject, type Move, requestObject, showShape } from './trace-text.ts';
import type { MadeTracer } from './tracer-options.ts';

/** The solid brush that a round touched; -1 for none, or where the map keeps no brushes. */
function brushOf(solids: Solids, { steps, trace }: MoveRound): number {
  const stop = stopOf(steps);
  return (stop && brushBehind(solids, stop, trace)) ?? -1;
}

/** A whole move for programs. */
export function moveObject(
  map: OpenMap,
  made: MadeTracer,
  move: Move,
  { kind, rounds, pushes, ended, endPos, remaining }: MoveExplanation,
  solids: Solids,
): object {
  return {
    ...requestObject(map, made, move),
    move: kind,
    ended,
    endPos: cells(endPos),
    remaining: cells(remaining),
    pushes,
    rounds: rounds.map((round) => {
      const { start, end, stop, next, along, touched, trace, steps } = round;
      return {
        ...{ start, end, stop, next, along, touched: touched ?? null },
        ...answerObject(map, trace),
        brush: brushOf(solids, round),
        steps,
      };
    }),
  };
}

/** A whole move for people: the steps of each round, then the rounds in short. `all` lists what was skipped too. */
export function moveTexts(
  map: OpenMap,
  { tracer: { shape } }: MadeTracer,
  { from, to }: Move,
  told: MoveExplanation,
  solids: Solids,
  all: boolean,
  page: Page,
): string {
  const { rounds, pushes, endPos, remaining } = told;
  const steps = rounds.map((round, k) => {
    const text =
      round.steps.length > 0
        ? explainText(round, all, map.format.contents, page)
        : `${page.wrap(noSteps(shape))}\n`;
    return `${page.paint('underline', `round ${k + 1}`)}\n${text}\n`;
  });
  const fields: [string, string][] = [
    ['from', showVec(from)],
    ['to', showVec(to)],
    ...pushes.map(({ polygon, depth, end }): [string, string] => [
      'pushed',
      `out of polygon ${polygon}, ${show(depth)} units deep, to ${showVec(end)}`,
    ]),
    ...rounds.flatMap((_, k) => roundFields(told, k, solids)),
    ['result', page.paint(told.ended === 'free' ? 'green' : 'yellow', moveText(told))],
    ['end', showVec(endPos)],
  ];
  if (told.ended === 'limit') fields.push(['remaining', showVec(remaining)]);
  const trace: Trace = rounds.at(-1)!.trace;
  const work = explainSummary({ trace, steps: rounds.flatMap((round) => round.steps) }, shape);
  fields.push(['work', work]);
  return `${steps.join('')}${page.title(map.name, showShape(shape))}\n${page.fields(fields)}`;
}

/** A round: from where to where, what it touched, where it stopped, and how the move goes on. */
function roundFields(told: MoveExplanation, k: number, solids: Solids): [string, string][] {
  const round = told.rounds[k]!;
  const { start, end, stop, next, trace, steps } = round;
  const fields: [string, string][] = [[`round ${k + 1}`, `from ${showVec(start)} to ${showVec(end)}`]];
  const touched = touchedText(round);
  const isSlide = told.kind === 'slide';
  if (touched !== '') {
    const brush = brushOf(solids, round);
    const polygon = stopOf(steps);
    const at = show(round.touched?.enter ?? polygon?.enter ?? trace.fraction, 6);
    const parts = [touched];
    if (brush >= 0) parts.push(`brush ${brush}`);
    if (polygon) parts.push(planeText(trace.normal, trace.dist), `at ${at}`);
    if (polygon && !isSlide) parts.push(`facing ${show(polygon.facing)}`);
    fields.push([isSlide ? 'touches' : 'hits', parts.join(', ')]);
  }
  if (touched !== '' && isSlide) {
    const way = `${show(wayLength(start, stop), 2)} of ${show(wayLength(start, end), 2)} units`;
    fields.push(['stops', `after ${way}, at ${showVec(stop)}`]);
  }
  const goesOn = k < told.rounds.length - 1;
  const where = goesOn ? `, to ${showVec(next)}` : '';
  fields.push([goesOn ? 'then' : 'ends', `${nextText(told, k)}${where}`]);
  return fields;
}
