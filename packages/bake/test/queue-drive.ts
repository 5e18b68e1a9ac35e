import { driveChunks } from '../src/executor.ts';
import { openJob } from '../src/index.ts';
import { jobText } from '../src/job.ts';
import { hashOf, PREFIX, QUEUE } from '../src/queue/protocol.ts';
import { createQueueExecutor, type QueueExecutor } from '../src/queue.ts';
import { type FailedChunk, Scheduler } from '../src/scheduler.ts';
import { chunkAt, job, load, type QueueSetup } from './queue-setup.ts';

// Coordinators of the job of tests of queues, and what they and the queue then have.

/** The job's name in the queue. */
export const id = hashOf(Buffer.from(jobText(job)));

/** What one thread answers. */
export const expected = async (chunks: number): Promise<string[]> => {
  const open = await openJob(job, { load });
  return Array.from({ length: chunks }, (_, index) => Buffer.from(open.run(chunkAt(index))).toString());
};

interface Driven {
  readonly answers: string[];
  readonly failed: readonly FailedChunk[];
  readonly retried: number;
}

export const coordinate = (
  { redis, note }: QueueSetup,
  options: { url?: string; patience?: number } = {},
): Promise<QueueExecutor> => createQueueExecutor({ url: redis.url, job, load, note, ...options });

/** What the queue has of chunks: their places in it, and their keys. */
export const leftOf = async ({ client }: QueueSetup): Promise<string[]> => [
  ...(await client.lrange(`${PREFIX}:${QUEUE}:wait`, 0, -1)),
  ...(await client.keys(`*${id}-*`)),
];

export const drive = async (
  executor: QueueExecutor,
  chunks: number,
  { chunk = chunkAt, done = () => {} }: { chunk?: typeof chunkAt; done?: (count: number) => unknown } = {},
): Promise<Driven> => {
  const answers: string[] = [];
  let [retried, count] = [0, 0];
  const scheduler = new Scheduler({ chunks });
  await driveChunks({
    executor,
    scheduler,
    chunk,
    async done({ index }, answer) {
      answers[index] = Buffer.from(answer).toString();
      await done(++count);
    },
    retried: () => retried++,
    signal: executor.lost,
  });
  return { answers, failed: scheduler.failed, retried };
};
