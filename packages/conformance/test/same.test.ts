import { expectBelow, expectFields, expectSame, moving } from '@bspkit/testkit/same';
import { expect, it } from 'vitest';

it('what differs in a loop says which move it was, in numbers that read back as the same', () => {
  const asked = moving(Float32Array.of(0.1, -0, 2), [1, 2, 3e38], 'a ray');
  const text = 'a ray, from [0.10000000149011612, -0, 2] to [1, 2, 3e+38]: ';
  expect(() => expectSame([1], [2], asked)).toThrow(text);
  expect(() => expectFields({ fraction: 1 }, { fraction: 0 }, asked)).toThrow(text);
  expect(() => expectSame(-0, 0, 'zeros')).toThrow('zeros: ');
  let stack = '';
  try {
    expectSame([1], [2]);
  } catch (error) {
    stack = (error as Error).stack!;
  }
  expect(/^ {4}at .*$/m.exec(stack)?.[0], 'where it is called is shown').toContain('same.test.ts');
  const never = (): string => expect.fail('is not needed');
  expectSame([1, -0], [1, -0], never);
  expectFields({ fraction: 1, plane: 0 }, { fraction: 1 }, never);
});

it('what is nearly the same differs', () => {
  const pairs: [unknown, unknown][] = [
    [[1, 2], [1]],
    [[1], [1, 2]],
    [[], [undefined]],
    [new Array(1), [undefined]],
    [[0], [-0]],
    [[1], { 0: 1, length: 1 }],
    [[1], Float64Array.of(1)],
    [{ a: 1 }, { a: 1, b: undefined }],
  ];
  for (const [a, b] of pairs) {
    expect(() => expectSame(a, b)).toThrow();
    expect(() => expectSame(b, a)).toThrow();
  }
  expectSame([Number.NaN, 'a'], [Number.NaN, 'a']);
  for (const actual of [1, 2, Number.NaN]) expect(() => expectBelow(actual, 1, 'far')).toThrow('far');
  expectBelow(0.999, 1);
  expect(() => expectFields({ fraction: -0 }, { fraction: 0 })).toThrow();
  expect(() => expectFields({}, { fraction: 0 })).toThrow();
});
