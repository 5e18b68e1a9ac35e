import { runInNewContext } from 'node:vm';
import { BspError } from '@bspkit/core';
import { expect, it } from 'vitest';
import { BakeError } from '../src/error.ts';
import { MOST_CHUNKS, MOST_ITEMS } from '../src/job.ts';
import { capacityOf } from '../src/queue/capacity.ts';
import {
  CHUNK,
  type ChunkMessage,
  checkMessage,
  checkVersion,
  endingOf,
  entryOf,
  errorOf,
  hashOf,
  keyOf,
  messageOf,
  packAnswer,
  readEntry,
  readJob,
  unpackAnswer,
} from '../src/queue/protocol.ts';

const chunk = { index: 3, first: 30, count: 10 };
const message: ChunkMessage = messageOf('a'.repeat(64), chunk);

/** A chunk as a worker reads it that somebody has put into the queue under the key that it has. */
const read = (written: object, name: string = CHUNK): ChunkMessage =>
  checkMessage(written, name, keyOf(written as ChunkMessage));

it('a chunk is read from a queue as it was handed out, up to the last of the longest job', () => {
  const carrying = messageOf(message.job, { ...chunk, input: Uint8Array.of(1) });
  expect(carrying.input).toBe(hashOf(Uint8Array.of(1)));
  const ends = { index: MOST_CHUNKS, first: MOST_ITEMS, count: MOST_ITEMS, version: '1'.repeat(64) };
  for (const written of [
    message,
    carrying,
    { ...message, ...ends },
    { ...message, index: 0, first: 0, count: 0 },
  ])
    expect(read(written)).toEqual(written);
  // The same chunk with another input is another one.
  expect(keyOf(carrying)).not.toBe(keyOf(message));
  // And so is the same input in another place, or of another number of items.
  for (const change of [{ first: 31 }, { count: 9 }])
    expect(keyOf({ ...carrying, ...change })).not.toBe(keyOf(carrying));
});

it.each<[problem: string, change: object, name?: string]>([
  ['it has another name', {}, 'other'],
  ['job is not a sha256', { job: '../../etc/passwd' }],
  ['index is not the number of a chunk', { index: -1 }],
  ['index is not the number of a chunk', { index: MOST_CHUNKS + 1 }],
  ['first is not the number of an item', { first: 0.5 }],
  ['count is not a number of items', { count: '10' }],
  ['version is not a version', { version: '1'.repeat(65) }],
  ['version is not a version', { version: 1 }],
  ['input is not a sha256', { input: 'abc' }],
])('what is not a chunk is refused, whatever its key: %s, %j', (problem, change, name) => {
  expect(() => read({ ...message, ...change }, name)).toThrow(
    `the queue holds something that is not a chunk: ${problem}`,
  );
});

it('what is not even an object, and the key of another chunk, are refused', () => {
  for (const written of [null, 'text', undefined])
    expect(() => checkMessage(written, CHUNK, 'key')).toThrow('it is not an object');
  for (const id of [keyOf({ ...message, index: 4 }), undefined])
    expect(() => checkMessage(message, CHUNK, id)).toThrow('its id is that of another chunk');
});

it.each<[chunks: number, threads: number, bytes: number]>([
  [16, 0, 0],
  [16, 5, 0],
  [18, 6, 0],
  [4096, 1365 + 1, 0],
  [512, 1000, 2 ** 20],
  [341, 1000, 1.5 * 2 ** 20],
  [1, 1000, 2 ** 29],
  [1, 1000, 2 ** 30],
])('a queue has %i chunks for %i threads, if each takes %i bytes', (chunks, threads, bytes) => {
  expect(capacityOf(threads, bytes)).toBe(chunks);
});

it('a worker of another version answers no chunk', () => {
  checkVersion(message);
  expect(() => checkVersion({ ...message, version: '0.0.0-other' })).toThrow(
    'of version 0.0.0-other: workers must',
  );
});

it('an answer is taken from the store as it was put there, or not at all', () => {
  const answer = Uint8Array.of(1, 2, 3);
  const stored = packAnswer(answer);
  expect(Uint8Array.from(unpackAnswer(stored)!)).toEqual(answer);
  for (const at of [0, stored.length - 1]) {
    const damaged = Buffer.from(stored);
    damaged[at]! ^= 1;
    expect(unpackAnswer(damaged)).toBeUndefined();
  }
  expect(unpackAnswer(stored.subarray(0, 20))).toBeUndefined();
});

