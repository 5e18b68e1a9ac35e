import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { arenaQuake3 } from '@bspkit/fixtures';
import { startRedis, type TestRedis } from '@bspkit/testkit/redis';
import { Redis } from 'ioredis';
import { test } from 'vitest';
import type { BakeChunk, BakeJob } from '../src/index.ts';
import { hashOf } from '../src/queue/protocol.ts';
import { type QueueWorkerOptions, type QueueWorkerReport, runQueueWorker } from '../src/queue.ts';

// What tests of queues have in common: a job on a map of our own, and a real Redis.

const THREAD = fileURLToPath(new URL('../dist/worker-node.js', import.meta.url));

export const arena = arenaQuake3();
export const map = hashOf(arena);
const columns = ['x', 'y', 'z', 'leaf', 'cluster', 'area', 'contents'];
const header = JSON.stringify({ game: 'quake3', map: 'arena', kind: 'points', columns });
export const job: BakeJob = {
  map,
  kind: 'batch',
  parameters: { header },
  inputs: {},
  count: 0,
  chunkSize: 1,
};
export const load = (): Uint8Array => arena;

/**
 * The lock of workers of which none dies, in seconds. They are in the tests' process: when that is silent for seconds, the machine is
 * busy.
 */
export const LOCK = 60;

const ROWS = 20;
/** A chunk of rows of their own. */
export const chunkAt = (index: number): BakeChunk => {
  const rows = Array.from(
    { length: ROWS },
    (_, k) => `[${(17 * k + index) % 500},${(31 * index) % 300},32]\n`,
  );
  return { index, first: 2 + ROWS * index, count: ROWS, input: Buffer.from(rows.join('')) };
};

/** A Redis of a test's own, and what it runs there. */
export interface QueueSetup {
  readonly redis: TestRedis;
  readonly client: Redis;
  /** What workers and executors have noted. */
  readonly notes: string[];
  readonly note: (text: string) => void;
  /** Runs with workers, which end with it. */
  withWorkers<T>(
    count: number,
    run: (stop: AbortController) => Promise<T>,
    options?: Partial<QueueWorkerOptions>,
  ): Promise<{ result: T; reports: QueueWorkerReport[] }>;
}

/** Tests that each have a Redis of their own. What they wait for are mostly silences, so they can wait side by side. */
export const it = test.extend<{ setup: QueueSetup }>({
  // biome-ignore lint/correctness/noEmptyPattern: how fixtures say that they need no other
  setup: async ({}, use) => {
    // Without their file no thread ever answers, and tests that wait for an answer would do so for good.
    if (!existsSync(THREAD)) throw new Error(`${THREAD} is missing: npm run build`);
    const redis = await startRedis();
    const client = new Redis(redis.url, { maxRetriesPerRequest: null });
    client.on('error', () => {});
    await client.ping();
    const notes: string[] = [];
    const note = (text: string): void => void notes.push(text);
    const stops = new Set<AbortController>();
    const ends: Promise<unknown>[] = [];
    await use({
      ...{ redis, client, notes, note },
      async withWorkers(count, run, options = {}) {
        const stop = new AbortController();
        stops.add(stop);
        const workers = Array.from({ length: count }, () =>
          runQueueWorker({ url: redis.url, threads: 1, lock: LOCK, note, signal: stop.signal, ...options }),
        );
        ends.push(...workers);
        try {
          const result = await run(stop);
          stop.abort();
          return { result, reports: await Promise.all(workers) };
        } finally {
          stop.abort();
          await Promise.allSettled(workers);
        }
      },
    });
    // A test that took too long is left where it was.
    for (const stop of stops) stop.abort();
    client.disconnect();
    await redis.remove();
    await Promise.allSettled(ends);
  },
});
