import { getEventListeners, once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { arenaQuake3 } from '@bspkit/fixtures';
import { openWire, REDIS_SERVER, startRedis, type TestRedis } from '@bspkit/testkit/redis';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnyBakeKind,
  type BakeChunk,
  BakeError,
  type BakeExecutor,
  type BakeJob,
  bake,
  chunkOf,
  createJob,
  driveChunks,
  type FailedChunk,
  jobText,
  kindOf,
  memoryStore,
  openJob,
  pointBytes,
  readBake,
  Scheduler,
} from '../src/index.ts';
import { createBakePool } from '../src/pool/node/index.ts';
import {
  ANSWERS,
  answerKey,
  bytesKey,
  hashOf,
  keyOf,
  messageOf,
  PREFIX,
  QUEUE,
} from '../src/queue/protocol.ts';
import {
  createQueueExecutor,
  type QueueExecutor,
  type QueueWorkerOptions,
  type QueueWorkerReport,
  runQueueWorker,
} from '../src/queue.ts';

// Coordinators and workers at a real Redis. Workers that die are tried with the command, in processes of their own.

// Without their file no thread ever answers, and tests that wait for an answer would do so for good.
const THREAD = fileURLToPath(new URL('../dist/worker-node.js', import.meta.url));
if (!existsSync(THREAD)) throw new Error(`${THREAD} is missing: npm run build`);

const arena = arenaQuake3();
const map = hashOf(arena);
const columns = ['x', 'y', 'z', 'leaf', 'cluster', 'area', 'contents'];
const header = JSON.stringify({ game: 'quake3', map: 'arena', kind: 'points', columns });
const job: BakeJob = { map, kind: 'batch', parameters: { header }, inputs: {}, count: 0, chunkSize: 1 };
const id = hashOf(Buffer.from(jobText(job)));
const load = (): Uint8Array => arena;

const ROWS = 20;
/** A chunk of rows of their own. */
const chunkAt = (index: number): BakeChunk => {
  const rows = Array.from(
    { length: ROWS },
    (_, k) => `[${(17 * k + index) % 500},${(31 * index) % 300},32]\n`,
  );
  return { index, first: 2 + ROWS * index, count: ROWS, input: Buffer.from(rows.join('')) };
};

const ending = (value: unknown): string => JSON.stringify(value);
/** An answer as workers store it. */
const answer = (text: string): Buffer =>
  Buffer.concat([Buffer.from(hashOf(Buffer.from(text)), 'hex'), Buffer.from(text)]);

const title = `a queue${REDIS_SERVER ? '' : ': skipped, redis-server is not installed'}`;

