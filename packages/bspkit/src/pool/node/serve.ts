import { parentPort, type TransferListItem } from 'node:worker_threads';
import type { BspFormatEntry } from '@bspkit/core/format';
import { serve } from '../serve.ts';

/**
 * Lets a worker of your own answer a pool, whose option `worker` names its file: for formats of your own.
 *
 * @param formats - what can be opened; all that bspkit has by default.
 */
export function serveTracePool(formats?: readonly BspFormatEntry[]): void {
  const port = parentPort;
  if (!port) throw new TypeError('serveTracePool is for workers: there is no pool to answer here');
  serve(
    {
      listen: (onMessage) => port.on('message', onMessage),
      post: (message, transfer) => port.postMessage(message, transfer as TransferListItem[]),
    },
    formats,
  );
}
