import { marksOf, withFigures } from '../../../../scripts/figures.mjs';
import type { Report } from '../result.ts';
import { type Grid, paddedRows, reportGrids, sightGrid } from './grids.ts';
import { conditions } from './text.ts';

/** Names of the places in pages: for all figures, for those of tests, and for kinds of processors. */
export const RESULTS = 'bench';
export const SIGHT = 'bench, sight';
export const PROCESSORS = 'bench, processors';

/** The report as Markdown tables. */
export function reportMarkdown(report: Report): string {
  return `${[conditions(report), ...reportGrids(report).map(gridMarkdown)].join('\n\n')}\n`;
}

/** A table as Markdown. Cells are padded as this repository's formatter pads them, so that a page stays as it was written. */
export function gridMarkdown(grid: Grid): string {
  const { rows, widths } = paddedRows(grid);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = widths.map((width, k) => (k < grid.words ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const [head, ...body] = rows;
  return [`**${grid.title}**`, '', line(head!), line(rule), ...body.map(line)].join('\n');
}

/** Motions that only ask whether anything is in the way, for all maps in one table, as Markdown. */
export const sightMarkdown = (report: Report): string =>
  `${conditions(report)}\n\n${gridMarkdown(sightGrid(report))}`;

/**
 * Puts Markdown into a page between the two comments with its name. A page without them, or no page, is replaced as a whole.
 * Throws `RangeError` when only one of them is there.
 */
export function insertMarkdown(page: string | undefined, name: string, results: string): string {
  if (page === undefined || marksOf(name).every((mark) => !page.includes(mark))) return results;
  return withFigures(page, name, results.trimEnd());
}
