/** Chunks on their way per thread of a worker, and in all. */
const AHEAD = 3;
const LEAST_AHEAD = 16;
const MOST_AHEAD = 4096;
/** Most bytes of inputs and answers that the queue's store holds at once, about. */
const MOST_STORED = 512 * (1 << 20);

/**
 * How many chunks a coordinator has on their way.
 *
 * @param threads - of all workers.
 * @param bytes - of a chunk's input and answer together, on average.
 */
export function capacityOf(threads: number, bytes: number): number {
  const wanted = Math.max(LEAST_AHEAD, Math.min(MOST_AHEAD, AHEAD * threads));
  return Math.max(1, Math.min(wanted, Math.floor(MOST_STORED / Math.max(1, bytes))));
}
