import type { UnsharedBytes } from '@bspkit/core';
import { checkArrayOf, checkKind, toBytes } from '@bspkit/core/format';
import { crc32 } from '@bspkit/geometry';
import { joinBytes } from './arrays.ts';
import { BakeError, reasonOf } from './error.ts';
import { type BakeJob, checkJob, chunkCount, chunkOf, jobText } from './job.ts';
import type { AnyBakeKind } from './kind.ts';
import { checkInputs, checkItems, checkSize, kindOf } from './run.ts';
import { decodeText, encodeText } from './text.ts';

// A bake's file: a magic, then records. All numbers are unsigned, 32 bits, little-endian.
//
//   8 bytes   "BSPBAKE1" records   20 bytes of head: what it is, its number, the length of its content in bytes, the
//             CRC-32 of its content, and the CRC-32 of the 16 bytes before, XOR the job's seal; then the content
//
//   'JOB '    the job as JSON; the first record, number 0
//   'INPT'    an input of the job, by its number among their names in order
//   'CHNK'    a chunk's answer, by the chunk's number
//   'DONE'    the last record of a file that is whole; its number is the number of chunks, and it has no content
//
// Inputs follow the job, then come chunks: in any order while a file grows, in that of their numbers when it is whole.
// The seal of a job is the CRC-32 of its text; 0 for the job's own record. If two programs write to one file at the same
// moment, neither's records are taken for those of the other's job.
// So a file that was cut off or is damaged somewhere loses only the records where that is, and a whole file is the same
// bytes however it came about.

const MAGIC = 'BSPBAKE1';
const HEAD = 20;

const JOB = 0x20424f4a;
const INPUT = 0x54504e49;
const CHUNK = 0x4b4e4843;
const DONE = 0x454e4f44;

/** Longest job that is read, in bytes. */
const MOST_JOB = 2 ** 20;
/** Longest content of a record, in bytes. */
const MOST_CONTENT: number = 2 ** 32 - 1;

/** The contents of a bake's file. */
export interface BakeFile {
  readonly job: BakeJob;
  /** The inputs that the job names. */
  readonly inputs: Readonly<Record<string, Uint8Array>>;
  /** Answers by the chunks' numbers, those that are there and whole. */
  readonly chunks: ReadonlyMap<number, Uint8Array>;
  /** How many chunks are missing: never computed, cut off, or broken. */
  readonly missing: number;
}

/** Where a record's content is. */
interface Place {
  readonly at: number;
  readonly length: number;
}

/** What is in a file, with places. */
interface Scan {
  readonly job: BakeJob;
  readonly seal: number;
  /** Those that are whole: if a file was cut off or is damaged, some may be missing. */
  readonly inputs: ReadonlyMap<string, Place>;
  readonly chunks: ReadonlyMap<number, Place>;
  /** Where the readable part ends: more may be added there. */
  readonly end: number;
  /** Whether the file is whole, byte for byte as it should be. */
  readonly isWhole: boolean;
  /** Whether only {@link DONE} is missing for that. */
  readonly isInOrder: boolean;
}

/** Reads `length` bytes at a place, or fewer if the file ends before. */
type Read<T> = Generator<Place, T, Uint8Array>;

/**
 * Finds the records of a file that has `size` bytes; yields what it needs to read. Looks at each byte once, except those after a
 * damaged head. Throws `BakeError` (`file`, `damaged`), whose message begins with `start`.
 */
