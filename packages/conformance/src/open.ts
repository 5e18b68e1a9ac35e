import type { Answerer, MapSource } from './answer.ts';
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
  if (!columns) {
    return {
      header,
      answer(row) {
        const answer = { ...row };
        answering.answer(answer);
        return answer;
      },
    };
  }
  const { results } = answering;
  if (results.length > 0 && !results.some((name) => columns.includes(name))) {
    // Answerers look up their columns once, so the completed header is opened anew.
    return openTable({ ...header, columns: [...columns, ...results] }, maps);
  }
  const questions = [...columns.keys()].filter((place) => !results.includes(columns[place]!));
  return {
    header,
    answer(row) {
      const answer = placeCells(row, columns.length, questions);
      answering.answer(answer);
      return answer;
    },
  };
}

/** The cells of a row at their columns, absent ones null. */
function placeCells(row: Table['rows'][number], width: number, questions: readonly number[]): Row {
  if (!Array.isArray(row)) throw new RangeError('is not an array');
  if (row.length === width) return [...row];
  if (row.length !== questions.length) {
    throw new RangeError(`has ${row.length} cells, but there are ${width} columns`);
  }
  const cells: Row = Array.from({ length: width }, () => null);
  for (const [k, place] of questions.entries()) cells[place] = row[k]!;
  return cells;
}
