import { availableParallelism } from 'node:os';
import { parentPort, type TransferListItem, Worker } from 'node:worker_threads';
import type { Platform, WorkerFile } from '../platform.ts';
import type { PoolPort } from '../serve.ts';

// Workers in Node: threads.

/**
 * Node, where a pool's own workers are in a file of the package that is built.
 *
 * @param place - `import.meta.url` of the pool, in `src/pool/node` or, built, in `dist`.
 */
export function nodePlatform(place: string): Platform {
  // Workers cannot load sources that were never built, nor what loads them into the main thread.
  const isSource = place.endsWith('.ts');
  const own = new URL(isSource ? '../../../dist/worker-node.js' : './worker-node.js', place);
  return {
    cores: availableParallelism(),
    shares: typeof SharedArrayBuffer !== 'undefined',
    start: (file) => (onMessage, onEnd) => {
      const worker = new Worker(file === undefined ? own : placeOf(file), isSource ? { execArgv: [] } : {});
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
}

/** `Worker` takes URLs as objects alone: as text, they would be paths. */
function placeOf(file: WorkerFile): string | URL {
  if (typeof file === 'object') return new URL(file.href);
  return /^(file|data):/.test(file) ? new URL(file) : file;
}

/** The way from this worker to its pool. Throws `TypeError` where there is none: in the main thread. */
export function nodePort(name: string): PoolPort {
  const port = parentPort;
  if (!port) throw new TypeError(`${name} is for workers: there is no pool to answer here`);
  return {
    listen: (onMessage) => port.on('message', onMessage),
    post: (message, transfer) => port.postMessage(message, transfer as TransferListItem[]),
  };
}
