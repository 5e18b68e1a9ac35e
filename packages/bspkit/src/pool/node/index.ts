import { availableParallelism } from 'node:os';
import { type TransferListItem, Worker } from 'node:worker_threads';
import { createPool, type Platform, type TracePool, type TracePoolOptions } from '../pool.ts';

// Pools in Node: worker threads.

export { TracePoolError, type TracePoolErrorCode } from '../error.ts';
export type { TracerDescription } from '../messages.ts';
export type { CancelSignal, PooledWorld, PoolQuery, TracePool, TracePoolOptions } from '../pool.ts';
export { serveTracePool } from './serve.ts';

/** Whether this is a source that was never built; workers are, as they cannot load such. */
const IS_SOURCE: boolean = import.meta.url.endsWith('.ts');
const FILE = new URL(IS_SOURCE ? '../../../dist/worker-node.js' : './worker-node.js', import.meta.url);

const PLATFORM: Platform = {
  cores: availableParallelism(),
  shares: typeof SharedArrayBuffer !== 'undefined',
  start: (file) => (onMessage, onEnd) => {
    const given = typeof file === 'object' ? new URL(file.href) : file;
    const worker = new Worker(given ?? FILE, IS_SOURCE ? { execArgv: [] } : {});
    worker.on('message', onMessage);
    worker.on('messageerror', (error) => {
      onEnd(error);
      void worker.terminate();
    });
    worker.on('error', onEnd);
    worker.on('exit', (code) => onEnd(new Error(`it exited with code ${code}`)));
    return {
      post: (message, transfer) => worker.postMessage(message, transfer as TransferListItem[]),
      hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
      end: () => worker.terminate(),
    };
  },
};

/**
 * Makes a pool of workers that trace batches, each in worlds of its own over the same data. Workers start when something
 * is opened, and keep no process alive that waits for nothing.
 *
 * @throws TracePoolError (`isolation`) for `shared: true` where memory cannot be shared; RangeError and TypeError for
 *   options that cannot be.
 */
export function createTracePool(options?: TracePoolOptions): TracePool {
  return createPool(PLATFORM, options);
}
