import { compare, defineTracer, type TracerReport } from '@bspkit/compare';
import { describe, expect, it } from 'vitest';
import { appendCsv, cpuFileName } from '../src/report/csv.ts';
import { insertMarkdown, reportMarkdown } from '../src/report/markdown.ts';
import { reportSvg } from '../src/report/svg.ts';
import { reportText } from '../src/report/text.ts';
import type { Report } from '../src/result.ts';

/** What was found about a library, with figures of our own. */
function peer(name: string, median: number, share = 1): TracerReport {
  const tracer = defineTracer({ shape: { kind: 'ray' }, trace: (_start, _end, out) => out });
  const [report] = compare([{ name, tracer }], new Float32Array(6), { rounds: 0 }).tracers;
  return {
    ...report!,
    hits: 1000,
    agreement: { ...report!.agreement, share },
    time: { median, low: median, high: median, min: median - 1, max: median + 1, rounds: 1, speed: 1 },
    allocated: 0,
  };
}

const report: Report = {
  cpu: 'Fast & Sound(R) CPU <9>',
  node: 'v20.0.0',
  clock: 'cpu',
  seed: 1,
  rounds: 1,
  maps: [
    {
      map: 'arena',
      triangles: 1234,
      load: { coldMs: undefined, warmMs: 2, lumps: 2000, world: 1500 },
      builds: [
        { peer: 'ours', buildMs: 2, builtFrom: 'bytes', bytes: 1500 },
        { peer: 'other', buildMs: 4, builtFrom: 'triangles', bytes: undefined },
      ],
      series: [
        {
          shape: 'ray',
          motion: 'long',
          queries: 2000,
          peers: [peer('ours', 100), peer('other', 250, 0.75)],
        },
        { shape: 'box', motion: 'step', queries: 2000, peers: [peer('ours', 1200)] },
      ],
    },
  ],
};

describe('the report as text', () => {
  const lines = reportText(report).split('\n');

  it('gives times with their spread, and ratios to the first', () => {
    const ray = lines.find((line) => /^arena +ray +long/.test(line));
    expect(ray).toContain('100 (99..101)');
    expect(ray).toContain('250 (249..251) x2.50');
  });

  it('gives agreement, and a dash for a peer that does not offer a shape', () => {
    expect(reportText(report)).toContain('50.00 % hit, 75.00 % agree, 0 B');
    expect(lines.find((line) => /^arena +box +step/.test(line))).toMatch(/ -$/);
  });

  it('compares memory with the lumps', () => {
    expect(lines.find((line) => line.includes('0.75') && line.includes('1,234'))).toBeDefined();
  });
});

describe('the report as Markdown', () => {
  it('has tables of equal width', () => {
    const tables = reportMarkdown(report)
      .split('\n\n')
      .filter((block) => block.startsWith('|'));
    expect(tables.length).toBe(3);
    for (const table of tables) {
      const widths = new Set(
        table
          .trim()
          .split('\n')
          .map((line) => line.split('|').length),
      );
      expect(widths.size).toBe(1);
    }
  });

  it('goes between the markers and leaves the rest', () => {
    const begin = '<!-- results: written by the benchmark, do not edit -->';
    const page = `# Title\n\n${begin}\nold\n<!-- end of results -->\n\nEnd.\n`;
    const once = insertMarkdown(page, 'new\n');
    expect(once).toBe(`# Title\n\n${begin}\n\nnew\n\n<!-- end of results -->\n\nEnd.\n`);
    expect(insertMarkdown(once, 'new\n')).toBe(once);
  });

  it('is the whole page where there are no markers, and refuses half a pair', () => {
    expect(insertMarkdown(undefined, 'new\n')).toBe('new\n');
    expect(insertMarkdown('old', 'new\n')).toBe('new\n');
    expect(() => insertMarkdown('<!-- end of results -->', 'new\n')).toThrow(RangeError);
  });
});

describe('the report as SVG', () => {
  const svg = reportSvg(report);

  it('is the same for the same report', () => expect(reportSvg(report)).toBe(svg));

  it('has a bar for each time, the longest of each group at full length', () => {
    const bars = [...svg.matchAll(/<rect x="210" y="[\d.]+" width="([\d.]+)" height="12" fill="#/g)];
    // One of the four belongs to the legend of the first peer.
    expect(bars.map((bar) => bar[1])).toEqual(['12', '208', '520', '520']);
  });

  it('is well-formed: what it names is escaped, and all tags are closed', () => {
    expect(svg).toContain('Fast &amp; Sound(R) CPU &lt;9&gt;');
    const open = [...svg.matchAll(/<(svg|text|rect)\b[^>]*?(\/?)>/g)].filter((tag) => tag[2] === '').length;
    expect([...svg.matchAll(/<\/(svg|text|rect)>/g)].length).toBe(open);
  });
});

describe('the kept results', () => {
  it('are in a file named after the processor', () => {
    expect(cpuFileName(report.cpu)).toBe('fast-sound-cpu-9.csv');
    expect(cpuFileName('  ')).toBe('unknown.csv');
  });

  it('begin with a heading and grow by a row a time', () => {
    const first = appendCsv(undefined, report, '2026-01-31');
    const second = appendCsv(first, report, '2026-02-01');
    expect(first.split('\n').length).toBe(1 + 3 + 1);
    expect(second.startsWith(first)).toBe(true);
    expect(second.trim().split('\n').length).toBe(1 + 6);
    expect(first).toContain('2026-01-31,v20.0.0,cpu,arena,ray,long,2000,other,250,249,251,2.5,0.75,0');
  });

  it('quote what needs it', () => {
    const named = { ...report, maps: [{ ...report.maps[0]!, map: 'a,"b"' }] };
    expect(appendCsv(undefined, named, '2026-01-31')).toContain('"a,""b"""');
  });
});
