import { peerNames, type Report } from '../result.ts';
import { type Mean, meanSpeeds, referencePeer } from './summary.ts';
import { conditions } from './text.ts';

/** Seen on white and on black, and distinguished by people who are colour-blind; a test holds them to it. */
export const COLOURS: readonly string[] = [
  '#80c085',
  '#69383b',
  '#ecab27',
  '#0580f9',
  '#67317b',
  '#7bbed9',
  '#904b00',
];
const LABEL_WIDTH = 170;
const CHART_WIDTH = 520;
const VALUE_WIDTH = 60;
/** The average letter in a library's name is no wider; in that of a map, as a part of its height. */
const LETTER = 7;
const LETTER_PART = 0.56;
/** Between a bar and its figure, and between a figure and the line of native code. */
const SPACE = 6;
const FONT = 12;
const BAR = 15;
const GAP = 12;
const TOP = 106;

/** Text escaped for XML. */
export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** How a chart looks, on light pages and on dark ones. */
export const styleOf = (own: string, ownInDark: string): string =>
  `<style>.page{fill:#fff}text{fill:#222}.more{fill:#666}${own}` +
  `@media(prefers-color-scheme:dark){.page{fill:#0d1117}text{fill:#e6e6e6}.more{fill:#a0a0a0}${ownInDark}}</style>`;

// One decimal is finer than a screen shows, and the same report always gives the same file.
const at = (value: number): string => String(Math.round(10 * value) / 10);

/**
 * The report as a bar chart: a group for each map, a bar for each peer, whose length is its speed compared with native code: the
 * geometric mean over all shapes and motions. A line marks the speed of native code.
 */
export function reportSvg(report: Report): string {
  const peers = peerNames(report);
  const reference = referencePeer(report);
  const means = meanSpeeds(report);
  const scale = CHART_WIDTH / Math.max(1, ...means.map(({ speed }) => speed));
  let y = TOP;
  const body: string[] = [];
  for (const { map } of report.maps) {
    const group = means.filter((mean) => mean.map === map);
    body.push(groupSvg(map, group, peers, scale, y));
    y += BAR * group.length + GAP;
  }
  const width = LABEL_WIDTH + CHART_WIDTH + VALUE_WIDTH;
  const height = y + GAP;
  const one = at(LABEL_WIDTH + scale);
  const title =
    means.length > 0
      ? `Times as fast as ${reference === 'C' ? "the engine's way in C" : reference}`
      : 'Nothing was traced';
  let next = 12;
  const legend = peers.map((peer, k) => {
    const x = next;
    next += 18 + LETTER * peer.length + 14;
    return `<rect x="${x}" y="80" width="12" height="12" fill="${colour(k)}"/><text x="${x + 18}" y="90">${escapeXml(peer)}</text>`;
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="${FONT}" role="img" aria-label="${escapeXml(title)}, by map">`,
    styleOf('line{stroke:#333}', 'line{stroke:#ccc}'),
    `<rect class="page" width="${width}" height="${height}"/>`,
    `<text x="12" y="24" font-size="16">${escapeXml(title)}</text>`,
    `<text x="12" y="44" class="more">Longer is faster. Geometric mean over shapes and motions.</text>`,
    `<text x="12" y="61" class="more">${escapeXml(conditions(report))}</text>`,
    ...legend,
    ...body,
    `<line x1="${one}" y1="${TOP - 6}" x2="${one}" y2="${height - GAP}" stroke-dasharray="3 3"/>`,
    '</svg>',
  ].join('\n')}\n`;
}

/** Where a bar's figure begins: beside the bar or, where the line of native code would cross it, beside that. */
function figurePlace(length: number, figure: string, line: number): number {
  const from = length + SPACE;
  const to = from + LETTER_PART * FONT * figure.length;
  return to + 2 > line && from < line + 2 ? line + SPACE : from;
}

const colour = (k: number): string => COLOURS[k % COLOURS.length]!;

function groupSvg(
  label: string,
  group: readonly Mean[],
  peers: readonly string[],
  scale: number,
  top: number,
): string {
  const bars = group.map(({ peer, speed }, k) => {
    const y = top + BAR * k;
    const length = Math.max(1, speed * scale);
    const fill = colour(peers.indexOf(peer));
    const figure = speed.toFixed(2);
    return (
      `<rect x="${LABEL_WIDTH}" y="${at(y + 1)}" width="${at(length)}" height="${BAR - 2}" fill="${fill}"/>` +
      `<text x="${at(LABEL_WIDTH + figurePlace(length, figure, scale))}" y="${at(y + BAR - 3)}">${figure}</text>`
    );
  });
  const middle = top + (BAR * group.length) / 2 + 4;
  // Long names are smaller, so that they are whole.
  const font = Math.min(FONT, (LABEL_WIDTH - 12) / (LETTER_PART * label.length));
  const size = font < FONT ? ` font-size="${at(font)}"` : '';
  return `<text x="${LABEL_WIDTH - 10}" y="${at(middle)}"${size} text-anchor="end">${escapeXml(label)}</text>${bars.join('')}`;
}
