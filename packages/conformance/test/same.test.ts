import { expectSameBatch } from '@bspkit/testkit/batch';
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
  for (const wrong of [
    { fraction: 1, plane: 0 },
    { fraction: 0, plane: 1 },
  ])
    expect(() => expectFields({ fraction: 0, plane: 0 }, wrong)).toThrow();
});

it('batches that differ say in which segment, and in which of its fields', () => {
  const batch = (fraction: number[], normal: number[]) => ({
    fraction: Float32Array.from(fraction),
    normal: Float32Array.from(normal),
  });
  const segments = Float32Array.of(0, 0, 0, 1, 1, 1, 2, -0, 2, 3, 3, 3);
  const right = batch([1, 0.5], [0, 0, 0, 0, 0, 1]);
  const compare = (wrong: object) => () => expectSameBatch(wrong, right, segments, 'a ray');
  compare(batch([1, 0.5], [0, 0, 0, 0, 0, 1]))();
  // In whatever order the fields are.
  compare({ normal: right.normal, fraction: right.fraction })();
  expect(compare(batch([1, 0.25], [0, 0, 0, 0, -0, 1]))).toThrow(
    'a ray: segment 1 of 2, from [2, -0, 2] to [3, 3, 3]: fraction expected 0.5 got 0.25, normal expected 0 0 1 got 0 -0 1',
  );
  expect(compare(batch([0, 0.5], [0, 0, 0, 0, 0, 2]))).toThrow(
    'segment 0 of 2, from [0, 0, 0] to [1, 1, 1]: fraction expected 1 got 0; in all, 2 fields differ',
  );
  for (const wrong of [batch([1], [0, 0, 0, 0, 0, 1]), { fraction: right.fraction }])
    expect(compare(wrong)).toThrow('to deeply equal { fraction: 2, normal: 6 }');
});
