import { checkCallback, checkKind, checkOptions, checkWhole, checkWholeFrom } from '@bspkit/core/format';
import { checkSignal, type StopSignal } from '@bspkit/workers';
import { checkChunk } from './check.ts';
import { type BakeExecutor, chunkError, driveChunks, isFinal } from './executor.ts';
import type { BakeChunk } from './job.ts';
import { type FailedChunk, Scheduler } from './scheduler.ts';

/** How to answer a stream of chunks. */
export interface StreamOptions {
  readonly executor: BakeExecutor;
  /**
   * The chunks, numbered from 0 in their order. One is read ahead. The source is told, as by `for await`, when no more are read.
   */
  readonly chunks: AsyncIterable<BakeChunk>;
  /** How many answers may wait for an earlier one, 1 or more; by default four times the executor's capacity. */
  readonly window?: number | undefined;
  /** How often a chunk is tried again after it has failed, 0 to 1,000: 3 by default. */
  readonly retries?: number | undefined;
  /** Stops the stream. */
  readonly signal?: StopSignal | undefined;
}

/** A chunk and its answer. */
export interface AnsweredChunk {
  readonly chunk: BakeChunk;
  readonly answer: Uint8Array;
}

const OPTIONS: readonly string[] = [
  'executor',
  'chunks',
  'window',
  'retries',
  'signal',
] satisfies (keyof StreamOptions)[];

/**
 * Answers chunks as they come, and returns the answers in order, holding back no more of them than `window`.
 * @throws (rejects with) what the kind threw for the first chunk that cannot be answered, after the answers before it; BakeError
 *   (`chunk`) for one that failed however often it was tried; BakeError (`closed`) when the executor answers no more, and
 *   (`kind`, `format`) when it does not know the job's kind or a map's format; what `chunks` throws, and RangeError or TypeError
 *   where it gives anything but the next chunk, after the answers of those that came before; the signal's reason.
 */
export async function* streamChunks(options: StreamOptions): AsyncGenerator<AnsweredChunk, void, undefined> {
  checkOptions(options, OPTIONS);
  const { executor, chunks } = options;
  checkCallback(executor?.run, 'executor.run');
  checkKind(typeof chunks?.[Symbol.asyncIterator] === 'function', chunks, 'chunks', 'an async iterable');
  const { capacity } = executor;
  checkWholeFrom(capacity, 'executor.capacity', 1);
  const { window = 4 * capacity, retries = 3, signal } = options;
  if (window !== Infinity) checkWholeFrom(window, 'window', 1);
  checkWhole(retries, 'retries', 0, 1000);
  checkSignal(signal);
  const scheduler = new Scheduler({ chunks: Infinity, window, retries });
  const source = chunks[Symbol.asyncIterator]();
  const ready = new Map<number, AnsweredChunk | FailedChunk>();
  let next = 0;
  let isStopped = false;
  /** Whether the source has ended. */
  let isRead = false;
  let broken: { readonly error: unknown } | undefined;
  let answered = (): void => {};
  let taken = (): void => {};
  /** Ends the wait for a chunk: its source may be silent for ever, and a signal would keep the stream until then. */
  let giveUp = (): void => {};
  let ahead: Promise<IteratorResult<BakeChunk>>;
  const readAhead = (): void => {
    // A source that throws at once fails as one whose promise rejects.
    ahead = (async () => source.next())();
    // Whoever waits for it is told of its failure.
    ahead.catch(() => {
      isRead = true;
    });
  };
  readAhead();
  const read = async (index: number): Promise<BakeChunk | undefined> => {
    try {
      const { done, value } = await ahead;
      isRead = done === true;
      if (done || isStopped) return undefined;
      checkChunk(value, index);
      readAhead();
      return value;
    } catch (error) {
      // Thrown when everything before has been answered.
      broken = { error };
      return undefined;
    }
  };
  const driving = driveChunks({
    executor,
    scheduler,
    signal,
    chunk: (index) =>
      new Promise((resolve) => {
        giveUp = () => resolve(undefined);
        void read(index).then(resolve);
      }),
    async done(chunk, answer) {
      ready.set(chunk.index, { chunk, answer });
      answered();
      while (ready.size > window && ready.has(next) && !isStopped) {
        await new Promise<void>((resolve) => {
          taken = resolve;
        });
      }
    },
    failed(failure) {
      ready.set(failure.chunk, failure);
      answered();
    },
  });
  let end: { readonly error?: unknown } | undefined;
  driving.then(
    () => {
      end = {};
      answered();
    },
    (error: unknown) => {
      end = { error };
      answered();
    },
  );
  try {
    for (;;) {
      const item = ready.get(next);
      if (item) {
        ready.delete(next++);
        taken();
        if ('reason' in item) throw isFinal(item.reason) ? item.reason : chunkError([item]);
        yield item;
      } else if (end) {
        const failure = 'error' in end ? end : broken;
        if (failure) throw failure.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          answered = resolve;
        });
      }
    }
  } finally {
    isStopped = true;
    taken();
    scheduler.stop();
    giveUp();
    // Not awaited: it may be silent for a long time.
    if (!isRead) (async () => source.return?.())().catch(() => {});
  }
}
