import { describe, expect, it } from 'vitest';
import { barsMarkdown, barsSvg } from '../src/report/bars.ts';
import { insertMarkdown, reportMarkdown, sightMarkdown } from '../src/report/markdown.ts';
import { COLOURS, reportSvg } from '../src/report/svg.ts';
import { reportText } from '../src/report/text.ts';
import { mover, peer, report } from './figures.ts';

describe('the report as text', () => {
  const lines = reportText(report).split('\n');

  it('gives times with their spread, and ratios to the first', () => {
    expect(lines.find((line) => /^ray +long/.test(line))?.split(/ +/)).toEqual([
      'ray',
      'long',
      '100',
      '99..101',
      '2.50',
    ]);
  });

  it('gives agreement, and a dash for a peer that does not offer a shape', () => {
    expect(reportText(report)).toMatch(/^ray +long +50.00 % +75.00 %$/m);
    expect(lines.filter((line) => /^box +step/.test(line)).map((line) => line.split(/ +/).at(-1))).toEqual([
      '-',
      '-',
    ]);
    expect(reportText(report)).toMatch(/^arena +0 +0$/m);
  });

  it('has a dash for a shape that the first does not offer, as there is nothing to compare others with', () => {
    const series = [
      ...report.maps[0]!.series,
      {
        shape: 'sphere',
        motion: 'long',
        queries: 2000,
        peers: [peer('other', 250), peer('third', 500, 0.5)],
      },
    ] as const;
    const builds = [
      ...report.maps[0]!.builds,
      { peer: 'third', buildMs: 4, builtFrom: 'triangles', bytes: undefined },
    ] as const;
    const text = reportText({ ...report, maps: [{ ...report.maps[0]!, builds, series }] });
    expect(text.match(/^sphere .*/gm)).toHaveLength(2);
    for (const line of text.match(/^sphere .*/gm)!) expect(line).toMatch(/^sphere +long( +-)+$/);
  });

  it('compares players of C with those of others alone', () => {
    const moves = { motion: 'walk', commands: 400, peers: [mover('C', 2000)] } as const;
    const text = reportText({ ...report, maps: [{ ...report.maps[0]!, moves }] });
    expect(text).toMatch(/^map +moves +C +B$/m);
  });

  it('says how many times as fast pools are', () => {
    expect(reportText(report)).toMatch(/^arena +ray +150 +0\.94 +1\.88$/m);
  });

  it('says how long a command of a player takes, and how many times as long as in C', () => {
    expect(reportText(report)).toMatch(/^arena +walk +3,000 +2,999\.\.3,001 +0\.67 +1\.50 +48$/m);
    const bare = { ...report, maps: [{ ...report.maps[0]!, moves: undefined }] };
    expect(reportText(bare)).not.toContain('Players');
  });

  it('has rows of pools, and of what triangle libraries build, for the maps that these were measured in', () => {
    const bare = { ...report.maps[0]!, map: 'bare', triangles: 0, threads: undefined };
    const text = reportText({ ...report, maps: [bare, ...report.maps] });
    for (const title of ['Threads: ', 'What triangle libraries build']) {
      const [grid] = text.slice(text.indexOf(title)).split('\n\n');
      expect(grid).toContain('\narena ');
      expect(grid).not.toContain('bare');
    }
  });

  it('compares memory with the lumps', () => {
    expect(lines.find((line) => /^arena +2 +2 +0.75/.test(line))).toBeDefined();
    expect(lines.find((line) => /^arena +1,234 +4.0 +-$/.test(line))).toBeDefined();
  });

  it('says how the first compares with native code on average, or why there is none', () => {
    expect(reportText(report)).not.toContain('geometric mean');
    const [map] = report.maps;
    const native = { ...map!, builds: [map!.builds[0]!, { ...map!.builds[1]!, peer: 'C' }] };
    const [ray, box] = map!.series;
    const series = [
      { ...ray!, peers: [peer('ours', 100), peer('C', 200)] },
      { ...box!, peers: [peer('ours', 100), peer('C', 800)] },
    ];
    const text = reportText({ ...report, maps: [{ ...native, series }] });
    expect(text).toContain('Times as fast as C: geometric means');
    expect(text).toMatch(/^map +ours\n.*\narena +4\.00$/m);
    const without = reportText({ ...report, maps: [{ ...map!, withoutNative: 'there is no compiler' }] });
    expect(without).toContain('arena: there is no compiler');
  });

  it('fits 80 columns, even with all libraries', () => {
    const [map] = report.maps;
    const names = ['bspkit', 'bspkit-batch', 'bspkit-js', 'C', 'three-mesh-bvh', 'rapier3d-compat'];
    const peers = names.map((name, k) => peer(name, [1234, 12_345][k % 2]!));
    const builds = names.map((name) => ({
      ...{ peer: name, buildMs: 123.4, bytes: 16_557_000 },
      builtFrom: 'triangles' as const,
    }));
    const series = [{ shape: 'capsule', motion: 'bundle' as const, queries: 2000, peers }];
    const long = { ...map!, map: 'mansion_mansion_main', builds: builds.slice(0, 1), series };
    const wide = {
      ...report,
      maps: [
        {
          ...long,
          builds: [
            ...builds.slice(0, 4).map((build) => ({ ...build, builtFrom: 'bytes' as const })),
            ...builds.slice(4),
          ],
        },
      ],
    };
    for (const line of [...lines, ...reportText(wide).split('\n')])
      expect(line.length, line).toBeLessThanOrEqual(80);
  });
});