function* scan(size: number, start: string): Read<Scan> {
  const head = yield { at: 0, length: MAGIC.length };
  if (head.length < MAGIC.length || MAGIC.split('').some((char, k) => head[k] !== char.charCodeAt(0))) {
    const problem = `it does not begin with ${MAGIC}`;
    // Answers of hours may be behind a flipped bit.
    const first = readHead(yield { at: MAGIC.length, length: HEAD }, 0);
    throw first?.what === JOB ? damaged(start, problem) : notBake(start, problem);
  }
  let job: BakeJob | undefined;
  let seal = 0;
  let names: readonly string[] = [];
  let [total, isInOrder, isWhole] = [0, true, false];
  const inputs = new Map<string, Place>();
  const chunks = new Map<number, Place>();
  let at = MAGIC.length;
  let end = at;
  for (;;) {
    const bytes = yield { at, length: HEAD };
    const record = readHead(bytes, seal);
    if (job && !record) {
      // A flipped bit in a head must not cost everything after it.
      const next = yield* findHead(at + 1, size, seal);
      if (next === undefined) break;
      at = next;
      isInOrder = false;
      continue;
    }
    if (!record || at + HEAD + record.length > size) break;
    const { what, number, length, sum } = record;
    if (!job && (what !== JOB || length > MOST_JOB)) break;
    const place = { at: at + HEAD, length };
    const content = yield place;
    const isGood = content.length === length && crc32(content) === sum;
    if (!job) {
      if (!isGood) break;
      job = parseJob(content, start);
      seal = sum;
      names = Object.keys(job.inputs).sort();
      total = chunkCount(job);
    } else if (!isGood) {
      isInOrder = false;
    } else if (what === INPUT && number < names.length && !inputs.has(names[number]!)) {
      isInOrder &&= number === inputs.size && chunks.size === 0;
      inputs.set(names[number]!, place);
    } else if (what === CHUNK && number < total && !chunks.has(number)) {
      isInOrder &&= number === chunks.size && inputs.size === names.length;
      chunks.set(number, place);
    } else if (what === DONE && number === total && length === 0) {
      isWhole = isInOrder && chunks.size === total && at + HEAD === size;
      isInOrder = false;
    } else {
      isInOrder = false;
    }
    at += HEAD + length;
    end = at;
  }
  if (!job) throw damaged(start, 'its job cannot be read');
  // If an input is missing, more than the end is.
  return { job, seal, inputs, chunks, end, isWhole, isInOrder: isInOrder && inputs.size === names.length };
}

/** Bytes that are searched for a head at once. */
const WINDOW = 65_536;

/** The first place, from a given one on, of a head whose record ends within the file; `undefined` if there is none. */
function* findHead(from: number, size: number, seal: number): Read<number | undefined> {
  for (let at = from; at < size; at += WINDOW) {
    // A head may be split between two windows.
    const bytes = yield { at, length: WINDOW + HEAD };
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let k = 0; k + HEAD <= bytes.length; k++) {
      // Few bytes need their checksums checked.
      const isNamed = [INPUT, CHUNK, DONE].includes(view.getUint32(k, true));
      const record = isNamed && readHead(bytes.subarray(k, k + HEAD), seal);
      if (record && at + k + HEAD + record.length <= size) return at + k;
    }
  }
  return undefined;
}

function readHead(
  bytes: Uint8Array,
  seal: number,
): { what: number; number: number; length: number; sum: number } | undefined {
  if (bytes.length < HEAD) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
  if (view.getUint32(16, true) !== headSum(bytes, seal)) return undefined;
  const [what, number, length, sum] = [0, 4, 8, 12].map((place) => view.getUint32(place, true));
  return { what: what!, number: number!, length: length!, sum: sum! };
}

const headSum = (head: Uint8Array, seal: number): number => (crc32(head.subarray(0, 16)) ^ seal) >>> 0;

function parseJob(content: Uint8Array, start: string): BakeJob {
  try {
    return checkJob(JSON.parse(decodeText(content)));
  } catch (error) {
    throw damaged(start, `its job is wrong: ${reasonOf(error)}`, error);
  }
}

const notBake = (start: string, problem: string): BakeError =>
  new BakeError('file', `${start}is not a bake file: ${problem}`);

const damaged = (start: string, problem: string, cause?: unknown): BakeError =>
  new BakeError('damaged', `${start}is damaged: ${problem}`, { cause });

