import { MOVES } from '../movement/measure.ts';
import { isTest } from '../queries/motions.ts';
import { readCsv } from './csv.ts';
import type { Grid } from './grids.ts';
import { gridMarkdown } from './markdown.ts';
import { geometricMean } from './summary.ts';

/** The kept results of a kind of processor. */
interface Kept {
  readonly processor: string;
  /** The file, as `appendCsv` writes it. */
  readonly csv: string;
}

/** Nanoseconds of ours and of C. */
interface Pair {
  ours?: number;
  native?: number;
}

/** The last day with results, and how many times as fast as C ours was then: the geometric mean on each map. */
function latestSpeeds(csv: string): { date: string; speeds: ReadonlyMap<string, number> } {
  const rows = readCsv(csv);
  const date = rows.reduce((last, row) => (row.date! > last ? row.date! : last), '');
  const maps = new Map<string, Map<string, Pair>>();
  for (const { date: day, map, shape, motion, peer, median_ns: median } of rows) {
    if (day !== date || shape === MOVES || isTest(motion as never)) continue;
    const series = maps.get(map!) ?? new Map<string, Pair>();
    maps.set(map!, series);
    const key = `${shape} ${motion}`;
    const pair = series.get(key) ?? {};
    series.set(key, pair);
    // What was measured twice on a day counts as it was the last time.
    if (peer === 'bspkit') pair.ours = Number(median);
    if (peer === 'C') pair.native = Number(median);
  }
  const speeds = new Map<string, number>();
  for (const [map, series] of maps) {
    const ratios = [...series.values()].flatMap(({ ours, native }) =>
      ours && native ? [native / ours] : [],
    );
    if (ratios.length > 0) speeds.set(map, geometricMean(ratios));
  }
  return { date, speeds };
}

/** How fast ours is on each kind of processor, by the latest of the kept results. */
export function processorsGrid(kept: readonly Kept[]): Grid {
  const latest = kept.map(({ csv }) => latestSpeeds(csv));
  const maps = [...new Set(latest.flatMap(({ speeds }) => [...speeds.keys()]))];
  return {
    title: 'Times as fast as C, by processor and day: geometric means over shapes and motions',
    head: ['map', ...kept.map(({ processor }, k) => `${processor}, ${latest[k]!.date}`)],
    words: 1,
    rows: maps.map((map) => [map, ...latest.map(({ speeds }) => speeds.get(map)?.toFixed(2) ?? '-')]),
  };
}

/** The same as Markdown. */
export const processorsMarkdown = (kept: readonly Kept[]): string => gridMarkdown(processorsGrid(kept));
