import { createRandom, pick } from '@bspkit/geometry';
import { describe, expect, it } from 'vitest';
import { decodeRow, rowHasBit, rowLengths } from '../src/format/vis.ts';

const SIZE = 40;

/** A row as compilers write it. */
function encodeRow(row: Uint8Array): number[] {
  const coded: number[] = [];
  for (let at = 0; at < row.length; ) {
    if (row[at] !== 0) coded.push(row[at++]!);
    else {
      let run = 0;
      while (at < row.length && row[at] === 0 && run < 255) [at, run] = [at + 1, run + 1];
      coded.push(0, run);
    }
  }
  return coded;
}

describe('a row of visibility', () => {
  const random = createRandom(1);
  const rows = Array.from({ length: 200 }, () =>
    Uint8Array.from({ length: SIZE }, () => (random() < 0.6 ? 0 : pick(random, [1, 128, 255, 36]))),
  );
  const coded: number[] = [];
  const offsets = rows.map((row) => {
    const offset = coded.length;
    coded.push(...encodeRow(row));
    return offset;
  });
  const bytes = Uint8Array.from(coded);

  it('is decoded as it was written, and asked bit by bit', () => {
    const lengths = rowLengths(bytes, SIZE);
    for (const [k, row] of rows.entries()) {
      const offset = offsets[k]!;
      expect(lengths[offset]).toBe(SIZE);
      expect(decodeRow(bytes, offset, new Uint8Array(SIZE))).toEqual(row);
      const bits = Array.from({ length: 8 * SIZE }, (_, bit) => rowHasBit(bytes, offset, bit));
      expect(bits).toEqual(bits.map((_, bit) => (row[bit >> 3]! & (1 << (bit & 7))) !== 0));
    }
  });

  it.each([
    ['no bit', 0, -1],
    ['no number', 0, Number.NaN],
    ['a place before the bytes', -1, 0],
    ['a place after them', 1e9, 0],
    ['a place that is no number', Number.NaN, 0],
    ['a bit far beyond its end', 0, 0x7fffffff],
  ])('is refused where it is asked for %s', (_, offset, bit) => {
    const all = Uint8Array.of(1, 2, 3);
    const problem = `offset and bit must be in a whole row, got ${offset} and ${bit}`;
    expect(() => rowHasBit(all, offset, bit)).toThrow(new RangeError(problem));
  });

  it.each([
    ['nothing', [], 0],
    ['a byte', [7], 1],
    ['a byte and a run', [7, 0, 3], 4],
    ['a run without its length', [7, 0], 1],
    ['more than it needs', [0, 255], SIZE],
    ['16 runs of length 0, and a byte', [...Array<number>(32).fill(0), 7], 1],
    ['17 of these', [...Array<number>(34).fill(0), 7], 0],
    ['17 of these, but not in a row', [...Array<number>(32).fill(0), 7, 0, 0, 7], 2],
  ])('is as long as its bytes to the end give, here %s', (_, bytes, length) => {
    expect(rowLengths(Uint8Array.from(bytes), SIZE)[0]).toBe(length);
  });

  it('is refused where its last run has no length', () => {
    expect(() => rowHasBit(Uint8Array.of(1, 0), 0, 100)).toThrow(RangeError);
  });
});
