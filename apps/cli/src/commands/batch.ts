import { formatRow, type OpenTable, openTable, parseHeader, parseRow } from '@bspkit/rows';
import { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { type Lines, MAX_LINE_BYTES, readLines } from '../lines.ts';
import { mapSource } from '../map-source.ts';
import { count, showBytes, showTime } from '../numbers.ts';
import { printable } from '../printable.ts';
import { showProgress } from '../progress.ts';
import { ROW_KINDS } from '../row-kinds.ts';
import type { Session } from '../session.ts';
import { writeFile } from '../sink.ts';

interface Options {
  readonly queries: string;
  readonly out: string;
  readonly maps?: string;
}

/** So many characters are written at once. */
const BLOCK = 1 << 16;

export function batchCommand(session: Session): Command {
  return new Command('batch')
    .description('answer a file of many questions')
    .argument('[map]', 'map that the questions are about; by default the one they name')
    .requiredOption('--queries <file>', 'questions: NDJSON, gzipped or not; - is stdin')
    .requiredOption('--out <file>', 'where the answers go; - is stdout, a name in .gz is gzipped')
    .option('--maps <folder>', 'folder with the maps that the questions name')
    .addHelpText(
      'after',
      `
The first line is an object with game, map, kind and columns, every other line
an array with a cell for each column. The answers' cells are computed, whatever
they held, and the rest stays as it is. There may be any number of lines, none
longer than ${showBytes(MAX_LINE_BYTES)}.

Example:
  bspkit batch --maps maps --queries oa_dm1.trace.ndjson.gz --out answers.ndjson`,
    )
    .action(async (map: string | undefined, options: Options) => {
      const began = session.now();
      const tally = { rows: 0 };
      const lines = readLines(options.queries, session);
      try {
        const answering = await openAnswering(lines, map, options.maps, session);
        await writeFile(options.out, answers(lines, answering, tally, session), session);
      } finally {
        lines.close();
      }
      if (!session.io.stderr.isTTY) return;
      const time = showTime(session.now() - began);
      const written = `${count(tally.rows, 'answer')} in ${time}, written to ${printable(options.out)}`;
      session.err.print(`${written}\n`);
    });
}

/** A file of questions whose header has been read. */
interface Answering {
  /** The first line of the answers. */
  readonly head: string;
  readonly table: OpenTable;
}

async function openAnswering(
  lines: Lines,
  map: string | undefined,
  maps: string | undefined,
  session: Session,
): Promise<Answering> {
  const first = await lines[Symbol.asyncIterator]().next();
  if (first.done) throw new UsageError(`${lines.name}: is empty`);
  const { number, text } = first.value;
  return withPlace(lines.name, () => {
    const header = parseHeader(number === 1 ? text : '');
    const load = mapSource(header, map, maps, session);
    const table = openTable(header, { formats: session.formats, load, kinds: ROW_KINDS });
    // Spelled as it came, where nothing was added to it.
    return { head: table.header === header ? text : formatRow(table.header), table };
  });
}

/** The answers as text, some lines at a time. */
async function* answers(
  lines: Lines,
  { head, table }: Answering,
  tally: { rows: number },
  session: Session,
): AsyncGenerator<string> {
  const progress = showProgress('rows', session);
  let block = `${head}\n`;
  try {
    for await (const { number, text } of lines) {
      const row = withPlace(lines.name, () => parseRow(text, number));
      block += `${formatRow(withPlace(`${lines.name}: line ${number}`, () => table.answer(row)))}\n`;
      tally.rows++;
      if (block.length < BLOCK) continue;
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
