import type { Row, RowObject } from '@bspkit/core/format';
import { sameCell } from './compare.ts';
import type { OpenTable } from './open.ts';
import { formatRow, type RowLine } from './table.ts';

/** How a table's answers compare with what was recorded. */
export interface Differences {
  /** Rows that were compared: those that were answered, without those that are given. */
  readonly compared: number;
  readonly differing: number;
  /** The number of the first row that differs, from 0; -1 if none does. */
  readonly row: number;
  /** That row in words: each cell that differs, with the bits of fractions, and what was asked. Empty if none does. */
  readonly first: string;
}

/**
 * Whether an answer counts as equal to what was recorded.
 *
 * @param name - of its column or field.
 * @param row - number of its row, from 0.
 */
export type CellCheck = (expected: unknown, actual: unknown, name: string, row: number) => boolean;

/** How many cells and parts of lists a message has. */
const MOST_TOLD = 8;

/** A row that differs: what was recorded and what was answered, by name, and the question. */
interface Difference {
  readonly cells: readonly (readonly [name: string, expected: unknown, actual: unknown])[];
  readonly question: readonly (readonly [name: string, value: unknown])[];
}

/**
 * Answers a copy of every row, whose result cells are emptied first, and compares it with the row itself.
 *
 * @param same - {@link sameCell} by default: bit for bit.
 * @param only - number of the one row to compare, from 0; of the others, those are answered that it may continue from.
 */
export function findDifferences(
  table: OpenTable,
  lines: readonly RowLine[],
  same: CellCheck = sameCell,
  only?: number,
): Differences {
  const { columns = [] } = table.header;
  const names = [...table.results, ...Object.keys(table.asked)];
  const places = names.map((name) => columns.indexOf(name)).filter((place) => place >= 0);
  let [compared, differing, row, first] = [0, 0, -1, ''];
  let number = 0;
  for (const [at, line] of lines.entries()) {
    if (table.isGiven(line)) {
      table.answer(line);
      continue;
    }
    const own = number++;
    if (only !== undefined && own !== only) {
      if (own > only) break;
      if (table.sequences) table.answer(line);
      continue;
    }
    compared++;
    const found = Array.isArray(line)
      ? compareCells(line, table, columns, places, own, same)
      : compareFields(line, table, own, same);
    if (!found) continue;
    differing++;
    if (row >= 0) continue;
    row = own;
    // The header is line 1.
    first = `row ${own} (line ${at + 2}): ${tell(found)}`;
  }
  return { compared, differing, row, first };
}

function compareCells(
  row: Row,
  table: OpenTable,
  columns: readonly string[],
  places: readonly number[],
  number: number,
  same: CellCheck,
): Difference | undefined {
  const question = [...row];
  for (const place of places) {
    const ask = table.asked[columns[place]!];
    question[place] = ask ? ask(row[place]!) : null;
  }
  const answer = table.answer(question);
  const differing = places.filter((at) => !same(row[at], answer[at], columns[at]!, number));
  if (differing.length === 0) return undefined;
  const asked = columns.map((name, at) => [name, question[at]] as const);
  return {
    cells: differing.map((at) => [columns[at]!, row[at], answer[at]]),
    question: asked.filter(([name]) => !table.results.includes(name)),
  };
}

function compareFields(
  row: RowObject,
  table: OpenTable,
  number: number,
  same: CellCheck,
): Difference | undefined {
  const question = { ...row };
  for (const name of table.results) delete question[name];
  const answer = table.answer(question);
  const names = Object.keys({ ...row, ...answer });
  const differing = names.filter((name) => !same(row[name], answer[name], name, number));
  if (differing.length === 0) return undefined;
  return {
    cells: differing.map((name) => [name, row[name], answer[name]]),
    question: Object.entries(question),
  };
}

function tell({ cells, question }: Difference): string {
  const differing = cells.flatMap(([name, ...pair]) => tellCell(name, ...pair));
  const more = differing.length > MOST_TOLD ? `, and ${differing.length - MOST_TOLD} more` : '';
  const asked = question.map(([name, value]) => `${name} ${show(value)}`);
  return `${differing.slice(0, MOST_TOLD).join(', ')}${more}; asked ${asked.join(', ')}`;
}

/** Of two lists of the same length, the parts that differ. */
function tellCell(name: string, expected: unknown, actual: unknown): string[] {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((part, k) =>
      sameCell(part, actual[k]) ? [] : tellCell(`${name}[${k}]`, part, actual[k]),
    );
  }
  // The bits of integers, such as masks, say nothing more.
  const isFraction = [expected, actual].some((cell) => typeof cell === 'number' && !Number.isInteger(cell));
  const told = isFraction ? withBits : show;
  return [`${name} expected ${told(expected)} got ${told(actual)}`];
}

const show = (value: unknown): string => formatRow(value).replace(/^(.{400}).+$/su, '$1…');

/** A number with its bits as float32. */
function withBits(cell: unknown): string {
  if (typeof cell !== 'number') return show(cell);
  const [bits] = new Uint32Array(Float32Array.of(cell).buffer);
  return `${show(cell)} (0x${bits!.toString(16).padStart(8, '0')})`;
}
