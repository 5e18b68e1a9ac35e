import {
  type BakeParameters,
  bake,
  bodyTracer,
  createJob,
  createTracer,
  memoryStore,
  openJob,
  pointBytes,
  stanceOf,
  surfacePoints,
  walkableCells,
} from '@bspkit/bake';
import type { BspWorld } from '@bspkit/core';
import type { BspFile, BspFormat } from '@bspkit/core/format';

/** What can be computed here, as the command can. */
export type HereKind = 'occlusion' | 'exposure' | 'sight';

/** What is to be computed. */
export interface Asked {
  readonly kind: HereKind;
  /** How far points are apart, in Quake units. */
  readonly step: number;
}

/** Of each pair of places, one line of sight: of more places than this, a page had better not ask. */
const MOST_CELLS = 2 ** 15;

/**
 * Bakes a map as the command does, with the same bytes: `bspkit bake --kind … --step …`, and `--points cells` for sight.
 *
 * @param report - called with the share that is done.
 * @throws (rejects with) RangeError for a map that has no such points or too many.
 */
export async function computeBake(
  format: BspFormat,
  map: Uint8Array,
  { kind, step }: Asked,
  report: (part: number) => void,
): Promise<Uint8Array> {
  const file = format.read(map);
  const world = format.createWorld([file]);
  const { inputs, parameters } =
    kind === 'occlusion' ? ofSurfaces(format, file, step) : ofCells(format, world, step, kind);
  const job = await createJob({ kind, map, inputs, parameters });
  const bytes = new Map(Object.entries(inputs).map(([name, input]) => [job.inputs[name], input]));
  const { run } = await openJob(job, {
    load: (hash) => bytes.get(hash),
    world: { format: format.id, data: world.data },
    trusted: true,
  });
  const store = memoryStore();
  await bake(job, {
    inputs,
    store,
    executor: { capacity: 1, run: async (chunk) => run(chunk) },
    retries: 0,
    onProgress: ({ part }) => report(part),
  });
  return store.bytes();
}

interface Prepared {
  readonly inputs: Readonly<Record<string, Uint8Array>>;
  readonly parameters: BakeParameters;
}

function ofSurfaces(format: BspFormat, file: BspFile, step: number): Prepared {
  const { points, normals } = surfacePoints(format.mesh!(file), step);
  if (points.length === 0) throw new RangeError('the map has no surfaces');
  return { inputs: { points: pointBytes(points), normals: pointBytes(normals!) }, parameters: { step } };
}

function ofCells(format: BspFormat, world: BspWorld, step: number, kind: HereKind): Prepared {
  const body = createTracer(format, world, bodyTracer(format, world));
  const { floor, eye } = stanceOf(body);
  // In the middles of the game's own cells, if it has any.
  const offset = (format.routing?.cell ?? 0) / 2;
  const cells = walkableCells(world, body, { step, offset, most: MOST_CELLS });
  if (cells.length === 0)
    throw new RangeError('players come to no place here: no start has room for one, and a floor below');
  return {
    inputs: { points: pointBytes(cells) },
    parameters: { step, floor, ...(kind === 'exposure' && { eye }) },
  };
}
