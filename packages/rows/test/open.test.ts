import type { Row, RowHeader, RowKind, RowKinds } from '@bspkit/core/format';
import { toy, toyMap } from '@bspkit/testkit/toy';
import { describe, expect, it } from 'vitest';
import { type OpenOptions, openTable } from '../src/index.ts';

const question = ['sx', 'sy', 'sz', 'ex', 'ey', 'ez', 'minx', 'miny', 'minz', 'maxx', 'maxy', 'maxz'];
const header: RowHeader = { game: 'toy', map: 'room', kind: 'trace', columns: question };
/** A player who walks into the pillar, whose side is at y = -32. */
const row: Row = [0, -128, 32, 0, 0, 32, -16, -16, -24, 16, 16, 32];

const asked: string[] = [];
const options: OpenOptions = {
  formats: [toy],
  load(game, map, sha256) {
    asked.push(`${game}/${map} ${sha256}`);
    return toyMap();
  },
};
const open = (some: Partial<RowHeader>) => openTable({ ...header, ...some }, options);

describe('openTable', () => {
  const table = open({});
  const columns = table.header.columns!;
  const answer = table.answer(row);

  it('opens the map that the header names, once, and not before all columns are there', () => {
    for (const given of [columns, question]) {
      asked.length = 0;
      open({ map: 'hall', sha256: 'abc', columns: [...given] });
      expect(asked).toEqual(['toy/hall abc']);
    }
    asked.length = 0;
    expect(() => open({ columns: question.slice(1) })).toThrow('missing columns: sx');
    expect(() => openTable({ ...header, columns: undefined as never }, options)).toThrow(
      'columns is missing',
    );
    expect(asked).toEqual([]);
  });

  it('refuses a header without columns for rows that are arrays', () => {
    const { columns: _, ...without } = header;
    expect(() => openTable(without, options)).toThrow(
      /^line 1: columns is missing; questions of this kind have sx, sy, sz, /,
    );
  });

  it('refuses it for a single question too', () => {
    const kind: RowKind = { question: ['x'], results: ['y'], open: () => ({ answer() {} }) };
    const kinds: RowKinds = { one: kind };
    const one = { game: 'toy', map: 'room', kind: 'one' };
    expect(() => openTable(one, { ...options, kinds: { toy: kinds } })).toThrow(
      'line 1: columns is missing; questions of this kind have x',
    );
    const none: RowKinds = { one: { ...kind, question: [] } };
    expect(openTable(one, { ...options, kinds: { toy: none } }).header).toEqual(one);
  });

  it('knows how many cells a row may have', () => {
    expect(() => table.answer([1])).toThrow(`has 1 cell, but there are ${question.length} columns`);
    expect(() => open({ columns }).answer([1])).toThrow(
      `there are ${columns.length} columns, ${question.length} without those of the answer`,
    );
  });

  it('adds the columns of the answers if there are none', () => {
    expect(columns.slice(0, question.length)).toEqual(question);
    expect(columns).toContain('fraction');
    expect(answer).toHaveLength(columns.length);
    expect(answer[columns.indexOf('endy')]).toBe(-48.03125);
    expect(answer[columns.indexOf('ny')]).toBe(-1);
    expect(row).toHaveLength(question.length);
  });

  it('gives the same for rows with and without cells for the answers, wherever their columns are', () => {
    const order = [...columns].reverse();
    const turned = open({ columns: order });
    expect(turned.header.columns).toBe(order);
    const questions = [...row].reverse();
    const cells = order.map((name) => (question.includes(name) ? row[question.indexOf(name)]! : null));
    const stale = cells.map((cell) => cell ?? 99);
    for (const given of [questions, cells, stale]) {
      expect(turned.answer(given)).toEqual([...answer].reverse());
    }
  });

  it('answers some columns only when only some are there', () => {
    const some = open({ columns: [...question, 'ny'] });
    expect(some.header.columns).toEqual([...question, 'ny']);
    expect(some.answer(row)).toEqual([...row, -1]);
  });

  it('accepts lines between the rows, in order, and copies them', () => {
    const boxes = open({ kind: 'boxes', columns: ['number', 'width'] });
    expect(boxes.answer([0, null])).toEqual([0, [544, 544, 16]]);
    const line = { model: 1, note: 'the lift' };
    expect(boxes.answer(line)).toEqual(line);
    expect(boxes.answer([0])).toEqual([0, [80, 80, 8]]);
    // Also in a table that lacks the answers' columns.
    const bare = open({ kind: 'boxes', columns: ['number'] });
    bare.answer(line);
    expect(bare.answer([0])).toEqual([0, [80, 80, 8]]);
    expect(() => bare.answer({ model: 7 })).toThrow(RangeError);
  });

  it('answers rows that are objects', () => {
    const { columns: none, ...bare } = header;
    const contents = openTable({ ...bare, kind: 'contents' }, options);
    const object = { at: [150, 150, 10], names: ['stale'] };
    expect(contents.answer(object)).toEqual({ at: [150, 150, 10], names: ['water'] });
    expect(object.names).toEqual(['stale']);
    expect(() => contents.answer([1])).toThrow('is an array, but rows of this kind are objects');
  });

  it('takes kinds from packages besides the formats, if the format has none of that name', () => {
    const kind: RowKind = {
      question: [],
      results: ['x'],
      open: () => ({ answer: (cells) => cells.fill(7) }),
    };
    const kinds: RowKinds = { smell: kind, trace: kind };
    const other = { ...options, kinds: { toy: kinds, chess: kinds } };
    expect(openTable({ ...header, kind: 'smell', columns: ['x'] }, other).answer([null])).toEqual([7]);
    expect(openTable(header, other).answer(row)).toEqual(answer);
  });

  it('refuses what it cannot answer', () => {
    expect(() => open({ columns }).answer(row.slice(1))).toThrow('has 11 cells, but there are 23 columns');
    expect(() => table.answer(row.slice(1))).toThrow('has 11 cells, but there are 12 columns');
    expect(() => open({ game: 'chess' })).toThrow(new RangeError("no such game: 'chess'; there are toy"));
    const known = "no such kind of Toy rows: 'smell'; there are trace, boxes, contents";
    expect(() => open({ kind: 'smell' })).toThrow(new RangeError(known));
    for (const kind of ['constructor', 'toString']) {
      expect(() => open({ kind })).toThrow('no such kind');
    }
    expect(() =>
      openTable({ ...header, kind: 'smell' }, { ...options, kinds: { toy: { taste: toy.rows.trace! } } }),
    ).toThrow(`${known}, taste`);
    expect(() => table.answer({ surface: 1 })).toThrow('is an object, but rows of this kind are arrays');
    expect(() => table.answer([null, ...row.slice(1)])).toThrow(/^cell 1 \(sx\) is not a number: null$/);
    expect(() => open({ columns: question.slice(2, -1) })).toThrow(/^missing columns: sx, sy, maxz$/);
  });
});
