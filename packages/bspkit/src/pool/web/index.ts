import { type WebWorker, webPlatform } from '@bspkit/workers/web';
import { createPool } from '../pool.ts';
import type { TracePool, TracePoolOptions } from '../types.ts';

// Pools in browsers.

export { TracePoolError, type TracePoolErrorCode } from '../error.ts';
export type { TracerDescription } from '../messages.ts';
export type * from '../types.ts';
export { serveTracePool } from './serve.ts';

declare const Worker: new (url: unknown, options: { readonly type: 'module' }) => WebWorker;
declare const URL: new (path: string, base: string) => { readonly href: string };

const PLATFORM = webPlatform((file) =>
  file === undefined
    ? // Bundlers look for these very words.
      new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
    : new Worker(file, { type: 'module' }),
);

/**
 * Makes a pool of workers that trace batches, each in worlds of its own over the same data. Workers start when something
 * is opened, and do not keep an idle process alive.
 *
 * @throws TracePoolError (`isolation`) for `shared: true` in a page that is not cross-origin isolated; RangeError and
 *   TypeError for invalid options.
 */
export function createTracePool(options?: TracePoolOptions): TracePool {
  return createPool(PLATFORM, options);
}
