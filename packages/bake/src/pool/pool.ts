import {
  type BspFormatEntry,
  checkArrayOf,
  checkFlag,
  checkObject,
  checkOptions,
  type KernelChoice,
  printAsString,
  reasonOf,
  showValue,
} from '@bspkit/core/format';
import {
  checkSignal,
  checkWorkers,
  Link,
  type LinkErrors,
  type OwnWorker,
  onAbort,
  type Platform,
  type StopSignal,
  shareBytes,
  type WorkerLike,
  type WorkerSource,
} from '@bspkit/workers';
import { FORMATS, formatOf, openBsp } from 'bspkit';
import { checkChunk } from '../check.ts';
import { checkTiles, type JobTile } from '../create.ts';
import { BakeError } from '../error.ts';
import { type BakeExecutor, isClosed } from '../executor.ts';
import { type BakeChunk, type BakeJob, type BakeTile, ownJob } from '../job.ts';
import type { AnyBakeKind } from '../kind.ts';
import { checkHash, checkKernel, checkMaps, createJobWorld, formatIdOf, kindOf } from '../run.ts';
import { NO_BYTES } from '../sha256.ts';
import { tryJob } from '../try.ts';
import { type ChunkMessage, dropOldest, type JobMessage, SERVES } from './messages.ts';

export type { OwnWorker, WorkerLike };

/** How to make a pool. */
export interface BakePoolOptions {
  /** Number of workers, 1 to 256: by default one for each thread that the machine runs at once. */
  readonly threads?: number | undefined;
  /**
   * Where the worker's file is: one of your own, for kinds and formats of your own, or for bundlers that do not find ours. It
   * calls {@link serveBake}. In pages that require trusted types it is a `TrustedScriptURL`. Or a function that makes a `Worker`
   * each time: many bundlers bundle what they find in `new Worker(new URL('./worker.js', import.meta.url))`.
   */
  readonly worker?: OwnWorker | undefined;
  /**
   * Seconds that a worker may take to start, 1 to 86,400: 30 by default. If no worker has called {@link serveBake} by then, its
   * script is taken for another one, and the pool starts no more of it: from then on it refuses everything with BakeError
   * (`closed`), and bakes end. The same happens after six starts in a row that failed, with pauses between them that grow to a
   * second. Then make a new pool.
   */
  readonly startLimit?: number | undefined;
  /** What traces in the workers, as for a world of one's own: `auto` by default. The answers are the same. */
  readonly kernel?: KernelChoice | undefined;
}

/** What a job is about. Do not change it before the promise has settled, nor what is in shared memory, which is used in place. */
export interface JobBytes {
  /** The map's file, unpacked. */
  readonly map?: Uint8Array | undefined;
  /** The maps of an assembly, as the job was made of them. */
  readonly tiles?: readonly JobTile[] | undefined;
  /** The inputs that the job names, by name. */
  readonly inputs?: Readonly<Record<string, Uint8Array>> | undefined;
  /** Formats that can be opened here; all that bspkit has by default. Workers get theirs from {@link serveBake}. */
  readonly formats?: readonly BspFormatEntry[] | undefined;
  /** Kinds that are known here; `BAKE_KINDS` by default. Workers get theirs from {@link serveBake}. */
  readonly kinds?: readonly AnyBakeKind[] | undefined;
  /**
   * Whether somebody else has found that the job can be answered: then its kind is not asked here, which takes this thread the
   * time that each worker takes to prepare for the job.
   */
  readonly checked?: boolean | undefined;
}

/** Workers on this machine that answer chunks. */
export interface BakePool {
  readonly threads: number;
  /** Whether memory is shared with the workers; otherwise everything is copied once per worker. */
  readonly shared: boolean;
  /**
   * Opens a job: its map once, here, for all workers. A job that its kind cannot answer is refused, before any worker gets one of
   * its chunks.
   * @throws (rejects with) BakeError for an invalid job, an unknown kind, and bytes that differ from their hash;
   *   BspError for a map that cannot be read; RangeError or TypeError naming a parameter, or what the map does not have; BakeError
   *   (`closed`) when the pool has been closed, or starts no more workers.
   */
  open(job: BakeJob, bytes?: JobBytes): Promise<BakeExecutor>;
  /** Ends the workers. What they have not answered is rejected with BakeError (`closed`). */
  close(): Promise<void>;
}

