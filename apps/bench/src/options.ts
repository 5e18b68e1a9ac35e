import { parseArgs } from 'node:util';
import type { BenchOptions } from './bench.ts';
import { PEERS, type PeerName, USUAL_PEERS } from './peers/peers.ts';
import { MOTIONS } from './queries/motions.ts';

/** What the command line says. */
export interface Command {
  /** Names of maps; undefined for the defaults. */
  readonly maps: readonly string[] | undefined;
  readonly options: BenchOptions;
  /** For a first look: fewer maps if none are named. */
  readonly quick: boolean;
  /** How many new processes measure. */
  readonly processes: number;
  readonly json: string | undefined;
  readonly markdown: string | undefined;
  /** The page for the table of tests. */
  readonly sight: string | undefined;
  readonly summary: string | undefined;
  readonly from: string | undefined;
  readonly bars: string | undefined;
  readonly svg: string | undefined;
  /** Add to the results kept for this processor. */
  readonly save: boolean;
  /** The page for the table of kept results by processor. */
  readonly processors: string | undefined;
  readonly help: boolean;
  /** Measure in this process and print the report as JSON: how the processes of a run are started. */
  readonly part: boolean;
  /** Only load this map, trace a little and print the milliseconds: how a new process starts. */
  readonly coldStart: string | undefined;
}

/** The most rounds that `measure` of `@bspkit/compare` makes. */
export const MOST_ROUNDS = 1000;

export const HELP: string = `Usage: npm run bench -- [options]

  --maps A,B       maps: NAME or FORMAT/NAME, real ones or our own (arena), or .bsp and .bsp.gz files
  --shapes A,B     ray, box, hull1 …: those that the map's game has by default; moves: its players'
  --motions A,B    ${MOTIONS.join(', ')}: across the map, a player's frame,
                   64 rays from one point, 64 looks from one (tests),
                   64 rays of 128 units around one (tests)
  --peers A,B      ${PEERS.join(', ')}
  --golden         take the moves of rows recorded from the engine instead
  --queries N      distinct queries per series (20000)
  --rounds N       timed rounds (7), at most ${MOST_ROUNDS}
  --processes N    fresh processes to measure in, one after the other (5)
  --quick          two maps of each game, 1000 queries, 3 rounds and 1 process,
                   for a first look in about two minutes
  --seed N         random seed of the queries (1)
  --clock NAME     cpu (default) or wall
  --json FILE      write all figures
  --markdown FILE  write tables, between the comments where FILE has them
  --sight FILE     write one table of sight and around, in the same way
  --bars FILE      write a chart of all maps in one, a bar for each library
  --summary FILE   show the chart of --bars, in the same way
  --from FILE      take the figures that --json wrote instead of measuring
  --svg FILE       write a bar chart, map by map
  --save           add to results/<processor>.csv
  --processors FILE
                   write a table of what is kept there for each processor,
                   as --markdown does
`;

/** Reads the command line. Throws `TypeError` or `RangeError` saying what is wrong with it. */
export function parseCommand(args: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...args],
    options: {
      maps: { type: 'string' },
      shapes: { type: 'string' },
      motions: { type: 'string' },
      peers: { type: 'string' },
      golden: { type: 'boolean', default: false },
      queries: { type: 'string' },
      rounds: { type: 'string' },
      processes: { type: 'string' },
      quick: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      clock: { type: 'string', default: 'cpu' },
      json: { type: 'string' },
      markdown: { type: 'string' },
      sight: { type: 'string' },
      summary: { type: 'string' },
      from: { type: 'string' },
      bars: { type: 'string' },
      svg: { type: 'string' },
      save: { type: 'boolean', default: false },
      processors: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
      part: { type: 'boolean', default: false },
      'cold-start': { type: 'string' },
    },
  });
  if (values.summary !== undefined && values.bars === undefined) {
    throw new TypeError('--summary shows the chart that --bars writes, and needs it');
  }
  const motions = chosen('motions', values.motions, MOTIONS);
  return {
    maps: listed(values.maps),
    options: {
      shapes: values.shapes?.split(','),
      motions: values.golden ? ['golden'] : motions,
      peers: values.peers === undefined ? USUAL_PEERS : chosen<PeerName>('peers', values.peers, PEERS),
      queries: wholeNumber('queries', values.queries ?? (values.quick ? '1000' : '20000'), 1),
      rounds: wholeNumber('rounds', values.rounds ?? (values.quick ? '3' : '7'), 1, MOST_ROUNDS),
      seed: wholeNumber('seed', values.seed, 0),
      clock: one('clock', values.clock, ['cpu', 'wall']),
    },
    quick: values.quick,
    processes: wholeNumber('processes', values.processes ?? (values.quick ? '1' : '5'), 1),
    json: values.json,
    markdown: values.markdown,
    sight: values.sight,
    summary: values.summary,
    bars: values.bars,
    from: values.from,
    svg: values.svg,
    save: values.save,
    processors: values.processors,
    help: values.help,
    part: values.part,
    coldStart: values['cold-start'],
  };
}

/** Names between commas, each once; undefined for an option that was not given. */
export const listed = (value: string | undefined): string[] | undefined =>
  value === undefined ? undefined : [...new Set(value.split(','))];

/** The requested names, in the order of `known`; all of them by default. */
export function chosen<T extends string>(
  option: string,
  value: string | undefined,
  known: readonly T[],
): T[] {
  const asked = value?.split(',') ?? known;
  for (const name of asked) {
    if (!known.includes(name as T)) {
      throw new RangeError(`--${option} knows ${known.join(', ')}, but not '${name}'`);
    }
  }
  return known.filter((name) => asked.includes(name));
}

/** The requested name, of an option that takes one. */
function one<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((name) => name === value);
  if (found === undefined) throw new RangeError(`--${option} takes ${known.join(' or ')}, not '${value}'`);
  return found;
}

export function wholeNumber(
  option: string,
  value: string,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  const number = Number(value);
  // Only digits, as for the bspkit command: an empty text would count as 0.
  if (!/^\d+$/.test(value) || number < least || number > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `, ${least} or more` : ` from ${least} to ${most}`;
    throw new RangeError(`--${option} must be a whole number${range}, got '${value}'`);
  }
  return number;
}
