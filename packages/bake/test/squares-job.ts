import {
  type AnyBakeKind,
  type BakeExecutor,
  type BakeKind,
  bake,
  createJob,
  memoryStore,
  readBake,
} from '../src/index.ts';
import { type Scan, scan } from '../src/record.ts';
import { runChunk } from './run-chunk.ts';

// A job of a kind of our own, who answers it, and its file.

/** Squares: a kind of our own, without a map. */
export const squares: BakeKind<{ readonly add: number }, number[]> = {
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
export const kinds = [squares as AnyBakeKind];

export const inputs = { bytes: Uint8Array.from({ length: 10 }, (_, k) => k) };
export const job = await createJob({ kind: 'squares', parameters: { add: 1 }, inputs, chunkSize: 3, kinds });
export const load = (): Uint8Array => inputs.bytes;
export const expected = [1, 2, 5, 10, 17, 26, 37, 50, 65, 82];

/** Answers in an order of its own: those that wait are answered the last one first. */
export function backwards(): BakeExecutor {
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
export const forwards: BakeExecutor = { capacity: 1, run: (chunk) => runChunk(job, chunk, { load, kinds }) };

/** Answers but where `fails` has an error, by the number of the chunk and how many times it was tried. */
export const failing = (fails: (index: number, attempt: number) => Error | undefined): BakeExecutor => {
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

export async function baked(executor: BakeExecutor): Promise<Uint8Array> {
  const store = memoryStore();
  await bake(job, { inputs, executor, store });
  return store.bytes();
}

export const whole = await baked(forwards);

/** Where the first chunk's record begins. */
export const beginning = readBake(whole).chunks.get(0)!.byteOffset - whole.byteOffset - 20;
/** Where the input's record begins. */
export const inputsBegin = readBake(whole).inputs.bytes!.byteOffset - whole.byteOffset - 20;

/** What a file's records say. */
export function scanOf(bytes: Uint8Array): Scan {
  const steps = scan(bytes.length, '');
  let step = steps.next();
  while (!step.done) step = steps.next(bytes.subarray(step.value.at, step.value.at + step.value.length));
  return step.value;
}
