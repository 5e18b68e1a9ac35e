import { Worker } from 'node:worker_threads';
import type { BspFormat } from '@bspkit/core/format';
import { toyFormat, toyMap } from '@bspkit/testkit/toy';
import { FORMATS } from 'bspkit';
import { describe, expect, it } from 'vitest';
import {
  type AnyBakeKind,
  BAKE_KINDS,
  type BakeContext,
  type BakeExecutor,
  type BakeProgress,
  bake,
  chunkOf,
  createJob,
  type JobParts,
  memoryStore,
  mergeBake,
  openJob,
  pointBytes,
  readBake,
} from '../src/index.ts';
import { createBakePool } from '../src/pool/node/index.ts';
import { impossibleJobs } from './impossible-jobs.ts';
import { MAPS } from './maps.ts';
import { runChunk } from './run-chunk.ts';
import { strange, strangeJob } from './strange-kind.ts';
import { setUpStrangePool } from './strange-pool.ts';

const kinds = [strange as AnyBakeKind];
const setup = setUpStrangePool();

const run = async (does: readonly string[]): Promise<{ error: unknown; chunks: number[] }> => {
  const job = await strangeJob(does);
  const store = memoryStore();
  const executor = await setup.pool.open(job, { kinds });
  const error = await bake(job, { executor, store, retries: 1 }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, chunks: [...readBake(store.bytes()).chunks.keys()].sort((a, b) => a - b) };
};

