import { openQueries, planeQueries, playerQueries, uniformQueries } from '@bspkit/compare';
import { entityVector, type Tracer, type Vec3 } from '@bspkit/core';
import { playerPreset } from '@bspkit/core/format';
import { count as counted } from '@bspkit/words';
import { type Command, Option } from 'commander';
import { parseCount, wholeUpTo } from './arguments.ts';
import { UsageError, withUserInput } from './errors.ts';
import type { OpenMap } from './open-map.ts';
import { presetTracer } from './presets.ts';

/** Kinds of queries, in words. */
const QUERY_KINDS = {
  open: 'between points in the open',
  uniform: 'between any points',
  planes: 'near planes',
  player: 'of a running player',
} as const;

type QueryKind = keyof typeof QUERY_KINDS;

/** Which queries are run. */
export interface QueryOptions {
  readonly queries: QueryKind;
  readonly count: number;
  readonly seed: number;
}

/** Drawing them takes up to a second. */
const MOST_QUERIES = 1_000_000;

/** Adds the options of {@link QueryOptions} to a command. */
export function addQueryOptions(command: Command, what: string): Command {
  return command
    .addOption(new Option('--queries <kind>', what).choices(Object.keys(QUERY_KINDS)).default('open'))
    .option('--count <n>', 'number of queries', wholeUpTo(MOST_QUERIES), 2000)
    .option('--seed <n>', 'random seed', parseCount, 1);
}

/** Which queries they are, in words. */
export const queriesText = ({ queries, count, seed }: QueryOptions): string =>
  `${counted(count, 'query', 'queries')} ${QUERY_KINDS[queries]}, seed ${seed}`;

/**
 * Queries about a map: six numbers each. The open is where a point has room or, with `roomy`, a player.
 * @throws UsageError where the map gives no such queries, or when none are wanted.
 */
export function mapQueries(
  map: OpenMap,
  { queries, count, seed }: QueryOptions,
  roomy: boolean,
): Float32Array {
  if (count === 0) throw new UsageError('--count must be 1 or more');
  const { format, world } = map;
  const { bounds } = world;
  const player = (): Tracer => presetTracer(map, playerPreset(format));
  switch (queries) {
    case 'uniform':
      return uniformQueries(count, { bounds, seed });
    case 'planes':
      return withUserInput(() =>
        planeQueries(count, { bounds, seed, planes: format.polygons(world).polygons() }),
      );
    case 'open': {
      const open = roomy ? player() : format.tracers.kinds[0]!.create(world, [], {});
      return inTheOpen(map, () => openQueries(count, { bounds, seed, open, origins: places(map) }));
    }
    case 'player':
      return inTheOpen(map, () =>
        playerQueries(count, { bounds, seed, tracer: player(), origins: places(map) }),
      );
  }
}

/** Where the map's entities are: inside of it, as a rule. */
const places = ({ world }: OpenMap): Vec3[] =>
  world.entities().flatMap((entity) => {
    const origin = entityVector(entity, 'origin');
    return origin ? [origin] : [];
  });

function inTheOpen(map: OpenMap, generate: () => Float32Array): Float32Array {
  try {
    return generate();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      `${map.name}: no entity is in the open to start from; try --queries uniform or planes`,
      { cause: error },
    );
  }
}
