import type { Answerer, Answering, MapSource } from './answer.ts';
import { answerQuake1 } from './quake1.ts';
import { answerQuake3 } from './quake3.ts';
import type { Header, Row, Table } from './table.ts';
import { answerUfoai } from './ufoai.ts';

const ANSWERERS: Readonly<Record<string, Answerer>> = {
  quake1: answerQuake1,
  quake3: answerQuake3,
  ufoai: answerUfoai,
};

/** A file of questions, ready to be answered row by row. */
export interface OpenTable {
  /** As given; where it names none of the answers' columns, all of them are put at its end. */
  readonly header: Header;
  /**
   * A copy of a row with its result cells computed. A row has a cell for every column, whatever the result cells hold,
   * or cells for the question's columns alone.
   * @throws RangeError when it has another number of cells, or a question that cannot be asked.
   */
  answer(row: Table['rows'][number]): Table['rows'][number];
}

/**
 * Opens the maps that a header names, by the game it names.
 * @throws RangeError for a game or kind that is not known, BspError for a map that cannot be read, and whatever
 *   `maps` throws.
 */
export function openTable(header: Header, maps: MapSource): OpenTable {
  if (!Object.hasOwn(ANSWERERS, header.game)) {
    const known = Object.keys(ANSWERERS).join(', ');
    throw new RangeError(`no such game: '${header.game}'; known are ${known}`);
  }
  const answerer = ANSWERERS[header.game]!;
  const answering = answerer(header, maps);
  const { columns } = header;
  if (!columns) return { header, answer: (row) => answered(answering, { ...row }) };
  const { results } = answering;
  const absent = results.filter((name) => !columns.includes(name));
  const all = [...columns, ...absent];
  const width = absent.length < results.length ? columns.length : all.length;
  const questions = [...all.keys()].filter((place) => !results.includes(all[place]!));
  // Answerers look up their columns once, so one that lacks some is opened anew with room for all.
  const completed = absent.length > 0 ? answerer({ ...header, columns: all }, maps) : answering;
  return {
    header: width > columns.length ? { ...header, columns: all } : header,
    answer(row) {
      const cells = answered(completed, placeCells(row, all.length, columns.length, questions));
      cells.length = width;
      return cells;
    },
  };
}

function answered<R extends Table['rows'][number]>(answering: Answering, row: R): R {
  answering.answer(row);
  return row;
}

/** A row's cells at their columns, with room for all answers; `given` is how many columns it came with. */
function placeCells(
  row: Table['rows'][number],
  room: number,
  given: number,
  questions: readonly number[],
): Row {
  if (!Array.isArray(row)) throw new RangeError('is not an array');
  if (row.length !== given && row.length !== questions.length) {
    throw new RangeError(`has ${row.length} cells, but there are ${given} columns`);
  }
  const cells: Row = Array.from({ length: room }, () => null);
  for (const [k, cell] of row.entries()) cells[row.length === given ? k : questions[k]!] = cell;
  return cells;
}
