import { type Report, ratio, type Series } from '../result.ts';
import { peerNames } from './grids.ts';
import { conditions } from './text.ts';

const COLOURS = ['#2f6f4f', '#b5651d', '#4a6fa5', '#8a4f7d'];
const LABEL_WIDTH = 210;
const CHART_WIDTH = 520;
const VALUE_WIDTH = 130;
const BAR = 14;
const GAP = 10;
const TOP = 64;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

// One decimal is finer than a screen shows, and the same report always gives the same file.
const at = (value: number): string => String(Math.round(10 * value) / 10);

/**
 * The report as a bar chart: a group for each series, a bar for each peer, as long as its median time. Each group has
 * its own scale, since a frame's step and a shot across a map are worlds apart; what compares are bars of one group.
 */
export function reportSvg(report: Report): string {
  const peers = peerNames(report);
  const groups = report.maps.flatMap(({ map, series }) => series.map((one) => ({ map, series: one })));
  let y = TOP;
  const body: string[] = [];
  for (const { map, series } of groups) {
    body.push(groupSvg(`${map}: ${series.shape}, ${series.motion}`, series, peers, y));
    y += BAR * series.peers.length + GAP;
  }
  const width = LABEL_WIDTH + CHART_WIDTH + VALUE_WIDTH;
  const legend = peers.map((peer, k) => {
    const x = LABEL_WIDTH + 150 * k;
    return `<rect x="${x}" y="40" width="12" height="12" fill="${colour(k)}"/><text x="${x + 18}" y="50">${escapeXml(peer)}</text>`;
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + GAP}" font-family="sans-serif" font-size="12" role="img" aria-label="Nanoseconds per query, by map, shape and library">`,
    `<rect width="${width}" height="${y + GAP}" fill="#ffffff"/>`,
    `<text x="12" y="22" font-size="15">Nanoseconds per query (shorter is faster)</text>`,
    `<text x="${width - 12}" y="22" text-anchor="end" fill="#666666">${escapeXml(conditions(report))}</text>`,
    ...legend,
    ...body,
    '</svg>',
  ].join('\n')}\n`;
}

const colour = (k: number): string => COLOURS[k % COLOURS.length]!;

function groupSvg(label: string, series: Series, peers: readonly string[], top: number): string {
  const longest = Math.max(...series.peers.map(({ time }) => time!.median));
  const bars = series.peers.map((peer, k) => {
    const y = top + BAR * k;
    const length = Math.max(1, (peer.time!.median / longest) * CHART_WIDTH);
    const times = k === 0 ? '' : ` (x${ratio(series, peer).toFixed(2)})`;
    const fill = colour(peers.indexOf(peer.name));
    return (
      `<rect x="${LABEL_WIDTH}" y="${at(y + 1)}" width="${at(length)}" height="${BAR - 2}" fill="${fill}"/>` +
      `<text x="${at(LABEL_WIDTH + length + 6)}" y="${at(y + BAR - 3)}">${Math.round(peer.time!.median)}${times}</text>`
    );
  });
  const middle = top + (BAR * series.peers.length) / 2 + 4;
  return `<text x="${LABEL_WIDTH - 10}" y="${at(middle)}" text-anchor="end">${escapeXml(label)}</text>${bars.join('')}`;
}
