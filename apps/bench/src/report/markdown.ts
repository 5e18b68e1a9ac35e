import type { Report } from '../result.ts';
import { type Grid, paddedRows, reportGrids } from './grids.ts';
import { conditions } from './text.ts';

const BEGIN = '<!-- results: written by the benchmark, do not edit -->';
const END = '<!-- end of results -->';

/** The report as Markdown tables. */
export function reportMarkdown(report: Report): string {
  return `${[conditions(report), ...reportGrids(report).map(gridMarkdown)].join('\n\n')}\n`;
}

/**
 * A table as Markdown. Cells are padded as the formatter of this repository wants them, so that a page stays as it was
 * written.
 */
export function gridMarkdown(grid: Grid): string {
  const { rows, widths } = paddedRows(grid);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = widths.map((width, k) => (k < grid.words ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const [head, ...body] = rows;
  return [`**${grid.title}**`, '', line(head!), line(rule), ...body.map(line)].join('\n');
}

/**
 * Puts Markdown between the markers of a page. A page without them, or no page, is replaced as a whole.
 * Throws `RangeError` when only one of the markers is there.
 */
export function insertMarkdown(page: string | undefined, results: string): string {
  const begin = page?.indexOf(BEGIN) ?? -1;
  const end = page?.indexOf(END) ?? -1;
  if (page === undefined || (begin < 0 && end < 0)) return results;
  if (begin < 0 || end < begin) throw new RangeError(`the page has only one of '${BEGIN}' and '${END}'`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${results}\n${page.slice(end)}`;
}