describe.skipIf(!REDIS_SERVER)(title, () => {
  let redis: TestRedis;
  let client: Redis;
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);

  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url, { maxRetriesPerRequest: null });
    client.on('error', () => {});
  });
  beforeEach(async () => {
    await client.flushall();
    notes.length = 0;
  });
  afterAll(async () => {
    client.disconnect();
    await redis.remove();
  });

  /** What one thread answers. */
  const expected = async (chunks: number): Promise<string[]> => {
    const open = await openJob(job, { load });
    return Array.from({ length: chunks }, (_, index) => Buffer.from(open.run(chunkAt(index))).toString());
  };

  interface Driven {
    readonly answers: string[];
    readonly failed: readonly FailedChunk[];
    readonly retried: number;
  }

  const coordinate = (options: { url?: string; patience?: number } = {}): Promise<QueueExecutor> =>
    createQueueExecutor({ url: redis.url, job, load, note, ...options });

  const drive = async (
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

  /** Runs with workers, which end with it. */
  const withWorkers = async <T>(
    count: number,
    run: (stop: AbortController) => Promise<T>,
    options: Partial<QueueWorkerOptions> = {},
  ): Promise<{ result: T; reports: QueueWorkerReport[] }> => {
    const stop = new AbortController();
    const workers = Array.from({ length: count }, () =>
      runQueueWorker({ url: redis.url, threads: 1, note, signal: stop.signal, ...options }),
    );
    try {
      const result = await run(stop);
      stop.abort();
      return { result, reports: await Promise.all(workers) };
    } finally {
      stop.abort();
      await Promise.allSettled(workers);
    }
  };

  it('gives what one thread gives, and leaves nothing that does not expire', async () => {
    const executor = await coordinate();
    const { result, reports } = await withWorkers(2, () => drive(executor, 60));
    expect(result).toEqual({ answers: await expected(60), failed: [], retried: 0 });
    expect(reports.reduce((sum, { answered }) => sum + answered, 0)).toBe(60);
    await executor.close();
    const left = await client.keys('*');
    const ofChunks = left.filter(
      (key) => /:(input|answer):/.test(key) || key.startsWith(`${PREFIX}:${QUEUE}:${id}`),
    );
    expect(ofChunks).toEqual([]);
    for (const hash of [id, map]) expect(await client.ttl(bytesKey(hash))).toBeGreaterThan(0);
    expect(notes.join('\n')).toMatch(
      /no worker is at redis:.*\stakes chunks from redis:.*\sjob [0-9a-f]{8}: batch/s,
    );
  });

  it('has two coordinators of the same job side by side', async () => {
    const executors = await Promise.all([coordinate(), coordinate()]);
    const { result } = await withWorkers(1, () =>
      Promise.all(executors.map((executor) => drive(executor, 20))),
    );
    for (const { answers } of result) expect(answers).toEqual(await expected(20));
    await Promise.all(executors.map((executor) => executor.close()));
  });

  it('answers whoever asks for a chunk that is waiting already', async () => {
    const executor = await coordinate();
    const asked = [0, 0, 1].map((index) => executor.run(chunkAt(index)));
    const { result } = await withWorkers(1, () => Promise.all(asked));
    const [first, second] = await expected(2);
    expect(result.map((bytes) => Buffer.from(bytes).toString())).toEqual([first, first, second]);
    expect(result[0]!.buffer).not.toBe(result[1]!.buffer);
    const refused = Promise.allSettled([2, 2].map((index) => executor.run(chunkAt(index))));
    await executor.close();
    expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  }, 20_000);

  it('has chunks that carry nothing', async () => {
    const executor = await coordinate();
    const chunk = (index: number): BakeChunk => ({ index, first: 2, count: 0, input: new Uint8Array() });
    const { result } = await withWorkers(1, () => drive(executor, 2, { chunk }));
    expect(result).toEqual({ answers: ['', ''], failed: [], retried: 0 });
    await executor.close();
  });

  it('takes the answers that are there already, after a coordinator that died', async () => {
    const wire = await openWire(redis.port);
    const dead = await coordinate({ url: wire.url, patience: 1 });
    const chunks = [0, 1, 2].map((index) => chunkAt(index));
    for (const chunk of chunks) void dead.run(chunk).catch(() => {});
    const keys = chunks.map((chunk) => keyOf(messageOf(id, chunk)));
    while ((await client.exists(...keys.map((key) => `${PREFIX}:${QUEUE}:${key}`))) < 3) await sleep(5);
    // Nothing is tidied up.
    wire.cut();
    await withWorkers(1, async () => {
      while ((await client.exists(...keys.map(answerKey))) < 3) await sleep(5);
    });
    await dead.close();
    const executor = await coordinate();
    const { result } = await withWorkers(1, () => drive(executor, 3));
    expect(result.answers).toEqual(await expected(3));
    await executor.close();
  });

  it('tells of a question that cannot be answered at once, and goes on with the rest', async () => {
    const executor = await coordinate();
    const chunk = (index: number): BakeChunk =>
      index === 3 ? { ...chunkAt(3), input: Buffer.from('[1,2,3]\n[1,"a",3]\n') } : chunkAt(index);
    const { result, reports } = await withWorkers(1, () => drive(executor, 8, { chunk }));
    await executor.close();
    const answers = await expected(8);
    delete answers[3];
    expect(result.answers).toEqual(answers);
    expect(result.failed).toMatchObject([{ chunk: 3, attempts: 1 }]);
    expect(result.failed[0]!.reason).toBeInstanceOf(RangeError);
    expect((result.failed[0]!.reason as Error).message).toContain('line 63');
    expect(reports).toEqual([{ answered: 7, failed: 1 }]);
  });

  it.each([
    ['an answer of other bytes', 'x'.repeat(50), ending({ size: 18 }), 'the answer of chunk 0 is damaged'],
    ['an answer of another size', answer('abc'), ending({ size: 4 }), 'the answer of chunk 0 is damaged'],
    ['no reason', undefined, 'oops', 'a worker said something of chunk 0 that cannot be understood'],
    ['a reason without end', undefined, ' '.repeat(1 << 20), 'cannot be understood'],
    ['a reason', undefined, ending({ error: { name: 'Error', message: 'too hot' } }), 'too hot'],
  ])('takes %s for a failure', async (_, stored, said, problem) => {
    const executor = await coordinate();
    const running = executor.run(chunkAt(0)).catch((error: unknown) => error);
    const key = keyOf(messageOf(id, chunkAt(0)));
    while ((await client.llen(`${PREFIX}:${QUEUE}:wait`)) < 1) await sleep(5);
    if (stored) await client.set(answerKey(key), stored);
    await client.xadd(ANSWERS, '*', 'key', key, 'ending', said);
    expect(await running).toMatchObject({
      name: 'BakeError',
      code: 'worker',
      message: expect.stringContaining(problem),
    });
    await executor.close();
  });

  it('goes on when Redis is started again and has forgotten everything', async () => {
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

  it('fails chunks that a full queue does not take, and says that it is full', async () => {
    const executor = await coordinate();
    const full = 'refuses: OOM command not allowed';
    try {
      const lost = executor.run(chunkAt(0));
      lost.catch(() => {});
      await expect.poll(() => client.llen(`${PREFIX}:${QUEUE}:wait`)).toBe(1);
      await client.flushall();
      await client.config('SET', 'maxmemory', '1');
      // Whoever comes back looks for what it waits for.
      await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await expect(lost).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining(full) });
      await expect(executor.run(chunkAt(1))).rejects.toThrow(full);
    } finally {
      await client.config('SET', 'maxmemory', '0');
      await executor.close();
    }
  });

  it('says why an answer finds no room in a full queue', async () => {
    const executor = await coordinateStrange();
    const slow = runStrange(executor, 3);
    try {
      await withWorkers(
        1,
        async () => {
          await expect.poll(() => notes.some((text) => text.startsWith('job '))).toBe(true);
          await client.config('SET', 'maxmemory', '1');
          await expect.poll(() => notes.join('\n')).toMatch(/chunk \S+ failed: OOM command not allowed/);
          await client.config('SET', 'maxmemory', '0');
        },
        own,
      );
    } finally {
      await client.config('SET', 'maxmemory', '0');
      await executor.close();
    }
    expect(await slow).toMatchObject({ code: 'closed' });
  });

  it('goes on when Redis is killed and started again', async () => {
    const executor = await coordinate();
    const { result } = await withWorkers(2, () =>
      drive(executor, 60, {
        async done(count) {
          if (count !== 20) return;
          await redis.kill();
          await redis.start();
        },
      }),
    );
    await executor.close();
    expect(result).toMatchObject({ answers: await expected(60), failed: [] });
  });

  it('is not hurt by what others write there', async () => {
    const queue = new Queue(QUEUE, { connection: client, prefix: PREFIX });
    const message = messageOf(id, chunkAt(0));
    const jobs: [string, unknown, string][] = [
      ['other', message, 'a-1'],
      ['chunk', null, 'a-2'],
      ['chunk', { ...message, job: '../../etc/passwd' }, 'a-3'],
      ['chunk', { ...message, index: -1 }, 'a-4'],
      ['chunk', { ...message, first: 1e300 }, 'a-5'],
      ['chunk', { ...message, input: 7 }, 'a-6'],
      ['chunk', message, 'a-7'],
      ['chunk', { ...message, job: 'f'.repeat(64) }, keyOf({ ...message, job: 'f'.repeat(64) })],
    ];
    for (const [name, data, jobId] of jobs) await queue.add(name, data, { jobId, attempts: 1000 });
    await client.xadd(ANSWERS, '*', 'rubbish', 'x');
    await client.set('bspkit:bytes:'.concat('e'.repeat(64)), 'not these bytes');
    const evil = { ...message, job: 'e'.repeat(64) };
    await queue.add('chunk', evil, { jobId: keyOf(evil) });
    const executor = await coordinate();
    const { result, reports } = await withWorkers(1, () => drive(executor, 5));
    await executor.close();
    await queue.close();
    expect(result.answers).toEqual(await expected(5));
    expect(reports[0]).toMatchObject({ answered: 5, failed: 9 });
    expect(notes.join('\n')).toMatch(/is not a chunk: it has another name/);
    expect(notes.join('\n')).toMatch(/differs from its hash/);
  });

  it('runs no kind that it does not know', async () => {
    const other = { ...job, kind: 'evil' };
    const executor = await createQueueExecutor({ url: redis.url, job: other, load, note });
    const { result } = await withWorkers(1, () => drive(executor, 1));
    await executor.close();
    expect(result.failed).toMatchObject([
      { reason: { code: 'kind', message: expect.stringMatching(/no such kind of bake: 'evil'/) } },
    ]);
  });

  it('ends a worker when there is nothing to do', async () => {
    const report = await runQueueWorker({ url: redis.url, threads: 1, idle: 0 });
    expect(report).toEqual({ answered: 0, failed: 0 });
  });

  it('lets a process go whose worker was told to end, however long that would have waited', async () => {
    const clocks = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = clocks();
    const stop = new AbortController();
    const { signal } = stop;
    const worker = runQueueWorker({ url: redis.url, threads: 1, idle: 3600, signal, hurry: signal });
    while (getEventListeners(signal, 'abort').length === 0) await sleep(10);
    stop.abort();
    await worker;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    while (clocks() > before) await sleep(10);
  });

  it('ends a worker when the queue is lost', async () => {
    const own = await startRedis();
    const worker = runQueueWorker({ url: own.url, threads: 1, patience: 1 }).catch((error: unknown) => error);
    const executor = await createQueueExecutor({ url: own.url, job, load, patience: 1 });
    const running = executor.run(chunkAt(0)).catch((error: unknown) => error);
    await own.remove();
    if (!executor.lost.aborted) await once(executor.lost as AbortSignal, 'abort');
    await executor.close();
    expect(await running).toMatchObject({ name: 'BakeError', code: 'closed' });
    expect(await worker).toMatchObject({ name: 'QueueError', code: 'lost' });
  });

  it('takes back what nobody has begun', async () => {
    const executor = await coordinate();
    const running = Promise.allSettled([0, 1, 2].map((index) => executor.run(chunkAt(index))));
    while ((await client.llen(`${PREFIX}:${QUEUE}:wait`)) < 3) await sleep(5);
    await executor.close();
    expect((await running).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await client.llen(`${PREFIX}:${QUEUE}:wait`)).toBe(0);
    expect((await client.keys('*')).filter((key) => /input|answer:/.test(key))).toEqual([]);
    await expect(executor.run(chunkAt(0))).rejects.toThrow(BakeError);
  });

  it('writes the same file as threads do', async () => {
    const points = pointBytes(Float32Array.from({ length: 900 }, (_, k) => ((k * 37) % 401) - 200));
    const inputs = { points };
    const baked = await createJob({ kind: 'occlusion', map: arena, inputs, parameters: { rays: 16 } });
    const bytes = new Map([
      [baked.map, arena],
      [baked.inputs.points, points],
    ]);
    const bakeBy = async (executor: BakeExecutor): Promise<Uint8Array> => {
      const store = memoryStore();
      await bake(baked, { inputs, executor, store });
      return store.bytes();
    };
    const pool = createBakePool({ threads: 1 });
    const alone = await bakeBy(await pool.open(baked, { map: arena, inputs }));
    await pool.close();
    const executor = await createQueueExecutor({
      url: redis.url,
      job: baked,
      load: (hash) => bytes.get(hash)!,
    });
    const { result } = await withWorkers(2, () => bakeBy(executor));
    const other = { ...baked, parameters: { ...baked.parameters, seed: 7 } };
    const mistaken = bake(other, { inputs, executor, store: memoryStore() });
    await expect(mistaken).rejects.toMatchObject({ code: 'other-job' });
    await executor.close();
    expect(Buffer.compare(result, alone)).toBe(0);
    expect(readBake(result).missing).toBe(0);
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
    createQueueExecutor({ url: redis.url, job: strangeJob, load, note });

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
    await expect(runQueueWorker({ url: redis.url, threads: 1, ...other })).rejects.toMatchObject({
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
      while ((await client.llen(`${PREFIX}:${QUEUE}:active`)) === 0) await sleep(5);
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
    expect(await client.lrange(`${PREFIX}:${QUEUE}:wait`, 0, -1)).toHaveLength(1);
    await executor.close();
    expect(await hanging).toMatchObject({ code: 'closed' });
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
    await client.set(bytesKey(map), 'x');
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
    await client.set(bytesKey(map), Buffer.from(arena));
    expect(await tryMaps(join(folder, 'none'))).toEqual(answers);
    expect(await tryMaps(url)).toEqual(answers);
    await executor.close();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('checks its arguments', async () => {
    const url = redis.url;
    await expect(runQueueWorker({ url, threads: 0 })).rejects.toThrow(
      'threads must be a whole number from 1 to 256',
    );
    await expect(runQueueWorker({ url, lock: 0 })).rejects.toThrow('lock must be a whole number');
    await expect(runQueueWorker({ url, speed: 1 } as never)).rejects.toThrow(
      "there is no option 'speed' here",
    );
    await expect(runQueueWorker({ url, kinds: 1 as never })).rejects.toThrow('kinds must be an array');
    await expect(runQueueWorker({ url, signal: 1 as never })).rejects.toThrow(
      'signal must be an AbortSignal',
    );
    await expect(runQueueWorker({ url, worker: 1 as never })).rejects.toThrow('worker must be the address');
    await expect(runQueueWorker(undefined as never)).rejects.toThrow('options must be an object');
    await expect(createQueueExecutor({ url, job, load: 1 as never })).rejects.toThrow(
      'load must be a function',
    );
    await expect(createQueueExecutor({ url, job, load: 1 as never })).rejects.toThrow(
      'load must be a function',
    );
    await expect(createQueueExecutor({ url, job: { ...job, map: 'x' }, load })).rejects.toThrow(
      'map must be a sha256',
    );
    await expect(createQueueExecutor({ url: 'host', job, load })).rejects.toThrow('is not a URL');
  });
});