/** Makes a pool on a platform. */
export function createPool(platform: Platform, options: BakePoolOptions = {}): BakePool {
  checkOptions(options, ['threads', 'worker', 'startLimit', 'kernel'] satisfies (keyof BakePoolOptions)[]);
  const { threads, source } = checkWorkers(platform, options);
  checkKernel(options.kernel);
  return new WorkerPool(source, threads, platform.shares, options.kernel);
}

/** A worker, and the jobs that it has been sent, as many as it keeps. */
interface BakeWorker {
  readonly link: Link<ChunkMessage, Uint8Array>;
  readonly jobs: Set<number>;
  /** How many starts in a row had failed when it was started. */
  readonly round: number;
  /** Whether it has been seen to serve. */
  hasServed: boolean;
}

const ERRORS: LinkErrors = {
  serves: SERVES,
  ended: (what, cause) =>
    new BakeError('worker', `a worker ended before it had answered: ${what}`, { cause }),
  // Jobs have been checked already.
  notPlain: (what) => new TypeError(`chunk must be plain data: ${what}`),
  classes: { BakeError },
};

/** The parts of timers that browsers and Node share. */
declare function setTimeout(work: () => void, milliseconds: number): object;
declare function clearTimeout(timer: object | undefined): void;

/** How many starts in a row may fail. A machine may be short of memory for a moment, so pauses between them grow. */
const MOST_STARTS = 6;
/** Milliseconds of the first pause, and of the longest; each is twice as long as the one before. */
const FIRST_PAUSE = 50;
const MOST_PAUSE = 1000;

/** Whether a worker ended before it had started, and not because of the signal. */
const isFailedStart = ({ link }: BakeWorker, error: unknown, signal: StopSignal | undefined): boolean =>
  link.isDead && !link.isServing && error !== signal?.reason;

class WorkerPool implements BakePool {
  readonly threads: number;
  readonly shared: boolean;
  private readonly _source: WorkerSource;
  private readonly _kernel: KernelChoice | undefined;
  private readonly _idle: BakeWorker[] = [];
  private readonly _busy: Set<BakeWorker> = new Set();
  /** Chunks without a free worker, in order of arrival: executors of several jobs ask for more than a single one does. */
  private readonly _waiting: Set<() => void> = new Set();
  private _lastJob = 0;
  /** How many starts in a row have failed; those that were made at the same time count as one. */
  private _failedStarts = 0;
  /** No worker is started until it ends. */
  private _pause: object | undefined;
  /** Why it answers no more. */
  private _refusal: BakeError | undefined;
  /** Its end, once it is being closed. */
  private _ending: Promise<void> | undefined;

  constructor(source: WorkerSource, threads: number, shared: boolean, kernel: KernelChoice | undefined) {
    this.threads = threads;
    this.shared = shared;
    this._source = source;
    this._kernel = kernel;
    printAsString(this);
  }

  async open(given: BakeJob, jobBytes: JobBytes = {}): Promise<BakeExecutor> {
    this._checkOpen();
    const job = ownJob(given);
    checkOptions(jobBytes, ['map', 'tiles', 'inputs', 'formats', 'kinds', 'checked'], 'bytes');
    const { tiles = [], inputs = {}, formats = FORMATS, kinds, checked = false } = jobBytes;
    checkFlag(checked, 'checked');
    // If the job names a map, it is checked like anything else.
    const { map = job.map === NO_BYTES ? new Uint8Array() : undefined } = jobBytes;
    checkObject(inputs, 'inputs');
    const { _kernel: kernel } = this;
    const kind = kindOf(job.kind, kinds);
    const bytes = new Map<string, Uint8Array>();
    checkArrayOf(map, Uint8Array, 'map');
    await checkHash(map, job.map, 'the map');
    // The same bytes may have a thousand names: they are hashed and copied once.
    const seen = new Map<string, Uint8Array>();
    for (const [name, hash] of Object.entries(job.inputs)) {
      const input = inputs[name];
      checkArrayOf(input, Uint8Array, `inputs.${name}`);
      if (seen.get(hash) === input) continue;
      seen.set(hash, input);
      await checkHash(input, hash, `input ${showValue(name)}`);
      bytes.set(hash, this._share(input));
    }
    let world: JobMessage['world'];
    checkMaps(kind, job);
    await checkJobTiles(tiles, job.tiles);
    if (job.tiles) world = await this._createWorld(job, tiles, formats);
    else if (kind.needsWorld && job.map !== NO_BYTES) {
      const { format, data } = await openBsp(map, { shared: this.shared, kernel, formats });
      world = { format, data };
    } else bytes.set(job.map, this._share(map));
    // Errors in the job are thrown here, before each of its chunks fails because of them.
    if (!checked)
      await tryJob(job, { world, kernel, formats, kinds, trusted: true, load: (hash) => bytes.get(hash) });
    this._checkOpen();
    return this._executor({ number: ++this._lastJob, job, world, kernel, bytes });
  }

