import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWire, REDIS_SERVER } from '@bspkit/testkit/redis';
import { Queue } from 'bullmq';
import { describe } from 'vitest';
import {
  type BakeChunk,
  BakeError,
  type BakeExecutor,
  bake,
  chunkOf,
  createJob,
  type JobParts,
  memoryStore,
  openJob,
  pointBytes,
  readBake,
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
  WORKERS,
  workerKey,
} from '../src/queue/protocol.ts';
import { createQueueExecutor, type QueueExecutor, runQueueWorker } from '../src/queue.ts';
import { impossibleJobs } from './impossible-jobs.ts';
import { MAPS } from './maps.ts';
import { coordinate, drive, expected, id, leftOf } from './queue-drive.ts';
import { arena, chunkAt, it, job, load, map, type QueueSetup } from './queue-setup.ts';

// Coordinators and workers at a real Redis. Workers that die are tried with the command, in processes of their own.

const ending = (value: unknown): string => JSON.stringify(value);
/** An answer as workers store it. */
const answer = (text: string): Buffer =>
  Buffer.concat([Buffer.from(hashOf(Buffer.from(text)), 'hex'), Buffer.from(text)]);

const title = `a queue${REDIS_SERVER ? '' : ': skipped, redis-server is not installed'}`;

describe.skipIf(!REDIS_SERVER)(title, { concurrent: true }, () => {
  it('gives what one thread gives, and leaves nothing that does not expire', async ({ setup, expect }) => {
    const { notes, withWorkers } = setup;
    const executor = await coordinate(setup);
    // On a busy machine the first count may take so long that it is not trusted.
    await expect.poll(() => notes.join('\n')).toMatch(/no worker is at redis:/);
    const { result, reports } = await withWorkers(2, () => drive(executor, 60));
    expect(result).toEqual({ answers: await expected(60), failed: [], retried: 0 });
    expect(reports.reduce((sum, { answered }) => sum + answered, 0)).toBe(60);
    await executor.close();
    const left = await setup.client.keys('*');
    const ofChunks = left.filter(
      (key) => /:(input|answer):/.test(key) || key.startsWith(`${PREFIX}:${QUEUE}:${id}`),
    );
    expect(ofChunks).toEqual([]);
    for (const hash of [id, map]) expect(await setup.client.ttl(bytesKey(hash))).toBeGreaterThan(0);
    expect(notes.join('\n')).toMatch(/\stakes chunks from redis:.*\sjob [0-9a-f]{8}: batch/s);
  });

  it('answers about assemblies, whose maps workers fetch', async ({ setup, expect }) => {
    const { note, withWorkers } = setup;
    const file = MAPS.ufoai!();
    const tiles = [0, 24].map((x) => ({ map: file, offset: [x, 0, 0] }));
    const points = pointBytes(Float32Array.from({ length: 90 }, (_, k) => ((k * 37) % 1200) - 200));
    const town = await createJob({ kind: 'sight', tiles, inputs: { points }, chunkSize: 10 });
    const find = (hash: string): Uint8Array => (hash === town.inputs.points ? points : file);
    const { run } = await openJob(town, { load: find });
    const executor = await createQueueExecutor({ url: setup.redis.url, job: town, load: find, note });
    const chunks = [0, 1, 2].map((index) => chunkOf(town, index));
    const { result } = await withWorkers(1, () => Promise.all(chunks.map((chunk) => executor.run(chunk))));
    expect(result.map((bytes) => [...bytes])).toEqual(chunks.map((chunk) => [...run(chunk)]));
    await executor.close();
  });

  it('has two coordinators of the same job side by side', async ({ setup, expect }) => {
    const { withWorkers } = setup;
    const executors = await Promise.all([coordinate(setup), coordinate(setup)]);
    const { result } = await withWorkers(1, () =>
      Promise.all(executors.map((executor) => drive(executor, 20))),
    );
    for (const { answers } of result) expect(answers).toEqual(await expected(20));
    await Promise.all(executors.map((executor) => executor.close()));
  });

  it('answers whoever asks for a chunk that is waiting already', async ({ setup, expect }) => {
    const { withWorkers } = setup;
    const executor = await coordinate(setup);
    const asked = [0, 0, 1].map((index) => executor.run(chunkAt(index)));
    const { result } = await withWorkers(1, () => Promise.all(asked));
    const [first, second] = await expected(2);
    expect(result.map((bytes) => Buffer.from(bytes).toString())).toEqual([first, first, second]);
    expect(result[0]!.buffer).not.toBe(result[1]!.buffer);
    const refused = Promise.allSettled([2, 2].map((index) => executor.run(chunkAt(index))));
    await executor.close();
    expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('gives chunks up when their signals come, and takes back those that nobody else waits for', async ({
    setup,
    expect,
  }) => {
    const { withWorkers } = setup;
    const executor = await coordinate(setup);
    const [first, second] = [new AbortController(), new AbortController()];
    const shared = [first.signal, undefined].map((signal) => executor.run(chunkAt(0), signal));
    const alone = executor.run(chunkAt(1), second.signal);
    await expect.poll(() => setup.client.llen(`${PREFIX}:${QUEUE}:wait`)).toBe(2);
    first.abort('no more');
    second.abort('no more');
    await expect(shared[0]).rejects.toBe('no more');
    await expect(alone).rejects.toBe('no more');
    await expect(executor.run(chunkAt(2), first.signal)).rejects.toBe('no more');
    await expect.poll(() => setup.client.llen(`${PREFIX}:${QUEUE}:wait`)).toBe(1);
    const { result, reports } = await withWorkers(1, async () => Buffer.from((await shared[1])!).toString());
    expect([result, reports]).toEqual([(await expected(1))[0], [{ answered: 1, failed: 0 }]]);
    await executor.close();
  });

  it('has chunks that carry nothing', async ({ setup, expect }) => {
    const { withWorkers } = setup;
    const executor = await coordinate(setup);
    const chunk = (index: number): BakeChunk => ({ index, first: 2, count: 0, input: new Uint8Array() });
    const { result } = await withWorkers(1, () => drive(executor, 2, { chunk }));
    expect(result).toEqual({ answers: ['', ''], failed: [], retried: 0 });
    await executor.close();
  });

  it('takes the answers that are there already, after a coordinator that died', async ({ setup, expect }) => {
    const { withWorkers } = setup;
    const wire = await openWire(setup.redis.port);
    const dead = await coordinate(setup, { url: wire.url, patience: 1 });
    const chunks = [0, 1, 2].map((index) => chunkAt(index));
    for (const chunk of chunks) void dead.run(chunk).catch(() => {});
    const keys = chunks.map((chunk) => keyOf(messageOf(id, chunk)));
    while ((await setup.client.exists(...keys.map((key) => `${PREFIX}:${QUEUE}:${key}`))) < 3) await sleep(5);
    // Nothing is tidied up.
    wire.cut();
    await withWorkers(1, async () => {
      while ((await setup.client.exists(...keys.map(answerKey))) < 3) await sleep(5);
    });
    await dead.close();
    const executor = await coordinate(setup);
    const { result } = await withWorkers(1, () => drive(executor, 3));
    expect(result.answers).toEqual(await expected(3));
    await executor.close();
  });

  it('tells of a question that cannot be answered at once, and goes on with the rest', async ({
    setup,
    expect,
  }) => {
    const { withWorkers } = setup;
    const executor = await coordinate(setup);
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

  it('reports what fails also where `note` throws', async ({ setup, expect }) => {
    const { redis, withWorkers } = setup;
    const told: string[] = [];
    const note = (text: string): never => {
      told.push(text);
      throw new Error('the log is full');
    };
    const executor = await createQueueExecutor({ url: redis.url, job, load, note });
    const wrong = { ...chunkAt(0), input: Buffer.from('[1,"a",3]\n'), count: 1 };
    const run = () => executor.run(wrong).catch(({ message }: Error) => message);
    const { result, reports } = await withWorkers(1, run, { note });
    await executor.close();
    expect(result).toContain('line 2');
    expect(reports).toEqual([{ answered: 0, failed: 1 }]);
    expect(told).toContainEqual(expect.stringMatching(/^chunk .* failed: .*line 2/));
  });

  it('tells two coordinators of the same rows in different lines which line of theirs is wrong', async ({
    setup,
    expect,
  }) => {
    const coordinators = [await coordinate(setup), await coordinate(setup)];
    const input = Buffer.from('[1,2,3]\n[1,"a",3]\n');
    const failures = coordinators.map((one, k) =>
      one.run({ index: 0, first: 2 + 10 * k, count: 2, input }).catch(({ message }: Error) => message),
    );
    const { result } = await setup.withWorkers(1, () => Promise.all(failures));
    for (const one of coordinators) await one.close();
    expect(result).toEqual([expect.stringContaining('line 3:'), expect.stringContaining('line 13:')]);
  });

  it.for<[string, string | Buffer | undefined, string, string]>([
    ['an answer of other bytes', 'x'.repeat(50), ending({ size: 18 }), 'the answer of chunk 0 is damaged'],
    ['an answer of another size', answer('abc'), ending({ size: 4 }), 'the answer of chunk 0 is damaged'],
    ['no reason', undefined, 'oops', 'a worker said something of chunk 0 that cannot be understood'],
    ['a reason without end', undefined, ' '.repeat(1 << 20), 'cannot be understood'],
    ['a reason', undefined, ending({ error: { name: 'Error', message: 'too hot' } }), 'too hot'],
  ])('takes %s for a failure', async ([_, stored, said, problem], { setup, expect }) => {
    const executor = await coordinate(setup);
    const running = executor.run(chunkAt(0)).catch((error: unknown) => error);
    const key = keyOf(messageOf(id, chunkAt(0)));
    while ((await setup.client.llen(`${PREFIX}:${QUEUE}:wait`)) < 1) await sleep(5);
    if (stored) await setup.client.set(answerKey(key), stored);
    await setup.client.xadd(ANSWERS, '*', 'key', key, 'ending', said);
    expect(await running).toMatchObject({
      name: 'BakeError',
      code: 'worker',
      message: expect.stringContaining(problem),
    });
    await executor.close();
  });

  // What others do at the same time would slow it down.
  it.sequential('goes on answering while it takes a large map or input', async ({ setup, expect }) => {
    const { client, redis } = setup;
    const large = randomBytes(16 << 20);
    const hash = hashOf(large);
    const town = { ...job, kind: 'unknown', inputs: { large: hash } };
    const wire = await openWire(redis.port, 4 << 20);
    const find = (wanted: string): Uint8Array => (wanted === hash ? large : arena);
    // It takes four seconds, and whoever asks must not wait for an answer for longer than two.
    const executor = await createQueueExecutor({ url: wire.url, job: town, load: find, patience: 2 });
    await executor.close();
    wire.cut();
    expect((await client.getBuffer(bytesKey(hash)))!.equals(large)).toBe(true);
    expect(await client.ttl(bytesKey(hash))).toBeGreaterThan(3000);
    expect(await client.keys(`${bytesKey(hash)}:*`)).toEqual([]);
  });

  it('keeps to the job that it was made for, whatever becomes of that', async ({ setup, expect }) => {
    const given = { ...job, count: 1 };
    const making = createQueueExecutor({ url: setup.redis.url, job: given, load });
    given.count = 2;
    const executor = await making;
    given.count = 3;
    expect(executor.job).toEqual({ ...job, count: 1 });
    await executor.close();
  });

  it('is not hurt by what others write there', async ({ setup, expect }) => {
    const { notes, withWorkers } = setup;
    const queue = new Queue(QUEUE, { connection: setup.client, prefix: PREFIX });
    const message = messageOf(id, chunkAt(0));
    const jobs: [string, unknown, string][] = [
      ['other', message, 'a-1'],
      ['chunk', null, 'a-2'],
      ['chunk', { ...message, job: '../../etc/passwd' }, 'a-3'],
      ['chunk', { ...message, index: -1 }, 'a-4'],
      ['chunk', { ...message, first: 1e300 }, 'a-5'],
      ['chunk', { ...message, input: 7 }, 'a-6'],
      ['chunk', { ...message, version: '1'.repeat(100) }, 'a-7'],
      ['chunk', message, 'a-8'],
      ['chunk', message, 'a-9\x1b]0;title\x07'],
      ['chunk', { ...message, job: 'f'.repeat(64) }, keyOf({ ...message, job: 'f'.repeat(64) })],
    ];
    for (const [name, data, jobId] of jobs) await queue.add(name, data, { jobId, attempts: 1000 });
    await setup.client.xadd(ANSWERS, '*', 'rubbish', 'x');
    await setup.client.sadd(WORKERS, 'x', 'y', '\0');
    await setup.client.set(workerKey('x'), 'many');
    await setup.client.set(workerKey('y'), '9'.repeat(1000));
    await setup.client.set('bspkit:bytes:'.concat('e'.repeat(64)), 'not these bytes');
    const evil = { ...message, job: 'e'.repeat(64) };
    await queue.add('chunk', evil, { jobId: keyOf(evil) });
    const executor = await coordinate(setup);
    const { result, reports } = await withWorkers(1, () => drive(executor, 5));
    expect(executor.capacity).toBe(16);
    await executor.close();
    await queue.close();
    expect(result.answers).toEqual(await expected(5));
    expect(reports[0]).toMatchObject({ answered: 5, failed: 11 });
    expect(notes.join('\n')).toMatch(/is not a chunk: it has another name/);
    expect(notes.join('\n')).toMatch(/differs from its hash/);
    // People have notes printed.
    expect(notes.join()).not.toMatch(/\p{Cc}/u);
  });

  it.for(impossibleJobs)(
    'takes no job that its map has nothing for: %s',
    async ([_, parts, problem], { setup, expect }) => {
      const { map = new Uint8Array(), inputs = {} }: JobParts = parts;
      const made = await createJob(parts);
      const loadParts = (hash: string): Uint8Array => (hash === made.map ? map : inputs.points!);
      const opening = createQueueExecutor({ url: setup.redis.url, job: made, load: loadParts });
      await expect(opening).rejects.toThrow(problem);
      expect(await setup.client.keys('*')).toEqual([]);
    },
  );

  it('runs no kind that it does not know', async ({ setup, expect }) => {
    const { note, withWorkers } = setup;
    const other = { ...job, kind: 'evil' };
    const executor = await createQueueExecutor({ url: setup.redis.url, job: other, load, note });
    await withWorkers(1, () =>
      expect(drive(executor, 1)).rejects.toMatchObject({
        code: 'kind',
        message: expect.stringMatching(/no such kind of bake: 'evil'/),
      }),
    );
    expect(await setup.client.keys(`${PREFIX}:${QUEUE}:*-0*`)).toEqual([]);
    await executor.close();
  });

  /** Hands over three chunks; resolves as soon as they are in the queue, and `ended` when they have ended. */
  const handThree = async (
    { client }: QueueSetup,
    executor: QueueExecutor,
  ): Promise<{ ended: Promise<PromiseSettledResult<Uint8Array>[]> }> => {
    const ended = Promise.allSettled([0, 1, 2].map((index) => executor.run(chunkAt(index))));
    while ((await client.llen(`${PREFIX}:${QUEUE}:wait`)) < 3) await sleep(5);
    return { ended };
  };

  it('takes back what nobody has begun', async ({ setup, expect }) => {
    const executor = await coordinate(setup);
    const { ended } = await handThree(setup, executor);
    await executor.close();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await leftOf(setup)).toEqual([]);
    await expect(executor.run(chunkAt(0))).rejects.toThrow(BakeError);
  });

  it('takes back what is on its way into the queue', async ({ setup, expect }) => {
    const executor = await coordinate(setup);
    const running = Promise.allSettled([0, 1, 2].map((index) => executor.run(chunkAt(index))));
    await executor.close();
    expect((await running).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await leftOf(setup)).toEqual([]);
  });

  it('is closed for all who close it at the same time', async ({ setup, expect }) => {
    const executor = await coordinate(setup);
    const { ended } = await handThree(setup, executor);
    void executor.close();
    await executor.close();
    expect(await leftOf(setup)).toEqual([]);
    await ended;
  });

  it('has taken back, once it is closed, what a signal has ended before', async ({ setup, expect }) => {
    const executor = await coordinate(setup);
    const stop = new AbortController();
    const chunks = Array.from({ length: 20 }, (_, index) => chunkAt(index));
    const running = Promise.allSettled(chunks.map((chunk) => executor.run(chunk, stop.signal)));
    while ((await setup.client.llen(`${PREFIX}:${QUEUE}:wait`)) < chunks.length) await sleep(5);
    stop.abort();
    await executor.close();
    expect((await running).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await leftOf(setup)).toEqual([]);
  });

  it('writes the same file as threads do', async ({ setup, expect }) => {
    const { withWorkers } = setup;
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
      url: setup.redis.url,
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

  it('checks its arguments', async ({ setup, expect }) => {
    const url = setup.redis.url;
    await expect(runQueueWorker({ url, threads: 0 })).rejects.toThrow(
      'threads must be a whole number from 1 to 256',
    );
    await expect(runQueueWorker({ url, lock: 0 })).rejects.toThrow('lock must be a whole number');
    await expect(runQueueWorker({ url, speed: 1 } as never)).rejects.toThrow(
      "there is no option 'speed' here",
    );
    await expect(runQueueWorker({ url, kinds: 1 as never })).rejects.toThrow('kinds must be an array');
    await expect(runQueueWorker({ url, formats: 1 as never })).rejects.toThrow('formats must be an array');
    await expect(createQueueExecutor({ url, job, load, kinds: 1 as never })).rejects.toThrow(
      'kinds must be an array',
    );
    const executor = await coordinate(setup);
    await expect(executor.run({ ...chunkAt(0), index: -1 })).rejects.toThrow(
      'chunk.index must be a whole number, 0 or more, got -1',
    );
    await expect(executor.run(undefined as never)).rejects.toThrow('chunk must be an object');
    await executor.close();
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
