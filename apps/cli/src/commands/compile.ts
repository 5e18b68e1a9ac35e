import {
  COMPILE_TARGETS,
  type CompiledMap,
  CompileError,
  type CompileFormat,
  type CompileOption,
  type CompileSettings,
  type CompileTarget,
  checkMaterials,
  type MapSource,
  type Material,
  parseMap,
  parseShaders,
} from '@bspkit/compile';
import type { Bounds } from '@bspkit/core';
import { count, show } from '@bspkit/words';
import { detectBsp } from 'bspkit';
import { Command, Option } from 'commander';
import { type Numbers, parseBoxes } from '../arguments.ts';
import { demoSource } from '../demo-maps.ts';
import { isBspError, MapError, UsageError, withMapName, withUserInput } from '../errors.ts';
import { decodeText, readTable } from '../files.ts';
import { demoName, readMapText, readScripts } from '../maps.ts';
import { listed, showBytes, showTime } from '../numbers.ts';
import type { Page } from '../page.ts';
import { printable } from '../printable.ts';
import { showStages } from '../progress.ts';
import type { Session } from '../session.ts';
import { checkTargets, writeFile } from '../sink.ts';

interface Options extends Readonly<Record<string, unknown>> {
  readonly format: string;
  readonly out: string;
  readonly materials?: string;
  readonly shaders?: readonly string[];
  readonly unknownMaterial?: 'solid' | 'error';
  readonly tjunc: boolean;
  readonly points?: string;
  readonly stats?: boolean;
  readonly json?: boolean;
}

const TARGETS: readonly CompileTarget[] = COMPILE_TARGETS;

export function compileCommand(session: Session): Command {
  const ids = TARGETS.map(({ id }) => id);
  const command = new Command('compile')
    .description('compile the source of a map (.map) into a file that games load')
    .argument(
      '<source>',
      'a .map file, also gzipped, one in a pk3 or pak, or demo:arena, demo:house, demo:torture',
    )
    .addOption(new Option('-f, --format <game>', 'target format').choices(ids).makeOptionMandatory())
    .requiredOption('-o, --out <file>', 'the map to write, gzipped if it ends in .gz; - is stdout')
    .option('--materials <file>', 'what the names of materials mean, as JSON')
    .addOption(
      new Option(
        '--shaders <path>',
        'shader scripts, which say what materials are: a file, a folder or a pk3; may be repeated',
      ).argParser((path, paths: readonly string[] | undefined) => [...(paths ?? []), path]),
    )
    .addOption(
      new Option(
        '--unknown-material <what>',
        'what to do with unknown names; by default error with --materials, else solid',
      ).choices(['solid', 'error']),
    )
    .option('--no-tjunc', 'leave out the corners that edges get where other faces end on them (T-junctions)')
    .option('--points <file>', 'write the way out of a map that leaks, for an editor to show (.pts)')
    .option('--stats', 'show what is in the map that was compiled')
    .option('--json', 'print one line of JSON');
  for (const name of optionNames()) command.addOption(targetOption(name));
  return command
    .addHelpText(
      'after',
      `
Materials have contents (solid by default), surface, value, width and height,
all as in @bspkit/compile:
  {"base/moss": {"surface": "nomarks"}, "base/pool": {"contents": "water"}}
Names that are not in the file have the meaning of a shader, or their usual one:
common/clip, *lava.

Examples:
  bspkit compile demo:arena --format ${ids[0]} --out arena.bsp --stats
  bspkit compile level.map --format ${ids[0]} --version 30 --out level.bsp
  bspkit compile duel.map --format ${ids.at(-2)} --out duel.bsp --shaders scripts
  bspkit compile a.pk3:maps/a.map --format ${ids.at(-2)} --out a.bsp --shaders a.pk3`,
    )
    .action((name: string, options: Options) => run(name, options, session));
}

/** Names of the options that individual targets have. */
const optionNames = (): Set<string> =>
  new Set(TARGETS.flatMap(({ options }) => options.map(({ name }) => name)));

/** Targets that have an option, with what it is there. */
const ownersOf = (name: string): { id: string; option: CompileOption }[] =>
  TARGETS.flatMap(({ id, options }) =>
    options.filter((option) => option.name === name).map((option) => ({ id, option })),
  );

