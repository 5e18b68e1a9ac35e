import { together } from '../processes.ts';
import { median, quantile } from '../quantile.ts';
import type { Grid } from '../report/grids.ts';
import type { DuelResult, DuelSeries } from './duel.ts';

/** One series over all processes. */
export interface Verdict extends Pick<DuelSeries, 'shape' | 'motion' | 'before' | 'after'> {
  /** How many answers differ, in the process in which most do. */
  readonly different: number;
  /** How many times as long as before: the median over the pairs of processes, and the quartiles. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** Whether it is slower or faster by more than the threshold, even by the quartile that is nearer to 1. */
  readonly change: 'slower' | 'faster' | '';
}

export interface MapVerdict {
  readonly map: string;
  readonly series: readonly Verdict[];
  readonly missing: readonly string[];
}

/** Everything that a run found. */
export interface AgainstReport {
  /** The other version: its commit. */
  readonly revision: string;
  readonly otherDependencies: boolean;
  readonly cpu: string;
  readonly node: string;
  readonly pairs: number;
  readonly rounds: number;
  readonly queries: number;
  readonly seed: number;
  /** By what share something may take longer: 0.1 for a tenth. */
  readonly threshold: number;
  readonly maps: readonly MapVerdict[];
}

/**
 * Merges what pairs of processes found for a map. In the first of a pair this version had the first turn, in the second the other
 * one: the geometric mean of their ratios favours neither. Throws an Error for a series that not all of them have measured.
 */
export function judge(pairs: readonly (readonly [DuelResult, DuelResult])[], threshold: number): MapVerdict {
  const results = pairs.flat();
  const measured = together(
    results.map(({ series }) => series),
    ({ shape, motion }) => `${shape} ${motion}`,
  );
  const series = measured.map((all): Verdict => {
    const [one] = all;
    const medianOf = (value: (found: DuelSeries) => number): number => median(all.map(value));
    const ratios = pairs.map((_, k) => Math.sqrt(all[2 * k]!.ratio * all[2 * k + 1]!.ratio));
    const [low, ratio, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share));
    const isSlower = low! > 1 + threshold;
    const isFaster = high! < 1 / (1 + threshold);
    return {
      shape: one.shape,
      motion: one.motion,
      before: medianOf(({ before }) => before),
      after: medianOf(({ after }) => after),
      different: Math.max(...all.map(({ different }) => different)),
      ratio: ratio!,
      low: low!,
      high: high!,
      change: isSlower ? 'slower' : isFaster ? 'faster' : '',
    };
  });
  const [{ map, missing }] = pairs[0]!;
  return { map, series, missing };
}

/** Series in all maps with this kind of change, by name. */
export function changed({ maps }: AgainstReport, change: Verdict['change']): string[] {
  return maps.flatMap(({ map, series }) =>
    series
      .filter((one) => one.change === change)
      .map(({ shape, motion, ratio }) => `${[map, shape, motion].join(' ').trim()}: ${ratio.toFixed(2)}`),
  );
}

const nanoseconds = (value: number): string => Math.round(value).toLocaleString('en-US');

/** The series of each map as tables. */
export function againstGrids({ maps }: AgainstReport): Grid[] {
  return maps
    .filter(({ series }) => series.length > 0)
    .map(({ map, series }) => ({
      title: `${map}: ns per query before and after; times as long, quartiles`,
      head: ['shape', 'motion', '', 'before', 'after', 'ratio', 'spread'],
      words: 3,
      rows: series.map(({ shape, motion, change, before, after, ratio, low, high }) => [
        ...[shape, motion, change, nanoseconds(before), nanoseconds(after)],
        ...[ratio.toFixed(2), `${low.toFixed(2)}..${high.toFixed(2)}`],
      ]),
    }));
}

/** What was compared and how, and the outcome, in lines of text. */
export function againstSummary(report: AgainstReport): { conditions: string[]; outcome: string[] } {
  const { revision, otherDependencies, cpu, node, pairs, rounds, queries, seed, threshold, maps } = report;
  const percent = `${Math.round(100 * threshold)} %`;
  const logs = maps.flatMap(({ series }) => series.map(({ ratio }) => Math.log(ratio)));
  const mean = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  const different = maps.flatMap(({ map, series }) =>
    series
      .filter((one) => one.different > 0)
      .map(
        ({ shape, motion, different }) =>
          `${map} ${shape} ${motion}: ${different} of ${queries} answers differ`,
      ),
  );
  const missing = maps.flatMap(({ map, missing }) =>
    missing.map((reason) => `${map}: not compared: ${reason}`),
  );
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`)] : [];
  const slower = changed(report, 'slower');
  return {
    conditions: [
      `The working tree against ${revision}`,
      `${cpu}, Node ${node}`,
      `cpu time, median of ${pairs} pairs of processes, ${rounds} rounds each`,
      `${queries} queries, seed ${seed}`,
      ...(otherDependencies ? ['Other dependencies there; both were built with those installed here'] : []),
    ],
    outcome: [
      ...list('Answers differ', different),
      ...list('Missing', missing),
      ...list(`Faster by more than ${percent}`, changed(report, 'faster')),
      ...list(`Slower by more than ${percent}`, slower),
      ...(logs.length === 0
        ? ['Nothing was compared']
        : [
            ...(slower.length === 0 ? [`Nothing is slower by more than ${percent}`] : []),
            `Geometric mean of ${logs.length} series: ${mean.toFixed(3)} times as long`,
          ]),
    ],
  };
}
