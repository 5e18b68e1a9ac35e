import { type AnyBakeKind, BakeError, type BakeJob, type BakeKind, createJob } from '../src/index.ts';

/** A kind of a user's own, whose chunks do what parameters say: by chunk, what the worker does. */
export const strange: BakeKind<{ readonly does: readonly string[] }, number[]> = {
  name: 'strange',
  needsWorld: false,
  inputs: [],
  check: ({ does = [] }) => ({ does: does as readonly string[] }),
  open: ({ parameters: { does }, inputs: { flag }, formats, map }) => {
    const isShy = does[0] === 'open at the second try';
    if (isShy && Atomics.exchange(new Uint8Array(flag!.buffer), 0, 1) === 0) throw new Error('not now');
    return ({ index, input }) => {
      const what = does[index];
      if (what === 'exit') process.exit(3);
      if (what === 'memory') for (let hog: unknown[] = []; ; ) hog = [hog, new Array(1e6).fill(hog)];
      if (what === 'refuse') throw new RangeError(`chunk ${index} is refused`);
      if (what === 'close') throw new BakeError('closed', 'a file of its own is closed');
      if (what === 'break') throw new BakeError('chunk', 'is broken', { chunk: index });
      // The first who comes leaves; the flag is shared memory.
      if (what === 'leave once' && Atomics.exchange(new Uint8Array(flag!.buffer), 0, 1) === 0)
        process.exit(0);
      if (what === 'kernel') {
        const format = formats.find(({ id }) => id === 'quake3')!;
        return new TextEncoder().encode(format.createWorld([format.read(map)]).kernel);
      }
      if (what === 'view') return new Uint8Array(1 << 20).fill(7).subarray(5, 8);
      // How much was sent to bring what the chunk carries.
      if (what === 'weigh') return new Uint8Array(Uint32Array.of(input!.buffer.byteLength).buffer);
      // How many are at it at once, and the most that were: for pools of two threads or more.
      if (what === 'crowd') {
        const shared = new Int32Array(flag!.buffer);
        const now = Atomics.add(shared, 0, 1) + 1;
        if (now > Atomics.load(shared, 1)) Atomics.store(shared, 1, now);
        Atomics.notify(shared, 1);
        // The other thread may still be starting: the first one does not go on alone.
        Atomics.wait(shared, 1, 1, 20_000);
        Atomics.wait(shared, 2, 0, 30);
        Atomics.sub(shared, 0, 1);
      }
      return Uint8Array.of(index);
    };
  },
  merge: (chunks) => chunks.map(([value]) => value!),
};

/** A job of chunks that do so. */
export const strangeJob = (does: readonly string[], inputs = {}): Promise<BakeJob> =>
  createJob({
    kind: 'strange',
    parameters: { does },
    inputs,
    count: does.length,
    chunkSize: 1,
    kinds: [strange as AnyBakeKind],
  });
