import { type MapResult, type Report, ratio, type Series, type Timing } from '../result.ts';

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
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
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
  cells: (series: Series, timing: Timing) => string,
): string[][] {
  return report.maps.flatMap(({ map, series }) =>
    series.map((one) => [
      map,
      one.shape,
      one.motion,
      whole(one.queries),
      ...peers.map((peer) => {
        const timing = one.timings.find((found) => found.peer === peer);
        return timing ? cells(one, timing) : NONE;
      }),
    ]),
  );
}

const SERIES_HEAD = ['map', 'shape', 'motion', 'queries'];

function speedGrid(report: Report, peers: readonly string[]): Grid {
  const { clock, runs } = report;
  return {
    title: `Nanoseconds a query (${clock} time, median of ${runs} runs, least and greatest; times as long as the first)`,
    head: [...SERIES_HEAD, ...peers],
    words: 3,
    rows: seriesRows(report, peers, (series, timing) => {
      const spread = `${whole(timing.median)} (${whole(timing.least)}..${whole(timing.greatest)})`;
      return timing === series.timings[0] ? spread : `${spread} x${ratio(series, timing).toFixed(2)}`;
    }),
  };
}

function answerGrid(report: Report, peers: readonly string[]): Grid {
  return {
    title: 'Hits, agreement with the first within 1/4 unit of the way, and bytes allocated a query',
    head: [...SERIES_HEAD, ...peers],
    words: 3,
    rows: seriesRows(report, peers, (series, timing) => {
      const agree = timing === series.timings[0] ? '' : `, ${percent(timing.agreement)} agree`;
      return `${percent(timing.hits)} hit${agree}, ${whole(timing.allocated)} B`;
    }),
  };
}

function loadGrid(report: Report, peers: readonly string[]): Grid {
  return {
    title:
      'Loading: kB in the file and in memory, ms from bytes to world, and what the others build from triangles',
    head: [
      'map',
      'brush lumps kB',
      'collision lumps kB',
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
      kilobytes(map.load.brushLumps),
      kilobytes(map.load.collisionLumps),
      kilobytes(map.load.worldBytes),
      (map.load.worldBytes / map.load.collisionLumps).toFixed(2),
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
