import { describe, expect, it } from 'vitest';
import { type BakeChunk, type BakeExecutor, streamChunks } from '../src/index.ts';

async function* chunksUpTo(count: number, read: number[] = []): AsyncGenerator<BakeChunk> {
  for (let index = 0; index < count; index++) {
    read.push(index);
    yield { index, first: index, count: 1 };
  }
}

/** Answers after a while that differs from chunk to chunk. */
const uneven = (fails: (index: number) => Error | undefined = () => undefined): BakeExecutor => ({
  capacity: 3,
  async run({ index }) {
    for (let turn = 0; turn < (index * 7) % 5; turn++) await new Promise(setImmediate);
    const error = fails(index);
    if (error) throw error;
    return Uint8Array.of(index);
  },
});

async function collect(
  answers: ReturnType<typeof streamChunks>,
): Promise<{ got: number[]; error?: unknown }> {
  const got: number[] = [];
  try {
    for await (const { chunk, answer } of answers) {
      expect(answer).toEqual(Uint8Array.of(chunk.index));
      got.push(chunk.index);
    }
    return { got };
  } catch (error) {
    return { got, error };
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, k) => k);

describe('a stream of chunks', () => {
  it.each([0, 1, 2, 3, 50])('of %i is answered in order', async (count) => {
    const chunks = chunksUpTo(count);
    expect(await collect(streamChunks({ executor: uneven(), chunks }))).toEqual({ got: upTo(count) });
  });

  it('ends in the first error, after the answers before it', async () => {
    const fails = (index: number): Error | undefined =>
      index >= 20 ? new RangeError(`no ${index}`) : undefined;
    const { got, error } = await collect(streamChunks({ executor: uneven(fails), chunks: chunksUpTo(60) }));
    expect(got).toEqual(upTo(20));
    expect(error).toEqual(new RangeError('no 20'));
  });

  it('names the chunk that failed however often it was tried', async () => {
    const fails = (index: number): Error | undefined => (index === 4 ? new Error('died') : undefined);
    const options = { executor: uneven(fails), chunks: chunksUpTo(9), retries: 1 };
    const { got, error } = await collect(streamChunks(options));
    expect(got).toEqual(upTo(4));
    expect((error as Error).message).toBe('chunk 4 failed 2 times: died');
  });

  it('reads no further than its window, however slowly answers are taken', async () => {
    const read: number[] = [];
    const answers = streamChunks({ executor: uneven(), chunks: chunksUpTo(100, read), window: 5 });
    for (let taken = 0; taken < 10; taken++) {
      expect((await answers.next()).value!.chunk.index).toBe(taken);
      for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate);
      // The window, as many again in the executor's hands, and the one that is read ahead.
      expect(read.length).toBeLessThanOrEqual(taken + 1 + 2 * 5 + 3 + 1);
    }
    await answers.return();
    const after = read.length;
    for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate);
    expect(read.length).toBeLessThanOrEqual(after + 1);
  });

  it('gives answers while its source has nothing more to say yet', async () => {
    const stop = new AbortController();
    async function* slow(): AsyncGenerator<BakeChunk> {
      yield { index: 0, first: 0, count: 1 };
      yield { index: 1, first: 1, count: 1 };
      await new Promise(() => {});
    }
    const failing: number[] = [];
    const executor = uneven((index) => {
      failing.push(index);
      return failing.length === 1 ? new Error('once') : undefined;
    });
    const answers = streamChunks({ executor, chunks: slow(), signal: stop.signal });
    expect((await answers.next()).value!.chunk.index).toBe(0);
    expect((await answers.next()).value!.chunk.index).toBe(1);
    const third = answers.next();
    stop.abort(new Error('enough'));
    await expect(third).rejects.toThrow('enough');
  });

  it('lets its source end when nobody wants more, or no more can be answered', async () => {
    const ends: string[] = [];
    async function* named(name: string): AsyncGenerator<BakeChunk> {
      try {
        yield* chunksUpTo(1000);
      } finally {
        ends.push(name);
      }
    }
    for await (const { chunk } of streamChunks({ executor: uneven(), chunks: named('left') })) {
      if (chunk.index === 2) break;
    }
    const fails = (index: number): Error | undefined => (index === 5 ? new RangeError('no 5') : undefined);
    await collect(streamChunks({ executor: uneven(fails), chunks: named('failed') }));
    const controller = new AbortController();
    const { signal } = controller;
    setImmediate(() => controller.abort());
    await collect(streamChunks({ executor: uneven(), chunks: named('stopped'), signal }));
    await new Promise(setImmediate);
    expect(ends).toEqual(['left', 'failed', 'stopped']);
  });

  it('asks for no chunk again that fails when nobody wants more', async () => {
    const asked: number[] = [];
    const executor: BakeExecutor = {
      capacity: 3,
      async run({ index }) {
        asked.push(index);
        if (index === 0) return Uint8Array.of(0);
        await new Promise(setImmediate);
        throw new Error('died');
      },
    };
    const answers = streamChunks({ executor, chunks: chunksUpTo(50) });
    await answers.next();
    await answers.return();
    const before = asked.length;
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(asked.length).toBe(before);
  });

  it('leaves its signal when nobody wants more, even if its source stays silent', async () => {
    async function* silent(): AsyncGenerator<BakeChunk> {
      yield* chunksUpTo(2);
      await new Promise(() => {});
    }
    const listeners = new Set<() => void>();
    const signal = {
      aborted: false,
      addEventListener: (_: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    } as unknown as AbortSignal;
    const answers = streamChunks({ executor: uneven(), chunks: silent(), signal });
    for (let taken = 0; taken < 2; taken++) await answers.next();
    expect(listeners.size).toBe(1);
    await answers.return();
    await new Promise(setImmediate);
    expect(listeners.size).toBe(0);
  });

  it('passes on what its source throws', async () => {
    async function* broken(): AsyncGenerator<BakeChunk> {
      yield { index: 0, first: 0, count: 1 };
      throw new Error('torn');
    }
    const { got, error } = await collect(streamChunks({ executor: uneven(), chunks: broken() }));
    expect([got, error]).toEqual([[0], new Error('torn')]);
  });

  it.each([1, 3])('ends as well when the source throws at once, at read %i', async (at) => {
    let returned = 0;
    let read = 0;
    const chunks: AsyncIterable<BakeChunk> = {
      [Symbol.asyncIterator]: () => ({
        next() {
          if (++read === at) throw new Error('torn');
          return Promise.resolve({ done: false, value: { index: read - 1, first: read - 1, count: 1 } });
        },
        return() {
          returned++;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    const { got, error } = await collect(streamChunks({ executor: uneven(), chunks }));
    // Nothing is lost that was read before, and a source that has thrown has ended.
    expect([got, error, returned]).toEqual([upTo(at - 1), new Error('torn'), 0]);
  });

  it('is refused where it cannot be', async () => {
    const right = { executor: uneven(), chunks: chunksUpTo(1) };
    for (const [wrong, problem] of [
      [null, 'options must be an object, got null'],
      [{ ...right, executor: null }, 'executor.run must be a function, got undefined'],
      [{ ...right, chunks: 5 }, 'chunks must be an async iterable, got 5'],
      [{ ...right, signal: 5 }, 'signal must be an AbortSignal, got 5'],
    ] as const) {
      expect((await collect(streamChunks(wrong as never))).error).toEqual(new TypeError(problem));
    }
    for (const [wrong, problem] of [
      [{ ...right, window: 0 }, 'window must be a whole number, 1 or more, got 0'],
      [{ ...right, retries: 0.5 }, 'retries must be a whole number from 0 to 1000, got 0.5'],
    ] as const) {
      expect((await collect(streamChunks(wrong))).error).toEqual(new RangeError(problem));
    }
    expect((await collect(streamChunks({ ...right, window: Infinity, retries: 0 }))).error).toBeUndefined();
  });

  it('refuses chunks that are not the next one, after the answers before, and ends their source', async () => {
    const first = { index: 0, first: 0, count: 1 };
    for (const [wrong, problem] of [
      [{ ...first, index: 2 }, new RangeError('chunk.index must be 1, as was asked for, got 2')],
      [first, new RangeError('chunk.index must be 1, as was asked for, got 0')],
      [{ index: 1 }, new TypeError('chunk.first must be a whole number, 0 or more, got undefined')],
      [{}, new TypeError('chunk.index must be a whole number, 0 or more, got undefined')],
      [null, new TypeError('chunk must be an object, got null')],
      [undefined, new TypeError('chunk must be an object, got undefined')],
    ] as const) {
      let isEnded = false;
      async function* source(): AsyncGenerator<BakeChunk> {
        try {
          yield first;
          yield wrong as BakeChunk;
        } finally {
          isEnded = true;
        }
      }
      const { got, error } = await collect(streamChunks({ executor: uneven(), chunks: source() }));
      expect([got, error]).toEqual([[0], problem]);
      await new Promise(setImmediate);
      expect(isEnded).toBe(true);
    }
  });

  it('fails of an answer that is none', async () => {
    const executor = { capacity: 1, run: async () => 'xyz' as never };
    const { error } = await collect(streamChunks({ executor, chunks: chunksUpTo(2) }));
    expect(error).toEqual(new TypeError("the answer of executor.run must be a Uint8Array, got 'xyz'"));
  });

  it('refuses an executor without a capacity, by that name', async () => {
    for (const capacity of [0, -1, Number.NaN, undefined]) {
      const executor = { ...uneven(), capacity } as BakeExecutor;
      const { error } = await collect(streamChunks({ executor, chunks: chunksUpTo(2) }));
      expect((error as Error).message).toContain('executor.capacity must be a whole number, 1 or more, got');
    }
  });

  it('stops by a signal', async () => {
    const stop = new AbortController();
    const answers = streamChunks({ executor: uneven(), chunks: chunksUpTo(100), signal: stop.signal });
    await answers.next();
    stop.abort(new Error('enough'));
    const { error } = await collect(answers);
    expect(error).toEqual(new Error('enough'));
  });
});
