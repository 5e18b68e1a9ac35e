import {
  BakeError,
  type BakeJob,
  type BakeParameters,
  type BakeStore,
  BakeWriter,
  bake,
  chunkCount,
  createJob,
  type JobParts,
  MOST_ITEMS,
  memoryStore,
  pointBytes,
} from '@bspkit/bake';
import { playerPreset, suitedPresets } from '@bspkit/core/format';
import { count } from '@bspkit/words';
import { Command, Option } from 'commander';
import { parseBox, parseCount, parseNumber, parsePositive, wholeBetween, wholeUpTo } from '../arguments.ts';
import { askedAssembly } from '../assembly.ts';
import {
  addOutputOptions,
  checkOutputs,
  type OutputOptions,
  outputNames,
  writeOutputs,
} from '../bake-output.ts';
import { checkStep, layoutOf, POINTS_HELP, readPoints } from '../bake-points.ts';
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
import { type Preset, presetTracer } from '../presets.ts';
import { printable } from '../printable.ts';
import { showRate } from '../progress.ts';
import { QUEUE_HELP, withQueue } from '../queue.ts';
import type { Session } from '../session.ts';
import { checkTarget, isStdout, outputName, writeFile } from '../sink.ts';
import { type OpenStore, openStore } from '../store.ts';

interface Options extends ExecutorOptions, OutputOptions {
  readonly kind: Kind;
  readonly resume?: boolean;
  readonly points?: string;
  readonly targets?: string;
  readonly step?: number;
  readonly tracer?: string;
  readonly shape?: string;
  readonly rays?: number;
  readonly seed?: number;
  readonly distance?: number;
  readonly offset?: number;
  readonly eye?: number;
  readonly bounds?: readonly number[];
  readonly reach?: number;
  readonly chunkSize?: number;
  readonly retries?: number;
}

const KINDS = ['occlusion', 'sight', 'clearance', 'exposure'] as const;
type Kind = (typeof KINDS)[number];

/** Options that affect what is computed, and the kinds that take them. */
const TAKEN: Readonly<Partial<Record<keyof Options, readonly Kind[]>>> = {
  points: ['occlusion', 'sight', 'exposure'],
  targets: ['sight'],
  shape: ['clearance'],
  rays: ['occlusion', 'clearance'],
  seed: ['occlusion'],
  distance: ['occlusion', 'sight', 'exposure'],
  offset: ['occlusion'],
  eye: ['sight', 'exposure'],
  bounds: ['clearance'],
  reach: ['clearance'],
};

/** Where points come from by default. */
const POINTS: Readonly<Record<Exclude<Kind, 'clearance'>, string>> = {
  occlusion: 'surfaces',
  sight: 'entities',
  exposure: 'cells',
};

const GRID_STEP = 64;
/** The most cells of a grid without given bounds: minutes of work, in a file of more than a gigabyte. */
const MOST_UNASKED = 2 ** 27;

/** The most items per chunk. */
const MOST_CHUNK = 0xffffffff;

/** More would be useless: a chunk that fails that often always fails. */
const MOST_RETRIES = 1000;

/** How high eyes are, as a share of the distance from the traced point to the top of the body. */
const EYE_SHARE = 0.75;