describe('the report as Markdown', () => {
  it('has tables of equal width', () => {
    const tables = reportMarkdown(report)
      .split('\n\n')
      .filter((block) => block.startsWith('|'));
    expect(tables.length).toBe(8);
    for (const table of tables) {
      const widths = new Set(
        table
          .trim()
          .split('\n')
          .map((line) => line.split('|').length),
      );
      expect(widths.size).toBe(1);
      // Words are on the left, numbers on the right.
      expect(table.split('\n')[1]).toMatch(/^\| -+ \| .*-: \|$/);
    }
  });

  it('has tests of all maps in one table, with the share that is blocked', () => {
    const [map] = report.maps;
    const tests = ['sight', 'around'].map((motion) => ({
      ...map!.series[0]!,
      motion: motion as 'sight',
      peers: [
        ...[peer('ours', 100), peer('bspkit-batch', 250)],
        ...(motion === 'sight' ? [peer('C', 400)] : []),
      ],
    }));
    // What the first does not answer is compared with nothing.
    tests.push({ ...tests[1]!, peers: [peer('bspkit-batch', 250), peer('C', 400)] });
    // The last answers no tests.
    const builds = ['ours', 'bspkit-batch', 'C', 'rapier3d-compat'].map((name) => ({
      ...map!.builds[0]!,
      peer: name,
    }));
    const page = sightMarkdown({
      ...report,
      maps: [{ ...map!, builds, series: [...map!.series, ...tests] }],
    });
    const cells = page
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(cells.map((row) => row.slice(1, -1))).toEqual([
      ['map', 'motion', 'shape', 'ours', 'batch', 'C', 'blocked'],
      expect.anything(),
      ['arena', 'sight', 'ray', '100', '2.50', '4.00', '50 %'],
      ['arena', 'around', 'ray', '100', '2.50', '-', '50 %'],
      ['arena', 'around', 'ray', '-', '-', '-', '50 %'],
    ]);
  });

  it('goes between the comments with its name and leaves the rest alone', () => {
    const other = '<!-- figures: other -->\nkept\n<!-- end of other -->';
    const page = `# Title\n\n<!-- figures: bench -->\nold\n<!-- end of bench -->\n\n${other}\n`;
    const once = insertMarkdown(page, 'bench', 'new\n');
    expect(once).toBe(`# Title\n\n<!-- figures: bench -->\n\nnew\n\n<!-- end of bench -->\n\n${other}\n`);
    expect(insertMarkdown(once, 'bench', 'new\n')).toBe(once);
  });

  it('is the whole page if there are no comments, and refuses half a pair', () => {
    expect(insertMarkdown(undefined, 'bench', 'new\n')).toBe('new\n');
    expect(insertMarkdown('old', 'bench', 'new\n')).toBe('new\n');
    const [begin, end] = ['<!-- figures: bench -->', '<!-- end of bench -->'];
    for (const page of [begin, end, `${end} ${begin}`])
      expect(() => insertMarkdown(page, 'bench', 'new\n')).toThrow(RangeError);
  });
});

