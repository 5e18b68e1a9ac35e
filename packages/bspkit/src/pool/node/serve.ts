import type { BspFormatEntry } from '@bspkit/core/format';
import { nodePort } from '@bspkit/workers/node';
import { SERVES } from '../messages.ts';
import { serveOn } from '../serve.ts';

/**
 * Lets a worker of your own serve a pool whose option `worker` names its file: for formats of your own.
 *
 * @param formats - what can be opened; everything that bspkit has by default.
 */
export function serveTracePool(formats?: readonly BspFormatEntry[]): void {
  serveOn(nodePort(SERVES), formats);
}
