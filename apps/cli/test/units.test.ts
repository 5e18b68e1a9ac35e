import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { count, show, showVec } from '@bspkit/words';
import { describe, expect, it, vi } from 'vitest';
import {
  parseBox,
  parseCapsule,
  parseCount,
  parseNumber,
  parsePoint,
  parsePoints,
} from '../src/arguments.ts';
import { MapError } from '../src/errors.ts';
import { readFile } from '../src/files.ts';
import { splitPacked } from '../src/maps.ts';
import { countInWords, listed, showBytes, showTime } from '../src/numbers.ts';
import type { OpenMap } from '../src/open-map.ts';
import { Page, wantsColor } from '../src/page.ts';
import { Picture } from '../src/picture.ts';
import { chosenPresets, type Preset } from '../src/presets.ts';
import { printable } from '../src/printable.ts';
import { Session } from '../src/session.ts';
import { bar, dropEmptyColumns, formatFields, formatTable, formatTables, width, wrap } from '../src/table.ts';
import { temporaryFolder, WINDOWS } from './bspkit.ts';

describe('numbers for people', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [-0.00001, '0'],
    [100, '100'],
    [1.5, '1.5'],
    [1 / 3, '0.3333'],
    [-511.875, '-511.875'],
    [1e20, '100000000000000000000'],
    [1e30, '1e+30'],
    [Math.fround(-3.4e38), '-3.4e+38'],
  ])('%d is %s', (value, text) => expect(show(value)).toBe(text));

  it('come in threes', () => expect(showVec(Float32Array.of(1, -0, 0.1))).toBe('1 0 0.1'));

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1500, '1.5 kB'],
    [150_499, '150 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [1e9, '1 GB'],
  ])('%d bytes are %s', (bytes, text) => expect(showBytes(bytes)).toBe(text));

  it.each([
    [0.0425, '43 µs'],
    [4.25, '4.3 ms'],
    [425, '425 ms'],
    [4250, '4.3 s'],
    [425_000, '7 min 5 s'],
    [0.9996, '1 ms'],
    [999.6, '1 s'],
    [59_960, '1 min 0 s'],
    [119_600, '2 min 0 s'],
  ])('%d milliseconds are %s', (time, text) => expect(showTime(time)).toBe(text));
});

describe('words', () => {
  it('count', () => {
    expect(count(1, 'brush', 'brushes')).toBe('1 brush');
    expect(count(2000, 'brush', 'brushes')).toBe('2,000 brushes');
    expect([1, 3, 11].map((n) => countInWords(n, 'game'))).toEqual(['one game', 'three games', '11 games']);
  });

  it('list', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => listed(items))).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
  });
});

describe('arguments', () => {
  it('are numbers between commas or spaces', () => {
    expect(parsePoint('1,-2.5,3e2')).toEqual([1, -2.5, 300]);
    expect(parsePoint(' 1 , .5  -0 ')).toEqual([1, 0.5, -0]);
    expect(parsePoints('1,2,3')).toEqual([1, 2, 3]);
    expect(parsePoints('1,2,3, 4 5 -0')).toEqual([1, 2, 3, 4, 5, -0]);
    expect(parseBox('-1,-1,-1,1,1,1')).toHaveLength(6);
    expect(parseCapsule('16,56')).toEqual([16, 56]);
    expect(parseCount('7')).toBe(7);
  });

  it.each(['', ' ', 'x', '1x', '0x10', 'Infinity', 'NaN', '--1'])("refuse '%s' as a number", (text) => {
    expect(() => parseNumber(text)).toThrow('is not a number');
  });

  it.each(['1e39', '-1e400'])("refuse '%s' as beyond float32", (text) => {
    expect(() => parseNumber(text)).toThrow(`'${text}' is too large: numbers go up to 3.4e38`);
  });

  it.each(['', '1,2', '1,2,3,4', '1,,3', '1;2;3'])("refuse '%s' as a point", (text) => {
    expect(() => parsePoint(text)).toThrow();
    expect(() => parsePoints(text)).toThrow();
  });

  it.each(['-1', '1.5', ''])("refuse '%s' as a count", (text) =>
    expect(() => parseCount(text)).toThrow('whole number'),
  );
});

describe('names of maps', () => {
  it('are split at the last archive, whatever is in them', () => {
    expect(splitPacked('a.pk3')).toEqual({ path: 'a.pk3', inner: undefined });
    expect(splitPacked('a.pk3:maps/b.bsp')).toEqual({ path: 'a.pk3', inner: 'maps/b.bsp' });
    expect(splitPacked('a.pk3:b\n.bsp')).toEqual({ path: 'a.pk3', inner: 'b\n.bsp' });
    // A file of questions may have that for a map. Every colon was tried with all that follows: for hours.
    const long = `x${'.pk3:'.repeat(500_000)}`;
    expect(splitPacked(`${long}\n`)).toEqual({ path: long.slice(0, -1), inner: '\n' });
  });
});

