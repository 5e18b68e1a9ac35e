import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { endingOf } from '../src/queue/protocol.ts';

it('an error of another realm keeps its name in a queue', () => {
  const message = 'no such point';
  expect(endingOf(runInNewContext(`new TypeError('${message}')`))).toEqual(endingOf(new TypeError(message)));
});
