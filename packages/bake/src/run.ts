import type { BspWorld } from '@bspkit/core';
import {
  type BspFormat,
  checkArrayOf,
  checkCallback,
  checkChoice,
  checkFlag,
  checkList,
  checkObject,
  type FormatIdentity,
  isArrayOf,
  type KernelChoice,
  showValue,
} from '@bspkit/core/format';
import { withEllipsoids } from '@bspkit/ellipsoid';
import { detectBsp, FORMATS, formatOf } from 'bspkit';
import { checkChunk, checkFormatId } from './check.ts';
import { BakeError, type BakeErrorCode } from './error.ts';
import { type BakeChunk, type BakeJob, type BakeTile, eachInput, ownJob } from './job.ts';
import type { AnyBakeKind, BakeContext, BakeSource } from './kind.ts';
import { BAKE_KINDS } from './kinds/index.ts';
import { NO_BYTES, sha256 } from './sha256.ts';

/** A job that is ready to be answered, chunk by chunk. */
export interface OpenJob {
  readonly job: BakeJob;
  /**
   * Answers a chunk.
   * @throws RangeError, TypeError or SyntaxError for a question that cannot be answered, and for items that the job does not
   *   have; TypeError where the kind answers with anything but bytes; whatever else the kind throws.
   */
  run(chunk: BakeChunk): Uint8Array;
}

/**
 * Finds a kind by its name.
 * @throws BakeError (`kind`) if there is none; TypeError naming what a kind of your own lacks.
 */
export function kindOf(name: string, kinds: readonly AnyBakeKind[] = BAKE_KINDS): AnyBakeKind {
  checkList(kinds, 'kinds');
  for (const [k, kind] of kinds.entries()) checkObject(kind, `kinds[${k}]`);
  const kind = kinds.find((known) => known.name === name);
  if (kind) return checkKind(kind);
  const known = kinds.map((other) => other.name).join(', ');
  throw new BakeError('kind', `no such kind of bake: ${showValue(name)}; there are ${known}`);
}

function checkKind(kind: AnyBakeKind): AnyBakeKind {
  const { name, inputs, optionalInputs } = kind;
  checkFlag(kind.needsWorld, `needsWorld of ${name}`);
  checkList(inputs, `inputs of ${name}`);
  if (optionalInputs !== undefined) checkList(optionalInputs, `optionalInputs of ${name}`);
  for (const part of ['check', 'open', 'merge'] as const) checkCallback(kind[part], `${part} of ${name}`);
  for (const part of ['count', 'cost', 'bytes'] as const)
    if (kind[part] !== undefined) checkCallback(kind[part], `${part} of ${name}`);
  return kind;
}

/**
 * Prepares to answer a job's chunks: finds its kind, loads what it names, opens its map.
 * @throws (rejects with) BakeError for an invalid job, an unknown kind, and bytes that are not there or differ from their
 *   hash; what `source.load` throws; BspError for a map that cannot be read; RangeError or TypeError naming a parameter, or for a
 *   kernel that there is not; Error where the kernel `wasm` is not available.
 */
export async function openJob(given: BakeJob, source: BakeSource): Promise<OpenJob> {
  const job = ownJob(given);
  checkObject(source, 'source');
  checkCallback(source.load, 'source.load');
  const kind = kindOf(job.kind, source.kinds);
  const context = await openContext(job, kind, source);
  const run = await kind.open(context);
  checkCallback(run, `what open of ${kind.name} returns`);
  return {
    job,
    run(chunk) {
      checkChunk(chunk);
      const { index, first, count } = chunk;
      // If the kind does not count items, a job's count says nothing about chunks that carry theirs.
      if (kind.count && first + count > job.count) {
        const problem = `chunk.first + chunk.count must be ${job.count} at most: chunk ${index} has items that`;
        throw new RangeError(`${problem} the job does not have, got ${first} + ${count}`);
      }
      const answer = run(chunk);
      checkArrayOf(answer, Uint8Array, `the answer of ${kind.name}`);
      checkSize(kind, job, chunk, context.inputs, answer);
      return answer;
    },
  };
}

/** Throws `BakeError` for an answer that does not have as many bytes as its kind says. */
export function checkSize(
  kind: AnyBakeKind,
  job: BakeJob,
  chunk: BakeChunk,
  inputs: Readonly<Record<string, Uint8Array>>,
  { length }: Uint8Array,
  code: BakeErrorCode = 'chunk',
): void {
  const bytes = kind.bytes?.(job, chunk, inputs) ?? length;
  if (length === bytes) return;
  const { index } = chunk;
  throw new BakeError(code, `chunk ${index} has ${length} bytes, but ${kind.name} has ${bytes}`, {
    chunk: index,
  });
}

/** What a kind has to work with. */
async function openContext(
  job: BakeJob,
  kind: AnyBakeKind,
  source: BakeSource,
): Promise<BakeContext<unknown>> {
  const { formats: entries = FORMATS, kernel } = source;
  checkKernel(kernel);
  const parameters = kind.check(job.parameters);
  checkInputs(kind, job.inputs);
  const inputs = await eachInput(job.inputs, (hash, name) =>
    loadBytes(hash, `input ${showValue(name)}`, source),
  );
  checkItems(kind, job, inputs);
  const { tiles } = job;
  const hasMap = job.map !== NO_BYTES;
  checkMaps(kind, job);
  const isOpen = source.world !== undefined;
  // If the world is there, its file is not needed, except by kinds that open maps themselves.
  const map =
    hasMap && !(isOpen && kind.needsWorld) ? await loadBytes(job.map, 'the map', source) : new Uint8Array();
  const base = { job, parameters, inputs };
  if (!kind.needsWorld) {
    const formats = await Promise.all(entries.map(async (entry) => prepared(await entry.load(), kernel)));
    return {
      ...base,
      map,
      formats,
      get format() {
        return noWorld('format');
      },
      get world() {
        return noWorld('world');
      },
    };
  }
  const files =
    isOpen || !tiles ? [map] : await loadTiles(tiles, (hash, what) => loadBytes(hash, what, source));
  const format = prepared(await openFormat(files[0]!, source), kernel);
  const world = isOpen ? format.open(source.world.data) : createJobWorld(format, files, job);
  return {
    ...base,
    get map(): never {
      // Whoever has the world need not have its file, as threads do not.
      throw new TypeError('map belongs to kinds that open maps themselves: needsWorld is true');
    },
    format,
    world,
    formats: [format],
  };
}

