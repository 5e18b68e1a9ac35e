import type { Row, RowObject } from '@bspkit/core/format';
import { sameCell } from './compare.ts';
import type { OpenTable } from './open.ts';
import { formatRow, type RowLine } from './table.ts';

/** How a table's answers compare with what was recorded. */
export interface Differences {
  /** Rows that were answered, without those that are given. */
  readonly compared: number;
  readonly differing: number;
  /** The first row that differs, in words; empty if none does. */
  readonly first: string;
}

/**
 * Whether an answer counts as equal to what was recorded.
 *
 * @param name - of its column or field.
 * @param row - number of its row, from 0.
 */
export type CellCheck = (expected: unknown, actual: unknown, name: string, row: number) => boolean;

/**
 * Answers a copy of every row, whose result cells are emptied first, and compares it with the row itself.
 *
 * @param same - {@link sameCell} by default: bit for bit.
 */
export function findDifferences(
  table: OpenTable,
  lines: readonly RowLine[],
  same: CellCheck = sameCell,
): Differences {
  const { results, asked } = table;
  const { columns = [] } = table.header;
  const names = [...results, ...Object.keys(asked)];
  const places = names.map((name) => columns.indexOf(name)).filter((place) => place >= 0);
  const differs = (line: RowLine, row: number): string => {
    if (Array.isArray(line)) return compareCells(line, table, columns, places, row, same);
    return compareFields(line, table, row, same);
  };
  let [compared, differing, first] = [0, 0, ''];
  for (const line of lines) {
    if (table.isGiven(line)) {
      table.answer(line);
      continue;
    }
    const difference = differs(line, compared);
    if (difference !== '') {
      differing++;
      first ||= `row ${compared}: ${difference}`;
    }
    compared++;
  }
  return { compared, differing, first };
}

function compareCells(
  row: Row,
  table: OpenTable,
  columns: readonly string[],
  places: readonly number[],
  number: number,
  same: CellCheck,
): string {
  const question = [...row];
  for (const place of places) {
    const ask = table.asked[columns[place]!];
    question[place] = ask ? ask(row[place]!) : null;
  }
  const answer = table.answer(question);
  const place = places.find((at) => !same(row[at], answer[at], columns[at]!, number));
  return place === undefined ? '' : tell(columns[place]!, row[place], answer[place], row);
}

function compareFields(row: RowObject, table: OpenTable, number: number, same: CellCheck): string {
  const question = { ...row };
  for (const name of table.results) delete question[name];
  const answer = table.answer(question);
  const names = Object.keys({ ...row, ...answer });
  const name = names.find((key) => !same(row[key], answer[key], key, number));
  return name === undefined ? '' : tell(name, row[name], answer[name], question);
}

function tell(name: string, expected: unknown, actual: unknown, row: RowLine): string {
  return `${name} expected ${show(expected)} got ${show(actual)} in ${show(row)}`;
}

const show = (value: unknown): string => formatRow(value).slice(0, 400);
