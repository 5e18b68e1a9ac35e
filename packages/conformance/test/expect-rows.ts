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

/** As float32 where cells are numbers of that kind, which rows are written as; masks are integers. */
export const floats = (cells: Cells): Cells =>
  cells.map((cell) => (typeof cell === 'number' && !Number.isInteger(cell) ? Math.fround(cell) : cell));
