import type { BspFormatEntry } from '@bspkit/core/format';
import { webPort } from '@bspkit/workers/web';
import { serveOn } from '../serve.ts';

// Separate from what starts workers: otherwise bundlers would find a worker that starts itself.

/**
 * Lets a worker of your own serve a pool whose option `worker` names its file: for formats of your own.
 *
 * @param formats - what can be opened; everything that bspkit has by default.
 */
export function serveTracePool(formats?: readonly BspFormatEntry[]): void {
  serveOn(webPort(), formats);
}
