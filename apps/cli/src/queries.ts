import { mapQueries, QUERY_KINDS, type QueryKind } from '@bspkit/compare';
import { count as counted } from '@bspkit/words';
import { type Command, Option } from 'commander';
import { parseCount, wholeBetween } from './arguments.ts';
import { UsageError } from './errors.ts';
import type { OpenMap } from './open-map.ts';

/** Which queries are run. */
export interface QueryOptions {
  readonly queries: QueryKind;
  readonly count: number;
  readonly seed: number;
}

/** Drawing them takes up to a second. */
const MOST_QUERIES = 1_000_000;

/** What the help says about the kinds of queries. */
export const QUERIES_HELP = `Queries:
  open     moves between places in the open, with room for a player if more than
           rays are compared
  uniform  moves between any two points
  planes   moves that begin or end within a quarter of a unit of walls
  player   the moves of a running player's box`;

/** Adds the options of {@link QueryOptions} to a command. */
export function addQueryOptions(command: Command, what: string): Command {
  return command
    .addOption(new Option('--queries <kind>', what).choices(Object.keys(QUERY_KINDS)).default('open'))
    .option('--count <n>', 'number of queries', wholeBetween(1, MOST_QUERIES), 2000)
    .option('--seed <n>', 'random seed', parseCount, 1);
}

/** Describes the queries. */
export const queriesText = ({ queries, count, seed }: QueryOptions): string =>
  `${counted(count, 'query', 'queries')} ${QUERY_KINDS[queries]}, seed ${seed}`;

/**
 * Queries about a map: six numbers each. The open is where a point has room or, with `roomy`, a player.
 * @throws UsageError if there can be no such queries for the map.
 */
export function queriesOf(
  { name, format, world }: OpenMap,
  { queries: kind, count, seed }: QueryOptions,
  roomy: boolean,
): Float32Array {
  try {
    return mapQueries(count, { format, world, kind, seed, room: roomy ? 'player' : 'point' });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`${name}: ${error.message}; try --queries uniform`, { cause: error });
  }
}
