import type {
  BspFormat,
  Cell,
  Row,
  RowAnswering,
  RowHeader,
  RowKind,
  RowKinds,
  RowObject,
  RowSource,
} from '@bspkit/core/format';
import type { RowLine } from './table.ts';

/** Where a table's answers come from. */
export interface OpenOptions {
  /** Descriptors of the formats that can be used; the header's `game` names one by its id. */
  readonly formats: readonly BspFormat[];
  /** A map's bytes, by the name and hash that the header has. Throws when there is no such map. */
  readonly load: RowSource['load'];
  /** Kinds that packages other than formats answer, by game: rows of scenes, say. */
  readonly kinds?: Readonly<Record<string, RowKinds>> | undefined;
}

/** The kinds that several packages answer, together. */
export function joinKinds(
  ...parts: readonly Readonly<Record<string, RowKinds>>[]
): Readonly<Record<string, RowKinds>> {
  const joined: Record<string, RowKinds> = {};
  for (const part of parts) {
    for (const [game, kinds] of Object.entries(part)) joined[game] = { ...joined[game], ...kinds };
  }
  return joined;
}

/** Where lines begin that do not depend on those before them. */
export interface LineSequences {
  /** Whether a line, with those after it, needs none of those before it. `before` is the line just before it, if any. */
  begins(line: RowLine, before: RowLine | undefined): boolean;
  /** Forgets all lines before. */
  restart(): void;
}

/** A file of questions, ready to be answered line by line. */
export interface OpenTable {
  /** As given; if it names none of the answers' columns, all of them are added at the end. */
  readonly header: RowHeader;
  /** What is computed: names of columns, or of fields for kinds whose rows are objects. */
  readonly results: readonly string[];
  /** Columns that contain a question and its answers, each with what turns a cell into the question alone. */
  readonly asked: Readonly<Record<string, (cell: Cell) => Cell>>;
  /**
   * A copy of a row with its results computed. A row has a cell for every column, whatever the result cells hold, or
   * cells for the question's columns alone. A line between the rows that says what the next ones are about is copied
   * as it is; lines must come in the order of the file.
   * @throws RangeError when it has another number of cells, or a question that cannot be asked.
   */
  answer<R extends RowLine>(line: R): R;
  /** Whether a line is given whole, and is not a question: one between the rows, or a row that the next ones follow from. */
  isGiven(line: RowLine): boolean;
  /** How the file can be divided; `undefined` where each line can be answered by itself. */
  readonly sequences?: LineSequences | undefined;
}

/**
 * Finds the kind of a file's rows, and opens the maps that its header names.
 * @throws RangeError for an unknown game or kind, for rows of arrays without columns, and for columns without all of the
 *   question's; BspError for a map that cannot be read; and whatever `load` throws.
 */
export function openTable(header: RowHeader, { formats, load, kinds = {} }: OpenOptions): OpenTable {
  const { columns } = header;
  const format = findFormat(header, formats);
  const kind = findKind(header, format, kinds);
  const source: RowSource = { format, load };
  const { question, results, asked = {} } = kind;
  if (!columns) {
    if (question.length > 0)
      throw new RangeError(`line 1: columns is missing; questions of this kind have ${question.join(', ')}`);
    const answering = kind.open(header, source);
    const answer = <R extends RowLine>(line: R): R => answerObject(answering, line);
    return { header, results, asked: {}, answer, isGiven: () => false };
  }
  const absent = results.filter((name) => !columns.includes(name));
  const all = [...columns, ...absent];
  // Answers that the header does not name are computed along with those that it names, and cut off again.
  const width = absent.length < results.length ? columns.length : all.length;
  const questions = [...all.keys()].filter((place) => !results.includes(all[place]!));
  const answering = kind.open({ ...header, columns: all }, source);
  const isGiven = (line: RowLine): boolean => !Array.isArray(line) || (answering.isGiven?.(line) ?? false);
  const { sequences } = answering;
  const place = (row: Row): Row => placeCells(row, all.length, columns.length, questions);
  return {
    header: width > columns.length ? { ...header, columns: all } : header,
    results,
    asked: Object.fromEntries(Object.entries(asked).filter(([name]) => columns.includes(name))),
    isGiven,
    sequences: sequences && {
      begins(line, before) {
        if (!Array.isArray(line)) return true;
        return sequences.begins(place(line), Array.isArray(before) ? place(before) : undefined);
      },
      restart: () => sequences.restart(),
    },
    answer(line) {
      if (!Array.isArray(line)) return answerObject(answering, line);
      const cells = place(line);
      answerCells(answering, cells, all);
      cells.length = width;
      return cells as typeof line;
    },
  };
}

function findFormat({ game }: RowHeader, formats: readonly BspFormat[]): BspFormat {
  const format = formats.find(({ id }) => id === game);
  if (format) return format;
  throw new RangeError(`no such game: '${game}'; there are ${formats.map(({ id }) => id).join(', ')}`);
}

function findKind(
  { game, kind }: RowHeader,
  { name, rows }: BspFormat,
  kinds: Readonly<Record<string, RowKinds>>,
): RowKind {
  const all = [rows, Object.hasOwn(kinds, game) ? kinds[game]! : {}];
  const found = all.find((some) => Object.hasOwn(some, kind));
  if (found) return found[kind]!;
  const known = all.flatMap((some) => Object.keys(some));
  throw new RangeError(`no such kind of ${name} rows: '${kind}'; there are ${known.join(', ') || 'none'}`);
}

/** Answers a row that is an object, or takes a line that is about the rows after it. */
function answerObject<R extends RowLine>(answering: RowAnswering, line: R): R {
  if (Array.isArray(line)) throw new RangeError('is an array, but rows of this kind are objects');
  const object = { ...line } as RowObject;
  if (answering.answerObject) answering.answerObject(object);
  else if (answering.enter) answering.enter(object);
  else throw new RangeError('is an object, but rows of this kind are arrays');
  return object as R;
}

/** Answers a row. An error about a cell names its column. */
function answerCells(answering: RowAnswering, row: Row, columns: readonly string[]): void {
  try {
    answering.answer(row);
  } catch (error) {
    const { message, place } = error as { readonly message: string; readonly place?: number };
    if (place === undefined) throw error;
    throw new RangeError(
      message.replace(/^cell \d+/, (cell) => `${cell} (${columns[place]})`),
      { cause: error },
    );
  }
}

/** A row's cells in their columns, with room for all answers; `given` is how many columns it had. */
function placeCells(row: Row, room: number, given: number, questions: readonly number[]): Row {
  if (row.length !== given && row.length !== questions.length) {
    const asked = questions.length < given ? `, ${questions.length} without those of the answer` : '';
    const found = row.length === 1 ? '1 cell' : `${row.length} cells`;
    throw new RangeError(`has ${found}, but there are ${given} columns${asked}`);
  }
  const cells: Row = new Array(room).fill(null);
  for (let k = 0; k < row.length; k++) cells[row.length === given ? k : questions[k]!] = row[k]!;
  return cells;
}
