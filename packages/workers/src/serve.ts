import { packError } from '@bspkit/core/format';
import type { Reply } from './link.ts';

/** A worker's connection to its pool, as a platform provides it. */
export interface PoolPort {
  listen(onMessage: (message: unknown) => void): void;
  post(message: unknown, transfer: readonly ArrayBufferLike[]): void;
}

/** A worker's first message: the name of the function by which it serves a pool. */
export interface Hello {
  readonly bspkit: string;
}

/**
 * Answers a pool's requests, in a worker; errors are sent back as data.
 *
 * @param serves - the name of the function that was called for this, which the pool is told.
 * @param handOver - memory of an answer that is transferred, not copied.
 */
export function serve<Q, A>(
  port: PoolPort,
  serves: string,
  answer: (request: Q) => Promise<A>,
  handOver: (answer: A) => readonly ArrayBufferLike[] = () => [],
): void {
  port.listen(async (message) => {
    const request = message as Q & { readonly id: number };
    const { id } = request;
    try {
      const answered = await answer(request);
      const reply: Reply<A> = { id, answer: answered };
      port.post(reply, handOver(answered));
    } catch (error) {
      const reply: Reply<A> = { id, error: packError(error) };
      port.post(reply, []);
    }
  });
  const hello: Hello = { bspkit: serves };
  port.post(hello, []);
}