describe('the report as a few bars', () => {
  const svg = barsSvg(report);

  it('has a bar for each library, as long as it takes', () => {
    const bars = [...svg.matchAll(/<rect class="(?:own|other)" x="280" y="\d+" width="([\d.]+)"/g)];
    expect(bars.map((bar) => bar[1])).toEqual(['152', '380']);
    expect(svg).toContain('>2.5 ×<');
  });

  it('says how many maps a library was measured on if others were measured on more', () => {
    const [map] = report.maps;
    const series = map!.series.map((one) => ({ ...one, peers: one.peers.slice(0, 1) }));
    const more = barsSvg({ ...report, maps: [map!, { ...map!, map: 'box', series }] });
    expect(more).toContain('>other<tspan class="more" font-size="12"> (one map)</tspan><');
    expect(more).toContain('>ours<tspan class="more" font-size="12"></tspan><');
    expect(svg).not.toContain('(one map)');
  });

  it('is shown by a page in any folder, with its figures in words', () => {
    const page = barsMarkdown(report, '/repository/README.md', '/repository/apps/bench/results/speed.svg');
    expect(page).toContain('](apps/bench/results/speed.svg)');
    expect(page).toContain('2.5 ×');
    expect(page).toContain('one map');
    expect(barsMarkdown(report, '/repository/docs/a.md', '/repository/x.svg')).toContain('](../x.svg)');
  });
});

