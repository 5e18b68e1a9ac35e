import {
  type CompareEntry,
  type CompareOptions,
  type Comparison,
  compare,
  type TracerReport,
  WORK_KINDS,
} from '@bspkit/compare';
import { count } from '@bspkit/words';
import { wholeBetween } from './arguments.ts';
import { withUserInput } from './errors.ts';
import { showStages } from './progress.ts';
import type { Session } from './session.ts';

/** The work is counted for this many queries: literal algorithms are slow. */
const EXPLAINED = 200;

/** As many as `compare` accepts. */
const MOST_ROUNDS = 1000;

/** Makes a parser of numbers of timed rounds. */
export const roundsFrom = (least: number): ((text: string) => number) => wholeBetween(least, MOST_ROUNDS);

/** Compares, with progress on a terminal. Errors about the settings become usage errors. */
export function compareEntries(
  entries: readonly CompareEntry[],
  queries: Float32Array,
  settings: CompareOptions,
  session: Session,
): Comparison {
  const stages = showStages(session);
  const { now } = session;
  const onProgress = stages.update;
  try {
    return withUserInput(() =>
      compare(entries, queries, { explained: EXPLAINED, now, onProgress, ...settings }),
    );
  } finally {
    stages.end();
  }
}

/** Whether any steps of tracers were counted: where nothing is near the moves, there are none. */
export const hasSteps = (tracers: readonly Pick<TracerReport, 'work'>[]): boolean =>
  tracers.some(({ work }) => work && WORK_KINDS.some((kind) => work[kind] > 0));

/** Over how many queries the work of tracers was counted, in words; empty where there is none. */
export function explainedText(tracers: readonly Pick<TracerReport, 'work'>[]): string {
  const explained = tracers.flatMap(({ work }) => (work ? [work.queries] : []));
  if (explained.length === 0) return '';
  const [least, most] = [Math.min(...explained), Math.max(...explained)];
  if (least === most) return count(most, 'query', 'queries');
  return `${least} to ${count(most, 'query', 'queries')} (without those of too many steps)`;
}
