import type { Row, RowHeader, RowObject } from '@bspkit/core/format';
import { checkHeader } from './header.ts';

// NDJSON: a header object, then one line per row. Rows are arrays in the order of the header's columns; kinds whose
// header has no columns have objects. Objects between arrays say what the rows after them are about.

/** A line after the header. */
export type RowLine = Row | RowObject;

/** A whole file of rows. */
export interface Table {
  readonly header: RowHeader;
  readonly lines: readonly RowLine[];
}

/** Parses the first line of a file of rows. Throws `SyntaxError` saying what is wrong with it, as for other lines. */
export function parseHeader(line: string): RowHeader {
  return checkHeader(parseLine(line, 1));
}

/**
 * Parses one of the other lines; `number` counts from 1.
 * @throws SyntaxError naming a line that is not JSON, neither array nor object, or nested more than 32 deep.
 */
export function parseRow(line: string, number: number): RowLine {
  const row = parseLine(line, number);
  if (row === null || typeof row !== 'object') {
    throw new SyntaxError(`line ${number} is neither an array nor an object: ${start(line)}`);
  }
  return row as RowLine;
}

function parseLine(line: string, number: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new SyntaxError(`line ${number} is not JSON: ${start(line)}`, { cause });
  }
  if (isDeeper(value, MAX_DEPTH)) {
    throw new SyntaxError(`line ${number} is nested more than ${MAX_DEPTH} deep: ${start(line)}`);
  }
  return value;
}

/** The deepest nesting of lists and objects, including the line itself; no kind has more than 6. */
const MAX_DEPTH = 32;

function isDeeper(value: unknown, depth: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (depth === 0) return true;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    if (isDeeper(part, depth - 1)) return true;
  }
  return false;
}

const start = (line: string): string => line.replace(/^(.{60}).+$/su, '$1…');

/** Parses a whole file. Blank lines are skipped. Throws `SyntaxError` naming the line. */
export function parseTable(text: string): Table {
  const texts = text.split('\n');
  const header = parseHeader(texts[0]!);
  const lines: RowLine[] = [];
  for (let i = 1; i < texts.length; i++) if (texts[i]!.trim() !== '') lines.push(parseRow(texts[i]!, i + 1));
  return { header, lines };
}

/** Whether `JSON.stringify` writes a cell correctly, which is much faster. */
const isPlain = (cell: unknown): boolean =>
  cell === null || (typeof cell === 'number' && !Object.is(cell, -0)) || typeof cell === 'string';

/** A header or another line as a line of NDJSON. `JSON.stringify` would write -0 as 0, which is a different answer. */
export function formatRow(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) {
    return value.every(isPlain) ? JSON.stringify(value) : `[${value.map(formatRow).join(',')}]`;
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => `${JSON.stringify(key)}:${formatRow(field)}`);
  return `{${fields.join(',')}}`;
}
