import { openQueries, planeQueries, playerQueries, uniformQueries } from '@bspkit/compare';
import { entityVector, parseEntities, type Tracer, type Vec3 } from '@bspkit/core';
import { type Command, Option } from 'commander';
import { parseCount } from './arguments.ts';
import { PLAYERS, tracerNamed } from './compare-tracers.ts';
import { UsageError, withUserInput } from './errors.ts';
import { createTracer } from './formats/index.ts';
import { count as counted } from './numbers.ts';
import type { OpenMap } from './open-world.ts';

/** What is asked, in words. */
export const QUERY_KINDS = {
  open: 'between points in the open',
  uniform: 'between any points',
  planes: 'near planes',
  player: 'of a running player',
} as const;

export type QueryKind = keyof typeof QUERY_KINDS;

/** Which queries are asked. */
export interface QueryOptions {
  readonly queries: QueryKind;
  readonly count: number;
  readonly seed: number;
}

/** Adds the options of {@link QueryOptions} to a command. */
export function addQueryOptions(command: Command, what: string): Command {
  return command
    .addOption(new Option('--queries <kind>', what).choices(Object.keys(QUERY_KINDS)).default('open'))
    .option('--count <n>', 'how many queries', parseCount, 2000)
    .option('--seed <n>', 'another seed gives other queries', parseCount, 1);
}

/** Which queries they are, in words. */
export const queriesText = ({ queries, count, seed }: QueryOptions): string =>
  `${counted(count, 'query', 'queries')} ${QUERY_KINDS[queries]}, seed ${seed}`;

/**
 * Queries about a map: six numbers each. The open is where a point has room or, with `roomy`, a player.
 * Throws `UsageError` where the map gives no such queries, or when none are wanted.
 */
export function mapQueries(
  map: OpenMap,
  { queries, count, seed }: QueryOptions,
  roomy: boolean,
): Float32Array {
  if (count === 0) throw new UsageError('--count must be 1 or more');
  const { bounds } = map.world;
  const player = (): Tracer => createTracer(map, tracerNamed(map.format, PLAYERS[map.format]).options);
  switch (queries) {
    case 'uniform':
      return uniformQueries(count, { bounds, seed });
    case 'planes':
      return withUserInput(() => planeQueries(count, { bounds, seed, planes: map.world.polygons() }));
    case 'open': {
      const open = roomy ? player() : createTracer(map, { curves: true });
      return inTheOpen(map, () => openQueries(count, { bounds, seed, open, origins: places(map) }));
    }
    case 'player':
      return inTheOpen(map, () =>
        playerQueries(count, { bounds, seed, tracer: player(), origins: places(map) }),
      );
  }
}

/** Where the map's entities are: inside of it, as a rule. */
function places({ file, format }: OpenMap): Vec3[] {
  const origins = parseEntities(file.entities, format).map((entity) => entityVector(entity, 'origin'));
  return origins.filter((origin) => origin !== undefined);
}

function inTheOpen(map: OpenMap, generate: () => Float32Array): Float32Array {
  try {
    return generate();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      `${map.name}: no entity stands in the open, to begin from; try --queries uniform or planes`,
      { cause: error },
    );
  }
}
