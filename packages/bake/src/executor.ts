import { checkArrayOf, checkWholeFrom, isErrorOf, reasonOf } from '@bspkit/core/format';
import { onAbort, type StopSignal } from '@bspkit/workers';
import { BakeError, isLacking } from './error.ts';
import type { BakeChunk, BakeJob } from './job.ts';
import type { FailedChunk, Scheduler } from './scheduler.ts';

/** Whatever answers chunks of a job: threads here, or a queue from which machines take them. */
export interface BakeExecutor {
  /** The job that it was opened for, if it answers no other: `bake` refuses it for another one. */
  readonly job?: BakeJob | undefined;
  /** How many chunks it wants at once, so that nothing in it has to wait: 1 or more. It may change from call to call. */
  readonly capacity: number;
  /**
   * Answers a chunk.
   *
   * @param signal - gives the chunk up: whoever has it is stopped, as far as possible.
   * @returns a Uint8Array; anything else fails the chunk with a TypeError.
   * @throws (rejects with) the signal's reason; BakeError (`worker`) when whoever had it died; BakeError (`closed`) when it
   *   answers no chunk any more, and (`kind`, `format`, `too-large`, `version`) when all of its workers lack something that the
   *   job needs, which end the run; what the kind threw. It is tried again after anything else but RangeError, TypeError,
   *   SyntaxError and BspError, as no other attempt could do better, unless memory was lacking.
   */
  run(chunk: BakeChunk, signal?: StopSignal): Promise<Uint8Array>;
}

/** How to run chunks through an executor. */
export interface DriveOptions {
  readonly executor: BakeExecutor;
  /** What hands them out. */
  readonly scheduler: Scheduler;
  /** The chunk of a number. `undefined` if there is none any more, which ends a stream. */
  chunk(index: number): BakeChunk | undefined | Promise<BakeChunk | undefined>;
  /** Takes an answer, one per chunk. No more chunks are begun before it has resolved. */
  done(chunk: BakeChunk, answer: Uint8Array): void | Promise<void>;
  /** Called for each chunk that has failed for good. Anything it throws ends the run. */
  failed?(failure: FailedChunk): void | Promise<void>;
  /** Called for each failed attempt that will be repeated. Anything it throws ends the run. */
  retried?(chunk: number, reason: unknown): void;
  /** Stops handing out. What is being done is not waited for. */
  readonly signal?: StopSignal | undefined;
}

/** What engines say about a lack of memory, which they throw as `RangeError`: V8 and JavaScriptCore, also for WebAssembly's. */
const NO_MEMORY = /allocat(e|ion)|out of memory|grow .*memory/i;

/** Whether an error says that a chunk cannot be answered, whoever tries: its question or its map is wrong, not the worker. */
export const isFinal = (error: unknown): boolean =>
  // Another worker, or the same one a moment later, may have the memory.
  (isErrorOf(error, RangeError) && !NO_MEMORY.test(error.message)) ||
  isErrorOf(error, TypeError) ||
  isErrorOf(error, SyntaxError) ||
  isLacking(error) ||
  (isErrorOf(error, Error) && error.name === 'BspError');

/** Whether an error ends a run: whoever answers chunks answers none any more, or none of this job. */
const isEnd = (error: unknown): boolean => isClosed(error) || isLacking(error);

/** Whether an error says that whoever answered chunks answers none any more. */
export const isClosed = (error: unknown): boolean => error instanceof BakeError && error.code === 'closed';

/**
 * Runs all chunks of a scheduler through an executor, and resolves when every one is done or has failed for good; if the stream
 * of chunks has ended, every one that came.
 *
 * @throws (rejects with) the signal's reason, and what `chunk`, `done`, `failed` and `retried` throw; BakeError (`closed`) when
 *   the executor answers no more; BakeError (`kind`, `format`, `too-large`, `version`) when all of its workers lack something that
 *   the job needs. What is being done then is abandoned; its answers are not reported.
 */
