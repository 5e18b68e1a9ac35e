import { type BakeChunk, createJob, mapInput, streamChunks } from '@bspkit/bake';
import { ROW_KINDS } from '@bspkit/bake/rows';
import type { RowSource } from '@bspkit/core/format';
import { formatRow, type OpenTable, openTable, parseHeader, parseRow, type RowLine } from '@bspkit/rows';
import { count } from '@bspkit/words';
import { Command } from 'commander';
import { askedAssembly } from '../assembly.ts';
import { demoNames } from '../demo-maps.ts';
import { Interrupted, UsageError, withMapName } from '../errors.ts';
import { addExecutorOptions, type ExecutorOptions, type OpenExecutor, openExecutor } from '../executors.ts';
import { type Journal, openJournal } from '../journal.ts';
import { type Line, type Lines, MAX_LINE_BYTES, readLines } from '../lines.ts';
import { type FoundMap, mapSource } from '../map-source.ts';
import { titleOf } from '../maps.ts';
import { showBytes, showTime } from '../numbers.ts';
import { printable } from '../printable.ts';
import { type Progress, showProgress } from '../progress.ts';
import { QUEUE_HELP, withQueue } from '../queue.ts';
import type { Session } from '../session.ts';
import { checkTarget, outputName, writeFile } from '../sink.ts';

interface Options extends ExecutorOptions {
  readonly queries: string;
  readonly out: string;
  readonly maps?: string;
  readonly resume?: boolean;
}

const KINDS = 'https://github.com/bspkit/bspkit/blob/main/apps/docs/guides/batch.md';

/** This many characters are written at once. */
const BLOCK = 1 << 16;

export function batchCommand(session: Session): Command {
  const [, game] = demoNames('arena', session.formats)[0]?.split('@') ?? [];
  const command = new Command('batch')
    .description('answer a file of many questions')
    .argument('[map]', 'map to ask about; by default the one that the file names')
    .requiredOption('--queries <file>', 'questions: NDJSON, gzipped or not; - is stdin')
    .requiredOption('-o, --out <file>', 'file for the answers, gzipped if it ends in .gz; - is stdout')
    .option('--maps <folder>', 'folder with the maps that files of questions name')
    .option('--resume', 'keep answers in OUT.part as they come, and continue from those there')
    .addHelpText(
      'after',
      `
The first line is an object with game, map, kind and columns, every other line
an array with a cell for each column. If MAP is given, the object need not have
a map. Cells of the answer are computed, whatever they contain; the others stay
as they are. There may be any number of lines, none longer than ${showBytes(MAX_LINE_BYTES)}.

Two questions about demo:arena:
  {"game":"${game}","kind":"points","columns":["x","y","z"]}
  [256,256,-64]
  [0,0,100]

All kinds of questions, their columns, and what else some have in the object:
${KINDS}

The output has the same bytes with any --jobs and --queue. Rows that continue
from each other, such as the moves of a player, are answered by one thread: more
are of use only for files with many such sequences. Start long runs with
--resume: after Ctrl-C or a crash, the same command then continues.

${QUEUE_HELP}

Examples:
  bspkit batch demo:arena --queries points.ndjson --out answers.ndjson
  bspkit batch --maps maps --queries oa_dm1.trace.ndjson.gz --out answers.ndjson
  bspkit batch oa_dm1.bsp --queries q.ndjson --out a.ndjson --jobs 8 --resume`,
    )
    .action(async (map: string | undefined, options: Options) => {
      const began = session.now();
      const tally = { rows: 0 };
      let progress: Progress | undefined;
      const lines = readLines(options.queries, session);
      let shared: Shared | undefined;
      try {
        const answering = await openAnswering(lines, map, options.maps, session);
        const isShared = options.jobs !== undefined || options.queue !== undefined || options.resume;
        if (isShared) shared = await openShared(answering, options, session);
        // Opening the maps is not part of the rate.
        const shows = showProgress('rows', session);
        progress = shows;
        const answer = shared ? sharedAnswers(lines, answering, shared) : ownAnswers(lines, answering);
        await withQueue(() => writeFile(options.out, shown(answer, lines, tally, shows), session));
        await shared?.journal?.remove();
      } catch (error) {
        progress?.end();
        if (error instanceof Interrupted && shared?.journal && session.io.stderr.isTTY) {
          const { name } = shared.journal;
          session.tell(`stopped: the same command continues ${printable(name)}`);
        }
        throw error;
      } finally {
        lines.close();
        // After Ctrl-C too: chunks that nobody has begun are withdrawn.
        await shared?.close();
      }
      if (!session.io.stderr.isTTY) return;
      const time = showTime(session.now() - began);
      const written = `${count(tally.rows, 'answer')} in ${time}, written to ${outputName(options.out)}`;
      session.tell(written);
    });
  return addExecutorOptions(command, 'none: the process works itself');
}

