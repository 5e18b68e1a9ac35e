import { createHash } from 'node:crypto';
import { packError, unpackError } from '@bspkit/core/format';
import { version as VERSION } from '../../package.json';
import { BakeError } from '../error.ts';
import { type BakeChunk, type BakeJob, checkJob, isHash, MOST_CHUNKS, MOST_ITEMS } from '../job.ts';

// What coordinators and workers send each other through the queue. Everything that is read from it is checked: other
// programs may write there too.
//
//   bspkit:chunks:*          BullMQ's own: one of its jobs per chunk, removed when it has ended
//   bspkit:bytes:SHA256      bytes by their hash: a job's text, its map and inputs; they expire
//   bspkit:bytes:SHA256:ID   the same as long as they are being written, part by part
//   bspkit:too-large:SHA256  says that these bytes do not fit there: workers have them from elsewhere; expires
//   bspkit:input:KEY         what a chunk carries; removed with its answer
//   bspkit:answer:KEY        a chunk's answer after its hash, until its coordinator has it
//   bspkit:answers           a stream of chunks that were answered, have failed or were given back, cut to its newest entries
//   bspkit:workers           the set of the workers' ids
//   bspkit:worker:ID         a worker's lease: how many threads it has; expires when it has been silent for too long
//   bspkit:crew:ID           a coordinator's mark, which tells it that the store has forgotten nothing; expires

/** BullMQ's name for the queue, and the beginning of all keys. */
export const PREFIX = 'bspkit';
export const QUEUE = 'chunks';
/** The name of BullMQ's jobs: nothing else is taken from the queue. */
export const CHUNK = 'chunk';

export const bytesKey = (sha256: string): string => `${PREFIX}:bytes:${sha256}`;
export const tooLargeKey = (sha256: string): string => `${PREFIX}:too-large:${sha256}`;
export const inputKey = (key: string): string => `${PREFIX}:input:${key}`;
export const answerKey = (key: string): string => `${PREFIX}:answer:${key}`;
export const ANSWERS: string = `${PREFIX}:answers`;

export const workerKey = (id: string): string => `${PREFIX}:worker:${id}`;
export const WORKERS: string = `${PREFIX}:workers`;
export const crewKey = (id: string): string => `${PREFIX}:crew:${id}`;

/** Seconds for which bytes stay after they were last needed; and for which everything of a chunk stays. */
export const BYTES_SECONDS = 3600;
export const CHUNK_SECONDS: number = 24 * 3600;
/** About how many entries of the stream are kept. Whoever misses one looks for the answer itself. */
export const STREAM_ENTRIES = 10_000;

const MEGABYTE = 1 << 20;
/** The most bytes of a job's text, of a map or an input, and of what a chunk carries or its answer. */
export const MOST_JOB: number = MEGABYTE;
export const MOST_BYTES: number = 256 * MEGABYTE;
export const MOST_CHUNK: number = 64 * MEGABYTE;
/** The most workers that are counted. */
export const MOST_WORKERS = 10_000;
/** The most characters of an error that is reported. */
const MOST_REASON = 2000;

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Bytes of the hash before an answer in the store, and the most bytes of both. */
const HASH_BYTES = 32;
export const MOST_ANSWER: number = HASH_BYTES + MOST_CHUNK;

/** An answer as it is stored: after its hash. */
export const packAnswer = (answer: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(hashOf(answer), 'hex'), answer]);

/** The answer that was stored; `undefined` for one that is damaged or too large. */
export function unpackAnswer(stored: Buffer): Buffer | undefined {
  const answer = stored.subarray(HASH_BYTES);
  const isWhole = stored.length <= MOST_ANSWER && hashOf(answer) === stored.toString('hex', 0, HASH_BYTES);
  return isWhole ? answer : undefined;
}

/** The number of threads in a worker's lease; `undefined` for anything else. */
export const readThreads = (text: string): number | undefined =>
  /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;

/** What one of BullMQ's jobs carries: a chunk, or rather what it takes to find the rest of it. */
export interface ChunkMessage {
  /** Id of the bake's job, whose text is among the bytes. */
  readonly job: string;
  readonly index: number;
  readonly first: number;
  readonly count: number;
  /** The version of this package that hands it out: others may answer differently, or not understand the job. */
  readonly version: string;
  /** The hash of what the chunk carries, if it carries anything. */
  readonly input?: string;
}

/**
 * What is reported about a chunk when it has ended: its answer's size and the worker, or what went wrong. Or when a worker has
 * given it back, because it lacks something that the chunk needs, such as its kind: which worker, and what it lacks.
 */
export type Ending =
  | { readonly size: number; readonly by?: string }
  | {
      readonly error: { readonly name: string; readonly code?: string; readonly message: string };
      readonly by?: string;
    };

/**
 * A chunk's key: the same for the same chunk of the same job with the same input, whoever asks with the same version. Rows that are
 * the same in another place are another chunk: answers may depend on the place, and errors name it.
 */
export const keyOf = ({ job, index, first, count, version, input = '' }: ChunkMessage): string =>
  [job, index, first, count, ...(input && [input.slice(0, 32)]), version].join('-');

export function messageOf(job: string, { index, first, count, input }: BakeChunk): ChunkMessage {
  return { job, index, first, count, version: VERSION, ...(input && { input: hashOf(input) }) };
}

