import { LEFT_OUT, makeOwn, type Platform, type WorkerFile } from '../platform.ts';
import type { PoolPort } from '../serve.ts';

// Workers in browsers: module workers.

/** The part of a browser's `Worker` that is needed here. */
export interface WebWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onmessageerror: (() => void) | null;
  onerror: ((event: { readonly message?: string; preventDefault(): void }) => void) | null;
  postMessage(message: unknown, transfer?: readonly ArrayBufferLike[]): void;
  terminate(): void;
}

/** The part of a page's and a worker's globals that is needed here. */
interface Scope {
  readonly crossOriginIsolated?: boolean;
  readonly navigator?: { readonly hardwareConcurrency?: number };
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onmessageerror: (() => void) | null;
  postMessage(message: unknown, transfer: readonly ArrayBufferLike[]): void;
}

/** Something else that keeps a worker's file from being loaded, without any message in the console. */
const ISOLATED = 'cross-origin isolated pages need Cross-Origin-Embedder-Policy on it';

/** Not `self`, which runtimes without workers need not have: they must get far enough to say so. */
const scope = globalThis as unknown as Scope;

/**
 * A browser.
 *
 * @param create - makes a worker. In the pool's own sources, where bundlers find the expression that says where its file is.
 */
export function webPlatform(create: (file: WorkerFile | undefined) => WebWorker): Platform {
  return {
    get cores() {
      return scope.navigator?.hardwareConcurrency ?? 1;
    },
    get shares() {
      return scope.crossOriginIsolated === true && typeof SharedArrayBuffer !== 'undefined';
    },
    ownScript: '`worker.js` beside the script of the pool',
    start: (file) => (onMessage, onEnd) => {
      let worker: WebWorker;
      try {
        worker =
          typeof file === 'function' ? makeOwn<WebWorker>(file, 'postMessage', 'terminate') : create(file);
      } catch (error) {
        // Bundles of a single script do not know where they are. If there are no workers at all, an address does not help.
        const isLost = file === undefined && !(error instanceof ReferenceError);
        throw isLost ? new Error(`${(error as Error).message}; ${LEFT_OUT}`, { cause: error }) : error;
      }
      const end = (cause: string): void => {
        worker.terminate();
        onEnd(new Error(cause));
      };
      worker.onmessage = ({ data }) => onMessage(data);
      worker.onmessageerror = () => end('its message could not be read');
      worker.onerror = (event) => {
        event.preventDefault();
        // Browsers do not say which it was.
        end(event.message || `its file could not be loaded; ${LEFT_OUT}; ${ISOLATED}`);
      };
      return {
        post: (message, transfer) => worker.postMessage(message, transfer),
        hold: () => {},
        end: async () => worker.terminate(),
      };
    },
  };
}

/** The way from this worker to its pool. */
export function webPort(): PoolPort {
  return {
    listen: (onMessage) => {
      scope.onmessage = ({ data }) => onMessage(data);
      // The request is lost: the pool ends a worker that throws.
      scope.onmessageerror = () => {
        throw new Error('it could not read what it was sent');
      };
    },
    post: (message, transfer) => scope.postMessage(message, transfer),
  };
}