/** How errors about a store begin: with its name, if it has one. */
const startOf = ({ name }: BakeStore): string => (name === undefined ? '' : `${name}: `);

/** A record: its head, followed by its content. */
function record(what: number, number: number, content: Uint8Array, seal: number): Uint8Array {
  if (content.length > MOST_CONTENT) {
    throw new RangeError(`a chunk must have at most ${MOST_CONTENT} bytes, got ${content.length}`);
  }
  const bytes = new Uint8Array(HEAD + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, what, true);
  view.setUint32(4, number, true);
  view.setUint32(8, content.length, true);
  view.setUint32(12, crc32(content), true);
  view.setUint32(16, headSum(bytes, seal), true);
  bytes.set(content, HEAD);
  return bytes;
}

const sealOf = (job: BakeJob): number => crc32(encodeText(jobText(job)));

/** What comes before the chunks. */
function beginning(job: BakeJob, inputs: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const names = Object.keys(job.inputs).sort();
  return joinBytes([
    encodeText(MAGIC),
    record(JOB, 0, encodeText(jobText(job)), 0),
    ...names.map((name, k) => record(INPUT, k, inputs[name]!, sealOf(job))),
  ]);
}

const ending = (job: BakeJob): Uint8Array => record(DONE, chunkCount(job), new Uint8Array(), sealOf(job));

/**
 * Reads a bake's file, whole or not. Looks at each byte once; answers are views of `bytes`.
 * @throws BakeError: `file` for anything but a bake's file, `damaged` for one whose job or inputs are; TypeError for
 *   anything but a buffer or a `Uint8Array`.
 */
export function readBake(bytes: Uint8Array | ArrayBufferLike): BakeFile {
  const file = toBytes(bytes);
  const steps = scan(file.length, '');
  const cut = ({ at, length }: Place): Uint8Array => file.subarray(at, at + length);
  let step = steps.next();
  while (!step.done) step = steps.next(cut(step.value));
  const { job, inputs, chunks } = step.value;
  const absent = Object.keys(job.inputs).find((name) => !inputs.has(name));
  if (absent !== undefined)
    throw damaged('', `its input '${absent}' is missing or broken: resuming the bake puts it back`);
  return {
    job,
    inputs: Object.fromEntries([...inputs].map(([name, place]) => [name, cut(place)])),
    chunks: new Map([...chunks].map(([number, place]) => [number, cut(place)])),
    missing: chunkCount(job) - chunks.size,
  };
}

/**
 * The result of a bake, as its kind puts it together.
 *
 * @param kinds - the known ones; by default those that come with this package.
 * @throws BakeError: `unfinished` when chunks are missing, `kind` for an unknown kind, `file` for a chunk of the wrong length, or
 *   with what no kind answers, `job` for inputs that are not the kind's; RangeError or TypeError for parameters that the kind
 *   does not have.
 */
export function mergeBake(file: BakeFile, kinds?: readonly AnyBakeKind[]): unknown {
  checkKind(file?.chunks instanceof Map, file, 'file', 'a file that readBake has read');
  return mergeAs(file, kindOf(file.job.kind, kinds));
}

/** {@link mergeBake} with a given kind: nothing else is loaded for it. */
export function mergeAs(file: BakeFile, kind: AnyBakeKind): unknown {
  const { job, inputs, chunks } = file;
  const total = chunkCount(job);
  // Counted, as chunks of several files may have been joined.
  let missing = 0;
  for (let index = 0; index < total; index++) missing += chunks.has(index) ? 0 : 1;
  if (missing > 0)
    throw new BakeError('unfinished', `is not finished: ${missing} of ${total} chunks are missing`);
  checkInputs(kind, inputs);
  checkItems(kind, job, inputs);
  const answers: Uint8Array[] = [];
  for (let index = 0; index < total; index++) {
    const answer = chunks.get(index)!;
    if (kind.bytes) checkSize(kind, job, chunkOf(job, index), inputs, answer, 'file');
    answers.push(answer);
  }
  return kind.merge(answers, job, inputs);
}

