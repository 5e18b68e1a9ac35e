import type { QueryRunner } from './report.ts';
import { quantile, SLICE } from './timing.ts';

/** Tells how many bytes of the JavaScript heap are in use. */
export type HeapMeter = () => number;

/** Looks at the heap, at most. */
const MOST_LOOKS = 50;

/**
 * Bytes that a query allocates on the JavaScript heap: the median growth over slices of queries, less what looking at
 * the heap costs. Slices in which a collection fell show a loss and are left out. To be asked after the timing, when
 * the code is compiled.
 */
export function bytesPerQuery(run: QueryRunner, queries: Float32Array, heap: HeapMeter): number {
  const count = queries.length / 6;
  const slice = Math.min(SLICE, count);
  const idle = medianGrowth(MOST_LOOKS, heap, () => 0);
  const looks = Math.min(MOST_LOOKS, Math.floor(count / slice));
  const grown = medianGrowth(looks, heap, (k) => run(queries, k * slice, (k + 1) * slice));
  return Math.max(0, (grown - idle) / slice);
}

function medianGrowth(times: number, heap: HeapMeter, work: (k: number) => number): number {
  // Written to, not pushed to: an array that grows is itself an allocation. So are the sums, which work returns.
  const growth = new Float64Array(times);
  const sums = new Float64Array(times);
  for (let k = 0; k < times; k++) {
    const before = heap();
    sums[k] = work(k);
    growth[k] = heap() - before;
  }
  const kept = growth.filter((bytes) => bytes >= 0).sort();
  return kept.length === 0 ? 0 : quantile(kept, 0.5);
}
