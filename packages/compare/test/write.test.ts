import { describe, expect, it } from 'vitest';
import {
  type Comparison,
  compare,
  comparisonJson,
  comparisonMarkdown,
  comparisonTable,
  differenceText,
  escapeMarkdown,
  showShare,
  type TracerReport,
} from '../src/index.ts';
import { changed, ground } from './tracers.ts';

/** Two tracers, timed by a clock of our own, with one difference. */
function sample(): Comparison {
  let time = 0;
  const slower = changed(ground(0), (trace, query) => {
    time += 0.25e-3;
    if (query === 1) trace.fraction = 0.25;
  });
  const faster = changed(ground(0), () => {
    time += 0.0625e-3;
  });
  return compare(
    [
      { name: 'ground | one', tracer: faster, explain: () => ({ steps: [{ kind: 'node' } as never] }) },
      { name: 'other', tracer: slower },
    ],
    Float32Array.of(0, 0, 10, 0, 0, -10, 0.1, 0, 10, 0, 0, -10, 0, 0, -4, 0, 0, -8),
    { now: () => time, rounds: 3, roundTime: 0.01, distance: 0.125 },
  );
}

describe('Markdown', () => {
  it('has the rule, a table and the differences', () => {
    expect(comparisonMarkdown(sample())).toBe(
      `3 queries, hits and misses. Answers are the same as those of ground \\| one when they have fractions within 0.0001 or ends within 0.125 units, sides with the same normal, and the same start solid and all solid. Speed is relative to ground \\| one in the same round: the median of 3.

| tracer | hits | start solid | all solid | same answers | widest gap | ns/query | quartiles | speed | nodes | leafs | brushes | sides |
| :-- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
| ground \\| one | 3 | 1 | 1 | baseline |  | 62.5 | 62.5–62.5 | 1.00 × | 1.00 | 0 | 0 | 0 |
| other | 3 | 1 | 1 | 66.67 % | 5.00 | 250 | 250–250 | 0.25 × |  |  |  |  |

**other** differs in fraction 1.

- query 1: fraction, 5.00 units apart;  from 0.1,0,10 to 0,0,-10:  0.25000 (normal 0 0 1.00), instead of 0.50000 (normal 0 0 1.00)
`,
    );
  });

  it('shows names as they are, whatever they would mean in Markdown', () => {
    const name = '<img src=x> [a](b) ![c](d) `e` *f* &lt; | \\\n# g';
    const shown = String.raw`\<img src=x> \[a\](b) !\[c\](d) \`e\` \*f\* \&lt; \| \\ # g`;
    expect(escapeMarkdown(name)).toBe(shown);
    const text = comparisonMarkdown(
      compare(
        [
          { name: `1 ${name}`, tracer: ground(0) },
          { name: `2 ${name}`, tracer: ground(-4) },
        ],
        Float32Array.of(0, 0, 10, 0, 0, -10),
        { rounds: 1, roundTime: 0 },
      ),
    );
    expect(text).toContain(`the same as those of 1 ${shown} when`);
    expect(text).toContain(`is relative to 1 ${shown} in`);
    expect(text).toContain(`| 2 ${shown} | `);
    expect(text).toContain(`**2 ${shown}** differs in`);
    expect(text).not.toContain(name);
    expect(() => escapeMarkdown(1 as never)).toThrow('text must be a string');
  });

  it.each([
    ['_a_ ~b~ __c__', String.raw`\_a\_ \~b\~ \_\_c\_\_`],
    ['maps/_a_/city2_c2_main.bsp', String.raw`maps/\_a\_/city2_c2_main.bsp`],
    ['# a', String.raw`\# a`],
    ['  ###### a ', String.raw`\###### a`],
    ['- a', String.raw`\- a`],
    ['+ a', String.raw`\+ a`],
    ['> a', String.raw`\> a`],
    ['12. a', String.raw`12\. a`],
    ['1) a', String.raw`1\) a`],
    ['---', String.raw`\---`],
    ['-- -  -', String.raw`\-- - -`],
    ['===', String.raw`\===`],
    // What means nothing there, as most cells of tables.
    ['-5', '-5'],
    ['3.14', '3.14'],
    ['--a', '--a'],
    ['#a - b + c', '#a - b + c'],
    ['2. ', String.raw`2\.`],
  ])('shows at the beginning of a line: %s', (text, shown) => {
    expect(escapeMarkdown(text)).toBe(shown);
  });

  it('has separators between thousands wherever a number is whole', () => {
    let time = 0;
    const slow = changed(ground(0), () => {
      time += 1.5;
    });
    // A clock that stood still while it traces would make its rounds as long as they may be.
    const fast = changed(ground(-2000), () => {
      time += 0.01;
    });
    const near = Float32Array.from({ length: 6 * 1200 }, (_, k) => [0, 0, 4000, 0, 0, -4000][k % 6]!);
    const tracers = [
      { name: 'low', tracer: slow },
      { name: 'high', tracer: fast },
    ];
    const report = compare(tracers, near, { now: () => time, rounds: 1, roundTime: 0.01 });
    const { columns, rows } = comparisonTable(report);
    const cell = (row: number, title: string): string =>
      rows[row]![columns.findIndex((column) => column.title === title)]!;
    expect(cell(0, 'hits')).toBe('1,200');
    expect(cell(1, 'widest gap')).toBe('2,000');
    expect(cell(0, 'ns/query')).toBe('1,500,000');
    expect(comparisonMarkdown(report)).toMatch(/^1,200 queries, /);
    expect(differenceText(report.tracers[1]!.agreement.worst[0]!)).toContain(
      '2,000 units apart;  from 0,0,4000 to',
    );
    expect(comparisonMarkdown(report)).toContain('differs in fraction 1,200');
    const [worst] = report.tracers[1]!.agreement.worst;
    // What is rounded up may have a digit more.
    expect(differenceText({ ...worst!, gap: 999.6 })).toContain('1,000 units apart;');
    expect(differenceText({ ...worst!, gap: 99.96 })).toContain('100.0 units apart;');
  });

  it('shows how far apart ends are also where that is little', () => {
    const { tracers, ...report } = sample();
    const [first, second] = tracers as readonly [TracerReport, TracerReport];
    const [worst] = second.agreement.worst;
    const shown = (gap: number): unknown[] => {
      const agreement = { ...second.agreement, gap: { mean: gap, max: gap } };
      const { columns, rows } = comparisonTable({ ...report, tracers: [first, { ...second, agreement }] });
      const cell = rows[1]![columns.findIndex(({ title }) => title === 'widest gap')];
      expect(differenceText({ ...worst!, gap })).toContain(` ${cell} units apart;`);
      return [gap, cell];
    };
    for (const [gap, text] of [
      [0.5, '0.50'],
      [1 / 32, '0.031'],
      [0.0996, '0.100'],
      [0.004, '0.0040'],
      [0.001, '0.0010'],
      [0.0004, '4.0e-4'],
      [0, '0'],
    ] as const)
      expect(shown(gap)).toEqual([gap, text]);
  });

  it('has a column for what few tracers work with as soon as one does, however much', () => {
    const steps = Array.from({ length: 1234 }, () => ({ kind: 'polygon' }) as never);
    const tracers = [{ name: 'ground', tracer: ground(0), explain: () => ({ steps }) }];
    const report = compare(tracers, Float32Array.of(0, 0, 10, 0, 0, -10), { rounds: 0 });
    const { columns, rows } = comparisonTable(report);
    const titles = columns.map(({ title }) => title);
    expect(titles.slice(-5)).toEqual(['nodes', 'leafs', 'brushes', 'sides', 'polygons']);
    expect(rows[0]!.at(-1)).toBe('1,234');
  });

  it('has no empty columns', () => {
    const queries = Float32Array.of(0, 0, 10, 0, 0, -10);
    const bare = compare([{ name: 'ground', tracer: ground(0) }], queries, { rounds: 0 });
    const titles = comparisonTable(bare).columns.map(({ title }) => title);
    expect(titles).toEqual(['tracer', 'hits', 'start solid', 'all solid', 'same answers', 'widest gap']);
    expect(comparisonMarkdown(bare)).not.toContain('differs');
  });

  it('has a column for allocation, and does not mention sides if they do not count', () => {
    let used = 0;
    const tracer = changed(ground(0), () => (used += 24));
    const queries = Float32Array.of(0, 0, 10, 0, 0, -10);
    const options = { rounds: 0, heap: () => used, sides: 'any' } as const;
    const text = comparisonMarkdown(compare([{ name: 'a', tracer }], queries, options));
    expect(text).toContain('| widest gap | bytes/query |');
    expect(text).toContain('| baseline |  | 24.0 |');
    expect(text).toContain('fractions within 0.0001, and the same start solid');
    const exact = comparisonMarkdown(compare([{ name: 'a', tracer }], queries, { rounds: 0, tolerance: 0 }));
    expect(exact).toContain('when they have the same fractions, sides with the same normal, and');
  });

  it('shows 1 only for a complete move, and the sign of zero', () => {
    const [difference] = sample().tracers[1]!.agreement.worst;
    const first = { ...difference!.first, fraction: Math.fround(1 - 2 ** -24) };
    const own = { ...difference!.own, fraction: -0 };
    expect(differenceText({ ...difference!, first, own })).toMatch(
      /: {2}-0 \(normal .+\), instead of 0\.99999994 \(normal /,
    );
  });

  it('shows all digits of fractions that otherwise look the same', () => {
    const [difference] = sample().tracers[1]!.agreement.worst;
    const text = (a: number, b: number): string => {
      const first = { ...difference!.first, fraction: Math.fround(a) };
      const own = { ...difference!.own, fraction: Math.fround(b) };
      return differenceText({ ...difference!, first, own }).replace(/ \(normal .+?\)/g, '');
    };
    expect(text(0.5, 0.5 + 2 ** -24)).toMatch(/: {2}0\.50000006, instead of 0\.5$/);
    expect(text(0.00012, 0.000121)).toMatch(/: {2}0\.000121, instead of 0\.00012$/);
    expect(text(0.5, 0.5)).toMatch(/: {2}0\.50000, instead of 0\.50000$/);
  });

  it('has coordinates in as few digits as they need to be read back the same', () => {
    const [difference] = sample().tracers[1]!.agreement.worst;
    const start = [0.1, 1.1000001, 0.10000001].map(Math.fround) as [number, number, number];
    const end = [16777215, -5.123456, 1e-9].map(Math.fround) as [number, number, number];
    const text = differenceText({ ...difference!, start, end });
    expect(text).toContain('from 0.1,1.1000001,0.10000001 to 16777215,-5.123456,1e-9:');
  });

  it('mentions starts in solid', () => {
    const [difference] = sample().tracers[1]!.agreement.worst;
    const own = { ...difference!.own, startSolid: true };
    const stuck = { ...difference!.first, startSolid: true, allSolid: true, fraction: 1 };
    expect(differenceText({ ...difference!, first: stuck, own })).toContain(
      '0.25000 (normal 0 0 1.00), start solid, instead of 1.00000, all solid',
    );
  });
});

describe('JSON', () => {
  it('contains everything that was found', () => {
    const comparison = sample();
    expect(JSON.parse(comparisonJson(comparison))).toEqual(comparison);
    expect(comparisonJson(comparison)).toMatch(/^\{\n {2}"/);
    expect(comparisonJson(comparison, 0).trimEnd()).not.toContain('\n');
  });
});

describe('a share', () => {
  it.each([
    [0, '0 %'],
    [1, '100 %'],
    [0.5, '50.00 %'],
    [0.999999, '99.99 %'],
    [0.0000001, '0.01 %'],
  ])('of %s is %s', (share, text) => {
    expect(showShare(share)).toBe(text);
  });
});
