import {
  BakeError,
  type BakeJob,
  type BakeStore,
  BakeWriter,
  bake,
  chunkCount,
  createJob,
  type JobParts,
  memoryStore,
} from '@bspkit/bake';
import { count } from '@bspkit/words';
import { Command, Option } from 'commander';
import { wholeBetween, wholeUpTo } from '../arguments.ts';
import { askedAssembly } from '../assembly.ts';
import {
  addJobOptions,
  checkJobOptions,
  ITEMS,
  inputsOf,
  type JobOptions,
  KINDS,
  type Kind,
  parametersOf,
} from '../bake-job.ts';
import {
  addOutputOptions,
  checkOutputs,
  type OutputOptions,
  outputNames,
  writeOutputs,
} from '../bake-output.ts';
import { Interrupted, UsageError, userError } from '../errors.ts';
import {
  addExecutorOptions,
  checkExecutor,
  type ExecutorOptions,
  type OpenExecutor,
  openExecutor,
} from '../executors.ts';
import { MAP_FORMS, readMap } from '../maps.ts';
import { listed, showTime } from '../numbers.ts';
import { type OpenMap, openMap, openMapBytes } from '../open-map.ts';
import { printable } from '../printable.ts';
import { showRate } from '../progress.ts';
import { QUEUE_HELP, withQueue } from '../queue.ts';
import type { Session } from '../session.ts';
import { checkTarget, isStdout, outputName, writeFile } from '../sink.ts';
import { type OpenStore, openStore } from '../store.ts';

interface Options extends JobOptions, ExecutorOptions, OutputOptions {
  readonly kind: Kind;
  readonly resume?: boolean;
  readonly chunkSize?: number;
  readonly retries?: number;
}

/** The most items per chunk. */
const MOST_CHUNK = 0xffffffff;

/** More would be useless: a chunk that fails that often always fails. */
const MOST_RETRIES = 1000;

export function bakeCommand(session: Session): Command {
  const command = new Command('bake')
    .description('compute light, sight, room or exposure of a whole map, on all cores')
    .argument('<map>', MAP_FORMS)
    .addOption(new Option('--kind <kind>', 'what to compute').choices(KINDS).makeOptionMandatory())
    .requiredOption('-o, --out <file>', 'the file to write')
    .option('--resume', 'continue the bake in the file, as after Ctrl-C');
  addJobOptions(command);
  addExecutorOptions(command, 'one per core');
  const how = [
    new Option('--chunk-size <items>', 'items per chunk; by default a job has 64 chunks or more').argParser(
      wholeBetween(1, MOST_CHUNK),
    ),
    new Option('--retries <n>', 'how often a failed chunk is tried again; 3 by default').argParser(
      wholeUpTo(MOST_RETRIES),
    ),
  ];
  for (const option of how) command.addOption(option);
  return addOutputOptions(command)
    .addHelpText(
      'after',
      `
Kinds:
  occlusion  the share of rays from each point that hit nothing: ambient light
  sight      which points see which: a matrix of bits
  clearance  a grid: contents, distance to walls, floors, where a player fits
  exposure   for each place to stand, the share of the others that see it

The output has the same bytes whatever the number of threads or machines. It
grows in chunks; after Ctrl-C or a crash, the same command with --resume
continues. Without it, a file that is there is not overwritten, whether it is a
bake or not, unless it is empty. A bake whose name ends in .gz cannot grow: it
is written at the end, over what is there, as all other output files are.

For --points, cells are where a player can walk to, and a file has three numbers
per line, or six with normals. Only surfaces and cells have a --step.

${QUEUE_HELP}

Examples:
  bspkit bake demo:arena --kind occlusion --out arena.bake
  bspkit bake q3dm1.bsp --kind exposure --out q3dm1.bake --png q3dm1.png`,
    )
    .action((name: string, options: Options) => runBake(name, options, session));
}

async function runBake(name: string, options: Options, session: Session): Promise<void> {
  const began = session.now();
  const { kind, out } = options;
  checkJobOptions(options);
  const { map, maps } = openMaps(name, session);
  const canGrow = await checkGrowth(options, session);
  await checkOutputs(options, session);
  await checkExecutor(options, session);
  const inputs = inputsOf(map, options, session);
  // Files of points have been read by now, and must not be overwritten either.
  await checkOutputs(options, session);
  const job = await asUserInput(() =>
    createJob({
      kind,
      ...maps,
      parameters: parametersOf(map, options),
      inputs,
      chunkSize: options.chunkSize,
    }),
  );
  const { file, earlier } = await runJob(job, { ...maps, inputs }, canGrow, options, session);
  const isPrinted = isStdout(out, session);
  if (!canGrow && !isPrinted) await writeFile(out, file, session);
  try {
    await writeOutputs(file, map, options, session);
  } catch (error) {
    throw canGrow ? withBake(error, out) : error;
  } finally {
    // Last: if whoever reads stdout closes it, the command ends. And in any case: the bake is nowhere else.
    if (isPrinted) await writeFile(out, file, session);
  }
  if (!session.io.stderr.isTTY) return;
  const items = count(job.count, ITEMS[kind]);
  const files = outputNames(options);
  const written = (names: readonly string[]): string => `written to ${listed(names.map(outputName))}`;
  if (earlier === 1) {
    const drawn = files.length > 0 ? `; ${written(files)}` : '';
    session.tell(`${printable(out)} was finished already, with ${items}${drawn}`);
    return;
  }
  const there = earlier > 0 ? `, ${showPart(earlier)} of which were there already, the others` : '';
  session.tell(`${items}${there} in ${showTime(session.now() - began)}, ${written([out, ...files])}`);
}

/** The files that a bake is about: of one map, or of an assembly. */
type Maps = Pick<JobParts, 'map' | 'tiles'>;

