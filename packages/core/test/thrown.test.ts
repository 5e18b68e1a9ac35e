import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { isErrorOf, packError, reasonOf } from '../src/format/index.ts';

/** What code of another realm throws. */
const other = (code: string): unknown => {
  try {
    return runInNewContext(code);
  } catch (thrown) {
    return thrown;
  }
};

/** What can be thrown and cannot be shown as text, or not even looked at. */
const unspeakable = (): unknown[] => {
  const { proxy, revoke } = Proxy.revocable(new Error('gone'), {});
  revoke();
  const fails = (): never => {
    throw new Error('no text');
  };
  const withMessage = Object.defineProperty(new Error('gone'), 'message', { get: fails });
  return [proxy, Object.create(null), { toString: fails }, withMessage];
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

it('what cannot be shown as text has a reason, too', () => {
  for (const value of unspeakable()) {
    expect(isErrorOf(value, TypeError)).toBe(false);
    expect(reasonOf(value)).toBe('something was thrown that cannot be shown as text');
  }
  expect(reasonOf(Symbol('gone'))).toBe('Symbol(gone)');
  expect(reasonOf(Object.assign(new Error(), { message: 7 }))).toBe('7');
});

it('whatever was thrown is packed as plain data', () => {
  for (const value of unspeakable()) {
    expect(structuredClone(packError(value))).toMatchObject({
      name: 'Error',
      message: 'something was thrown that cannot be shown as text',
      more: {},
    });
  }
  // Fields may be of any kind, as libraries set them.
  const odd = Object.assign(new Error('odd'), { name: Symbol('odd'), stack: () => 'here' });
  expect(structuredClone(packError(odd))).toMatchObject({
    name: 'Symbol(odd)',
    message: 'odd',
    stack: undefined,
  });
  const caused = packError(new Error('odd', { cause: unspeakable()[0] }));
  expect(caused).toMatchObject({ message: 'odd', cause: { name: 'Error' } });
});
