import { setTimeout as sleep } from 'node:timers/promises';
import { REDIS_SERVER, startRedis } from '@bspkit/testkit/redis';
import { Redis } from 'ioredis';
import { describe } from 'vitest';
import { Crew, Presence } from '../src/queue/presence.ts';
import { WORKERS, workerKey } from '../src/queue/protocol.ts';
import { createQueueExecutor, runQueueWorker } from '../src/queue.ts';

import { it, job, load } from './queue-setup.ts';

// How many workers are at a real Redis, as they and coordinators count them, whatever becomes of it. A count that takes long, as any
// may on a busy machine, is not trusted, so tests wait for the next.

describe.skipIf(!REDIS_SERVER)(
  `the count of workers at a queue${REDIS_SERVER ? '' : ': skipped, redis-server is not installed'}`,
  { concurrent: true },
  () => {
    it('is counted as soon as it is there, however a coordinator comes between', async ({
      setup,
      expect,
    }) => {
      const { note } = setup;
      const { client } = setup;
      const crew = new Crew(client, setup.redis.url, note);
      const threads = async (): Promise<number> => {
        await crew.count();
        return crew.threads;
      };
      // A Redis to which a coordinator speaks before each command of the worker.
      const between = (target: Redis): Redis =>
        new Proxy(target, {
          get(_, name) {
            const call: (...args: unknown[]) => Promise<unknown> = Reflect.get(target, name).bind(target);
            return name === 'expire' || name === 'set'
              ? (...args: unknown[]) => threads().then(() => call(...args))
              : call;
          },
        });
      const presence = new Presence(between(client), 'late', 3, 3600, (error) => note(error.message));
      await presence.begin();
      expect(await client.smembers(WORKERS)).toEqual(['late']);
      await expect.poll(threads).toBe(3);
      await presence.end();
      await expect.poll(threads).toBe(0);
      // One that is told to end while it renews a lease that has run out leaves nothing behind.
      await presence.begin();
      await client.unlink(workerKey('late'));
      presence.stop();
      void presence.begin();
      await presence.end();
      expect(await client.smembers(WORKERS)).toEqual([]);
      expect(await client.exists(workerKey('late'))).toBe(0);
    });

    it('counts as gone when its lock is over, but not before five seconds', async ({ setup, expect }) => {
      const { client, note, notes } = setup;
      for (const [lock, least, most] of [
        [1, 2000, 5000],
        [60, 50_000, 60_000],
      ] as const) {
        const id = `lock ${lock}`;
        const presence = new Presence(client, id, 1, lock, (error) => note(error.message));
        await presence.begin();
        const left = await client.pttl(workerKey(id));
        expect([left > least, left <= most]).toEqual([true, true]);
        await presence.end();
      }
      expect(notes).toEqual([]);
    });

    it('gives nothing up when the queue is back before those who know the job', async ({ setup, expect }) => {
      const { note, notes } = setup;
      const client = new Redis(setup.redis.url, { maxRetriesPerRequest: null });
      await client.ping();
      const crew = new Crew(client, setup.redis.url, note);
      await setup.client.sadd(WORKERS, 'knows', 'lacks');
      for (const id of ['knows', 'lacks']) await setup.client.set(workerKey(id), 3);
      await expect.poll(() => crew.count().then(() => crew.threads)).toBe(6);
      crew.lacks('lacks', new Error('no such kind'));
      await setup.client.unlink(workerKey('knows'));
      client.disconnect(true);
      // This is answered first when it is there again.
      expect(await crew.count()).toBe(undefined);
      expect(crew.threads).toBe(3);
      expect(notes).toEqual([]);
      client.disconnect();
    });

    it('is not missed after the queue was emptied, however many coordinators count', async ({
      setup,
      expect,
    }) => {
      const { note, notes } = setup;
      const { client } = setup;
      const crews = [1, 2].map(() => new Crew(client, setup.redis.url, note));
      await client.pipeline().sadd(WORKERS, 'worker').set(workerKey('worker'), 3).exec();
      for (const crew of crews) await expect.poll(() => crew.count().then(() => crew.threads)).toBe(3);
      await client.flushall();
      for (const crew of crews) {
        expect(await crew.count()).toBe(undefined);
        expect(crew.threads).toBe(3);
      }
      expect(notes).toEqual([]);
    });

    it('says once why it is not counted', async ({ setup, expect }) => {
      const { note, notes } = setup;
      const strict = await startRedis('user baker on >secret ~bspkit:* +@all -sadd');
      const stop = new AbortController();
      const url = strict.url.replace('//', '//baker:secret@');
      const worker = runQueueWorker({ url, threads: 1, lock: 1, note, signal: stop.signal });
      const refused = /^redis:\/\/baker@\S+ refuses: NOPERM .*sadd/;
      await expect.poll(() => notes.filter((text) => refused.test(text))).toHaveLength(1);
      // By then it has tried again.
      await sleep(700);
      stop.abort();
      await worker;
      expect(notes.filter((text) => refused.test(text))).toHaveLength(1);
      await strict.remove();
    });

    it('tells how many workers are left', async ({ setup, expect }) => {
      const { note, notes, withWorkers } = setup;
      const executor = await createQueueExecutor({ url: setup.redis.url, job, load, note });
      const { url } = setup.redis;
      const about = (): string[] => notes.filter((text) => / worker.*(is|are)( left)? at /.test(text));
      const none = `no worker is at ${url}; start some: bspkit worker --queue ${url}`;
      await expect.poll(about).toEqual([none]);
      await withWorkers(1, async () => {
        await withWorkers(2, () => expect.poll(() => executor.capacity).toBe(57), { threads: 9 });
        await expect.poll(() => about().at(-1)).toMatch(/^1 worker is left at /);
      });
      await expect.poll(() => about().at(-1)).toBe(none);
      const [first, second, ...fewer] = about();
      expect(first).toBe(none);
      expect(second).toMatch(/^[123] workers? (is|are) at redis:\S+$/);
      // They need not end between the same two looks.
      const gone = fewer.slice(0, -1).map((text) => {
        const [, number] =
          /^[12] workers? (?:is|are) left at redis:\S+; (\d) ha(?:s|ve) gone or fallen silent$/.exec(text)!;
        return Number(number);
      });
      expect(gone.reduce((sum, number) => sum + number, 0)).toBe(2);
      await executor.close();
    });

    it('takes no worker for gone because the queue was away', async ({ setup, expect }) => {
      const { note, notes } = setup;
      const { client } = setup;
      const crew = new Crew(client, setup.redis.url, note);
      // As a worker says that it is there.
      const renew = (): Promise<unknown> =>
        client.pipeline().sadd(WORKERS, 'sleeper').set(workerKey('sleeper'), '1').exec();
      await renew();
      await expect.poll(() => crew.count().then(() => crew.threads)).toBe(1);
      // The queue is away for longer than an answer may take, and the lease has run out by then.
      void client.pipeline().unlink(workerKey('sleeper')).call('CLIENT', 'PAUSE', '2500').exec();
      await crew.count();
      await renew();
      await crew.count();
      expect([crew.threads, notes]).toEqual([1, []]);
      // One that really goes is missed, once.
      await client.unlink(workerKey('sleeper'));
      await expect.poll(() => crew.count().then(() => crew.threads)).toBe(0);
      await crew.count();
      expect(notes).toEqual([expect.stringContaining('no worker is at')]);
    });

    it('says that workers are back that were missed', async ({ setup, expect }) => {
      const { note, notes } = setup;
      const { client } = setup;
      const { url } = setup.redis;
      // All at once, so that no count comes between.
      const renew = (...ids: string[]): Promise<unknown> => {
        const all = client.multi().sadd(WORKERS, ...ids);
        for (const id of ids) all.set(workerKey(id), '9');
        return all.exec();
      };
      await renew('a', 'b', 'c');
      const executor = await createQueueExecutor({ url, job, load, note });
      await expect.poll(() => executor.capacity).toBe(81);
      const heard = async (...wanted: string[]): Promise<void> => {
        // Besides what is noted of a machine that is very busy: that the queue does not answer.
        const about = (): string[] => notes.filter((text) => text.includes(' worker'));
        await expect.poll(() => about().length).toBe(wanted.length);
        expect(about()).toEqual(wanted);
        notes.length = 0;
      };
      await client.unlink(workerKey('b'), workerKey('c'));
      await heard(`1 worker is left at ${url}; 2 have gone or fallen silent`);
      await renew('b');
      await heard(`2 workers are at ${url} again`);
      await client.unlink(workerKey('a'), workerKey('b'));
      await heard(`no worker is at ${url}; start some: bspkit worker --queue ${url}`);
      await renew('a', 'b', 'c');
      await heard(`3 workers are at ${url} again`);
      // More of them than were missed need not be mentioned.
      await renew('d');
      await expect.poll(() => executor.capacity).toBe(108);
      await sleep(2500);
      await heard();
      await executor.close();
    });

    it('takes no worker for gone because the queue was emptied', async ({ setup, expect }) => {
      const { note, notes, withWorkers } = setup;
      const executor = await createQueueExecutor({ url: setup.redis.url, job, load, note });
      const about = (): string[] => notes.filter((text) => / worker/.test(text));
      await expect.poll(() => about().at(-1)).toMatch(/^no worker is at /);
      await withWorkers(
        1,
        async () => {
          await expect.poll(() => about().at(-1)).toMatch(/^1 worker is at /);
          notes.length = 0;
          await setup.client.flushall();
          await sleep(5000);
          // However late it is to say that it is there.
          await expect.poll(() => setup.client.scard(WORKERS)).toBe(1);
          expect(about()).toEqual([]);
          await setup.client.flushall();
        },
        { lock: 60 },
      );
      // One that goes then is missed all the same.
      await expect.poll(() => about().at(-1)).toMatch(/^no worker is at /);
      await executor.close();
    });
  },
);