function openMaps(name: string, session: Session): { readonly map: OpenMap; readonly maps: Maps } {
  if (askedAssembly(name, session.formats)) {
    const map = openMap(name, session);
    return { map, maps: { tiles: map.parts.map((part) => ({ map: part.map, offset: part.offset })) } };
  }
  const bytes = readMap(name, session);
  return { map: openMapBytes(name, bytes, session), maps: { map: bytes } };
}

/** Adds to an error about a picture or table of a bake that the bake's work, which may be that of hours, is not lost. */
const withBake = (error: unknown, out: string): unknown =>
  error instanceof UsageError && !(error.cause instanceof BakeError)
    ? new UsageError(`${error.message}; the bake itself is in ${out}: --resume only draws it`, {
        cause: error,
      })
    : error;

/** A part of a bake, in percent: what is there is never nothing. */
const showPart = (part: number): string => (part < 0.01 ? 'less than 1 %' : `${Math.floor(100 * part)} %`);

/** Whether a bake can grow in its file: not in pipes and devices, nor gzipped; these get all of it at the end. */
async function checkGrowth({ out, resume }: Options, session: Session): Promise<boolean> {
  const isStream = out === '-' || out.endsWith('.gz');
  if (!isStream && (await checkTarget(out, session)).replaceable) return true;
  if (resume)
    throw new UsageError(`${outputName(out)}: --resume needs a file that can grow, which this is not`);
  return false;
}

/** A bake that is finished. */
interface Baked {
  /** Its file; empty if it has grown in place and nothing more is made from it. */
  readonly file: Uint8Array;
  /** The share of its chunks that an earlier run had made, from 0 to 1. */
  readonly earlier: number;
}

/** Runs a job to its end. */
async function runJob(
  job: BakeJob,
  bytes: Maps & { readonly inputs: Readonly<Record<string, Uint8Array>> },
  canGrow: boolean,
  options: Options,
  session: Session,
): Promise<Baked> {
  const stop = new AbortController();
  let unwatch: (() => void) | undefined;
  const progress = showRate(`${ITEMS[options.kind]}s`, session);
  let file: OpenStore | undefined;
  let answering: OpenExecutor | undefined;
  let earlier: number | undefined;
  try {
    answering = await asUserInput(() => openExecutor(options, job, bytes, session));
    // Until now, a signal ends the command at once: nothing has begun, and the queue may be away.
    unwatch = session.io.onSignal?.((signal) => stop.abort(new Interrupted(signal)));
    const { executor, lost } = answering;
    lost?.addEventListener('abort', () => stop.abort(lost.reason));
    if (canGrow) file = await openStore(options.out, session);
    if (file && !options.resume) await keepFile(job, bytes.inputs, file.store, options.out);
    const store = file?.store ?? memoryStore();
    await withQueue(() =>
      bake(job, {
        inputs: bytes.inputs,
        executor,
        store,
        resume: options.resume,
        retries: options.retries,
        signal: stop.signal,
        onProgress({ done, chunks, part, rate, left }) {
          earlier ??= (done - 1) / chunks;
          progress.update(part, rate, left);
        },
      }),
    );
    const isRead = !canGrow || outputNames(options).length > 0;
    const whole = isRead ? await store.read(0, await store.size()) : new Uint8Array();
    // Without progress, there was nothing left to do.
    return { file: whole, earlier: earlier ?? 1 };
  } catch (error) {
    progress.end();
    throw withAdvice(error, options.out, canGrow, session);
  } finally {
    progress.end();
    await answering?.close();
    await file?.close();
    unwatch?.();
  }
}

/**
 * Refuses to write over what is in the file: a bake may be the work of hours, and anything else was named by mistake.
 * @throws UsageError naming the file, if it is of the same job or not a bake; BakeError if it is of another job, or too damaged to
 *   say of which.
 */
async function keepFile(
  job: BakeJob,
  inputs: Readonly<Record<string, Uint8Array>>,
  store: BakeStore,
  name: string,
): Promise<void> {
  const old = await readOld(job, inputs, store);
  let done = 0;
  const chunks = chunkCount(job);
  for (let chunk = 0; chunk < chunks; chunk++) done += old.has(chunk) ? 1 : 0;
  if (done === 0) return;
  const there = old.isWhole
    ? 'all of this bake is there already: --resume takes it as it is'
    : `${showPart(done / chunks)} of this bake is there already: --resume continues it`;
  throw new UsageError(`${name}: ${there}; to begin again, remove the file`);
}

/** What exists of a job. Throws UsageError for a file that is not a bake, and as `resume` for a bake of another job. */
async function readOld(
  job: BakeJob,
  inputs: Readonly<Record<string, Uint8Array>>,
  store: BakeStore,
): Promise<BakeWriter> {
  try {
    return await BakeWriter.resume(store, job, inputs);
  } catch (error) {
    if (!(error instanceof BakeError && error.code === 'file')) throw error;
    throw new UsageError(`${error.message}; it is not written over: move or remove it, or name another`, {
      cause: error,
    });
  }
}

/** Says what to do with a bake that cannot be continued; if the user stopped the command, whether it can be. */
function withAdvice(error: unknown, out: string, canGrow: boolean, session: Session): unknown {
  if (error instanceof Interrupted && canGrow && session.io.stderr.isTTY) {
    session.tell(`stopped: the same command with --resume continues ${printable(out)}`);
  }
  // Nothing is written over what may be the work of hours.
  const isInTheWay = error instanceof BakeError && ['damaged', 'other-job'].includes(error.code);
  if (!isInTheWay) return error;
  return new UsageError(`${error.message}; move or remove it to begin again`, { cause: error });
}

/** What is wrong with a job's parameters is for the user to correct. */
async function asUserInput<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw userError(error);
  }
}
