import { nodePlatform } from '@bspkit/workers/node';
import { type BakePool, type BakePoolOptions, createPool } from '../pool.ts';

// Pools in Node.

export type { BakePool, BakePoolOptions, JobBytes } from '../pool.ts';
export type { ServeOptions } from '../serve.ts';
export { serveBake } from './serve.ts';

const PLATFORM = nodePlatform(import.meta.url);

/**
 * Makes a pool of workers that answer chunks of jobs. Workers start when there is something to do, are replaced when they
 * die, and keep no process alive that waits for nothing.
 *
 * @throws RangeError and TypeError for options that cannot be.
 */
export function createBakePool(options?: BakePoolOptions): BakePool {
  return createPool(PLATFORM, options);
}
