import { expect, it } from 'vitest';
import { kindOf } from '../../src/tools/query/query.ts';
import { readSize, sizeFields } from '../../src/tools/query/size.ts';
import { openFixture } from './maps.ts';

it('a size is read as it was typed, and what is wrong with it is said field by field', async () => {
  const { format } = await openFixture('arena', 'quake3');
  const hulls = await openFixture('arena', 'quake1');
  const problemsOf = (name: string, size: readonly number[], ...texts: readonly string[]) =>
    readSize(sizeFields(kindOf(name === 'hull' ? hulls.format : format, name)!, size), texts).problems;
  for (const wrong of ['', 'abc', '-5', '16,5'])
    expect(problemsOf('sphere', [16], wrong)).toEqual(['Radius must be one number, 0 or more.']);
  expect(problemsOf('sphere', [16], '0')).toEqual([undefined]);
  expect(problemsOf('box', [], '50 50 50', '')).toEqual([
    undefined,
    'Highest corner must be three numbers, none below that of the lowest corner.',
  ]);
  expect(problemsOf('box', [], '', '50 50 50')).toEqual(['Lowest corner must be three numbers.', undefined]);
  expect(problemsOf('box', [], '0 0 0', '1 -1 1')[1]).toMatch(/^Highest corner/);
  expect(problemsOf('capsule', [16, 56], '16', '31')[1]).toBe(
    'Height must be one number, twice the radius or more.',
  );
  expect(problemsOf('capsule', [16, 56], 'x', '31')).toEqual([
    'Radius must be one number, 0 or more.',
    undefined,
  ]);
  expect(problemsOf('capsule', [16, 56], '0', '0')).toEqual([undefined, undefined]);
  expect(problemsOf('ellipsoid', [], '16 16 0')).toEqual(['Radii must be three numbers above 0.']);
  for (const wrong of ['1.5', '-1', '1 2'])
    expect(problemsOf('hull', [0], wrong)).toEqual(['Hull must be one whole number, 0 or more.']);
  expect(problemsOf('hull', [0], '0')).toEqual([undefined]);
  // A capsule by the box around it.
  const corners = sizeFields(kindOf(format, 'capsule')!, [-1, -1, -1, 1, 1, 1]);
  expect(readSize(corners, ['-1 -1 -2', '1, 1, 2'])).toEqual({
    size: [-1, -1, -2, 1, 1, 2],
    problems: [undefined, undefined],
  });
});
