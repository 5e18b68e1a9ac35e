import type { PreparedQuery } from './peers/peer.ts';

/** What time is counted: of this process on all cores, or by the wall. */
export type ClockName = 'cpu' | 'wall';

const CLOCKS: Readonly<Record<ClockName, () => number>> = {
  // User and system time. A collector working beside the peer that made its garbage is on that peer's bill.
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return 1000 * (user + system);
  },
  wall: () => 1e6 * performance.now(),
};

/** Rounds that are run and not counted, so that the code is compiled before it is timed. */
const WARM_UP_ROUNDS = 3;

/**
 * Queries a call. A loop that is called a few times only runs in code compiled for its middle, and its entry stays
 * uncompiled and boxes numbers; called often it is compiled as it is in use.
 */
const SLICE = 200;

/** Answers of the timed runs end here, so that none can be left out. */
let sink = 0;

/** What the benchmark computed and nobody needs: reading it keeps the work alive. */
export function readSink(): number {
  return sink;
}

/**
 * Times several ways of answering the same queries, turn by turn: A B C A B C … So what disturbs the machine disturbs
 * all of them alike.
 *
 * No garbage is collected on demand between runs: a forced `gc()` also throws away compiled code, and slows what
 * follows several times.
 *
 * @returns nanoseconds a query: for each way the times of its `runs` runs.
 */
export function timeInTurns(
  ways: readonly PreparedQuery[],
  segments: Float32Array,
  runs: number,
  clock: ClockName,
): number[][] {
  const now = CLOCKS[clock];
  const count = segments.length / 6;
  const times: number[][] = ways.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < runs; round++) {
    for (const [k, way] of ways.entries()) {
      const begin = now();
      for (let first = 0; first < count; first += SLICE) {
        sink += way.run(segments, first, Math.min(first + SLICE, count));
      }
      const end = now();
      if (round >= 0) times[k]!.push((end - begin) / count);
    }
  }
  return times;
}

/** Looks at the heap, at most. */
const MOST_LOOKS = 50;

/**
 * Bytes that a query allocates on the JavaScript heap: the median growth over slices of queries, less what looking
 * costs. Slices in which a collection fell show a loss and are left out. To be asked after the timing, when the code is
 * compiled.
 */
export function bytesPerQuery(way: PreparedQuery, segments: Float32Array): number {
  const count = segments.length / 6;
  const slice = Math.min(SLICE, count);
  const idle = medianGrowth(MOST_LOOKS, () => 0);
  const looks = Math.min(MOST_LOOKS, Math.floor(count / slice));
  const grown = medianGrowth(looks, (k) => way.run(segments, k * slice, (k + 1) * slice));
  return Math.max(0, (grown - idle) / slice);
}

function medianGrowth(times: number, work: (k: number) => number): number {
  // Written to, not pushed to: an array that grows is itself an allocation.
  const growth = new Float64Array(times);
  for (let k = 0; k < times; k++) {
    const before = process.memoryUsage().heapUsed;
    sink += work(k);
    growth[k] = process.memoryUsage().heapUsed - before;
  }
  const kept = growth.filter((bytes) => bytes >= 0);
  return kept.length === 0 ? 0 : median(kept);
}

/** The middle value; the mean of the two in the middle where there is none. NaN for no values. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
