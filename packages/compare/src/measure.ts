import { checkCallback, checkList, checkOptions, checkWhole } from '@bspkit/core/format';
import { bytesPerJob, type HeapMeter } from './allocation.ts';
import { checkOptionalCallback, checkRange, checkRunner } from './checks.ts';
import type { Timing } from './report.ts';
import { type Clock, defaultClock, type Runner, timeInTurns } from './timing.ts';

/** How runners are measured. */
export interface MeasureOptions {
  /** Timed rounds, 0 to 1000; 9 by default, 0 for no timing. */
  readonly rounds?: number | undefined;
  /** The least number of milliseconds for which each runs per round, 0 to 60,000; 10 by default. */
  readonly roundTime?: number | undefined;
  /** Clock in milliseconds; `performance.now` where the platform has it, otherwise `Date.now`. */
  readonly now?: Clock | undefined;
  /** Bytes of the JavaScript heap in use. If given, allocation per job is measured too. */
  readonly heap?: HeapMeter | undefined;
}

/** What was measured of a runner. Fields that the types of the options require are always there. */
export type Measured<O extends MeasureOptions = MeasureOptions> = Timed<O> & Metered<O>;

/** By default there are rounds; a number known only at run time may be 0. */
type Timed<O> = O extends { readonly rounds: infer Rounds }
  ? number extends Rounds
    ? Perhaps<TimedPart>
    : 0 extends Rounds
      ? Perhaps<TimedPart>
      : TimedPart
  : 'rounds' extends keyof O
    ? Perhaps<TimedPart>
    : TimedPart;

type Metered<O> = O extends { readonly heap: HeapMeter } ? MeteredPart : Perhaps<MeteredPart>;

/** What may be there or not. */
export type Perhaps<Part> = { readonly [K in keyof Part]?: Part[K] | undefined };

/** Refuses names that are not options, as TypeScript does where nothing is inferred. */
export type Known<O, Options> = { readonly [K in Exclude<keyof O, keyof Options>]: never };

interface TimedPart {
  /** Nanoseconds per job; absent without timed rounds. */
  readonly time: Timing;
}

interface MeteredPart {
  /**
   * Bytes that a job allocates on the JavaScript heap: infinite if garbage is collected during each job. Absent without `heap`.
   */
  readonly allocated: number;
}

export const MEASURE_OPTIONS: readonly string[] = [
  'rounds',
  'roundTime',
  'now',
  'heap',
] satisfies (keyof MeasureOptions)[];

const MOST_ROUNDS = 1000;
const LONGEST_ROUND = 60_000;
const MOST_JOBS = 0x7fffffff;

/**
 * Measures how long several ways of doing the same jobs take, in turns, and how much they allocate: what {@link compare} does
 * with tracers, for anything else, such as players' moves.
 *
 * @param runners - the first is the baseline for the others' `speed`. They are called with up to 200 jobs at a time, or as many
 *   as their `atOnce` says, from the first to the last, again and again.
 * @param count - how many jobs there are, 1 or more.
 * @throws RangeError for no runners, no jobs, or an option out of range; TypeError for anything but a function.
 */
export function measure<const O extends MeasureOptions = Record<never, never>>(
  runners: readonly Runner[],
  count: number,
  options?: O & Known<O, MeasureOptions>,
): Measured<O>[];
export function measure(runners: readonly Runner[], count: number, options: MeasureOptions = {}): Measured[] {
  checkOptions(options, MEASURE_OPTIONS);
  checkList(runners, 'runners');
  if (runners.length === 0) throw new RangeError('runners must hold at least one');
  for (const [k, run] of runners.entries()) checkRunner(run, `runners[${k}]`);
  checkWhole(count, 'count', 1, MOST_JOBS);
  return measureRunners(runners, count, measureSettings(options), () => {});
}

/** Options with their defaults filled in. */
interface Settings {
  readonly rounds: number;
  readonly roundTime: number;
  readonly now: Clock;
  readonly heap: HeapMeter | undefined;
}

/** The settings for some options. Throws `RangeError` or `TypeError` naming the one that is wrong. */
export function measureSettings(options: MeasureOptions): Settings {
  const { rounds = 9, roundTime = 10, now = defaultClock(), heap } = options;
  checkWhole(rounds, 'rounds', 0, MOST_ROUNDS);
  checkRange(roundTime, 'roundTime', 0, LONGEST_ROUND);
  checkCallback(now, 'now');
  checkOptionalCallback(heap, 'heap');
  return { rounds, roundTime, now, heap };
}

/** {@link measure} with checked arguments. */
export function measureRunners(
  runners: readonly Runner[],
  count: number,
  { heap, ...timing }: Settings,
  onProgress: (stage: 'timing' | 'allocation', part: number) => void,
): Measured[] {
  const onRound = (part: number): void => onProgress('timing', part);
  const times = timing.rounds > 0 ? timeInTurns(runners, count, { ...timing, onRound }) : [];
  return runners.map((run, k) => {
    if (heap) onProgress('allocation', k / runners.length);
    const time = times[k];
    return { ...(time && { time }), ...(heap && { allocated: bytesPerJob(run, count, heap) }) };
  });
}
