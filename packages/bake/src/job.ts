import { checkNumber, plainOf, showValue } from '@bspkit/core/format';
import { BakeError } from './error.ts';
import { NO_BYTES } from './sha256.ts';
import { encodeText } from './text.ts';

/** A value that JSON can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** Options of a kind, by name. */
export type BakeParameters = { readonly [name: string]: Json | undefined };

/**
 * What is to be computed, as plain data: equal jobs have equal results, byte for byte. It names bytes by their sha256, in hex,
 * and does not say where they come from.
 */
export interface BakeJob {
  /** The map's file, unpacked. For kinds that need no map, and with `tiles`, the hash of no bytes. */
  readonly map: string;
  /** For kinds that trace in a map, instead of one: the maps of an assembly, in their order. */
  readonly tiles?: readonly BakeTile[] | undefined;
  /** Name of a {@link BakeKind}. */
  readonly kind: string;
  /** Options of the kind. */
  readonly parameters: BakeParameters;
  /** Further bytes that the kind needs, by name, such as points. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Number of items: points, rows of a matrix, cells. */
  readonly count: number;
  /** Items per chunk; the last chunk may have fewer. */
  readonly chunkSize: number;
}

/** A map of an assembly. */
export interface BakeTile {
  /** The sha256 of its file, unpacked. */
  readonly map: string;
  /** Where it is: x, y and z in the format's cells. */
  readonly offset: readonly number[];
}

/** A part of a job, whose answer depends only on the job. */
export interface BakeChunk {
  /** Its number, from 0. */
  readonly index: number;
  /** Its first item, and how many there are. */
  readonly first: number;
  readonly count: number;
  /**
   * Its items, for kinds whose input comes as a stream: rows of questions. Do not change them before the chunk has been answered: it
   * may wait for a worker, or be tried again.
   */
  readonly input?: Uint8Array | undefined;
}

/** The most items of a job: 2^40, for programs that say so in their own words before `createJob` does. */
export const MOST_ITEMS: number = 2 ** 40;
/** The most chunks of a job, and so of a file: 2^24. */
export const MOST_CHUNKS: number = 2 ** 24;

const FIELDS: readonly string[] = [
  'map',
  'tiles',
  'kind',
  'parameters',
  'inputs',
  'count',
  'chunkSize',
] satisfies (keyof BakeJob)[];
/** The most inputs, and the most tiles, of a job. */
const MOST_INPUTS = 1024;
/** The most bytes of a job's text: no file is read that says it has a longer one, so none is made. */
export const MOST_TEXT: number = 2 ** 24;
/** How deep values may be nested in parameters. */
const MOST_DEPTH = 16;

/**
 * Checks that a value is a job. Throws `BakeError` (`job`) naming the field that is missing or wrong, also for a job of more than
 * 2^24 bytes as text.
 */
export function checkJob(value: unknown): BakeJob {
  textOf(value);
  return value as BakeJob;
}

/** The text of a job. Throws as {@link checkJob}. */
function textOf(value: unknown): string {
  if (!isObject(value)) fail(`a job must be an object, got ${show(value)}`);
  for (const name of Object.keys(value)) {
    if (!FIELDS.includes(name))
      fail(
        `a job has no field ${showValue(name)}; its fields are ${FIELDS.join(', ')}, as createJob makes them`,
      );
  }
  const { map, tiles, kind, parameters, inputs, count, chunkSize } = value;
  checkSha256(map, 'map');
  if (tiles !== undefined) checkTiles(tiles, map as string);
  if (typeof kind !== 'string' || kind === '') fail(`kind must be a name, got ${show(kind)}`);
  if (!isObject(parameters)) fail(`parameters must be an object, got ${show(parameters)}`);
  checkJson(parameters, 'parameters', MOST_DEPTH);
  if (!isObject(inputs)) fail(`inputs must be an object, got ${show(inputs)}`);
  if (Object.keys(inputs).length > MOST_INPUTS) fail(`inputs must be ${MOST_INPUTS} at most`);
  for (const [name, hash] of Object.entries(inputs)) checkSha256(hash, `inputs.${brief(name)}`);
  const chunks = countChunks(count, chunkSize);
  if (chunks > MOST_CHUNKS)
    fail(`chunkSize ${chunkSize} makes ${chunks} chunks; at most ${MOST_CHUNKS} are accepted`);
  const text = canonical(value as unknown as Json);
  const { length } = encodeText(text);
  if (length > MOST_TEXT) {
    const problem = `a job must have at most ${MOST_TEXT} bytes as text, got ${length}`;
    fail(`${problem}: what is large belongs in inputs, not in parameters`);
  }
  return text;
}

