import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { REDIS_SERVER, startRedis } from '@bspkit/testkit/redis';
import { describe } from 'vitest';
import { bytesKey, hashOf, PREFIX, QUEUE } from '../src/queue/protocol.ts';
import { createQueueExecutor, type QueueError } from '../src/queue.ts';
import { coordinate, drive, expected, id, leftOf } from './queue-drive.ts';
import { arena, chunkAt, it, job, load, map } from './queue-setup.ts';

// What coordinators do while a real Redis is gone, full, or has forgotten what it had.

const title = `a queue that is gone or full${REDIS_SERVER ? '' : ': skipped, redis-server is not installed'}`;

describe.skipIf(!REDIS_SERVER)(title, { concurrent: true }, () => {
  it('goes on when Redis is started again and has forgotten everything', async ({ setup, expect }) => {
    const { note, withWorkers } = setup;
    const forgetful = await startRedis('appendonly no');
    const { url } = forgetful;
    const executor = await createQueueExecutor({ url, job, load, note });
    const restart = async (count: number): Promise<void> => {
      if (count !== 10) return;
      await forgetful.kill();
      await forgetful.start();
    };
    const { result } = await withWorkers(1, () => drive(executor, 40, { done: restart }), { url });
    await executor.close();
    await forgetful.remove();
    expect(result.answers).toEqual(await expected(40));
    expect(result.failed).toEqual([]);
  });

  it('stores what the job names once, however many chunks find that it was forgotten', async ({
    setup,
    expect,
  }) => {
    const { client, redis } = setup;
    let loaded = 0;
    const executor = await createQueueExecutor({
      url: redis.url,
      job,
      load() {
        loaded++;
        return arena;
      },
    });
    const inQueue = (): Promise<number> => client.llen(`${PREFIX}:${QUEUE}:wait`);
    const chunks = Array.from({ length: 40 }, (_, index) => chunkAt(index));
    const running = Promise.allSettled(chunks.map((chunk) => executor.run(chunk)));
    await expect.poll(inQueue).toBe(chunks.length);
    await client.flushall();
    loaded = 0;
    // Whoever comes back looks for what it waits for.
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expect.poll(inQueue).toBe(chunks.length);
    await executor.close();
    await running;
    expect(loaded).toBe(1);
    expect((await client.getBuffer(bytesKey(map)))!.equals(arena)).toBe(true);
  });

  it('puts there again what a worker does not find, for the next attempt', async ({ setup, expect }) => {
    const executor = await coordinate(setup);
    await setup.client.unlink(bytesKey(id), bytesKey(map));
    const { result } = await setup.withWorkers(1, () => drive(executor, 1));
    await executor.close();
    expect(result).toMatchObject({ answers: await expected(1), failed: [] });
  });

  it('says that a queue that throws keys away has no room for what the job names', async ({
    setup,
    expect,
  }) => {
    const { client, redis } = setup;
    const large = randomBytes(12 << 20);
    const hash = hashOf(large);
    const used = Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))![1]);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await client.config('SET', 'maxmemory', String(used + (6 << 20)));
    const town = { ...job, kind: 'unknown', inputs: { large: hash } };
    const find = (wanted: string): Uint8Array => (wanted === hash ? large : arena);
    await expect(createQueueExecutor({ url: redis.url, job: town, load: find })).rejects.toMatchObject({
      name: 'QueueError',
      code: 'refused',
      message: expect.stringMatching(/^the queue's store has forgotten some of 12582912 bytes /),
    });
  });

  it('ends what waits for it when it is lost', async ({ setup, expect }) => {
    const executor = await coordinate(setup, { patience: 1 });
    const chunk = chunkAt(0);
    const running = executor.run(chunk).catch((error: unknown) => error);
    await setup.redis.kill();
    const lost = {
      name: 'BakeError',
      code: 'closed',
      message: expect.stringMatching(/has not answered for 1 s/),
      cause: expect.objectContaining({ name: 'QueueError', code: 'lost' }),
    };
    expect(await running).toMatchObject(lost);
    expect(executor.lost.aborted).toBe(true);
    await expect(executor.run(chunk)).rejects.toMatchObject(lost);
    await expect(drive(executor, 3)).rejects.toMatchObject(executor.lost.reason as QueueError);
    await executor.close();
  });

  it('fails chunks that a full queue does not take, and says that it is full', async ({ setup, expect }) => {
    const executor = await coordinate(setup);
    const full = 'refuses: OOM command not allowed';
    try {
      const lost = executor.run(chunkAt(0));
      lost.catch(() => {});
      await expect.poll(() => setup.client.llen(`${PREFIX}:${QUEUE}:wait`)).toBe(1);
      await setup.client.flushall();
      await setup.client.config('SET', 'maxmemory', '1');
      // Whoever comes back looks for what it waits for.
      await setup.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await expect(lost).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining(full) });
      await expect(executor.run(chunkAt(1))).rejects.toThrow(full);
    } finally {
      await setup.client.config('SET', 'maxmemory', '0');
      await executor.close();
    }
  });

  it('goes on when Redis is killed and started again', async ({ setup, expect }) => {
    const { withWorkers } = setup;
    const executor = await coordinate(setup);
    const { result } = await withWorkers(2, () =>
      drive(executor, 60, {
        async done(count) {
          if (count !== 20) return;
          await setup.redis.kill();
          await setup.redis.start();
        },
      }),
    );
    await executor.close();
    expect(result).toMatchObject({ answers: await expected(60), failed: [] });
  });

  it('hands out no chunk again that was given up meanwhile', async ({ setup, expect }) => {
    const { client, redis } = setup;
    const stop = new AbortController();
    let isForgotten = false;
    const executor = await createQueueExecutor({
      url: redis.url,
      job,
      load() {
        if (isForgotten) stop.abort();
        return arena;
      },
    });
    const running = executor.run(chunkAt(0), stop.signal).catch((error: unknown) => error);
    await expect.poll(() => client.llen(`${PREFIX}:${QUEUE}:wait`)).toBe(1);
    await client.flushall();
    isForgotten = true;
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    expect(await running).toBe(stop.signal.reason);
    await expect.poll(() => client.exists(bytesKey(map))).toBe(1);
    await sleep(200);
    expect(await leftOf(setup)).toEqual([]);
    await executor.close();
  });

  it('is closed also while its queue is gone, however patient it is', async ({ setup, expect }) => {
    const executor = await coordinate(setup, { patience: 3600 });
    const running = executor.run(chunkAt(0)).catch((error: unknown) => error);
    await setup.redis.kill();
    await executor.close();
    expect(await running).toMatchObject({ code: 'closed' });
    expect(executor.lost.aborted).toBe(false);
  });
});