  /** Makes the world of an assembly, which workers open. */
  private async _createWorld(
    job: BakeJob,
    tiles: readonly JobTile[],
    formats: readonly BspFormatEntry[],
  ): Promise<JobMessage['world']> {
    const files = tiles.map(({ map }) => map);
    const format = await formatOf(formatIdOf(files[0]!, formats), formats);
    return { format: format.id, data: createJobWorld(format, files, job, this.shared).data };
  }

  async close(): Promise<void> {
    this._ending ??= this._end();
    await this._ending;
  }

  private async _end(): Promise<void> {
    const error = new BakeError('closed', 'the pool has been closed');
    this._refusal = error;
    const ended = [...this._idle, ...this._busy].map(({ link }) => link.close(error));
    this._endPause();
    await Promise.all(ended);
  }

  private _checkOpen(): void {
    if (this._refusal) throw this._refusal;
  }

  /**
   * Notes that a worker ended before it served: pauses before others are started, or stops the pool if no other would do better.
   *
   * @param round - how many starts in a row had failed when it was started.
   */
  private _failStart(error: Error, round: number): void {
    const isStranger = error === this._source.stranger;
    if (this._refusal || (!isStranger && round < this._failedStarts)) return;
    this._failedStarts = Math.min(this._failedStarts + 1, MOST_STARTS);
    const lives = [...this._busy, ...this._idle].some(({ link }) => link.isServing && !link.isDead);
    if (!isStranger && (lives || this._failedStarts < MOST_STARTS)) {
      clearTimeout(this._pause);
      this._pause = setTimeout(() => this._endPause(), Math.min(MOST_PAUSE, FIRST_PAUSE * 2 ** round));
      return;
    }
    const rest = `; ${MOST_STARTS} starts in a row have failed, and no more are made`;
    this._refusal = new BakeError('closed', isStranger ? error.message : error.message + rest, {
      cause: error,
    });
    this._endPause();
  }

  /** Wakes everything that waits: workers can be started, or nothing can be done any more. */
  private _endPause(): void {
    clearTimeout(this._pause);
    this._pause = undefined;
    for (const wake of [...this._waiting]) wake();
  }

  private async _run(open: JobMessage, chunk: BakeChunk, signal?: StopSignal): Promise<Uint8Array> {
    checkChunk(chunk);
    checkSignal(signal);
    for (;;) {
      const worker = await this._take(signal);
      try {
        return await this._ask(worker, open, chunk, signal);
      } catch (error) {
        // A `closed` from a kind is not about the pool.
        if (isClosed(error) && error !== this._refusal)
          throw new BakeError('chunk', reasonOf(error), { cause: error });
        // What a worker was asked that has not started was not sent.
        if (!isFailedStart(worker, error, signal)) throw error;
      }
    }
  }

