import { checkArrayOf, reasonOf } from '@bspkit/core/format';
import { crc32 } from '@bspkit/geometry';
import { joinBytes } from './arrays.ts';
import { BakeError } from './error.ts';
import { type BakeJob, checkJob, chunkCount, jobText, MOST_TEXT } from './job.ts';
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
export const HEAD = 20;

const JOB = 0x20424f4a;
const INPUT = 0x54504e49;
export const CHUNK = 0x4b4e4843;
const DONE = 0x454e4f44;

/** Longest content of a record, in bytes. */
const MOST_CONTENT: number = 2 ** 32 - 1;

/** Where a record's content is. */
export interface Place {
  readonly at: number;
  readonly length: number;
}

/** What is in a file, with places. */
export interface Scan {
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
export function* scan(size: number, start: string): Read<Scan> {
  yield* checkMagic(size, start);
  const { job, seal, end: begin } = yield* readJob(size, start);
  const found = new Finds(job);
  let end = begin;
  for (let at = begin; ; ) {
    const record = readHead(yield { at, length: HEAD }, seal);
    if (!record) {
      // A flipped bit in a head must not cost everything after it.
      const next = yield* findHead(at + 1, size, seal);
      if (next === undefined) break;
      at = next;
      found.isInOrder = false;
      continue;
    }
    const place = { at: at + HEAD, length: record.length };
    at = place.at + place.length;
    if (at > size) break;
    if (isGood(yield place, record)) found.take(record, place, at === size);
    else found.isInOrder = false;
    end = at;
  }
  const { inputs, chunks, isWhole, isInOrder } = found;
  // If an input is missing, more than the end is.
  return { job, seal, inputs, chunks, end, isWhole, isInOrder: isInOrder && found.hasInputs };
}

/** Throws `BakeError` unless a file begins as bakes do. */
function* checkMagic(size: number, start: string): Read<void> {
  const head = yield { at: 0, length: MAGIC.length };
  if (head.length === MAGIC.length && MAGIC.split('').every((char, k) => head[k] === char.charCodeAt(0)))
    return;
  const problem = `it does not begin with ${MAGIC}`;
  // Answers of hours may be behind a flipped bit, or a block of zeros.
  const first = readHead(yield { at: MAGIC.length, length: HEAD }, 0);
  const isBake = first?.what === JOB || (yield* findHead(0, size)) !== undefined;
  throw isBake ? damaged(start, problem) : notBake(start, problem);
}

/** Reads the job, which comes first: nothing else can be understood without it. */
function* readJob(size: number, start: string): Read<Pick<Scan, 'job' | 'seal' | 'end'>> {
  const at = MAGIC.length + HEAD;
  const record = readHead(yield { at: MAGIC.length, length: HEAD }, 0);
  if (record?.what === JOB && record.length <= MOST_TEXT && at + record.length <= size) {
    const content = yield { at, length: record.length };
    if (isGood(content, record)) {
      return { job: parseJob(content, start), seal: record.sum, end: at + record.length };
    }
  }
  throw damaged(start, 'its job cannot be read');
}

const isGood = (content: Uint8Array, { length, sum }: Head): boolean =>
  content.length === length && crc32(content) === sum;

/** What has been found of a job: each thing where it is first. */
class Finds {
  readonly inputs = new Map<string, Place>();
  readonly chunks = new Map<number, Place>();
  isWhole = false;
  isInOrder = true;
  private readonly _names: readonly string[];
  private readonly _total: number;

  constructor(job: BakeJob) {
    this._names = Object.keys(job.inputs).sort();
    this._total = chunkCount(job);
  }

  get hasInputs(): boolean {
    return this.inputs.size === this._names.length;
  }

