import { getEventListeners, once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { REDIS_SERVER, startRedis } from '@bspkit/testkit/redis';
import { describe, expect, it } from 'vitest';
import { type AnyBakeKind, type BakeJob, chunkOf, createJob, kindOf } from '../src/index.ts';
import { bytesKey, hashOf, PREFIX, QUEUE } from '../src/queue/protocol.ts';
import { createQueueExecutor, type QueueExecutor, runQueueWorker } from '../src/queue.ts';

import { arena, chunkAt, job, load, map, setUpQueue } from './queue-setup.ts';

// Workers at a real Redis, kinds of a user's own among what they do.

// Without their file no thread ever answers, and tests that wait for an answer would do so for good.
const THREAD = fileURLToPath(new URL('../dist/worker-node.js', import.meta.url));
if (!existsSync(THREAD)) throw new Error(`${THREAD} is missing: npm run build`);

describe.skipIf(!REDIS_SERVER)(
  `workers at a queue${REDIS_SERVER ? '' : ': skipped, redis-server is not installed'}`,
  () => {
    const setup = setUpQueue();
    const { note, notes, withWorkers } = setup;

    it('ends a worker when there is nothing to do', async () => {
      const report = await runQueueWorker({ url: setup.redis.url, threads: 1, idle: 0 });
      expect(report).toEqual({ answered: 0, failed: 0 });
    });

    it('lets a process go whose worker was told to end, however long that would have waited', async () => {
      const clocks = (): number =>
        process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
      const before = clocks();
      const stop = new AbortController();
      const { signal } = stop;
      const worker = runQueueWorker({ url: setup.redis.url, threads: 1, idle: 3600, signal, hurry: signal });
      while (getEventListeners(signal, 'abort').length === 0) await sleep(10);
      stop.abort();
      await worker;
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      while (clocks() > before) await sleep(10);
    });

    it('ends a worker when the queue is lost', async () => {
      const own = await startRedis();
      const worker = runQueueWorker({ url: own.url, threads: 1, patience: 1 }).catch(
        (error: unknown) => error,
      );
      const executor = await createQueueExecutor({ url: own.url, job, load, patience: 1 });
      const running = executor.run(chunkAt(0)).catch((error: unknown) => error);
      await own.remove();
      if (!executor.lost.aborted) await once(executor.lost as AbortSignal, 'abort');
      await executor.close();
      expect(await running).toMatchObject({ name: 'BakeError', code: 'closed' });
      expect(await worker).toMatchObject({ name: 'QueueError', code: 'lost' });
    });

    /** A kind of a user's own; what it does is in the threads' file. */
    const strange: AnyBakeKind = { ...kindOf('batch'), name: 'strange' };
    const own = { kinds: [strange], worker: new URL('kinds.mjs', import.meta.url) };
    const strangeJob: BakeJob = { ...job, kind: 'strange', parameters: {}, count: 5 };
    const runStrange = (executor: QueueExecutor, index: number): Promise<unknown> =>
      executor.run(chunkOf(strangeJob, index)).then(
        (bytes) => [...bytes],
        (error: unknown) => error,
      );
    const coordinateStrange = (): Promise<QueueExecutor> =>
      createQueueExecutor({ url: setup.redis.url, job: strangeJob, load, note });

    it('ends chunks that hang or take their thread with them, and goes on', async () => {
      const executor = await coordinateStrange();
      const good = [0, arena.length & 255];
      const { result: hung } = await withWorkers(
        1,
        async () => {
          const reason = await runStrange(executor, 1);
          // On a machine that is very busy a good chunk may take too long as well.
          for (let k = 0; k < 20; k++) {
            const answer = await runStrange(executor, 0);
            if (Array.isArray(answer)) return { reason, answer };
          }
          return { reason };
        },
        { ...own, limit: 1 },
      );
      const reason = { code: 'worker', chunk: 1, message: 'it took longer than 1 s' };
      expect(hung).toMatchObject({ reason, answer: good });

      const run = (): Promise<unknown[]> => Promise.all([2, 0].map((index) => runStrange(executor, index)));
      const { result, reports } = await withWorkers(1, run, own);
      const left = {
        code: 'worker',
        chunk: 2,
        message: expect.stringMatching(/a worker ended before it had answered/),
      };
      expect(result).toMatchObject([left, good]);
      expect(reports).toEqual([{ answered: 1, failed: 1 }]);
      await executor.close();
    });

    it('says once of a job that it cannot answer it, whose chunks fail at once', async () => {
      const executor = await coordinateStrange();
      const { result, reports } = await withWorkers(1, () =>
        Promise.all([0, 1, 2].map((index) => runStrange(executor, index))),
      );
      const unknown = { code: 'kind', message: expect.stringMatching(/no such kind of bake: 'strange'/) };
      expect(result).toEqual([0, 1, 2].map(() => expect.objectContaining(unknown)));
      expect(reports).toEqual([{ answered: 0, failed: 3 }]);
      expect(notes.filter((text) => text.includes('strange'))).toEqual([
        expect.stringMatching(/^job [0-9a-f]{8} cannot be answered here: no such kind of bake: 'strange'/),
      ]);
      expect(notes.join('\n')).not.toContain('failed');
      await executor.close();
    });

    it('fetches a map that cannot be read once, for all chunks of its job', async () => {
      const broken = Buffer.from('no map at all');
      const made = await createJob({
        kind: 'exposure',
        map: arena,
        inputs: { points: new Uint8Array(36) },
        chunkSize: 1,
      });
      const unreadable = { ...made, map: hashOf(broken) };
      const loadBroken = (hash: string): Uint8Array =>
        hash === unreadable.map ? broken : new Uint8Array(36);
      const executor = await createQueueExecutor({ url: setup.redis.url, job: unreadable, load: loadBroken });
      const { result, reports } = await withWorkers(1, () =>
        Promise.all(
          [0, 1, 2].map((index) =>
            executor.run(chunkOf(unreadable, index)).catch((error: Error) => error.message),
          ),
        ),
      );
      expect(result).toEqual([0, 1, 2].map(() => expect.stringMatching(/^bsp: the file is a text file/)));
      expect(reports).toEqual([{ answered: 0, failed: 3 }]);
      expect(notes.filter((text) => text.includes('cannot be answered here: bsp: '))).toHaveLength(1);
      expect(notes.join('\n')).not.toContain('failed');
      await executor.close();
    });

    it.each([
      ['is another one', "import { parentPort } from 'node:worker_threads'; parentPort.postMessage(1);", 0],
      ['throws at its start', "throw new Error('boom')", 3],
    ])('ends a worker whose script %s, and gives its chunks to others', async (_, script, failures) => {
      const executor = await coordinateStrange();
      let failed = 0;
      const answerOf = async (): Promise<unknown[]> => {
        for (;;) {
          const answer = await runStrange(executor, 0);
          if (Array.isArray(answer)) return answer;
          failed++;
        }
      };
      const answer = answerOf();
      const other = { ...own, worker: `data:text/javascript,${script}` };
      await expect(runQueueWorker({ url: setup.redis.url, threads: 1, ...other })).rejects.toMatchObject({
        code: 'closed',
        message: expect.stringContaining(
          failures === 0 ? 'it is another script' : 'boom; 4 workers have ended',
        ),
      });
      const { result, reports } = await withWorkers(1, () => answer, own);
      expect(result).toEqual([0, arena.length & 255]);
      expect(reports).toEqual([{ answered: 1, failed: 0 }]);
      expect(failed).toBe(failures);
      await executor.close();
    });

    it('ends a worker after the chunk that it is at, or has it give it back', async () => {
      const executor = await coordinateStrange();
      const isActive = async (): Promise<void> => {
        while ((await setup.client.llen(`${PREFIX}:${QUEUE}:active`)) === 0) await sleep(5);
      };
      const slow = runStrange(executor, 3);
      const { reports } = await withWorkers(1, isActive, own);
      expect(reports).toEqual([{ answered: 1, failed: 0 }]);
      expect(await slow).toEqual([3, arena.length & 255]);

      const hurry = new AbortController();
      const hanging = runStrange(executor, 1);
      const { reports: given } = await withWorkers(
        1,
        async () => {
          await isActive();
          hurry.abort();
        },
        { ...own, hurry: hurry.signal },
      );
      expect(given).toEqual([{ answered: 0, failed: 0 }]);
      expect(await setup.client.lrange(`${PREFIX}:${QUEUE}:wait`, 0, -1)).toHaveLength(1);
      await executor.close();
      expect(await hanging).toMatchObject({ code: 'closed' });
    });

    it('says why an answer finds no room in a full queue', async () => {
      const executor = await coordinateStrange();
      const slow = runStrange(executor, 3);
      try {
        await withWorkers(
          1,
          async () => {
            await expect.poll(() => notes.some((text) => text.startsWith('job '))).toBe(true);
            await setup.client.config('SET', 'maxmemory', '1');
            await expect.poll(() => notes.join('\n')).toMatch(/chunk \S+ failed: OOM command not allowed/);
            await setup.client.config('SET', 'maxmemory', '0');
          },
          own,
        );
      } finally {
        await setup.client.config('SET', 'maxmemory', '0');
        await executor.close();
      }
      expect(await slow).toMatchObject({ code: 'closed' });
    });

    it('has its maps from a folder or a URL, once, when they are what they are called', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'bspkit-maps-'));
      mkdirSync(join(folder, 'maps'));
      writeFileSync(join(folder, 'maps', 'other.bsp'), 'other');
      writeFileSync(join(folder, 'maps', 'arena.bsp.gz'), gzipSync(arena));
      const asked: string[] = [];
      let given: Uint8Array = arena;
      const server = createServer((request, reply) => {
        asked.push(request.url!);
        reply.end(given);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/maps`;
      const executor = await coordinateStrange();
      // The queue has another one: whoever takes it sees that.
      await setup.client.set(bytesKey(map), 'x');
      const tryMaps = async (maps: string | undefined): Promise<unknown> => {
        const run = (): Promise<unknown> => Promise.all([0, 4].map((index) => runStrange(executor, index)));
        return (await withWorkers(1, run, { ...own, maps })).result;
      };
      const size = arena.length & 255;
      const answers = [
        [0, size],
        [4, size],
      ];
      expect(await tryMaps(folder)).toEqual(answers);
      expect(await tryMaps(url)).toEqual(answers);
      expect(asked).toEqual([`/maps/${map}.bsp`]);
      given = arena.subarray(1);
      expect(await tryMaps(url)).toMatchObject([{ code: 'hash' }, { code: 'hash' }]);
      expect(await tryMaps(undefined)).toMatchObject([{ code: 'hash' }, { code: 'hash' }]);
      expect(await tryMaps(join(folder, 'none'))).toMatchObject([{ code: 'absent' }, { code: 'absent' }]);
      // A folder that is mistyped on one machine costs the others nothing.
      await setup.client.set(bytesKey(map), Buffer.from(arena));
      expect(await tryMaps(join(folder, 'none'))).toEqual(answers);
      expect(await tryMaps(url)).toEqual(answers);
      await executor.close();
      server.close();
      rmSync(folder, { recursive: true });
    });
  },
);
