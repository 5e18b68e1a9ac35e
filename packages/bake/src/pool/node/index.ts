import { availableParallelism } from 'node:os';
import type { Tinypool } from 'tinypool';
import type { StopSignal } from '../../executor.ts';
import type { ChunkMessage, ChunkReply, JobMessage } from '../messages.ts';
import {
  type BakePool,
  type BakePoolOptions,
  createPool,
  lost,
  type Platform,
  type Workers,
} from '../pool.ts';

// Pools in Node: worker threads, by tinypool.

export type { ChunkMessage, ChunkReply } from '../messages.ts';
export type { BakePool, BakePoolOptions, JobBytes } from '../pool.ts';
export type { BakeHandler, ServeOptions } from '../serve.ts';
export { serveBake } from './serve.ts';

/** Whether this is a source that was never built; workers are, as they cannot load such. */
const IS_SOURCE: boolean = import.meta.url.endsWith('.ts');
const FILE = new URL(IS_SOURCE ? '../../../dist/worker-node.js' : './worker-node.js', import.meta.url);

/** Longest time that a timer takes: workers that wait are not ended. */
const NEVER = 2 ** 31 - 1;

class Threads implements Workers {
  private readonly _pool: Promise<Tinypool>;
  private readonly _watched: WeakSet<object> = new WeakSet();
  private readonly _running: Set<AbortController> = new Set();
  private _isEnded = false;

  constructor(threads: number, worker: BakePoolOptions['worker']) {
    const filename = typeof worker === 'object' ? worker.href : (worker ?? FILE.href);
    const options = { filename, minThreads: 0, maxThreads: threads, idleTimeout: NEVER };
    // A module of the newer kind alone, which CommonJS can only import so.
    this._pool = import('tinypool').then(({ Tinypool: Pool }) => {
      const pool = new Pool(IS_SOURCE ? { ...options, execArgv: [] } : options);
      pool.on('error', (error: Error) => this._dropWaiting(pool, error));
      return pool;
    });
  }

  async run(message: ChunkMessage, open: JobMessage, signal?: StopSignal): Promise<ChunkReply> {
    const pool = await this._pool;
    const drop = new AbortController();
    const stop = (): void => drop.abort(signal?.reason);
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    this._running.add(drop);
    try {
      // Which worker takes it is not known. What is large in it is shared memory, which costs nothing to send.
      const reply = pool.run({ ...message, open }, { signal: drop.signal }) as Promise<ChunkReply>;
      this._watch(pool);
      return await reply;
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw lost(drop.signal.aborted ? drop.signal.reason : cause);
    } finally {
      this._running.delete(drop);
      signal?.removeEventListener('abort', stop);
    }
  }

  async end(): Promise<void> {
    this._isEnded = true;
    await (await this._pool).destroy();
  }

  /**
   * A worker has died before it took anything, as when its file cannot be loaded. What waits for it would wait for ever: of
   * what is running, the latest.
   */
  private _dropWaiting(pool: Tinypool, error: Error): void {
    if (this._running.size > pool.threads.length) [...this._running].at(-1)!.abort(error);
  }

  /** Has a worker's leaving taken for the error that it is: the pool would wait for its answer for ever. */
  private _watch(pool: Tinypool): void {
    for (const thread of pool.threads) {
      if (this._watched.has(thread)) continue;
      this._watched.add(thread);
      let hasFailed = false;
      thread.on('error', () => {
        hasFailed = true;
      });
      thread.on('exit', (code: number) => {
        if (!hasFailed && !this._isEnded) thread.emit('error', new Error(`it left with code ${code}`));
      });
    }
  }
}

const PLATFORM: Platform = {
  cores: availableParallelism(),
  shares: typeof SharedArrayBuffer !== 'undefined',
  start: (threads, worker) => new Threads(threads, worker),
};

/**
 * Makes a pool of workers that answer chunks of jobs. Workers start when there is something to do, are replaced when they
 * die, and keep no process alive that waits for nothing.
 *
 * @throws RangeError and TypeError for options that cannot be.
 */
export function createBakePool(options?: BakePoolOptions): BakePool {
  return createPool(PLATFORM, options);
}