describe('a pool of threads', () => {
  it('traces with the kernel that it is given, here and in its workers', async () => {
    const map = MAPS.quake3!();
    // One asks the world that it is given, the other makes one.
    const kinds = [true, false].map((needsWorld): AnyBakeKind => {
      const kernelOf = (context: BakeContext<unknown>): string => {
        if (needsWorld) return context.world.kernel;
        const { formats, map } = context;
        const format = formats.find(({ id }) => id === 'quake3')!;
        return format.createWorld([format.read(map)]).kernel;
      };
      return {
        name: needsWorld ? 'asks' : 'makes',
        needsWorld,
        inputs: [],
        check: (parameters) => parameters,
        open: (context) => () => new TextEncoder().encode(kernelOf(context)),
        merge: (chunks) => chunks,
      };
    });
    const quake3: BspFormat = await FORMATS.find(({ id }) => id === 'quake3')!.load();
    const opened = { format: 'quake3', data: quake3.createWorld([quake3.read(map)]).data };
    for (const [kind, world] of [
      [kinds[0]!, undefined],
      [kinds[0]!, opened],
      [kinds[1]!, undefined],
    ] as const) {
      const job = await createJob({ kind: kind.name, map, count: 1, kinds });
      for (const kernel of ['js', 'wasm', undefined] as const) {
        const source = { kinds, kernel, world, load: () => map };
        const answer = await runChunk(job, chunkOf(job, 0), source);
        expect(new TextDecoder().decode(answer)).toBe(kernel ?? 'wasm');
      }
    }
    const job = await createJob({
      kind: 'strange',
      map,
      count: 1,
      parameters: { does: ['kernel'] },
      kinds: [strange as AnyBakeKind],
    });
    const own = createBakePool({ threads: 1, worker: setup.worker, kernel: 'js' });
    try {
      const executor = await own.open(job, { map, kinds: [strange as AnyBakeKind] });
      expect(new TextDecoder().decode(await executor.run(chunkOf(job, 0)))).toBe('js');
    } finally {
      await own.close();
    }
    expect(() => createBakePool({ kernel: 'c' as never })).toThrow("kernel must be 'auto', 'wasm' or 'js'");
  });

  it('ends a bake at once whose format or kind its workers do not know, and says what to do', async () => {
    const map = toyMap();
    const parameters = { origin: [0, 0, 0], step: 32, size: [2, 2, 1] };
    const toys = await createJob({ kind: 'clearance', map, parameters, chunkSize: 1 });
    const other: AnyBakeKind = { ...(strange as AnyBakeKind), name: 'other' };
    const others = await createJob({ kind: 'other', count: 4, chunkSize: 1, kinds: [other] });
    const formats = [...FORMATS, toyFormat];
    for (const [job, executor, error] of [
      [
        toys,
        await setup.pool.open(toys, { map, formats }),
        {
          code: 'format',
          message:
            "the workers know no format 'toy': pass it to serveBake in a script of your own, given as the option worker",
        },
      ],
      [
        others,
        await setup.pool.open(others, { kinds: [other] }),
        { code: 'kind', message: expect.stringMatching(/^no such kind of bake: 'other'; there are /) },
      ],
    ] as const) {
      const asked: number[] = [];
      const watching: BakeExecutor = {
        capacity: 1,
        run(chunk) {
          asked.push(chunk.index);
          return executor.run(chunk);
        },
      };
      const retried: number[] = [];
      const onRetry = (chunk: number): unknown => retried.push(chunk);
      await expect(
        bake(job, {
          executor: watching,
          store: memoryStore(),
          onRetry,
          kinds: [...kinds, other, ...BAKE_KINDS],
        }),
      ).rejects.toMatchObject({ name: 'BakeError', ...error });
      expect([asked, retried]).toEqual([[0], []]);
    }
  });

  it('tries no chunk again whose map cannot be read', async () => {
    const map = MAPS.ufoai!().slice(0, 200);
    const job = await createJob({ kind: 'routing', map, count: 1 });
    const retried: number[] = [];
    const executor = await setup.pool.open(job, { map, checked: true });
    const onRetry = (chunk: number): unknown => retried.push(chunk);
    await expect(bake(job, { executor, store: memoryStore(), onRetry })).rejects.toMatchObject({
      code: 'chunk',
    });
    expect(retried).toEqual([]);
  });

  it.each(impossibleJobs)('opens no job that its map has nothing for: %s', async (_, parts, problem) => {
    const { map, inputs }: JobParts = parts;
    const job = await createJob(parts);
    await expect(setup.pool.open(job, { map, inputs })).rejects.toThrow(problem);
    const load = (hash: string): Uint8Array => (hash === job.map ? map! : inputs!.points!);
    await expect(openJob(job, { load })).rejects.toThrow(problem);
  });

  it('answers as one thread does', async () => {
    const map = MAPS.quake3!();
    const inputs = { points: pointBytes(Float32Array.from({ length: 600 }, (_, k) => (k * 37) % 400)) };
    const job = await createJob({ kind: 'sight', map, inputs });
    const { run: answer } = await openJob(job, { load: (hash) => (hash === job.map ? map : inputs.points) });
    const alone: BakeExecutor = { capacity: 1, run: async (chunk) => answer(chunk) };
    const files: Uint8Array[] = [];
    for (const executor of [alone, await setup.pool.open(job, { map, inputs })]) {
      const store = memoryStore();
      await bake(job, { inputs, executor, store });
      files.push(store.bytes());
    }
    expect(files[1]).toEqual(files[0]);
    expect(mergeBake(readBake(files[1]!))).toMatchObject({ rowBytes: 25 });
  });

  it('answers no other job than the one it was opened for', async () => {
    const map = MAPS.quake3!();
    const inputs = { points: pointBytes(new Float32Array(12)) };
    const [low, high] = await Promise.all(
      [0, 26].map((eye) => createJob({ kind: 'sight', map, inputs, parameters: { eye } })),
    );
    const executor = await setup.pool.open(low!, { map, inputs });
    await expect(bake(high!, { inputs, executor, store: memoryStore() })).rejects.toMatchObject({
      code: 'other-job',
      message: 'the executor is of another job: parameters {"eye":0} there, {"eye":26} here',
    });
  });

  it('opens a job again in a worker that could not', async () => {
    const flag = new Uint8Array(new SharedArrayBuffer(1));
    const job = await strangeJob(['open at the second try'], { flag });
    const one = createBakePool({ threads: 1, worker: setup.worker });
    const executor = await one.open(job, { kinds, inputs: { flag }, checked: true });
    await expect(executor.run(chunkOf(job, 0))).rejects.toThrow('not now');
    expect(await executor.run(chunkOf(job, 0))).toEqual(Uint8Array.of(0));
    await one.close();
  });

  it('has chunks of dead workers answered by others', async () => {
    const flag = new Uint8Array(new SharedArrayBuffer(1));
    const job = await strangeJob(['', 'leave once', '', ''], { flag });
    const store = memoryStore();
    const retried: number[] = [];
    const executor = await setup.pool.open(job, { kinds, inputs: { flag } });
    await bake(job, { inputs: { flag }, executor, store, onRetry: (chunk) => retried.push(chunk) });
    expect(retried).toEqual([1]);
    expect(mergeBake(readBake(store.bytes()), kinds)).toEqual([0, 1, 2, 3]);
  });

  it('fails of a chunk that kills whoever takes it, after all others', async () => {
    const { error, chunks } = await run(['', 'exit', '', '']);
    expect(error).toMatchObject({
      name: 'BakeError',
      code: 'chunk',
      chunk: 1,
      message: 'chunk 1 failed 2 times: a worker ended before it had answered: it exited with code 3',
    });
    expect(chunks).toEqual([0, 2, 3]);
  });

  it('carries errors over', async () => {
    const { error, chunks } = await run(['refuse', '', 'break']);
    expect((error as Error).message).toBe('chunk 0 failed: chunk 0 is refused; 1 more failed');
    expect((error as Error).cause).toBeInstanceOf(RangeError);
    expect(chunks).toEqual([1]);
    const job = await strangeJob(['break']);
    const executor = await setup.pool.open(job, { kinds });
    await expect(executor.run(chunkOf(job, 0))).rejects.toMatchObject({
      name: 'BakeError',
      code: 'chunk',
      chunk: 0,
    });
  });

  it('keeps to its threads when several jobs want them all, and lets signals through to what waits', async () => {
    const flag = new Uint8Array(new SharedArrayBuffer(12));
    const does = ['crowd', 'crowd', 'crowd'];
    const jobs = await Promise.all([strangeJob(does, { flag }), strangeJob([...does, ''], { flag })]);
    const executors = await Promise.all(jobs.map((job) => setup.pool.open(job, { kinds, inputs: { flag } })));
    const controller = new AbortController();
    const asked = jobs.flatMap((job, k) =>
      does.map((_, index) =>
        executors[k]!.run(chunkOf(job, index), k + index === 3 ? controller.signal : undefined),
      ),
    );
    const settled = Promise.allSettled(asked);
    controller.abort('no more');
    const results = (await settled).map((result) =>
      result.status === 'fulfilled' ? result.value[0] : result.reason,
    );
    expect(results).toEqual([0, 1, 2, 0, 1, 'no more']);
    expect(new Int32Array(flag.buffer)[1]).toBe(2);
  });

  it('refuses chunks that are none before a worker is asked', async () => {
    const job = await strangeJob(['']);
    const executor = await setup.pool.open(job, { kinds });
    await expect(executor.run(null as never)).rejects.toThrow(
      new TypeError('chunk must be an object, got null'),
    );
    await expect(executor.run({ ...chunkOf(job, 0), input: 'x' as never })).rejects.toThrow(
      new TypeError("chunk.input must be a Uint8Array, got 'x'"),
    );
    const input = new Uint8Array(4);
    structuredClone(input, { transfer: [input.buffer] });
    await expect(executor.run({ ...chunkOf(job, 0), input })).rejects.toThrow(
      new TypeError('chunk.input must not have been transferred or cut off'),
    );
  });

  it('refuses chunks that cannot be sent, and keeps the job', async () => {
    const job = await strangeJob(['', '']);
    const executor = await setup.pool.open(job, { kinds });
    const chunk = { ...chunkOf(job, 0), done: () => {} };
    await expect(executor.run(chunk)).rejects.toThrow('chunk must be plain data');
    await expect(executor.run(chunkOf(job, 1))).resolves.toBeInstanceOf(Uint8Array);
  });

  it('knows which jobs a worker keeps, after chunks that failed too', async () => {
    const single = createBakePool({ threads: 1, worker: setup.worker });
    const jobs = await Promise.all(['', '', '', 'refuse', ''].map((does) => strangeJob([does])));
    const executors = await Promise.all(jobs.map((job) => single.open(job, { kinds })));
    const answers: unknown[] = [];
    for (const k of [0, 1, 2, 3, 4, 0]) {
      const answer = executors[k]!.run(chunkOf(jobs[k]!, 0));
      answers.push(await answer.then(([value]) => value).catch((error: Error) => error.message));
    }
    await single.close();
    expect(answers).toEqual([0, 0, 0, 'chunk 0 is refused', 0, 0]);
  });

  it('hears of signals and of its end right after a chunk has been asked for', async () => {
    const job = await strangeJob(['', '', '']);
    const executor = await setup.pool.open(job, { kinds });
    const controller = new AbortController();
    const stopped = executor.run(chunkOf(job, 0), controller.signal);
    controller.abort('no more');
    await expect(stopped).rejects.toBe('no more');
    const single = createBakePool({ threads: 1, worker: setup.worker });
    const alone = await single.open(job, { kinds });
    const asked = Promise.allSettled([0, 1, 2].map((index) => alone.run(chunkOf(job, index))));
    // Twice at once, as by a signal and where it was used.
    await Promise.all([single.close(), single.close()]);
    const reasons = (await asked).map((result) => result.status === 'rejected' && result.reason.code);
    expect(reasons).toEqual(['closed', 'closed', 'closed']);
  });

  it('opens nothing that is not what the job says', async () => {
    const map = MAPS.quake3!();
    const inputs = { points: pointBytes([0, 0, 0]) };
    const job = await createJob({ kind: 'sight', map, inputs });
    await expect(setup.pool.open(job, { map: new Uint8Array(7), inputs })).rejects.toMatchObject({
      code: 'hash',
    });
    await expect(setup.pool.open(job, { map })).rejects.toThrow('inputs.points must be a Uint8Array');
    await expect(setup.pool.open(job, { inputs })).rejects.toThrow(
      new TypeError('map must be a Uint8Array, got undefined'),
    );
    const gone = map.slice();
    structuredClone(gone, { transfer: [gone.buffer] });
    await expect(setup.pool.open(job, { map: gone, inputs })).rejects.toThrow(
      'map must not have been transferred or cut off',
    );
    await expect(setup.pool.open({ ...job, kind: 'x' }, { map, inputs })).rejects.toMatchObject({
      code: 'kind',
    });
    await expect(
      setup.pool.open({ ...job, parameters: { tracer: { kind: 'x' } } }, { map, inputs }),
    ).rejects.toThrow('tracer.kind must be');
    const other = await createJob({ kind: 'sight', map: new Uint8Array(99), inputs });
    await expect(setup.pool.open(other, { map: new Uint8Array(99), inputs })).rejects.toMatchObject({
      name: 'BspError',
    });
  });

  it('refuses options that cannot be', () => {
    expect(() => createBakePool({ threads: 0 })).toThrow(
      'threads must be a whole number from 1 to 256, got 0',
    );
    expect(() => createBakePool({ worker: 7 as never })).toThrow('worker must be the address of a file');
    expect(() => createBakePool({ workers: 2 } as never)).toThrow("there is no option 'workers'");
  });

  it('goes on when what a kind uses is closed: the pool is not', async () => {
    const job = await strangeJob(['', 'close', '']);
    const executor = await setup.pool.open(job, { kinds });
    const failed = bake(job, { executor, store: memoryStore(), retries: 0 });
    await expect(failed).rejects.toMatchObject({
      ...{ code: 'chunk', chunk: 1, message: 'chunk 1 failed: a file of its own is closed' },
    });
    await expect(executor.run(chunkOf(job, 2))).resolves.toEqual(Uint8Array.of(2));
  });

  it('ends a bake when it is closed, and tries none of its chunks again', async () => {
    const single = createBakePool({ threads: 1, worker: setup.worker });
    const job = await strangeJob(['', '', '']);
    const executor = await single.open(job, { kinds });
    const retried: number[] = [];
    const closeAt = ({ done }: BakeProgress): void => void (done === 1 && single.close());
    const baking = bake(job, {
      executor,
      store: memoryStore(),
      onProgress: closeAt,
      onRetry: (chunk) => retried.push(chunk),
    });
    await expect(baking).rejects.toMatchObject({ code: 'closed', message: 'the pool has been closed' });
    expect(retried).toEqual([]);
  });

  it('leaves no worker behind that is made by a function which closes it', async () => {
    const made: Worker[] = [];
    const pool = createBakePool({
      threads: 1,
      worker: () => {
        void pool.close();
        made.push(new Worker(setup.worker));
        return made[0]!;
      },
    });
    const job = await strangeJob(['']);
    const executor = await pool.open(job, { kinds });
    const error = { code: 'closed', message: 'the pool has been closed' };
    await expect(executor.run(chunkOf(job, 0))).rejects.toMatchObject(error);
    await expect.poll(() => made.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  it('says so when its file cannot be loaded, and when it has been closed', async () => {
    const lost = createBakePool({ threads: 1, worker: '/nowhere/worker.mjs' });
    const job = await strangeJob(['']);
    const executor = await lost.open(job, { kinds });
    const running = expect(executor.run(chunkOf(job, 0))).rejects.toMatchObject({ code: 'closed' });
    const opening = expect(lost.open(job, { kinds })).rejects.toMatchObject({ code: 'closed' });
    await lost.close();
    await Promise.all([opening, running]);
    await expect(lost.open(job, { kinds })).rejects.toMatchObject({ name: 'BakeError', code: 'closed' });
    await expect(executor.run(chunkOf(job, 0))).rejects.toMatchObject({ code: 'closed' });
  });
});
