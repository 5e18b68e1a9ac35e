import { describe, expect, it } from 'vitest';
import {
  checkCallback,
  checkChoice,
  checkFinite,
  checkFlag,
  checkKind,
  checkList,
  checkNumber,
  checkObject,
  checkOptions,
  checkText,
  checkTracer,
  checkWhole,
  checkWholeFrom,
  isNumberIn,
  listNames,
  showValue,
} from '../src/format/index.ts';

// The words that all packages, and formats of others, use about arguments.

describe('what is wrong with an argument', () => {
  const any = (value: unknown): never => value as never;
  it.each<[says: string, check: () => void, kind: new (...parts: never) => Error]>([
    ['a must be an array, got an object', () => checkList(any({}), 'a'), TypeError],
    ['a must be true or false, got 0', () => checkFlag(any(0), 'a'), TypeError],
    ['a must be a function, got undefined', () => checkCallback(undefined, 'a'), TypeError],
    [
      'a must be a string, got a function',
      () =>
        checkText(
          any(() => 0),
          'a',
        ),
      TypeError,
    ],
    ['a must be an object, got an array', () => checkObject([], 'a'), TypeError],
    ['a must be a plane, got null', () => checkObject(any(null), 'a', 'a plane'), TypeError],
    ['a must be a plane, got Symbol(x)', () => checkKind(false, Symbol('x'), 'a', 'a plane'), TypeError],
    ["a must be 'x', 'y' or 'z', got 'w'", () => checkChoice('w', 'a', ['x', 'y', 'z']), RangeError],
    ["a must be 'x', got 5", () => checkChoice(any(5), 'a', ['x']), TypeError],
    ['a must be a finite float32, got 1e+39', () => checkFinite(1e39, 'a'), RangeError],
    ["a must be a finite float32, got '1'", () => checkFinite(any('1'), 'a'), TypeError],
    ['a must be a whole number from 1 to 3, got 4', () => checkWhole(4, 'a', 1, 3), RangeError],
    ['a must be 1, got 2', () => checkWhole(2, 'a', 1, 1), RangeError],
    ['a must be 0, got 1', () => checkNumber(1, 'a', 1), RangeError],
    ['a must be a whole number, 1 or more, got 0.5', () => checkWholeFrom(0.5, 'a', 1), RangeError],
    ['a must be a tracer, got an object', () => checkTracer({}, 'a'), TypeError],
    ['options must be an object, got 5', () => checkOptions(any(5), []), TypeError],
    ["there is no option 'b' here; the options are a", () => checkOptions({ b: 1 }, ['a']), TypeError],
  ])('%s', (says, check, kind) => {
    expect(check).toThrow(new kind(...([says] as never)));
    expect(check).toThrow(kind);
  });

  it('is nothing where it is right', () => {
    checkList([], 'a');
    checkFlag(undefined, 'a');
    checkChoice('x', 'a', ['x']);
    checkFinite(-0, 'a');
    checkWhole(3, 'a', 1, 3);
    checkWholeFrom(1, 'a', 1);
    checkOptions({ a: 1, b: undefined, toString: undefined }, ['a']);
  });

  it('is shown in a word or two', () => {
    expect(showValue('x'.repeat(40))).toBe(`'${'x'.repeat(40)}'`);
    expect(showValue('x'.repeat(41))).toBe(`'${'x'.repeat(40)}…'`);
    expect([null, undefined, -0, 5n, [], {}, () => 0].map(showValue)).toEqual([
      'null',
      'undefined',
      '0',
      '5',
      'an array',
      'an object',
      'a function',
    ]);
    expect(
      [new Float64Array(3), new ArrayBuffer(8), new Map(), Promise.resolve(), new Date(0)].map(showValue),
    ).toEqual(['Float64Array', 'ArrayBuffer', 'Map', 'Promise', 'an object']);
  });
});

it('tells numbers of things from others', () => {
  expect([0, 2, 3, -1, 0.5, Number.NaN].map((value) => isNumberIn(value, 3))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

it('takes names as a list, or with commas', () => {
  expect(listNames(['a', 'b'])).toEqual(['a', 'b']);
  expect(listNames('a,b')).toEqual(['a', 'b']);
});
