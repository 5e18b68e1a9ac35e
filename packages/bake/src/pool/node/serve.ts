import { checkOptions } from '@bspkit/core/format';
import { type BakeHandler, createHandler, type ServeOptions } from '../serve.ts';

/**
 * Makes what a worker's file exports by default, so that it answers a pool whose option `worker` names that file: for kinds
 * and formats of your own.
 */
export function serveBake(options: ServeOptions = {}): BakeHandler {
  checkOptions(options, ['kinds', 'formats']);
  return createHandler(options);
}
