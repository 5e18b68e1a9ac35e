import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { nodePlatform } from '@bspkit/workers/node';
import { createPool } from '../pool.ts';
import type { TracePool, TracePoolOptions } from '../types.ts';

// Pools in Node.

export { TracePoolError, type TracePoolErrorCode } from '../error.ts';
export type { TracerDescription } from '../messages.ts';
export type * from '../types.ts';
export { serveTracePool } from './serve.ts';

// Tools that copy what an app needs find the file by these words. With `new URL`, webpack would make one for browsers from it.
const PLATFORM = nodePlatform(
  import.meta.url,
  (options) => new Worker(join(dirname(fileURLToPath(import.meta.url)), 'worker-node.js'), options),
);

/**
 * Makes a pool of workers that trace batches, each in worlds of its own over the same data. Workers start when something is
 * opened, and do not keep an idle process alive.
 *
 * @throws TracePoolError (`isolation`) for `shared: true` if memory cannot be shared; RangeError and TypeError for invalid
 *   options.
 */
export function createTracePool(options?: TracePoolOptions): TracePool {
  return createPool(PLATFORM, options);
}