/** A file of questions whose header has been read. */
interface Answering {
  /** The first line of the questions, and that of the answers. */
  readonly first: string;
  readonly head: string;
  readonly table: OpenTable;
  /** The maps that the questions are about, by the names that a job uses for them. */
  readonly maps: ReadonlyMap<string, Uint8Array>;
}

/** Answers, as text, and the number of their rows. */
interface Answers {
  readonly text: string;
  readonly rows: number;
}

async function openAnswering(
  lines: Lines,
  map: string | undefined,
  folder: string | undefined,
  session: Session,
): Promise<Answering> {
  if (map !== undefined && askedAssembly(map, session.formats)) {
    const instead = 'list its maps as tiles in line 1, and give their folder with --maps';
    throw new UsageError(`${map}: is an assembly: ${instead}`);
  }
  const next = await lines[Symbol.asyncIterator]().next();
  if (next.done) throw new UsageError(`${lines.name}: is empty`);
  const { number, text } = next.value;
  return withPlace(lines.name, () => {
    const first = withMap(number === 1 ? text : '', map);
    const header = parseHeader(first);
    const find = mapSource(header, map, folder, session);
    const found = new Map<string, FoundMap>();
    // Each map is read as soon as it is loaded, so errors are about this one.
    let opened = header.map;
    const load: RowSource['load'] = (game, name, sha256) => {
      const input = mapInput(name, sha256);
      const one = found.get(input) ?? find(game, name, sha256);
      found.set(input, one);
      opened = one.name;
      return one.bytes;
    };
    const options = { formats: session.formats, load, kinds: ROW_KINDS };
    const table = withMapName(
      () => opened,
      () => openTable(header, options),
    );
    const maps = new Map([...found].map(([input, { bytes }]) => [input, bytes]));
    // Left exactly as it was if nothing was added.
    return { first, head: table.header === header ? first : formatRow(table.header), table, maps };
  });
}

/**
 * The first line of the questions, which need not name the map that was given: the answers then do. Throws `SyntaxError` if there
 * is no map at all.
 */
function withMap(line: string, map: string | undefined): string {
  const header = parseRow(line, 1);
  if (Array.isArray(header) || Object.hasOwn(header, 'map')) return line;
  if (map) return formatRow({ ...header, map: titleOf(map) });
  throw new SyntaxError('line 1: map is missing: name one before --queries, as in bspkit batch demo:arena');
}

/** The answers as text, with progress as they go. */
async function* shown(
  answers: AsyncIterable<Answers>,
  lines: Lines,
  tally: { rows: number },
  progress: Progress,
): AsyncGenerator<string> {
  try {
    for await (const { text, rows } of answers) {
      tally.rows += rows;
      yield text;
      progress.update(tally.rows, lines.part());
    }
  } finally {
    progress.end();
  }
}

/** Answers computed here, some lines at a time. */
async function* ownAnswers(lines: Lines, { head, table }: Answering): AsyncGenerator<Answers> {
  let text = `${head}\n`;
  let rows = 0;
  for await (const { number, text: line } of lines) {
    const row = withPlace(lines.name, () => parseRow(line, number));
    text += `${formatRow(withPlace(lines.name, () => table.answer(row), number))}\n`;
    rows++;
    if (text.length < BLOCK) continue;
    yield { text, rows };
    [text, rows] = ['', 0];
  }
  yield { text, rows };
}

/** An executor that answers chunks of lines elsewhere, and a journal that keeps the answers. */
interface Shared extends OpenExecutor {
  readonly journal: Journal | undefined;
}

async function openShared({ first, maps }: Answering, options: Options, session: Session): Promise<Shared> {
  const { resume, out, queue, jobs = queue === undefined ? 1 : undefined } = options;
  if (resume && (out === '-' || !(await checkTarget(out, session)).replaceable)) {
    throw new UsageError(`--resume needs a file: --out is ${outputName(out)}`);
  }
  const inputs = Object.fromEntries(maps);
  const job = await createJob({
    kind: 'batch',
    parameters: { header: first },
    inputs,
    count: 0,
    chunkSize: 1,
  });
  const journal = resume ? await openJournal(out, job, inputs, session) : undefined;
  try {
    const opened = await openExecutor({ queue, jobs }, job, { inputs }, session);
    const executor = journal?.keep(opened.executor) ?? opened.executor;
    const close = async (): Promise<void> => {
      await opened.close();
      await journal?.close();
    };
    const signals = [opened.lost, journal?.lost].filter((signal) => signal !== undefined);
    return { ...opened, executor, close, journal, lost: AbortSignal.any(signals) };
  } catch (error) {
    await journal?.close();
    throw error;
  }
}

