import { availableParallelism } from 'node:os';
import { parentPort, type TransferListItem, Worker, type WorkerOptions } from 'node:worker_threads';
import { addressOf, LEFT_OUT, makeOwn, type OwnWorker, type Platform, type WorkerFile } from '../platform.ts';
import type { PoolPort } from '../serve.ts';

// Workers in Node: threads.

/**
 * How long a worker that is to end may first take to load its modules, in milliseconds. If it is ended while it reads one, that
 * file stays open for as long as the process lives (Node 20).
 */
const LOAD_TO_END = 1000;

/**
 * Node; a pool's own workers are in a file of the built package.
 *
 * @param place - `import.meta.url` of the pool, in `src/pool/node` or, built, in `dist`; bundles in CommonJS have none.
 * @param createOwn - makes one of them, for a pool that is built. In the pool's own sources, where tools find the file.
 */
export function nodePlatform(
  place: string | undefined,
  createOwn: (options: WorkerOptions) => Worker,
): Platform {
  // Workers cannot load sources that were never built, nor the loader that the main thread uses for them.
  const isSource = place?.endsWith('.ts') === true;
  const own = isSource
    ? new URL('../../../dist/worker-node.js', place).href
    : place?.replace(/[^/]*$/, 'worker-node.js');
  // Nor do they load files with the type that `node --input-type=module -e` gives to its text.
  const isText = process.execArgv.some((argument) => argument.startsWith('--input-type'));
  const options = isSource || isText ? { execArgv: [] } : {};
  // Tools that copy what an app needs look for `new Worker`: for a file that they cannot determine, they take the whole folder.
  const createOf = (file: string | URL): Worker => Reflect.construct(Worker, [file, options]);
  const create = (file: OwnWorker | undefined): Worker => {
    if (typeof file === 'function') {
      const worker = makeOwn<Worker>(file, 'on', 'postMessage', 'terminate');
      // No event would come from it, not even its end.
      if (worker.threadId < 0) throw new Error('what worker() returned has ended already');
      return worker;
    }
    if (file !== undefined) return createOf(placeOf(file));
    if (place === undefined) throw new Error(`its file's place is not known here; ${LEFT_OUT}`);
    return isSource ? createOf(new URL(own!)) : createOwn(options);
  };
  return {
    ownScript: own ?? '`worker-node.js`',
    cores: availableParallelism(),
    shares: typeof SharedArrayBuffer !== 'undefined',
    start: (file) => (onMessage, onEnd) => {
      const worker = withPermission(() => create(file));
      let heard = 0;
      let wasAsked = false;
      let onLoaded = (): void => {};
      // It has said that it is there, and has answered its first request, for which it may load a format.
      const isLoaded = (): boolean => heard > (wasAsked ? 1 : 0);
      worker.on('message', (message) => {
        heard++;
        if (isLoaded()) onLoaded();
        onMessage(message);
      });
      worker.on('messageerror', (error) => {
        onEnd(error);
        void worker.terminate();
      });
      worker.on('error', (error) => onEnd(file === undefined ? withAdvice(error) : error));
      worker.on('exit', (code) => {
        heard = Infinity;
        onLoaded();
        onEnd(new Error(`it exited with code ${code}`));
      });
      return {
        post: (message, transfer) => {
          worker.postMessage(message, transfer as TransferListItem[]);
          wasAsked = true;
        },
        hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
        end: async () => {
          if (!isLoaded()) {
            worker.ref();
            await new Promise<void>((resolve) => {
              const clock = setTimeout(resolve, LOAD_TO_END);
              onLoaded = () => {
                clearTimeout(clock);
                resolve();
              };
            });
          }
          return worker.terminate();
        },
      };
    },
  };
}

/** Starts a worker. Adds advice if Node's permission model refuses, as some versions do not say what it was that they refuse. */
function withPermission(start: () => Worker): Worker {
  try {
    return start();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_ACCESS_DENIED') throw error;
    throw new Error(`${message}; node --allow-worker lets it start threads`, { cause: error });
  }
}

/** Adds advice if Node says that the file of a pool's own worker, or one that it imports, does not exist. */
function withAdvice(error: Error & { readonly code?: string }): Error {
  const isLost = /^(ERR_)?MODULE_NOT_FOUND$/.test(error.code ?? '');
  return isLost ? new Error(`${error.message}; ${LEFT_OUT}`, { cause: error }) : error;
}

/** `Worker` only takes URLs as objects: as text, they would be paths. */
function placeOf(file: WorkerFile): string | URL {
  if (typeof file === 'object') return new URL(addressOf(file)!);
  return /^(file|data):/.test(file) ? new URL(file) : file;
}

/** The connection from this worker to its pool. Throws `TypeError` if there is none: in the main thread. */
export function nodePort(name: string): PoolPort {
  const port = parentPort;
  if (!port) throw new TypeError(`${name} is for workers: there is no pool to answer here`);
  return {
    listen: (onMessage) => {
      port.on('message', onMessage);
      // The request is lost: the worker ends, and the pool says why.
      port.on('messageerror', (error) => {
        throw error;
      });
    },
    post: (message, transfer) => port.postMessage(message, transfer as TransferListItem[]),
  };
}
