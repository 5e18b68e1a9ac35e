import type { BspFormatEntry } from '@bspkit/core/format';
import { withEllipsoids } from '@bspkit/ellipsoid';
import { FORMATS } from 'bspkit';
import { type Argument, Command, CommanderError, Help, type Option } from 'commander';
import { version } from '../package.json';
import { askedAssembly } from './assembly.ts';
import { bakeCommand } from './commands/bake.ts';
import { batchCommand } from './commands/batch.ts';
import { benchCommand } from './commands/bench.ts';
import { checkCommand } from './commands/check.ts';
import { compareCommand } from './commands/compare.ts';
import { compileCommand } from './commands/compile.ts';
import { completionCommand } from './commands/completion.ts';
import { demoCommand } from './commands/demo.ts';
import { entitiesCommand } from './commands/entities.ts';
import { explainCommand } from './commands/explain.ts';
import { infoCommand } from './commands/info.ts';
import { pointCommand } from './commands/point.ts';
import { routingCommand } from './commands/routing.ts';
import { sightCommand } from './commands/sight.ts';
import { sphereCommand } from './commands/sphere.ts';
import { traceCommand } from './commands/trace.ts';
import { workerCommand } from './commands/worker.ts';
import { demoNames } from './demo-maps.ts';
import { EXIT, MOST_MESSAGE, reportError, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { isMapName, isSourceName } from './maps.ts';
import { listed } from './numbers.ts';
import { knownFormats } from './own-formats.ts';
import { printable } from './printable.ts';
import { Session } from './session.ts';
import { fitHelp } from './table.ts';

const GLOSSARY = 'https://github.com/bspkit/bspkit/blob/main/apps/docs/guides/glossary.md';

/** Options of {@link run}. */
export interface RunOptions {
  /** Formats whose maps can be opened; by default bspkit's, and those in the environment. */
  readonly formats?: readonly BspFormatEntry[] | undefined;
}

/** Runs the command with some arguments, without its own name. Returns the exit code and never throws. */
export async function run(argv: readonly string[], io: Io, options: RunOptions = {}): Promise<number> {
  try {
    const formats = options.formats ?? (await formatsFor(argv, io));
    // All of them, whatever the command: the help says which options belong to which format.
    const loaded = await Promise.all(formats.map((entry) => entry.load()));
    const session = new Session(io, formats, loaded.map(withEllipsoids), argv);
    const program = createProgram(session, argv);
    const [first, second] = argv;
    if (first !== undefined && (isMapName(first) || askedAssembly(first, session.formats))) {
      throw new UsageError(`${first} is a map, not a command; try: bspkit info ${first}`);
    }
    if (first !== undefined && isSourceName(first)) {
      throw new UsageError(
        `${first} is the source of a map, not a command; to compile it: bspkit help compile`,
      );
    }
    // If help is asked for what is not a command, commander would show the general help as an error, and not say why.
    const asksHelp = first === 'help';
    // What ends options says nothing here, as after `git help`; commander would take it for a command that does not exist.
    const words = asksHelp && second === '--' ? [first, ...argv.slice(2)] : argv;
    const command = asksHelp ? words[1] : first;
    const isOption = command === first && command?.startsWith('-');
    const isUnknown = command && !isOption && !program.commands.some((each) => each.name() === command);
    const called = program.commands.find((each) => each.name() === first);
    checkShort(called, argv);
    checkValues(called, argv);
    await program.parseAsync(isUnknown ? [command] : words, { from: 'user' });
    return session.exitCode;
  } catch (error) {
    // Commander has printed its own message or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error, io, argv);
  }
}

/** The formats to use. Help and version are shown even if the user's own formats cannot be loaded. */
async function formatsFor(argv: readonly string[], io: Io): Promise<readonly BspFormatEntry[]> {
  try {
    return await knownFormats(io);
  } catch (error) {
    const [first = 'help'] = argv;
    if (!ASKS_FIRST.has(first) && !argv.some((each) => ASKS.has(each))) throw error;
    reportError(error, io, argv);
    return FORMATS;
  }
}

/** What asks about the command itself, only as its first word: formats may have options with these names, too. */
const ASKS_FIRST: ReadonlySet<string> = new Set(['help', '-V', '--version']);
/** What asks for help, anywhere. */
const ASKS: ReadonlySet<string> = new Set(['-h', '--help']);

/**
 * Throws `UsageError` for `-o=name` where the command has `-o`: short options are followed by their value, which would include the
 * equals sign.
 */
function checkShort(command: Command | undefined, argv: readonly string[]): void {
  if (!command) return;
  const end = argv.indexOf('--');
  for (const each of end < 0 ? argv : argv.slice(0, end)) {
    const [, short, value] = /^(-[A-Za-z])=(.*)$/s.exec(each) ?? [];
    const isKnown = short !== undefined && command.options.some((option) => option.short === short);
    if (isKnown) throw new UsageError(`${each}: write ${short} ${value}`);
  }
}

/**
 * Throws `UsageError` for an option in the place of another one's value. Commander would take it for the value: a file that is
 * called `--json` would be written, and the option would do nothing.
 */
function checkValues(command: Command | undefined, argv: readonly string[]): void {
  if (!command) return;
  const find = (word: string): Option | undefined =>
    command.options.find(({ short, long }) => word === short || word === long);
  for (let k = 1; k < argv.length - 1; k++) {
    if (argv[k] === '--') return;
    const option = find(argv[k]!);
    if (!option?.required) continue;
    k++;
    const [next = ''] = argv[k]!.split('=', 1);
    if (!ASKS.has(next) && !find(next)) continue;
    throw new UsageError(`'${termOf(option)}' needs a value, but '${next}' follows it`);
  }
}

const FIRST = 'To begin with:';

/** All commands, by what users want to do, the most frequent first. */
const COMMANDS: Readonly<Record<string, readonly ((session: Session) => Command)[]>> = {
  [FIRST]: [demoCommand],
  'Look into a map:': [infoCommand, entitiesCommand, checkCommand],
  'Ask a question:': [traceCommand, explainCommand, pointCommand, sphereCommand, sightCommand],
  'Ask many questions, on all cores or many machines:': [batchCommand, bakeCommand, workerCommand],
  'Compare and measure:': [compareCommand, benchCommand],
  'Make a map, or a part of it:': [compileCommand, routingCommand],
  'Set up a shell:': [completionCommand],
};

/** What comes after the list of commands. */
function afterCommands({ formats }: Session): string {
  const games = demoNames('arena', formats)
    .map((name) => name.replace(/^.*@/, ''))
    .sort();
  return `Maps:
  level.bsp            a file; also gzipped: level.bsp.gz
  pak0.pk3:maps/a.bsp  a file in a pk3 or zip, and likewise in a pak
  demo:arena           comes with bspkit, as do demo:house and demo:torture
  ${`demo:arena@${games[0]}`.padEnd(19)}  the same, for ${listed(games, 'or')}
  farm.ump:medium@7    an assembly of the maps around farm.ump: name and seed

Exit codes:
  0   done
  1   the answer is no, differences or mistakes were found, or a part of a bake
      keeps failing
  2   wrong use, a question that cannot be answered, a queue that cannot be
      reached, or a file that cannot be written
  3   the map or its source cannot be read or compiled
  70  an error inside bspkit

Environment:
  NO_COLOR               switches colours off
  FORCE_COLOR            switches them on without a terminal, as for less -R
  BSPKIT_DEBUG=1         shows the stack of an internal error
  BSPKIT_QUEUE_PASSWORD  is the password of a --queue
  BSPKIT_FORMATS         names files with formats of your own, like PATH

What hull, patch, thead, cluster and other words mean:
${GLOSSARY}`;
}

/** The command with all its subcommands. */
function createProgram(session: Session, argv: readonly string[]): Command {
  const program = new Command('bspkit')
    .description('Inspect Quake-family BSP maps and trace through them.')
    .version(version)
    // Commands have options with these names too: `--version` of a format, say.
    .enablePositionalOptions()
    .addHelpCommand(
      new Command('help')
        .argument('[command]')
        .description('show everything about a command')
        .helpOption(false)
        .helpGroup(FIRST),
    )
    .addHelpText('after', `\n${afterCommands(session)}`);
  for (const [group, commands] of Object.entries(COMMANDS)) {
    for (const create of commands) program.addCommand(withUsage(create(session)).helpGroup(group));
  }
  const { io, out, err } = session;
  for (const command of [program, ...program.commands]) {
    command.configureHelp({ minWidthToWrap: LEAST_WIDTH, formatItem, subcommandTerm });
    command.exitOverride().configureOutput({
      writeOut: (text) => io.stdout.write(fitHelp(text, out.width)),
      writeErr: (text) => io.stderr.write(fitHelp(text, err.width)),
      getOutHelpWidth: () => out.width,
      getErrHelpWidth: () => err.width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text) =>
        session.say(printableText(missing(command, text, argv) ?? withAdvice(command, text))),
    });
  }
  return program;
}