/** Has chunks of lines answered elsewhere: the same answers, in the same order. */
async function* sharedAnswers(
  lines: Lines,
  { head, table }: Answering,
  { executor, lost, window }: OpenExecutor,
): AsyncGenerator<Answers> {
  try {
    yield { text: `${head}\n`, rows: 0 };
    const chunks = cutLines(lines, table);
    for await (const { chunk, answer } of streamChunks({ executor, chunks, window, signal: lost })) {
      const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.length);
      let [at, rows] = [0, chunk.count];
      do {
        const end = bytes.indexOf('\n', at + BLOCK);
        const next = end < 0 ? bytes.length : end + 1;
        yield { text: bytes.toString('utf8', at, next), rows };
        [at, rows] = [next, 0];
      } while (at < bytes.length);
    }
  } catch (error) {
    // The error has line numbers already.
    throw placed(lines.name, error);
  }
}

/** The first chunks are so small that even files with few questions, which may take long, are distributed. */
const LEAST_ROWS = 8;
const MOST_ROWS = 4096;
/** After this many chunks of one size, the next are twice as large. */
const STEP_CHUNKS = 8;
const MOST_TEXT = 1 << 18;
/** The most characters of lines that continue from each other: a chunk is in memory as a whole, several times over. */
const MOST_SEQUENCE = 64_000_000;

/** Lines in chunks that can be answered independently of each other. */
async function* cutLines(lines: Lines, table: OpenTable): AsyncGenerator<BakeChunk> {
  let [index, first, count, length, text, next] = [0, 0, 0, 0, '', 0];
  /** What comes before `text`: a long chunk takes several times its room as text. */
  let blocks: Buffer[] = [];
  const { sequences } = table;
  let before: Line | undefined;
  // In a long sequence, each line is asked about, and then comes before the next.
  let parsed: { readonly line: Line; readonly row: RowLine } | undefined;
  const parse = (line: Line): RowLine => {
    if (parsed?.line === line) return parsed.row;
    const row = parseRow(line.text, line.number);
    parsed = { line, row };
    return row;
  };
  const begins = (line: Line): boolean => {
    try {
      if (!sequences) return true;
      const last = before && parse(before);
      return sequences.begins(parse(line), last);
    } catch {
      // What is wrong with a line is reported when it is answered.
      return true;
    }
  };
  for await (const line of lines) {
    const { number } = line;
    const rows = Math.min(MOST_ROWS, LEAST_ROWS * 2 ** Math.floor(index / STEP_CHUNKS));
    if ((count >= rows || length >= MOST_TEXT) && begins(line)) {
      yield { index: index++, first, count, input: Buffer.concat([...blocks, Buffer.from(text)]) };
      [count, length, text, blocks] = [0, 0, '', []];
    }
    if (count === 0) first = number;
    else if (length + line.text.length > MOST_SEQUENCE) {
      const most = showBytes(MOST_SEQUENCE);
      const problem = `lines ${first} to ${number} continue from each other, and have more than ${most} together`;
      throw new UsageError(`${lines.name}: ${problem}: leave out --jobs, --queue and --resume`);
    }
    // Blank lines are kept, so that line numbers are right.
    const added = `${count === 0 ? '' : '\n'.repeat(number - next)}${line.text}\n`;
    text += added;
    length += added.length;
    if (text.length >= BLOCK) {
      blocks.push(Buffer.from(text));
      text = '';
    }
    before = line;
    next = number + 1;
    count++;
  }
  if (count > 0) yield { index, first, count, input: Buffer.concat([...blocks, Buffer.from(text)]) };
}

/** Runs something that takes questions; adds their place to its errors. */
function withPlace<T>(place: string, run: () => T, line?: number): T {
  try {
    return run();
  } catch (error) {
    throw placed(place, error, line);
  }
}

/** The usage error for what is wrong with a question; any other error as it is. A `SyntaxError` names its line itself. */
function placed(place: string, error: unknown, line?: number): unknown {
  const isSyntax = error instanceof SyntaxError;
  if (!(isSyntax || error instanceof RangeError || error instanceof TypeError)) return error;
  const at = line === undefined || isSyntax ? '' : `line ${line}: `;
  return new UsageError(`${place}: ${at}${error.message}`, { cause: error });
}
