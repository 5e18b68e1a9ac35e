import { stripVTControlCharacters } from 'node:util';

/** A column of a table: its title and to which side it is pushed. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** How many places a text takes in a terminal. All glyphs that we print are one place wide. */
export function width(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

function pad(text: string, places: number, align: Column['align']): string {
  const space = ' '.repeat(Math.max(0, places - width(text)));
  return align === 'right' ? space + text : text + space;
}

/** A table as text: titles, then rows, in columns two spaces apart. `title` styles the titles. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  title: (text: string) => string = (text) => text,
): string {
  const widths = columns.map((column, k) =>
    Math.max(width(column.title), ...rows.map((row) => width(row[k] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, k) => pad(cells[k] ?? '', widths[k]!, column.align))
      .join('  ')
      .trimEnd();
  return [columns.map((column) => title(column.title)), ...rows].map((cells) => `${line(cells)}\n`).join('');
}

/** A table without the columns that are empty or 0 in all rows, which would only make it wide. */
export function dropEmptyColumns<C extends Column>({
  columns,
  rows,
}: {
  readonly columns: readonly C[];
  readonly rows: readonly (readonly string[])[];
}): { columns: C[]; rows: string[][] } {
  const kept = columns.flatMap((_, k) => (rows.some((row) => Number(row[k]) !== 0) ? [k] : []));
  return {
    columns: kept.map((k) => columns[k]!),
    rows: rows.map((row) => kept.map((k) => row[k]!)),
  };
}

/** A bar of marks for a share from 0 to 1, one at least. */
export const bar = (share: number, places: number): string =>
  '▪'.repeat(Math.max(1, Math.round(share * places)));

/** Names and values as text, the values below each other. `name` styles the names. */
export function formatFields(
  fields: readonly (readonly [string, string])[],
  name: (text: string) => string = (text) => text,
): string {
  const places = Math.max(0, ...fields.map(([label]) => width(label)));
  return fields.map(([label, value]) => `  ${pad(name(label), places, 'left')}  ${value}\n`).join('');
}
