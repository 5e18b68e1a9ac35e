import { describe, expect, it } from 'vitest';
import type { MapSource } from '../src/answer.ts';
import { openTable } from '../src/open.ts';
import { formatRow, parseHeader, parseRow, parseTable, type Row } from '../src/table.ts';

/** Traces of box entities need no map. */
const noMaps: MapSource = {
  load(game, name) {
    throw new Error(`asked for ${game}/${name}`);
  },
};
const question = [
  ...[
    'tminx',
    'tminy',
    'tminz',
    'tmaxx',
    'tmaxy',
    'tmaxz',
    'ox',
    'oy',
    'oz',
    'sx',
    'sy',
    'sz',
    'ex',
    'ey',
    'ez',
  ],
  ...['minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz', 'capsule', 'mask'],
];
const header = { game: 'quake3', map: '-', kind: 'tempbox', columns: question };
/** A point that moves into a box of 16 units at the origin. */
const row = [-8, -8, -8, 8, 8, 8, 0, 0, 0, -40, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1];

describe('openTable', () => {
  const table = openTable(header, noMaps);
  const columns = table.header.columns!;
  const answer = table.answer(row) as Row;

  it('adds the columns of the answers where there are none', () => {
    expect(columns.slice(0, question.length)).toEqual(question);
    expect(columns).toContain('fraction');
    expect(answer).toHaveLength(columns.length);
    expect(answer[columns.indexOf('endx')]).toBeCloseTo(-8.125, 6);
    expect(row).toHaveLength(question.length);
  });

  it('gives the same for rows with and without cells for the answers, wherever their columns are', () => {
    const order = [...columns].reverse();
    const turned = openTable({ ...header, columns: order }, noMaps);
    expect(turned.header.columns).toBe(order);
    const questions = [...row].reverse();
    const cells = order.map((name) => (question.includes(name) ? row[question.indexOf(name)]! : null));
    expect(turned.answer(questions)).toEqual([...answer].reverse());
    expect(turned.answer(cells)).toEqual([...answer].reverse());
  });

  it('answers some columns only when only some are there', () => {
    const some = openTable({ ...header, columns: [...question, 'nx'] }, noMaps);
    expect(some.header.columns).toEqual([...question, 'nx']);
    expect(some.answer(row)).toEqual([...row, -1]);
  });

  it('refuses what it cannot answer', () => {
    const short = { ...header, columns };
    expect(() => openTable(short, noMaps).answer(row.slice(1))).toThrow(
      'has 22 cells, but there are 35 columns',
    );
    expect(() => openTable({ ...header, game: 'chess' }, noMaps)).toThrow("no such game: 'chess'");
    expect(() => openTable({ ...header, kind: 'smell' }, noMaps)).toThrow();
    expect(() => table.answer(row.slice(1))).toThrow('has 22 cells, but there are 23 columns');
    expect(() => table.answer({ surface: 1 })).toThrow('is not an array');
    expect(() => table.answer([null, ...row.slice(1)])).toThrow('cell 1 is not a number: null');
  });
});

describe('tables', () => {
  it('keep numbers and signs of zero through reading and writing', () => {
    const line = '[1,-0,0.1,null,"a"]';
    expect(formatRow(parseRow(line, 2))).toBe(line);
    expect(formatRow({ a: [-0], b: undefined, c: { d: 'x' } })).toBe('{"a":[-0],"c":{"d":"x"}}');
    expect(parseTable('{"kind":"x"}\n[1]\n\n[2]\n').rows).toEqual([[1], [2]]);
  });

  it.each(['', '[]', 'null', '{}', '{"kind":"x","columns":"y"}', '{'])("refuse '%s' as a header", (line) => {
    expect(() => parseHeader(line)).toThrow(/line 1/);
  });

  it.each(['', '1', '"x"', 'null', '['])("refuse '%s' as a row", (line) => {
    expect(() => parseRow(line, 7)).toThrow(/line 7/);
  });
});
