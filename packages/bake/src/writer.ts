import { checkArrayOf, checkNumber, showValue } from '@bspkit/core/format';
import { crc32 } from '@bspkit/geometry';
import { joinBytes } from './arrays.ts';
import { BakeError } from './error.ts';
import { type BakeJob, chunkCount, jobText, ownJob } from './job.ts';
import {
  beginning,
  CHUNK,
  ending,
  HEAD,
  missingText,
  type Place,
  readHead,
  record,
  type Scan,
  scan,
  sealOf,
} from './record.ts';
import type { BakeStore } from './store.ts';

/** Writes a bake's file, chunk by chunk. */
export class BakeWriter {
  /** Whether the file is whole. */
  isWhole: boolean;
  private readonly _job: BakeJob;
  private readonly _seal: number;
  private readonly _inputs: Readonly<Record<string, Uint8Array>>;
  private readonly _store: BakeStore;
  private _chunks: Map<number, Place>;
  /** Where more is added; -1 while the store still has what was there before. */
  private _end: number;
  private _isInOrder: boolean;
  /** What is being done to the store: anything else waits for it. */
  private _last: Promise<unknown> = Promise.resolve();

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
    const own = ownJob(job);
    return new BakeWriter(store, inputs, { ...nothing, job: own, seal: sealOf(own), end: -1 });
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
      throw new BakeError('other-job', `${startOf(store)}the file holds another job: ${difference}`);
    return new BakeWriter(store, inputs, step.value);
  }

  /** Whether a chunk is there. */
  has(chunk: number): boolean {
    return this._chunks.has(chunk);
  }

  /** A chunk's answer; `undefined` when it is not there. */
  async read(chunk: number): Promise<Uint8Array | undefined> {
    return this._inTurn(async () => {
      const place = this._chunks.get(chunk);
      return place && this._store.read(place.at, place.length);
    });
  }

  /**
   * Adds a chunk's answer, after those that are being added.
   * @throws (rejects with) RangeError for a chunk that the job does not have; TypeError for an answer that is not bytes, or was
   *   transferred; what the store throws.
   */
  async add(chunk: number, answer: Uint8Array): Promise<void> {
    checkNumber(chunk, 'chunk', chunkCount(this._job));
    checkArrayOf(answer, Uint8Array, 'answer');
    // As it is now: whoever gave it may go on with it.
    const bytes = record(CHUNK, chunk, answer, this._seal);
    await this._inTurn(async () => {
      this.isWhole = false;
      await this._append(bytes);
      this._isInOrder &&= chunk === this._chunks.size;
      const length = bytes.length - HEAD;
      this._chunks.set(chunk, { at: this._end - length, length });
    });
  }

  /** Does something when everything before it is done, or has failed. */
  private _inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this._last.then(work);
    this._last = done.catch(() => {});
    return done;
  }

  private async _append(bytes: Uint8Array): Promise<void> {
    const all = this._end < 0 ? joinBytes([beginning(this._job, this._inputs), bytes]) : bytes;
    const at = Math.max(0, this._end);
    await this._store.append(at, all);
    this._end = at + all.length;
  }

  /**
   * Makes the file whole, when all chunks are there: the same bytes in whatever order the chunks came.
   * @throws (rejects with) BakeError: `unfinished` when chunks are missing, `file` when one is not where it was put: somebody else
   *   has written there.
   */
  async finish(): Promise<void> {
    await this._inTurn(() => this._finish());
  }

  private async _finish(): Promise<void> {
    if (this.isWhole) return;
    const total = chunkCount(this._job);
    const missing = total - this._chunks.size;
    if (missing > 0) throw new BakeError('unfinished', startOf(this._store) + missingText(missing, total));
    if (this._isInOrder) {
      for (const chunk of this._chunks.keys()) await this._readRecord(chunk, 0);
      await this._append(ending(this._job));
    } else {
      const places = new Map<number, Place>();
      await this._store.replace(this._inParts(places));
      this._chunks = places;
      this._end = await this._store.size();
    }
    this.isWhole = true;
  }

  /** The file in order. Notes where its chunks then are. */
  private async *_inParts(places: Map<number, Place>): AsyncGenerator<Uint8Array> {
    const head = beginning(this._job, this._inputs);
    yield head;
    let at = head.length;
    for (let chunk = 0; chunk < chunkCount(this._job); chunk++) {
      const { length } = this._chunks.get(chunk)!;
      const bytes = await this._readRecord(chunk, length);
      if (crc32(bytes.subarray(HEAD)) !== readHead(bytes, this._seal)!.sum) throw this._overwritten(chunk);
      places.set(chunk, { at: at + HEAD, length });
      at += bytes.length;
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

/** How errors about a store begin: with its name, if it has one. */
const startOf = ({ name }: BakeStore): string => (name === undefined ? '' : `${name}: `);

/** The first field in which two jobs differ, in words. */
export function differenceOf(found: BakeJob, wanted: BakeJob): string | undefined {
  const [a, b] = [found, wanted].map((job): BakeJob => JSON.parse(jobText(job)));
  for (const field of ['kind', 'map', 'tiles', 'parameters', 'inputs', 'count', 'chunkSize'] as const) {
    const [there, here] = [JSON.stringify(a![field]), JSON.stringify(b![field])];
    if (there === here) continue;
    return field === 'inputs' ? otherInput(a!, b!) : `${field} ${short(there)} there, ${short(here)} here`;
  }
  return undefined;
}

/** The first input in which two jobs differ, in words: the hashes of the others would only hide it. */
function otherInput({ inputs: there }: BakeJob, { inputs: here }: BakeJob): string {
  const name = Object.keys({ ...there, ...here }).find((each) => there[each] !== here[each])!;
  return `input ${showValue(name)} ${there[name] ?? 'absent'} there, ${here[name] ?? 'absent'} here`;
}

const short = (text: string): string => text.replace(/^(.{200}).+$/su, '$1…');
