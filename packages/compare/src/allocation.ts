import { failArgument } from '@bspkit/core/format';
import { jobsAtOnce, quantile, type Runner } from './timing.ts';

/** Returns how many bytes of the JavaScript heap are in use. */
export type HeapMeter = () => number;

/** How often the heap is looked at, at most. */
const MOST_LOOKS = 50;

/**
 * Bytes that one of `count` jobs allocates on the JavaScript heap: the median growth over slices of jobs, less what looking at
 * the heap costs. Slices during which garbage was collected show a loss and are left out; if none remain, smaller ones are tried.
 * To be called after the timing, when the code is compiled.
 */
export function bytesPerJob(run: Runner, count: number, heap: HeapMeter): number {
  const idle = medianGrowth(MOST_LOOKS, heap, () => 0) ?? 0;
  for (let slice = jobsAtOnce(run, count); ; slice = Math.ceil(slice / 2)) {
    const looks = Math.min(MOST_LOOKS, Math.floor(count / slice));
    const grown = medianGrowth(looks, heap, (k) => run(k * slice, (k + 1) * slice));
    if (grown !== undefined) return Math.max(0, (grown - idle) / slice);
    if (slice === 1) return Number.POSITIVE_INFINITY; // A single job fills up all that is collected.
  }
}

/** `undefined` if garbage was collected every time. */
function medianGrowth(times: number, heap: HeapMeter, work: (k: number) => number): number | undefined {
  // Written to, not pushed to: an array that grows is itself an allocation. The sums, which work returns, are kept as well.
  const growth = new Float64Array(times);
  const sums = new Float64Array(times);
  for (let k = 0; k < times; k++) {
    const before = heap();
    sums[k] = work(k);
    growth[k] = heap() - before;
  }
  // As on a platform that does not say: 0 would be an answer.
  const unknown = growth.find((bytes) => !Number.isFinite(bytes));
  if (unknown !== undefined) failArgument('heap', 'a function that gives a finite number of bytes', unknown);
  const kept = growth.filter((bytes) => bytes >= 0).sort();
  return kept.length === 0 ? undefined : quantile(kept, 0.5);
}
