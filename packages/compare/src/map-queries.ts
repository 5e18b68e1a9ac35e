import { type BspWorld, entityVector, type Tracer, type Vec3 } from '@bspkit/core';
import {
  type BspFormat,
  checkChoice,
  checkKind,
  checkOptions,
  playerPreset,
  tracerOf,
} from '@bspkit/core/format';
import { checkGenerator } from './checks.ts';
import { playerQueries } from './player-queries.ts';
import { openQueries, planeQueries, type SeedOption, uniformQueries } from './queries.ts';

/** What a map is asked about, by the generator of the queries. */
export type QueryKind = 'open' | 'uniform' | 'planes' | 'player';

/** Each kind as text that continues the phrase `2000 queries`. */
export const QUERY_KINDS: Readonly<Record<QueryKind, string>> = {
  open: 'between points in the open',
  uniform: 'between any two points',
  planes: 'near planes',
  player: 'of a running player',
};

/** Options of {@link mapQueries}. */
export interface MapQueryOptions extends SeedOption {
  /** The descriptor of the map's format. */
  readonly format: BspFormat;
  /** A world of that format. */
  readonly world: BspWorld;
  /** `open` by default. */
  readonly kind?: QueryKind | undefined;
  /** What must have room at the ends of moves between points in the open; a point by default. */
  readonly room?: 'point' | 'player' | undefined;
}

const OPTIONS: readonly string[] = [
  'format',
  'world',
  'kind',
  'room',
  'seed',
] satisfies (keyof MapQueryOptions)[];

/**
 * Queries about a map of any format: `count` segments of six numbers. Those in the open start from where the map's entities are;
 * in those of kind `player`, the format's player runs.
 *
 * @throws RangeError if no entity is in the open, or none with room around it within the world's bounds, if the map has no such
 *   player or no polygons, and for an invalid count, seed, kind or room; TypeError without format or world.
 */
export function mapQueries(count: number, options: MapQueryOptions): Float32Array {
  checkOptions(options, OPTIONS);
  const { format, world, kind = 'open', room = 'point', seed } = options;
  checkKind(typeof format?.tracers === 'object', format, 'format', 'a format');
  checkWorld(world);
  checkGenerator(count, { bounds: world.bounds, seed }, []);
  checkChoice(kind, 'kind', Object.keys(QUERY_KINDS));
  checkChoice(room, 'room', ['point', 'player']);
  const { bounds } = world;
  const player = (): Tracer => tracerOf(format, world, playerPreset(format));
  if (kind === 'uniform') return uniformQueries(count, { bounds, seed });
  if (kind === 'planes')
    return planeQueries(count, { bounds, seed, planes: format.polygons(world).polygons() });
  const origins = entityOrigins(world);
  const isPlayer = kind === 'player';
  const open = isPlayer || room === 'player' ? player() : format.tracers.kinds[0]!.create(world, [], {});
  if (origins.every((origin) => open.blocked(origin, origin)))
    throw new RangeError('no entity is in the open, where queries of this kind begin');
  return withRoom(() =>
    isPlayer
      ? playerQueries(count, { bounds, seed, tracer: open, origins })
      : openQueries(count, { bounds, seed, open, origins }),
  );
}

/**
 * Where a map's entities are: usually inside the map. In Quake units.
 * @throws BspError when the entities' text does not parse; TypeError for anything but a world.
 */
export function entityOrigins(world: BspWorld): Vec3[] {
  checkWorld(world);
  return world.entities().flatMap((entity) => {
    const origin = entityVector(entity, 'origin');
    return origin ? [origin] : [];
  });
}

const checkWorld = (world: BspWorld): void =>
  checkKind(typeof world?.entities === 'function', world, 'world', 'a world, as openBsp opens it');

/** All other arguments have been checked, and some entity is in the open. */
function withRoom(draw: () => Float32Array): Float32Array {
  try {
    return draw();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const problem =
      'there is no room around the entities within the bounds of the world, where queries of this kind are';
    throw new RangeError(problem, { cause: error });
  }
}