/** How many chunks a job has. Throws `BakeError` (`job`) for an invalid `count` or `chunkSize`. */
export function chunkCount(job: BakeJob): number {
  if (!isObject(job)) fail(`a job must be an object, got ${show(job)}`);
  return countChunks(job.count, job.chunkSize);
}

function countChunks(count: unknown, chunkSize: unknown): number {
  checkItems(count, 'count', 0);
  checkItems(chunkSize, 'chunkSize', 1);
  return Math.ceil((count as number) / (chunkSize as number));
}

/** The chunk of a job with this number. Throws `RangeError` when there is no such chunk, and as {@link checkJob}. */
export function chunkOf(given: BakeJob, index: number): BakeChunk {
  return cutChunk(checkJob(given), index);
}

/** {@link chunkOf} for a job that has been checked already: a check reads all of the job, which is too much for each chunk. */
export function cutChunk(job: BakeJob, index: number): BakeChunk {
  checkNumber(index, 'index', chunkCount(job));
  const first = index * job.chunkSize;
  return { index, first, count: Math.min(job.chunkSize, job.count - first) };
}

/** A job as JSON, the same text for the same job: fields in the order of their names. Throws as {@link checkJob}. */
export const jobText = (job: BakeJob): string => textOf(job);

/** A copy of a job, which stays as it is whatever its owner does with the original. Throws as {@link checkJob}. */
export const ownJob = (job: BakeJob): BakeJob => JSON.parse(textOf(job));

/**
 * What is found for each of the inputs, one after another, under the same names: `__proto__` too, which an assignment would lose.
 */
export async function eachInput<A, B>(
  inputs: Readonly<Record<string, A>>,
  find: (input: A, name: string) => B | Promise<B>,
): Promise<Record<string, B>> {
  const found: [string, B][] = [];
  for (const [name, input] of Object.entries(inputs)) found.push([name, await find(input, name)]);
  return Object.fromEntries(found);
}

function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (Object.is(value, -0)) return '-0';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(plainOf(value))
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}

/** A copy of what JSON can hold. Throws `BakeError` (`job`) for anything else, by its `name`. */
export function copyJson<T extends Json>(value: T, name: string): T {
  checkJson(value, name, MOST_DEPTH);
  return JSON.parse(canonical(value));
}

function checkJson(value: unknown, path: string, depth: number): void {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) fail(`${path} must be a finite number, got ${value}`);
    return;
  }
  // Any other object, such as a Map or a Date, would not be the same when it is read again.
  const isList = Array.isArray(value);
  if (!isList && Object.prototype.toString.call(value) !== '[object Object]')
    fail(`${path} must be plain data, got ${show(value)}`);
  if (depth === 0) fail(`${path} is nested more than ${MOST_DEPTH} deep`);
  for (const [name, part] of Object.entries(isList ? [...value] : plainOf(value as object))) {
    // A field that is undefined is left out, which is not possible in a list.
    if (part !== undefined || isList) checkJson(part, `${path}.${brief(name)}`, depth - 1);
  }
}

function checkTiles(tiles: unknown, map: string): void {
  if (!(Array.isArray(tiles) && tiles.length > 0 && tiles.length <= MOST_INPUTS)) {
    fail(`tiles must be a list of 1 to ${MOST_INPUTS}, got ${show(tiles)}`);
  }
  if (map !== NO_BYTES) fail('map must be the hash of no bytes where there are tiles');
  for (const [k, tile] of tiles.entries()) {
    if (!(isObject(tile) && Object.keys(tile).length === 2))
      fail(`tiles.${k} must have map and offset, got ${show(tile)}`);
    const { map: hash, offset } = tile;
    checkSha256(hash, `tiles.${k}.map`);
    // Not of the list itself: `every` passes over what is absent.
    if (!(Array.isArray(offset) && offset.length === 3 && [...offset].every(Number.isFinite)))
      fail(`tiles.${k}.offset must be three numbers, got ${show(offset)}`);
  }
}

function checkSha256(value: unknown, name: string): void {
  if (!isHash(value)) fail(`${name} must be a sha256 in hex, got ${show(value)}`);
}

/** Whether a value is a sha256 in hex. */
export const isHash = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

function checkItems(value: unknown, name: string, least: number): void {
  if (!(Number.isInteger(value) && (value as number) >= least && (value as number) <= MOST_ITEMS)) {
    fail(`${name} must be a whole number from ${least} to ${MOST_ITEMS}, got ${show(value)}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A name that may be as long as the file. */
const brief = (name: string): string => showValue(name).slice(1, -1);

/** A value that is wrong, as JSON if it is an object that can be written so: it may be nested deeper than the stack. */
function show(value: unknown): string {
  if (value === null || typeof value !== 'object') return showValue(value);
  try {
    return JSON.stringify(value).slice(0, 60);
  } catch {
    return showValue(value);
  }
}

function fail(problem: string): never {
  throw new BakeError('job', problem);
}
