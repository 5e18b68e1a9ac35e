import { parseArgs } from 'node:util';
import { chosen, listed, MOST_ROUNDS, wholeNumber } from '../options.ts';
import { MOTIONS } from '../queries/motions.ts';
import { type DuelOptions, LOADING_ROUNDS } from './duel.ts';

/** What the command line says. */
export interface AgainstCommand {
  /** The other version; undefined for the default. */
  readonly revision: string | undefined;
  /** Names of maps; undefined for the defaults. */
  readonly maps: readonly string[] | undefined;
  readonly options: Omit<DuelOptions, 'otherFirst' | 'now'>;
  /** How many pairs of fresh processes measure each map. */
  readonly pairs: number;
  readonly threshold: number;
  readonly json: string | undefined;
  readonly markdown: string | undefined;
  readonly help: boolean;
  /** Measure in this process and print the result as JSON: the folder of the other version, built. */
  readonly part: string | undefined;
  readonly otherFirst: boolean;
}

/** Loading takes more rounds than traces. */
const MOST_DUEL_ROUNDS = MOST_ROUNDS / LOADING_ROUNDS;

export const AGAINST_HELP: string = `Usage: npm run bench:against -- [REVISION] [options]

Compares the speed of the working tree with that of another commit: the same
queries in turns, in pairs of fresh processes. The exit code is 1 when
something takes longer by more than the threshold, by the lower quartile of
the pairs too.

  REVISION         a commit, branch or tag; by default where the branch left
                   main, and on main the last commit, or the one before it if
                   no file has changed since
  --maps A,B       maps as in npm run bench; by default two of our own per
                   game, and real ones if BSPKIT_MAPS names a folder of them
  --shapes A,B     ray, box, hull1 …, 'ray batch' …, load; all by default
  --motions A,B    ${MOTIONS.join(', ')}
  --queries N      distinct queries per series (3000)
  --rounds N       timed rounds per process (5), at most ${MOST_DUEL_ROUNDS}
  --pairs N        pairs of fresh processes per map (4)
  --threshold N    percent by which something may take longer (10)
  --seed N         random seed of the queries (1)
  --json FILE      write all figures
  --markdown FILE  add tables to a file, as GitHub's job summaries
`;

/** Reads the command line. Throws `TypeError` or `RangeError` saying what is wrong with it. */
export function parseAgainst(args: readonly string[]): AgainstCommand {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      maps: { type: 'string' },
      shapes: { type: 'string' },
      motions: { type: 'string' },
      queries: { type: 'string', default: '3000' },
      rounds: { type: 'string', default: '5' },
      pairs: { type: 'string', default: '4' },
      threshold: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
      markdown: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
      part: { type: 'string' },
      'other-first': { type: 'boolean', default: false },
    },
  });
  const [revision, ...more] = positionals;
  if (more.length > 0) throw new TypeError(`only one revision can be compared with, got also '${more[0]}'`);
  return {
    revision,
    maps: listed(values.maps),
    options: {
      shapes: values.shapes?.split(','),
      motions: chosen('motions', values.motions, MOTIONS),
      queries: wholeNumber('queries', values.queries, 1),
      rounds: wholeNumber('rounds', values.rounds, 1, MOST_DUEL_ROUNDS),
      seed: wholeNumber('seed', values.seed, 0),
    },
    pairs: wholeNumber('pairs', values.pairs, 1),
    threshold: wholeNumber('threshold', values.threshold, 0) / 100,
    json: values.json,
    markdown: values.markdown,
    help: values.help,
    part: values.part,
    otherFirst: values['other-first'],
  };
}
