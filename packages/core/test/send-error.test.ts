import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { BspError } from '../src/error.ts';
import { packError, unpackError } from '../src/format/send-error.ts';

/** An error as it comes out of another thread. */
const sent = (error: unknown): Error => unpackError(structuredClone(packError(error)));

it('sends the class, the message and the fields of an error', () => {
  const error = Object.assign(new RangeError('too far'), { code: 'far', at: 7, what: {} });
  const arrived = sent(error);
  expect(arrived).toBeInstanceOf(RangeError);
  expect(arrived).toMatchObject({ message: 'too far', code: 'far', at: 7, stack: error.stack });
  expect(Object.keys(arrived)).toEqual(['code', 'at']);
  expect(sent(new BspError('truncated', { format: 'quake3' }, 'cut'))).toBeInstanceOf(BspError);
  expect(sent('words')).toMatchObject({ name: 'Error', message: 'words' });
});

it('sends its cause', () => {
  const arrived = sent(new Error('no map', { cause: new TypeError('no bytes', { cause: 'nothing' }) }));
  expect(arrived.cause).toBeInstanceOf(TypeError);
  expect(arrived.cause).toMatchObject({ message: 'no bytes', cause: { message: 'nothing' } });
  expect('cause' in sent(new Error('alone'))).toBe(false);
});

it('ends a chain of causes that is a circle', () => {
  const error = new Error('again');
  error.cause = error;
  let count = 0;
  for (let arrived: unknown = sent(error); arrived instanceof Error; arrived = arrived.cause) count++;
  expect(count).toBe(5);
});

it('sends errors of another realm as those of its own', () => {
  const error = runInNewContext('Object.assign(new TypeError("no bytes"), { code: "gone" })');
  expect(error).not.toBeInstanceOf(Error);
  const arrived = sent(new Error('no map', { cause: error }));
  expect(arrived.cause).toBeInstanceOf(TypeError);
  expect(arrived.cause).toMatchObject({ message: 'no bytes', code: 'gone', stack: error.stack });
});