/** An option for all targets that have one with this name. */
function targetOption(name: string): Option {
  const owners = ownersOf(name);
  const { type, placeholder = type } = owners[0]!.option;
  const texts = [...new Set(owners.map(({ option }) => option.help))];
  // What they begin with, up to a colon, is said once.
  const start = /^[^:]+: |/.exec(texts[0]!)![0];
  const helps = start + texts.map((text) => text.replace(start, '')).join('; ');
  const flags =
    type === 'function' ? `--no-${name}` : type === 'on' ? `--${name}` : `--${name} <${placeholder}>`;
  const option = new Option(
    flags,
    type === 'boxes' ? `${helps}, six numbers each, spaces between boxes` : helps,
  );
  option.helpGroup(
    `For --format ${listed(
      owners.map(({ id }) => id),
      'or',
    )}:`,
  );
  if (type === 'boxes') option.argParser((text) => boxesOf(parseBoxes(text)));
  if (type === 'choice') {
    option.choices([...new Set(owners.flatMap((owner) => owner.option.choices ?? []).map(String))]);
  }
  return option;
}

function boxesOf(numbers: Numbers): Bounds[] {
  const boxes: Bounds[] = [];
  for (let at = 0; at < numbers.length; at += 6) {
    boxes.push({ mins: numbers.slice(at, at + 3), maxs: numbers.slice(at + 3, at + 6) });
  }
  return boxes;
}

async function run(name: string, options: Options, session: Session): Promise<void> {
  const target = TARGETS.find(({ id }) => id === options.format)!;
  const began = session.now();
  const { tjunc } = options;
  const given = {
    ...targetOptions(target, options, session),
    ...materialOptions(options, session),
    tjunc,
  };
  const { source, suitable } = readSource(name, target, session);
  const asked = { ...suitable, ...given };
  const printing = (options.json && '--json') || (options.stats && '--stats');
  await checkTargets({ out: options.out, points: options.points }, session, printing);
  const { bytes, stats, warnings } = compile(name, source, target, asked, session);
  const time = session.now() - began;
  readBack(name, target, bytes, session);
  await writeFile(options.out, bytes, session);
  if (options.points !== undefined) await writeFile(options.points, pointsText(warnings), session);
  const { out, err } = session;
  for (const { message } of warnings) {
    session.say(`${printable(name)}: ${err.paint('yellow', 'warning')}: ${printable(message)}`);
  }
  const messages = warnings.map(({ message }) => message);
  if (options.json) out.printJson({ source: name, out: options.out, ...stats, warnings: messages });
  else {
    const sources = `from ${count(stats.sourceBrushes, 'brush', 'brushes')} of ${printable(name)}`;
    // The version too: one target may write maps for several games.
    const { version } = detectBsp(bytes, session.entries);
    const made = `${target.name} (${version}), ${showBytes(stats.bytes)}, ${sources} in ${showTime(time)}`;
    out.print(`${out.title(options.out, made)}\n`);
    if (options.stats) out.print(statsText(stats, out));
  }
}

/** The leaks' paths from warnings, one point per line: empty for a sealed map, so that no old path is kept. */
const pointsText = (warnings: CompiledMap['warnings']): string =>
  warnings.map(({ path = [] }) => path.map((point) => `${point.join(' ')}\n`).join('')).join('');

/** The options that are the target's own. Throws `UsageError` for those of other targets. */
function targetOptions(target: CompileTarget, given: Options, session: Session): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of optionNames()) {
    const value = given[name];
    const owners = ownersOf(name);
    const own = owners.find(({ id }) => id === target.id);
    const isFunction = owners[0]!.option.type === 'function';
    // A function is used unless it is turned off: `--no-…`.
    const isAsked = isFunction ? value === false : value !== undefined;
    if (isAsked && !own) {
      const ids = owners.map(({ id }) => id);
      throw new UsageError(`--${isFunction ? 'no-' : ''}${name} belongs to --format ${listed(ids, 'or')}`);
    }
    if (isFunction) {
      if (own && !isAsked) values[name] = functionOf(name, target, session);
      continue;
    }
    if (!own || !isAsked) continue;
    // Numeric choices are text on the command line.
    values[name] = own.option.choices?.find((choice) => String(choice) === value) ?? value;
  }
  return values;
}

/** Far above what all textures of a game need. */
const MAX_MATERIALS_BYTES = 64_000_000;

