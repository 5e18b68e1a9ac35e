import type { Link } from '@bspkit/workers';
import { ACTIVE, type Answers, NEXT, type Request, type ShareRequest, storeAnswers } from './messages.ts';

// How a batch is divided among a pool's workers, and what it waits for when it is stopped.

export type PoolLink = Link<Request, Answers>;

/**
 * The fewest segments that a worker takes at a time: few enough for all workers to finish together, and for a signal to be
 * noticed soon.
 */
const LEAST_CHUNK = 64;
const MOST_CHUNK = 4096;
/** Messages in transit to a worker, so that it need not wait for the next one. */
const AHEAD = 2;

/** What is sent to workers in either case. */
type Asked = Pick<ShareRequest, 'world' | 'tracer' | 'segments'>;

/** Stops a batch, which then rejects with an error. */
export type Stop = (error: unknown) => void;

/** A batch under way. */
export interface Batch {
  readonly stop: Stop;
  /** Rejects with the first error, once nothing is written any more. */
  readonly ended: Promise<void>;
}

/** Lets workers take segments as they go, and write the answers in place. */
export function share(links: readonly PoolLink[], request: Asked, answers: Answers): Batch {
  const count = request.segments.length / 6;
  const state = new Int32Array(new SharedArrayBuffer(8));
  const size = chunkOf(count, links.length);
  const asked = idlest(links, count / size).map((link) =>
    link.ask({ ask: 'share', ...request, answers, state, size }),
  );
  // Segments that nobody has taken yet are not taken any more.
  const stop = (): unknown => Atomics.store(state, NEXT, count);
  return settle(asked, stop, () => Atomics.load(state, ACTIVE) === 0);
}

/** Sends segments to workers, some at a time, and copies the answers that come back. */
export function copy(links: readonly PoolLink[], { segments, ...request }: Asked, answers: Answers): Batch {
  const count = segments.length / 6;
  const size = chunkOf(count, links.length);
  const fields = Object.keys(answers);
  let next = 0;
  let isOver = false;
  const feed = async (link: PoolLink): Promise<void> => {
    while (next < count) {
      const first = next;
      next = Math.min(first + size, count);
      const part = segments.slice(6 * first, 6 * next);
      const answered = await link.ask({ ask: 'copy', ...request, segments: part, fields }, [part.buffer]);
      if (!isOver) storeAnswers(answered, answers, first);
    }
  };
  const some = idlest(links, count / size);
  // If there are no segments, one worker checks everything else.
  const nothing = { ask: 'copy', ...request, segments, fields } as const;
  // One part for each before anyone gets a second.
  const asked: Promise<unknown>[] =
    count === 0 ? [some[0]!.ask(nothing)] : Array.from({ length: AHEAD }, () => some.map(feed)).flat();
  const stop = (): void => {
    next = count;
    isOver = true;
  };
  return settle(asked, stop, () => true);
}

/** The workers that have the least to do: as many as there are parts for, and at least one. */
function idlest(links: readonly PoolLink[], parts: number): readonly PoolLink[] {
  return [...links].sort((a, b) => a.pending - b.pending).slice(0, Math.ceil(parts) || 1);
}

/** How many segments a worker takes at a time. */
function chunkOf(count: number, threads: number): number {
  return Math.max(LEAST_CHUNK, Math.min(MOST_CHUNK, Math.ceil(count / (16 * threads))));
}

/**
 * Waits for everything that was asked. When a request fails or the batch is stopped, `stop` keeps workers from beginning anything
 * more, and it is over as soon as `isAtRest` says that none is busy.
 */
function settle(asked: readonly Promise<unknown>[], stop: () => unknown, isAtRest: () => boolean): Batch {
  let left = asked.length;
  let failure: { readonly error: unknown } | undefined;
  let look = (): void => {};
  const fail = (error: unknown): void => {
    failure ??= { error };
    stop();
    look();
  };
  const ended = new Promise<void>((resolve, reject) => {
    look = () => {
      if (left > 0 && !(failure && isAtRest())) return;
      if (failure) reject(failure.error);
      else resolve();
    };
  });
  for (const one of asked) {
    const settled = (): void => {
      left--;
      look();
    };
    one.then(settled, (error) => {
      left--;
      fail(error);
    });
  }
  return { stop: fail, ended };
}
