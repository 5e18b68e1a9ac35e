import { describe, expect, it } from 'vitest';
import { checkHeader, formatRow, parseHeader, parseRow, parseTable, sameCell } from '../src/index.ts';

const header = { game: 'toy', map: 'room', kind: 'x' };
const text = JSON.stringify(header);

describe('tables', () => {
  it('keep numbers and signs of zero through reading and writing', () => {
    const line = '[1,-0,0.1,null,"a",[2,[-0]]]';
    expect(formatRow(parseRow(line, 2))).toBe(line);
    expect(formatRow({ a: [-0], b: undefined, c: { d: 'x' } })).toBe('{"a":[-0],"c":{"d":"x"}}');
    expect(formatRow(undefined)).toBe('null');
    expect(parseTable(`${text}\n[1]\n\n{"a":2}\r\n \n`)).toEqual({ header, lines: [[1], { a: 2 }] });
    // Blank lines count, as in editors.
    expect(() => parseTable(`${text}\n[1]\n\n[1`)).toThrow(/^line 4 is not/);
  });

  it('keep every field of a header', () => {
    const tiles = [{ map: 'a', x: 0, y: 1, z: 0, heads: 5 }];
    const full = { v: 1, ...header, sha256: 'abc', columns: ['a', 'b'], tiles, models: [{}] };
    expect(parseHeader(JSON.stringify(full))).toEqual(full);
  });

  it.each(['', '[]', 'null', '{', '5'])("refuse '%s' as a header", (line) => {
    expect(() => parseHeader(line)).toThrow(/^line 1 is not/);
  });

  it.each([
    [{ game: undefined }, 'game is missing; it must be text'],
    [{ map: undefined }, 'map is missing; it must be text'],
    [{ kind: undefined }, 'kind is missing; it must be text'],
    [{ map: 5 }, 'map must be text, got 5'],
    [{ map: '' }, 'map must be text, got ""'],
    [{ kind: ['trace'] }, 'kind must be text, got ["trace"]'],
    [{ sha256: null }, 'sha256 must be text, got null'],
    [{ columns: 'y' }, 'columns must be a list of names, got "y"'],
    [{ columns: ['x', 5] }, 'columns[1] must be text, got 5'],
    [{ columns: ['x', 'y', 'x'] }, 'columns has "x" twice'],
    [{ tiles: 5 }, 'tiles must be a list of maps, got 5'],
    [{ tiles: [] }, 'tiles must be a list of maps, got []'],
    [{ tiles: ['a'] }, 'tiles[0] must be an object, got "a"'],
    [{ tiles: [{ x: 0, y: 0, z: 0 }] }, 'tiles[0].map is missing; it must be text'],
    [{ tiles: [{ map: 'a', x: 0, y: '0', z: 0 }] }, 'tiles[0].y must be a number, got "0"'],
    [{ tiles: [{ map: 'a', sha256: 1, x: 0, y: 0, z: 0 }] }, 'tiles[0].sha256 must be text, got 1'],
  ])('name the field that is wrong: %j', (change, problem) => {
    expect(() => checkHeader({ ...header, ...change })).toThrow(new SyntaxError(`line 1: ${problem}`));
  });

  it('have limits for the work that a header can cause', () => {
    const tiles = Array.from({ length: 257 }, () => ({ map: 'a', x: 0, y: 0, z: 0 }));
    expect(() => checkHeader({ ...header, tiles })).toThrow('tiles has 257 maps, but at most 256 are read');
    expect(() => checkHeader({ ...header, tiles: tiles.slice(1) })).not.toThrow();
    // As many as a line of a few MB can name; comparing each with all others would take minutes.
    const columns = Array.from({ length: 500_000 }, (_, k) => `c${k}`);
    expect(checkHeader({ ...header, columns })).toEqual({ ...header, columns });
  });

  it.each(['', '1', '"x"', 'null', '['])("refuse '%s' as a row", (line) => {
    expect(() => parseRow(line, 7)).toThrow(/^line 7 /);
  });

  it('are not nested deeper than can be walked', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(formatRow(parseRow(nested(32), 2))).toBe(nested(32));
    expect(() => parseRow(nested(33), 2)).toThrow('line 2 is nested more than 32 deep: [[[');
    expect(() => parseRow(`[1,{"a":${nested(200_000)}}]`, 2)).toThrow('line 2 is nested more than 32 deep');
    expect(() => parseHeader(`{"game":${nested(100_000)}}`)).toThrow('line 1 is nested more than 32 deep');
  });

  it('show only the beginning of a long line', () => {
    expect(() => parseRow('x'.repeat(1000), 7)).toThrow(`line 7 is not JSON: ${'x'.repeat(60)}…`);
  });
});

describe('sameCell', () => {
  it.each([
    [0.1, Math.fround(0.1)],
    [
      [1, [0.1, null]],
      [1, [Math.fround(0.1), null]],
    ],
    [{ a: [1] }, { a: [1] }],
    [null, null],
    ['a', 'a'],
    // The same float32, in nine digits and in full.
    [Number(Math.fround(1.23456789e20).toPrecision(9)), Math.fround(1.23456789e20)],
    [Number(Math.fround(1.23456789e9).toPrecision(9)), Math.fround(1.23456789e9)],
    [16777216.5, 16777216],
  ])('takes %j and %j for the same', (a, b) => {
    expect(sameCell(a, b)).toBe(true);
  });

  it.each([
    [0, -0],
    [[0], [-0]],
    [1, '1'],
    [null, 0],
    [null, undefined],
    [[1], [1, 2]],
    [[], {}],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [0.1, 0.10000001],
    // Contents: bits, all of which count.
    [0x20000001, 0x20000000],
    [-2147483647, -2147483648],
    [0xffffffff, 0xfffffffe],
  ])('tells %j and %j apart', (a, b) => {
    expect(sameCell(a, b)).toBe(false);
    expect(sameCell(b, a)).toBe(false);
  });
});