function materialOptions(
  { materials: name, shaders: paths = [], unknownMaterial }: Options,
  session: Session,
): Pick<CompileSettings, 'materials' | 'unknownMaterial'> {
  const shaders = readShaders(paths, session);
  if (name === undefined) {
    return paths.length > 0
      ? { materials: shaders, unknownMaterial: unknownMaterial ?? 'solid' }
      : { unknownMaterial };
  }
  const materials = readTable(name, MAX_MATERIALS_BYTES, 'material', session) as Record<string, Material>;
  withMapName(name, () => withUserInput(() => checkMaterials(materials)), UsageError);
  // They match in any letters, with the folder or without; shaders are in small letters without it.
  for (const own of Object.keys(materials)) delete shaders[own.toLowerCase().replace(/^textures\//, '')];
  return { materials: { ...shaders, ...materials }, unknownMaterial };
}

/** The materials of shader scripts. If several have the same name, the first counts, as for the game's own compiler. */
function readShaders(paths: readonly string[], session: Session): Record<string, Material> {
  let shaders: Record<string, Material> | undefined;
  for (const { name, bytes } of paths.flatMap((path) => readScripts(path, MAX_MATERIALS_BYTES, session))) {
    shaders = withMapName(name, () => parseShaders(decodeText(bytes), shaders), CompileError);
  }
  return shaders ?? {};
}

/** The function that the game's own format has for an option that takes one. */
function functionOf(name: string, { id }: CompileTarget, { formats }: Session): unknown {
  const format = formats.find((one) => one.id === id);
  const routing = name === 'routing' ? format?.routing : undefined;
  if (!routing || !format) return undefined;
  return (bytes: Uint8Array): Uint8Array => {
    const file = format.read(bytes);
    try {
      return routing.compute(file);
    } catch (error) {
      // The file itself has been read.
      if (!isBspError(error)) throw error;
      throw new CompileError('limit', {}, `${error.message}; --no-routing leaves it empty`, { cause: error });
    }
  };
}

function compile(
  name: string,
  source: MapSource,
  target: CompileTarget,
  options: Record<string, unknown>,
  session: Session,
): CompiledMap {
  const stages = showStages(session);
  const onProgress = (stage: string, part: number): void => stages.update(stage, part);
  try {
    const run = (): CompiledMap =>
      target.compile(source, { ...options, emptyBrush: 'leave-out', onProgress });
    // Routing reads the unfinished file.
    return reading(name, () => withMapName(name, () => withUserInput(run), CompileError));
  } finally {
    stages.end();
  }
}

/** Opens the compiled file as whoever gets it will: a map that our own readers refuse is not written. */
function readBack(name: string, { id }: CompileTarget, bytes: Uint8Array, { formats }: Session): void {
  const format = formats.find((one) => one.id === id);
  reading(name, () => format?.createWorld([format.read(bytes)]));
}

/** Runs something that reads a file made from a map. */
function reading<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!isBspError(error)) throw error;
    throw new MapError(`${name}: what it compiles to cannot be read: ${error.message}`, { cause: error });
  }
}

/** Far above the sources of the largest maps. */
const MAX_SOURCE_BYTES = 256_000_000;

/** The map, and the options that suit its text. */
function readSource(
  name: string,
  target: CompileTarget,
  session: Session,
): { readonly source: MapSource; readonly suitable: object } {
  const demo = demoName(name);
  if (demo !== undefined) return { source: demoSource(demo), suitable: {} };
  const bytes = readMapText(name, MAX_SOURCE_BYTES, session);
  const found = detectBsp(bytes, session.entries);
  if (found.format !== undefined) {
    throw new MapError(
      `${name}: is ${found.name}, compiled already: what can be compiled is its source, a .map file`,
    );
  }
  return withMapName(
    name,
    () => {
      const text = decodeText(bytes);
      const source = parseMap(text, { target: target.id as CompileFormat });
      return { source, suitable: target.text.options?.(text) ?? {} };
    },
    CompileError,
  );
}

function statsText({ counts, tree }: CompiledMap['stats'], page: Page): string {
  const fields: [string, string][] = [
    ['nodes', tree.nodes.toLocaleString('en')],
    ['leafs', tree.leafs.toLocaleString('en')],
    ['depth', `${tree.depth} at most, ${show(tree.meanDepth, 1)} on average`],
    ['brushes per leaf', `${tree.maxBrushes} at most, ${show(tree.meanBrushes, 1)} on average`],
  ];
  const rows = Object.entries(counts).map(([lump, records]) => [lump, records.toLocaleString('en')]);
  const lumps = page.table([{ title: 'lump' }, { title: 'records', align: 'right' }], rows);
  return `${page.fields(fields)}\n${lumps}`;
}
