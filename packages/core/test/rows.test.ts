import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnPlaces,
  defineRows,
  float32Cell,
  floatCell,
  floatCells,
  intCell,
  modelCell,
  optionalFloats,
  type Row,
  type RowAnswering,
  type RowKind,
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
    expect(c).toBe(-1);
    expect(columnPlaces({ game: 'test', map: 'm', kind: 'k' }, ['a'])).toEqual({ a: -1 });
  });

  it('are numbers, or say that they are not', () => {
    const row: Row = [0.1, 3, null, 'x', 0.5];
    expect(floatCell(row, 0)).toBe(Math.fround(0.1));
    expect(floatCells(row, [1, 0])).toEqual([3, Math.fround(0.1)]);
    expect(intCell(row, 1)).toBe(3);
    expect(() => floatCell(row, 2)).toThrow('cell 3 is not a number: null');
    expect(() => floatCell([1e39], 0)).toThrow('cell 1 is not a float32: 1e+39');
    expect(() => floatCell([JSON.parse('1e999')], 0)).toThrow('cell 1 is not a float32: Infinity');
    expect(() => intCell(row, 4)).toThrow('cell 5 is not a whole number: 0.5');
    expect(intCell([-0x80000000], 0)).toBe(-0x80000000);
    expect(() => intCell([-0x80000001], 0)).toThrow('cell 1 is not a whole number of 32 bits: -2147483649');
    expect(optionalFloats(row, [4, -1])).toEqual([0.5, 0]);
    expect(() => optionalFloats(row, [-1, 2])).toThrow('cell 3 is not a number: null');
  });

  it('name a model that the map has, or say which it has', () => {
    const row: Row = [0, 3, 4, '*1', 1.5];
    expect([modelCell(row, 0, 3, 0), modelCell(row, 1, 3, 1)]).toEqual([0, 3]);
    for (const [place, count, least, problem] of [
      [2, 3, 0, 'cell 3 is not the number of a model, 0 (the world) to 3: 4'],
      [3, 3, 1, 'cell 4 is not the number of a model, 1 to 3: "*1"'],
      [4, 3, 0, 'cell 5 is not the number of a model, 0 (the world) to 3: 1.5'],
      [1, 1, 1, 'cell 2 is not the number of a model, which is 1 here: 3'],
      [1, 0, 0, 'cell 2 is not the number of a model, which is 0 (the world) here: 3'],
      [1, 0, 1, 'cell 2 is not a model, as the map has none: 3'],
    ] as const) {
      expect(() => modelCell(row, place, count, least)).toThrow(problem);
    }
  });

  it('are there for all columns that a question needs', () => {
    const answering: RowAnswering = { answer: (row) => row.fill(7) };
    let opened = 0;
    const kind: RowKind = {
      question: ['a', 'c', 'b', 'd'],
      optional: [['e', 'f'], ['g']],
      results: ['fraction'],
      open() {
        opened++;
        return answering;
      },
    };
    const source = { format: {} as never, load: () => new Uint8Array(0) };
    const k = defineRows({ k: kind }).k!;
    expect(k).toMatchObject({ question: kind.question, optional: kind.optional, results: ['fraction'] });
    expect(() => k.open(header, source)).toThrow(new RangeError('missing columns: c, d'));
    const half = { ...header, columns: ['f', 'b', 'c', 'd', 'g', 'E'] };
    expect(() => k.open(half, source)).toThrow(new RangeError('missing columns: a, e'));
    expect(opened).toBe(0);
    const needed = ['a', 'b', 'c', 'd'];
    expect(k.open({ ...header, columns: needed }, source)).toBe(answering);
    expect(k.open({ ...header, columns: [...needed, 'f', 'e'] }, source)).toBe(answering);
    expect(opened).toBe(2);
    for (const part of ['question', 'results', 'open']) {
      expect(() => defineRows({ old: { ...kind, [part]: undefined } })).toThrow(`${part} of old must be `);
    }
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
    const at = { nx: 4, ny: 5, nz: 6, dist: 7, startsolid: 8, allsolid: 9 };
    const row: Row = [];
    writeStop(row, { fraction: 0, endx: 1, endy: 2, endz: 3 }, trace);
    writeHit(row, at, trace);
    expect(row).toEqual([0.25, 1, 2, 3, 0, 0, -1, 0, 1, 0]);
    trace.allSolid = true;
    writeHit(row, at, trace);
    expect(row).toEqual([0.25, 1, 2, 3, 0, 0, -1, 0, 1, 1]);
    expect(STOP_COLUMNS).toHaveLength(4);
  });
});