describe('presets', () => {
  it('are asked whether they suit a map only if they are chosen', () => {
    const asked: string[] = [];
    const suits = (name: string) => (): boolean => asked.push(name) > 0 && name !== 'unfit';
    const made = (['point', 'body', 'unfit'] as const).map((name) => {
      const role = name === 'point' ? 'point' : 'body';
      return { name, kind: role, role, measured: name !== 'body', suits: suits(name) } satisfies Preset;
    });
    const map = { format: { tracers: { presets: made } } } as unknown as OpenMap;
    const choose = (choice: string): string[] => {
      asked.length = 0;
      return chosenPresets([map], choice).map(({ preset }) => preset.name);
    };
    expect([choose('rays'), [...asked]]).toEqual([['point'], ['point']]);
    expect([choose('shapes'), [...asked]]).toEqual([['point'], ['point', 'unfit']]);
    expect([choose('body,point'), [...asked]]).toEqual([
      ['body', 'point'],
      ['body', 'point'],
    ]);
    expect([choose('all'), asked.length]).toEqual([['point', 'body'], 3]);
  });
});

describe('input', () => {
  it('is shown in one line, without control characters', () => {
    expect(printable('a\x1b[31m\r\nb\x7f\x9b\u202e\u2066ü')).toBe(
      'a\\u001b[31m\\u000d\\u000ab\\u007f\\u009b\\u202e\\u2066ü',
    );
    expect(printable('x'.repeat(10_000_000))).toBe(`${'x'.repeat(300)}…`);
    // Half of a character is none.
    expect(printable('ab😀cd', 3)).toBe('ab…');
    expect(printable('ab😀cd', 4)).toBe('ab😀…');
  });

  describe('is read up to a limit', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'file');
    const silent = { isTTY: false, write: () => true };
    const session = new Session({ stdout: silent, stderr: silent, env: {}, cwd: '/' }, [], []);
    writeFileSync(file, 'x'.repeat(200_000));

    it('from a file', () => {
      expect(readFile(file, 200_000, session)).toHaveLength(200_000);
      expect(() => readFile(file, 199_999, session)).toThrow('has 200 kB, but at most 200 kB are read');
      expect(() => readFile(devNull, 10, session)).toThrow(`${devNull}: is not a file`);
    });

    it('unless there is no memory for it', () => {
      const noMemory = vi.fn(() => {
        throw new RangeError('Array buffer allocation failed');
      });
      vi.stubGlobal('Uint8Array', noMemory);
      try {
        expect(() => readFile(file, 200_000, session)).toThrow(
          new MapError(`${file}: needs 200 kB of memory, more than is free`),
        );
      } finally {
        vi.unstubAllGlobals();
      }
    });

    it.skipIf(WINDOWS)('from a pipe', () => {
      const pipe = join(folder, 'pipe');
      spawnSync('mkfifo', [pipe]);
      /** Reads what somebody else writes to the pipe. */
      const read = (limit: number): Uint8Array => {
        const writer = spawn('cp', [file, pipe]);
        writer.unref();
        return readFile(pipe, limit, session);
      };
      expect(Buffer.from(read(200_000)).equals(readFileSync(file))).toBe(true);
      expect(() => read(199_999)).toThrow(`${pipe}: has more, but at most 200 kB are read`);
    });
  });
});

