import { nodePlatform } from '@bspkit/workers/node';
import { createPool, type TracePool, type TracePoolOptions } from '../pool.ts';

// Pools in Node.

export { TracePoolError, type TracePoolErrorCode } from '../error.ts';
export type { TracerDescription } from '../messages.ts';
export type { PooledWorld, PoolQuery, StopSignal, TracePool, TracePoolOptions } from '../pool.ts';
export { serveTracePool } from './serve.ts';

const PLATFORM = nodePlatform(import.meta.url);

/**
 * Makes a pool of workers that trace batches, each in worlds of its own over the same data. Workers start when something
 * is opened, and do not keep an idle process alive.
 *
 * @throws TracePoolError (`isolation`) for `shared: true` where memory cannot be shared; RangeError and TypeError for
 *   options that cannot be.
 */
export function createTracePool(options?: TracePoolOptions): TracePool {
  return createPool(PLATFORM, options);
}
