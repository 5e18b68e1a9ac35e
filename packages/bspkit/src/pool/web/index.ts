import { createPool, type Platform, type TracePool, type TracePoolOptions } from '../pool.ts';

// Pools in browsers: module workers.

export { TracePoolError, type TracePoolErrorCode } from '../error.ts';
export type { TracerDescription } from '../messages.ts';
export type { CancelSignal, PooledWorld, PoolQuery, TracePool, TracePoolOptions } from '../pool.ts';
export { serveTracePool } from './serve.ts';

/** As much of a browser's globals as is needed here. */
interface Scope {
  readonly crossOriginIsolated?: boolean;
  readonly navigator?: { readonly hardwareConcurrency?: number };
}
interface WebWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onmessageerror: (() => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault(): void }) => void) | null;
  postMessage(message: unknown, transfer: readonly ArrayBufferLike[]): void;
  terminate(): void;
}
declare const self: Scope;
declare const Worker: new (url: unknown, options: { readonly type: 'module' }) => WebWorker;
declare const URL: new (path: string, base: string) => { readonly href: string };

const PLATFORM: Platform = {
  get cores() {
    return self.navigator?.hardwareConcurrency ?? 1;
  },
  get shares() {
    return self.crossOriginIsolated === true && typeof SharedArrayBuffer !== 'undefined';
  },
  start: (file) => (onMessage, onEnd) => {
    // Bundlers look for these very words.
    const worker =
      file === undefined
        ? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
        : new Worker(file, { type: 'module' });
    const end = (cause: string): void => {
      worker.terminate();
      onEnd(new Error(cause));
    };
    worker.onmessage = ({ data }) => onMessage(data);
    worker.onmessageerror = () => end('its message could not be read');
    worker.onerror = (event) => {
      event.preventDefault();
      end(
        event.message ||
          'its file could not be loaded; if your bundler left it out, see createTracePool({ worker })',
      );
    };
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      hold: () => {},
      end: async () => worker.terminate(),
    };
  },
};

/**
 * Makes a pool of workers that trace batches, each in worlds of its own over the same data. Workers start when something
 * is opened, and keep no process alive that waits for nothing.
 *
 * @throws TracePoolError (`isolation`) for `shared: true` in a page that is not cross-origin isolated; RangeError and
 *   TypeError for options that cannot be.
 */
export function createTracePool(options?: TracePoolOptions): TracePool {
  return createPool(PLATFORM, options);
}