/** Throws `BakeError` (`version`) unless a chunk was handed out by the same version of this package. */
export function checkVersion({ version }: ChunkMessage): void {
  if (version === VERSION) return;
  const both = 'workers must have the same version as whoever hands out chunks';
  throw new BakeError(
    'version',
    `the worker is version ${VERSION}, and the chunk is of version ${version}: ${both}`,
  );
}

/** Versions of npm, none longer than keys allow. */
const VERSIONS = /^[\w.+-]{1,64}$/;

const isWhole = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;

/** Reads a chunk from what one of BullMQ's jobs carries. Throws `BakeError` (`job`) for anything else. */
export function checkMessage(value: unknown, name: string, id: string | undefined): ChunkMessage {
  const fail = (problem: string): never => {
    throw new BakeError('job', `the queue holds something that is not a chunk: ${problem}`);
  };
  if (name !== CHUNK) fail('it has another name');
  if (value === null || typeof value !== 'object') return fail('it is not an object');
  const { job, index, first, count, version, input } = value as Record<string, unknown>;
  if (!isHash(job)) return fail('job is not a sha256');
  if (!isWhole(index, MOST_CHUNKS)) return fail('index is not the number of a chunk');
  if (!isWhole(first, MOST_ITEMS)) return fail('first is not the number of an item');
  if (!isWhole(count, MOST_ITEMS)) return fail('count is not a number of items');
  if (typeof version !== 'string' || !VERSIONS.test(version)) return fail('version is not a version');
  if (input !== undefined && !isHash(input)) return fail('input is not a sha256');
  const message: ChunkMessage = { job, index, first, count, version, ...(input !== undefined && { input }) };
  if (keyOf(message) !== id) fail('its id is that of another chunk');
  return message;
}

/** Reads the text of the job with this id from bytes. Throws `BakeError` (`hash`, `job`). */
export function readJob(bytes: Uint8Array, id: string): BakeJob {
  if (hashOf(bytes) !== id) throw new BakeError('hash', `the queue's job ${id} differs from its hash`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch (cause) {
    throw new BakeError('job', `the queue's job ${id} is not JSON`, { cause });
  }
  return checkJob(value);
}

/**
 * A text from the queue without what a terminal would obey: programs print errors and notes, and everybody may write to the queue
 * who may use it.
 */
export const withoutControls = (text: string): string =>
  text.replace(/(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');

/** The fields of an entry of the stream. */
export const entryOf = (key: string, ending: Ending): string[] => [
  'key',
  key,
  'ending',
  JSON.stringify(ending),
];

/** The most characters of an entry: control characters take six in JSON. */
const MOST_ENTRY = 8 * MOST_REASON;

/**
 * Parses an entry of the stream: which chunk it is about, and what is reported about it, if that can be understood. `undefined`
 * for an entry that is not about a chunk.
 */
export function readEntry(
  fields: readonly string[],
): { key: string; ending: Ending | undefined } | undefined {
  const at = (name: string): string | undefined => {
    for (let k = 0; k + 1 < fields.length; k += 2) if (fields[k] === name) return fields[k + 1];
    return undefined;
  };
  const [key, text = ''] = [at('key'), at('ending')];
  return key === undefined
    ? undefined
    : { key, ending: text.length > MOST_ENTRY ? undefined : readEnding(text) };
}

function readEnding(text: string): Ending | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (value === null || typeof value !== 'object') return undefined;
  const { size, error, by } = value as Record<string, unknown>;
  const worker = typeof by === 'string' ? { by } : {};
  if (isWhole(size, MOST_CHUNK)) return { size, ...worker };
  if (error === null || typeof error !== 'object') return undefined;
  const { name, code, message } = error as Record<string, unknown>;
  if (typeof name !== 'string' || typeof message !== 'string') return undefined;
  return {
    error: { name, message: withoutControls(message), ...(typeof code === 'string' && { code }) },
    ...worker,
  };
}

const CODES: readonly string[] = [
  'job',
  'kind',
  'format',
  'hash',
  'absent',
  'too-large',
  'version',
  'worker',
];

/**
 * An error as it is in the stream.
 *
 * @param by - the worker that has given its chunk back.
 */
export function endingOf(error: unknown, by?: string): Ending {
  const {
    name,
    message,
    more: { code },
  } = packError(error);
  const known = typeof code === 'string' && (name === 'BspError' || CODES.includes(code)) ? { code } : {};
  return {
    error: { name: name.slice(0, 60), ...known, message: message.slice(0, MOST_REASON) },
    ...(by !== undefined && { by }),
  };
}

/** The error that an entry reports, of a class that says whether the chunk may be tried again. */
export function errorOf(
  { error: { name, code, message } }: Extract<Ending, { error: unknown }>,
  chunk: number | undefined,
): Error {
  switch (name) {
    case 'RangeError':
      return new RangeError(message);
    case 'TypeError':
      return new TypeError(message);
    case 'SyntaxError':
      return new SyntaxError(message);
    case 'BspError':
      return unpackError({ name, message, stack: undefined, cause: undefined, more: { code } });
    default:
      return new BakeError(
        CODES.includes(code!) ? (code as 'job') : 'worker',
        message,
        chunk === undefined ? {} : { chunk },
      );
  }
}