describe('the report as SVG', () => {
  const svg = reportSvg(report);

  it('is the same for the same report', () => expect(reportSvg(report)).toBe(svg));

  it('says so where nothing was traced', () => {
    const empty = reportSvg({ ...report, maps: [{ ...report.maps[0]!, builds: [], series: [] }] });
    expect(empty).toContain('>Nothing was traced</text>');
    expect(empty).not.toContain('undefined');
  });

  it('has a bar for each peer of a map, longer for faster ones', () => {
    const maps = ['arena', 'hall'].map((map) => ({ ...report.maps[0]!, map }));
    const two = reportSvg({ ...report, maps });
    const bars = [...two.matchAll(/<rect x="170" y="[\d.]+" width="([\d.]+)" height="13" fill="#/g)];
    expect(bars.map((bar) => bar[1])).toEqual(['520', '208', '520', '208']);
  });

  it('has no figure that the line of native code crosses', () => {
    const [map] = report.maps;
    const [series] = map!.series;
    const drawn = (times: number): string => {
      const peers = [1, times].map((median, k) => ({
        ...series!.peers[0]!,
        name: ['C', 'bspkit'][k]!,
        time: { ...series!.peers[0]!.time!, median },
      }));
      const builds = peers.map(({ name }) => ({ ...map!.builds[0]!, peer: name }));
      return reportSvg({ ...report, maps: [{ ...map!, builds, series: [{ ...series!, peers }] }] });
    };
    for (let times = 0.5; times < 40; times *= 1.03) {
      const chart = drawn(times);
      const line = Number(/<line x1="([\d.]+)"/.exec(chart)![1]);
      for (const [, x, figure] of chart.matchAll(/<text x="([\d.]+)" y="[\d.]+">([\d.]+)<\/text>/g)) {
        const crossed = Number(x) < line && Number(x) + 6.7 * figure!.length > line;
        expect(crossed, `${figure} at ${times}`).toBe(false);
      }
    }
  });

  it('has colours that are distinguished in any eyes, on any page', () => {
    // What deuteranopes and protanopes see, by Machado, Oliveira and Fernandes (2009), for linear red, green and blue.
    const eyes: readonly (readonly number[])[] = [
      [1, 0, 0, 0, 1, 0, 0, 0, 1],
      [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
      [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    ];
    const linear = (colour: string): number[] =>
      [1, 3, 5].map((at) => {
        const x = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
        return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
      });
    const row = (m: readonly number[], k: number, rgb: readonly number[]): number =>
      m[k]! * rgb[0]! + m[k + 1]! * rgb[1]! + m[k + 2]! * rgb[2]!;
    const luminance = (rgb: readonly number[]): number => row([0.2126, 0.7152, 0.0722], 0, rgb);
    /** CIE L*a*b*, in which distances are about as large as they look. */
    const seen = (m: readonly number[], colour: string): number[] => {
      const rgb = [0, 3, 6].map((k) => Math.min(1, Math.max(0, row(m, k, linear(colour)))));
      const f = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
      const x = f(row([0.4124, 0.3576, 0.1805], 0, rgb) / 0.95047);
      const y = f(luminance(rgb));
      const z = f(row([0.0193, 0.1192, 0.9505], 0, rgb) / 1.08883);
      return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
    };
    for (const [k, one] of COLOURS.entries()) {
      const light = luminance(linear(one)) + 0.05;
      for (const page of ['#ffffff', '#0d1117']) {
        const other = luminance(linear(page)) + 0.05;
        expect(Math.max(light, other) / Math.min(light, other), `${one} on ${page}`).toBeGreaterThan(1.9);
      }
      for (const other of COLOURS.slice(0, k)) {
        for (const m of eyes) {
          const [a, b] = [seen(m, one), seen(m, other)];
          expect(
            Math.sqrt(a.reduce((sum, x, n) => sum + (x - b[n]!) ** 2, 0)),
            `${one}, ${other}`,
          ).toBeGreaterThan(30);
        }
      }
    }
  });

  it('names all peers within its width', () => {
    const names = ['bspkit', 'bspkit-batch', 'bspkit-js', 'C', 'engine', 'three-mesh-bvh', 'rapier3d-compat'];
    const builds = names.map((name) => ({ ...report.maps[0]!.builds[0]!, peer: name }));
    const all = reportSvg({ ...report, maps: [{ ...report.maps[0]!, builds }] });
    const [, width] = /viewBox="0 0 (\d+) /.exec(all)!;
    const places = names.map((name) => Number(new RegExp(`<text x="(\\d+)" y="90">${name}<`).exec(all)![1]));
    for (const [k, name] of names.entries()) {
      expect(places[k]! + 7 * name.length).toBeLessThan((places[k + 1] ?? Number(width) + 18) - 18);
    }
  });

  it('has the whole names of maps, smaller where they are long', () => {
    const [map] = report.maps;
    const named = (name: string): string =>
      /<text x="160"[^>]*>/.exec(reportSvg({ ...report, maps: [{ ...map!, map: name }] }))![0];
    expect(named('quake3/q3dm6ish')).not.toContain('font-size');
    expect(named('ufoai/mansion_mansion_main')).toContain(' font-size="10.9"');
  });

  it('has other colours on dark pages, but for those of its bars', () => {
    for (const chart of [svg, barsSvg(report)]) {
      expect(chart).toMatch(
        /@media\(prefers-color-scheme:dark\)\{\.page\{fill:#0d1117\}text\{fill:#e6e6e6\}/,
      );
      expect(chart).toContain('<rect class="page" ');
      expect(chart).not.toMatch(/<(?:text|line)[^>]*(?:fill|stroke)="/);
    }
  });

  it('is well-formed: what it names is escaped, and all tags are closed', () => {
    expect(svg).toContain('Fast &amp; Sound(R) CPU &lt;9&gt;');
    const open = [...svg.matchAll(/<(svg|text|rect)\b[^>]*?(\/?)>/g)].filter((tag) => tag[2] === '').length;
    expect([...svg.matchAll(/<\/(svg|text|rect)>/g)].length).toBe(open);
  });
});
