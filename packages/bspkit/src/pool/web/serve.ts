import type { BspFormatEntry } from '@bspkit/core/format';
import { serve } from '../serve.ts';

// Apart from what starts workers: bundlers would find a worker that starts itself.

/** As much of a worker's globals as is needed here. */
interface Scope {
  postMessage(message: unknown, transfer: readonly ArrayBufferLike[]): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
}
declare const self: Scope;

/**
 * Lets a worker of your own answer a pool, whose option `worker` names its file: for formats of your own.
 *
 * @param formats - what can be opened; all that bspkit has by default.
 */
export function serveTracePool(formats?: readonly BspFormatEntry[]): void {
  const listen = (onMessage: (message: unknown) => void): void => {
    self.onmessage = ({ data }) => onMessage(data);
  };
  serve({ listen, post: (message, transfer) => self.postMessage(message, transfer) }, formats);
}
