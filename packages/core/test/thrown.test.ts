import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { isErrorOf, reasonOf } from '../src/format/index.ts';

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
