import { describe, expect, it } from 'vitest';
import { appendCsv, cpuFileName, readCsv } from '../src/report/csv.ts';
import { processorsGrid } from '../src/report/processors.ts';
import type { Report } from '../src/result.ts';
import { peer, report } from './figures.ts';

describe('the kept results', () => {
  it('are in a file named after the processor', () => {
    expect(cpuFileName(report.cpu)).toBe('fast-sound-cpu-9.csv');
    expect(cpuFileName('  ')).toBe('unknown.csv');
  });

  it('begin with a heading and grow by a row a time', () => {
    const first = appendCsv(undefined, report);
    const second = appendCsv(first, { ...report, date: '2026-02-01' });
    expect(first.split('\n').length).toBe(1 + 5 + 1);
    expect(second.startsWith(first)).toBe(true);
    expect(second.trim().split('\n').length).toBe(1 + 10);
    expect(first).toContain('2026-01-31,v20.0.0,cpu,arena,moves,walk,400,C,2000,1999,2001,0.66667,1,0');
    expect(first).toContain('2026-01-31,v20.0.0,cpu,arena,ray,long,2000,other,250,249,251,2.5,0.75,0');
  });

  it('have counts as they are, and what was measured to five digits', () => {
    const [map] = report.maps;
    const series = { ...map!.series[0]!, queries: 1_234_567, peers: [peer('bspkit', 123.456_789)] };
    const csv = appendCsv(undefined, { ...report, maps: [{ ...map!, series: [series] }] });
    expect(readCsv(csv)[0]).toMatchObject({ queries: '1234567', median_ns: '123.46' });
  });

  it('stay as they are if nothing was traced', () => {
    const nothing = { ...report, maps: [{ ...report.maps[0]!, series: [], moves: undefined }] };
    const first = appendCsv(undefined, report);
    expect(appendCsv(first, nothing)).toBe(first);
    expect(readCsv(appendCsv(undefined, nothing))).toEqual([]);
  });

  it('lose one row where a run was interrupted while it wrote', () => {
    const [first, second] = [appendCsv(undefined, report), { ...report, date: '2026-02-01' }];
    for (const cut of [1, 5, 20]) {
      const found = readCsv(appendCsv(first.slice(0, -cut), second));
      const dates = found.map(({ date }) => date);
      // Without its end of line, the row is whole.
      const before = new Array(cut === 1 ? 5 : 4).fill('2026-01-31');
      expect(dates, `${cut} letters less`).toEqual([...before, ...new Array(5).fill('2026-02-01')]);
    }
  });

  it('quote what needs it', () => {
    const named = { ...report, maps: [{ ...report.maps[0]!, map: 'a,"b"' }] };
    const csv = appendCsv(undefined, named);
    expect(csv).toContain('"a,""b"""');
    expect(readCsv(csv)[0]).toMatchObject({
      date: '2026-01-31',
      map: 'a,"b"',
      shape: 'ray',
      median_ns: '100',
    });
  });

  it('show the latest run of each processor against C, without tests', () => {
    const [map] = report.maps;
    const [series] = map!.series;
    const timed = (ours: number, native: number): Report => {
      const peers = [peer('bspkit', ours), peer('C', native)];
      const tests = { ...series!, motion: 'sight' as const, peers: [peer('bspkit', 1), peer('C', 900)] };
      return { ...report, maps: [{ ...map!, map: 'game/arena', series: [{ ...series!, peers }, tests] }] };
    };
    const early = appendCsv(undefined, timed(100, 150));
    const twice = appendCsv(early, { ...timed(100, 250), date: '2026-02-01' });
    const late = appendCsv(twice, { ...timed(100, 300), date: '2026-02-01' });
    const grid = processorsGrid([
      { processor: 'one', csv: early },
      { processor: 'two', csv: late },
      { processor: 'three', csv: appendCsv(undefined, { ...report, date: '2026-02-01' }) },
    ]);
    expect(grid.head).toEqual(['map', 'one, 2026-01-31', 'two, 2026-02-01', 'three, 2026-02-01']);
    expect(grid.rows).toEqual([['game/arena', '1.50', '3.00', '-']]);
    // A later run, on a machine that is slower meanwhile, has nothing of C.
    const alone = { ...series!, peers: [peer('bspkit', 400)] };
    const slow = { ...report, maps: [{ ...map!, map: 'game/arena', series: [alone] }] };
    const later = processorsGrid([
      { processor: 'two', csv: appendCsv(late, { ...slow, date: '2026-02-01' }) },
    ]);
    expect(later.rows).toEqual([['game/arena', '3.00']]);
  });
});
