import type { BspWorld, Bytes, KernelChoice, TraceBatch } from '@bspkit/core';
import type { BspFormatEntry } from '@bspkit/core/format';
import type { OwnWorker, StopSignal, WorkerLike } from '@bspkit/workers';
import type { TracerDescription } from './messages.ts';

// What users see of pools, on every platform.

export type { OwnWorker, StopSignal, WorkerLike };

/** Options of a pool. */
export interface TracePoolOptions {
  /** Number of workers, 1 to 256: by default one for each thread that the machine runs at once. */
  readonly threads?: number | undefined;
  /**
   * Whether memory is shared between threads: `true` throws if it cannot be, `false` copies everything. By default it is shared
   * where possible: in Node, and in pages that are cross-origin isolated.
   */
  readonly shared?: boolean | undefined;
  /**
   * Where the worker's file is, for bundlers that do not find it on their own, or a file of yours, which calls `serveTracePool`.
   * In pages that require trusted types it is a `TrustedScriptURL`. Or a function that makes a `Worker` each time: many bundlers
   * bundle what they find in `new Worker(new URL('./worker.js', import.meta.url))`.
   */
  readonly worker?: OwnWorker | undefined;
  /**
   * Seconds that a worker may take to start, 1 to 86,400: 30 by default. If no worker of a script has called `serveTracePool` by
   * then, the script is taken to be a wrong one, and the pool starts no more of it: make a new pool.
   */
  readonly startLimit?: number | undefined;
  /** What traces in the workers, as for a world of one's own: `auto` by default, whatever the world has that is opened. */
  readonly kernel?: KernelChoice | undefined;
  /**
   * Formats whose bytes {@link TracePool.open} takes; everything that bspkit has by default. Workers have theirs from
   * `serveTracePool`.
   */
  readonly formats?: readonly BspFormatEntry[] | undefined;
}

/** A world that the workers of a pool have opened. */
export interface PooledWorld {
  /** Format of its map, by the name of its package. */
  readonly format: string;
  /** Frees it in the workers, once they have answered everything that was asked about it. */
  close(): void;
}

/** A batch for a pool. */
export interface PoolQuery {
  readonly world: PooledWorld;
  /** What is moved, and how, in the terms of `tracers` of the format's descriptor; its presets work too. */
  readonly tracer: TracerDescription;
  /**
   * Six numbers per segment: start, then end. In shared memory they are read in place, otherwise copied part by part: do not change
   * them before the promise has settled.
   */
  readonly segments: Float32Array;
  /** Stops the batch, which then rejects with the signal's reason. */
  readonly signal?: StopSignal | undefined;
}

/** Workers that trace batches. */
export interface TracePool {
  readonly threads: number;
  /** Whether memory is shared with the workers; otherwise everything is copied. */
  readonly shared: boolean;
  /**
   * Opens a world in all workers: a world of yours, whose `data` they get, or the bytes of a map. Shared data is used in place, as
   * is that of a map given by its bytes if memory can be shared; other data is copied once then, and otherwise once per worker. Do
   * not change bytes before the promise has settled, nor a world's data at all.
   * @throws (rejects with) what `openBsp` throws, and what the workers throw when they open it.
   */
  open(world: Pick<BspWorld, 'format' | 'data'> | PooledWorld | Bytes): Promise<PooledWorld>;
  /**
   * Traces a batch: the same bits as `tracer.traceBatch`, in the same order, whatever the number of threads. Answers are written
   * in place when segments and all arrays of `out` are in shared memory; otherwise both are copied. Without `out` the answers are
   * in shared memory when the segments are, and have the fields that all formats have; a format's own are written to an `out`
   * that has them.
   * @throws (rejects with) what `traceBatch` throws; RangeError or TypeError for a tracer that the format does not have; the
   *   signal's reason; TracePoolError when a worker has ended or the pool has been closed. Some answers may have been written by
   *   then; none is afterwards.
   */
  traceBatch(query: PoolQuery): Promise<TraceBatch>;
  traceBatch<B extends TraceBatch<never>>(query: PoolQuery & { readonly out: B }): Promise<B>;
  /**
   * Tests a batch, as `tracer.blockedBatch` does: 1 where something is in the way, 0 where nothing is. The answers are written in
   * place when segments and `out` are in shared memory; otherwise both are copied.
   * @throws (rejects with) what `blockedBatch` throws; otherwise as {@link TracePool.traceBatch}.
   */
  blockedBatch(query: PoolQuery & { readonly out?: Uint8Array | undefined }): Promise<Uint8Array>;
  /** Ends the workers. Batches that they have not answered yet are rejected as soon as nothing is written any more. */
  close(): Promise<void>;
}
