import { stripVTControlCharacters } from 'node:util';

/** A column of a table: its title, and the side to which its cells are aligned. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right' | undefined;
}

/** A last column that draws what others say: as wide as there is room, and left out where there is too little. */
export interface Drawings {
  readonly title: string;
  /** Characters: at least and at most. */
  readonly least: number;
  readonly most: number;
  draw(row: number, places: number): string;
}

/** The width of a text in a terminal. All glyphs that we print are one character wide. */
export function width(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

function pad(text: string, places: number, align: Column['align']): string {
  const space = ' '.repeat(Math.max(0, places - width(text)));
  return align === 'right' ? space + text : text + space;
}

const plain = (text: string): string => text;

/** The gap between two columns. */
const GAP = '  ';

/** Names of rows are not wrapped to less than this. */
const LEAST_NAME = 12;

/** The widest cell of each column. */
const widths = (columns: readonly Column[], rows: readonly (readonly string[])[]): number[] =>
  columns.map((column, k) =>
    rows.reduce((most, row) => Math.max(most, width(row[k] ?? '')), width(column.title)),
  );

/** A table as text: titles, then rows. `title` styles the titles. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  title: (text: string) => string = plain,
): string {
  const places = widths(columns, rows);
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, k) => pad(cells[k] ?? '', places[k]!, column.align))
      .join(GAP)
      .trimEnd();
  return [columns.map((column) => title(column.title)), ...rows].map((cells) => `${line(cells)}\n`).join('');
}

/**
 * A table as text, divided between columns into as many tables as needed to fit into `room` characters; each begins with the
 * first column.
 */
export function formatTables(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  room: number,
  title: (text: string) => string = plain,
  drawings?: Drawings,
): string {
  const places = widths(columns, rows);
  // Where the names of the rows leave no room for anything beside them, they are wrapped.
  const rest = Math.max(0, ...places.slice(1)) + GAP.length;
  const names = rows.map(([name = '']) =>
    wrap(name, Math.max(LEAST_NAME, room - rest), GAP.length).split('\n'),
  );
  places[0] = Math.max(width(columns[0]!.title), ...names.flat().map(width));
  const parts: number[][] = [[0]];
  const taken = (part: readonly number[]): number =>
    part.reduce((sum, k) => sum + places[k]! + GAP.length, -GAP.length);
  for (let k = 1; k < columns.length; k++) {
    if (taken([...parts.at(-1)!, k]) > room && parts.at(-1)!.length > 1) parts.push([0]);
    parts.at(-1)!.push(k);
  }
  return parts
    .map((part, k) => {
      const left = room - taken(part) - GAP.length;
      const draws = drawings && k === parts.length - 1 && left >= drawings.least ? drawings : undefined;
      const heads = part.map((column) => columns[column]!);
      const cells = rows.flatMap((row, place) => {
        const [name = '', ...more] = names[place]!;
        const rest = part.slice(1).map((column) => row[column] ?? '');
        const drawn = draws ? [draws.draw(place, Math.min(draws.most, left))] : [];
        return [[name, ...rest, ...drawn], ...more.map((name) => [name])];
      });
      return formatTable(draws ? [...heads, { title: draws.title }] : heads, cells, title);
    })
    .join('\n');
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

/** A bar for a share from 0 to 1, at least one mark long. */
export const bar = (share: number, places: number): string =>
  '▪'.repeat(Math.max(1, Math.round(share * places)));

/** Names and values as text, with the values in a column and wrapped to `room` characters. `name` styles the names. */
export function formatFields(
  fields: readonly (readonly [string, string])[],
  room: number,
  name: (text: string) => string = plain,
): string {
  const places = Math.max(0, ...fields.map(([label]) => width(label)));
  const indent = 2 * GAP.length + places;
  return fields
    .map(
      ([label, value]) =>
        `${wrap(`${GAP}${pad(name(label), places, 'left')}${GAP}${value}`, room, indent)}\n`,
    )
    .join('');
}

/**
 * Breaks a line that is longer than `room` characters: between parts, which are two or more spaces apart, or between the words of
 * a part that is too long itself. All lines but the first are indented by `indent`.
 */
export function wrap(text: string, room: number, indent = 0): string {
  if (width(text) <= room) return text;
  const lines = [''];
  const place = (gap: string, part: string): void => {
    const line = lines.at(-1)!;
    if (line.trim() === '' || width(line + gap + part) <= room) lines[lines.length - 1] = line + gap + part;
    else lines.push(' '.repeat(indent) + part);
  };
  for (const [, gap, part] of text.matchAll(/( *)([^ ]+(?: [^ ]+)*)/g)) {
    if (indent + width(part!) <= room) place(gap!, part!);
    else for (const [k, word] of part!.split(' ').entries()) place(k === 0 ? gap! : ' ', word);
  }
  return lines.join('\n');
}

/**
 * A help's text, whose lines end before column 80, in a narrower terminal: paragraphs are wrapped anew, and descriptions continue
 * below themselves. Command lines are not broken.
 */
export function fitHelp(text: string, room: number): string {
  const fits = (lines: readonly string[]): boolean => lines.every((line) => width(line) <= room);
  const fit = (line: string): string => {
    const [term] = /^ +\S+ {2,}|^ */.exec(line)!;
    return /^ +(bspkit|\{)/.test(line) ? line : wrap(line, room, term.length);
  };
  return text
    .split('\n\n')
    .map((paragraph) => {
      const lines = paragraph.split('\n');
      if (fits(lines)) return paragraph;
      // Lines that continue the one before begin where that does, those of a list's item below what it says.
      const whole = paragraph
        .replace(/(?<=^\S.*)\n(?=\S)/gm, ' ')
        .replace(/(?<=^ {2}\S+ {2,}\S.*(?:\n {4,}\S.*)*)\n {4,}(?=\S)/gm, ' ');
      return whole.split('\n').map(fit).join('\n');
    })
    .join('\n\n');
}
