import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type AnyBakeKind,
  BakeError,
  type BakeExecutor,
  type BakeFile,
  type BakeJob,
  type BakeKind,
  type BakeProgress,
  bake,
  chunkOf,
  createJob,
  memoryStore,
  mergeBake,
  openJob,
  readBake,
} from '../src/index.ts';
import { MAPS } from './maps.ts';
import { runChunk } from './run-chunk.ts';
import { backwards, failing, forwards, inputs, job, kinds, load, squares, whole } from './squares-job.ts';

describe('a bake', () => {
  it.each([
    ['changed', (bytes: Uint8Array) => bytes.fill(9)],
    [
      'transferred',
      (bytes: Uint8Array) => structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] }),
    ],
  ])('is of the inputs that it was begun with, where these are %s while it runs', async (_, change) => {
    for (const when of [-1, 0, 3]) {
      const bytes = inputs.bytes.slice();
      let done = 0;
      // Back to front, so that the file is put in order when all is there.
      const executor: BakeExecutor = {
        capacity: 4,
        async run(chunk) {
          for (let k = 0; k < 10 * (4 - chunk.index); k++) await null;
          if (done++ === when) change(bytes);
          return forwards.run(chunk);
        },
      };
      const store = memoryStore();
      const baking = bake(job, { inputs: { bytes }, store, executor });
      if (when < 0) change(bytes);
      await baking;
      expect(store.bytes()).toEqual(whole);
    }
  });

  it('is of the job that it was begun with, whatever becomes of that', async () => {
    const given = { ...job, parameters: { add: 1 }, inputs: { ...job.inputs } };
    const { run, job: opened } = await openJob(given, { load, kinds });
    const store = memoryStore();
    const executor: BakeExecutor = {
      capacity: 1,
      async run(chunk) {
        given.parameters.add = chunk.index + 7;
        given.count = 1;
        return run(chunk);
      },
    };
    await bake(given, { inputs, store, executor });
    expect(store.bytes()).toEqual(whole);
    expect(opened).toEqual(job);
  });

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    ['abc', "'abc'"],
    [[1, 2, 3], 'an array'],
  ])('names a kind whose answers are none: %j', async (answer, shown) => {
    const careless: AnyBakeKind = { ...(squares as AnyBakeKind), open: () => () => answer as never };
    await expect(runChunk(job, chunkOf(job, 0), { load, kinds: [careless] })).rejects.toThrow(
      new TypeError(`the answer of squares must be a Uint8Array, got ${shown}`),
    );
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
      'the file is not finished: 2 of 4 chunks are missing',
    );
  });

  it.each<[object | null, string]>([
    [null, 'kinds[0] must be an object, got null'],
    [{ ...squares, open: undefined }, 'open of squares must be a function, got undefined'],
    [{ ...squares, merge: 7 }, 'merge of squares must be a function, got 7'],
    [{ ...squares, check: undefined }, 'check of squares must be a function, got undefined'],
    [{ ...squares, bytes: 3 }, 'bytes of squares must be a function, got 3'],
    [{ ...squares, inputs: undefined }, 'inputs of squares must be an array, got undefined'],
    [{ ...squares, optionalInputs: 'x' }, "optionalInputs of squares must be an array, got 'x'"],
    [{ ...squares, needsWorld: 'no' }, "needsWorld of squares must be true or false, got 'no'"],
  ])('names what a kind lacks: %#', async (wrong, problem) => {
    const own = [wrong as AnyBakeKind];
    for (const use of [
      () => createJob({ kind: 'squares', inputs, kinds: own }),
      () => openJob(job, { load, kinds: own }),
      () => bake(job, { inputs, store: memoryStore(), executor: forwards, kinds: own }),
      async () => mergeBake(readBake(whole), own),
    ]) {
      await expect(use()).rejects.toThrow(new TypeError(problem));
    }
  });

  it('names a kind that opens to nothing', async () => {
    const lazy: AnyBakeKind = { ...(squares as AnyBakeKind), open: (() => {}) as never };
    await expect(openJob(job, { load, kinds: [lazy] })).rejects.toThrow(
      new TypeError('what open of squares returns must be a function, got undefined'),
    );
  });

  it('gives a kind the map or its world, so that it finds the same wherever it runs', async () => {
    const map = MAPS.quake3!();
    const asking = (needsWorld: boolean, field: 'map' | 'world' | 'format'): AnyBakeKind => ({
      ...{
        name: 'asks',
        needsWorld,
        inputs: [],
        check: (parameters) => parameters,
        merge: (chunks) => chunks,
      },
      open: (context) => {
        const found = context[field] !== undefined;
        return () => Uint8Array.of(found ? 1 : 0);
      },
    });
    for (const [needsWorld, field, problem] of [
      [true, 'map', 'map belongs to kinds that open maps themselves: needsWorld is true'],
      [false, 'world', 'world belongs to kinds that need a world: needsWorld is false'],
      [false, 'format', 'format belongs to kinds that need a world: needsWorld is false'],
    ] as const) {
      const [wrong, right] = [[asking(needsWorld, field)], [asking(!needsWorld, field)]];
      const one = await createJob({ kind: 'asks', map, count: 1, kinds: wrong });
      await expect(openJob(one, { load: () => map, kinds: wrong })).rejects.toThrow(new TypeError(problem));
      expect([...(await openJob(one, { load: () => map, kinds: right })).run(chunkOf(one, 0))]).toEqual([1]);
    }
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
    const input = new Uint8Array(4);
    structuredClone(input, { transfer: [input.buffer] });
    expect(() => run({ ...chunkOf(job, 0), input })).toThrow(
      new TypeError('chunk.input must not have been transferred or cut off'),
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
    // In the order of their names, as whoever reads the job has them.
    expect(seen).toEqual([['__proto__', 'bytes']]);
  });

  it('tells how far it is, how fast it goes, and what is left', async () => {
    let seconds = 100;
    const now = vi.spyOn(Date, 'now').mockImplementation(() => 1000 * seconds);
    onTestFinished(() => now.mockRestore());
    const executor: BakeExecutor = {
      capacity: 1,
      run(chunk) {
        seconds += 2;
        return forwards.run(chunk);
      },
    };
    const told: number[][] = [];
    const onProgress = ({ done, chunks, part, rate, left }: BakeProgress): void => {
      told.push([done, chunks, part, rate, left!]);
    };
    await bake(job, { inputs, store: memoryStore(), executor, onProgress });
    expect(told.splice(0)).toEqual([
      [1, 4, 0.25, 1.5, 6],
      [2, 4, 0.5, 1.5, 4],
      [3, 4, 0.75, 1.5, 2],
      [4, 4, 1, 1.25, 0],
    ]);
    // Two chunks are there from an earlier run.
    const third = readBake(whole).chunks.get(2)!.byteOffset - whole.byteOffset - 20;
    const store = memoryStore(whole.slice(0, third));
    await bake(job, { inputs, store, executor, onProgress, resume: true });
    expect(told).toEqual([
      [3, 4, 0.75, 1.5, 2],
      [4, 4, 1, 1, 0],
    ]);
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

  it('stops while it reads what is there, and while it puts the file in order', async () => {
    const enough = new Error('enough');
    const stop = new AbortController();
    let reads = 0;
    const there = memoryStore(whole);
    const read = (at: number, length: number): Uint8Array | Promise<Uint8Array> => {
      if (++reads === 3) stop.abort(enough);
      return there.read(at, length);
    };
    const { signal } = stop;
    const store = { ...there, read };
    const resumed = bake(job, { inputs, store, executor: forwards, resume: true, signal });
    await expect(resumed).rejects.toBe(enough);
    expect(reads).toBe(3);

    const memory = memoryStore();
    const late = new AbortController();
    const replace: typeof memory.replace = (parts) => {
      late.abort(enough);
      return memory.replace(parts);
    };
    const ordered = bake(job, {
      inputs,
      store: { ...memory, replace },
      executor: backwards(),
      signal: late.signal,
    });
    await expect(ordered).rejects.toBe(enough);
    expect(readBake(memory.bytes()).missing).toBe(0);
    const nobody: BakeExecutor = { capacity: 1, run: () => expect.fail('was asked') };
    await bake(job, { inputs, store: memory, executor: nobody, resume: true });
    expect(memory.bytes()).toEqual(whole);
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
    for (const [cost, shown] of [
      [Number.NaN, 'NaN'],
      [-1, '-1'],
      ['5', "'5'"],
      [true, 'true'],
      [5n, '5'],
    ] as const) {
      const priced = { ...squares, cost: () => cost } as unknown as AnyBakeKind;
      const parts = { kind: 'squares', inputs: { bytes: new Uint8Array(10) }, kinds: [priced] };
      const problem = `what cost of squares returns must be a number, 0 or more, got ${shown}`;
      await expect(createJob(parts)).rejects.toThrow(problem);
    }
    const counted = { ...job, count: 9 };
    await expect(runChunk(counted, chunkOf(counted, 0), { load, kinds })).rejects.toThrow(
      'count is 9, but squares finds 10 items',
    );
  });
});
