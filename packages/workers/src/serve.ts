import { packError } from '@bspkit/core/format';
import type { Reply } from './link.ts';

/** A worker's way back to its pool, as a platform has it. */
export interface PoolPort {
  listen(onMessage: (message: unknown) => void): void;
  post(message: unknown, transfer: readonly ArrayBufferLike[]): void;
}

/** What a worker says first: the function by which it serves a pool. */
export interface Hello {
  readonly bspkit: string;
}

/**
 * Answers what a pool asks, in a worker; errors go back as data.
 *
 * @param serves - the function that was called for this, which the pool is told.
 * @param handOver - memory of an answer that is handed over, not copied.
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
