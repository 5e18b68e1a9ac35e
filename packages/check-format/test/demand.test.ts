import { runInNewContext } from 'node:vm';
import { BspError } from '@bspkit/core';
import { expect, it } from 'vitest';
import { demandThrows, isOf } from '../src/demand.ts';

it('takes what Node itself throws where tests have a realm of their own, but no other copy of an error', () => {
  const foreign = (name: string): Error => runInNewContext(`new ${name}("no text")`);
  const thrown = (error: Error, type: Parameters<typeof demandThrows>[1]): unknown =>
    demandThrows(
      () => {
        throw error;
      },
      type,
      'read()',
      'no text',
    );
  for (const type of [Error, TypeError, RangeError]) {
    const error = foreign(type.name);
    expect(thrown(error, type)).toBe(error);
    expect(isOf(error, type)).toBe(true);
  }
  expect(isOf(foreign('TypeError'), RangeError)).toBe(false);
  const twin = Object.assign(foreign('Error'), { name: 'BspError' });
  expect(isOf(twin, BspError)).toBe(false);
  expect(() => thrown(twin, BspError)).toThrow('of the same copy of @bspkit/core as here');
});

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