describe('tables', () => {
  it('may have more rows than a call has arguments', () => {
    const rows = Array.from({ length: 150_000 }, () => ['a']);
    expect(formatTable([{ title: 'name' }], rows)).toHaveLength(5 + 2 * rows.length);
  });

  it('align their columns, whatever the colours', () => {
    const rows = [
      ['a', '1'],
      ['\x1b[31mlonger\x1b[39m', '1,000'],
    ];
    expect(formatTable([{ title: 'name' }, { title: 'number', align: 'right' }], rows)).toBe(
      'name    number\na            1\n\x1b[31mlonger\x1b[39m   1,000\n',
    );
    expect(width('\x1b[1m▪▪\x1b[22m')).toBe(2);
  });

  it('leave out columns that are empty or 0 in all rows', () => {
    const columns = ['name', 'none', 'zero', 'some'].map((title) => ({ title }));
    const rows = [
      ['a', '', '0.0', '0'],
      ['b', '0', '', '7'],
    ];
    const kept = dropEmptyColumns({ columns, rows });
    expect(kept.columns.map(({ title }) => title)).toEqual(['name', 'some']);
    expect(kept.rows).toEqual([
      ['a', '0'],
      ['b', '7'],
    ]);
  });

  it('have bars that are never quite empty', () => {
    expect([0, 0.01, 0.5, 1].map((share) => bar(share, 4).length)).toEqual([1, 1, 2, 4]);
  });

  it('are cut into several where they are too wide', () => {
    const columns = ['name', 'first', 'second', 'third'].map((title) => ({ title }));
    const rows = [['a', '1', '2', '3']];
    expect(formatTables(columns, rows, 26)).toBe(formatTable(columns, rows));
    expect(formatTables(columns, rows, 25)).toBe(
      'name  first  second\na     1      2\n\nname  third\na     3\n',
    );
    expect(formatTables(columns, rows, 1).match(/^name/gm)).toHaveLength(3);
    expect(formatTables([{ title: 'alone' }], [['a']], 1)).toBe('alone\na\n');
  });

  it('have long names wrapped where nothing fits beside them', () => {
    const columns = [{ title: 'contents' }, { title: 'brushes', align: 'right' as const }];
    const rows = [
      ['solid level1 level2', '7'],
      ['solid', '12'],
    ];
    expect(formatTables(columns, rows, 28)).toBe(
      'contents             brushes\nsolid level1 level2        7\nsolid                     12\n',
    );
    expect(formatTables(columns, rows, 27)).toBe(
      'contents      brushes\nsolid level1        7\n  level2\nsolid              12\n',
    );
    // A name of one word stays whole.
    expect(formatTables(columns, [['textures/arena/stone', '1']], 20)).toContain(
      'textures/arena/stone        1\n',
    );
  });

  it('have drawings at the end, as wide as there is room, or none', () => {
    const columns = ['name', 'first', 'second'].map((title) => ({ title }));
    const drawings = {
      title: 'bar',
      least: 3,
      most: 5,
      draw: (_: number, places: number) => '▪'.repeat(places),
    };
    const text = (room: number): string =>
      formatTables(columns, [['a', '1', '2']], room, undefined, drawings);
    expect(text(80)).toBe('name  first  second  bar\na     1      2       ▪▪▪▪▪\n');
    expect(text(24)).toBe('name  first  second  bar\na     1      2       ▪▪▪\n');
    expect(text(23)).toBe('name  first  second\na     1      2\n');
    expect(text(18)).toBe('name  first\na     1\n\nname  second  bar\na     2       ▪▪▪▪\n');
  });

  it('put values below each other', () => {
    const fields = [
      ['a', 'x'],
      ['long', 'y'],
    ] as const;
    expect(formatFields(fields, 80)).toBe('  a     x\n  long  y\n');
    expect(formatFields([], 80)).toBe('');
    expect(formatFields([['a', 'one two three']], 12)).toBe('  a  one two\n     three\n');
  });
});

describe('lines that are too long', () => {
  it.each([
    ['fits', 4, 'fits'],
    ['one two three', 9, 'one two\n  three'],
    ['  one  two three', 13, '  one\n  two three'],
    ['endless', 3, 'endless'],
    ['a endless b', 3, 'a\n  endless\n  b'],
    ['\x1b[1mone\x1b[22m two', 7, '\x1b[1mone\x1b[22m two'],
  ])('%j in %d places', (text, room, lines) => expect(wrap(text, room, 2)).toBe(lines));
});

describe('colours', () => {
  const output = { isTTY: true, hasColors: () => true, write: () => true };

  it('are used on terminals that have them', () => {
    expect(wantsColor(output, {})).toBe(true);
    expect(wantsColor({ ...output, hasColors: () => false }, {})).toBe(false);
    expect(wantsColor({ ...output, isTTY: false }, {})).toBe(false);
    expect(wantsColor(output, { NO_COLOR: '1' })).toBe(false);
    expect(new Page(output, {}).heading('title')).toBe('\x1b[1mtitle\x1b[22m');
    expect(new Page({ ...output, isTTY: false }, {}).heading('title')).toBe('title');
  });

  it('and the width follow the terminal', () => {
    expect(new Page({ ...output, columns: 132 }, {}).width).toBe(132);
    expect(new Page({ ...output, isTTY: false, columns: undefined }, {}).width).toBe(80);
  });
});

describe('the picture', () => {
  it('has walls, ground, lines and marks, north up', () => {
    const picture = new Picture({ mins: [0, 0, 0], maxs: [80, 80, 0] }, 10);
    picture.survey((x, y) => (x < 8 || y < 8 ? 'wall' : x > 56 && y > 48 ? 'water' : 'floor'));
    picture.line([20, 60, 0], [44, 60, 0], 'yellow');
    picture.mark([44, 60, 0], 'X', 'yellow');
    expect(picture.draw((_, text) => text)).toBe(
      ['█      ~~~', '█ ⠐⠒⠒X ~~~', '█', '█', '█▄▄▄▄▄▄▄▄▄', ''].join('\n'),
    );
  });
});
