import { isErrorOf, showValue } from '@bspkit/core/format';
import { formatRow, type OpenTable, openTable, parseHeader, parseRow, type RowLine } from '@bspkit/rows';
import { joinBytes } from '../arrays.ts';
import { checkFormatId } from '../check.ts';
import { BakeError } from '../error.ts';
import type { BakeContext, ChunkRunner } from '../kind.ts';
import { ROW_KINDS } from '../rows.ts';
import { decodeText, encodeText } from '../text.ts';
import { type BatchParameters, mapInput } from './batch.ts';

/**
 * About as many bytes of questions, and characters of answers, as are text at once: rows that continue from each other make chunks
 * as long as they are, and as text they take several times the room.
 */
const BLOCK = 0x10000;

const NEWLINE = 10;

/** Answers chunks of rows: what `batch` opens. */
export function openRows({ parameters, formats, inputs, map }: BakeContext<BatchParameters>): ChunkRunner {
  const header = parseHeader(parameters.header);
  checkFormatId(header.game, formats);
  const table = openTable(header, {
    formats,
    kinds: ROW_KINDS,
    load(_, name, hash) {
      const bytes = inputs[mapInput(name, hash)] ?? (map.length > 0 ? map : undefined);
      if (!bytes) throw new BakeError('absent', `the job has no map ${showValue(name)}`);
      return bytes;
    },
  });
  return ({ input, first }) => {
    // An answer without rows would look like a whole bake.
    if (!input) throw new TypeError('the chunk has no input: rows are answered by streamChunks, not by bake');
    const answers: Uint8Array[] = [];
    let text = '';
    let number = first;
    // These rows must not continue from anything that another chunk has left behind.
    table.sequences?.restart();
    for (const line of linesOf(input, first)) {
      if (line.trim() !== '') text += answerRow(table, parseRow(line, number), number);
      number++;
      if (text.length < BLOCK) continue;
      answers.push(encodeText(text));
      text = '';
    }
    return joinBytes([...answers, encodeText(text)]);
  };
}

/** Lines of UTF-8. Throws `SyntaxError` naming one that is not; the first has number `first`. */
function* linesOf(bytes: Uint8Array, first: number): Generator<string> {
  let number = first;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at + BLOCK);
    const next = end < 0 ? bytes.length : end + 1;
    const lines = decodeLines(bytes.subarray(at, next), number);
    if (bytes[next - 1] === NEWLINE) lines.pop();
    yield* lines;
    number += lines.length;
    at = next;
  }
}

function decodeLines(bytes: Uint8Array, first: number): string[] {
  try {
    return decodeText(bytes).split('\n');
  } catch (cause) {
    // One by one, to find it.
    for (let [at, number] = [0, first]; ; number++) {
      const end = bytes.indexOf(NEWLINE, at);
      if (end < 0 || !isText(bytes.subarray(at, end)))
        throw new SyntaxError(`line ${number} is not UTF-8`, { cause });
      at = end + 1;
    }
  }
}

function isText(bytes: Uint8Array): boolean {
  try {
    decodeText(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A row answered, as text. Errors name its number; those about the header name their line themselves. */
function answerRow(table: OpenTable, row: RowLine, number: number): string {
  try {
    return `${formatRow(table.answer(row))}\n`;
  } catch (error) {
    if (!(isErrorOf(error, RangeError) || isErrorOf(error, TypeError))) throw error;
    throw new RangeError(`line ${number}: ${error.message}`, { cause: error });
  }
}
