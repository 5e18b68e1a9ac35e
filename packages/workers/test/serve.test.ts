import { expect, it } from 'vitest';
import { type PoolPort, serve } from '../src/index.ts';

it('a worker says what it serves, answers by numbers, and hands over memory that its answers no longer need', async () => {
  const posted: [message: unknown, transfer: readonly ArrayBufferLike[]][] = [];
  let hear!: (message: unknown) => unknown;
  const port: PoolPort = {
    listen: (onMessage) => {
      hear = onMessage;
    },
    post: (message, transfer) => posted.push([message, transfer]),
  };
  const answer = async ({ size }: { readonly size: number }): Promise<Uint8Array> => {
    if (size < 0) throw new RangeError('size must not be negative');
    if (size === 0) throw Object.create(null);
    return new Uint8Array(size);
  };
  serve(port, 'serveBytes', answer, ({ buffer }) => [buffer]);
  expect(posted).toEqual([[{ bspkit: 'serveBytes' }, []]]);
  await hear({ id: 3, size: 5 });
  await hear({ id: 4, size: -1 });
  const [reply, handed] = posted[1]!;
  const [refusal, nothing] = posted[2]!;
  expect(reply).toEqual({ id: 3, answer: new Uint8Array(5) });
  expect(handed[0]).toBe((reply as { answer: Uint8Array }).answer.buffer);
  expect(refusal).toMatchObject({
    id: 4,
    error: { name: 'RangeError', message: 'size must not be negative' },
  });
  expect(nothing).toEqual([]);
  // Whatever is thrown, the caller does not wait for ever.
  await hear({ id: 6, size: 0 });
  expect(posted[3]![0]).toMatchObject({ id: 6, error: { name: 'Error' } });
  // Without being told otherwise, it keeps its memory.
  serve(port, 'serveBytes', answer);
  await hear({ id: 5, size: 1 });
  expect(posted.at(-1)).toEqual([{ id: 5, answer: new Uint8Array(1) }, []]);
});
