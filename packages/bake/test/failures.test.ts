import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  type BakeChunk,
  BakeError,
  type BakeExecutor,
  bake,
  createJob,
  memoryStore,
  mergeBake,
  pointBytes,
  readBake,
} from '../src/index.ts';
import { failing, forwards, inputs, job, kinds, whole } from './squares-job.ts';

describe('a bake whose chunks fail', () => {
  it('tries nothing again that cannot be answered, in whatever realm that is found', async () => {
    const error = runInNewContext('new TypeError("no such point")');
    const baking = bake(job, {
      inputs,
      store: memoryStore(),
      executor: failing((index) => (index === 1 ? error : undefined)),
      onRetry: () => expect.unreachable(),
    });
    await expect(baking).rejects.toMatchObject({
      message: expect.stringContaining('chunk 1 failed: no such point'),
    });
  });

  it('tries again what a worker took with it', async () => {
    const store = memoryStore();
    const retried: number[] = [];
    await bake(job, {
      inputs,
      store,
      executor: failing((index, attempt) => (index === 1 && attempt < 3 ? new Error('died') : undefined)),
      onRetry: (chunk) => retried.push(chunk),
    });
    expect(retried).toEqual([1, 1]);
    expect(store.bytes()).toEqual(whole);
  });

  it('tries again what a worker had no memory for', async () => {
    const errors: RangeError[] = [];
    try {
      // As the engine that runs the test says it.
      new ArrayBuffer(Number.MAX_SAFE_INTEGER);
    } catch (error) {
      errors.push(error as RangeError);
    }
    errors.push(
      new RangeError('WebAssembly.Memory(): could not allocate memory'),
      // JavaScriptCore's.
      new RangeError('Out of memory'),
    );
    const store = memoryStore();
    const retried: unknown[] = [];
    await bake(job, {
      inputs,
      store,
      executor: failing((index, attempt) => (index === 1 ? errors[attempt - 1] : undefined)),
      onRetry: (_, reason) => retried.push(reason),
    });
    expect(retried).toEqual(errors);
    expect(errors).toHaveLength(3);
    expect(store.bytes()).toEqual(whole);
  });

  it('has all other chunks when one fails for good, and names it', async () => {
    const store = memoryStore();
    const run = bake(job, {
      inputs,
      store,
      retries: 2,
      executor: failing((index) => (index === 1 ? new Error('poison') : undefined)),
    });
    await expect(run).rejects.toThrow('chunk 1 failed 3 times: poison');
    await expect(run).rejects.toMatchObject({ code: 'chunk', chunk: 1 });
    // In the order in which they were done, which is any.
    expect([...readBake(store.bytes()).chunks.keys()].sort()).toEqual([0, 2, 3]);
    await bake(job, { inputs, store, executor: forwards, resume: true });
    expect(store.bytes()).toEqual(whole);
  });

  it('does not take an answer that was transferred for one without bytes', async () => {
    const executor: BakeExecutor = {
      capacity: 1,
      async run(chunk) {
        const answer = await forwards.run(chunk);
        if (chunk.index === 1) structuredClone(answer, { transfer: [answer.buffer as ArrayBuffer] });
        return answer;
      },
    };
    await expect(bake(job, { inputs, store: memoryStore(), executor })).rejects.toThrow(
      'chunk 1 failed: the answer of executor.run must not have been transferred or cut off',
    );
  });

  it('does not try again what cannot be answered', async () => {
    const executor = failing((index) => (index === 2 ? new RangeError('no such thing') : undefined));
    await expect(bake(job, { inputs, store: memoryStore(), executor })).rejects.toThrow(
      /^chunk 2 failed: no such thing$/,
    );
  });

  it.each(['kind', 'format', 'too-large', 'version'] as const)(
    'ends at once where all workers lack the same: %s',
    async (code) => {
      const lacks = new BakeError(code, 'no worker has it');
      const begun: number[] = [];
      const executor = failing((index) => {
        begun.push(index);
        return lacks;
      });
      await expect(bake(job, { inputs, store: memoryStore(), executor })).rejects.toBe(lacks);
      expect(begun).toEqual([0, 1]);
    },
  );

  it.each<[unknown, string]>([
    ['xyz', "'xyz'"],
    [{ length: 3 }, 'an object'],
    [undefined, 'undefined'],
  ])('takes nothing for an answer that is none: %j', async (answer, shown) => {
    const store = memoryStore();
    const begun: number[] = [];
    const executor = {
      capacity: 1,
      run(chunk: BakeChunk) {
        begun.push(chunk.index);
        // Of one that answers at once, too.
        return (chunk.index === 2 ? answer : forwards.run(chunk)) as Promise<Uint8Array>;
      },
    };
    const run = bake(job, { inputs, store, executor });
    await expect(run).rejects.toMatchObject({ code: 'chunk', chunk: 2, cause: expect.any(TypeError) });
    await expect(run).rejects.toThrow(
      `chunk 2 failed: the answer of executor.run must be a Uint8Array, got ${shown}`,
    );
    expect(begun).toEqual([0, 1, 2, 3]);
    expect([...readBake(store.bytes()).chunks.keys()]).toEqual([0, 1, 3]);
  });

  it('tries again what comes back in another size than its kind says', async () => {
    const store = memoryStore();
    const retried: unknown[] = [];
    let torn = true;
    const executor: BakeExecutor = {
      capacity: 1,
      async run(chunk) {
        const answer = await forwards.run(chunk);
        if (chunk.index !== 1 || !torn) return answer;
        torn = false;
        return answer.subarray(1);
      },
    };
    const onRetry = (chunk: number, reason: unknown): unknown => retried.push(chunk, `${reason}`);
    await bake(job, { inputs, store, executor, kinds, onRetry });
    expect(retried).toEqual([1, 'BakeError: chunk 1 has 2 bytes, but squares has 3']);
    expect(store.bytes()).toEqual(whole);
  });

  it('refuses answers in another size than their kind says, of kinds that come with this package too', async () => {
    const executor: BakeExecutor = { capacity: 1, run: async () => new Uint8Array(1) };
    const points = pointBytes(new Float32Array(30));
    const seeing = await createJob({ kind: 'exposure', inputs: { points }, chunkSize: 4 });
    const run = bake(seeing, { inputs: { points }, store: memoryStore(), executor, retries: 1 });
    await expect(run).rejects.toThrow(
      'chunk 0 failed 2 times: chunk 0 has 1 bytes, but exposure has 16; 2 more failed',
    );
    // Of kinds that are not given, no size is known.
    const store = memoryStore();
    await bake(job, { inputs, store, executor });
    expect(readBake(store.bytes()).missing).toBe(0);
    expect(() => mergeBake(readBake(store.bytes()), kinds)).toThrow('chunk 0 has 1 bytes, but squares has 3');
  });
});