it('a job is read from bytes that have its hash', () => {
  const read = (text: string, id?: string) => {
    const bytes = Buffer.from(text);
    return readJob(bytes, id ?? hashOf(bytes));
  };
  const job = { map: 'a'.repeat(64), kind: 'batch', parameters: {}, inputs: {}, count: 0, chunkSize: 1 };
  expect(read(JSON.stringify(job))).toEqual(job);
  expect(() => read(JSON.stringify(job), job.map)).toThrow(
    `the queue's job ${job.map} differs from its hash`,
  );
  expect(() => read('{')).toThrow('is not JSON');
  expect(() => read('{}')).toThrow(BakeError);
});

it('how a chunk has ended is read from an entry as it was reported', () => {
  const reported = (ending: Parameters<typeof entryOf>[1]) => readEntry(entryOf('key', ending));
  for (const ending of [
    { size: 0 },
    { size: 7, by: 'worker' },
    endingOf(new RangeError('too far'), 'worker'),
    endingOf('text'),
  ])
    expect(reported(ending)).toEqual({ key: 'key', ending });
  // Kinds of one's own may throw anything.
  for (const thrown of [undefined, null, Object.create(null)])
    expect(endingOf(thrown, 'worker')).toMatchObject({ error: { name: 'Error' }, by: 'worker' });
  expect(endingOf('text')).toStrictEqual({ error: { name: 'Error', message: 'text' } });
  for (const error of [new BakeError('kind', 'none'), new BspError('limit', { format: 'quake3' }, 'none')]) {
    const { name, code, message } = error;
    expect(endingOf(error, 'worker')).toEqual({ error: { name, code, message }, by: 'worker' });
  }
  // Codes are of our own errors only, and messages of errors are as long as a line may be.
  const foreign = Object.assign(new TypeError('x'.repeat(3000)), { code: 'ENOENT' });
  expect(endingOf(foreign)).toEqual({ error: { name: 'TypeError', message: 'x'.repeat(2000) } });
  for (const error of [new RangeError('a'), new TypeError('b'), new SyntaxError('c')]) {
    const { ending } = reported(endingOf(error))!;
    expect(errorOf(ending as never, 3)).toStrictEqual(error);
  }
  expect(errorOf({ error: { name: 'Error', message: 'lost' } }, 3)).toMatchObject({
    code: 'worker',
    chunk: 3,
  });
  expect(errorOf({ error: { name: 'BakeError', code: 'kind', message: 'none' } }, undefined)).toMatchObject({
    code: 'kind',
    chunk: undefined,
  });
});

it('of an entry that cannot be understood only the key is read', () => {
  for (const text of [
    ...['', 'null', '7', '{', '{}', '{"size":-1}', '{"size":0.5}', '{"error":null}', '{"error":"text"}'],
    ...[
      '{"error":{"name":"Error"}}',
      '{"error":{"message":"text"}}',
      `{"size":1,"by":"${'x'.repeat(16_000)}"}`,
    ],
  ])
    expect(readEntry(['key', 'a', 'ending', text])).toEqual({ key: 'a', ending: undefined });
  expect(readEntry(['key', 'a'])).toEqual({ key: 'a', ending: undefined });
  expect(readEntry(['key', 'a', 'ending', '{"size":1,"by":7}'])).toEqual({ key: 'a', ending: { size: 1 } });
  for (const fields of [[], ['key'], ['other', 'key'], ['ending', '{"size":1}']])
    expect(readEntry(fields)).toBeUndefined();
});

it('an error of another realm keeps its name in a queue', () => {
  const message = 'no such point';
  expect(endingOf(runInNewContext(`new TypeError('${message}')`))).toEqual(endingOf(new TypeError(message)));
});

it('errors from the queue have nothing that a terminal would obey', () => {
  const message = 'a\tb\nc \x1b]0;title\x07 \x9b2J \u202e\u200f\u061c.';
  const entry = readEntry(entryOf('key', { error: { name: 'BakeError', code: 'worker', message } }));
  expect(entry?.ending).toEqual({
    error: {
      name: 'BakeError',
      code: 'worker',
      message: 'a\tb\nc \ufffd]0;title\ufffd \ufffd2J \ufffd\ufffd\ufffd.',
    },
  });
});
