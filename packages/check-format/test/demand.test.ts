import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { demandThrows } from '../src/demand.ts';

it('says what was thrown, also by Node itself where tests have a realm of their own', () => {
  const told = (thrown: unknown): string => {
    try {
      demandThrows(
        () => {
          throw thrown;
        },
        RangeError,
        'read()',
      );
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing';
  };
  const words = 'read() throws TypeError: no text; it must throw a RangeError';
  expect(told(new TypeError('no text'))).toBe(words);
  expect(told(runInNewContext('new TypeError("no text")'))).toBe(words);
  expect(told('no text')).toBe("read() throws 'no text'; it must throw a RangeError");
});
