/** Chunks in transit: per thread of a worker, at least, and at most. */
const AHEAD = 3;
const LEAST_AHEAD = 16;
const MOST_AHEAD = 4096;
/** About the most bytes of inputs and answers that the queue's store holds at once. */
const MOST_STORED = 512 * (1 << 20);

/**
 * How many chunks a coordinator has in transit.
 *
 * @param threads - of all workers.
 * @param bytes - of a chunk's input and answer together, on average.
 */
export function capacityOf(threads: number, bytes: number): number {
  const wanted = Math.max(LEAST_AHEAD, Math.min(MOST_AHEAD, AHEAD * threads));
  return Math.max(1, Math.min(wanted, Math.floor(MOST_STORED / Math.max(1, bytes))));
}
