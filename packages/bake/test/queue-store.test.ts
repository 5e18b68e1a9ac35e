import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { readStored } from '../src/queue/store.ts';

// What is read from a queue's store while others put bytes there, and while it forgets them: with a store of the test's own, so that
// this happens between two commands.

/** As many bytes as are read at once. */
const PART = 1 << 20;
const LARGE = Buffer.alloc(PART + 100, 7);

/** A store that has these bytes before each of the commands in turn, and from then on the last; `undefined`: none. */
function storeWith(...contents: (Buffer | undefined)[]): Redis {
  let command = 0;
  const now = (): Buffer | undefined => contents[Math.min(command++, contents.length - 1)];
  const store = {
    getrangeBuffer: async (_: string, first: number, last: number) =>
      (now() ?? Buffer.alloc(0)).subarray(first, last + 1),
    exists: async () => (now() ? 1 : 0),
    strlen: async () => now()?.length ?? 0,
  };
  return store as unknown as Redis;
}

it.each<[what: string, contents: (Buffer | undefined)[], found: Buffer | undefined]>([
  ['are there', [Buffer.from('abc')], Buffer.from('abc')],
  ['are there, in parts', [LARGE], LARGE],
  ['are a whole part', [LARGE.subarray(0, PART)], LARGE.subarray(0, PART)],
  ['are not there', [undefined], undefined],
  ['are none', [Buffer.alloc(0)], Buffer.alloc(0)],
  ['have just come', [undefined, Buffer.from('abc')], Buffer.from('abc')],
  ['have just come, in parts', [undefined, LARGE], LARGE],
  ['expire after their first part', [LARGE, undefined], undefined],
  ['expire before their last part', [LARGE, LARGE, undefined], undefined],
])('bytes that %s are read whole or not at all', async (_, contents, found) => {
  expect(await readStored(storeWith(...contents), 'key', 2 * PART)).toEqual(found);
});
