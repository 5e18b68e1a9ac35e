import { checkRadius, checkSegments } from '@bspkit/core';
import { agree, answer, countAnswers, plainShape } from './agreement.ts';
import type { CompareEntry, Comparison, SideRule, TracerReport } from './report.ts';
import { type Clock, defaultClock, timeInTurns } from './timing.ts';
import { countWork } from './work.ts';

/** How tracers are compared. */
export interface CompareOptions {
  /** Fractions this near to each other are the same; 1e-4 unless told, 0 for equal bits. */
  readonly tolerance?: number | undefined;
  /**
   * Ends this near to each other are the same too, in Quake units; 0 unless told. It is measured across the surface
   * when both were stopped by sides that look the same way, so that 1/8 makes up for the distances that tracers keep;
   * else along the move.
   */
  readonly distance?: number | undefined;
  /**
   * When two hits are of the same side: `normal` (unless told) when the sides look the same way, which holds across
   * formats; `number` when model, brush, side, patch and plane have the same numbers, for tracers of one map.
   */
  readonly sides?: SideRule | undefined;
  /** How many of the worst differences a tracer's report keeps; 5 unless told. */
  readonly worst?: number | undefined;
  /** Rounds that are timed; 9 unless told, 0 for no timing. */
  readonly rounds?: number | undefined;
  /** Least milliseconds that a tracer runs in a round; 10 unless told. */
  readonly roundTime?: number | undefined;
  /** Clock in milliseconds; `performance.now` where the platform has it, else `Date.now`. */
  readonly now?: Clock | undefined;
  /** Of how many queries the work is counted, for tracers with `explain`; 500 unless told. */
  readonly explained?: number | undefined;
  /** Told which stage it is in (answers, timing, work) and how far that is, 0 to 1; never while something is timed. */
  readonly onProgress?: ((stage: string, part: number) => void) | undefined;
}

/**
 * Asks several tracers the same queries, and tells of each what it hit, how far it agrees with the first, how fast it
 * is and how much work it did. Answers, times and work come from runs of their own.
 *
 * Two answers agree when fractions are within `tolerance` or ends within `distance`, hits are of the same side, and
 * `startSolid` and `allSolid` are the same. Of moves wholly in solid to both only the flags are compared.
 *
 * @param entries - the first is the one that the others are held against.
 * @param queries - n times six numbers: start, then end.
 * @throws RangeError for no entries, no queries, or an option out of range; TypeError for two entries of one name;
 *   what a tracer throws, as the cause of an error that names tracer and query.
 */
export function compare(
  entries: readonly CompareEntry[],
  queries: Float32Array,
  options: CompareOptions = {},
): Comparison {
  const { tolerance = 1e-4, distance = 0, sides = 'normal', worst = 5 } = options;
  const { rounds = 9, roundTime = 10, now = defaultClock(), explained = 500 } = options;
  const { onProgress = () => {} } = options;
  const count = checkSegments(queries);
  if (count === 0) throw new RangeError('queries must hold at least one segment');
  checkEntries(entries);
  checkRadius(tolerance, 'tolerance');
  checkRadius(distance, 'distance');
  checkRadius(roundTime, 'roundTime');
  checkWhole(worst, 'worst', 0);
  checkWhole(rounds, 'rounds', 0);
  checkWhole(explained, 'explained', 1);

  const answers = entries.map((entry, k) => {
    onProgress('answers', k / entries.length);
    return answer(entry, queries);
  });
  const tracers = entries.map(({ tracer }) => tracer);
  const onRound = (round: number): void => onProgress('timing', round / rounds);
  const times = rounds > 0 ? timeInTurns(tracers, queries, { now, rounds, roundTime, onRound }) : [];
  const reports = entries.map(({ name, tracer, explain }, k): TracerReport => {
    const time = times[k];
    if (explain) onProgress('work', k / entries.length);
    return {
      name,
      shape: plainShape(tracer.shape),
      ...countAnswers(answers[k]!),
      agreement: agree(answers[0]!, answers[k]!, queries, { tolerance, distance, sides }, worst),
      ...(time && { time }),
      ...(explain && { work: countWork(explain, queries, explained) }),
    };
  });
  return { queries: count, tolerance, distance, sides, tracers: reports };
}

function checkEntries(entries: readonly CompareEntry[]): void {
  if (entries.length === 0) throw new RangeError('entries must hold at least one tracer');
  const names = new Set<string>();
  for (const { name } of entries) {
    if (names.has(name)) throw new TypeError(`entries must have names of their own, but two are '${name}'`);
    names.add(name);
  }
}

function checkWhole(value: number, name: string, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new RangeError(`${name} must be a whole number, ${least} or more, got ${value}`);
  }
}
