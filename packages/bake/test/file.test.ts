import { createRandom } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import {
  type AnyBakeKind,
  type BakeChunk,
  BakeError,
  type BakeExecutor,
  type BakeFile,
  type BakeJob,
  type BakeKind,
  bake,
  chunkOf,
  createJob,
  memoryStore,
  mergeBake,
  openJob,
  pointBytes,
  readBake,
  runChunk,
} from '../src/index.ts';

/** Squares: a kind of our own, without a map. */
const squares: BakeKind<{ readonly add: number }, number[]> = {
  name: 'squares',
  needsWorld: false,
  inputs: ['bytes'],
  check: ({ add = 0 }) => ({ add: add as number }),
  count: (_, { bytes }) => bytes!.length,
  open:
    ({ inputs, parameters }) =>
    ({ first, count }) =>
      inputs.bytes!.slice(first, first + count).map((byte) => byte * byte + parameters.add),
  bytes: (_, { count }) => count,
  merge: (chunks) => chunks.flatMap((chunk) => Array.from(chunk)),
};
const kinds = [squares as AnyBakeKind];

const inputs = { bytes: Uint8Array.from({ length: 10 }, (_, k) => k) };
const job = await createJob({ kind: 'squares', parameters: { add: 1 }, inputs, chunkSize: 3, kinds });
const load = (): Uint8Array => inputs.bytes;
const expected = [1, 2, 5, 10, 17, 26, 37, 50, 65, 82];

/** Answers in an order of its own: those that wait are answered the last one first. */
function backwards(): BakeExecutor {
  const waiting: (() => void)[] = [];
  return {
    capacity: 4,
    run: (chunk) =>
      new Promise((resolve, reject) => {
        waiting.push(() => void runChunk(job, chunk, { load, kinds }).then(resolve, reject));
        setImmediate(() => waiting.pop()?.());
      }),
  };
}
const forwards: BakeExecutor = { capacity: 1, run: (chunk) => runChunk(job, chunk, { load, kinds }) };

async function baked(executor: BakeExecutor): Promise<Uint8Array> {
  const store = memoryStore();
  await bake(job, { inputs, executor, store });
  return store.bytes();
}

const whole = await baked(forwards);
/** Where the first chunk's record begins. */
const beginning = readBake(whole).chunks.get(0)!.byteOffset - whole.byteOffset - 20;
/** Where the input's record begins. */
const inputsBegin = readBake(whole).inputs.bytes!.byteOffset - whole.byteOffset - 20;

