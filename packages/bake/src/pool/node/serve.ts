import { nodePort } from '@bspkit/workers/node';
import { SERVES } from '../messages.ts';
import { type ServeOptions, serveOn } from '../serve.ts';

/** Lets a worker of your own serve a pool whose option `worker` names its file: for kinds and formats of your own. */
export function serveBake(options?: ServeOptions): void {
  serveOn(nodePort(SERVES), options);
}
