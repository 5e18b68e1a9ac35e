import { type WebWorker, webPlatform } from '@bspkit/workers/web';
import { type BakePool, type BakePoolOptions, createPool } from '../pool.ts';

// Pools in browsers.

export type { BakePool, BakePoolOptions, JobBytes, OwnWorker, WorkerLike } from '../pool.ts';
export type { ServeOptions } from '../serve.ts';
export { serveBake } from './serve.ts';

declare const Worker: new (url: unknown, options: { readonly type: 'module' }) => WebWorker;
declare const URL: new (path: string, base: string) => { readonly href: string };

const PLATFORM = webPlatform((file) =>
  file === undefined
    ? // Bundlers look for exactly these words.
      new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
    : new Worker(file, { type: 'module' }),
);

/**
 * Makes a pool of workers that answer chunks of jobs. Workers start when there is something to do, and are replaced when
 * they die.
 *
 * @throws RangeError and TypeError for invalid options.
 */
export function createBakePool(options?: BakePoolOptions): BakePool {
  return createPool(PLATFORM, options);
}
