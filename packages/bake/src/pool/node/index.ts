import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { nodePlatform } from '@bspkit/workers/node';
import { type BakePool, type BakePoolOptions, createPool } from '../pool.ts';

// Pools in Node.

export type { BakePool, BakePoolOptions, JobBytes, OwnWorker, WorkerLike } from '../pool.ts';
export type { ServeOptions } from '../serve.ts';
export { serveBake } from './serve.ts';

// Tools that copy what an app needs find the file by these words. With `new URL`, webpack would make one for browsers from it.
const PLATFORM = nodePlatform(
  import.meta.url,
  (options) => new Worker(join(dirname(fileURLToPath(import.meta.url)), 'worker-node.js'), options),
);

/**
 * Makes a pool of workers that answer chunks of jobs. Workers start when there is something to do, are replaced when they die,
 * and do not keep an idle process alive.
 *
 * @throws RangeError and TypeError for invalid options.
 */
export function createBakePool(options?: BakePoolOptions): BakePool {
  return createPool(PLATFORM, options);
}
