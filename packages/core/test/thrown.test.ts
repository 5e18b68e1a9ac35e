import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { isErrorOf, packError, reasonOf, unpackError } from '../src/format/index.ts';

/** What code of another realm throws. */
const other = (code: string): unknown => {
  try {
    return runInNewContext(code);
  } catch (thrown) {
    return thrown;
  }
};

it('errors of all realms are known by their class', () => {
  for (const error of [new TypeError('gone'), other('throw new TypeError("gone")')]) {
    expect(isErrorOf(error, TypeError)).toBe(true);
    expect(isErrorOf(error, Error)).toBe(true);
    expect(isErrorOf(error, RangeError)).toBe(false);
    expect(reasonOf(error)).toBe('gone');
  }
  expect(isErrorOf(other('throw new (class Own extends RangeError {})("far")'), RangeError)).toBe(true);
  for (const value of [other('throw "gone"'), { name: 'TypeError', message: 'gone' }, null, undefined]) {
    expect(isErrorOf(value, TypeError)).toBe(false);
    expect(isErrorOf(value, Error)).toBe(false);
    expect(reasonOf(value)).toBe(String(value));
  }
});

/** What code may throw, though nothing can be said of it. */
const SILENT: Readonly<Record<string, () => unknown>> = {
  'an object without a prototype': () => Object.create(null),
  'a proxy that was revoked': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  'an error whose message is a getter that throws': () =>
    Object.defineProperty(new Error('gone'), 'message', {
      get: () => {
        throw new Error('not now');
      },
    }),
};

it.each(Object.entries(SILENT))('there is always something to report: %s', (_, make) => {
  const thrown = make();
  expect(isErrorOf(thrown, RangeError)).toBe(false);
  expect(reasonOf(thrown)).toBe('something was thrown that has no text');
  const arrived = unpackError(structuredClone(packError(thrown)));
  expect(arrived).toMatchObject({ name: 'Error', message: 'something was thrown that has no text' });
  expect(sentCause(new Error('no map', { cause: thrown }))).toMatchObject({ message: arrived.message });
});

it('fields of an error that cannot be sent are left out or sent as text', () => {
  const odd = Object.assign(new Error('gone'), {
    name: Symbol('odd'),
    message: { no: () => 1 },
    stack: () => 1,
  });
  const arrived = unpackError(structuredClone(packError(odd)));
  expect(arrived).toMatchObject({ name: 'Symbol(odd)', message: '[object Object]' });
  expect(typeof arrived.stack).toBe('string');
});

const sentCause = (error: Error): unknown => unpackError(structuredClone(packError(error))).cause;
