/** A cell of a row: floats are float32 printed so that they round-trip; null where nothing is known. */
export type Cell = number | string | null;

/** One question and its answer, in the order of the header's columns. */
export type Row = Cell[];

/** A map placed in an assembly, as UFO:AI headers name them. Offsets in cells. */
export interface TileHeader {
  readonly map: string;
  readonly sha256?: string;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The first line of a file of rows. */
export interface Header {
  readonly game: string;
  readonly map: string;
  readonly kind: string;
  readonly sha256?: string;
  readonly columns?: readonly string[];
  /** Quake 3: 0 leaves curved patches out. */
  readonly curves?: number;
  readonly tiles?: readonly TileHeader[];
  readonly [key: string]: unknown;
}

/** A file of rows. Rows are arrays by `columns`; the `patches` kind has objects instead. */
export interface Table {
  readonly header: Header;
  readonly rows: (Row | Record<string, unknown>)[];
}

/** Parses the first line of a file of rows. Throws `SyntaxError` when it is not a header. */
export function parseHeader(line: string): Header {
  const header = parseLine(line, 1) as Header | null;
  if (header === null || typeof header !== 'object' || Array.isArray(header) || !header.kind) {
    throw new SyntaxError('line 1 is not a header: an object with game, map, kind and columns');
  }
  if (header.columns !== undefined && !Array.isArray(header.columns)) {
    throw new SyntaxError('line 1: columns is not a list of names');
  }
  return header;
}

/** Parses one of the other lines; `number` counts from 1. Throws `SyntaxError` naming it. */
export function parseRow(line: string, number: number): Row | Record<string, unknown> {
  const row = parseLine(line, number);
  if (row === null || typeof row !== 'object') throw new SyntaxError(`line ${number} is not a row`);
  return row as Row;
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new SyntaxError(`line ${number} is not JSON: ${line.slice(0, 60)}`, { cause });
  }
}

/** Parses NDJSON: a header object, then one row a line. Throws `SyntaxError` naming the line. */
export function parseTable(text: string): Table {
  const lines = text.split('\n');
  const header = parseHeader(lines[0]!);
  const rows: Table['rows'] = [];
  for (let i = 1; i < lines.length; i++) if (lines[i] !== '') rows.push(parseRow(lines[i]!, i + 1));
  return { header, rows };
}

/** A row as a line of NDJSON. `JSON.stringify` would write -0 as 0, which is another answer. */
export function formatRow(row: Row | Record<string, unknown>): string {
  return formatValue(row);
}

function formatValue(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => `${JSON.stringify(key)}:${formatValue(field)}`);
  return `{${fields.join(',')}}`;
}

/** Places of columns in a row, by name; -1 for a column that the table does not have. */
export function columnPlaces<K extends string>(header: Header, names: readonly K[]): Record<K, number> {
  const columns = header.columns ?? [];
  return Object.fromEntries(names.map((name) => [name, columns.indexOf(name)])) as Record<K, number>;
}

/**
 * A number as the engine had it: the float32 that the printed digits stand for.
 * Throws `RangeError` where there is no number, which would else count as 0.
 */
export function float(row: Row, place: number): number {
  const cell = row[place];
  if (typeof cell === 'number') return Math.fround(cell);
  throw new RangeError(
    place < 0 ? 'a column is missing' : `cell ${place + 1} is not a number: ${JSON.stringify(cell)}`,
  );
}

/**
 * The shortest of the usual spellings that gives a float32 back when parsed and rounded: nine digits always do.
 * Returned as a number, so that it prints without a tail of binary digits.
 */
export function float32Cell(value: number): number {
  // `toPrecision` drops the sign of zero.
  return value === 0 ? value : Number(value.toPrecision(9));
}