  private async _ask(
    worker: BakeWorker,
    open: JobMessage,
    chunk: BakeChunk,
    signal: StopSignal | undefined,
  ): Promise<Uint8Array> {
    const { link, jobs } = worker;
    const { number } = open;
    const leave = onAbort(signal, () => void link.close(signal?.reason));
    try {
      // The signal may have come while waiting for a worker.
      if (signal?.aborted) throw signal.reason;
      // A view would be sent with all of its buffer, which may be a whole file.
      const input = chunk.input && new Uint8Array(chunk.input);
      const message = { number, chunk: { ...chunk, input } };
      const request = link.ask(
        jobs.has(number) ? message : { ...message, open },
        input ? [input.buffer] : [],
      );
      jobs.add(number);
      dropOldest(jobs);
      return await request;
    } catch (error) {
      // The job may not have arrived. Jobs are sent again from now on, and both sides drop them in the same order.
      jobs.clear();
      // Before others are woken, which start the next.
      if (isFailedStart(worker, error, signal)) this._failStart(error as Error, worker.round);
      throw error;
    } finally {
      leave();
      if (link.isServing && !worker.hasServed) {
        worker.hasServed = true;
        this._failedStarts = 0;
      }
      this._busy.delete(worker);
      this._idle.push(worker);
      this._wakeNext();
    }
  }

  /** A worker that does nothing else, as soon as there is one. */
  private async _take(signal: StopSignal | undefined): Promise<BakeWorker> {
    try {
      let worker = this._free(signal);
      while (!worker) {
        await this._wait(signal);
        worker = this._free(signal);
      }
      this._busy.add(worker);
      return worker;
    } catch (error) {
      // Passes the wake-up on.
      this._wakeNext();
      throw error;
    }
  }

  /** A worker that is idle, or a new one if there may be more. Throws if none is needed or none is possible. */
  private _free(signal: StopSignal | undefined): BakeWorker | undefined {
    this._checkOpen();
    if (signal?.aborted) throw signal.reason;
    let worker = this._idle.pop();
    while (worker?.link.isDead) worker = this._idle.pop();
    if (worker || this._busy.size === this.threads || this._pause) return worker;
    const round = this._failedStarts;
    try {
      const link = new Link<ChunkMessage, Uint8Array>(this._source, ERRORS);
      // What makes workers may have closed the pool meanwhile.
      if (this._refusal) void link.close(this._refusal);
      this._checkOpen();
      return { link, jobs: new Set(), round, hasServed: false };
    } catch (error) {
      this._failStart(error as Error, round);
      this._checkOpen();
      return undefined;
    }
  }

  /** Waits until a worker may be free, or the signal comes. */
  private _wait(signal: StopSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this._waiting.delete(wake);
        leave();
        resolve();
      };
      this._waiting.add(wake);
      const leave = onAbort(signal, wake);
    });
  }

  private _wakeNext(): void {
    const [wake] = this._waiting;
    wake?.();
  }

  private _executor(message: JobMessage): BakeExecutor {
    return {
      job: message.job,
      capacity: this.threads,
      run: (chunk, signal) => this._run(message, chunk, signal),
    };
  }

  /** Bytes in memory that workers share, if possible; otherwise a copy, as a view would be sent with all of its buffer. */
  private _share(bytes: Uint8Array): Uint8Array {
    return this.shared ? shareBytes(bytes) : new Uint8Array(bytes);
  }

  /** @internal */
  toString(): string {
    return `BakePool { threads: ${this.threads} }`;
  }
}

/** Throws (rejects with) `TypeError`, or `BakeError` (`hash`), unless the maps are those that a job names, where it has them. */
async function checkJobTiles(tiles: readonly JobTile[], named: readonly BakeTile[] = []): Promise<void> {
  checkTiles(tiles);
  if (tiles.length !== named.length)
    throw new TypeError(`tiles must be the ${named.length} of the job, got ${tiles.length}`);
  /** Hashes of maps that have been looked at: many may be there several times. */
  const known = new Map<Uint8Array, string>();
  for (const [k, { map, offset }] of tiles.entries()) {
    const there = named[k]!;
    if (known.get(map) !== there.map) await checkHash(map, there.map, `tile ${k}`);
    known.set(map, there.map);
    if (there.offset.some((cells, axis) => cells !== offset[axis]))
      throw new TypeError(
        `tiles[${k}].offset must be that of the job, ${there.offset.join(' ')}, got ${Array.from(offset).join(' ')}`,
      );
  }
}
