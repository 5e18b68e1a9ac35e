import type { Report } from '../result.ts';
import { type Grid, paddedRows, reportGrids } from './grids.ts';

/** One line that says on what the figures were measured. */
export function conditions({ clock, cpu, node, seed }: Report): string {
  return `${cpu}, Node ${node}, ${clock} time, seed ${seed}`;
}

/** The report for a terminal. */
export function reportText(report: Report): string {
  return [conditions(report), ...reportGrids(report).map(gridText)].join('\n\n');
}

function gridText(grid: Grid): string {
  const { rows, widths } = paddedRows(grid);
  const [head, ...body] = rows.map((row) => row.join('  ').trimEnd());
  return [grid.title, head, widths.map((width) => '-'.repeat(width)).join('  '), ...body].join('\n');
}