/** A command whose help begins with all that it needs. */
function withUsage(command: Command): Command {
  const given = command.usage().replace('[options]', '').trim();
  const needed = command.options.filter(({ mandatory }) => mandatory).map(termOf);
  return command.usage([...(given ? [given] : []), ...needed, '[options]'].join(' '));
}

/** An option with its value, by its long name. */
const termOf = ({ flags }: Option): string => flags.replace(/^-\w, /, '');

/** A message of commander; where a name is unknown, with where to find those that are known. */
function withAdvice(command: Command, message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/^command-argument value ('.*') is invalid for argument '(\w+)'/s, '<$2> cannot be $1')
    .trim();
  if (text.startsWith('unknown command')) return `${text}; for all commands: bspkit help`;
  if (!text.startsWith('unknown option')) return text;
  const [, flag] = /^unknown option '(--[\w-]+)=/.exec(text) ?? [];
  if (command.options.some(({ long }) => long === flag)) return `${flag} takes no value`;
  return `${text}; for all options: bspkit help${command.parent ? ` ${command.name()}` : ''}`;
}

/** All that a command needs and was not given, where a message of commander is about the first of it. */
function missing(command: Command, message: string, argv: readonly string[]): string | undefined {
  if (!/^error: (required option|missing required argument) /.test(message)) return undefined;
  const { options, registeredArguments } = command;
  // Commander looks for these later, and what is missing may be one of them, misspelt.
  const { operands, unknown } = command.parseOptions(argv.slice(1));
  const [misspelt] = unknown;
  const absent = [
    // What follows an unknown option may be its value or the map.
    ...registeredArguments
      .filter(({ required }, k) => required && misspelt === undefined && operands[k] === undefined)
      .map((argument) => `<${argument.name()}>`),
    ...options
      .filter((option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined)
      .map(termOf),
  ];
  const list = `missing: ${listed(absent.map((each) => `'${each}'`))}; for examples: bspkit help ${command.name()}`;
  return misspelt === undefined ? list : `unknown option '${misspelt}'; ${list}`;
}

/** Narrower descriptions are hard to read. */
const LEAST_WIDTH = 20;

/** A command in the list of all: that it has options is true of nearly every one. */
const subcommandTerm = (command: Command): string =>
  [command.name(), ...command.registeredArguments.map((argument) => argumentTerm(argument))].join(' ');

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** A line of the help. In narrow windows, the description is below what it describes, not next to it. */
function formatItem(this: Help, term: string, width: number, description: string, helper: Help): string {
  const { helpWidth = 80 } = this;
  if (!description || helpWidth - width - 4 >= LEAST_WIDTH)
    return Help.prototype.formatItem.call(this, term, width, description, helper);
  return `  ${term}\n${helper.boxWrap(description, helpWidth - 6).replace(/^/gm, '      ')}`;
}

/** Messages of commander quote what the user wrote, and some have a second line. */
const printableText = (text: string): string => printable(text.trim().replaceAll('\n', ' '), MOST_MESSAGE);
