import { peerNames, type Report } from '../result.ts';
import { type Mean, meanSpeeds, referencePeer } from './summary.ts';
import { conditions } from './text.ts';

const COLOURS = ['#2f6f4f', '#7a7a7a', '#b5651d', '#4a6fa5', '#8a4f7d', '#3b8f9c', '#a83232'];
const LABEL_WIDTH = 170;
const CHART_WIDTH = 520;
const VALUE_WIDTH = 60;
/** The average letter in a library's name is no wider. */
const LETTER = 7;
const BAR = 15;
const GAP = 12;
const TOP = 106;

/** Text escaped for XML. */
export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

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
  const title = `Times as fast as ${reference === 'C' ? "the engine's way in C" : reference}`;
  let next = 12;
  const legend = peers.map((peer, k) => {
    const x = next;
    next += 18 + LETTER * peer.length + 14;
    return `<rect x="${x}" y="80" width="12" height="12" fill="${colour(k)}"/><text x="${x + 18}" y="90">${escapeXml(peer)}</text>`;
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${escapeXml(title)}, by map">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="12" y="24" font-size="16">${escapeXml(title)}</text>`,
    `<text x="12" y="44" fill="#666666">Longer is faster. Geometric mean over shapes and motions.</text>`,
    `<text x="12" y="61" fill="#666666">${escapeXml(conditions(report))}</text>`,
    ...legend,
    ...body,
    `<line x1="${one}" y1="${TOP - 6}" x2="${one}" y2="${height - GAP}" stroke="#333333" stroke-dasharray="3 3"/>`,
    '</svg>',
  ].join('\n')}\n`;
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
    return (
      `<rect x="${LABEL_WIDTH}" y="${at(y + 1)}" width="${at(length)}" height="${BAR - 2}" fill="${fill}"/>` +
      `<text x="${at(LABEL_WIDTH + length + 6)}" y="${at(y + BAR - 3)}">${speed.toFixed(2)}</text>`
    );
  });
  const middle = top + (BAR * group.length) / 2 + 4;
  return `<text x="${LABEL_WIDTH - 10}" y="${at(middle)}" text-anchor="end">${escapeXml(label)}</text>${bars.join('')}`;
}
