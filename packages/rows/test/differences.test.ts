import type { RowHeader, RowKind, RowKinds } from '@bspkit/core/format';
import { toy, toyMap } from '@bspkit/testkit/toy';
import { describe, expect, it } from 'vitest';
import { findDifferences, joinKinds, openTable, type RowLine } from '../src/index.ts';

const open = (header: Omit<RowHeader, 'game' | 'map'>) =>
  openTable({ game: 'toy', map: 'room', ...header } as RowHeader, { formats: [toy], load: toyMap });

const boxes = open({ kind: 'boxes', columns: ['number', 'width'] });
const lines: RowLine[] = [
  { model: 0 },
  [0, [544, 544, 16]],
  [6, [64, 64, 128]],
  { model: 1 },
  [0, [80, 80, 8]],
];

describe('findDifferences', () => {
  it('compares rows, and answers the lines between them', () => {
    expect(findDifferences(boxes, lines)).toEqual({ compared: 3, differing: 0, row: -1, first: '' });
  });

  it('counts rows that differ and shows the first', () => {
    const wrong = [...lines.slice(0, 2), [6, [64, 64, 127]], ...lines.slice(3, 4), [0, null]];
    expect(findDifferences(boxes, wrong)).toEqual({
      compared: 3,
      differing: 2,
      row: 1,
      first: 'row 1 (line 4): width[2] expected 127 got 128; asked number 6',
    });
  });

  it('numbers the rows that are compared, whether or not those before them differ', () => {
    const numbers: number[] = [];
    const differ = (_expected: unknown, _actual: unknown, _name: string, row: number): boolean => {
      numbers.push(row);
      return false;
    };
    expect(findDifferences(boxes, lines, differ)).toMatchObject({ differing: 3, row: 0 });
    expect(numbers).toEqual([0, 1, 2]);
    expect(findDifferences(boxes, lines, differ, 2)).toMatchObject({ compared: 1, row: 2 });
  });

  it('compares every field of rows that are objects', () => {
    const contents = open({ kind: 'contents' });
    const rows = [
      { at: [150, 150, 10], names: ['water'] },
      { at: [0, 0, 10], names: ['solid'] },
    ];
    expect(findDifferences(contents, rows)).toEqual({ compared: 2, differing: 0, row: -1, first: '' });
    const wrong = [{ at: [0, 0, 10], names: [] }, { at: [0, 0, 10] }, rows[0]!];
    expect(findDifferences(contents, wrong)).toEqual({
      compared: 3,
      differing: 2,
      row: 0,
      first: 'row 0 (line 2): names expected [] got ["solid"]; asked at [0,0,10]',
    });
  });

  it('shows every cell that differs, fractions with their bits, and zeros with their signs', () => {
    const kind: RowKind = {
      question: ['x'],
      results: ['half', 'zero', 'mask'],
      open: () => ({
        answer(row) {
          row[1] = 0.5 + Number.EPSILON;
          row[2] = -0;
          row[3] = 7;
        },
      }),
    };
    const header: RowHeader = {
      game: 'toy',
      map: 'room',
      kind: 'half',
      columns: ['x', 'half', 'zero', 'mask'],
    };
    const table = openTable(header, { formats: [toy], load: toyMap, kinds: { toy: { half: kind } } });
    expect(findDifferences(table, [[1.5, 0.25, 0, 7]]).first).toBe(
      'row 0 (line 2): half expected 0.25 (0x3e800000) got 0.5000000000000002 (0x3f000000), zero expected 0 got -0; asked x 1.5',
    );
  });

  it('shows eight parts of lists, and counts the others', () => {
    const kind: RowKind = {
      question: ['x'],
      results: ['list'],
      open: () => ({
        answer(row) {
          row[1] = new Array(10).fill(0);
        },
      }),
    };
    const header: RowHeader = { game: 'toy', map: 'room', kind: 'list', columns: ['x', 'list'] };
    const table = openTable(header, { formats: [toy], load: toyMap, kinds: { toy: { list: kind } } });
    expect(findDifferences(table, [[5, new Array(10).fill(1)]]).first).toMatch(
      /: list\[0\] expected 1 got 0, .*, list\[7\] expected 1 got 0, and 2 more; asked x 5$/,
    );
    // However long a cell is.
    expect(findDifferences(table, [['x'.repeat(999), new Array(10).fill(1)]]).first).toMatch(
      /; asked x "x{399}…$/,
    );
  });

  it('compares columns that contain a question and its answer', () => {
    const kind: RowKind = {
      question: ['pair'],
      results: [],
      asked: { pair: (cell) => [(cell as number[])[0]!, null] },
      open: () => ({
        answer(row) {
          const [x] = row[0] as number[];
          row[0] = [x!, 2 * x!];
        },
      }),
    };
    const header: RowHeader = { game: 'toy', map: 'room', kind: 'pair', columns: ['pair'] };
    const table = openTable(header, { formats: [toy], load: toyMap, kinds: { toy: { pair: kind } } });
    expect(findDifferences(table, [[[1, 2]], [[3, 7]]])).toEqual({
      compared: 2,
      differing: 1,
      row: 1,
      first: 'row 1 (line 3): pair[1] expected 7 got 6; asked pair [3,null]',
    });
  });

  it('lets the caller decide what counts as the same', () => {
    const asked: unknown[] = [];
    const wrong = [{ model: 1 }, [0, 5]];
    const found = findDifferences(boxes, wrong, (...cell) => asked.push(cell) > 0);
    expect(found).toEqual({ compared: 1, differing: 0, row: -1, first: '' });
    expect(asked).toEqual([[5, [80, 80, 8], 'width', 0]]);
  });
});

