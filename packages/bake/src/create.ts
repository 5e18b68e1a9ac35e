import type { Vec3 } from '@bspkit/core';
import {
  checkArrayOf,
  checkList,
  checkObject,
  checkOptions,
  checkPoint,
  checkText,
  checkWhole,
  failArgument,
  isArrayOf,
  plainOf,
  showValue,
} from '@bspkit/core/format';
import { BakeError } from './error.ts';
import {
  type BakeJob,
  type BakeParameters,
  checkJob,
  copyJson,
  eachInput,
  MOST_CHUNKS,
  MOST_ITEMS,
} from './job.ts';
import type { AnyBakeKind } from './kind.ts';
import { checkInputs, kindOf } from './run.ts';
import { sha256 } from './sha256.ts';

/** A map of an assembly. */
export interface JobTile {
  /** Its file, unpacked. */
  readonly map: Uint8Array;
  /** Where it is: x, y and z in the format's cells. */
  readonly offset: Vec3;
}

/** What a job is made of. */
export interface JobParts {
  /** Name of the kind. */
  readonly kind: string;
  /** The map's file, unpacked; left out for kinds that need none. */
  readonly map?: Uint8Array | undefined;
  /** The maps of an assembly, instead of a map. */
  readonly tiles?: readonly JobTile[] | undefined;
  /** Options of the kind; defaults are used for what is left out. */
  readonly parameters?: BakeParameters | undefined;
  /** The inputs that the kind needs, by name. */
  readonly inputs?: Readonly<Record<string, Uint8Array>> | undefined;
  /** Number of items, for kinds that cannot count them; others refuse a number that is not theirs. */
  readonly count?: number | undefined;
  /**
   * Items per chunk; by default as many as take a tenth of a second or two, but few enough for at least 64 chunks, and enough for
   * at most 2^24.
   */
  readonly chunkSize?: number | undefined;
  /** Kinds that are known; {@link BAKE_KINDS} by default. */
  readonly kinds?: readonly AnyBakeKind[] | undefined;
}

const PARTS: readonly string[] = [
  'kind',
  'map',
  'tiles',
  'parameters',
  'inputs',
  'count',
  'chunkSize',
  'kinds',
] satisfies (keyof JobParts)[];

/** Traces that take a tenth of a second or two: a queue costs some milliseconds per chunk. */
const CHUNK_COST = 2 ** 20;
/** This many chunks can be shared out evenly, whoever takes them. */
const LEAST_CHUNKS = 64;

/**
 * Makes a job: hashes its map and inputs, counts its items and cuts them into chunks.
 * @throws (rejects with) BakeError for an unknown kind, missing inputs and those that its kind does not use; RangeError and TypeError naming a parameter.
 */
export async function createJob(parts: JobParts): Promise<BakeJob> {
  checkOptions(parts, PARTS, 'parts');
  const { kind: name, map = new Uint8Array(), parameters = {}, inputs: asked = {} } = parts;
  checkText(name, 'kind');
  checkObject(parameters, 'parameters');
  checkObject(asked, 'inputs');
  const inputs = plainOf(asked);
  checkArrayOf(map, Uint8Array, 'map');
  const { tiles: given } = parts;
  if (given !== undefined) checkTiles(given);
  for (const [input, bytes] of Object.entries<unknown>(inputs)) {
    // Points as they come from walkableCells, say.
    if (isArrayOf(bytes, Float32Array))
      throw new TypeError(
        `inputs.${input} must be a Uint8Array, as pointBytes() makes of points, got a Float32Array`,
      );
    checkArrayOf(bytes, Uint8Array, `inputs.${input}`);
  }
  const kind = kindOf(name, parts.kinds);
  const checked = kind.check(parameters);
  // The job's own, from before anything is awaited: the caller's may change, and be used for the next job.
  const own = copyJson(parameters, 'parameters');
  const offsets = given?.map(({ offset }) => Array.from(offset));
  checkInputs(kind, inputs);
  checkUsed(kind, inputs);
  const found = kind.count?.(checked, inputs);
  const { count = found } = parts;
  if (found !== undefined && count !== found)
    throw new RangeError(`count must be ${found}, as ${name} finds it, or left out, got ${count}`);
  if (count === undefined) throw new BakeError('job', `count is missing: ${name} does not find it by itself`);
  checkWhole(count, 'count', 0, MOST_ITEMS);
  const cost = kind.cost?.(checked, inputs) ?? 1;
  if (typeof cost !== 'number' || !(cost >= 0))
    failArgument(`what cost of ${name} returns`, 'a number, 0 or more', cost);
  const { chunkSize = sizeOf(count, cost) } = parts;
  checkWhole(chunkSize, 'chunkSize', 1, MOST_ITEMS);
  const hashes = await eachInput(inputs, (bytes) => sha256(bytes));
  const hashOf = hashOnce();
  const tiles =
    given &&
    (await Promise.all(
      given.map(async ({ map: bytes }, k) => ({ map: await hashOf(bytes), offset: offsets![k]! })),
    ));
  const named = { map: await sha256(map), ...(tiles && { tiles }) };
  return checkJob({ ...named, kind: name, parameters: own, inputs: hashes, count, chunkSize });
}

/** Hashes bytes, the same array once: a map may be there many times in an assembly. */
function hashOnce(): (bytes: Uint8Array) => Promise<string> {
  const known = new Map<Uint8Array, Promise<string>>();
  return (bytes) => {
    const hash = known.get(bytes) ?? sha256(bytes);
    known.set(bytes, hash);
    return hash;
  };
}

/** Throws `BakeError` (`job`) for an input that its kind would not use: one that is misspelt, most likely. */
function checkUsed({ name, inputs: needed, optionalInputs }: AnyBakeKind, inputs: object): void {
  if (!optionalInputs) return;
  const used = [...needed, ...optionalInputs];
  const other = Object.keys(inputs).find((input) => !used.includes(input));
  if (other === undefined) return;
  const known = used.length > 0 ? `its inputs are ${used.join(', ')}` : 'it has none';
  throw new BakeError('job', `${name} has no input ${showValue(other)}: ${known}`);
}

const TILE: readonly string[] = ['map', 'offset'] satisfies (keyof JobTile)[];

/** Throws `TypeError` or `RangeError` for anything but the maps of an assembly. */
export function checkTiles(tiles: readonly JobTile[]): void {
  checkList(tiles, 'tiles');
  for (const [k, tile] of tiles.entries()) {
    checkOptions(tile, TILE, `tiles[${k}]`);
    checkArrayOf(tile.map, Uint8Array, `tiles[${k}].map`);
    checkPoint(tile.offset, `tiles[${k}].offset`);
  }
}

function sizeOf(count: number, cost: number): number {
  const size = Math.min(Math.ceil(CHUNK_COST / cost), Math.ceil(count / LEAST_CHUNKS));
  return Math.max(1, size, Math.ceil(count / MOST_CHUNKS));
}
