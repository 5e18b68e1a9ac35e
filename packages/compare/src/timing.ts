import { failArgument } from '@bspkit/core/format';
import type { Timing } from './report.ts';

/** A clock: milliseconds from any beginning. */
export type Clock = () => number;

/** How many jobs a runner is given at a time. */
export interface Asked {
  /** The most jobs per call, for runners that gain from many at once; 200 by default, `Infinity` for all. */
  readonly atOnce?: number | undefined;
}

/** Does jobs `first` to `last - 1`; returns a number that depends on all of them, so that no compiler leaves any out. */
export type Runner = ((first: number, last: number) => number) & Asked;

/** How the timing is done. */
export interface TimingOptions {
  readonly now: Clock;
  readonly rounds: number;
  /** The least number of milliseconds per runner and round, so that the clock's resolution does not matter. */
  readonly roundTime: number;
  /** Called before each round, never within one, with how much is done: 0 to 1. */
  onRound(part: number): void;
}

/**
 * Jobs per call of a runner without `atOnce`. A loop that is entered once and runs long stays in code compiled for its middle,
 * which boxes numbers; one that is called often is compiled as tracers are in use.
 */
const SLICE = 200;

/** Jobs per call of a runner, out of `count`. */
export const jobsAtOnce = ({ atOnce = SLICE }: Asked, count: number): number => Math.min(atOnce, count);

/** From this many jobs on, rounds become no longer if the clock does not go on with the jobs. */
const MOST_JOBS = 1_000_000;
/** Rounds before those that count: in the first ones, the code is still compiled for a single runner. */
const WARM_UP_ROUNDS = 2;

/** What the timed runs computed ends up here, in memory that compilers must write to. */
const SINK: Float64Array = /* @__PURE__ */ new Float64Array(1);

/** The clock of browsers and Node, on which this package does not depend; otherwise that of dates. */
export function defaultClock(): Clock {
  const { performance } = globalThis as { performance?: { now(): number } };
  return performance ? () => performance.now() : () => Date.now();
}

/**
 * Times runners that do the same `count` jobs in turns: A B C, B C A, … so that any disturbance of the machine affects all of
 * them equally. Garbage is not collected on demand: a forced collection also throws away compiled code, and slows what follows
 * several times.
 */
export function timeInTurns(
  runners: readonly Runner[],
  count: number,
  { now, rounds, roundTime, onRound }: TimingOptions,
): Timing[] {
  const elapsed = (run: Runner, passes: number): number => {
    const began = now();
    for (let pass = 0; pass < passes; pass++) runPass(run, count);
    const time = now() - began;
    if (!Number.isFinite(time)) failArgument('now', 'a clock of finite milliseconds', time);
    return time;
  };
  /** How many passes to try where so many were shorter than a round. */
  const morePasses = (tried: number, time: number): number =>
    Math.ceil(tried * Math.min(8, time > 0 ? (1.2 * roundTime) / time : 8));
  const lengths = runners.map((run) => {
    let tried = 1;
    for (let before = 0; ; ) {
      const time = elapsed(run, tried);
      const isLong = time >= roundTime;
      if (isLong || (time <= before && tried * count >= MOST_JOBS)) return { passes: tried, isLong };
      before = time;
      tried = morePasses(tried, time);
    }
  });
  const times = runners.map(() => [] as number[]);
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const done = round + WARM_UP_ROUNDS;
    onRound(done / (rounds + WARM_UP_ROUNDS));
    for (let turn = 0; turn < runners.length; turn++) {
      const k = (done + turn) % runners.length;
      const length = lengths[k]!;
      const { passes, isLong } = length;
      const [time, jobs] = [elapsed(runners[k]!, passes), passes * count];
      if (round >= 0) times[k]!.push((1e6 * time) / jobs);
      // Code that has been compiled meanwhile is faster than when the passes were counted.
      if (time < roundTime && (isLong || jobs < MOST_JOBS)) length.passes = morePasses(passes, time);
    }
  }
  const [firstTimes = []] = times;
  // Ratios within the same round, in which a disturbance of the machine is likely to affect both.
  return times.map((own) => summarize(own, sorted(own.map((time, k) => ratioOf(firstTimes[k]!, time)))));
}

/** How many times faster; 1 for rounds that are equally long, even if the clock stood still in both. */
const ratioOf = (first: number, own: number): number => (first === own ? 1 : first / own);

function runPass(run: Runner, count: number): void {
  const slice = jobsAtOnce(run, count);
  for (let first = 0; first < count; first += slice) {
    SINK[0]! += run(first, Math.min(first + slice, count));
  }
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** The value below which a share of sorted values lies, interpolated between the two nearest. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const place = share * (values.length - 1);
  const below = values[Math.floor(place)]!;
  return below + (place - Math.floor(place)) * (values[Math.ceil(place)]! - below);
}

function summarize(times: readonly number[], ratios: readonly number[]): Timing {
  const rising = sorted(times);
  return {
    median: quantile(rising, 0.5),
    low: quantile(rising, 0.25),
    high: quantile(rising, 0.75),
    min: rising[0]!,
    max: rising.at(-1)!,
    rounds: times.length,
    speed: quantile(ratios, 0.5),
  };
}
