import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerRow,
  columnPlaces,
  failCell,
  float32Cell,
  floatCell,
  floatCells,
  intCell,
  type Row,
  type RowAnswering,
  STOP_COLUMNS,
  writeHit,
  writeStop,
} from '../src/format/index.ts';
import { createTrace } from '../src/index.ts';

describe('cells of rows', () => {
  const header = { game: 'test', map: 'm', kind: 'k', columns: ['a', 'fraction', 'b'] };

  it('are found by the names of their columns', () => {
    const { a, b, c } = columnPlaces(header, ['b', 'a', 'c']);
    expect([a, b]).toEqual([0, 2]);
    expect(c).toBeLessThan(0);
    const { a: none } = columnPlaces({ game: 'test', map: 'm', kind: 'k' }, ['a']);
    expect(none).toBeLessThan(0);
    // A missing column is known by its name, however often it is missing.
    expect(columnPlaces(header, ['x', 'c', 'a'])).toMatchObject({ c, a: 0 });
    expect(() => floatCell([1, 2], c)).toThrow(/^missing columns: c$/);
    expect(() => intCell([1, 2], none)).toThrow(RangeError);
    expect(() => intCell([1, 2], none)).toThrow(/^missing columns: a$/);
  });

  it('are numbers, or say that they are not', () => {
    const row: Row = [0.1, 3, null, 'x', 0.5];
    expect(floatCell(row, 0)).toBe(Math.fround(0.1));
    expect(floatCells(row, [1, 0])).toEqual([3, Math.fround(0.1)]);
    expect(intCell(row, 1)).toBe(3);
    expect(() => floatCell(row, 2)).toThrow('cell 3 is not a number: null');
    expect(() => floatCell(row, -1e6)).toThrow('missing columns: ?');
    expect(() => intCell(row, 4)).toThrow('cell 5 is not a whole number: 0.5');
    expect(() => intCell(row, -1e6)).toThrow('missing columns: ?');
  });

  it('are all named where their columns are missing, and a row needs them', () => {
    const at = columnPlaces(header, ['a', 'b', 'c', 'd', 'e', 'f']);
    const answering: RowAnswering = {
      results: ['fraction'],
      answer(row) {
        const [c, d] = floatCells(row, [at.c, at.d]);
        // Only where it is turned.
        if (intCell(row, at.a) !== 0) intCell(row, at.e);
        if (!Array.isArray(row[at.f])) failCell(row, at.f, 'a list');
        row[1] = c! + d!;
      },
    };
    const run = (row: Row) => () => answerRow(answering, row);
    expect(run([0, null, 0])).toThrow(/^missing columns: c, d, f$/);
    expect(run([1, null, 0])).toThrow(/^missing columns: c, d, e, f$/);
    expect(run(['x', null, 0])).toThrow(/^missing columns: c, d$/);
    const whole: RowAnswering = {
      results: ['fraction'],
      answer: (row) => row.fill(intCell(row, at.a), 1, 2),
    };
    const row: Row = [7, null, 0];
    answerRow(whole, row);
    expect(row).toEqual([7, 7, 0]);
    expect(() => answerRow(whole, [0.5])).toThrow('cell 1 is not a whole number: 0.5');
  });

  it('hold float32 in nine digits that read back the same, zeros with their sign', () => {
    expect(float32Cell(-0)).toBe(-0);
    expect(float32Cell(Math.fround(0.1))).toBe(0.100000001);
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(Math.fround(float32Cell(value)), value)).toBe(true);
      }),
    );
    // Whole eighths, just below and above where they have more than nine digits.
    fc.assert(
      fc.property(fc.integer({ min: -9e6, max: 9e6 }), (eighths) => {
        expect(float32Cell(eighths / 8)).toBe(Number((eighths / 8).toPrecision(9)) || eighths / 8);
      }),
    );
  });

  it('are written with what all traces have', () => {
    const trace = createTrace();
    trace.fraction = 0.25;
    trace.endPos.set([1, 2, 3]);
    trace.normal.set([0, 0, -1]);
    trace.startSolid = true;
    const row: Row = [];
    writeStop(row, { fraction: 0, endx: 1, endy: 2, endz: 3 }, trace);
    writeHit(row, { nx: 4, ny: 5, nz: 6, dist: 7, startsolid: 8, allsolid: 9 }, trace);
    expect(row).toEqual([0.25, 1, 2, 3, 0, 0, -1, 0, 1, 0]);
    expect(STOP_COLUMNS).toHaveLength(4);
  });
});
