import type { Report } from '../result.ts';
import { type Grid, paddedRows, reportGrids } from './grids.ts';

/** What the figures were measured on, and how. */
export function conditions({ clock, cpu, node, processes, rounds, seed }: Report): string {
  const turns = `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`;
  const times = processes === 1 ? turns : `${processes} processes of ${turns}`;
  return `${cpu}, Node ${node}, ${clock} time, median of ${times}, seed ${seed}`;
}

/** The report for a terminal. */
export function reportText(report: Report): string {
  const missing = report.maps.flatMap(({ map, withoutNative }) =>
    withoutNative === undefined ? [] : [`${map}: ${withoutNative}`],
  );
  return [conditions(report), ...reportGrids(report).map(gridText), ...missing].join('\n\n');
}

/** A table for a terminal. */
export function gridText(grid: Grid): string {
  const { rows, widths } = paddedRows(grid);
  const [head, ...body] = rows.map((row) => row.join('  ').trimEnd());
  return [grid.title, head, widths.map((width) => '-'.repeat(width)).join('  '), ...body].join('\n');
}