describe('rows that depend on each other', () => {
  /** Counts on from what a row of step 0 sets. */
  const kinds: RowKinds = {
    count: {
      question: ['step'],
      results: ['sum'],
      open() {
        let sum = 0;
        return {
          isGiven: (row) => row[0] === 0,
          sequences: { begins: (row) => row[0] === 0, restart: () => undefined },
          answer(row) {
            if (row[0] === 0) sum = row[1] as number;
            row[1] = sum++;
          },
        };
      },
    },
  };
  const header: RowHeader = { game: 'toy', map: 'room', kind: 'count', columns: ['step', 'sum'] };
  const table = openTable(header, { formats: [toy], load: toyMap, kinds: { toy: kinds } });

  it('start with a given one, which is not compared', () => {
    const rows = [
      [0, 5],
      [1, 6],
      [2, 7],
      [0, 1],
      [1, 3],
    ];
    expect(rows.map((row) => table.isGiven(row))).toEqual([true, false, false, true, false]);
    expect(findDifferences(table, rows)).toEqual({
      compared: 3,
      differing: 1,
      row: 2,
      first: 'row 2 (line 6): sum expected 3 got 2; asked step 1',
    });
  });

  it('are answered up to the one that is asked alone', () => {
    const rows = [
      [0, 5],
      [1, 7],
      [2, 8],
      [3, 8],
    ];
    const first = 'row 1 (line 4): sum expected 8 got 7; asked step 2';
    const found = findDifferences(table, rows, undefined, 1);
    expect(found).toEqual({ compared: 1, differing: 1, row: 1, first });
    const equal = { compared: 1, differing: 0, row: -1, first: '' };
    expect(findDifferences(table, rows, undefined, 2)).toEqual(equal);
    expect(findDifferences(table, rows, undefined, 3)).toEqual({ ...equal, compared: 0 });
  });

  it('are answered by any package', () => {
    const one = { question: [], results: [], open: () => ({ answer: () => undefined }) };
    const joined = joinKinds({ toy: kinds }, { toy: { one }, other: { one } });
    expect(Object.keys(joined.toy!)).toEqual(['count', 'one']);
    expect(joined.other).toEqual({ one });
  });
});