/** Where a bake's file grows: on disk, or in memory. */
export interface BakeStore {
  /** What errors about its content begin with, such as the file's path. */
  readonly name?: string | undefined;
  /** How many bytes there are. */
  size(): number | Promise<number>;
  /** Bytes at a place; fewer if the file ends before. */
  read(at: number, length: number): Uint8Array | Promise<Uint8Array>;
  /** Cuts the file off at a place, and adds bytes there. Resolves when they have been handed to the system. */
  append(at: number, bytes: Uint8Array): void | Promise<void>;
  /** Replaces all of the content at once: readers see either the old or the new. */
  replace(parts: AsyncIterable<Uint8Array>): void | Promise<void>;
}

/** A store in memory. */
export interface MemoryStore extends BakeStore {
  /** What it holds. */
  bytes(): UnsharedBytes;
}

/** Makes a store in memory. */
export function memoryStore(content: Uint8Array = new Uint8Array()): MemoryStore {
  checkArrayOf(content, Uint8Array, 'content');
  let room: UnsharedBytes = new Uint8Array(content);
  let size = room.length;
  return {
    size: () => size,
    read: (at, length) => room.slice(at, Math.min(at + length, size)),
    append(at, bytes) {
      if (at + bytes.length > room.length) {
        const larger = new Uint8Array(2 * (at + bytes.length));
        larger.set(room.subarray(0, at));
        room = larger;
      }
      room.set(bytes, at);
      size = at + bytes.length;
    },
    async replace(parts) {
      const all: Uint8Array[] = [];
      for await (const part of parts) all.push(part);
      room = joinBytes(all);
      size = room.length;
    },
    bytes: () => room.subarray(0, size),
  };
}

/** Writes a bake's file, chunk by chunk. */
export class BakeWriter {
  /** Whether the file is whole. */
  isWhole: boolean;
  private readonly _job: BakeJob;
  private readonly _seal: number;
  private readonly _inputs: Readonly<Record<string, Uint8Array>>;
  private readonly _store: BakeStore;
  private readonly _chunks: Map<number, Place>;
  /** Where more is added; -1 while the store still has what was there before. */
  private _end: number;
  private _isInOrder: boolean;

  private constructor(store: BakeStore, inputs: Readonly<Record<string, Uint8Array>>, scan: Scan) {
    this._store = store;
    this._inputs = inputs;
    this._job = scan.job;
    this._seal = scan.seal;
    this._chunks = new Map(scan.chunks);
    this._end = scan.end;
    this._isInOrder = scan.isInOrder;
    this.isWhole = scan.isWhole;
  }

  /** Begins a file, in place of whatever there is: that stays until the first answer comes. */
  static create(store: BakeStore, job: BakeJob, inputs: Readonly<Record<string, Uint8Array>>): BakeWriter {
    const nothing = { inputs: new Map(), chunks: new Map(), isWhole: false, isInOrder: true } as const;
    return new BakeWriter(store, inputs, { ...nothing, job, seal: sealOf(job), end: -1 });
  }

  /**
   * Continues a file. One that is empty, or was cut off before its first chunk, is begun again. Inputs that are damaged there are
   * available here, so the file has them again once it is whole.
   * @throws (rejects with) BakeError: `file` for anything but a bake's file, `damaged` for one whose job cannot be read,
   *   `other-job` for one of another job.
   */
  static async resume(
    store: BakeStore,
    job: BakeJob,
    inputs: Readonly<Record<string, Uint8Array>>,
  ): Promise<BakeWriter> {
    const size = await store.size();
    const head = beginning(job, inputs);
    if (size < head.length) {
      const there = await store.read(0, size);
      if (there.every((byte, at) => byte === head[at])) return BakeWriter.create(store, job, inputs);
    }
    const steps = scan(size, startOf(store));
    let step = steps.next();
    while (!step.done) step = steps.next(await store.read(step.value.at, step.value.length));
    const difference =
      differenceOf(step.value.job, job) ?? (step.value.seal === sealOf(job) ? undefined : 'its text differs');
    if (difference !== undefined)
      throw new BakeError('other-job', `${startOf(store)}holds another job: ${difference}`);
    return new BakeWriter(store, inputs, step.value);
  }

