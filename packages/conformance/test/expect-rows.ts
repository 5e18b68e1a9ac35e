import { type CellCheck, findDifferences, type OpenTable, type RowLine } from '@bspkit/rows';
import { expect } from 'vitest';

/** Expects a table to answer rows as they say. */
export function expectRows(table: OpenTable, lines: readonly RowLine[], check?: CellCheck): void {
  const { compared, differing, first } = findDifferences(table, lines, check);
  expect(first).toBe('');
  expect(differing).toBe(0);
  expect(compared).toBe(lines.filter((line) => !table.isGiven(line)).length);
}

type Cells = readonly (number | readonly number[])[];

const float = (number: number): number => (Number.isInteger(number) ? number : Math.fround(number));

/** As float32 where cells are numbers of that kind, or lists of such, which rows are written as; masks are integers. */
export const floats = (cells: Cells): Cells =>
  cells.map((cell) => (typeof cell === 'number' ? float(cell) : cell.map(float)));
