import { formatRow, type OpenTable, openTable, parseHeader, parseRow } from '@bspkit/rows';
import { sceneRows } from '@bspkit/scene/rows';
import { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { type Lines, readLines } from '../lines.ts';
import { mapSource } from '../map-source.ts';
import { count, showTime } from '../numbers.ts';
import { showProgress } from '../progress.ts';
import type { Session } from '../session.ts';
import { writeText } from '../sink.ts';

interface Options {
  readonly queries: string;
  readonly out: string;
  readonly maps?: string;
}

/** Rows that are answered and written at once. */
const BLOCK = 512;

export function batchCommand(session: Session): Command {
  return new Command('batch')
    .description('answer a file of many questions')
    .argument('[map]', 'map that the questions are about; by default the one they name')
    .requiredOption('--queries <file>', 'questions: NDJSON, gzipped or not')
    .requiredOption('--out <file>', 'where the answers go; - is stdout, a name in .gz is gzipped')
    .option('--maps <folder>', 'folder with the maps that the questions name')
    .addHelpText(
      'after',
      `
The first line is an object with game, map, kind and columns, every other line
an array with a cell for each column. The answers' cells are computed, whatever
they held, and the rest stays as it is.

Example:
  bspkit batch --maps maps --queries oa_dm1.trace.ndjson.gz --out answers.ndjson`,
    )
    .action(async (map: string | undefined, options: Options) => {
      const began = performance.now();
      const tally = { rows: 0 };
      await writeText(options.out, answer(map, options, tally, session), session);
      if (!session.io.stderr.isTTY) return;
      const time = showTime(performance.now() - began);
      session.err.print(`${count(tally.rows, 'answer')} in ${time}, written to ${options.out}\n`);
    });
}

/** The answers as text, some lines at a time. */
async function* answer(
  map: string | undefined,
  { queries, maps }: Options,
  tally: { rows: number },
  session: Session,
): AsyncGenerator<string> {
  const lines = readLines(queries, session);
  const first = await lines[Symbol.asyncIterator]().next();
  if (first.done) throw new UsageError(`${queries}: is empty`);
  const { header, table } = withPlace(queries, () => {
    const given = parseHeader(first.value);
    const load = mapSource(given, map, maps, session);
    return { header: given, table: openTable(given, { formats: session.formats, load, kinds: sceneRows }) };
  });
  // Spelled as it came, where nothing was added to it.
  yield table.header === header ? `${first.value}\n` : `${formatRow(table.header)}\n`;
  yield* answerRows(lines, queries, table, tally, session);
}

async function* answerRows(
  lines: Lines,
  queries: string,
  table: OpenTable,
  tally: { rows: number },
  session: Session,
): AsyncGenerator<string> {
  const progress = showProgress('rows', session);
  let number = 1;
  let block = '';
  try {
    for await (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      const place = `${queries}: line ${number}`;
      block += `${formatRow(withPlace(place, () => table.answer(parseRow(line, number))))}\n`;
      if (++tally.rows % BLOCK !== 0) continue;
      yield block;
      block = '';
      progress.update(tally.rows, lines.part());
    }
    yield block;
  } finally {
    progress.end();
  }
}

/** What is wrong with a question is the user's to fix: it is told with its place. */
function withPlace<T>(place: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError) {
      throw new UsageError(`${place}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}