  /** Whether a chunk is there. */
  has(chunk: number): boolean {
    return this._chunks.has(chunk);
  }

  /** A chunk's answer; `undefined` when it is not there. */
  async read(chunk: number): Promise<Uint8Array | undefined> {
    const place = this._chunks.get(chunk);
    return place && this._store.read(place.at, place.length);
  }

  /** Adds a chunk's answer. */
  async add(chunk: number, answer: Uint8Array): Promise<void> {
    await this._append(record(CHUNK, chunk, answer, this._seal));
    this._isInOrder &&= chunk === this._chunks.size;
    this._chunks.set(chunk, { at: this._end - answer.length, length: answer.length });
  }

  private async _append(bytes: Uint8Array): Promise<void> {
    const all = this._end < 0 ? joinBytes([beginning(this._job, this._inputs), bytes]) : bytes;
    const at = Math.max(0, this._end);
    await this._store.append(at, all);
    this._end = at + all.length;
  }

  /**
   * Makes the file whole, when all chunks are there: the same bytes in whatever order the chunks came.
   * @throws (rejects with) BakeError (`file`) when a chunk is not where it was put: somebody else has written there.
   */
  async finish(): Promise<void> {
    if (this.isWhole) return;
    if (this._isInOrder) {
      for (const chunk of this._chunks.keys()) await this._readRecord(chunk, 0);
      await this._append(ending(this._job));
    } else await this._store.replace(this._inParts());
    this.isWhole = true;
  }

  private async *_inParts(): AsyncGenerator<Uint8Array> {
    yield beginning(this._job, this._inputs);
    for (let chunk = 0; chunk < chunkCount(this._job); chunk++) {
      const { length } = this._chunks.get(chunk)!;
      const bytes = await this._readRecord(chunk, length);
      if (crc32(bytes.subarray(HEAD)) !== readHead(bytes, this._seal)!.sum) throw this._overwritten(chunk);
      yield bytes;
    }
    yield ending(this._job);
  }

  /** The record of a chunk, up to some bytes of its content. Throws `BakeError` (`file`) if it is any other record. */
  private async _readRecord(chunk: number, part: number): Promise<Uint8Array> {
    const { at, length } = this._chunks.get(chunk)!;
    const bytes = await this._store.read(at - HEAD, HEAD + part);
    const head = readHead(bytes, this._seal);
    const isOurs = head?.what === CHUNK && head.number === chunk && head.length === length;
    if (!isOurs || bytes.length !== HEAD + part) throw this._overwritten(chunk);
    return bytes;
  }

  private _overwritten(chunk: number): BakeError {
    const problem = `chunk ${chunk} is no longer where it was put: something else has written to the file`;
    return new BakeError('file', startOf(this._store) + problem, { chunk });
  }
}

/** The first field in which two jobs differ, in words. */
export function differenceOf(found: BakeJob, wanted: BakeJob): string | undefined {
  const [a, b] = [found, wanted].map((job): BakeJob => JSON.parse(jobText(job)));
  for (const field of ['kind', 'map', 'parameters', 'inputs', 'count', 'chunkSize'] as const) {
    const [there, here] = [JSON.stringify(a![field]), JSON.stringify(b![field])];
    if (there !== here) return `${field} ${short(there)} there, ${short(here)} here`;
  }
  return undefined;
}

const short = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
