import type { Trace, Tracer } from '@bspkit/core';
import type { Timing } from './report.ts';

/** A clock: milliseconds from any beginning. */
export type Clock = () => number;

/** How the timing is done. */
export interface TimingOptions {
  readonly now: Clock;
  readonly rounds: number;
  /** Least milliseconds a tracer runs in a round, so that the clock's steps do not show. */
  readonly roundTime: number;
  /** Called before each round with its number. */
  onRound(round: number): void;
}

/**
 * Queries a call of the timed loop. A loop that is entered once and runs long stays in code compiled for its middle,
 * which boxes numbers; one that is called often is compiled as tracers are in use.
 */
const SLICE = 200;
/** A clock that stands still ends the search for how many passes fill a round here. */
const MOST_QUERIES = 2_000_000;

/** The clock of browsers and Node, which are platforms that this package does not know; else that of dates. */
export function defaultClock(): Clock {
  const { performance } = globalThis as { performance?: { now(): number } };
  return performance ? () => performance.now() : () => Date.now();
}

/**
 * Times tracers over the same queries in turns: A B C, B C A, … so that whatever disturbs the machine disturbs all of
 * them alike. The tracers are asked through the common interface, a few nanoseconds of which are in every figure.
 */
export function timeInTurns(
  tracers: readonly Tracer[],
  queries: Float32Array,
  { now, rounds, roundTime, onRound }: TimingOptions,
): Timing[] {
  const count = queries.length / 6;
  const outs = tracers.map((tracer) => tracer.trace(queries.subarray(0, 3), queries.subarray(3, 6)));
  const elapsed = (k: number, passes: number): number => {
    const began = now();
    for (let pass = 0; pass < passes; pass++) runPass(tracers[k]!, queries, outs[k]!);
    return now() - began;
  };
  const passes = tracers.map((_, k) => {
    let tried = 1;
    for (;;) {
      const time = elapsed(k, tried);
      if (time >= roundTime || tried * count >= MOST_QUERIES) return tried;
      tried = Math.ceil(tried * Math.min(8, time > 0 ? (1.2 * roundTime) / time : 8));
    }
  });
  const times = tracers.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    onRound(round);
    for (let turn = 0; turn < tracers.length; turn++) {
      const k = (round + turn) % tracers.length;
      times[k]!.push((1e6 * elapsed(k, passes[k]!)) / (passes[k]! * count));
    }
  }
  const [firstTimes = []] = times;
  // Of the same round, which a disturbance of the machine is likely to hit alike.
  return times.map((own) => summarize(own, sorted(own.map((time, round) => firstTimes[round]! / time))));
}

function runPass(tracer: Tracer, queries: Float32Array, out: Trace): void {
  for (let first = 0; first < queries.length; first += 6 * SLICE) {
    runSlice(tracer, queries, first, Math.min(first + 6 * SLICE, queries.length), out);
  }
}

const START: Float32Array = /* @__PURE__ */ new Float32Array(3);
const END: Float32Array = /* @__PURE__ */ new Float32Array(3);

function runSlice(tracer: Tracer, queries: Float32Array, first: number, last: number, out: Trace): void {
  for (let at = first; at < last; at += 6) {
    START[0] = queries[at]!;
    START[1] = queries[at + 1]!;
    START[2] = queries[at + 2]!;
    END[0] = queries[at + 3]!;
    END[1] = queries[at + 4]!;
    END[2] = queries[at + 5]!;
    tracer.trace(START, END, out);
  }
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** The value below which a share of sorted values lies, between the two nearest. */
export function quantile(values: readonly number[], share: number): number {
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
