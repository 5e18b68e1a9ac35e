import type { MoveExplanation, MoveRound, Trace } from '@bspkit/core';
import { moveText, noSteps, roundLines, roundName, show, showVec, stopOf } from '@bspkit/words';
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
  told: MoveExplanation,
  solids: Solids,
): object {
  const { kind, rounds, pushes, ended, endPos, remaining } = told;
  return {
    ...requestObject(map, made, move),
    move: kind,
    ended,
    endPos: cells(endPos),
    remaining: cells(remaining),
    pushes,
    rounds: rounds.map((round, k) => {
      const { start, end, stop, next, along, touched, trace, steps } = round;
      return {
        name: roundName(told, k),
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
    return `${page.paint('underline', roundName(told, k))}\n${text}\n`;
  });
  const fields: [string, string][] = [
    ['from', showVec(from)],
    ['to', showVec(to)],
    ...pushes.map(({ polygon, depth, end }): [string, string] => [
      'pushed',
      `out of polygon ${polygon}, ${show(depth)} units deep, to ${showVec(end)}`,
    ]),
    ...rounds.flatMap((round, k) => roundLines(told, k, brushOf(solids, round))),
    ['result', page.paint(told.ended === 'free' ? 'green' : 'yellow', moveText(told))],
    ['end', showVec(endPos)],
  ];
  if (told.ended === 'limit') fields.push(['remaining', showVec(remaining)]);
  const trace: Trace = rounds.at(-1)!.trace;
  const work = explainSummary({ trace, steps: rounds.flatMap((round) => round.steps) }, shape);
  fields.push(['work', work]);
  return `${steps.join('')}${page.title(map.name, showShape(shape))}\n${page.fields(fields)}`;
}