describe('a file', () => {
  it('is the same bytes whatever the order of the answers', async () => {
    expect(await baked(backwards())).toEqual(whole);
  });

  it('is read again', () => {
    const file = readBake(whole);
    expect(file.job).toEqual(job);
    expect(file.inputs).toEqual(inputs);
    expect(file.missing).toBe(0);
    expect([...file.chunks.keys()]).toEqual([0, 1, 2, 3]);
    expect(mergeBake(file, kinds)).toEqual(expected);
    expect(readBake(whole.slice().buffer)).toEqual(file);
  });

  it('says which kind and which chunks it lacks', () => {
    expect(() => mergeBake(readBake(whole))).toThrow("no such kind of bake: 'squares'");
    const torn = readBake(whole.subarray(0, whole.length - 25));
    expect(torn.missing).toBe(1);
    expect(() => mergeBake(torn, kinds)).toThrow('is not finished: 1 of 4 chunks are missing');
  });

  it('is gone on with, wherever it was torn off', async () => {
    for (let length = 0; length < whole.length; length += 5) {
      const store = memoryStore(whole.subarray(0, length));
      await bake(job, { inputs, executor: forwards, store, resume: true });
      expect(store.bytes()).toEqual(whole);
    }
  });

  it('is refused when its job is damaged, and left alone', async () => {
    for (let at = 0; at < inputsBegin; at += 5) {
      for (const length of [beginning - 1, whole.length]) {
        const damaged = whole.slice(0, length);
        damaged[at]! ^= 4;
        const store = memoryStore(damaged);
        const run = bake(job, { inputs, executor: forwards, store, resume: true });
        await expect(run).rejects.toMatchObject({
          name: 'BakeError',
          code: 'damaged',
          message: `is damaged: ${at < 8 ? 'it does not begin with BSPBAKE1' : 'its job cannot be read'}`,
        });
        expect(store.bytes()).toEqual(damaged);
      }
    }
  });

  /** Resumes a file, and says which chunks were asked for. */
  const resumed = async (file: Uint8Array): Promise<number[]> => {
    const store = memoryStore(file);
    const asked: number[] = [];
    const executor: BakeExecutor = {
      capacity: 2,
      run(chunk) {
        asked.push(chunk.index);
        return forwards.run(chunk);
      },
    };
    await bake(job, { inputs, executor, store, resume: true });
    expect(store.bytes()).toEqual(whole);
    return asked;
  };

  it('has its inputs again when it is gone on with, wherever they were damaged, and no chunk is asked for again', async () => {
    for (let at = inputsBegin; at < beginning; at++) {
      const damaged = whole.slice();
      damaged[at]! ^= 4;
      expect(() => readBake(damaged)).toThrow("damaged: its input 'bytes' is missing or broken");
      expect(await resumed(damaged)).toEqual([]);
      // Also where it is not finished, or had no chunk yet.
      expect(await resumed(damaged.slice(0, -25))).toEqual([3]);
      expect(await resumed(damaged.slice(0, beginning))).toEqual([0, 1, 2, 3]);
    }
  });

  it('takes no chunk of another job for its own, as where two programs wrote to it at the same moment', async () => {
    const add2 = { ...job, parameters: { add: 2 } };
    const store = memoryStore();
    const executor = { capacity: 1, run: (chunk: BakeChunk) => runChunk(add2, chunk, { load, kinds }) };
    await bake(add2, { inputs, executor, store });
    const { chunks } = readBake(store.bytes());
    for (const [number, content] of readBake(whole).chunks) {
      const mixed = whole.slice();
      const from = chunks.get(number)!.byteOffset - 20;
      mixed.set(
        store.bytes().subarray(from, from + 20 + content.length),
        content.byteOffset - whole.byteOffset - 20,
      );
      expect(readBake(mixed).missing).toBe(1);
      expect(await resumed(mixed)).toEqual([number]);
    }
  });

  it('loses no more than one chunk with a bit of its head', async () => {
    for (const [number, content] of readBake(whole).chunks) {
      for (let at = 1; at <= 20; at++) {
        const damaged = whole.slice();
        damaged[content.byteOffset - whole.byteOffset - at]! ^= 4;
        expect([...readBake(damaged).chunks.keys()]).toEqual([0, 1, 2, 3].filter((k) => k !== number));
        expect(await resumed(damaged)).toEqual([number]);
      }
    }
  });

  it('computes anew what has rotted, and nothing else', async () => {
    const chunks = readBake(whole).chunks;
    for (const [number, content] of chunks) {
      const rotten = whole.slice();
      rotten[content.byteOffset - whole.byteOffset]! ^= 4;
      expect(readBake(rotten).missing).toBe(1);
      // Also where the last record, which says that all is there, had not been written yet.
      for (const length of [rotten.length, rotten.length - 20]) {
        expect(await resumed(rotten.slice(0, length))).toEqual([number]);
      }
    }
  });

  it('is left alone when nothing is missing', async () => {
    const store = memoryStore(whole);
    const executor: BakeExecutor = { capacity: 1, run: () => expect.fail('was asked') };
    await bake(job, { inputs, executor, store, resume: true });
    expect(store.bytes()).toEqual(whole);
  });

  it('is gone on with in memory of its own, also when Node read it', async () => {
    const given = Buffer.from(whole.subarray(0, whole.length - 30));
    const before = Uint8Array.from(given);
    const store = memoryStore(given);
    await store.append(beginning, Uint8Array.of(1, 2, 3));
    expect(new Uint8Array(given)).toEqual(before);
  });

  it('of another job is refused by what differs', async () => {
    const other: BakeJob = { ...job, parameters: { add: 2 } };
    const run = bake(other, { inputs, executor: forwards, store: memoryStore(whole), resume: true });
    await expect(run).rejects.toThrow('holds another job: parameters {"add":1} there, {"add":2} here');
    await expect(run).rejects.toMatchObject({ code: 'other-job' });
  });

  it('is refused when it is none', () => {
    for (const bytes of [new Uint8Array(), new Uint8Array(100)]) {
      expect(() => readBake(bytes)).toThrow('is not a bake file');
    }
    expect(() => readBake(new TextEncoder().encode('BSPBAKE1'))).toThrow('its job cannot be read');
    expect(() => readBake('x' as never)).toThrow(TypeError);
    expect(() => readBake(whole.subarray(0, beginning - 1))).toThrow(
      "its input 'bytes' is missing or broken",
    );
  });

  it('of any bytes ends in an error that is named, or in what it holds', () => {
    const random = createRandom(7);
    for (let k = 0; k < 400; k++) {
      const bytes = whole.slice(0, random() < 0.3 ? Math.floor(random() * whole.length) : whole.length);
      for (let n = 0; n < 3; n++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      try {
        const file = readBake(bytes);
        expect(file.missing).toBeGreaterThanOrEqual(0);
        if (file.missing === 0) expect(mergeBake(file, kinds)).toEqual(expected);
      } catch (error) {
        expect(error).toBeInstanceOf(BakeError);
      }
    }
  });
});

describe('a bake', () => {
  const failing = (fails: (index: number, attempt: number) => Error | undefined): BakeExecutor => {
    const attempts = new Map<number, number>();
    return {
      capacity: 2,
      async run(chunk) {
        const attempt = (attempts.get(chunk.index) ?? 0) + 1;
        attempts.set(chunk.index, attempt);
        const error = fails(chunk.index, attempt);
        if (error) throw error;
        return forwards.run(chunk);
      },
    };
  };

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

  it('does not try again what cannot be answered', async () => {
    const executor = failing((index) => (index === 2 ? new RangeError('no such thing') : undefined));
    await expect(bake(job, { inputs, store: memoryStore(), executor })).rejects.toThrow(
      /^chunk 2 failed: no such thing$/,
    );
  });

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

  it('is of what its kind finds', async () => {
    const run = (wrong: Partial<BakeJob>, known = kinds): Promise<void> =>
      bake({ ...job, ...wrong }, { inputs, store: memoryStore(), executor: forwards, kinds: known });
    await expect(run({ count: 11 })).rejects.toThrow('count is 11, but squares finds 10 items');
    await expect(run({}, [])).rejects.toMatchObject({ code: 'kind' });
    await expect(run({}, 7 as never)).rejects.toThrow('kinds must be an array, got 7');
  });

  it('refuses an executor of another job, before it begins', async () => {
    const store = memoryStore();
    const executor: BakeExecutor = { ...forwards, job: { ...job, parameters: { add: 2 } } };
    const run = bake(job, { inputs, store, executor });
    await expect(run).rejects.toMatchObject({
      code: 'other-job',
      message: 'the executor is of another job: parameters {"add":2} there, {"add":1} here',
    });
    expect(store.size()).toBe(0);
    // The same one, read again.
    await bake(job, { inputs, store, executor: { ...forwards, job: JSON.parse(JSON.stringify(job)) } });
    expect(store.bytes()).toEqual(whole);
    await expect(bake(job, { inputs, store, executor: { ...forwards, job: 5 as never } })).rejects.toThrow(
      'executor.job must be an object, got 5',
    );
  });

  it.each<[object, string]>([
    [{ onProgress: 5 }, 'onProgress must be a function, got 5'],
    [{ onRetry: 'x' }, "onRetry must be a function, got 'x'"],
    [{ signal: {} }, 'signal must be an AbortSignal, got an object'],
    [{ signal: null }, 'signal must be an AbortSignal, got null'],
  ])('refuses options that cannot be, before it begins: %j', async (wrong, problem) => {
    const store = memoryStore();
    const run = bake(job, { inputs, store, executor: forwards, ...wrong });
    await expect(run).rejects.toThrow(new TypeError(problem));
    expect(store.size()).toBe(0);
  });

  it('is merged from the chunks of several files', async () => {
    const store = memoryStore();
    await bake(job, { inputs, store, executor: forwards });
    const whole = readBake(store.bytes());
    const part = (bit: number): BakeFile => {
      const chunks = new Map([...whole.chunks].filter(([index]) => index % 2 === bit));
      return { ...whole, chunks, missing: 2 };
    };
    const [even, odd] = [part(0), part(1)];
    const joined = { ...even, chunks: new Map([...odd.chunks, ...even.chunks]) };
    expect(mergeBake(joined, kinds)).toEqual(mergeBake(whole, kinds));
    expect(() => mergeBake({ ...whole, chunks: even.chunks }, kinds)).toThrow(
      'is not finished: 2 of 4 chunks are missing',
    );
  });

  it('answers no chunk that is none', async () => {
    const { run } = await openJob(job, { load, kinds });
    expect(() => run(null as never)).toThrow(new TypeError('chunk must be an object, got null'));
    expect(() => run({ index: 0, first: 0 } as never)).toThrow(
      'chunk.count must be a whole number, 0 or more, got undefined',
    );
    expect(() => run({ ...chunkOf(job, 0), input: 'x' } as never)).toThrow(
      new TypeError("chunk.input must be a Uint8Array, got 'x'"),
    );
  });

  it('answers no items that the job does not have', async () => {
    const { run } = await openJob(job, { load, kinds });
    expect([...run({ index: 0, first: 9, count: 1 })]).toEqual([82]);
    for (const [first, count] of [
      [9, 2],
      [1000, 8],
      [0, 1e12],
    ] as const) {
      for (const carried of [{}, { input: new Uint8Array(8) }]) {
        expect(() => run({ index: 0, first, count, ...carried })).toThrow(
          new RangeError(
            'chunk.first + chunk.count must be 10 at most: chunk 0 has items that the job does not have, ' +
              `got ${first} + ${count}`,
          ),
        );
      }
    }
  });

  it('has inputs of any name', async () => {
    const given = { ...inputs, ['__proto__']: Uint8Array.of(7, 8) };
    const seen: string[][] = [];
    const looking: BakeKind<{ readonly add: number }, number[]> = {
      ...squares,
      open(context) {
        seen.push(Object.keys(context.inputs));
        return squares.open(context);
      },
    };
    const known = [looking as AnyBakeKind];
    const named = await createJob({ kind: 'squares', inputs: given, kinds: known });
    expect(Object.keys(named.inputs)).toEqual(['bytes', '__proto__']);
    const bytes = new Map(Object.entries(given).map(([name, input]) => [named.inputs[name]!, input]));
    await openJob(named, { load: (hash) => bytes.get(hash)!, kinds: known });
    expect(seen).toEqual([['bytes', '__proto__']]);
  });

  it('tells how far it is', async () => {
    const parts: number[] = [];
    const onProgress = ({ part }: { readonly part: number }): unknown => parts.push(part);
    await bake(job, { inputs, store: memoryStore(), executor: forwards, onProgress });
    expect(parts).toEqual([0.25, 0.5, 0.75, 1]);
  });

  it('leaves what its store has alone until there is an answer', async () => {
    const stopped = { signal: AbortSignal.abort(new Error('no more')), executor: forwards };
    const closed = { executor: failing(() => new BakeError('closed', 'no more')) };
    const poisoned = { executor: failing(() => new RangeError('no more')) };
    for (const options of [stopped, closed, poisoned]) {
      for (const there of [whole, whole.slice(0, -30), new TextEncoder().encode('Dear all')]) {
        const store = memoryStore(there);
        await expect(bake({ ...job, parameters: { add: 2 } }, { inputs, store, ...options })).rejects.toThrow(
          'no more',
        );
        expect(store.bytes()).toEqual(there);
      }
    }
    // Without a chunk, there is nothing to wait for.
    const none = await createJob({ kind: 'squares', inputs: { bytes: new Uint8Array() }, kinds });
    const store = memoryStore(whole);
    await bake(none, { inputs: { bytes: new Uint8Array() }, store, executor: forwards });
    expect(readBake(store.bytes())).toMatchObject({ job: none, missing: 0 });
  });

  it('stops when it is told to, and goes on', async () => {
    const store = memoryStore();
    const stop = new AbortController();
    const onProgress = ({ done }: { readonly done: number }): void => {
      if (done === 2) stop.abort(new Error('enough'));
    };
    const run = bake(job, { inputs, store, executor: forwards, onProgress, signal: stop.signal });
    await expect(run).rejects.toThrow('enough');
    expect(readBake(store.bytes()).missing).toBe(2);
    await bake(job, { inputs, store, executor: forwards, resume: true });
    expect(store.bytes()).toEqual(whole);
  });

  it('refuses bytes that are not those of the job', async () => {
    const wrong = { load: () => new Uint8Array(10), kinds };
    await expect(runChunk(job, chunkOf(job, 0), wrong)).rejects.toMatchObject({ code: 'hash' });
    await expect(bake(job, { store: memoryStore(), executor: forwards })).rejects.toThrow(
      'inputs.bytes is missing',
    );
    const store = memoryStore();
    const begun: number[] = [];
    const watching: BakeExecutor = {
      capacity: 1,
      run(chunk) {
        begun.push(chunk.index);
        return forwards.run(chunk);
      },
    };
    const other = bake(job, { inputs: { bytes: new Uint8Array(10) }, store, executor: watching });
    await expect(other).rejects.toMatchObject({ name: 'BakeError', code: 'hash' });
    await expect(other).rejects.toThrow(/^input 'bytes' differs from its hash: /);
    expect([begun, store.size()]).toEqual([[], 0]);
    const short = { ...squares, bytes: () => 7 } as AnyBakeKind;
    await expect(runChunk(job, chunkOf(job, 0), { load, kinds: [short] })).rejects.toThrow(
      'chunk 0 has 3 bytes, but squares has 7',
    );
    const counted = { ...job, count: 9 };
    await expect(runChunk(counted, chunkOf(counted, 0), { load, kinds })).rejects.toThrow(
      'count is 9, but squares finds 10 items',
    );
  });
});
