import { describe, expect, it } from 'vitest';
import { parseBox, parseCapsule, parseCount, parseNumber, parsePoint } from '../src/arguments.ts';
import { show, showBytes, showTime, showVec } from '../src/numbers.ts';
import { Picture } from '../src/picture.ts';
import { showProgress, showStages } from '../src/progress.ts';
import { wantsColor } from '../src/style.ts';
import { bar, dropEmptyColumns, formatFields, formatTable, width } from '../src/table.ts';

describe('numbers for people', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [-0.00001, '0'],
    [100, '100'],
    [1.5, '1.5'],
    [1 / 3, '0.3333'],
    [-511.875, '-511.875'],
  ])('%d is %s', (value, text) => expect(show(value)).toBe(text));

  it('come in threes', () => expect(showVec(Float32Array.of(1, -0, 0.1))).toBe('1 0 0.1'));

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1536, '1.5 kB'],
    [150 * 1024, '150 kB'],
    [2 ** 30, '1 GB'],
  ])('%d bytes are %s', (bytes, text) => expect(showBytes(bytes)).toBe(text));

  it.each([
    [0.0425, '43 µs'],
    [4.25, '4.3 ms'],
    [425, '425 ms'],
    [4250, '4.3 s'],
    [425_000, '7 min 5 s'],
  ])('%d milliseconds are %s', (time, text) => expect(showTime(time)).toBe(text));
});

describe('arguments', () => {
  it('are numbers between commas or spaces', () => {
    expect(parsePoint('1,-2.5,3e2')).toEqual([1, -2.5, 300]);
    expect(parsePoint(' 1 , .5  -0 ')).toEqual([1, 0.5, -0]);
    expect(parseBox('-1,-1,-1,1,1,1')).toHaveLength(6);
    expect(parseCapsule('16,56')).toEqual([16, 56]);
    expect(parseCount('7')).toBe(7);
  });

  it.each(['', ' ', 'x', '1x', '0x10', 'Infinity', 'NaN', '1e39', '--1'])(
    "refuse '%s' as a number",
    (text) => {
      expect(() => parseNumber(text)).toThrow('is not a number');
    },
  );

  it.each(['', '1,2', '1,2,3,4', '1,,3', '1;2;3'])("refuse '%s' as a point", (text) => {
    expect(() => parsePoint(text)).toThrow();
  });

  it.each(['-1', '1.5', ''])("refuse '%s' as a count", (text) =>
    expect(() => parseCount(text)).toThrow('whole number'),
  );
});

describe('tables', () => {
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

  it('put values below each other', () => {
    expect(
      formatFields([
        ['a', 'x'],
        ['long', 'y'],
      ]),
    ).toBe('  a     x\n  long  y\n');
    expect(formatFields([])).toBe('');
  });
});

/** A stream that remembers, and a clock that is set by hand. */
function terminal(isTTY: boolean): {
  written: string[];
  time: { now: number };
  stream: { isTTY: boolean; write(text: string): boolean };
} {
  const written: string[] = [];
  return { written, time: { now: 0 }, stream: { isTTY, write: (text) => written.push(text) > 0 } };
}

describe('progress', () => {
  it('shows bar, share, rate and time left', () => {
    const { written, time, stream } = terminal(true);
    const progress = showProgress('rows', 4000, stream, () => time.now);
    progress.update(1);
    expect(written).toEqual([]);
    time.now = 500;
    progress.update(1000);
    expect(written).toEqual([
      `\r\x1b[2K${'█'.repeat(6)}${'░'.repeat(18)} 25 %  rows 1,000  2,000/s  1.5 s left`,
    ]);
    progress.end();
    expect(written.at(-1)).toBe('\r\x1b[2K');
  });

  it('shows count and rate where the total is not known', () => {
    const { written, time, stream } = terminal(true);
    const progress = showProgress('rows', undefined, stream, () => time.now);
    time.now = 1000;
    progress.update(50);
    expect(written).toEqual(['\r\x1b[2Krows 50  50/s']);
  });

  it('does not go beyond a total that was too low', () => {
    const { written, time, stream } = terminal(true);
    const progress = showProgress('rows', 10, stream, () => time.now);
    time.now = 1000;
    progress.update(50);
    expect(written[0]).toContain(`${'█'.repeat(24)} 100 %`);
    expect(written[0]).toContain('0 µs left');
  });

  it('names stages', () => {
    const { written, time, stream } = terminal(true);
    const stages = showStages(stream, () => time.now);
    time.now = 200;
    stages.update('tree', 0.5);
    stages.end();
    expect(written).toEqual([`\r\x1b[2K${'█'.repeat(12)}${'░'.repeat(12)} 50 %  tree`, '\r\x1b[2K']);
  });

  it('is silent elsewhere, and when it had no time to show', () => {
    const pipe = terminal(false);
    const progress = showProgress('rows', 10, pipe.stream, () => pipe.time.now);
    pipe.time.now = 1000;
    progress.update(5);
    progress.end();
    expect(pipe.written).toEqual([]);
    const quick = terminal(true);
    showProgress('rows', 10, quick.stream, () => 0).end();
    expect(quick.written).toEqual([]);
  });
});

describe('colours', () => {
  it('are for terminals that have them', () => {
    expect(wantsColor({ isTTY: true, hasColors: () => true })).toBe(true);
    expect(wantsColor({ isTTY: true, hasColors: () => false })).toBe(false);
    expect(wantsColor({ hasColors: () => true })).toBe(false);
  });
});

describe('the picture', () => {
  it('has walls, ground, lines and marks, north up', () => {
    const picture = new Picture({ mins: [0, 0, 0], maxs: [80, 80, 0] }, 10);
    picture.survey((x, y) => (x < 8 || y < 8 ? 'wall' : x > 56 && y > 48 ? 'water' : 'floor'));
    picture.line([20, 60, 0], [44, 60, 0], 'yellow');
    picture.mark([44, 60, 0], 'X', 'yellow');
    expect(picture.toString()).toBe(['█      ~~~', '█ ⠐⠒⠒X ~~~', '█', '█', '█▄▄▄▄▄▄▄▄▄', ''].join('\n'));
  });
});
