import { REDIS_SERVER } from '@bspkit/testkit/redis';
import { type Job, Queue, Worker } from 'bullmq';
import { afterEach, describe, expect, vi } from 'vitest';
import { BakeError, type BakeJob } from '../src/index.ts';
import { chunkOf, jobText } from '../src/job.ts';
import { Crew } from '../src/queue/presence.ts';
import {
  ANSWERS,
  endingOf,
  entryOf,
  hashOf,
  keyOf,
  messageOf,
  PREFIX,
  QUEUE,
  WORKERS,
  workerKey,
} from '../src/queue/protocol.ts';
import { createQueueExecutor, type QueueExecutor } from '../src/queue.ts';
import { job as batch, it, load, type QueueSetup } from './queue-setup.ts';

// What happens between two commands of a coordinator that gives up: forced, because it hardly ever happens by itself.

const skipped = REDIS_SERVER ? '' : ': skipped, redis-server is not installed';

describe.skipIf(!REDIS_SERVER)(`a coordinator that gives up${skipped}`, () => {
  afterEach(() => vi.restoreAllMocks());

  /** Of a kind that the only worker does not know. */
  const job: BakeJob = { ...batch, kind: 'strange', parameters: {}, count: 2 };
  const keys = [0, 1].map((index) =>
    keyOf(messageOf(hashOf(Buffer.from(jobText(job))), chunkOf(job, index))),
  );
  const [held, other] = keys as [string, string];
  const isThere = async ({ client }: QueueSetup, key: string): Promise<boolean> =>
    (await client.exists(`${PREFIX}:${QUEUE}:${key}`)) === 1;
  const ask = (executor: QueueExecutor, index: number): Promise<unknown> =>
    executor.run(chunkOf(job, index)).catch((error: unknown) => error);

  /** A coordinator that waits for both chunks. A worker has begun the first, having given it back before. */
  async function begin(setup: QueueSetup): Promise<{
    readonly executor: QueueExecutor;
    readonly asked: readonly Promise<unknown>[];
    giveBack(): Promise<void>;
    end(): Promise<void>;
  }> {
    const { client, redis, note } = setup;
    await client.pipeline().sadd(WORKERS, 'lacks').set(workerKey('lacks'), 1).exec();
    const executor = await createQueueExecutor({ url: redis.url, job, load, note });
    const asked = [ask(executor, 0)];
    await expect.poll(() => isThere(setup, held)).toBe(true);
    const worker = new Worker(QUEUE, null, { connection: client, prefix: PREFIX, skipVersionCheck: true });
    const taken = (await worker.getNextJob('token')) as Job;
    asked.push(ask(executor, 1));
    const ending = endingOf(new BakeError('kind', 'no such kind'), 'lacks');
    await client.xadd(ANSWERS, '*', ...entryOf(held, ending));
    return {
      ...{ executor, asked },
      giveBack: () => taken.moveToDelayed(Date.now() + 5000, 'token'),
      async end() {
        await executor.close();
        await worker.close();
      },
    };
  }

  it('takes back also a chunk that a worker had just begun, once it is given back', async ({ setup }) => {
    const remove = vi.spyOn(Queue.prototype, 'remove');
    const { asked, giveBack, end } = await begin(setup);
    // It is asked for while the worker has it, and stays.
    await expect.poll(() => remove.mock.settledResults.length).toBeGreaterThanOrEqual(2);
    await giveBack();
    expect(await Promise.all(asked)).toMatchObject([{ code: 'kind' }, { code: 'kind' }]);
    expect(await Promise.all(keys.map((key) => isThere(setup, key)))).toEqual([false, false]);
    await end();
  });

  it('waits for a chunk that is on its way into the queue, and takes it back', async ({ setup }) => {
    const count = vi.spyOn(Crew.prototype, 'count');
    const { add } = Queue.prototype;
    const isGivenUp = (): boolean => count.mock.settledResults.some(({ value }) => value instanceof Error);
    vi.spyOn(Queue.prototype, 'add').mockImplementation(async function (this: Queue, ...args) {
      if (args[2]?.jobId === other) await expect.poll(isGivenUp).toBe(true);
      return add.apply(this, args);
    });
    const { asked, giveBack, end } = await begin(setup);
    await expect.poll(isGivenUp).toBe(true);
    await giveBack();
    expect(await Promise.all(asked)).toMatchObject([{ code: 'kind' }, { code: 'kind' }]);
    expect(await Promise.all(keys.map((key) => isThere(setup, key)))).toEqual([false, false]);
    await end();
  });

  it('leaves a chunk that somebody asked for again while it waited for others', async ({ setup }) => {
    const { executor, asked, giveBack, end } = await begin(setup);
    let again: Promise<unknown> | undefined;
    const { remove } = Queue.prototype;
    let rounds = 0;
    vi.spyOn(Queue.prototype, 'remove').mockImplementation(async function (this: Queue, key, options) {
      const removed = await remove.call(this, key, options);
      if (key === other && !again) {
        again = ask(executor, 1);
        await expect.poll(() => isThere(setup, other)).toBe(true);
      }
      // The first chunk is given back once it has been waited for.
      if (key === held && ++rounds === 2) await giveBack();
      return removed;
    });
    expect(await Promise.all(asked)).toMatchObject([{ code: 'kind' }, { code: 'kind' }]);
    expect(await Promise.all(keys.map((key) => isThere(setup, key)))).toEqual([false, true]);
    await end();
    expect(await again).toMatchObject({ code: 'closed' });
  });

  it('looks no more once it is closed, also if it was looking just then', async ({ setup }) => {
    const { redis, note } = setup;
    const executor = await createQueueExecutor({ url: redis.url, job, load, note });
    let counted!: () => void;
    const count = vi.spyOn(Crew.prototype, 'count').mockImplementation(
      () =>
        new Promise((resolve) => {
          counted = () => resolve(undefined);
        }),
    );
    await expect.poll(() => count.mock.calls.length, { timeout: 10_000 }).toBe(1);
    await executor.close();
    const clock = vi.spyOn(globalThis, 'setTimeout');
    counted();
    await new Promise(setImmediate);
    expect(clock).not.toHaveBeenCalled();
  });
});
