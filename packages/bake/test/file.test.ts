import { createRandom } from '@bspkit/geometry';
import { seedOf } from '@bspkit/testkit/seed';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  BAKE_KINDS,
  type BakeChunk,
  BakeError,
  type BakeExecutor,
  type BakeJob,
  type BakeStore,
  BakeWriter,
  bake,
  createJob,
  memoryStore,
  mergeBake,
  readBake,
  type SightResult,
} from '../src/index.ts';
import { CHUNK, record, scan } from '../src/record.ts';
import { runChunk } from './run-chunk.ts';
import {
  backwards,
  baked,
  beginning,
  expected,
  forwards,
  inputs,
  inputsBegin,
  job,
  kinds,
  load,
  scanOf,
  squares,
  whole,
} from './squares-job.ts';

describe('a file', () => {
  it('is the same bytes whatever the order of the answers', async () => {
    expect(await baked(backwards())).toEqual(whole);
  });

  it('names its records as ever, so that files of any version can be read', () => {
    const text = (at: number, length = 4): string => String.fromCharCode(...whole.subarray(at, at + length));
    expect(text(0, 12)).toBe('BSPBAKE1JOB ');
    expect([inputsBegin, beginning, whole.length - 20].map((at) => text(at))).toEqual([
      'INPT',
      'CHNK',
      'DONE',
    ]);
  });

  it('is read again', () => {
    const file = readBake(whole);
    expect(file.job).toEqual(job);
    expect(file.inputs).toEqual(inputs);
    expect(file.missing).toBe(0);
    expect([...file.chunks.keys()]).toEqual([0, 1, 2, 3]);
    expect(mergeBake(file, kinds)).toEqual(expected);
    expect(readBake(whole.slice().buffer)).toEqual(file);
    expect(scanOf(whole)).toMatchObject({ isWhole: true, end: whole.length });
    expect(scanOf(whole.subarray(0, -20))).toMatchObject({ isWhole: false, isInOrder: true });
  });

  it('is read again and gone on with, however long its job is', async () => {
    const long = { ...job, parameters: { add: 1, note: 'x'.repeat(1_500_000) } };
    const run = (chunk: BakeChunk): Promise<Uint8Array> => runChunk(long, chunk, { load, kinds });
    const executor: BakeExecutor = { capacity: 1, run };
    const store = memoryStore();
    await bake(long, { inputs, executor, store });
    const bytes = store.bytes();
    expect(mergeBake(readBake(bytes), kinds)).toEqual(expected);
    const torn = memoryStore(bytes.subarray(0, -25));
    await bake(long, { inputs, executor, store: torn, resume: true });
    expect(torn.bytes()).toEqual(bytes);
  });

  it('is not begun for a job that is too long to be read again', async () => {
    const long = { ...job, parameters: { add: 1, note: 'ä'.repeat(2 ** 23) } };
    const store = memoryStore();
    const executor: BakeExecutor = { capacity: 1, run: () => expect.fail('was asked') };
    await expect(bake(long, { inputs, executor, store })).rejects.toMatchObject({
      code: 'job',
      message: expect.stringMatching(/^a job must have at most 16777216 bytes as text, got 16777\d{3}: /),
    });
    expect(store.size()).toBe(0);
  });

  it('has a result of the type that its kind says', () => {
    const file = readBake(whole);
    expectTypeOf(mergeBake(file, [squares])).toEqualTypeOf<number[]>();
    expectTypeOf(mergeBake(file, [squares, ...BAKE_KINDS])).toBeUnknown();
    expectTypeOf<typeof mergeBake>().toBeCallableWith(file, BAKE_KINDS);
    expectTypeOf(mergeBake<SightResult>).returns.toEqualTypeOf<SightResult>();
    const unsaid = (): unknown => mergeBake(file);
    expectTypeOf(unsaid).returns.toBeUnknown();
    expect(mergeBake(file, [squares]).length).toBe(10);
  });

  it('says which kind and which chunks it lacks', () => {
    expect(() => mergeBake(readBake(whole))).toThrow("no such kind of bake: 'squares'");
    const torn = readBake(whole.subarray(0, whole.length - 25));
    expect(torn.missing).toBe(1);
    expect(() => mergeBake(torn, kinds)).toThrow('the file is not finished: 1 of 4 chunks is missing');
  });

  it('has its job checked a few times, however many chunks there are', async () => {
    const many = { bytes: new Uint8Array(1000) };
    const made = await createJob({ kind: 'squares', inputs: many, chunkSize: 1, kinds });
    let times = 0;
    // Checking looks at each of its fields.
    const counted = Object.defineProperty({ ...made }, 'map', {
      enumerable: true,
      get() {
        times++;
        return made.map;
      },
    });
    const store = memoryStore();
    const executor = { capacity: 1, run: async () => new Uint8Array(1) };
    await bake(counted, { inputs: many, executor, store, kinds });
    expect(mergeBake({ ...readBake(store.bytes()), job: counted }, [squares])).toHaveLength(1000);
    expect(times).toBeLessThan(50);
  });

  it('is not finished without all of its chunks', async () => {
    for (const order of [[], [0], [2, 0], [0, 1, 2]]) {
      const store = { ...memoryStore(), name: 'mine' };
      const writer = BakeWriter.create(store, job, inputs);
      for (const chunk of order) await writer.add(chunk, readBake(whole).chunks.get(chunk)!);
      const size = await store.size();
      await expect(writer.finish()).rejects.toMatchObject({
        code: 'unfinished',
        message: `mine: the file is not finished: ${4 - order.length} of 4 chunks ${order.length === 3 ? 'is' : 'are'} missing`,
      });
      expect(store.size()).toBe(size);
    }
    const writer = BakeWriter.create(memoryStore(), job, inputs);
    for (const chunk of [4, -1, 0.5, NaN, '0' as never])
      await expect(writer.add(chunk, new Uint8Array())).rejects.toThrow('chunk must be ');
  });

  it('takes chunks that are added at once, one after another, and goes on after one that could not be written', async () => {
    const memory = memoryStore();
    let full = false;
    const store: BakeStore = {
      ...memory,
      async append(at, bytes) {
        // As a disk does, between which and the next call others may come.
        await new Promise(setImmediate);
        if (full) throw new Error('full');
        await memory.append(at, bytes);
      },
    };
    const answers = readBake(whole).chunks;
    for (const order of [
      [0, 1, 2, 3],
      [2, 0, 3, 1],
    ]) {
      const writer = BakeWriter.create(store, job, inputs);
      full = true;
      await expect(writer.add(0, answers.get(0)!)).rejects.toThrow('full');
      full = false;
      const added = Promise.all(order.map((chunk) => writer.add(chunk, answers.get(chunk)!)));
      await Promise.all([added, writer.finish()]);
      expect(memory.bytes()).toEqual(whole);
    }
  });

  it('has a chunk that was added twice once, as it was added last', async () => {
    const store = memoryStore();
    const writer = BakeWriter.create(store, job, inputs);
    const answers = readBake(whole).chunks;
    await writer.add(0, answers.get(1)!);
    for (const [chunk, answer] of answers) await writer.add(chunk, answer);
    await writer.finish();
    expect(store.bytes()).toEqual(whole);
  });

  it('says what a chunk holds after it has been put in order, and can be added to', async () => {
    const store = memoryStore();
    const writer = BakeWriter.create(store, job, inputs);
    const answers = readBake(whole).chunks;
    for (const chunk of [3, 1, 0, 2]) await writer.add(chunk, answers.get(chunk)!);
    await writer.finish();
    for (const [chunk, answer] of answers) expect(await writer.read(chunk)).toEqual(answer);
    expect(await writer.read(4)).toBeUndefined();
    await writer.add(1, answers.get(1)!);
    expect([writer.isWhole, store.bytes().length > whole.length]).toEqual([false, true]);
    await writer.finish();
    expect([writer.isWhole, store.bytes()]).toEqual([true, whole]);
  });

  it('takes no answer that is none', async () => {
    const store = memoryStore();
    const writer = BakeWriter.create(store, job, inputs);
    for (const [answer, shown] of [
      ['xyz', "'xyz'"],
      [undefined, 'undefined'],
      [[1, 2], 'an array'],
    ] as const) {
      await expect(writer.add(0, answer as never)).rejects.toThrow(
        new TypeError(`answer must be a Uint8Array, got ${shown}`),
      );
    }
    const gone = Uint8Array.of(1, 2, 5);
    structuredClone(gone, { transfer: [gone.buffer] });
    await expect(writer.add(0, gone)).rejects.toThrow(
      new TypeError('answer must not have been transferred or cut off'),
    );
    expect(store.size()).toBe(0);
  });

  it('is not put in order from chunks that have changed since they were written', async () => {
    const memory = memoryStore();
    let rotten = false;
    const store = {
      ...memory,
      name: 'mine',
      async read(at: number, length: number) {
        const bytes = await memory.read(at, length);
        // A byte of the content of chunk 2, which comes first.
        const place = beginning + 20 - at;
        if (rotten && place >= 0 && place < bytes.length) bytes[place]! ^= 1;
        return bytes;
      },
    };
    const writer = BakeWriter.create(store, job, inputs);
    for (const chunk of [2, 0, 1, 3]) await writer.add(chunk, readBake(whole).chunks.get(chunk)!);
    const before = store.bytes();
    rotten = true;
    await expect(writer.finish()).rejects.toMatchObject({
      code: 'file',
      message: expect.stringMatching(/^mine: chunk 2 is no longer where it was put/),
    });
    expect([writer.isWhole, store.bytes()]).toEqual([false, before]);
    rotten = false;
    await writer.finish();
    expect(store.bytes()).toEqual(whole);
  });

  it('in memory stays as it was for whoever has its bytes, when another is baked there', async () => {
    const store = memoryStore();
    await bake(job, { inputs, executor: forwards, store });
    const bytes = store.bytes();
    const other: BakeJob = { ...job, parameters: { add: 2 } };
    const run = (chunk: BakeChunk): Promise<Uint8Array> => runChunk(other, chunk, { load, kinds });
    await bake(other, { inputs, executor: { capacity: 1, run }, store });
    expect(bytes).toEqual(whole);
    expect(mergeBake(readBake(store.bytes()), kinds)).toEqual(expected.map((value) => value + 1));
  });

  it('is left alone when nothing is missing', async () => {
    const touched = (): never => expect.fail('was written to');
    const store = { ...memoryStore(whole), append: touched, replace: touched };
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
    await expect(run).rejects.toThrow(
      'the file holds another job: parameters {"add":1} there, {"add":2} here',
    );
    await expect(run).rejects.toMatchObject({ code: 'other-job' });
    const both = { ...inputs, more: new Uint8Array(3) };
    const parts = { kind: 'squares', parameters: { add: 1 }, chunkSize: 3, kinds };
    const more = await createJob({ ...parts, inputs: both });
    const how = { executor: forwards, store: memoryStore(whole), resume: true };
    const resumed = bake(more, { ...how, inputs: both });
    await expect(resumed).rejects.toThrow(
      `the file holds another job: input 'more' absent there, ${more.inputs.more} here`,
    );
  });

  it('is refused when it is none', () => {
    for (const bytes of [new Uint8Array(), new Uint8Array(100)]) {
      expect(() => readBake(bytes)).toThrow('the file is not a bake: ');
    }
    expect(() => readBake(new TextEncoder().encode('BSPBAKE1'))).toThrow('its job cannot be read');
    expect(() => readBake('x' as never)).toThrow(TypeError);
    const told = (what: number, text: string): Uint8Array => {
      const [magic, content] = ['BSPBAKE1', text].map((each) => new TextEncoder().encode(each));
      return Uint8Array.of(...magic!, ...record(what, 0, content!, 0));
    };
    expect(() => readBake(told(CHUNK, '{}'))).toThrow('its job cannot be read');
    for (const text of ['{}', 'JOB', '[1', '{"kind":7}'])
      expect(() => readBake(told(0x20424f4a, text)), text).toThrow(
        /^the file is damaged: its job is wrong: /,
      );
    expect(() => readBake(whole.subarray(0, beginning - 1))).toThrow(
      "its input 'bytes' is missing or broken",
    );
  });

  it('is said to be damaged as long as two of its records follow each other', () => {
    const [lastChunk] = [...readBake(whole).chunks.values()].slice(-1);
    const last = lastChunk!.byteOffset - whole.byteOffset - 20;
    for (const first of [1, 8, 12, beginning - 10, last]) {
      for (const bytes of [whole.slice().fill(0, 0, first), whole.subarray(first)]) {
        expect(() => readBake(bytes)).toThrow(
          expect.objectContaining({
            code: 'damaged',
            message: 'the file is damaged: it does not begin with BSPBAKE1',
          }),
        );
      }
    }
    // One that is told of by its job alone, and nothing that could be a record.
    expect(() => readBake(whole.slice(0, beginning).fill(0, 0, 8))).toThrow('the file is damaged');
    expect(() => readBake(new TextEncoder().encode('CHNKDONE'.repeat(100)))).toThrow(
      'the file is not a bake: ',
    );
  });

  it('is looked for in a file that is none by few reads, whatever words that has', () => {
    const words = new TextEncoder().encode('CHNK'.repeat(10_000));
    const steps = scan(words.length, '');
    let reads = 0;
    expect(() => {
      let step = steps.next();
      for (; !step.done; reads++) {
        const { at, length } = step.value;
        step = steps.next(words.subarray(at, at + length));
      }
    }).toThrow('the file is not a bake: ');
    expect(reads).toBeLessThan(50);
  });

  it('of any bytes ends in an error that is named, or in what it holds', () => {
    const random = createRandom(seedOf(7));
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
