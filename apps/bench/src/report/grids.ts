import { showShare, type TracerReport } from '@bspkit/compare';
import { type MapResult, type Report, ratio, type Series } from '../result.ts';

/** A table as text: a heading, names of the columns, and rows of cells. Cells of the first columns are words. */
export interface Grid {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How many columns at the left hold words; the others hold numbers. */
  readonly words: number;
}

const NONE = '-';

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const kilobytes = (bytes: number | undefined): string => (bytes === undefined ? NONE : whole(bytes / 1000));

/** Names of the peers that appear anywhere in a report, in the order they came. */
export function peerNames(report: Report): string[] {
  return [...new Set(report.maps.flatMap(({ builds }) => builds.map(({ peer }) => peer)))];
}

/** The report as three tables: speed, answers, and loading. */
export function reportGrids(report: Report): Grid[] {
  const peers = peerNames(report);
  return [speedGrid(report, peers), answerGrid(report, peers), loadGrid(report, peers)];
}

function seriesRows(
  report: Report,
  peers: readonly string[],
  cells: (series: Series, peer: TracerReport) => string,
): string[][] {
  return report.maps.flatMap(({ map, series }) =>
    series.map((one) => [
      map,
      one.shape,
      one.motion,
      whole(one.queries),
      ...peers.map((name) => {
        const peer = one.peers.find((found) => found.name === name);
        return peer ? cells(one, peer) : NONE;
      }),
    ]),
  );
}

const SERIES_HEAD = ['map', 'shape', 'motion', 'queries'];

function speedGrid(report: Report, peers: readonly string[]): Grid {
  const { clock, rounds } = report;
  return {
    title: `Nanoseconds per query (${clock} time, median of ${rounds} rounds, least and greatest; times as long as the first)`,
    head: [...SERIES_HEAD, ...peers],
    words: 3,
    rows: seriesRows(report, peers, (series, peer) => {
      const { median, min, max } = peer.time!;
      const spread = `${whole(median)} (${whole(min)}..${whole(max)})`;
      return peer === series.peers[0] ? spread : `${spread} x${ratio(series, peer).toFixed(2)}`;
    }),
  };
}

function answerGrid(report: Report, peers: readonly string[]): Grid {
  return {
    title: 'Hits, agreement with the first within 1/4 unit, and bytes allocated per query',
    head: [...SERIES_HEAD, ...peers],
    words: 3,
    rows: seriesRows(report, peers, (series, { hits, agreement, allocated }) => {
      const isFirst = agreement === series.peers[0]!.agreement;
      const agree = isFirst ? '' : `, ${showShare(agreement.share)} agree`;
      return `${showShare(hits / series.queries)} hit${agree}, ${whole(allocated!)} B`;
    }),
  };
}

function loadGrid(report: Report, peers: readonly string[]): Grid {
  return {
    title:
      'Loading: kB in the file and in memory, ms from bytes to world, and what the others build from triangles',
    head: [
      'map',
      'lumps kB',
      'world kB',
      'world / lumps',
      'cold ms',
      'warm ms',
      'triangles',
      ...peers.slice(1).flatMap((peer) => [`${peer} ms`, `${peer} kB`]),
    ],
    words: 1,
    rows: report.maps.map((map) => [
      map.map,
      kilobytes(map.load.lumps),
      kilobytes(map.load.world),
      (map.load.world / map.load.lumps).toFixed(2),
      map.load.coldMs === undefined ? NONE : map.load.coldMs.toFixed(1),
      map.load.warmMs.toFixed(1),
      whole(map.triangles),
      ...peers.slice(1).flatMap((peer) => buildCells(map, peer)),
    ]),
  };
}

function buildCells({ builds }: MapResult, peer: string): string[] {
  const build = builds.find((found) => found.peer === peer);
  return build ? [build.buildMs.toFixed(1), kilobytes(build.bytes)] : [NONE, NONE];
}

/** The head and the rows with their cells padded to the width of their column: words to the right, numbers to the left. */
export function paddedRows({ head, rows, words }: Grid): { rows: string[][]; widths: number[] } {
  const all = [head, ...rows];
  const widths = head.map((_, k) => Math.max(3, ...all.map((row) => row[k]!.length)));
  const pad = (cell: string, k: number): string =>
    k < words ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!);
  return { rows: all.map((row) => row.map(pad)), widths };
}