/** Throws `BakeError` (`job`) unless a job names the maps that its kind needs: one to trace in, or those of an assembly. */
export function checkMaps(kind: AnyBakeKind, { map, tiles }: BakeJob): void {
  if (kind.needsWorld && map === NO_BYTES && !tiles)
    throw new BakeError('job', `map is the hash of no bytes: ${kind.name} needs a map`);
  if (!kind.needsWorld && tiles)
    throw new BakeError('job', `tiles are for kinds that trace in a map: ${kind.name} does not`);
}

/** Loads the maps of an assembly, each once: many may be there several times. */
export async function loadTiles(
  tiles: readonly BakeTile[],
  load: (hash: string, what: string) => Uint8Array | Promise<Uint8Array>,
): Promise<Uint8Array[]> {
  const loaded = new Map<string, Uint8Array>();
  for (const [k, { map }] of tiles.entries()) {
    if (!loaded.has(map)) loaded.set(map, await load(map, `tile ${k}`));
  }
  return tiles.map(({ map }) => loaded.get(map)!);
}

/** Makes the world that a job is about of its map or tiles. Throws `BspError`, and `RangeError` for tiles of a game without such. */
export function createJobWorld(
  format: BspFormat,
  files: readonly Uint8Array[],
  { tiles }: BakeJob,
  shared?: boolean,
): BspWorld {
  const offsets = tiles?.map(({ offset }) => offset);
  // A map may be there many times.
  const read = new Map([...new Set(files)].map((file) => [file, format.read(file)]));
  return format.createWorld(
    files.map((file) => read.get(file)!),
    { offsets, shared },
  );
}

/** A format as kinds get it: with ellipsoids, and with worlds that a given kernel traces in. */
function prepared(format: BspFormat, kernel: KernelChoice | undefined): BspFormat {
  return withEllipsoids({
    ...format,
    open: (data, options) => format.open(data, { kernel, ...options }),
    createWorld: (files, options) => format.createWorld(files, { kernel, ...options }),
  });
}

/** Throws `RangeError` or `TypeError` for a kernel that there is not. */
export function checkKernel(kernel: KernelChoice = 'auto'): void {
  checkChoice(kernel, 'kernel', ['auto', 'wasm', 'js'] satisfies KernelChoice[]);
}

/** Throws `BakeError` (`job`) unless all inputs are there that a kind must have. */
export function checkInputs(kind: AnyBakeKind, inputs: Readonly<Record<string, unknown>>): void {
  const absent = kind.inputs.find((name) => !Object.hasOwn(inputs, name));
  if (absent !== undefined) throw new BakeError('job', `inputs.${absent} is missing: ${kind.name} needs it`);
}

/** Throws `BakeError` (`job`) unless a job has as many items as its kind counts. */
export function checkItems(
  kind: AnyBakeKind,
  { count, parameters }: BakeJob,
  inputs: Readonly<Record<string, Uint8Array>>,
): void {
  const items = kind.count?.(kind.check(parameters), inputs) ?? count;
  if (items !== count) throw new BakeError('job', `count is ${count}, but ${kind.name} finds ${items} items`);
}

async function openFormat(map: Uint8Array, { world, formats = FORMATS }: BakeSource): Promise<BspFormat> {
  if (world) checkFormatId(world.format, formats);
  return formatOf(world?.format ?? formatIdOf(map, formats), formats);
}

/** The id of a map's format. Throws `BakeError` (`format`) if none of these recognises the file. */
export function formatIdOf(map: Uint8Array, formats: readonly FormatIdentity[]): string {
  const found = detectBsp(map, formats);
  if (found.format !== undefined) return found.format;
  throw new BakeError('format', `the map is ${found.name}; ${found.advice}`);
}

function noWorld(name: string): never {
  throw new TypeError(`${name} belongs to kinds that need a world: needsWorld is false`);
}

/** Loads bytes by their hash, and checks it. Rejects with `BakeError` (`absent`) if there are none. */
export async function loadBytes(
  hash: string,
  what: string,
  { load, trusted }: Pick<BakeSource, 'load' | 'trusted'>,
): Promise<Uint8Array> {
  const bytes = hash === NO_BYTES ? new Uint8Array() : await load(hash);
  if (bytes === undefined) throw new BakeError('absent', `there are no bytes for ${what} (${hash})`);
  if (!isArrayOf(bytes, Uint8Array)) throw new TypeError(`load must give a Uint8Array for ${what} (${hash})`);
  if (!trusted) await checkHash(bytes, hash, what);
  return bytes;
}

/**
 * Throws (rejects with) `BakeError` (`hash`) unless bytes have the hash that a job has for them; TypeError for anything
 * but an array of bytes, and for one that was transferred or cut off.
 */
export async function checkHash(bytes: unknown, hash: string, what: string): Promise<void> {
  checkArrayOf(bytes, Uint8Array, what);
  const found = await sha256(bytes);
  if (found !== hash)
    throw new BakeError('hash', `${what} differs from its hash: it is ${found}, not ${hash}`);
}
