import { BspError, createTrace } from '@bspkit/core';
import { breaking } from '@bspkit/testkit/broken';
import { checkAnswer } from '@bspkit/testkit/mutants';
import { bspError, refusal } from '@bspkit/testkit/refusals';
import { expect, it } from 'vitest';

// What tests of broken maps share: if it broke nothing, or took anything for a refusal, they would all pass.

it('a broken copy of a map differs in what was asked for, and the map stays as it is', () => {
  const { lumpAt, withNumber, withFloat, withEntry, withLump } = breaking({
    directory: 4,
    lumps: { first: 1, second: 4 },
  });
  const map = new Uint8Array(40).fill(7);
  // A directory of two lumps: 4 bytes at 20, and 16 at 24.
  map.set(new Uint8Array(Int32Array.of(20, 4, 24, 16).buffer), 4);
  const before = map.slice();
  /** Where a copy differs, and by what; only what was added, if it is longer. */
  const changes = (copy: Uint8Array): [at: number, value: number][] =>
    [...copy.entries()].filter(([at, value]) => value !== before[at]);

  expect([lumpAt(map, 'first'), lumpAt(map, 'second')]).toEqual([
    { offset: 20, length: 4 },
    { offset: 24, length: 16 },
  ]);
  // Also of a map within a larger buffer.
  const within = new Uint8Array([0, 0, 0, ...map]).subarray(3);
  expect(lumpAt(within, 'second')).toEqual({ offset: 24, length: 16 });
  expect(changes(withNumber(within, 'second', 8, 1, 1))).toEqual([[32, 1]]);
  const four = [
    [32, 4],
    [33, 3],
    [34, 2],
    [35, 1],
  ];
  expect(changes(withNumber(map, 'second', 8, 0x01020304))).toEqual(four);
  expect(changes(withNumber(map, 'second', 8, 0x0304, 2))).toEqual(four.slice(0, 2));
  const floats = withFloat(map, 'second', 12, 0.1);
  expect(new DataView(floats.buffer).getFloat32(36, true)).toBe(Math.fround(0.1));
  expect(changes(floats)).toHaveLength(4);
  expect(changes(withEntry(map, 'second', { offset: 25 }))).toEqual([[12, 25]]);
  expect(changes(withEntry(map, 'second', { length: 17 }))).toEqual([[16, 17]]);
  const longer = withLump(map, 'first', Uint8Array.of(1, 2));
  expect(changes(longer)).toEqual([
    [4, 40],
    [8, 2],
    [40, 1],
    [41, 2],
  ]);
  expect(map).toEqual(before);
});

it('only a BspError is a refusal: whatever else is thrown fails the test', () => {
  const throwing = (error: Error) => (): never => {
    throw error;
  };
  const error = new BspError('limit', { format: 'quake3' }, 'too many');
  expect(refusal(throwing(error))).toBe(`limit: ${error.message}`);
  expect(refusal(() => 'loaded')).toBe('');
  expect(bspError(throwing(error))).toBe(error);
  expect(() => bspError(() => 'loaded')).toThrow('nothing was thrown');
  for (const take of [refusal, bspError])
    expect(() => take(throwing(new TypeError('no such plane')))).toThrow(new TypeError('no such plane'));
});

it('an answer is sound if all of its numbers are', () => {
  const answer = (change: object) => () => checkAnswer(Object.assign(createTrace(), change));
  for (const fraction of [0, 0.5, 1]) answer({ fraction })();
  for (const fraction of [-0.1, 1.1, Number.NaN])
    expect(answer({ fraction })).toThrow(`fraction ${fraction}`);
  const wrong = Float32Array.of(0, 0, Number.NaN);
  for (const change of [{ endPos: wrong }, { normal: wrong }, { dist: Number.POSITIVE_INFINITY }])
    expect(answer(change)).toThrow(/NaN|Infinity/);
});
