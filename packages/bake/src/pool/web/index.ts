import type { StopSignal } from '../../executor.ts';
import { type ChunkMessage, type ChunkReply, type JobMessage, MOST_JOBS } from '../messages.ts';
import {
  type BakePool,
  type BakePoolOptions,
  createPool,
  lost,
  type Platform,
  type Workers,
} from '../pool.ts';

// Pools in browsers: module workers.

export type { ChunkMessage, ChunkReply } from '../messages.ts';
export type { BakePool, BakePoolOptions, JobBytes } from '../pool.ts';
export type { BakeHandler, ServeOptions } from '../serve.ts';
export { serveBake } from './serve.ts';

/** As much of a browser's globals as is needed here. */
interface Scope {
  readonly crossOriginIsolated?: boolean;
  readonly navigator?: { readonly hardwareConcurrency?: number };
}
interface WebWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onmessageerror: (() => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault(): void }) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}
declare const self: Scope;
declare const Worker: new (url: unknown, options: { readonly type: 'module' }) => WebWorker;
declare const URL: new (path: string, base: string) => { readonly href: string };

/** A worker, and what it has been told: as many jobs as it keeps. */
interface Link {
  readonly worker: WebWorker;
  readonly jobs: Set<number>;
  /** Ends what it is asked for now. */
  fail: ((cause: unknown) => void) | undefined;
}

class ModuleWorkers implements Workers {
  private readonly _file: BakePoolOptions['worker'];
  private readonly _all: Set<Link> = new Set();
  private readonly _idle: Link[] = [];

  constructor(file: BakePoolOptions['worker']) {
    this._file = file;
  }

  run(message: ChunkMessage, open: JobMessage, signal?: StopSignal): Promise<ChunkReply> {
    return new Promise((resolve, reject) => {
      const link = this._idle.pop() ?? this._start();
      const { worker, jobs } = link;
      const fail = (cause: unknown): void => {
        this._all.delete(link);
        const place = this._idle.indexOf(link);
        if (place >= 0) this._idle.splice(place, 1);
        worker.terminate();
        signal?.removeEventListener('abort', abort);
        reject(signal?.aborted ? signal.reason : lost(cause));
      };
      const abort = (): void => fail(signal?.reason);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) return abort();
      link.fail = fail;
      worker.onmessage = ({ data }) => {
        link.fail = undefined;
        signal?.removeEventListener('abort', abort);
        this._idle.push(link);
        resolve(data as ChunkReply);
      };
      worker.onmessageerror = () => fail('its message could not be read');
      worker.onerror = (event) => {
        event.preventDefault();
        fail(event.message || 'its file could not be loaded');
      };
      try {
        worker.postMessage(jobs.has(message.number) ? message : { ...message, open });
        jobs.add(message.number);
        for (const oldest of jobs) {
          if (jobs.size <= MOST_JOBS) break;
          jobs.delete(oldest);
        }
      } catch (cause) {
        fail(cause);
      }
    });
  }

  async end(): Promise<void> {
    for (const { worker, fail } of [...this._all]) {
      worker.terminate();
      fail?.('the pool has been closed');
    }
    this._all.clear();
  }

  private _start(): Link {
    // Bundlers look for these very words.
    const worker =
      this._file === undefined
        ? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
        : new Worker(this._file, { type: 'module' });
    const link: Link = { worker, jobs: new Set(), fail: undefined };
    this._all.add(link);
    return link;
  }
}

const PLATFORM: Platform = {
  get cores() {
    return self.navigator?.hardwareConcurrency ?? 1;
  },
  get shares() {
    return self.crossOriginIsolated === true && typeof SharedArrayBuffer !== 'undefined';
  },
  start: (_, worker) => new ModuleWorkers(worker),
};

/**
 * Makes a pool of workers that answer chunks of jobs. Workers start when there is something to do, and are replaced when
 * they die.
 *
 * @throws RangeError and TypeError for options that cannot be.
 */
export function createBakePool(options?: BakePoolOptions): BakePool {
  return createPool(PLATFORM, options);
}