export function bakeCommand(session: Session): Command {
  const command = new Command('bake')
    .description('compute light, sight, room or exposure of a whole map, on all cores')
    .argument('<map>', MAP_FORMS)
    .addOption(new Option('--kind <kind>', 'what to compute').choices(KINDS).makeOptionMandatory())
    .requiredOption('-o, --out <file>', 'the file to write')
    .option('--resume', 'continue the bake in the file, as after Ctrl-C');
  const what = [
    new Option(
      '--points <from>',
      `${POINTS_HELP}; by default surfaces for occlusion, entities for sight, cells for exposure`,
    ),
    new Option('--targets <from>', 'sight: points to look at, if not --points themselves'),
    new Option(
      '--step <units>',
      'distance between points, cells or grid lines; 64 by default, 32 for cells',
    ).argParser(parsePositive),
    new Option('--tracer <preset>', 'what is traced, one of the tracers of compare; a ray by default'),
    new Option(
      '--shape <preset>',
      'clearance: what must fit, one of the tracers of compare; a player by default',
    ),
    new Option('--rays <n>', 'directions per point; 64 by default, 32 for clearance').argParser(parseNumber),
    new Option('--seed <n>', 'occlusion: seed of the directions; 1 by default').argParser(parseCount),
    new Option(
      '--distance <units>',
      'how far rays go, 128 by default, or points see, unlimited by default',
    ).argParser(parseNumber),
    new Option('--offset <units>', 'occlusion: where rays begin above a surface; 1 by default').argParser(
      parseNumber,
    ),
    new Option(
      '--eye <units>',
      'sight, exposure: height of the eyes above a point; 0 by default, for exposure that of a player',
    ).argParser(parseNumber),
    new Option(
      '--bounds <x,y,z,x,y,z>',
      'clearance: corners of the part of the map; all by default',
    ).argParser(parseBox),
    new Option('--reach <units>', 'clearance: how far to look for walls; 1024 by default').argParser(
      parseNumber,
    ),
  ];
  for (const option of what) command.addOption(option.helpGroup('What is computed:'));
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
  const { kind, out, step } = options;
  for (const [option, kinds] of Object.entries(TAKEN)) {
    if (options[option as keyof Options] === undefined || kinds.includes(kind)) continue;
    throw new UsageError(`--${option} does not apply to ${kind}: it belongs to ${listed(kinds)}`);
  }
  if (kind !== 'clearance') checkStep(step, [options.points ?? POINTS[kind], options.targets ?? []].flat());
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

const ITEMS: Readonly<Record<Kind, string>> = {
  occlusion: 'point',
  sight: 'point',
  clearance: 'cell',
  exposure: 'cell',
};

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

function inputsOf(map: OpenMap, options: Options, session: Session): Readonly<Record<string, Uint8Array>> {
  const { kind, step, targets } = options;
  if (kind === 'clearance') return {};
  const { points, normals } = readPoints(options.points ?? POINTS[kind], map, step, session);
  const looked = targets === undefined ? undefined : readPoints(targets, map, step, session).points;
  return {
    points: pointBytes(points),
    ...(normals && kind === 'occlusion' && { normals: pointBytes(normals) }),
    ...(looked && { targets: pointBytes(looked) }),
  };
}

/** A job's parameters: those given, and defaults. */
function parametersOf(map: OpenMap, options: Options): BakeParameters {
  const { kind, rays, seed, distance, offset, eye, reach, step } = options;
  const tracer = options.tracer === undefined ? undefined : presetOf(map, options.tracer, 'tracer');
  const given = { tracer, rays, seed, distance, offset, eye, reach };
  if (kind !== 'clearance') {
    const layout = layoutOf(options.points ?? POINTS[kind], map, step);
    return { ...given, ...layout, ...(kind === 'exposure' && { eye: eye ?? eyeOf(map) }) };
  }
  const shape = options.shape === undefined ? undefined : presetOf(map, options.shape, 'shape');
  return { ...given, shape, ...gridOf(map, options) };
}

/** About how high a player's eyes are above its traced point. */
function eyeOf(map: OpenMap): number {
  const { shape } = presetTracer(map, playerPreset(map.format));
  return 'maxs' in shape ? Math.round(EYE_SHARE * shape.maxs[2]!) : 0;
}

function gridOf(
  map: OpenMap,
  { step = GRID_STEP, bounds }: Options,
): { readonly origin: number[]; readonly step: number; readonly size: number[] } {
  const { mins, maxs } = map.world.bounds;
  const [low, high] = bounds ? [bounds.slice(0, 3), bounds.slice(3)] : [mins, maxs];
  if ([0, 1, 2].some((k) => low[k]! > high[k]!)) {
    throw new UsageError('--bounds takes the lowest corner first, then the highest');
  }
  // Cells are between the lines of a grid through the world's origin.
  const first = [0, 1, 2].map((k) => Math.floor(low[k]! / step));
  const size = [0, 1, 2].map((k) => Math.max(1, Math.ceil(high[k]! / step) - first[k]!));
  const cells = size[0]! * size[1]! * size[2]!;
  if (!(cells <= MOST_ITEMS)) {
    throw new UsageError(`--step ${step} makes more than ${MOST_ITEMS.toLocaleString('en')} cells`);
  }
  if (!bounds && cells > MOST_UNASKED) {
    throw new UsageError(
      `all of the map is ${cells.toLocaleString('en')} cells: give a larger --step, or --bounds of a part; ` +
        `all of it is --bounds=${[...mins, ...maxs].join()}`,
    );
  }
  return { origin: first.map((k) => (k + 0.5) * step), step, size };
}

function presetOf({ format, world, name }: OpenMap, wanted: string, option: string): BakeParameters {
  const presets = suitedPresets(format, world);
  const preset: Preset | undefined = presets.find((known) => known.name === wanted);
  if (preset) {
    const { kind, size, options } = preset;
    return { kind, ...(size && { size: [...size] }), ...(options && { options: options as BakeParameters }) };
  }
  const known = listed(
    presets.map((other) => other.name),
    'or',
  );
  throw new UsageError(`--${option} has '${printable(wanted, 60)}', but ${name} has ${known}`);
}
