import type { Answering } from './answer.ts';
import { firstDifference, sameValue } from './compare.ts';
import { formatRow, type Row, type Table } from './table.ts';

/** How a table's answers compare with what was recorded. */
export interface Differences {
  readonly compared: number;
  readonly differing: number;
  /** The first row that differs, in words; empty when none does. */
  readonly first: string;
}

/** Answers a copy of every row, its result cells emptied before, and compares it with the row itself. */
export function findDifferences(table: Table, answering: Answering): Differences {
  const columns = table.header.columns ?? [];
  const places = answering.results.map((name) => columns.indexOf(name)).filter((place) => place >= 0);
  let differing = 0;
  let first = '';
  for (const [number, row] of table.rows.entries()) {
    const difference = Array.isArray(row)
      ? compareCells(row, answering, places, columns)
      : compareObject(row, answering);
    if (difference === '') continue;
    differing++;
    first ||= `row ${number}: ${difference}`;
  }
  return { compared: table.rows.length, differing, first };
}

function compareCells(row: Row, answering: Answering, places: number[], columns: readonly string[]): string {
  const answer = [...row];
  for (const place of places) answer[place] = null;
  answering.answer(answer);
  const place = firstDifference(row, answer, places);
  if (place < 0) return '';
  return `${columns[place]} expected ${formatRow([row[place]!])} got ${formatRow([answer[place]!])} in ${formatRow(row)}`;
}

function compareObject(row: Record<string, unknown>, answering: Answering): string {
  const answer: Record<string, unknown> = { surface: row.surface };
  answering.answer(answer);
  for (const key of Object.keys({ ...row, ...answer })) {
    if (sameValue(row[key], answer[key])) continue;
    const [expected, actual] = [formatRow([row[key] as never]), formatRow([answer[key] as never])];
    return `${key} of surface ${row.surface} expected ${expected.slice(0, 300)} got ${actual.slice(0, 300)}`;
  }
  return '';
}
