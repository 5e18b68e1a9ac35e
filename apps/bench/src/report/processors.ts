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

/**
 * The last day with results, and how many times as fast as C ours was then: the geometric mean on each map. Times of two runs are
 * not compared with each other; of two runs on a day, the last one counts that has both.
 */
function latestSpeeds(csv: string): { date: string; speeds: ReadonlyMap<string, number> } {
  const rows = readCsv(csv);
  const date = rows.reduce((last, row) => (row.date! > last ? row.date! : last), '');
  const ratios = new Map<string, Map<string, number>>();
  // Libraries of a series follow each other, ours before C.
  let ours: { readonly series: string; readonly median: number } | undefined;
  for (const { date: day, map, shape, motion, peer, median_ns } of rows) {
    if (day !== date || shape === MOVES || isTest(motion as never)) continue;
    const [series, median] = [[map, shape, motion].join(), Number(median_ns)];
    if (peer === 'bspkit') ours = { series, median };
    if (peer !== 'C' || ours?.series !== series) continue;
    ratios.set(map!, (ratios.get(map!) ?? new Map<string, number>()).set(series, median / ours.median));
    ours = undefined;
  }
  const speeds = [...ratios].map(([map, all]) => [map, geometricMean([...all.values()])] as const);
  return { date, speeds: new Map(speeds) };
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
