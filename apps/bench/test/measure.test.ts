import { describe, expect, it } from 'vitest';
import { compareAnswers } from '../src/agreement.ts';
import { bytesPerQuery, median, timeInTurns } from '../src/measure.ts';
import type { PreparedQuery } from '../src/peers/peer.ts';

/** Four moves of 10 units. */
const segments = Float32Array.from([0, 1, 2, 3].flatMap((k) => [k, 0, 0, k + 10, 0, 0]));

const way = (distance: (index: number) => number, run = (): number => 0): PreparedQuery => ({
  run,
  distance: (_, index) => distance(index),
});

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[5], 5],
  ])('of %j is %d', (values, expected) => expect(median(values)).toBe(expected));

  it('of nothing is not a number', () => expect(median([])).toBeNaN());
});

it('ways are timed turn by turn, after rounds that do not count', () => {
  const order: string[] = [];
  const named = (name: string): PreparedQuery =>
    way(
      () => 0,
      () => order.push(name),
    );
  const times = timeInTurns([named('A'), named('B')], segments, 4, 'wall');
  expect(times.map((runs) => runs.length)).toEqual([4, 4]);
  expect(order.join('')).toBe('AB'.repeat(7));
  for (const time of times.flat()) expect(time).toBeGreaterThanOrEqual(0);
});

it('agreement counts ends within a quarter unit, misses included', () => {
  const ours = way((k) => [2, 5, Infinity, 12][k]!);
  const other = way((k) => [2.2, 5.3, 10.1, Infinity][k]!);
  expect(compareAnswers([ours, other], segments)).toEqual([
    { hits: 0.5, agreement: 1 },
    { hits: 0.5, agreement: 0.75 },
  ]);
});

it('allocation is seen', () => {
  const many = new Float32Array(6 * 10_000);
  let kept: unknown;
  const wasteful = way(
    () => 0,
    (_?: Float32Array, first = 0, last = 0) => {
      for (let i = first; i < last; i++) kept = new Array<number>(100).fill(i);
      return last - first;
    },
  );
  expect(bytesPerQuery(wasteful, many)).toBeGreaterThan(700);
  expect(kept).toBeDefined();
});
