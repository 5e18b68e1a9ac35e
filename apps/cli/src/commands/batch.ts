import { formatRow, openTable, parseHeader, parseRow } from '@bspkit/conformance';
import { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { readLines } from '../lines.ts';
import { mapSource } from '../map-source.ts';
import { count, showTime } from '../numbers.ts';
import { type Progress, showProgress } from '../progress.ts';
import { writeText } from '../sink.ts';

interface Options {
  readonly queries: string;
  readonly out: string;
  readonly maps?: string;
}

/** Rows that are answered and written at once. */
const BLOCK = 512;

export function batchCommand(): Command {
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
    .action(run);
}

async function run(map: string | undefined, options: Options): Promise<void> {
  const began = performance.now();
  const tally = { rows: 0 };
  await writeText(options.out, answer(map, options, tally));
  if (process.stderr.isTTY) {
    const time = showTime(performance.now() - began);
    process.stderr.write(`${count(tally.rows, 'answer')} in ${time}, written to ${options.out}\n`);
  }
}

/** The answers as text, some lines at a time. */
async function* answer(
  map: string | undefined,
  { queries, maps }: Options,
  tally: { rows: number },
): AsyncGenerator<string> {
  const lines = readLines(queries);
  const first = await lines.next();
  if (first.done) throw new UsageError(`${queries}: is empty`);
  const { header, table } = withPlace(queries, () => {
    const given = parseHeader(first.value);
    const opened = openTable(given, mapSource(given, map, maps));
    return { header: given, table: opened };
  });
  // Spelled as it came, where nothing was added to it.
  yield table.header === header ? `${first.value}\n` : `${formatRow(table.header)}\n`;
  const progress = showProgress('rows', typeof header.n === 'number' ? header.n : undefined);
  try {
    yield* answerRows(lines, queries, table.answer, progress, tally);
  } finally {
    progress.end();
  }
}

async function* answerRows(
  lines: AsyncIterable<string>,
  queries: string,
  answer: ReturnType<typeof openTable>['answer'],
  progress: Progress,
  tally: { rows: number },
): AsyncGenerator<string> {
  let number = 1;
  let block = '';
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const place = `${queries}: line ${number}`;
    block += `${formatRow(withPlace(place, () => answer(parseRow(line, number))))}\n`;
    if (++tally.rows % BLOCK !== 0) continue;
    yield block;
    block = '';
    progress.update(tally.rows);
  }
  yield block;
}

/** What is wrong with a question is the user's to mend: it is told with its place. */
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
