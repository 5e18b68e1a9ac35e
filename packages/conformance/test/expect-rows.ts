import { relative } from 'node:path';
import { type CellCheck, findDifferences, type OpenTable, type RowLine } from '@bspkit/rows';
import { failAt } from '@bspkit/testkit/same';
import { expect } from 'vitest';

/** The one row that is asked, by its number; undefined for all. */
const { BSPKIT_ROW: ONLY } = process.env;

/**
 * Expects a table to answer rows as they say. The message has the first that does not, and how it is asked alone: with BSPKIT_ROW,
 * no other row is compared.
 */
export function expectRows(table: OpenTable, lines: readonly RowLine[], check?: CellCheck): void {
  const only = ONLY === undefined ? undefined : Number(ONLY);
  const { compared, differing, row, first } = findDifferences(table, lines, check, only);
  const { game, map, kind } = table.header;
  if (differing > 0) {
    const counted =
      only === undefined ? `rows answered otherwise: ${differing} of ${compared}; the first is ` : '';
    const text = `${game} ${map}, kind ${kind}: ${counted}${first}\nAsk it alone: ${commandFor(row)}`;
    failAt(expectRows, () => expect.fail(text));
  }
  const count = lines.filter((line) => !table.isGiven(line)).length;
  if (only === undefined) expect(compared).toBe(count);
  else expect(compared, `BSPKIT_ROW=${ONLY} is none of ${count} rows, counted from 0`).toBe(1);
}

/** A command that asks one row of the running test again. */
function commandFor(row: number): string {
  const { currentTestName = '', testPath = '' } = expect.getState();
  const title = currentTestName.split(' > ').at(-1)!.split(':')[0]!;
  return `BSPKIT_ROW=${row} npx vitest run ${relative('', testPath)} -t '${title}'`;
}

type Cells = readonly (number | readonly number[])[];

const float = (number: number): number => (Number.isInteger(number) ? number : Math.fround(number));

/** As float32 where cells are numbers of that kind, or lists of such, which rows are written as; masks are integers. */
export const floats = (cells: Cells): Cells =>
  cells.map((cell) => (typeof cell === 'number' ? float(cell) : cell.map(float)));
