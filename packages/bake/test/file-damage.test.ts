import { createRandom } from '@bspkit/geometry';
import { SEED } from '@bspkit/testkit/seed';
import { describe, expect, it } from 'vitest';
import { joinBytes } from '../src/arrays.ts';
import { type BakeChunk, type BakeExecutor, BakeWriter, bake, memoryStore, readBake } from '../src/index.ts';
import { CHUNK, record } from '../src/record.ts';
import { runChunk } from './run-chunk.ts';
import { beginning, forwards, inputs, inputsBegin, job, kinds, load, scanOf, whole } from './squares-job.ts';

// Bakes that were stopped in the middle, or damaged since.

describe('a file', () => {
  it('is gone on with, wherever it was torn off', async () => {
    for (let length = 0; length < whole.length; length += 5) {
      const store = memoryStore(whole.subarray(0, length));
      await bake(job, { inputs, executor: forwards, store, resume: true });
      expect(store.bytes()).toEqual(whole);
    }
  });

  it('is whole in the end, however often it was stopped and damaged on the way, and loses no more than that', async () => {
    const random = createRandom(SEED);
    let [stops, losses] = [0, 0];
    for (let file = 0; file < 40; file++) {
      let store = memoryStore();
      for (let step = 0; step < 8; step++) {
        const stop = new AbortController();
        const last = Math.floor(random() * 5);
        const kept = store.size() === 0 ? new Map<number, Uint8Array>() : readBake(store.bytes()).chunks;
        const asked: number[] = [];
        const executor: BakeExecutor = {
          capacity: 1 + Math.floor(random() * 3),
          async run(chunk) {
            asked.push(chunk.index);
            if (random() < 0.2) throw new Error('a worker has died');
            return forwards.run(chunk);
          },
        };
        let done = 0;
        const onProgress = (): void => {
          if (done++ === last) stop.abort();
        };
        const result = bake(job, {
          inputs,
          store,
          executor,
          resume: true,
          retries: 9,
          signal: stop.signal,
          onProgress,
        });
        const reason: unknown = await result.catch((error: unknown) => error);
        expect(reason).toBe(stop.signal.aborted ? stop.signal.reason : undefined);
        expect(asked.filter((chunk) => kept.has(chunk))).toEqual([]);
        if (reason !== undefined) stops++;
        else expect(store.bytes()).toEqual(whole);
        const bytes = store.bytes();
        for (const [chunk, answer] of kept) expect(readBake(bytes).chunks.get(chunk)).toEqual(answer);
        if (bytes.length <= beginning) continue;
        // Behind the job and its inputs: torn off, a bit flipped, or what is there once more.
        const at = beginning + Math.floor(random() * (bytes.length - beginning));
        const how = random();
        const damaged =
          how < 0.3 ? bytes.slice(0, at) : joinBytes([bytes, how < 0.6 ? bytes.slice(at) : new Uint8Array()]);
        if (how > 0.6) damaged[at]! ^= 1 << Math.floor(random() * 8);
        store = memoryStore(damaged);
        if (readBake(damaged).missing > readBake(bytes).missing) losses++;
      }
      await bake(job, { inputs, store, executor: forwards, resume: true });
      expect(store.bytes()).toEqual(whole);
    }
    expect(Math.min(stops, losses)).toBeGreaterThan(20);
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
          message: `the file is damaged: ${at < 8 ? 'it does not begin with BSPBAKE1' : 'its job cannot be read'}`,
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

  it('is looked through for heads as far as the next one, however many are damaged', async () => {
    const answer = readBake(whole).chunks.get(0)!;
    const { seal } = scanOf(whole);
    const gap = joinBytes([record(CHUNK, 0, answer, seal), Uint8Array.of(0)]);
    const damaged = joinBytes([whole, ...Array.from({ length: 1000 }, () => gap)]);
    const store = memoryStore(damaged);
    let read = 0;
    const reads = (at: number, length: number): Uint8Array => {
      const bytes = store.read(at, length) as Uint8Array;
      read += bytes.length;
      return bytes;
    };
    const writer = await BakeWriter.resume({ ...store, read: reads }, job, inputs);
    expect([0, 1, 2, 3].every((chunk) => writer.has(chunk))).toBe(true);
    expect(read / damaged.length).toBeLessThan(5);
  });
});
