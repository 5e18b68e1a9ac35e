import { randomBytes } from 'node:crypto';
import { getEventListeners, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openWire, REDIS_SERVER, startRedis } from '@bspkit/testkit/redis';
import { Queue } from 'bullmq';
import { describe } from 'vitest';
import { version } from '../package.json';
import { isFinal } from '../src/executor.ts';
import { type AnyBakeKind, type BakeJob, chunkOf, createJob } from '../src/index.ts';
import { jobText } from '../src/job.ts';
import {
  ANSWERS,
  bytesKey,
  type Ending,
  entryOf,
  hashOf,
  keyOf,
  MOST_BYTES,
  messageOf,
  PREFIX,
  QUEUE,
  readEntry,
  WORKERS,
  workerKey,
} from '../src/queue/protocol.ts';
import { createQueueExecutor, type QueueExecutor, runQueueWorker } from '../src/queue.ts';
import { kindOf } from '../src/run.ts';

import { arena, chunkAt, it, job, LOCK, load, map, type QueueSetup } from './queue-setup.ts';

// Workers at a real Redis, kinds of a user's own among what they do.

describe.skipIf(!REDIS_SERVER)(
  `workers at a queue${REDIS_SERVER ? '' : ': skipped, redis-server is not installed'}`,
  { concurrent: true },
  () => {
    it('ends a worker when there is nothing to do', async ({ setup, expect }) => {
      const report = await runQueueWorker({ url: setup.redis.url, threads: 1, idle: 0 });
      expect(report).toEqual({ answered: 0, failed: 0 });
    });

    // It counts the clocks of the whole process.
    it.sequential('lets a process go whose worker was told to end, however long that would have waited', async ({
      setup,
      expect,
    }) => {
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

    it('ends a worker when the queue is lost', async ({ expect }) => {
      const own = await startRedis();
      const worker = runQueueWorker({ url: own.url, threads: 1, patience: 1 }).catch(
        (error: unknown) => error,
      );
      const executor = await createQueueExecutor({ url: own.url, job, load, patience: 1 });
      const running = executor.run(chunkAt(0)).catch((error: unknown) => error);
      await own.remove();
      if (!executor.lost.aborted) await once(executor.lost, 'abort');
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
    const coordinateStrange = ({ redis, note }: QueueSetup): Promise<QueueExecutor> =>
      createQueueExecutor({ url: redis.url, job: strangeJob, load, note });

    it('ends chunks that hang or take their thread with them, and goes on', async ({ setup, expect }) => {
      const { withWorkers } = setup;
      const executor = await coordinateStrange(setup);
      const good = [0, arena.length & 255];
      const hung = async (limit: number): Promise<{ reason: unknown; answer: unknown }> => {
        const run = async () => ({
          reason: await runStrange(executor, 1),
          answer: await runStrange(executor, 0),
        });
        return (await withWorkers(1, run, { ...own, limit })).result;
      };
      // On a machine that is very busy a good chunk may take too long as well.
      for (let limit = 1; ; limit *= 8) {
        const { reason, answer } = await hung(limit);
        expect(reason).toMatchObject({ code: 'worker', chunk: 1, message: `it took longer than ${limit} s` });
        if (!Array.isArray(answer) && limit < 64) continue;
        expect(answer).toEqual(good);
        break;
      }

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
    }, 300_000);

    it('says once of a job that it cannot answer it, and gives its chunks back', async ({
      setup,
      expect,
    }) => {
      const { notes, withWorkers } = setup;
      const executor = await coordinateStrange(setup);
      const { result, reports } = await withWorkers(1, () =>
        Promise.all([0, 1, 2].map((index) => runStrange(executor, index))),
      );
      const unknown = { code: 'kind', message: expect.stringMatching(/no such kind of bake: 'strange'/) };
      expect(result).toEqual([0, 1, 2].map(() => expect.objectContaining(unknown)));
      expect(reports).toEqual([{ answered: 0, failed: 0 }]);
      expect(notes.filter((text) => text.includes('strange'))).toEqual([
        expect.stringMatching(/^job [0-9a-f]{8} cannot be answered here: no such kind of bake: 'strange'/),
      ]);
      expect(notes.join('\n')).not.toContain('failed');
      await executor.close();
    });

    it.for<[string, Uint8Array, RegExp, number]>([
      ['of no format', Buffer.from('no map at all'), /^the map is a text file/, 0],
      ['that is broken', arena.subarray(0, 200), /^quake3: /, 3],
    ])(
      'fetches a map %s once, for all chunks of its job',
      async ([_, broken, problem, failed], { setup, expect }) => {
        const { notes, withWorkers } = setup;
        const made = await createJob({
          kind: 'exposure',
          map: arena,
          inputs: { points: new Uint8Array(36) },
          chunkSize: 1,
        });
        const unreadable = { ...made, map: hashOf(broken) };
        const loadBroken = (hash: string): Uint8Array =>
          hash === unreadable.map ? broken : new Uint8Array(36);
        // A coordinator that does not know the kind leaves that to the workers.
        const { url } = setup.redis;
        const executor = await createQueueExecutor({ url, job: unreadable, load: loadBroken, kinds: [] });
        const { result, reports } = await withWorkers(1, () =>
          Promise.all(
            [0, 1, 2].map((index) =>
              executor.run(chunkOf(unreadable, index)).catch((error: Error) => {
                expect(isFinal(error)).toBe(true);
                return error.message;
              }),
            ),
          ),
        );
        expect(result).toEqual([0, 1, 2].map(() => expect.stringMatching(problem)));
        expect(reports).toEqual([{ answered: 0, failed }]);
        expect(notes.filter((text) => text.includes('cannot be answered here: '))).toHaveLength(1);
        expect(notes.join('\n')).not.toContain('failed');
        await executor.close();
      },
    );

    it.for([
      ['is another one', "import { parentPort } from 'node:worker_threads'; parentPort.postMessage(1);"],
      ['throws at its start', "throw new Error('boom')"],
    ])(
      'ends a worker whose script %s, and gives its chunks to others',
      async ([what, script], { setup, expect }) => {
        const { withWorkers } = setup;
        const executor = await coordinateStrange(setup);
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
        await expect(
          runQueueWorker({ url: setup.redis.url, threads: 1, lock: LOCK, ...other }),
        ).rejects.toMatchObject({
          code: 'closed',
          message: expect.stringContaining(
            what === 'is another one' ? 'it is another script' : 'boom; 6 starts in a row have failed',
          ),
        });
        const { result, reports } = await withWorkers(1, () => answer, own);
        expect(result).toEqual([0, arena.length & 255]);
        expect(reports).toEqual([{ answered: 1, failed: 0 }]);
        expect(failed).toBe(0);
        await executor.close();
      },
    );

    it('leaves chunks that it does not know to workers that do', async ({ setup, expect }) => {
      const { notes, withWorkers } = setup;
      // One that may know it, and is heard of, however long the one who does takes to come.
      await setup.client.pipeline().sadd(WORKERS, 'busy').set(workerKey('busy'), 1).exec();
      const executor = await coordinateStrange(setup);
      const asked = Promise.all([0, 4, 0].map((index) => runStrange(executor, index)));
      const { reports: ignorant } = await withWorkers(1, async () => {
        // It has had a chunk before anybody comes who knows it.
        await expect.poll(() => notes.join('\n')).toMatch(/cannot be answered here: no such kind/);
        const { result, reports } = await withWorkers(1, () => asked, own);
        const size = arena.length & 255;
        expect(result).toEqual([
          [0, size],
          [4, size],
          [0, size],
        ]);
        expect(reports).toEqual([{ answered: 2, failed: 0 }]);
      });
      expect(ignorant).toEqual([{ answered: 0, failed: 0 }]);
      await executor.close();
    });

    it('leaves maps that the queue cannot have to workers of which one has them, and ends if none does', async ({
      setup,
      expect,
    }) => {
      const { notes, note, withWorkers } = setup;
      const large = Buffer.alloc(MOST_BYTES + 1);
      const hash = hashOf(large);
      const folder = mkdtempSync(join(tmpdir(), 'bspkit-large-'));
      const executor = await createQueueExecutor({
        url: setup.redis.url,
        job: { ...strangeJob, map: hash },
        load: () => large,
        note,
      });
      const ask = (): Promise<unknown[]> => Promise.all([0, 4].map((index) => runStrange(executor, index)));
      const refusal = {
        code: 'too-large',
        message: expect.stringMatching(
          /^a queue stores at most 256 MB, and a worker does not have the bytes [0-9a-f]{64} among its own maps$/,
        ),
      };
      const answers = [
        [0, 1],
        [4, 1],
      ];
      const { reports } = await withWorkers(
        1,
        async () => {
          expect(await ask()).toEqual([0, 4].map(() => expect.objectContaining(refusal)));
          expect(notes.filter((text) => text.includes('cannot be answered here'))).toHaveLength(1);
          expect(notes.join('\n')).not.toContain('failed');
          expect(notes.join('\n')).toContain(`the map (${hash}) has 257 MB, more than the queue stores`);
          const file = join(folder, 'large.bsp');
          writeFileSync(file, '');
          truncateSync(file, large.length);
          // One that has it comes later, and the other finds it some time later.
          const beside = await withWorkers(1, ask, { ...own, maps: folder });
          expect(beside.result).toEqual(answers);
          await expect.poll(ask, { timeout: 300_000 }).toEqual(answers);
          const job = notes.find((text) => text.includes('cannot be answered here'))!.slice(0, 12);
          const [opened, refused, ...later] = notes.filter((text) => text.startsWith(job));
          expect(opened).toBe(`${job}: strange`);
          expect(refused).toContain('cannot be answered here');
          // The one that came later, and the first one in the end; or only this one, if it finds the map before the other has begun.
          expect(later.length).toBeLessThanOrEqual(2);
          expect([...new Set(later)]).toEqual([`${job}: strange`]);
        },
        { ...own, maps: folder },
      );
      // It may have found the map before the other one was done.
      expect(reports).toEqual([{ answered: expect.any(Number), failed: 0 }]);
      expect(reports[0]!.answered).toBeGreaterThanOrEqual(2);
      await executor.close();
      rmSync(folder, { recursive: true });
    }, 300_000);

    it('leaves chunks of another version to workers of that version', async ({ setup, expect }) => {
      const { notes, withWorkers } = setup;
      const executor = await coordinateStrange(setup);
      const id = hashOf(Buffer.from(jobText(strangeJob)));
      const older = { ...messageOf(id, chunkOf(strangeJob, 0)), version: '0.0.1-alpha.1' };
      const queue = new Queue(QUEUE, { connection: setup.client, prefix: PREFIX });
      await queue.add('chunk', older, { jobId: keyOf(older), removeOnFail: true });
      const { result, reports } = await withWorkers(
        1,
        async () => {
          await expect.poll(() => queue.getDelayedCount()).toBe(1);
          return runStrange(executor, 0);
        },
        own,
      );
      expect(result).toEqual([0, arena.length & 255]);
      expect(reports).toEqual([{ answered: 1, failed: 0 }]);
      const problem = `the worker is version ${version}, and the chunk is of version 0.0.1-alpha.1: `;
      // On a busy machine it is given back again before the other one is answered: that is said each time.
      expect(new Set(notes.filter((text) => text.includes(problem))).size).toBe(1);
      const told = await setup.client.xrange(ANSWERS, '-', '+');
      const endings = told
        .map(([, fields]) => readEntry(fields))
        .filter((entry) => entry?.key === keyOf(older));
      expect(endings.length).toBeGreaterThan(0);
      for (const ending of endings) {
        expect(ending).toEqual({
          key: keyOf(older),
          ending: { by: expect.any(String), error: expect.objectContaining({ code: 'version' }) },
        });
      }
      // Who has answered is told, too: it lacks nothing then.
      const answered = told
        .map(([, fields]) => readEntry(fields))
        .find((entry) => entry?.key !== keyOf(older));
      expect(answered!.ending).toEqual({ size: expect.any(Number), by: endings[0]!.ending!.by });
      // Where there are only such workers, nobody waits for others.
      await setup.client.pipeline().sadd(WORKERS, 'old').set(workerKey('old'), 1).exec();
      const running = runStrange(executor, 4);
      const { error } = endings[0]!.ending as Extract<Ending, { error: unknown }>;
      await setup.client.xadd(
        ANSWERS,
        '*',
        ...entryOf(keyOf(messageOf(id, chunkOf(strangeJob, 4))), { error, by: 'old' }),
      );
      expect(await running).toMatchObject({ code: 'version', message: expect.stringContaining(problem) });
      await queue.close();
      await executor.close();
    });

    it('counts workers, and gives up what none of them knows, where nobody may ask who is connected', async ({
      setup,
      expect,
    }) => {
      const { note } = setup;
      // As those who run a Redis for others set their users up; what BullMQ and this package need besides is `info`.
      const shared = await startRedis('user baker on >secret ~bspkit:* +@all -@dangerous +info');
      const url = shared.url.replace('//', '//baker:secret@');
      const executor = await createQueueExecutor({ url, job: strangeJob, load, note });
      const stop = new AbortController();
      const worker = runQueueWorker({ url, threads: 9, lock: LOCK, note, signal: stop.signal });
      await expect.poll(() => executor.capacity).toBe(27);
      expect(await runStrange(executor, 0)).toMatchObject({
        code: 'kind',
        message: expect.stringMatching(/no such kind of bake: 'strange'/),
      });
      stop.abort();
      expect(await worker).toEqual({ answered: 0, failed: 0 });
      await executor.close();
      await shared.remove();
    });

    it('gives back no chunk that nobody waits for', async ({ setup, expect }) => {
      const { notes, withWorkers } = setup;
      const other = { ...strangeJob, parameters: { other: 1 } };
      const message = messageOf(hashOf(Buffer.from(jobText(other))), chunkOf(other, 0));
      const queue = new Queue(QUEUE, { connection: setup.client, prefix: PREFIX });
      await setup.client.set(bytesKey(message.job), jobText(other));
      await queue.add('chunk', message, { jobId: keyOf(message), removeOnFail: true });
      await withWorkers(1, async () => {
        await expect.poll(() => notes.join('\n')).toMatch(/cannot be answered here: no such kind/);
        await expect.poll(() => queue.getDelayedCount()).toBe(1);
        // Its coordinator has gone, and what it kept there has expired.
        await setup.client.del(bytesKey(message.job));
        // On a busy machine the worker may have taken it again by now.
        const job = await queue.getJob(keyOf(message));
        await job?.promote().catch(() => {});
        await expect.poll(() => queue.getJobCounts()).toMatchObject({ delayed: 0, failed: 0, waiting: 0 });
      });
      await queue.close();
    });

    it('answers no chunk that has other items than its job says', async ({ setup, expect }) => {
      const { notes, withWorkers } = setup;
      const executor = await coordinateStrange(setup);
      const job = hashOf(Buffer.from(jobText(strangeJob)));
      const queue = new Queue(QUEUE, { connection: setup.client, prefix: PREFIX });
      const later = messageOf(job, chunkOf(strangeJob, 0));
      const larger = messageOf(job, chunkOf(strangeJob, 3));
      const wrong = [
        { ...later, first: later.first + 1 },
        { ...larger, count: larger.count + 1 },
      ];
      for (const message of wrong) await queue.add('chunk', message, { jobId: keyOf(message) });
      const all = notes.join.bind(notes, '\n');
      const { reports } = await withWorkers(
        1,
        async () => {
          await expect.poll(all).toMatch(/chunk 0 is not cut as the job says/);
          await expect.poll(all).toMatch(/chunk 3 is not cut as the job says/);
        },
        own,
      );
      expect(reports).toEqual([{ answered: 0, failed: 2 }]);
      await executor.close();
      await queue.close();
    });

    it('answers no chunk that has no input, where the job has no such chunk', async ({ setup, expect }) => {
      const { note, redis, withWorkers } = setup;
      const executor = await createQueueExecutor({ url: redis.url, job, load, note });
      const { index, first, count } = chunkAt(0);
      await withWorkers(1, () =>
        expect(executor.run({ index, first, count })).rejects.toThrow(
          new RangeError("chunk 0 has no input, and is none of the job's own, of which there are 0"),
        ),
      );
      await executor.close();
    });

    it('ends a worker after the chunk that it is at, or has it give it back', async ({ setup, expect }) => {
      const { withWorkers } = setup;
      const executor = await coordinateStrange(setup);
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

    it('gives back at once what it has, also where it waits for a map or the queue has gone', async ({
      setup,
      expect,
    }) => {
      const { redis, client } = setup;
      const executor = await coordinateStrange(setup);
      const hurry = new AbortController();
      const { signal } = hurry;
      const silent = createServer(() => hurry.abort()).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const maps = `http://127.0.0.1:${(silent.address() as { port: number }).port}/`;
      const waiting = runStrange(executor, 0);
      const options = { url: redis.url, threads: 1, lock: LOCK, patience: 3600, ...own };
      const nothing = { answered: 0, failed: 0 };
      expect(await runQueueWorker({ ...options, maps, hurry: signal })).toEqual(nothing);
      silent.closeAllConnections();
      silent.close();
      expect(await client.lrange(`${PREFIX}:${QUEUE}:wait`, 0, -1)).toHaveLength(1);
      await executor.close();
      expect(await waiting).toMatchObject({ code: 'closed' });

      const other = new AbortController();
      const note = (text: string): void => {
        if (text.startsWith('takes chunks from')) void redis.kill().then(() => other.abort());
      };
      expect(await runQueueWorker({ ...options, note, hurry: other.signal })).toEqual(nothing);
    });

    // What others do at the same time would slow it down.
    it.sequential('keeps its lock and its lease while it fetches a large map or input', async ({
      setup,
      expect,
    }) => {
      const { redis, note, notes } = setup;
      const large = randomBytes(16 << 20);
      const hash = hashOf(large);
      const town = { ...strangeJob, inputs: { large: hash } };
      const find = (wanted: string): Uint8Array => (wanted === hash ? large : arena);
      const executor = await createQueueExecutor({ url: redis.url, job: town, load: find, note });
      // It takes four seconds, and the queue counts as lost if it does not answer for two.
      const wire = await openWire(redis.port, 4 << 20);
      const stop = new AbortController();
      const options = { url: wire.url, threads: 1, lock: 2, patience: 2, note, signal: stop.signal };
      const worker = runQueueWorker({ ...options, ...own });
      // It rejects when its queue is lost.
      const answer = await Promise.race([executor.run(chunkOf(town, 0)), worker]);
      expect(answer).toEqual(Buffer.from([0, arena.length & 255]));
      stop.abort();
      expect(await worker).toEqual({ answered: 1, failed: 0 });
      expect(notes.join('\n')).not.toContain('does not answer');
      await executor.close();
      wire.cut();
    });

    it('says why an answer finds no room in a full queue', async ({ setup, expect }) => {
      const { note, notes, withWorkers } = setup;
      const executor = await coordinateStrange(setup);
      const slow = runStrange(executor, 3);
      // It is full as soon as the worker has begun the job, before there can be an answer.
      const fill = (text: string): void => {
        note(text);
        if (text.startsWith('job ')) void setup.client.config('SET', 'maxmemory', '1');
      };
      try {
        await withWorkers(
          1,
          async () => {
            await expect.poll(() => notes.join('\n')).toMatch(/chunk \S+ failed: OOM command not allowed/);
            await setup.client.config('SET', 'maxmemory', '0');
          },
          { ...own, note: fill },
        );
      } finally {
        await setup.client.config('SET', 'maxmemory', '0');
        await executor.close();
      }
      expect(await slow).toMatchObject({ code: 'closed' });
    });

    it('has its maps from a folder or a URL, once, when they are what they are called', async ({
      setup,
      expect,
    }) => {
      const { withWorkers } = setup;
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
      const executor = await coordinateStrange(setup);
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
