import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@bspkit/testkit/folder';
import type { Platform } from '@bspkit/workers';
import { describe, expect, it } from 'vitest';
import { type AnyBakeKind, BakeError, bake, chunkOf, memoryStore } from '../src/index.ts';
import { createBakePool } from '../src/pool/node/index.ts';
import { createPool } from '../src/pool/pool.ts';
import { strange, strangeJob } from './strange-kind.ts';

const kinds = [strange as AnyBakeKind];

// All at the same time: pools pause between starts that fail, for more than a second in all. On a busy machine, dozens of threads
// that start at once take most of a minute.
describe.concurrent('starts of workers that fail', { timeout: 300_000 }, () => {
  it('leaves no chunk waiting when workers that died cannot be replaced', async () => {
    let started = 0;
    const broken: Platform = {
      cores: 1,
      shares: true,
      ownScript: 'own.js',
      start: () => (onMessage, onEnd) => {
        if (started++ > 0) throw new Error('no more threads');
        setTimeout(() => onMessage({ bspkit: 'serveBake' }));
        const post = (): void => void setTimeout(() => onEnd(new Error('it died')));
        return { post, hold: () => {}, end: async () => undefined };
      },
    };
    const job = await strangeJob(['', '', '']);
    const lost = 'a worker ended before it had answered: it could not be started: no more threads';
    const executor = await createPool(broken).open(job, { kinds });
    const asked = await Promise.allSettled([0, 1, 2].map((index) => executor.run(chunkOf(job, index))));
    expect(asked.map((result) => result.status === 'rejected' && result.reason.message)).toEqual([
      'a worker ended before it had answered: it died',
      `${lost}; 6 starts in a row have failed, and no more are made`,
      `${lost}; 6 starts in a row have failed, and no more are made`,
    ]);
  });

  /** Threads of a machine that is short of memory: some starts fail, by their numbers, and the others answer. */
  const short = (
    fails: (start: number) => boolean,
    cores = 1,
  ): { platform: Platform; starts: () => number } => {
    let starts = 0;
    const platform: Platform = {
      cores,
      shares: true,
      ownScript: 'own.js',
      start: () => (onMessage, onEnd) => {
        const start = starts++;
        if (fails(start) && start % 2 === 0) throw new Error('no memory');
        setTimeout(() => (fails(start) ? onEnd(new Error('no memory')) : onMessage({ bspkit: 'serveBake' })));
        const post = (message: unknown): void => {
          const { id } = message as { readonly id: number };
          setTimeout(() => onMessage({ id, answer: Uint8Array.of(7) }));
        };
        return { post, hold: () => {}, end: async () => undefined };
      },
    };
    return { platform, starts: () => starts };
  };

  it('bakes on when there is memory for threads again, and no chunk has been tried in between', async () => {
    const { platform, starts } = short((start) => start < 5);
    const job = await strangeJob(['', '', '']);
    const executor = await createPool(platform).open(job, { kinds });
    const retried: number[] = [];
    const onRetry = (chunk: number): unknown => retried.push(chunk);
    await bake(job, { executor, store: memoryStore(), retries: 0, onRetry });
    expect([starts(), retried]).toEqual([6, []]);
  });

  it.each([
    [1, 1],
    [1, 3],
    [2, 8],
  ])('makes six starts in a row by %i threads for %i chunks at once', async (threads, chunks) => {
    const { platform, starts } = short(() => true, threads);
    const job = await strangeJob(new Array(chunks).fill(''));
    const executor = await createPool(platform).open(job, { kinds });
    const runs = Array.from({ length: chunks }, (_, k) => executor.run(chunkOf(job, k)));
    for (const run of await Promise.allSettled(runs)) {
      expect(run).toMatchObject({ status: 'rejected', reason: { code: 'closed' } });
    }
    // Of two at the same moment, the second is not made if the first fails at once.
    expect(starts()).toBeGreaterThanOrEqual(6);
    expect(starts()).toBeLessThanOrEqual(6 * threads);
  });

  it('waits longer and longer for others that cannot start while one answers', async () => {
    const { platform, starts } = short((start) => start > 0, 2);
    const job = await strangeJob(new Array(400).fill(''));
    const executor = await createPool(platform).open(job, { kinds });
    const begun = performance.now();
    // Two at a time, for longer than three pauses take: 50, 100 and 200 milliseconds.
    for (let k = 0; performance.now() - begun < 500; k = (k + 2) % 400) {
      await Promise.all([executor.run(chunkOf(job, k)), executor.run(chunkOf(job, k + 1))]);
    }
    expect(starts()).toBeLessThanOrEqual(6);
    expect(starts()).toBeGreaterThan(1);
  });

  it('counts starts that fail at the same time as one, and those before one that succeeded not at all', async () => {
    // Four at once, twice; then one thread that answers, and others that fail again and again.
    const { platform, starts } = short((start) => start < 8 || start > 8, 4);
    const job = await strangeJob(new Array(20).fill(''));
    const executor = await createPool(platform).open(job, { kinds });
    await bake(job, { executor, store: memoryStore(), retries: 0 });
    expect(starts()).toBeGreaterThan(8);
  });

  it('waits once for a script that does not serve it, and starts no more of them', async ({
    onTestFinished,
  }) => {
    const started = join(temporaryFolder(onTestFinished), 'started');
    const note = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(started)}, '.');`;
    const file = `data:text/javascript,${note} setInterval(() => {}, 100)`;
    const silent = createBakePool({ threads: 1, worker: file, startLimit: 1 });
    const job = await strangeJob(['', '']);
    const executor = await silent.open(job, { kinds });
    const retried: number[] = [];
    const baking = bake(job, { executor, store: memoryStore(), onRetry: (chunk) => retried.push(chunk) });
    const words = `a worker ended before it had answered: ${file}: it has not called serveBake() within 1 s`;
    await expect(baking).rejects.toMatchObject({ code: 'closed', message: expect.stringContaining(words) });
    await expect(executor.run(chunkOf(job, 1))).rejects.toMatchObject({ code: 'closed' });
    // Where a machine is very busy, not even the first gets as far as this within a second.
    expect(existsSync(started) ? readFileSync(started, 'utf8') : '').toMatch(/^\.?$/);
    expect(retried).toEqual([]);
    await silent.close();
  });

  it.each([
    ['is missing', 1, '/nowhere/worker.mjs', 'Cannot find module'],
    ['throws', 2, "data:text/javascript,throw new Error('boom')", 'boom'],
    ['exits', 1, 'data:text/javascript,process.exit(3)', 'it exited with code 3'],
    ['ends', 1, 'data:text/javascript,0', 'it exited with code 0'],
  ])('makes no more than six starts in a row of a script that %s', async (_, threads, file, reason) => {
    const lost = createBakePool({ threads, worker: file });
    const job = await strangeJob(new Array(64).fill(''));
    const executor = await lost.open(job, { kinds });
    const retried: number[] = [];
    const baking = bake(job, { executor, store: memoryStore(), onRetry: (chunk) => retried.push(chunk) });
    const rest = '; 6 starts in a row have failed, and no more are made';
    const error: Error = await baking.then(
      () => expect.fail('was baked'),
      (failure) => failure,
    );
    expect(error).toMatchObject({ code: 'closed', message: expect.stringMatching(/^a worker ended before/) });
    expect(error.message).toContain(reason);
    expect(error.message.slice(-rest.length)).toBe(rest);
    expect(retried).toEqual([]);
    await expect(executor.run(chunkOf(job, 0))).rejects.toBe(error);
    await expect(lost.open(job, { kinds })).rejects.toBe(error);
    await lost.close();
    await expect(lost.open(job, { kinds })).rejects.toMatchObject({ message: 'the pool has been closed' });
  });

  it('counts no worker that a signal ended before it could start', async () => {
    const silent = createBakePool({ threads: 1, worker: 'data:text/javascript,setInterval(() => {}, 100)' });
    const job = await strangeJob(['']);
    const executor = await silent.open(job, { kinds });
    for (let k = 0; k < 5; k++) {
      const controller = new AbortController();
      const stopped = executor.run(chunkOf(job, 0), controller.signal);
      // As `runQueueWorker` does with chunks that take too long.
      const reason = new BakeError('worker', 'it took too long');
      setImmediate(() => controller.abort(reason));
      await expect(stopped).rejects.toBe(reason);
    }
    await expect(silent.open(job, { kinds })).resolves.toMatchObject({ capacity: 1 });
    await silent.close();
  });
});