export async function driveChunks(options: DriveOptions): Promise<void> {
  const { executor, scheduler, chunk: chunkAt, done, failed, retried, signal } = options;
  const begun = new Map<number, BakeChunk>();
  const events = new Events();
  const begin = (chunk: BakeChunk): void => {
    const { index } = chunk;
    answerOf(executor, chunk).then(
      (answer) =>
        events.post(async () => {
          if (!scheduler.succeed(index)) return;
          begun.delete(index);
          await done(chunk, answer);
        }),
      (error: unknown) =>
        events.post(async () => {
          if (isEnd(error)) throw error;
          const outcome = scheduler.fail(index, error, isFinal(error));
          if (outcome === 'again') retried?.(index, error);
          if (outcome !== 'failed') return;
          begun.delete(index);
          await failed?.(scheduler.failed.at(-1)!);
        }),
    );
  };
  /** Whether a new chunk is being awaited. One at a time: a stream may end there. */
  let isReading = false;
  const read = (index: number): void => {
    isReading = true;
    // Its source may be silent for a long time. What has been begun goes on meanwhile, and signals are heard.
    Promise.resolve(chunkAt(index)).then(
      (chunk) =>
        events.post(() => {
          isReading = false;
          if (chunk === undefined) return scheduler.end(index);
          begun.set(index, chunk);
          begin(chunk);
        }),
      (error: unknown) =>
        events.post(() => {
          throw error;
        }),
    );
  };
  const abort = (): void => events.fail(signal?.reason);
  const leave = onAbort(signal, abort);
  if (signal?.aborted) abort();
  try {
    for (;;) {
      const event = events.take();
      if (event) {
        await event();
        continue;
      }
      if (scheduler.isOver) return;
      const { capacity } = executor;
      checkWholeFrom(capacity, 'executor.capacity', 1);
      const isFull = scheduler.outstanding >= capacity;
      const index = isFull ? undefined : isReading ? scheduler.again() : scheduler.next();
      if (index === undefined) {
        await events.wait();
        continue;
      }
      const known = begun.get(index);
      if (known) begin(known);
      else read(index);
    }
  } finally {
    leave();
  }
}

/** What happens while chunks are answered, to be dealt with one after the other. */
class Events {
  private readonly _waiting: (() => void | Promise<void>)[] = [];
  private _wake: (() => void) | undefined;

  /** @param event - deals with it, and may throw what ends everything. */
  post(event: () => void | Promise<void>): void {
    this._waiting.push(event);
    this._wake?.();
  }

  /** Ends everything with an error, whatever else waits. */
  fail(error: unknown): void {
    this._waiting.unshift(() => {
      throw error;
    });
    this._wake?.();
  }

  /** The one that has waited longest, if any. */
  take(): (() => void | Promise<void>) | undefined {
    return this._waiting.shift();
  }

  /** Resolves when there is one to take. */
  async wait(): Promise<void> {
    await new Promise<void>((resolve) => {
      this._wake = resolve;
      if (this._waiting.length > 0) resolve();
    });
    this._wake = undefined;
  }
}

/** A chunk's answer. Anything else fails the chunk, and so does an executor that throws synchronously. */
export async function answerOf(executor: BakeExecutor, chunk: BakeChunk): Promise<Uint8Array> {
  // A copy: what an executor does to it is its own affair.
  const answer = await executor.run({ ...chunk });
  checkArrayOf(answer, Uint8Array, 'the answer of executor.run');
  return answer;
}

/** The error for chunks, one or more, that failed for good: names the first one, and why. */
export function chunkError(failures: readonly FailedChunk[]): BakeError {
  const [first] = [...failures].sort((a, b) => a.chunk - b.chunk);
  const { chunk, attempts, reason } = first!;
  const times = attempts === 1 ? '' : ` ${attempts} times`;
  const rest = failures.length === 1 ? '' : `; ${failures.length - 1} more failed`;
  return new BakeError('chunk', `chunk ${chunk} failed${times}: ${reasonOf(reason)}${rest}`, {
    chunk,
    cause: reason,
  });
}
