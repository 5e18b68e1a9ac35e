import {
  type BspFormatEntry,
  checkKind,
  checkObject,
  checkOptions,
  checkWhole,
  failArgument,
  unpackError,
} from '@bspkit/core/format';
import { FORMATS, openBsp } from 'bspkit';
import { BakeError } from '../error.ts';
import type { BakeExecutor, StopSignal } from '../executor.ts';
import { type BakeChunk, type BakeJob, checkJob } from '../job.ts';
import type { AnyBakeKind } from '../kind.ts';
import { kindOf, openJob } from '../run.ts';
import { NO_BYTES, sha256 } from '../sha256.ts';
import type { ChunkMessage, ChunkReply, JobMessage } from './messages.ts';

/** How a pool is made. */
export interface BakePoolOptions {
  /** Number of workers, 1 to 256: by default one for each thread that the machine runs at once. */
  readonly threads?: number | undefined;
  /**
   * Where the worker's file is: one of your own, for kinds and formats of your own, or for bundlers that do not find ours.
   * Its default export is what {@link serveBake} returns.
   */
  readonly worker?: string | { readonly href: string } | undefined;
}

/** What a job is about. */
export interface JobBytes {
  /** The map's file, unpacked. */
  readonly map?: Uint8Array | undefined;
  /** The inputs that the job names, by name. */
  readonly inputs?: Readonly<Record<string, Uint8Array>> | undefined;
  /** Formats that can be opened here; all that bspkit has by default. Workers have theirs from {@link serveBake}. */
  readonly formats?: readonly BspFormatEntry[] | undefined;
  /** Kinds that are known here; `BAKE_KINDS` by default. Workers have theirs from {@link serveBake}. */
  readonly kinds?: readonly AnyBakeKind[] | undefined;
}

/** Workers on this machine that answer chunks. */
export interface BakePool {
  readonly threads: number;
  /** Whether memory is shared with the workers, or all is copied once per worker. */
  readonly shared: boolean;
  /**
   * Opens a job: its map once, here, for all workers.
   * @throws (rejects with) BakeError for a job that cannot be, an unknown kind, and bytes that differ from their hash;
   *   BspError for a map that cannot be read; RangeError or TypeError naming a parameter.
   */
  open(job: BakeJob, bytes?: JobBytes): Promise<BakeExecutor>;
  /** Ends the workers. What they have not answered is rejected with BakeError (`closed`). */
  close(): Promise<void>;
}

/** What a platform has to bring: workers, of which those that died are replaced. */
export interface Workers {
  /**
   * Has a chunk answered by a worker that does nothing else; there are never more of them than workers. A signal that
   * aborts ends the worker, and rejects with its reason.
   */
  run(message: ChunkMessage, open: JobMessage, signal?: StopSignal): Promise<ChunkReply>;
  end(): Promise<void>;
}

/** A platform. */
export interface Platform {
  /** Threads that the machine runs at once. */
  readonly cores: number;
  /** Whether memory can be shared between threads. */
  readonly shares: boolean;
  start(threads: number, worker: BakePoolOptions['worker']): Workers;
}

const MOST_THREADS = 256;

/** Makes a pool on a platform. */
export function createPool(platform: Platform, options: BakePoolOptions = {}): BakePool {
  checkOptions(options, ['threads', 'worker']);
  const { threads = Math.min(platform.cores, MOST_THREADS), worker } = options;
  checkWhole(threads, 'threads', 1, MOST_THREADS);
  const isPlace = worker === undefined || typeof worker === 'string' || typeof worker?.href === 'string';
  checkKind(isPlace, worker, 'worker', 'the address of a file');
  return new WorkerPool(platform, threads, worker);
}

class WorkerPool implements BakePool {
  readonly threads: number;
  readonly shared: boolean;
  private readonly _platform: Platform;
  private readonly _worker: BakePoolOptions['worker'];
  private _workers: Workers | undefined;
  private _lastJob = 0;
  private _isClosed = false;

  constructor(platform: Platform, threads: number, worker: BakePoolOptions['worker']) {
    this.threads = threads;
    this.shared = platform.shares;
    this._platform = platform;
    this._worker = worker;
  }

  async open(given: BakeJob, jobBytes: JobBytes = {}): Promise<BakeExecutor> {
    const job = checkJob(given);
    checkOptions(jobBytes, ['map', 'inputs', 'formats', 'kinds'], 'bytes');
    const { map = new Uint8Array(), inputs = {}, formats = FORMATS, kinds } = jobBytes;
    checkObject(inputs, 'inputs');
    const kind = kindOf(job.kind, kinds);
    const bytes = new Map<string, Uint8Array>();
    await checkHash(map, job.map, 'the map');
    for (const [name, hash] of Object.entries(job.inputs)) {
      const input = inputs[name];
      if (!(input instanceof Uint8Array)) failArgument(`inputs.${name}`, 'a Uint8Array', input, false);
      await checkHash(input, hash, `input '${name}'`);
      bytes.set(hash, this._share(input));
    }
    let world: JobMessage['world'];
    if (kind.needsWorld && job.map !== NO_BYTES) {
      const { format, data } = await openBsp(map, { shared: this.shared, formats });
      world = { format, data };
      // What is wrong with the job is told here, before each of its chunks fails of it.
      await openJob(job, { world, formats, kinds, trusted: true, load: (hash) => bytes.get(hash)! });
    } else bytes.set(job.map, this._share(map));
    return this._executor({ number: ++this._lastJob, job, world, bytes });
  }

  async close(): Promise<void> {
    this._isClosed = true;
    await this._workers?.end();
  }

  private _executor(message: JobMessage): BakeExecutor {
    const { number } = message;
    return {
      capacity: this.threads,
      run: async (chunk: BakeChunk, signal?: StopSignal) => {
        if (this._isClosed) throw closed();
        this._workers ??= this._platform.start(this.threads, this._worker);
        const reply = await this._workers.run({ number, chunk }, message, signal).catch((cause: unknown) => {
          throw this._isClosed ? closed() : cause;
        });
        if (reply.error) throw unpackError(reply.error, { BakeError });
        return reply.answer!;
      },
    };
  }

  /** Bytes on memory that workers see, where there is such. */
  private _share(bytes: Uint8Array): Uint8Array {
    if (!this.shared || !(bytes.buffer instanceof ArrayBuffer)) return bytes;
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return shared;
  }
}

const closed = (): BakeError => new BakeError('closed', 'the pool has been closed');

/** The error for a worker that ended before it had answered. */
export const lost = (cause: unknown): BakeError => {
  const what = cause instanceof Error ? cause.message : String(cause);
  return new BakeError('worker', `a worker ended before it had answered: ${what}`, { cause });
};

async function checkHash(bytes: Uint8Array, hash: string, what: string): Promise<void> {
  checkKind(bytes instanceof Uint8Array, bytes, what, 'a Uint8Array');
  const found = await sha256(bytes);
  if (found !== hash)
    throw new BakeError('hash', `${what} differs from its hash: it is ${found}, not ${hash}`);
}