  /** Takes a record whose content is good, and at a place. */
  take({ what, number, length }: Head, place: Place, isLast: boolean): void {
    const name = this._names[number];
    if (what === INPUT && name !== undefined && !this.inputs.has(name)) {
      this.isInOrder &&= number === this.inputs.size && this.chunks.size === 0;
      this.inputs.set(name, place);
    } else if (what === CHUNK && number < this._total && !this.chunks.has(number)) {
      this.isInOrder &&= number === this.chunks.size && this.hasInputs;
      this.chunks.set(number, place);
    } else {
      const isEnd = what === DONE && number === this._total && length === 0;
      if (isEnd) this.isWhole = this.isInOrder && this.chunks.size === this._total && isLast;
      this.isInOrder = false;
    }
  }
}

/** The most bytes that are searched for a head at once. */
const WINDOW = 65_536;

/**
 * The first place, from a given one on, of a head whose record ends within the file; `undefined` if there is none.
 *
 * @param seal - that of the job; if nobody knows it, another head with the same seal must follow the record.
 */
function* findHead(from: number, size: number, seal?: number): Read<number | undefined> {
  // Little at first: the next head is close by, as a rule, and there may be as many places to look for one as there are records.
  for (let at = from, window = HEAD; at < size; at += window, window = Math.min(2 * window, WINDOW)) {
    // A head may be split between two windows.
    const bytes = yield { at, length: window + HEAD };
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let k = 0; k + HEAD <= bytes.length; k++) {
      // Few bytes need their checksums checked.
      if (!isNamed(view.getUint32(k, true))) continue;
      const end = at + k + HEAD + view.getUint32(k + 8, true);
      // Nothing is read for a head that cannot be one: words alone may be anywhere.
      if (end > (seal === undefined ? size - HEAD : size)) continue;
      const its = headSum(bytes.subarray(k), view.getUint32(k + 16, true));
      if (seal !== undefined) {
        if (its === seal) return at + k;
        continue;
      }
      // Apart from its `?.`, which becomes a function in CommonJS: that could hold no `yield`.
      const next = readHead(yield { at: end, length: HEAD }, its);
      if (isNamed(next?.what)) return at + k;
    }
  }
  return undefined;
}

/** Whether a number names a record that comes after the job. */
const isNamed = (what: number | undefined): boolean => what === CHUNK || what === INPUT || what === DONE;

/** A record's head, without its own sum. */
interface Head {
  readonly what: number;
  readonly number: number;
  readonly length: number;
  readonly sum: number;
}

export function readHead(bytes: Uint8Array, seal: number): Head | undefined {
  if (bytes.length < HEAD) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEAD);
  if (view.getUint32(16, true) !== headSum(bytes, seal)) return undefined;
  const [what, number, length, sum] = [0, 4, 8, 12].map((place) => view.getUint32(place, true));
  return { what: what!, number: number!, length: length!, sum: sum! };
}

/** The sum of a head; of its own sum, the seal. */
const headSum = (head: Uint8Array, seal: number): number => (crc32(head.subarray(0, 16)) ^ seal) >>> 0;

function parseJob(content: Uint8Array, start: string): BakeJob {
  try {
    return checkJob(JSON.parse(decodeText(content)));
  } catch (error) {
    throw damaged(start, `its job is wrong: ${reasonOf(error)}`, error);
  }
}

const notBake = (start: string, problem: string): BakeError =>
  new BakeError('file', `${start}the file is not a bake: ${problem}`);

export const damaged = (start: string, problem: string, cause?: unknown): BakeError =>
  new BakeError('damaged', `${start}the file is damaged: ${problem}`, { cause });

/** A record: its head, followed by its content. */
export function record(what: number, number: number, content: Uint8Array, seal: number): Uint8Array {
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

export const sealOf = (job: BakeJob): number => crc32(encodeText(jobText(job)));

/** What comes before the chunks. Throws `TypeError` for inputs that were transferred since they were given. */
export function beginning(job: BakeJob, inputs: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const names = Object.keys(job.inputs).sort();
  for (const name of names) checkArrayOf(inputs[name], Uint8Array, `inputs.${name}`);
  const seal = sealOf(job);
  return joinBytes([
    encodeText(MAGIC),
    record(JOB, 0, encodeText(jobText(job)), 0),
    ...names.map((name, k) => record(INPUT, k, inputs[name]!, seal)),
  ]);
}

export const ending = (job: BakeJob): Uint8Array =>
  record(DONE, chunkCount(job), new Uint8Array(), sealOf(job));

/** Why a file cannot be used as a whole one. */
export const missingText = (missing: number, total: number): string =>
  `the file is not finished: ${missing} of ${total} chunks ${missing === 1 ? 'is' : 'are'} missing`;
