import { relative } from 'node:path/posix';
import { peerNames, type Report } from '../result.ts';
import { overallTimes } from './summary.ts';
import { escapeXml, styleOf } from './svg.ts';
import { conditions } from './text.ts';

// The whole report as a picture to be read at a glance: one bar for each library, as long as the time it takes.

interface Bar {
  readonly label: string;
  /** The maps of the measurement, if these are not all. */
  readonly maps: string;
  /** How many times as long as the first it takes. */
  readonly times: number;
  /** Whether it is ours. */
  readonly own: boolean;
}

/** Labels of bars, if the peer's name is not enough. */
const LABELS: Readonly<Record<string, string>> = {
  C: 'the same in C, gcc -O3',
  engine: 'the engines themselves',
  'bspkit-js': 'bspkit without WebAssembly',
  'rapier3d-compat': 'Rapier',
};

/** A way to ask, not a library: it has no bar of its own. */
const LEFT_OUT = 'bspkit-batch';

const WIDTH = 720;
const LABEL_WIDTH = 280;
const VALUE_WIDTH = 60;
const TOP = 64;
const BAR = 22;
const GAP = 10;

const show = (times: number): string => `${times.toFixed(1)} ×`;
const at = (value: number): string => String(Math.round(10 * value) / 10);

const measured = ({ maps }: Report): number => maps.filter(({ series }) => series.length > 0).length;

const inMaps = (count: number): string => (count === 1 ? 'one map' : `${count} maps`);

function reportBars(report: Report): Bar[] {
  const names = peerNames(report).filter((name) => name !== LEFT_OUT);
  const bars = names.flatMap((name) => {
    const overall = overallTimes(report, name, names[0]!);
    if (!overall) return [];
    const maps = overall.maps < measured(report) ? ` (${inMaps(overall.maps)})` : '';
    return [
      {
        label: escapeXml(LABELS[name] ?? name),
        maps,
        times: overall.times,
        own: name.startsWith('bspkit'),
      },
    ];
  });
  return bars.sort((a, b) => a.times - b.times);
}

/** A bar for each library: how long it takes for what {@link peerNames | the first} does in 1. */
export function barsSvg(report: Report): string {
  const bars = reportBars(report);
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / Math.max(...bars.map(({ times }) => times));
  const height = TOP + (BAR + GAP) * bars.length;
  const rows = bars.map(({ label, maps, times, own }, k) => {
    const y = TOP + (BAR + GAP) * k;
    const middle = y + BAR / 2 + 5;
    return [
      `<text x="${LABEL_WIDTH - 10}" y="${middle}" text-anchor="end">${label}<tspan class="more" font-size="12">${maps}</tspan></text>`,
      `<rect class="${own ? 'own' : 'other'}" x="${LABEL_WIDTH}" y="${y}" width="${at(times * scale)}" height="${BAR}" rx="2"/>`,
      `<text x="${at(LABEL_WIDTH + times * scale + 8)}" y="${middle}">${show(times)}</text>`,
    ].join('');
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="14" role="img" aria-label="${describe(bars)}">`,
    styleOf('.own{fill:#b5651d}.other{fill:#9a9a9a}', '.other{fill:#6b6b6b}'),
    `<rect class="page" width="${WIDTH}" height="${height}"/>`,
    '<text x="12" y="24" font-size="17">Time per trace</text>',
    '<text class="more" x="12" y="44" font-size="13">Shorter is faster.</text>',
    ...rows,
    '</svg>',
  ].join('\n')}\n`;
}

const describe = (bars: readonly Bar[]): string =>
  `Time per trace: ${bars.map(({ label, maps, times }) => `${label}${maps} ${show(times)}`).join(', ')}`;

/**
 * The picture of {@link barsSvg} and what it was measured on, for pages that are not about speed.
 *
 * @param page path of the page, and `picture` that of the picture
 */
export function barsMarkdown(report: Report, page: string, picture: string): string {
  const source = relative(page.replace(/[^/]*$/, '') || '.', picture);
  return [
    `![${describe(reportBars(report))}](${source})`,
    '',
    `Geometric means over ${inMaps(measured(report))}, or the number given beside a name, and over all shapes and motions`,
    'that a library can answer. Each is compared with bspkit on the same traces, not with the others:',
    `${conditions(report)}.`,
    '',
  ].join('\n');
}
