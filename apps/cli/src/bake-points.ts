import {
  type BakePoints,
  entityPoints,
  meshPoints,
  parsePoints,
  stanceOf,
  startsOf,
  surfacePoints,
  walkableCells,
} from '@bspkit/bake';
import { MapError, UsageError, withMapName, withUserInput } from './errors.ts';
import { readFile } from './files.ts';
import { gunzip } from './maps.ts';
import { listed } from './numbers.ts';
import { type OpenMap, onlyFile } from './open-map.ts';
import { walkerOf } from './presets.ts';
import { printable } from './printable.ts';
import { showProgress } from './progress.ts';
import type { Session } from './session.ts';

const MAX_POINTS_BYTES = 512_000_000;

/** Words that stand for points of the map; anything else is a file. */
const ENTITIES = /^entities(?::(.*))?$/;

/** Where points can come from, for the help. */
export const POINTS_HELP = 'surfaces, vertices, cells, entities, entities:CLASS* or a file';

/** Words for points that are a distance apart, which can be chosen, each with the default. */
const STEPS = { surfaces: 64, cells: 32 } as const;

/**
 * Checks that points are a distance apart, if one is given for them.
 * @throws UsageError if none of them are.
 */
export function checkStep(step: number | undefined, sources: readonly string[]): void {
  if (step === undefined || sources.some((from) => Object.hasOwn(STEPS, from))) return;
  const belongs = listed(Object.keys(STEPS));
  throw new UsageError(`--step does not apply to points from ${listed(sources)}: it belongs to ${belongs}`);
}

/** How points are laid out, for drawing: how far apart, and how far above the floor. Points from files may be anywhere. */
export function layoutOf(
  from: string,
  map: OpenMap,
  step: number | undefined,
): { readonly step?: number; readonly floor?: number } {
  if (from === 'surfaces') return { step: step ?? STEPS.surfaces };
  if (from !== 'cells') return {};
  const { floor } = stanceOf(walkerOf(map));
  return { step: step ?? STEPS.cells, floor };
}

/**
 * Points of a map, or of a file.
 *
 * @param from - where they come from: {@link POINTS_HELP}.
 * @throws UsageError when there are none, and for a file that cannot be read or is wrong.
 */
export function readPoints(
  from: string,
  map: OpenMap,
  step: number | undefined,
  session: Session,
): BakePoints {
  const points = findPoints(from, map, step, session);
  if (points.points.length > 0) return points;
  const why =
    from !== 'cells'
      ? `there are no such points in ${map.name}`
      : startsOf(map.world).length === 0
        ? `${map.name} has no place where players start`
        : `players come to no cell in ${map.name}: no start has room for one and a floor below, as bspkit check tells, or --step is too wide`;
  throw new UsageError(`${printable(from)}: ${why}`);
}

function findPoints(from: string, map: OpenMap, step: number | undefined, session: Session): BakePoints {
  const { format, world } = map;
  if (from === 'surfaces' || from === 'vertices') {
    if (!format.mesh)
      throw new UsageError(`${from}: maps of ${format.name} have no surfaces to take points from`);
    const mesh = withMapName(map.name, () =>
      format.mesh!(onlyFile(map, 'surfaces of its own: take --points cells, entities or a file')),
    );
    return from === 'vertices'
      ? meshPoints(mesh)
      : withStep(() => surfacePoints(mesh, step ?? STEPS.surfaces));
  }
  if (from === 'cells') {
    const body = walkerOf(map);
    const progress = showProgress('cells', session);
    const onProgress = (cells: number): void => progress.update(cells, undefined);
    try {
      // In the middles of the game's own cells, if it has any: in doorways, there is a wall between these.
      const offset = (format.routing?.cell ?? 0) / 2;
      const options = { step: step ?? STEPS.cells, offset, onProgress };
      const points = withMapName(map.name, () => withUserInput(() => walkableCells(world, body, options)));
      return { points, normals: undefined };
    } finally {
      progress.end();
    }
  }
  const entities = ENTITIES.exec(from);
  if (entities) return withMapName(map.name, () => entityPoints(world, entities[1] ?? '*'));
  return readPointFile(from, session);
}

/** Runs something whose errors call the step `spacing`. */
function withStep<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(error.message.replace(/^spacing(?= )/, '--step'), { cause: error });
  }
}

function readPointFile(from: string, session: Session): BakePoints {
  try {
    const bytes = gunzip(from, readFile(from, MAX_POINTS_BYTES, session), MAX_POINTS_BYTES);
    const points = parsePoints(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (points.points.length === 0) throw new UsageError(`${from}: has no points`);
    return points;
  } catch (error) {
    // It may be one of the words, misspelt.
    if (error instanceof MapError)
      throw new UsageError(`${error.message}; points come from ${POINTS_HELP}`, { cause: error });
    if (error instanceof TypeError) {
      const problem = 'is not UTF-8: points are text, three numbers per line';
      throw new UsageError(`${from}: ${problem}`, { cause: error });
    }
    if (error instanceof SyntaxError) throw new UsageError(`${from}: ${error.message}`, { cause: error });
    throw error;
  }
}
