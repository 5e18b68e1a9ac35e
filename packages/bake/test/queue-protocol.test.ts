import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { endingOf, entryOf, readEntry } from '../src/queue/protocol.ts';

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
