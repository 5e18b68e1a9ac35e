import { webPort } from '@bspkit/workers/web';
import { type ServeOptions, serveOn } from '../serve.ts';

// Separate from what starts workers: bundlers would find a worker that starts itself.

/** Lets a worker of your own serve a pool whose option `worker` names its file: for kinds and formats of your own. */
export function serveBake(options?: ServeOptions): void {
  serveOn(webPort(), options);
}
