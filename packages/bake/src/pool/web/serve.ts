import { checkOptions } from '@bspkit/core/format';
import type { ChunkMessage } from '../messages.ts';
import { type BakeHandler, createHandler, type ServeOptions } from '../serve.ts';

// Apart from what starts workers: bundlers would find a worker that starts itself.

/** As much of a worker's globals as is needed here. */
interface Scope {
  postMessage(message: unknown): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
}
declare const self: Scope;

/**
 * Makes what a worker's file exports by default, so that it answers a pool whose option `worker` names that file: for kinds
 * and formats of your own. Begins to answer at once.
 */
export function serveBake(options: ServeOptions = {}): BakeHandler {
  checkOptions(options, ['kinds', 'formats']);
  const handler = createHandler(options);
  self.onmessage = async ({ data }) => self.postMessage(await handler(data as ChunkMessage));
  return handler;
}
